//! One GPU: what it is and can do
//!
//! All calls go to the device's default stream. A kernel that accesses memory it does not own makes its launch fail, and
//! every later call on the device within this process too: that is CUDA's rule. Whoever tries unproven kernels does so in
//! a process of their own.
#![allow(unsafe_code)]

use crate::CudaError;
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, cudaError_enum as Code};
use cudarc::driver::{CudaContext, CudaStream};
use std::sync::Arc;

/// An open device; clones share it
#[derive(Clone)]
pub struct Device {
    context: Arc<CudaContext>,
    pub(crate) stream: Arc<CudaStream>,
    info: Arc<DeviceInfo>,
}

/// What a device is and can do
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceInfo {
    /// Device name
    pub name: String,
    /// Compute capability: (9, 0) for `sm_90`
    pub capability: (u32, u32),
    /// Multiprocessors
    pub multiprocessors: u32,
    /// Threads of a warp
    pub warp: u32,
    /// Threads in a block, in all
    pub max_block: u64,
    /// Threads in a block, per dimension
    pub max_block_sizes: [u64; 3],
    /// Blocks in a grid, per dimension
    pub max_grid_sizes: [u64; 3],
    /// Bytes of shared memory that a block may ask for
    pub shared_memory: u64,
    /// Registers of a multiprocessor
    pub registers: u32,
    /// Bytes of global memory
    pub global_memory: u64,
}

impl Device {
    /// Open the first device
    pub fn open() -> Result<Device, CudaError> {
        Device::number(0)
    }

    /// Open all devices
    pub fn all() -> Result<Vec<Device>, CudaError> {
        let first = Device::open()?;
        let count = CudaContext::device_count().map_err(CudaError::from_driver("cuDeviceGetCount"))?;
        let others = (1..usize::try_from(count).unwrap_or(0)).map(Device::number);
        std::iter::once(Ok(first)).chain(others).collect()
    }

    fn number(n: usize) -> Result<Device, CudaError> {
        // SAFETY: the driver library's initialisers do nothing but set up the library itself.
        if !unsafe { sys::is_culib_present() } {
            return Err(CudaError::NoDriver);
        }
        let context = CudaContext::new(n).map_err(|e| match e.0 {
            Code::CUDA_ERROR_NO_DEVICE | Code::CUDA_ERROR_INVALID_DEVICE => CudaError::NoDevice,
            // The library that comes with the tool kit only serves for linking.
            Code::CUDA_ERROR_STUB_LIBRARY => CudaError::NoDriver,
            _ => CudaError::from_driver("cuInit")(e),
        })?;
        let info = Arc::new(DeviceInfo::ask(&context)?);
        let stream = context.default_stream();
        Ok(Device { context, stream, info })
    }

    /// What the device is and can do
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Make this device's context the calling thread's
    pub(crate) fn bind(&self) -> Result<(), CudaError> {
        self.context.bind_to_thread().map_err(CudaError::from_driver("cuCtxSetCurrent"))
    }
}

impl DeviceInfo {
    fn ask(context: &Arc<CudaContext>) -> Result<DeviceInfo, CudaError> {
        let failed = CudaError::from_driver("cuDeviceGetAttribute");
        let number = |attribute| context.attribute(attribute).map(|n| n.max(0) as u32).map_err(&failed);
        let wide = |attribute| number(attribute).map(u64::from);
        use Attribute::*;
        Ok(DeviceInfo {
            name: context.name().map_err(CudaError::from_driver("cuDeviceGetName"))?,
            capability: (
                number(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
                number(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            ),
            multiprocessors: number(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            warp: number(CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
            max_block: wide(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            max_block_sizes: [
                wide(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
                wide(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
                wide(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
            ],
            max_grid_sizes: [
                wide(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
                wide(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
                wide(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
            ],
            shared_memory: wide(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            registers: number(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR)?,
            global_memory: context.total_mem().map_err(CudaError::from_driver("cuDeviceTotalMem"))? as u64,
        })
    }
}
