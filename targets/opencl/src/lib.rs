//! OpenCL C on an OpenCL device: kernels as text, compiled by the device's own driver.

mod driver;

pub use driver::{OpenCl, keeps_bits};

use terrace_lowering_c::{Flavor, Options};
use terrace_runtime_opencl::{Device, Preference};
use terrace_target_api::{
    About, Emission, Failed, Job, NamedPipeline, Outcome, Target, bits_are_promised, device, loops, text,
};

/// What its programs go through
pub const PIPELINES: &[NamedPipeline] = &[NamedPipeline {
    name: "to-opencl",
    text: loops!(
        "opencl",
        "target=opencl",
        ",gpu-launch-sink-index-computations,gpu-kernel-outlining,gpu-launch-on-devices,gpu-all-reduce-to-shared,disjoint-arguments,canonicalize,cse"
    ),
    summary: "To kernels with loops: what OpenCL C is printed from",
}];

/// The back end
pub struct OpenClC;

/// Its entry in the list
pub const TARGET: OpenClC = OpenClC;

const EMISSIONS: &[Emission] =
    &[Emission::c("opencl", "OpenCL C of the device modules", "cl", "to-opencl", |ir, _| {
        text::emit(ir, Flavor::OpenCl)
    })];

impl Target for OpenClC {
    fn about(&self) -> About {
        About::new("opencl", "An OpenCL device").through("to-opencl").kernels_on("opencl").makes(EMISSIONS)
    }

    fn missing(&self) -> Option<&'static str> {
        Device::open(&Preference::Any).is_err().then_some("pocl")
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        let printed = text::print(job.ir, Flavor::OpenCl, &Options::default())?;
        let promised = bits_are_promised(job.ir);
        let start = |several| OpenCl::start(&printed.text, several, promised);
        device::run(job, printed.signatures.clone(), start)
    }
}
