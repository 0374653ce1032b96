//! Programs, kernels and launching
#![allow(unsafe_code)]

use crate::{Device, DeviceBuffer, OpenClError};
use opencl3::event::Event;
use opencl3::kernel::{CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_ADDRESS_PRIVATE, Kernel as ClKernel};
use opencl3::memory::ClMem;
use opencl3::program::Program as ClProgram;
use std::ptr::null;
use std::time::Duration;
use terrace_runtime_buffers::Arg;

/// A compiled program
pub struct Program {
    program: ClProgram,
    device: Device,
}

/// One kernel of a program
pub struct Kernel {
    kernel: ClKernel,
    name: String,
    /// The address space of each parameter, where the driver tells it
    params: Vec<Option<u32>>,
    device: Device,
}

/// A launch under way
#[must_use = "errors of a launch show when it is waited for"]
pub struct Running {
    /// None where nothing was to be done
    event: Option<Event>,
}

impl Program {
    /// Load SPIR-V and compile it; a failure has the compiler's log
    pub fn from_il(device: &Device, il: &[u8]) -> Result<Program, OpenClError> {
        let made = ClProgram::create_from_il(&device.inner.context, il);
        Program::compile(device, made.map_err(OpenClError::from_call("clCreateProgramWithIL"))?, "")
    }

    /// Compile OpenCL C; a failure has the compiler's log
    pub fn build(device: &Device, source: &str, options: &str) -> Result<Program, OpenClError> {
        if source.contains('\0') {
            return Err(OpenClError::Nul { what: "the source" });
        }
        if options.contains('\0') {
            return Err(OpenClError::Nul { what: "the build options" });
        }
        let context = &device.inner.context;
        let program = ClProgram::create_from_source(context, source)
            .map_err(OpenClError::from_call("clCreateProgramWithSource"))?;
        Program::compile(device, program, options)
    }

    fn compile(device: &Device, mut program: ClProgram, options: &str) -> Result<Program, OpenClError> {
        let context = &device.inner.context;
        // Launching asks the kernel for the kinds of its parameters.
        let options = format!("-cl-kernel-arg-info {options}");
        if let Err(error) = program.build(context.devices(), &options) {
            let log = program.get_build_log(context.default_device()).unwrap_or_default();
            return Err(match log.trim() {
                "" => OpenClError::Build { log: error.to_string() },
                log => OpenClError::Build { log: log.to_string() },
            });
        }
        Ok(Program { program, device: device.clone() })
    }

    /// The names of its kernels, sorted
    pub fn kernel_names(&self) -> Vec<String> {
        let names = self.program.kernel_names().split(';').map(|n| n.trim().to_string());
        let mut names: Vec<String> = names.filter(|n| !n.is_empty()).collect();
        names.sort_unstable();
        names
    }

    /// The kernel of this name
    pub fn kernel(&self, name: &str) -> Result<Kernel, OpenClError> {
        // Asking first keeps drivers from what they do with names that they do not know.
        let names = self.kernel_names();
        if !names.iter().any(|n| n == name) {
            let reason = format!("the program has no such kernel, only {}", names.join(", "));
            return Err(OpenClError::Launch { kernel: name.into(), reason });
        }
        let kernel =
            ClKernel::create(&self.program, name).map_err(OpenClError::from_call("clCreateKernel"))?;
        let count = kernel.num_args().map_err(OpenClError::from_call("clGetKernelInfo"))?;
        let params = (0..count).map(|i| kernel.get_arg_address_qualifier(i).ok()).collect();
        Ok(Kernel { kernel, name: name.into(), params, device: self.device.clone() })
    }
}

