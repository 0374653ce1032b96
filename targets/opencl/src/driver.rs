//! The driver of an OpenCL device.
//!
//! `TERRACE_OPENCL_DEVICE` names a device (a part of its name or of its platform's); else it is the first one.

#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::Duration;
use terrace_diag::Diagnostic;
use terrace_lowering_c::Flavor;
use terrace_runtime_opencl as cl;
use terrace_target_api::codes;
use terrace_target_api::device::{Arg, Driver, Sizes};

/// A device with a compiled program
pub struct OpenCl {
    device: cl::Device,
    program: cl::Program,
    kernels: BTreeMap<String, cl::Kernel>,
}

impl OpenCl {
    /// Open a device and compile this text for it; where several are wanted, its parts: one for each compute unit
    ///
    /// Where a program promises its bits (`promised`), a device that computes f32 otherwise is refused.
    pub fn start(text: &str, several: bool, promised: bool) -> Result<Vec<OpenCl>, Diagnostic> {
        let wanted =
            std::env::var("TERRACE_OPENCL_DEVICE").map_or(cl::Preference::Any, cl::Preference::Named);
        let failed = |error: cl::OpenClError| {
            let diagnostic = Diagnostic::error(&codes::BACKEND, error.to_string());
            match error.is_absence() {
                true => diagnostic.help("on Debian: apt-get install ocl-icd-libopencl1 pocl-opencl-icd"),
                false => diagnostic,
            }
        };
        let device = cl::Device::open(&wanted).map_err(failed)?;
        let info = device.info();
        if promised {
            keeps_bits(info)?;
        }
        for (extension, there) in [("cl_khr_fp16", info.fp16), ("cl_khr_fp64", info.fp64)] {
            if !there && text.contains(&format!("#pragma OPENCL EXTENSION {extension}")) {
                let message =
                    format!("the device `{}` lacks {extension}, which the program needs", info.name);
                let ty = if extension.ends_with("16") { "f16" } else { "f64" };
                return Err(Diagnostic::error(&codes::BACKEND, message)
                    .help(format!("compute in f32 instead of {ty}")));
            }
        }
        OpenCl::parts(device, several, |device| {
            let strict = Flavor::OpenCl.compile_flags().join(" ");
            // Correct rounding is an extra that a device may lack; then the tolerance has to cover it.
            let program = cl::Program::build(device, text, &strict);
            program.or_else(|_| cl::Program::build(device, text, "-cl-std=CL1.2"))
        })
    }

    /// A device with a program, or parts of the device with one each
    pub fn parts(
        device: cl::Device,
        several: bool,
        program: impl Fn(&cl::Device) -> Result<cl::Program, cl::OpenClError>,
    ) -> Result<Vec<OpenCl>, Diagnostic> {
        let parts = if several { device.info().compute_units } else { 1 };
        let on = |device: cl::Device| {
            let program = program(&device)?;
            Ok(OpenCl { device, program, kernels: BTreeMap::new() })
        };
        let all = device.split(parts).and_then(|parts| parts.into_iter().map(on).collect());
        all.map_err(|error: cl::OpenClError| Diagnostic::error(&codes::BACKEND, error.to_string()))
    }
}

/// Refuse a device on which a program would not have the bits that it promises
pub fn keeps_bits(info: &cl::DeviceInfo) -> Result<(), Diagnostic> {
    let Some(why) = info.differs() else { return Ok(()) };
    let message = format!("the device `{}` {why}, and the program is `invariant` or `exact`", info.name);
    Err(Diagnostic::error(&codes::BACKEND, message).help("use `fixed`, or another device"))
}

impl Driver for OpenCl {
    type Error = cl::OpenClError;
    type Buffer = cl::DeviceBuffer;
    type Running = cl::Running;

    fn upload(&mut self, bytes: &[u8]) -> Result<cl::DeviceBuffer, cl::OpenClError> {
        self.device.upload(bytes)
    }

    fn read(&self, buffer: &cl::DeviceBuffer, bytes: &mut [u8]) -> Result<(), cl::OpenClError> {
        buffer.read(bytes)
    }

    // SAFETY: what the trait asks of its caller, that buffers live until the kernel has been waited for, is all that is needed.
    unsafe fn start(
        &mut self,
        name: &str,
        sizes: Sizes,
        args: &[Arg<'_, cl::DeviceBuffer>],
    ) -> Result<cl::Running, cl::OpenClError> {
        let kernel = match self.kernels.entry(name.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.program.kernel(name)?),
        };
        // SAFETY: the arguments are those of the printed text's own signature, and live long enough by the caller's promise.
        // That the kernel stays within its buffers is what the program says; the interpreter finds programs that do not.
        unsafe { kernel.start(sizes.grid, sizes.block, args) }
    }

    fn wait(&self, running: cl::Running) -> Result<Duration, cl::OpenClError> {
        running.wait()
    }
}
