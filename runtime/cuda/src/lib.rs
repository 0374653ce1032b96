//! NVIDIA devices through cudarc, loaded at run time
//!
//! Three parts that need different things of the machine, each missing one a named error:
//! [`nvrtc_compile`] and [`nvrtc_binary`] (CUDA C to PTX or machine code, need NVRTC, no GPU), [`ptxas_check`] (PTX to machine code, for its
//! verdict and its figures, needs `ptxas`, no GPU), and [`Device`] (needs a driver and a GPU).
//!
//! **Invariant:** nothing of CUDA is linked, and no missing library makes this crate panic.
//! cudarc panics where a library or a NUL-free text is missing, so both are looked at first.
//!
//! Where NVRTC and `ptxas` are is the caller's knowledge; this crate does not look for them.

mod buffer;
mod device;
mod error;
mod kernel;
mod limits;
mod nvrtc;
mod ptxas;

pub use buffer::DeviceBuffer;
pub use device::{Device, DeviceInfo};
pub use error::CudaError;
pub use kernel::{Kernel, Module, Needs, Running};
pub use nvrtc::{Ptx, nvrtc_binary, nvrtc_compile};
pub use ptxas::{KernelUse, PtxasError, PtxasReport, ptxas_binary, ptxas_check};
pub use terrace_runtime_buffers::Arg;
