//! The driver of an NVIDIA GPU.
//!
//! `TERRACE_NVRTC` names the folder of NVRTC's library, else it is searched in the loader's path.

#![allow(unsafe_code)]

use std::path::PathBuf;
use std::time::Duration;
use terrace_diag::Diagnostic;
use terrace_lowering_c::Flavor;
use terrace_runtime_cuda as cuda;
use terrace_target_api::codes;
use terrace_target_api::device::{Arg, Driver, Sizes};

/// A device with a loaded module
pub struct Cuda {
    device: cuda::Device,
    module: cuda::Module,
}

impl Cuda {
    /// A device on which PTX is loaded
    pub fn on_ptx(device: cuda::Device, ptx: &cuda::Ptx) -> Result<Cuda, cuda::CudaError> {
        let module = device.load(ptx)?;
        Ok(Cuda { device, module })
    }

    /// Open the first device or all, compile this text and load it
    pub fn start(text: &str, several: bool) -> Result<Vec<Cuda>, Diagnostic> {
        open(several)?.into_iter().map(|device| Cuda::on(device, text)).collect()
    }

    fn on(device: cuda::Device, text: &str) -> Result<Cuda, Diagnostic> {
        let failed = |error: cuda::CudaError| Diagnostic::error(&codes::BACKEND, error.to_string());
        let (major, minor) = device.info().capability;
        let folder = std::env::var_os("TERRACE_NVRTC").map(PathBuf::from);
        let flags = Flavor::Cuda.compile_flags();
        // Machine code: PTX of a newer NVRTC than the driver would be refused.
        let arch = format!("sm_{major}{minor}");
        let code = cuda::nvrtc_binary(text, &arch, flags, folder.as_deref()).map_err(|error| {
            failed(error)
                .help("NVRTC comes with `cargo xtask setup --nvidia`; TERRACE_NVRTC names its folder")
        })?;
        let module = device.load_binary(&code).map_err(failed)?;
        Ok(Cuda { device, module })
    }
}

/// The first device, or all
pub fn open(several: bool) -> Result<Vec<cuda::Device>, Diagnostic> {
    let devices = if several { cuda::Device::all() } else { cuda::Device::open().map(|device| vec![device]) };
    devices.map_err(|error| Diagnostic::error(&codes::BACKEND, error.to_string()))
}

impl Driver for Cuda {
    type Error = cuda::CudaError;
    type Buffer = cuda::DeviceBuffer;
    type Running = cuda::Running;

    fn upload(&mut self, bytes: &[u8]) -> Result<cuda::DeviceBuffer, cuda::CudaError> {
        self.device.upload(bytes)
    }

    fn read(&self, buffer: &cuda::DeviceBuffer, bytes: &mut [u8]) -> Result<(), cuda::CudaError> {
        buffer.read(bytes)
    }

    // SAFETY: what the trait asks of its caller, that buffers live until the kernel has been waited for, is all that is needed.
    unsafe fn start(
        &mut self,
        name: &str,
        sizes: Sizes,
        args: &[Arg<'_, cuda::DeviceBuffer>],
    ) -> Result<cuda::Running, cuda::CudaError> {
        let kernel = self.module.kernel(name)?;
        // SAFETY: the arguments are those of the printed text's own signature, and live long enough by the caller's promise.
        // That the kernel stays within its buffers is what the program says; the interpreter finds programs that do not.
        unsafe { kernel.start(sizes.grid, sizes.block, sizes.shared, args) }
    }

    fn wait(&self, running: cuda::Running) -> Result<Duration, cuda::CudaError> {
        running.wait()
    }
}
