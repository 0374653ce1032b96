//! Memory of a device, and bytes in and out of it: every call waits for its end.
#![allow(unsafe_code)]

use crate::{CudaError, Device};
use cudarc::driver::{result, sys};

/// Bytes in a device's memory
pub struct DeviceBuffer {
    pub(crate) at: sys::CUdeviceptr,
    len: usize,
    device: Device,
}

impl Device {
    /// Take `len` bytes of the device's memory, content undefined
    pub fn alloc(&self, len: usize) -> Result<DeviceBuffer, CudaError> {
        self.bind()?;
        // CUDA has no empty buffers; a byte that nobody reads stands for none.
        // SAFETY: the context is bound; the buffer's drop frees what is taken here.
        let at = unsafe { result::malloc_sync(len.max(1)) };
        let at = at.map_err(CudaError::from_driver("cuMemAlloc"))?;
        Ok(DeviceBuffer { at, len, device: self.clone() })
    }

    /// Take memory and fill it with these bytes
    pub fn upload(&self, bytes: &[u8]) -> Result<DeviceBuffer, CudaError> {
        let mut buffer = self.alloc(bytes.len())?;
        buffer.write(bytes)?;
        Ok(buffer)
    }
}

impl DeviceBuffer {
    /// Number of bytes
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no byte
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Overwrite all bytes
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), CudaError> {
        self.ready(bytes.len())?;
        // SAFETY: the context is bound, both sides have the same length, and the call blocks.
        unsafe { result::memcpy_htod_sync(self.at, bytes) }.map_err(CudaError::from_driver("cuMemcpyHtoD"))
    }

    /// Read all bytes
    pub fn read(&self, bytes: &mut [u8]) -> Result<(), CudaError> {
        self.ready(bytes.len())?;
        // SAFETY: the context is bound, both sides have the same length, and the call blocks.
        unsafe { result::memcpy_dtoh_sync(bytes, self.at) }.map_err(CudaError::from_driver("cuMemcpyDtoH"))
    }

    /// Overwrite all bytes with those of another buffer of this device
    pub fn copy_from(&mut self, source: &DeviceBuffer) -> Result<(), CudaError> {
        self.ready(source.len)?;
        // SAFETY: the context is bound; both buffers have `len` bytes and differ, as one is borrowed
        // uniquely.
        unsafe { result::memcpy_dtod_sync(self.at, source.at, self.len) }
            .map_err(CudaError::from_driver("cuMemcpyDtoD"))
    }

    /// Repeat a pattern of 1, 2 or 4 bytes; the length must be a multiple of it
    pub fn fill(&mut self, pattern: &[u8]) -> Result<(), CudaError> {
        self.ready(self.len)?;
        let (at, count) = (self.at, self.len / pattern.len().max(1));
        // SAFETY: the context is bound; the match guard below keeps `count` patterns within `len`
        // bytes, and device memory is aligned to 256.
        let done = unsafe {
            match *pattern {
                _ if !self.len.is_multiple_of(pattern.len().max(1)) => None,
                [a] => Some(sys::cuMemsetD8_v2(at, a, count)),
                [a, b] => Some(sys::cuMemsetD16_v2(at, u16::from_ne_bytes([a, b]), count)),
                [a, b, c, d] => Some(sys::cuMemsetD32_v2(at, u32::from_ne_bytes([a, b, c, d]), count)),
                _ => None,
            }
        };
        let done = done.ok_or(CudaError::Size { held: self.len, given: pattern.len() })?;
        done.result().map_err(CudaError::from_driver("cuMemset"))
    }

    /// Compare lengths, and bind the context
    fn ready(&self, given: usize) -> Result<(), CudaError> {
        if given != self.len {
            return Err(CudaError::Size { held: self.len, given });
        }
        self.device.bind()
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        if self.device.bind().is_ok() {
            // SAFETY: `at` came from `malloc_sync` of this context and is not used after this. A
            // failure means that the context is lost, and the memory with it.
            let _ = unsafe { result::free_sync(self.at) };
        }
    }
}
