//! One device with its context, its queue, and memory on it
#![allow(unsafe_code)]

use crate::OpenClError;
use opencl3::command_queue::{CL_QUEUE_PROFILING_ENABLE, CommandQueue};
use opencl3::context::Context;
use opencl3::device::{
    CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU,
    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, CL_FP_DENORM, Device as ClDevice, SubDevice,
};
use opencl3::memory::{Buffer as ClBuffer, CL_MEM_READ_WRITE};
use opencl3::platform::get_platforms;
use opencl3::types::CL_BLOCKING;
use std::fmt;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};

/// The loader is missing (opencl3's own code)
const LIBRARY_NOT_LOADED: i32 = -2000;
/// The loader is there, but no driver
const PLATFORM_NOT_FOUND: i32 = -1001;
/// A platform without a device of the wanted type
const DEVICE_NOT_FOUND: i32 = -1;

/// Held while a device is opened
///
/// PoCL 3.1 sets its devices up within the first query, and a second thread that asks meanwhile gets
/// devices that are half made (it dies in `clGetDeviceInfo`). This guards the driver's state, not ours.
static OPENING: Mutex<()> = Mutex::new(());

/// Which device to open; among several the first in the loader's order
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Preference {
    /// Any device
    Any,
    /// A CPU
    Cpu,
    /// A GPU
    Gpu,
    /// A device that takes SPIR-V
    Spirv,
    /// A device whose name, or whose platform's name, has this in it (letter case aside)
    Named(String),
}

impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("device"),
            Self::Cpu => f.write_str("CPU device"),
            Self::Gpu => f.write_str("GPU device"),
            Self::Spirv => f.write_str("device that takes SPIR-V"),
            Self::Named(name) => write!(f, "device named `{name}`"),
        }
    }
}

/// What a device is and can do
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceInfo {
    /// Device name
    pub name: String,
    /// Name of the driver
    pub platform: String,
    /// Version of OpenCL C it compiles
    pub language: String,
    /// Compute units
    pub compute_units: u32,
    /// Work items in a group, in all
    pub max_group: u64,
    /// Work items in a group, per dimension
    pub max_group_sizes: Vec<u64>,
    /// Bytes of local memory per group
    pub local_memory: u64,
    /// Bytes of global memory
    pub global_memory: u64,
    /// Bytes of the largest buffer
    pub max_buffer: u64,
    /// `double` in kernels
    pub fp64: bool,
    /// `half` arithmetic in kernels
    pub fp16: bool,
    /// f32 has subnormal numbers in kernels
    pub subnormals: bool,
    /// Quotients and square roots of f32 can be rounded correctly
    pub rounded_quotients: bool,
    /// 64-bit integer atomics, `atom_add` and `atom_min` alike
    pub atomics64: bool,
    /// Atomics on floats
    pub float_atomics: bool,
    /// Versions of SPIR-V that it takes, as the driver writes them; empty if none
    pub spirv: String,
    /// All extensions, sorted
    pub extensions: Vec<String>,
}

/// An open device; clones share it
#[derive(Clone)]
pub struct Device {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    // Dropped in this order: the queue before its context, and a part of a device after both.
    pub queue: CommandQueue,
    pub context: Context,
    pub info: DeviceInfo,
    _part: Option<SubDevice>,
}

/// Bytes in a device's memory
pub struct DeviceBuffer {
    // The memory goes before the device.
    pub(crate) memory: ClBuffer<u8>,
    device: Device,
    len: usize,
}

impl Device {
    /// Open the first device that fits
    pub fn open(preference: &Preference) -> Result<Device, OpenClError> {
        let _guard = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
        let none = || OpenClError::NoDevice { wanted: preference.to_string() };
        let platforms = get_platforms().map_err(|e| match e.0 {
            LIBRARY_NOT_LOADED => OpenClError::NoLibrary,
            PLATFORM_NOT_FOUND => none(),
            _ => OpenClError::from_call("clGetPlatformIDs")(e),
        })?;
        let kind = match preference {
            Preference::Cpu => CL_DEVICE_TYPE_CPU,
            Preference::Gpu => CL_DEVICE_TYPE_GPU,
            Preference::Any | Preference::Spirv | Preference::Named(_) => CL_DEVICE_TYPE_ALL,
        };
        for platform in platforms {
            let ids = match platform.get_devices(kind) {
                Ok(ids) => ids,
                Err(e) if e.0 == DEVICE_NOT_FOUND => continue,
                Err(e) => return Err(OpenClError::from_call("clGetDeviceIDs")(e)),
            };
            let platform = platform.name().unwrap_or_default();
            for device in ids.into_iter().map(ClDevice::new) {
                let info = DeviceInfo::ask(&device, &platform)?;
                if info.fits(preference) {
                    return Device::start(&device, info, None);
                }
            }
        }
        Err(none())
    }

