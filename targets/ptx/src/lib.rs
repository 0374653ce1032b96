//! PTX on an NVIDIA GPU: kernels from the worker that holds LLVM, loaded by the driver.

use terrace_diag::Diagnostic;
use terrace_ir::Ir;
use terrace_native_client::{EmitKind, Worker};
use terrace_runtime_cuda as cuda;
use terrace_target_api::{
    About, Emission, EmitOptions, Failed, Job, NamedPipeline, Outcome, Target, codes, device, loops, worker,
};
use terrace_target_cuda::Cuda;

/// What its programs go through
pub const PIPELINES: &[NamedPipeline] = &[NamedPipeline {
    name: "to-ptx",
    text: loops!(
        "ptx",
        "target=cuda",
        ",gpu-last-block,gpu-launch-sink-index-computations,gpu-kernel-outlining,gpu-launch-on-devices,gpu-all-reduce-to-shared,gpu-shared-to-dynamic,disjoint-arguments,convert-scf-to-cf,canonicalize,cse"
    ),
    summary: "To kernels over blocks: what PTX is made of",
}];

/// The back end
pub struct Ptx;

/// Its entry in the list
pub const TARGET: Ptx = Ptx;

const EMISSIONS: &[Emission] =
    &[Emission::code("ptx", "PTX of the device modules", ("ptx", Some("//")), "to-ptx", |ir, how| {
        worker::code(ir, EmitKind::Ptx, how)
    })];

impl Target for Ptx {
    fn about(&self) -> About {
        About::new("ptx", "An NVIDIA GPU, through LLVM").through("to-ptx").kernels_on("cuda").makes(EMISSIONS)
    }

    fn missing(&self) -> Option<&'static str> {
        worker::missing().or_else(terrace_target_cuda::missing)
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        let start = |several| {
            let devices = terrace_target_cuda::open(several)?;
            devices.into_iter().map(|device| load(device, job.ir)).collect()
        };
        device::run(job, device::signatures(job.ir), start)
    }
}

/// Have PTX made for a device and load it
fn load(device: cuda::Device, ir: &Ir) -> Result<Cuda, Diagnostic> {
    let (major, minor) = device.info().capability;
    let options = EmitOptions { cpu: Some(format!("sm_{major}{minor}")), ..EmitOptions::default() };
    let code = Worker::start()?.emit(&worker::text(ir), EmitKind::Ptx, &options).map_err(|errors| {
        let none = || Diagnostic::error(&codes::BACKEND, "the worker made no PTX");
        errors.into_iter().next().unwrap_or_else(none)
    })?;
    let ptx = cuda::Ptx { text: String::from_utf8_lossy(&code).into_owned() };
    Cuda::on_ptx(device, &ptx).map_err(|error| Diagnostic::error(&codes::BACKEND, error.to_string()))
}
