//! Modules and their kernels: loading, limits, launches.
//!
//! A launch is put into the device's one queue; [`Running::wait`] waits for its end. So kernels of one device run one
//! after the other, and those of several devices at the same time.
#![allow(unsafe_code)]

use crate::limits::BeyondLimit;
use crate::{CudaError, Device, DeviceBuffer, Ptx};
use cudarc::driver::sys::{self, CUevent_flags, CUfunction_attribute_enum as Attribute, CUjit_option};
use cudarc::driver::{CudaEvent, result};
use std::ffi::{CStr, CString, c_void};
use std::sync::Arc;
use std::time::Duration;
use terrace_runtime_buffers::Arg;

/// Shared memory that a block has without asking
const PLAIN_SHARED: u64 = 48 << 10;

/// Bytes for what the driver has to say of PTX that it refuses
const LOG: usize = 8 << 10;

/// A loaded program
#[derive(Clone)]
pub struct Module {
    loaded: Arc<Loaded>,
}

/// A module in the driver's hands
struct Loaded {
    module: sys::CUmodule,
    device: Device,
}

// SAFETY: the driver's calls may come from any thread; before each the context is bound to it.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

impl Drop for Loaded {
    fn drop(&mut self) {
        if self.device.bind().is_ok() {
            // SAFETY: the module was loaded in this context and has no other owner.
            let _ = unsafe { result::module::unload(self.module) };
        }
    }
}

/// What a kernel takes of the device, by the driver's account
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// Registers of a thread
    pub registers: u32,
    /// Bytes of shared memory that the text declares
    pub shared: u64,
    /// Threads that a block of it may have, because of its registers
    pub most_threads: u64,
}

/// One kernel of a module
pub struct Kernel {
    function: sys::CUfunction,
    name: String,
    needs: Needs,
    /// It must not be unloaded before this
    loaded: Arc<Loaded>,
}

// SAFETY: as for `Loaded`.
unsafe impl Send for Kernel {}
// SAFETY: as for `Loaded`.
unsafe impl Sync for Kernel {}

/// A launch under way
#[must_use = "errors of a launch show when it is waited for"]
pub struct Running {
    kernel: String,
    /// None where nothing was to be done
    events: Option<(CudaEvent, CudaEvent)>,
}

impl Device {
    /// Load PTX; the driver compiles it for this device, and says the line of what it does not take
    ///
    /// A driver knows PTX up to a version, and refuses newer text; [`Device::load_binary`] has no such limit.
    pub fn load(&self, ptx: &Ptx) -> Result<Module, CudaError> {
        let text = CString::new(ptx.text.as_str()).map_err(|_| CudaError::Nul { what: "the PTX" })?;
        self.load_image(text.as_bytes_with_nul())
    }

    /// Load machine code, made for this kind of device
    pub fn load_binary(&self, code: &[u8]) -> Result<Module, CudaError> {
        // The driver takes the length from the headers; what is no ELF file at all it would read as PTX.
        if !code.starts_with(b"\x7fELF") {
            return Err(CudaError::Compile { log: "this is no machine code for CUDA".into() });
        }
        self.load_image(code)
    }

