//! FPGAs through Calyx: SystemVerilog by its compiler, which the worker `terrace-calyx` holds, and cycles by Verilator.
//!
//! Integers only. Main memory is a model: each port has one access in a cycle, and what it reads is there in the next.

mod driver;
mod simulate;
mod verilog;

use terrace_diag::Diagnostic;
use terrace_ir::Ir;
use terrace_lowering_calyx::Printed;
use terrace_native_client::client;
use terrace_target_api::{
    About, Emission, EmitOptions, Failed, Family, Job, NamedPipeline, Outcome, Target, find,
};

/// What its programs go through
pub const PIPELINES: &[NamedPipeline] = &[NamedPipeline {
    name: "to-calyx",
    text: concat!(
        "func.func(bind-sizes),stablehlo-to-mdh,linalg-operators,tensor-constants-to-globals,func.func(linalg-to-mdh)",
        ",mdh-accumulators,func.func(mdh-fix-bits,mdh-phases),mdh-dependent,func.func(mdh-inline,tensors-to-memory)",
        ",mdh-operators-by-place,func.func(mdh-operators),array-expand,array-inline",
        ",func.func(mdh-design{device=calyx},mdh-to-sched",
        ",sched-fuse,array-bind,array-place,array-to-sched,hls-prepare),inline,sched-legalize,sched-to-scf,canonicalize",
        ",lower-affine,cse,canonicalize,disjoint-arguments,hls-stages,canonicalize,cse,hls-pipeline{device=calyx}"
    ),
    summary: "To stages, pipelined loops and arrays in banks, for the FPGA that Calyx's hardware is modeled as",
}];

/// The back end
pub struct Calyx;

/// Its entry in the list
pub const TARGET: Calyx = Calyx;

const EMISSIONS: &[Emission] = &[
    Emission {
        name: "calyx",
        help: "Calyx of the function, with a cycle for each op",
        ending: "futil",
        family: Family::Hardware,
        comment: Some("//"),
        pipeline: "to-calyx",
        missing: || None,
        make: |ir, _| Ok(print(ir, None)?.text.into_bytes()),
    },
    Emission {
        name: "verilog",
        help: "SystemVerilog of the function, through Calyx's compiler",
        ending: "sv",
        family: Family::Hardware,
        comment: Some("//"),
        pipeline: "to-calyx",
        missing: || client::find_calyx().is_err().then_some("verilator"),
        make: verilog_of,
    },
];

/// The hardware of a function, the only public one unless it is named
fn print(ir: &Ir, entry: Option<&str>) -> Result<Printed, Vec<Diagnostic>> {
    let (unit, _) = find(ir, entry).map_err(|error| vec![error])?;
    terrace_lowering_calyx::print(ir, unit).map_err(|error| vec![error])
}

fn verilog_of(ir: &Ir, _: &EmitOptions) -> Result<Vec<u8>, Vec<Diagnostic>> {
    verilog::text(&print(ir, None)?.text).map_err(|error| vec![error])
}

impl Target for Calyx {
    fn about(&self) -> About {
        About::new("calyx", "Hardware for FPGAs, simulated cycle by cycle: values and cycles are checked")
            .through("to-calyx")
            .makes(EMISSIONS)
    }

    fn keeps_limits(&self) -> bool {
        true
    }

    fn takes_any(&self) -> bool {
        false
    }

    fn missing(&self) -> Option<&'static str> {
        if client::find_calyx().is_err() {
            // The worker is built where this component is.
            return Some("verilator");
        }
        simulate::missing().then_some("verilator")
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        let printed = print(job.ir, Some(&job.signature.entry)).map_err(Failed)?;
        Ok(simulate::run(job, &printed)?)
    }
}
