//! Kernels that run elsewhere: what a host function launches goes to a device instead of being interpreted.
//!
//! Memory stays the interpreter's: a device takes the elements of the buffers that a launch names, and puts back what its
//! kernel left in them.

use crate::memory::Memory;
use crate::trap::Trap;
use crate::value::RtValue;

/// A launch, ready to be done
#[derive(Clone, Copy, Debug)]
pub struct KernelLaunch<'l> {
    /// The kernel, `module::kernel`
    pub kernel: &'l str,
    /// Blocks in x, y, z
    pub grid: [u64; 3],
    /// Threads of each
    pub block: [u64; 3],
    /// Bytes of dynamic shared memory
    pub dynamic: u64,
    /// Arguments of the kernel
    pub args: &'l [RtValue],
}

/// Where kernels run
pub trait Device {
    /// Run a kernel and wait for its end
    fn launch(&mut self, launch: &KernelLaunch<'_>, memory: &mut Memory) -> Result<(), Trap>;
}
