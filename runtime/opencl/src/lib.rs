//! OpenCL devices through opencl3, loaded at run time
//!
//! Nothing of OpenCL is linked: the library is opened by the first call, and a machine without it, or
//! without a device, gets the named errors [`OpenClError::NoLibrary`] and [`OpenClError::NoDevice`].
//!
//! A [`Device`] is one device with a context and an in-order queue; every call but [`Kernel::start`] waits for its end, as
//! tests and measurements want it. Several devices, or parts of one ([`Device::split`]), work at the same time. [`oclgrind`] runs a program under a simulator that finds data races.
//!
//! **Invariant:** a refused launch says what clashes; the arguments' number and kind are compared with
//! the kernel's before the driver sees them.

mod device;
mod error;
mod kernel;
pub mod oclgrind;

pub use device::{Device, DeviceBuffer, DeviceInfo, Preference};
pub use error::OpenClError;
pub use kernel::{Kernel, Program, Running};
pub use terrace_runtime_buffers::Arg;
