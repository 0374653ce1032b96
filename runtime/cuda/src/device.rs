//! One GPU: modules, memory, launches
//!
//! All calls go to the default stream and wait for their end, as tests and measurements want it.
//! A kernel that accesses memory it does not own makes its launch fail, and every later call on the
//! device within this process too: that is CUDA's rule. Whoever tries unproven kernels does so in a
//! process of their own.
#![allow(unsafe_code)]

use crate::{CudaError, Ptx};
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUevent_flags, cudaError_enum as Code};
use cudarc::driver::{CudaContext, CudaFunction, CudaModule, CudaStream, result};
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

/// An open device; clones share it
#[derive(Clone)]
pub struct Device {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
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

/// A loaded program
pub struct Module {
    module: Arc<CudaModule>,
    device: Device,
}

/// One kernel of a module
pub struct Kernel {
    function: CudaFunction,
    name: String,
    device: Device,
}

/// Bytes in a device's memory
pub struct DeviceBuffer {
    at: sys::CUdeviceptr,
    len: usize,
    device: Device,
}

/// One argument of a launch
#[derive(Clone, Copy)]
pub enum Arg<'a> {
    /// A pointer to global memory
    Buffer(&'a DeviceBuffer),
    /// 8 bits
    I8(i8),
    /// 16 bits
    I16(i16),
    /// 32 bits
    I32(i32),
    /// 64 bits
    I64(i64),
    /// `float`
    F32(f32),
    /// `double`
    F64(f64),
}

impl Device {
    /// Open the first device
    pub fn open() -> Result<Device, CudaError> {
        // SAFETY: the driver library's initialisers do nothing but set up the library itself.
        if !unsafe { sys::is_culib_present() } {
            return Err(CudaError::NoDriver);
        }
        let context = CudaContext::new(0).map_err(|e| match e.0 {
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

    /// Load PTX; the driver compiles it for this device
    ///
    /// A refusal has the driver's code only; [`ptxas_check`](crate::ptxas_check) knows the line.
    pub fn load(&self, ptx: &Ptx) -> Result<Module, CudaError> {
        // cudarc panics for a NUL.
        if ptx.text.contains('\0') {
            return Err(CudaError::Nul { what: "the PTX" });
        }
        let ptx = cudarc::nvrtc::Ptx::from_src(ptx.text.clone());
        let module = self.context.load_module(ptx).map_err(CudaError::from_driver("cuModuleLoadData"))?;
        Ok(Module { module, device: self.clone() })
    }

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

    /// Make this device's context the calling thread's
    fn bind(&self) -> Result<(), CudaError> {
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

impl Module {
    /// The kernel of this name
    pub fn kernel(&self, name: &str) -> Result<Kernel, CudaError> {
        // cudarc panics for a NUL.
        if name.contains('\0') {
            return Err(CudaError::Nul { what: "the kernel's name" });
        }
        let function = self.module.load_function(name).map_err(|e| match e.0 {
            Code::CUDA_ERROR_NOT_FOUND => {
                CudaError::Launch { kernel: name.into(), reason: "the module has no such kernel".into() }
            }
            _ => CudaError::from_driver("cuModuleGetFunction")(e),
        })?;
        Ok(Kernel { function, name: name.into(), device: self.device.clone() })
    }
}

impl Kernel {
    /// Run `grid` blocks of `block` threads with `shared` bytes of dynamic shared memory, and wait;
    /// the device's own time
    ///
    /// An empty grid runs nothing and takes no time.
    ///
    /// # Safety
    /// `args` must be the kernel's parameters in number, order and width, and the kernel must stay
    /// within the buffers it is given. The driver checks neither.
    pub unsafe fn launch(
        &self,
        grid: [u64; 3],
        block: [u64; 3],
        shared: u64,
        args: &[Arg<'_>],
    ) -> Result<Duration, CudaError> {
        let (grid, block, shared) = self.check(grid, block, shared)?;
        if [grid.0, grid.1, grid.2].contains(&0) {
            return Ok(Duration::ZERO);
        }
        self.device.bind()?;
        self.allow_shared(shared)?;
        let stream = &self.device.stream;
        let event = || {
            let flags = Some(CUevent_flags::CU_EVENT_DEFAULT);
            stream.record_event(flags).map_err(CudaError::from_driver("cuEventRecord"))
        };
        // Each value in memory of its own, and pointers to them, as the driver wants it.
        let values: Vec<u64> = args.iter().map(Arg::bits).collect();
        let mut params: Vec<*mut c_void> =
            values.iter().map(|v| std::ptr::from_ref(v).cast_mut().cast()).collect();
        let start = event()?;
        // SAFETY: the driver copies the parameters from `values`, which are alive, before it returns;
        // that they fit the kernel is the caller's promise.
        unsafe {
            let function = self.function.cu_function();
            result::launch_kernel(function, grid, block, shared, stream.cu_stream(), &mut params)
        }
        .map_err(CudaError::from_driver("cuLaunchKernel"))?;
        let end = event()?;
        end.synchronize().map_err(CudaError::from_driver("cuEventSynchronize"))?;
        let milliseconds = start.elapsed_ms(&end).map_err(CudaError::from_driver("cuEventElapsedTime"))?;
        Ok(Duration::from_secs_f64(f64::from(milliseconds.max(0.0)) / 1e3))
    }

    /// Compare a launch with the device's limits
    #[allow(clippy::type_complexity, reason = "the form that the driver call takes")]
    fn check(
        &self,
        grid: [u64; 3],
        block: [u64; 3],
        shared: u64,
    ) -> Result<((u32, u32, u32), (u32, u32, u32), u32), CudaError> {
        let refuse = |reason: String| CudaError::Launch { kernel: self.name.clone(), reason };
        let info = &self.device.info;
        let threads = block.iter().try_fold(1u64, |n, &b| n.checked_mul(b)).unwrap_or(u64::MAX);
        if threads == 0 || threads > info.max_block {
            let [x, y, z] = block;
            return Err(refuse(format!(
                "a block of {x}×{y}×{z} threads; the device takes 1 to {}",
                info.max_block
            )));
        }
        for d in 0..3 {
            let (b, most) = (block[d], info.max_block_sizes[d]);
            if b > most {
                return Err(refuse(format!("a block of {b} in dimension {d}; the device takes {most}")));
            }
            let (g, most) = (grid[d], info.max_grid_sizes[d]);
            if g > most {
                return Err(refuse(format!("a grid of {g} in dimension {d}; the device takes {most}")));
            }
        }
        if shared > info.shared_memory {
            let most = info.shared_memory;
            return Err(refuse(format!("{shared} bytes of shared memory; the device takes {most}")));
        }
        // All are below limits that came from the driver as 32-bit numbers.
        let narrow = |v: [u64; 3]| (v[0] as u32, v[1] as u32, v[2] as u32);
        Ok((narrow(grid), narrow(block), shared as u32))
    }

    /// Beyond 48 KiB a kernel must say so before its launch
    fn allow_shared(&self, shared: u32) -> Result<(), CudaError> {
        if shared <= 48 << 10 {
            return Ok(());
        }
        let attribute = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        self.function
            .set_attribute(attribute, shared as i32)
            .map_err(CudaError::from_driver("cuFuncSetAttribute"))
    }
}

impl Arg<'_> {
    /// The value's bytes at the start of a word; the driver reads as many as the parameter has
    fn bits(&self) -> u64 {
        let mut word = [0; 8];
        let mut put = |bytes: &[u8]| word[..bytes.len()].copy_from_slice(bytes);
        match *self {
            Arg::Buffer(buffer) => put(&buffer.at.to_ne_bytes()),
            Arg::I8(v) => put(&v.to_ne_bytes()),
            Arg::I16(v) => put(&v.to_ne_bytes()),
            Arg::I32(v) => put(&v.to_ne_bytes()),
            Arg::I64(v) => put(&v.to_ne_bytes()),
            Arg::F32(v) => put(&v.to_ne_bytes()),
            Arg::F64(v) => put(&v.to_ne_bytes()),
        }
        u64::from_ne_bytes(word)
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
