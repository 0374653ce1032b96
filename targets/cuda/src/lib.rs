//! CUDA C on an NVIDIA GPU: kernels as text, compiled by NVRTC.

mod driver;

pub use driver::{Cuda, open};

use terrace_lowering_c::{Flavor, Options};
use terrace_target_api::{About, Emission, Failed, Job, NamedPipeline, Outcome, Target, device, loops, text};

/// What its programs go through
pub const PIPELINES: &[NamedPipeline] = &[NamedPipeline {
    name: "to-cuda",
    text: loops!(
        "cuda",
        "target=cuda",
        ",gpu-last-block,gpu-launch-sink-index-computations,gpu-kernel-outlining,gpu-launch-on-devices,gpu-all-reduce-to-shared,gpu-shared-to-dynamic,disjoint-arguments,canonicalize,cse"
    ),
    summary: "To kernels with loops: what CUDA C is printed from",
}];

/// The back end
pub struct CudaC;

/// Its entry in the list
pub const TARGET: CudaC = CudaC;

const EMISSIONS: &[Emission] =
    &[Emission::c("cuda", "CUDA C of the device modules", "cu", "to-cuda", |ir, _| {
        text::emit(ir, Flavor::Cuda)
    })];

/// The component that this machine lacks for running kernels on an NVIDIA GPU
pub fn missing() -> Option<&'static str> {
    terrace_runtime_cuda::Device::open().is_err().then_some("an NVIDIA GPU")
}

impl Target for CudaC {
    fn about(&self) -> About {
        About::new("cuda", "An NVIDIA GPU").through("to-cuda").kernels_on("cuda").makes(EMISSIONS)
    }

    fn missing(&self) -> Option<&'static str> {
        missing()
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        let printed = text::print(job.ir, Flavor::Cuda, &Options::default())?;
        let start = |several| Cuda::start(&printed.text, several);
        device::run(job, printed.signatures.clone(), start)
    }
}
