//! This CPU through LLVM, which the worker `terrace-native` holds.

mod link;

use terrace_diag::{Diagnostic, Diags};
use terrace_ir::Ir;
use terrace_native_client::EmitKind;
use terrace_target_api::{
    About, Emission, EmitOptions, Failed, Holds, Job, NamedPipeline, Outcome, Target, loops, worker,
};

/// What its programs go through
pub const PIPELINES: &[NamedPipeline] = &[NamedPipeline {
    name: "to-host",
    text: loops!(
        "host",
        "",
        ",sched-contract",
        ",scf-ascending-places,scf-order-floats",
        ",scf-peel-first,scf-stream-copies,scf-align-stores,scf-transpose-copies,scf-unmask-stores,gpu-inline-kernels,gpu-all-reduce-to-shared,gpu-launch-to-parallel,scf-parallel-to-calls,convert-scf-to-cf,canonicalize,cse"
    ),
    summary: "To blocks over scalars, vectors and memory: what the LLVM back end takes",
}];

/// The back end
pub struct Host;

/// Its entry in the list
pub const TARGET: Host = Host;

const EMISSIONS: &[Emission] = &[
    Emission::code("llvm", "LLVM IR", ("ll", Some(";")), "to-host", |ir, how| {
        worker::code(ir, EmitKind::Llvm, how)
    }),
    Emission::code("asm", "assembly of the CPU", ("s", Some("#")), "to-host", |ir, how| {
        worker::code(ir, EmitKind::Asm, how)
    }),
    Emission::code("obj", "an object file for the linker", ("o", None), "to-host", object),
    Emission::code(
        "shared",
        "a library that programs load, with the runtime in it",
        ("so", None),
        "to-host",
        |ir, how| link::shared(&object(ir, how)?),
    ),
    Emission {
        comment: None,
        ..Emission::c("header", "a C header of the host functions", "h", "to-host", header)
    },
];

fn object(ir: &Ir, options: &EmitOptions) -> Result<Vec<u8>, Vec<Diagnostic>> {
    worker::code(ir, EmitKind::Obj, options)
}

fn header(ir: &Ir, _: &EmitOptions) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let mut diags = Diags::default();
    let text = terrace_lowering_c::header(ir, &mut diags);
    text.map(String::into_bytes).ok_or_else(|| diags.into_vec())
}

impl Target for Host {
    fn about(&self) -> About {
        About::new("host", "This CPU, through LLVM").through("to-host").makes(EMISSIONS)
    }

    fn keeps_limits(&self) -> bool {
        true
    }

    fn missing(&self) -> Option<&'static str> {
        worker::missing()
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        worker::run(job, Holds::Llvm)
    }
}