    #[allow(deprecated, reason = "its replacement needs OpenCL 2.0, which PoCL and oclgrind lack")]
    fn start(device: &ClDevice, info: DeviceInfo, part: Option<SubDevice>) -> Result<Device, OpenClError> {
        let context = Context::from_device(device).map_err(OpenClError::from_call("clCreateContext"))?;
        let queue = CommandQueue::create_default(&context, CL_QUEUE_PROFILING_ENABLE)
            .map_err(OpenClError::from_call("clCreateCommandQueue"))?;
        Ok(Device { inner: Arc::new(Inner { queue, context, info, _part: part }) })
    }

    /// Parts of it with as many compute units each, as devices of their own with queues of their own; the device alone where it cannot
    /// be cut
    pub fn split(&self, parts: u32) -> Result<Vec<Device>, OpenClError> {
        let units = self.inner.info.compute_units / parts.max(1);
        let device = ClDevice::new(self.inner.context.default_device());
        let _guard = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
        let cut = match (parts, units) {
            (0 | 1, _) | (_, 0) => return Ok(vec![self.clone()]),
            _ => device.create_sub_devices(&[CL_DEVICE_PARTITION_EQUALLY, units as isize, 0]),
        };
        let Ok(cut) = cut else { return Ok(vec![self.clone()]) };
        let one = |part: SubDevice| {
            let device = ClDevice::new(part.id());
            let info = DeviceInfo::ask(&device, &self.inner.info.platform)?;
            Device::start(&device, info, Some(part))
        };
        cut.into_iter().take(parts as usize).map(one).collect()
    }

    /// What the device is and can do
    pub fn info(&self) -> &DeviceInfo {
        &self.inner.info
    }

    /// Take `len` bytes of the device's memory, content undefined
    pub fn alloc(&self, len: usize) -> Result<DeviceBuffer, OpenClError> {
        // OpenCL has no empty buffers; bytes that nobody reads stand for none. Whole words, because atomic updates of 16 bits
        // exchange the word around the element.
        // SAFETY: no host pointer is handed over, and the flags ask for none.
        let memory = unsafe {
            ClBuffer::create(
                &self.inner.context,
                CL_MEM_READ_WRITE,
                len.max(1).next_multiple_of(4),
                null_mut(),
            )
        };
        let memory = memory.map_err(OpenClError::from_call("clCreateBuffer"))?;
        Ok(DeviceBuffer { memory, device: self.clone(), len })
    }

    /// Take memory and fill it with these bytes
    pub fn upload(&self, bytes: &[u8]) -> Result<DeviceBuffer, OpenClError> {
        let mut buffer = self.alloc(bytes.len())?;
        buffer.write(bytes)?;
        Ok(buffer)
    }
}

