//! FPGAs, as C++ for high-level synthesis. Nothing is synthesized: the text is compiled for this CPU and run, which checks its values and no cycle.
//!
//! Pragmas are comments to the system's compiler.

use std::process::Command;
use terrace_lowering_c::Flavor;
use terrace_target_api::program::Compiled;
use terrace_target_api::{About, Emission, Failed, Job, NamedPipeline, Outcome, Target, text};

const COMPILED: Compiled =
    Compiled { flavor: Flavor::Hls, name: "C++", word: "c++", compiler: ("CXX", "c++") };

/// What its programs go through
pub const PIPELINES: &[NamedPipeline] = &[NamedPipeline {
    name: "to-hls",
    text: concat!(
        "func.func(bind-sizes),stablehlo-to-mdh,linalg-operators,tensor-constants-to-globals,func.func(linalg-to-mdh)",
        ",mdh-accumulators,func.func(mdh-fix-bits,mdh-phases),mdh-dependent,func.func(mdh-inline,tensors-to-memory)",
        ",mdh-operators-by-place,func.func(mdh-operators),array-expand,array-inline,func.func(mdh-design,mdh-to-sched",
        ",sched-fuse,array-bind,array-place,array-to-sched,hls-prepare),inline,sched-legalize,sched-to-scf,canonicalize",
        ",lower-affine,cse,canonicalize,expand-floats,disjoint-arguments,hls-stages,canonicalize,cse,hls-pipeline"
    ),
    summary: "To stages, pipelined loops and arrays in banks: what C++ for high-level synthesis is printed from",
}];

/// The back end
pub struct Hls;

/// Its entry in the list
pub const TARGET: Hls = Hls;

const EMISSIONS: &[Emission] =
    &[Emission::c("hls", "C++ for high-level synthesis of the functions", "cpp", "to-hls", |ir, _| {
        text::emit(ir, Flavor::Hls)
    })];

impl Target for Hls {
    fn about(&self) -> About {
        About::new("hls", "Code for FPGAs, compiled for this CPU: values are checked, cycles are not")
            .through("to-hls")
            .makes(EMISSIONS)
    }

    fn keeps_limits(&self) -> bool {
        true
    }

    fn takes_any(&self) -> bool {
        false
    }

    fn missing(&self) -> Option<&'static str> {
        let there = Command::new(COMPILED.compiler()).arg("--version").output();
        (!there.is_ok_and(|out| out.status.success())).then_some("c++")
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        COMPILED.run(job)
    }
}