impl Kernel {
    /// Run `grid` groups of `block` work items and wait; the device's own time
    ///
    /// An empty grid runs nothing and takes no time.
    ///
    /// # Safety
    /// The kernel must stay within the buffers it is given: on a CPU it runs in this process.
    pub unsafe fn launch(
        &mut self,
        grid: [u64; 3],
        block: [u64; 3],
        args: &[Arg<'_, DeviceBuffer>],
    ) -> Result<Duration, OpenClError> {
        // SAFETY: the caller's promise; the buffers are borrowed until the end of the wait.
        unsafe { self.start(grid, block, args) }?.wait()
    }

    /// The same, without waiting
    ///
    /// # Safety
    /// As for [`Kernel::launch`]; and the buffers must live until the launch has been waited for.
    pub unsafe fn start(
        &mut self,
        grid: [u64; 3],
        block: [u64; 3],
        args: &[Arg<'_, DeviceBuffer>],
    ) -> Result<Running, OpenClError> {
        let global = self.global_size(grid, block)?;
        self.check_args(args)?;
        for (i, arg) in args.iter().enumerate() {
            // SAFETY: index and kind were compared with the kernel's parameters; a scalar of the
            // wrong size is refused by the driver.
            unsafe { self.set(i as u32, *arg) }.map_err(|e| {
                let reason = format!("argument {i} ({}) is refused: {e}", arg.kind());
                OpenClError::Launch { kernel: self.name.clone(), reason }
            })?;
        }
        if grid.contains(&0) {
            return Ok(Running { event: None });
        }
        let local = block.map(|b| b as usize);
        let queue = &self.device.inner.queue;
        // SAFETY: both size arrays have the three dimensions that are announced; all arguments are
        // set, and what the kernel does with them is the caller's promise.
        let event = unsafe {
            queue.enqueue_nd_range_kernel(self.kernel.get(), 3, null(), global.as_ptr(), local.as_ptr(), &[])
        };
        let event = event.map_err(OpenClError::from_call("clEnqueueNDRangeKernel"))?;
        // It begins now, not when somebody waits.
        queue.flush().map_err(OpenClError::from_call("clFlush"))?;
        Ok(Running { event: Some(event) })
    }

    /// The work items per dimension, after a look at the device's limits
    fn global_size(&self, grid: [u64; 3], block: [u64; 3]) -> Result<[usize; 3], OpenClError> {
        let refuse = |reason: String| OpenClError::Launch { kernel: self.name.clone(), reason };
        let info = &self.device.inner.info;
        let items = block.iter().try_fold(1u64, |n, &b| n.checked_mul(b)).unwrap_or(u64::MAX);
        if items == 0 || items > info.max_group {
            let [x, y, z] = block;
            let most = info.max_group;
            return Err(refuse(format!("a group of {x}×{y}×{z} work items; the device takes 1 to {most}")));
        }
        for (dimension, (&b, &most)) in block.iter().zip(&info.max_group_sizes).enumerate() {
            if b > most {
                let reason = format!("a group of {b} in dimension {dimension}; the device takes {most}");
                return Err(refuse(reason));
            }
        }
        let mut global = [0; 3];
        for d in 0..3 {
            let size = grid[d].checked_mul(block[d]).and_then(|n| usize::try_from(n).ok());
            global[d] = size.ok_or_else(|| refuse(format!("too many groups in dimension {d}")))?;
        }
        Ok(global)
    }

    fn check_args(&self, args: &[Arg<'_, DeviceBuffer>]) -> Result<(), OpenClError> {
        let refuse = |reason: String| Err(OpenClError::Launch { kernel: self.name.clone(), reason });
        if args.len() != self.params.len() {
            return refuse(format!("it has {} parameters, but {} are given", self.params.len(), args.len()));
        }
        for (i, (arg, param)) in args.iter().zip(&self.params).enumerate() {
            let Some(space) = *param else { continue };
            let wanted = match space {
                CL_KERNEL_ARG_ADDRESS_PRIVATE => "a number",
                CL_KERNEL_ARG_ADDRESS_LOCAL => "local memory",
                _ => "a buffer",
            };
            if wanted != arg.kind() {
                return refuse(format!("argument {i} is {}, but the kernel has {wanted}", arg.kind()));
            }
        }
        Ok(())
    }

    /// # Safety
    /// `arg` must be of the kind of parameter `i`.
    unsafe fn set(&self, i: u32, arg: Arg<'_, DeviceBuffer>) -> opencl3::Result<()> {
        // SAFETY: the caller's promise; each call copies the value before it returns.
        unsafe {
            match arg {
                Arg::Buffer(buffer) => self.kernel.set_arg(i, &buffer.memory.get()),
                Arg::I8(v) => self.kernel.set_arg(i, &v),
                Arg::I16(v) => self.kernel.set_arg(i, &v),
                Arg::I32(v) => self.kernel.set_arg(i, &v),
                Arg::I64(v) => self.kernel.set_arg(i, &v),
                Arg::F32(v) => self.kernel.set_arg(i, &v),
                Arg::F64(v) => self.kernel.set_arg(i, &v),
                Arg::Local(bytes) => self.kernel.set_arg_local_buffer(i, bytes),
            }
        }
    }
}

impl Running {
    /// Wait for the end; the device's own time
    pub fn wait(self) -> Result<Duration, OpenClError> {
        let Some(event) = self.event else { return Ok(Duration::ZERO) };
        event.wait().map_err(OpenClError::from_call("clWaitForEvents"))?;
        let failed = OpenClError::from_call("clGetEventProfilingInfo");
        let start = event.profiling_command_start().map_err(&failed)?;
        let end = event.profiling_command_end().map_err(&failed)?;
        Ok(Duration::from_nanos(end.saturating_sub(start)))
    }
}