impl DeviceInfo {
    fn ask(device: &ClDevice, platform: &str) -> Result<DeviceInfo, OpenClError> {
        let failed = OpenClError::from_call("clGetDeviceInfo");
        let extensions = device.extensions().map_err(&failed)?;
        let mut extensions: Vec<String> = extensions.split_whitespace().map(str::to_string).collect();
        extensions.sort_unstable();
        let has = |name: &str| extensions.iter().any(|e| e == name);
        let sizes = device.max_work_item_sizes().map_err(&failed)?;
        let floats = device.single_fp_config().map_err(&failed)?;
        Ok(DeviceInfo {
            name: device.name().map_err(&failed)?.trim().to_string(),
            platform: platform.trim().to_string(),
            language: device.opencl_c_version().map_err(&failed)?.trim().to_string(),
            compute_units: device.max_compute_units().map_err(&failed)?,
            max_group: device.max_work_group_size().map_err(&failed)? as u64,
            max_group_sizes: sizes.into_iter().map(|s| s as u64).collect(),
            local_memory: device.local_mem_size().map_err(&failed)?,
            global_memory: device.global_mem_size().map_err(&failed)?,
            max_buffer: device.max_mem_alloc_size().map_err(&failed)?,
            fp64: has("cl_khr_fp64"),
            fp16: has("cl_khr_fp16"),
            subnormals: floats & CL_FP_DENORM != 0,
            rounded_quotients: floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0,
            atomics64: has("cl_khr_int64_base_atomics") && has("cl_khr_int64_extended_atomics"),
            float_atomics: has("cl_ext_float_atomics"),
            // A driver that takes none may not know the question.
            spirv: device.il_version().unwrap_or_default().trim().to_string(),
            extensions,
        })
    }

    /// Why f32 may have other bits here than on other devices
    pub fn differs(&self) -> Option<&'static str> {
        match (self.subnormals, self.rounded_quotients) {
            (false, _) => Some("flushes subnormal numbers to zero"),
            (true, false) => Some("does not round quotients and square roots correctly"),
            (true, true) => None,
        }
    }

    fn fits(&self, preference: &Preference) -> bool {
        let part = match preference {
            Preference::Spirv => return self.spirv.contains("SPIR-V"),
            Preference::Named(part) => part,
            _ => return true,
        };
        let part = part.to_lowercase();
        self.name.to_lowercase().contains(&part) || self.platform.to_lowercase().contains(&part)
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
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), OpenClError> {
        self.check(bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        let queue = &self.device.inner.queue;
        // SAFETY: the call blocks, so `bytes` outlives it, and both sides have the same length.
        unsafe { queue.enqueue_write_buffer(&mut self.memory, CL_BLOCKING, 0, bytes, &[]) }
            .map_err(OpenClError::from_call("clEnqueueWriteBuffer"))?;
        Ok(())
    }

    /// Read all bytes
    pub fn read(&self, bytes: &mut [u8]) -> Result<(), OpenClError> {
        self.check(bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        let queue = &self.device.inner.queue;
        // SAFETY: the call blocks, so `bytes` outlives it, and both sides have the same length.
        unsafe { queue.enqueue_read_buffer(&self.memory, CL_BLOCKING, 0, bytes, &[]) }
            .map_err(OpenClError::from_call("clEnqueueReadBuffer"))?;
        Ok(())
    }

    /// Overwrite all bytes with those of another buffer of this device
    pub fn copy_from(&mut self, source: &DeviceBuffer) -> Result<(), OpenClError> {
        self.check(source.len)?;
        if self.len == 0 {
            return Ok(());
        }
        let queue = &self.device.inner.queue;
        // SAFETY: both buffers have `len` bytes and differ, as one is borrowed uniquely.
        let event =
            unsafe { queue.enqueue_copy_buffer(&source.memory, &mut self.memory, 0, 0, self.len, &[]) };
        event.and_then(|e| e.wait()).map_err(OpenClError::from_call("clEnqueueCopyBuffer"))
    }

    /// Repeat a pattern of 1, 2, 4, 8 or 16 bytes; the length must be a multiple of it
    pub fn fill(&mut self, pattern: &[u8]) -> Result<(), OpenClError> {
        if !matches!(pattern.len(), 1 | 2 | 4 | 8 | 16) || !self.len.is_multiple_of(pattern.len()) {
            return Err(OpenClError::Size { held: self.len, given: pattern.len() });
        }
        if self.len == 0 {
            return Ok(());
        }
        let queue = &self.device.inner.queue;
        // SAFETY: offset and length are multiples of the pattern; the call copies the pattern.
        let event = unsafe { queue.enqueue_fill_buffer(&mut self.memory, pattern, 0, self.len, &[]) };
        event.and_then(|e| e.wait()).map_err(OpenClError::from_call("clEnqueueFillBuffer"))
    }

    fn check(&self, given: usize) -> Result<(), OpenClError> {
        if given == self.len { Ok(()) } else { Err(OpenClError::Size { held: self.len, given }) }
    }
}
