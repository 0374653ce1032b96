//! This CPU through upstream MLIR's own lowering, which the worker `terrace-upstream` holds.

mod names;

use terrace_native_client::client;
use terrace_target_api::{
    About, Failed, Holds, Job, NamedPipeline, Outcome, Signature, Target, loops, worker,
};

/// What its programs go through
pub const PIPELINES: &[NamedPipeline] = &[NamedPipeline {
    name: "to-mlir",
    text: loops!(
        "mlir",
        "",
        ",gpu-inline-kernels,gpu-all-reduce-to-shared,gpu-launch-to-parallel,vector-split-bools"
    ),
    summary: "To upstream's own dialects, loops still in them: what upstream's passes take",
}];

/// The back end
pub struct Mlir;

/// Its entry in the list
pub const TARGET: Mlir = Mlir;

impl Target for Mlir {
    fn about(&self) -> About {
        About::new("mlir", "This CPU, through upstream MLIR's lowering").through("to-mlir")
    }

    fn keeps_limits(&self) -> bool {
        true
    }

    fn missing(&self) -> Option<&'static str> {
        client::find_upstream().is_err().then_some("mlir")
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        let mut ir = job.ir.clone_unit();
        let entry = names::make_local(&mut ir, &job.signature.entry);
        let signature = Signature { entry, ..job.signature.clone() };
        worker::run(&Job { ir: &ir, signature: &signature, ..*job }, Holds::Upstream)
    }
}