    fn load_image(&self, image: &[u8]) -> Result<Module, CudaError> {
        self.bind()?;
        let mut log = vec![0u8; LOG];
        let mut options =
            [CUjit_option::CU_JIT_ERROR_LOG_BUFFER, CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        // The second value is a number in the place of a pointer: so the driver wants it.
        let mut values = [log.as_mut_ptr().cast::<c_void>(), LOG as *mut c_void];
        let mut module = std::ptr::null_mut();
        // SAFETY: the context is bound; the image ends in a NUL or is an ELF file, which says its own length; options and
        // values are two each, and the log has the length that is said. All live until the call returns.
        let done = unsafe {
            sys::cuModuleLoadDataEx(
                &mut module,
                image.as_ptr().cast(),
                2,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        done.result().map_err(|error| {
            let said = CStr::from_bytes_until_nul(&log).map(|log| log.to_string_lossy().trim().to_owned());
            let plain = CudaError::from_driver("cuModuleLoadDataEx")(error);
            match (said, plain) {
                (Ok(said), CudaError::Call { call, code }) if !said.is_empty() => {
                    CudaError::Call { call, code: format!("{code}\n{said}") }
                }
                (_, plain) => plain,
            }
        })?;
        Ok(Module { loaded: Arc::new(Loaded { module, device: self.clone() }) })
    }
}

impl Module {
    /// The kernel of this name
    pub fn kernel(&self, name: &str) -> Result<Kernel, CudaError> {
        let text = CString::new(name).map_err(|_| CudaError::Nul { what: "the kernel's name" })?;
        self.loaded.device.bind()?;
        // SAFETY: the module is loaded, and stays so as long as the kernel lives.
        let function = unsafe { result::module::get_function(self.loaded.module, text) };
        let function = function.map_err(|e| match e.0 {
            sys::CUresult::CUDA_ERROR_NOT_FOUND => {
                CudaError::Launch { kernel: name.into(), reason: "the module has no such kernel".into() }
            }
            _ => CudaError::from_driver("cuModuleGetFunction")(e),
        })?;
        let number = |attribute| {
            // SAFETY: the function was found in a loaded module of the bound context.
            let number = unsafe { result::function::get_function_attribute(function, attribute) };
            number.map(|n| n.max(0) as u32).map_err(CudaError::from_driver("cuFuncGetAttribute"))
        };
        let needs = Needs {
            registers: number(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            shared: number(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?.into(),
            most_threads: number(Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?.into(),
        };
        Ok(Kernel { function, name: name.into(), needs, loaded: self.loaded.clone() })
    }
}

/// Three sizes as the driver call takes them
type Sizes = (u32, u32, u32);

impl Kernel {
    /// What it takes of the device
    pub fn needs(&self) -> Needs {
        self.needs
    }

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
        args: &[Arg<'_, DeviceBuffer>],
    ) -> Result<Duration, CudaError> {
        // SAFETY: by the caller's promise; the buffers are borrowed until the end of the wait.
        unsafe { self.start(grid, block, shared, args) }?.wait()
    }

    /// The same, without waiting
    ///
    /// # Safety
    /// As for [`Kernel::launch`]; and the buffers must live until the launch has been waited for.
    pub unsafe fn start(
        &self,
        grid: [u64; 3],
        block: [u64; 3],
        shared: u64,
        args: &[Arg<'_, DeviceBuffer>],
    ) -> Result<Running, CudaError> {
        let (grid, block, shared) = self.check(grid, block, shared)?;
        if [grid.0, grid.1, grid.2].contains(&0) {
            return Ok(Running { kernel: self.name.clone(), events: None });
        }
        let device = &self.loaded.device;
        device.bind()?;
        self.allow_shared(shared)?;
        let stream = &device.stream;
        let event = || {
            let flags = Some(CUevent_flags::CU_EVENT_DEFAULT);
            stream.record_event(flags).map_err(CudaError::from_driver("cuEventRecord"))
        };
        // Each value in memory of its own, and pointers to them, as the driver wants it.
        let values: Vec<u64> = args.iter().map(|arg| self.word(arg)).collect::<Result<_, _>>()?;
        let mut params: Vec<*mut c_void> =
            values.iter().map(|v| std::ptr::from_ref(v).cast_mut().cast()).collect();
        let start = event()?;
        // SAFETY: the driver copies the parameters from `values`, which are alive, before it returns;
        // that they fit the kernel is the caller's promise.
        unsafe { result::launch_kernel(self.function, grid, block, shared, stream.cu_stream(), &mut params) }
            .map_err(|error| self.refuse(CudaError::from_driver("cuLaunchKernel")(error).to_string()))?;
        let end = event()?;
        Ok(Running { kernel: self.name.clone(), events: Some((start, end)) })
    }

    /// An argument as the driver reads it: as many bytes of a word as the parameter has
    fn word(&self, arg: &Arg<'_, DeviceBuffer>) -> Result<u64, CudaError> {
        let at = match arg {
            Arg::Buffer(buffer) => Some(buffer.at),
            number => number.word(),
        };
        at.ok_or_else(|| {
            self.refuse(format!("an argument is {}, which CUDA's launches say beside them", arg.kind()))
        })
    }

    fn refuse(&self, reason: String) -> CudaError {
        CudaError::Launch { kernel: self.name.clone(), reason }
    }

    /// Compare a launch with the limits of device and kernel
    fn check(&self, grid: [u64; 3], block: [u64; 3], shared: u64) -> Result<(Sizes, Sizes, u32), CudaError> {
        check(self.loaded.device.info(), &self.needs, grid, block, shared)
            .map_err(|beyond| self.refuse(beyond.to_string()))
    }

    /// Beyond 48 KiB, those of the text counted in, a kernel must say so before its launch
    fn allow_shared(&self, shared: u32) -> Result<(), CudaError> {
        if shared == 0 || u64::from(shared) + self.needs.shared <= PLAIN_SHARED {
            return Ok(());
        }
        let attribute = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function is one of a loaded module of the bound context.
        unsafe { result::function::set_function_attribute(self.function, attribute, shared as i32) }
            .map_err(CudaError::from_driver("cuFuncSetAttribute"))
    }
}

/// Compare a launch with limits; the first one that it goes beyond
fn check(
    info: &crate::DeviceInfo,
    needs: &Needs,
    grid: [u64; 3],
    block: [u64; 3],
    shared: u64,
) -> Result<(Sizes, Sizes, u32), BeyondLimit> {
    let threads = block.iter().try_fold(1u64, |n, &b| n.checked_mul(b)).unwrap_or(u64::MAX);
    if threads == 0 || threads > info.max_block {
        return Err(BeyondLimit::Threads { block, most: info.max_block });
    }
    if threads > needs.most_threads {
        let (most, registers) = (needs.most_threads, needs.registers);
        return Err(BeyondLimit::Registers { block, registers, most });
    }
    for dim in 0..3 {
        let (size, most) = (block[dim], info.max_block_sizes[dim]);
        if size > most {
            return Err(BeyondLimit::Block { size, dim, most });
        }
        let (size, most) = (grid[dim], info.max_grid_sizes[dim]);
        if size > most {
            return Err(BeyondLimit::Grid { size, dim, most });
        }
    }
    let bytes = shared.saturating_add(needs.shared);
    if bytes > info.shared_memory {
        return Err(BeyondLimit::Shared { bytes, own: needs.shared, most: info.shared_memory });
    }
    // All are below limits that came from the driver as 32-bit numbers.
    let narrow = |v: [u64; 3]| (v[0] as u32, v[1] as u32, v[2] as u32);
    Ok((narrow(grid), narrow(block), shared as u32))
}

impl Running {
    /// Wait for the end; the device's own time
    pub fn wait(self) -> Result<Duration, CudaError> {
        let Some((start, end)) = self.events else { return Ok(Duration::ZERO) };
        // What a kernel did wrong shows here.
        let failed = |error| CudaError::Launch {
            kernel: self.kernel.clone(),
            reason: CudaError::from_driver("cuEventSynchronize")(error).to_string(),
        };
        end.synchronize().map_err(failed)?;
        let milliseconds = start.elapsed_ms(&end).map_err(CudaError::from_driver("cuEventElapsedTime"))?;
        Ok(Duration::from_secs_f64(f64::from(milliseconds.max(0.0)) / 1e3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn h100() -> crate::DeviceInfo {
        crate::DeviceInfo {
            name: "H100".into(),
            capability: (9, 0),
            multiprocessors: 132,
            warp: 32,
            max_block: 1024,
            max_block_sizes: [1024, 1024, 64],
            max_grid_sizes: [i32::MAX as u64, 65535, 65535],
            shared_memory: 232_448,
            registers: 65536,
            global_memory: 80 << 30,
        }
    }

    #[test]
    fn limits_of_device_and_kernel() {
        let needs = Needs { registers: 96, shared: 40 << 10, most_threads: 640 };
        let check = |grid, block, shared| check(&h100(), &needs, grid, block, shared);
        assert_eq!(check([7, 2, 1], [64, 4, 2], 1 << 10), Ok(((7, 2, 1), (64, 4, 2), 1 << 10)));
        let wrong = |grid, block, shared| check(grid, block, shared).expect_err("beyond a limit").to_string();
        assert_eq!(wrong([1; 3], [2048, 1, 1], 0), "a block of 2048×1×1 threads; the device takes 1 to 1024");
        assert_eq!(wrong([1; 3], [1, 0, 1], 0), "a block of 1×0×1 threads; the device takes 1 to 1024");
        assert_eq!(
            wrong([1; 3], [1024, 1, 1], 0),
            "a block of 1024×1×1 threads; with 96 registers each the device takes 640 of this kernel"
        );
        assert_eq!(wrong([1; 3], [1, 1, 128], 0), "a block of 128 in dimension 2; the device takes 64");
        assert_eq!(
            wrong([1, 1 << 16, 1], [1; 3], 0),
            "a grid of 65536 in dimension 1; the device takes 65535"
        );
        assert_eq!(
            wrong([1; 3], [1; 3], 200 << 10),
            "245760 bytes of shared memory, 40960 of them in the text; the device takes 232448"
        );
    }
}
