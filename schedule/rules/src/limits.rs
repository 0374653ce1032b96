//! What a device has at most: threads, blocks, bytes.

use terrace_devices::{Device, DeviceKind, Region, Updates};

/// Sizes that no kernel exceeds
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Most threads of a block
    pub block_threads: i64,
    /// Most of them along x, y, z
    pub block_max: [i64; 3],
    /// Most blocks along x, y, z
    pub grid_max: [i64; 3],
    /// Memory of a block; 0: not known
    pub local_bytes: i64,
    /// Memory of a thread; 0: not known
    pub private_bytes: i64,
    /// Atomic updates of its memories
    pub updates: Updates,
}

impl Limits {
    /// What no device exceeds: the verifier's limits
    pub const ANY: Limits = Limits {
        block_threads: 1024,
        block_max: [i64::MAX; 3],
        grid_max: [i64::MAX; 3],
        local_bytes: 227 << 10,
        private_bytes: 0,
        updates: Updates::ANY,
    };

    /// Those of a device with a grid
    pub fn of(device: &Device) -> Option<Limits> {
        (device.kind == DeviceKind::Grid).then(|| Limits {
            block_threads: device.block_threads,
            block_max: device.block_max,
            grid_max: device.grid_max,
            local_bytes: device.bytes(Region::Sm),
            private_bytes: device.private_bytes,
            updates: device.atomics.updates(),
        })
    }
}
