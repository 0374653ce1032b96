//! Running on this CPU as C with OpenMP: the text goes through the system compiler into a program of its own.

use std::process::Command;
use terrace_lowering_c::Flavor;
use terrace_target_api::program::Compiled;
use terrace_target_api::{About, Emission, Failed, Job, NamedPipeline, Outcome, Target, loops, text};

const COMPILED: Compiled = Compiled { flavor: Flavor::OpenMp, name: "C", word: "c", compiler: ("CC", "cc") };

/// What its programs go through
pub const PIPELINES: &[NamedPipeline] = &[
    NamedPipeline {
        name: "to-openmp",
        text: loops!(
            "openmp",
            "target=openmp",
            "",
            ",scf-ascending-places,scf-order-floats",
            ",gpu-inline-kernels,gpu-all-reduce-to-shared,gpu-launch-to-parallel,disjoint-arguments"
        ),
        summary: "To host code with loops: what C with OpenMP is printed from",
    },
    NamedPipeline {
        name: "to-openmp-native",
        text: loops!(
            "openmp",
            "matrix-units=none",
            "",
            ",scf-ascending-places,scf-order-floats",
            ",gpu-inline-kernels,gpu-all-reduce-to-shared,gpu-launch-to-parallel,disjoint-arguments"
        ),
        summary: "The same, scheduled for this machine: what `terrace-run --on=openmp` compiles",
    },
];

/// The back end
pub struct OpenMp;

/// Its entry in the list
pub const TARGET: OpenMp = OpenMp;

const EMISSIONS: &[Emission] =
    &[Emission::c("openmp", "C with OpenMP of the host functions", "c", "to-openmp", |ir, _| {
        text::emit(ir, Flavor::OpenMp)
    })];

impl Target for OpenMp {
    fn about(&self) -> About {
        About::new("openmp", "This CPU, as C with OpenMP").through("to-openmp-native").makes(EMISSIONS)
    }

    fn keeps_limits(&self) -> bool {
        true
    }

    fn missing(&self) -> Option<&'static str> {
        let said = Command::new(COMPILED.compiler()).arg("-print-file-name=libgomp.so").output();
        let there = said.is_ok_and(|out| out.stdout.starts_with(b"/"));
        (!there).then_some("cc-openmp")
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        COMPILED.run(job)
    }
}
