//! SPIR-V on an OpenCL device that takes it: kernels from the worker that holds LLVM, loaded by the device's driver.
//!
//! PoCL of Debian takes no SPIR-V; Intel's runtime for processors does. `TERRACE_SPIRV_VENDORS` names a folder with the
//! `.icd` files of drivers; `cargo xtask setup --intel` makes one. Other back ends go on with the drivers of the system.

mod vendors;

use std::ffi::OsString;
use terrace_diag::Diagnostic;
use terrace_ir::Ir;
use terrace_native_client::{EmitKind, Worker};
use terrace_runtime_opencl::{Device, Preference, Program};
use terrace_target_api::{
    About, Emission, EmitOptions, Failed, Job, NamedPipeline, Outcome, Target, bits_are_promised, codes,
    device, loops, worker,
};
use terrace_target_opencl::{OpenCl, keeps_bits};

/// What its programs go through
pub const PIPELINES: &[NamedPipeline] = &[NamedPipeline {
    name: "to-spirv",
    text: loops!(
        "spirv",
        "target=opencl",
        ",gpu-launch-sink-index-computations,gpu-kernel-outlining,gpu-launch-on-devices,gpu-all-reduce-to-shared,disjoint-arguments,convert-scf-to-cf,canonicalize,cse"
    ),
    summary: "To kernels over blocks: what SPIR-V is made of",
}];

/// The back end
pub struct SpirV;

/// Its entry in the list
pub const TARGET: SpirV = SpirV;

const EMISSIONS: &[Emission] = &[
    Emission::code("spirv", "SPIR-V of the device modules", ("spv", None), "to-spirv", |ir, how| {
        worker::code(ir, EmitKind::Spirv, how)
    }),
    Emission::code("spirv-text", "the same as text", ("spvasm", Some(";")), "to-spirv", |ir, how| {
        worker::code(ir, EmitKind::SpirvText, how)
    }),
];

impl Target for SpirV {
    fn about(&self) -> About {
        About::new("spirv", "An OpenCL device that takes SPIR-V, through LLVM")
            .through("to-spirv")
            .kernels_on("opencl")
            .makes(EMISSIONS)
    }

    fn missing(&self) -> Option<&'static str> {
        let driver = || vendors::list().is_some() || open().is_ok();
        worker::missing().or_else(|| (!driver()).then_some("intel-opencl"))
    }

    fn environment(&self) -> Vec<(&'static str, OsString)> {
        let drivers = vendors::list().map(|list| (vendors::VARIABLE, list));
        drivers.into_iter().chain(vendors::keep_order()).collect()
    }

    fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        let kernels = device::signatures(job.ir);
        // A host's function without kernels needs no device.
        let none = kernels.is_empty();
        let start = |several| if none { Ok(Vec::new()) } else { load(job.ir, several) };
        device::run(job, kernels, start)
    }
}

/// The first device that takes SPIR-V
fn open() -> Result<Device, Diagnostic> {
    Device::open(&Preference::Spirv).map_err(|error| {
        let error = Diagnostic::error(&codes::BACKEND, error.to_string());
        error.help("`cargo xtask setup --intel` brings one that runs on this processor")
    })
}

/// Have SPIR-V made and load it; where several devices are wanted, into parts of the one
fn load(ir: &Ir, several: bool) -> Result<Vec<OpenCl>, Diagnostic> {
    let device = open()?;
    if bits_are_promised(ir) {
        keeps_bits(device.info())?;
    }
    let code = Worker::start()?.emit(&worker::text(ir), EmitKind::Spirv, &EmitOptions::default());
    let code = code.map_err(|errors| {
        let none = || Diagnostic::error(&codes::BACKEND, "the worker made no SPIR-V");
        errors.into_iter().next().unwrap_or_else(none)
    })?;
    OpenCl::parts(device, several, |device| Program::from_il(device, &code))
}
