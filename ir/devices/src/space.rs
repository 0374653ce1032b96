//! Memory spaces: which levels may share a buffer.

use crate::level::Levels;

/// A kind of memory
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// No space, or a cache of the host: sharing comes from the buffer's position
    Main,
    /// Registers of one thread
    Private,
    /// Memory of a block
    Shared,
    /// Memory of a cluster of blocks
    Cluster,
    /// Memory of a device
    Device,
    /// Memory on an FPGA's chip
    Chip,
}

impl Space {
    /// Levels whose iterations may use one buffer together
    pub const fn sharers(self) -> Levels {
        let thread = Levels::SEQUENTIAL.or(Levels::VECTOR);
        let block = thread.or(Levels::LANE).or(Levels::THREAD).or(Levels::WARP);
        let cluster = block.or(Levels::BLOCK).or(Levels::GLOBAL);
        match self {
            Space::Main => thread.or(Levels::TASK).or(Levels::DEVICE).or(Levels::PE),
            Space::Private => thread.or(Levels::MMA),
            Space::Shared => block.or(Levels::MMA),
            Space::Cluster => cluster,
            Space::Device => cluster.or(Levels::MMA).or(Levels::CLUSTER),
            Space::Chip => thread.or(Levels::PE),
        }
    }

    /// As messages say it
    pub const fn name(self) -> &'static str {
        match self {
            Space::Main => "main memory",
            Space::Private => "registers",
            Space::Shared => "a block's shared memory",
            Space::Cluster => "a cluster's memory",
            Space::Device => "device memory",
            Space::Chip => "on-chip memory",
        }
    }
}
