//! Kernels that run elsewhere: what a host function launches goes to a device instead of being interpreted.
//!
//! Memory stays the interpreter's: a device takes the elements of the buffers that a launch names, and puts back what its
//! kernel left in them.

use crate::codes;
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
    /// What follows does not need it: it may still run until it is waited for
    pub asynchronous: bool,
    /// Which of all launches it is, from 1: [`Device::wait_for`] names it by this
    pub number: u64,
}

/// Where kernels run
pub trait Device {
    /// Run a kernel; wait for its end unless it is asynchronous
    fn launch(&mut self, launch: &KernelLaunch<'_>, memory: &mut Memory) -> Result<(), Trap>;

    /// Let kernels run on the device of this number from now on
    fn choose(&mut self, number: u64) -> Result<(), Trap> {
        match number {
            0 => Ok(()),
            _ => {
                Err(Trap::new(&codes::DEVICE, format!("there is no device {number}: there is one, number 0")))
            }
        }
    }

    /// Wait for the launches of these numbers, as far as they still run, and put back what they left; others may go on
    fn wait_for(&mut self, launches: &[u64], memory: &mut Memory) -> Result<(), Trap> {
        let _ = launches;
        self.wait(memory)
    }

    /// Wait for all kernels that still run, on all devices, and put back what they left
    fn wait(&mut self, memory: &mut Memory) -> Result<(), Trap> {
        let _ = memory;
        Ok(())
    }
}
