//! Automatic schedules: every field left open (paper, §5.6).
//!
//! The number of steps is the target's: one for each layer of cores, then one for each region of memory. For CUDA these are the
//! paper's 3 + 3 with blocks, warps and threads, and device, shared and private memory; OpenCL has no warps, a processor has
//! threads and caches, then a step for registers, one that unrolls and one for lanes.

use terrace_devices::{Device, DeviceKind};
use terrace_schedule_model::{OpenSchedule, OpenStep};

/// Steps of an automatic schedule for a device: layers of cores, regions of memory
pub fn steps(device: &Device) -> (usize, usize) {
    match device.kind {
        DeviceKind::Grid if device.warp > 1 => (3, 3),
        DeviceKind::Grid => (2, 3),
        DeviceKind::Host if device.vector_bytes > 0 => (1, device.memories.len() + 3),
        DeviceKind::Host => (1, device.memories.len()),
    }
}

/// All open, for so many dimensions, input buffers and outputs
pub fn auto(device: &Device, dims: usize, ins: usize, outs: usize) -> OpenSchedule {
    let (cores, memories) = steps(device);
    OpenSchedule { steps: vec![OpenStep::open(dims, ins, outs); cores + memories] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuda_has_three_and_three() {
        let device = Device::find("cuda").expect("a device");
        assert_eq!(steps(&device), (3, 3));
        let text = auto(&device, 3, 2, 1).to_string();
        assert_eq!(text, "?: (?,?,?) (?,? ; ?) (?,?,?)\n".repeat(6));
    }
}
