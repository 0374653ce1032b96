//! Which limit of a device or of a kernel a launch goes beyond

use std::fmt;

/// What a launch has too much of
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BeyondLimit {
    /// Threads per block, or none at all, on this device
    Threads {
        /// Sizes of the block
        block: [u64; 3],
        /// Limit of the device
        most: u64,
    },
    /// Threads per block, with the registers that the kernel needs
    Registers {
        /// Sizes of the block
        block: [u64; 3],
        /// Registers per thread
        registers: u32,
        /// Limit of the kernel
        most: u64,
    },
    /// One size of the block
    Block {
        /// Size
        size: u64,
        /// Its dimension
        dim: usize,
        /// Limit of the device
        most: u64,
    },
    /// One size of the grid
    Grid {
        /// Size
        size: u64,
        /// Its dimension
        dim: usize,
        /// Limit of the device
        most: u64,
    },
    /// Shared memory of a block
    Shared {
        /// Bytes in all
        bytes: u64,
        /// Bytes of them that the text declares
        own: u64,
        /// Limit of the device
        most: u64,
    },
}

impl fmt::Display for BeyondLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Threads { block: [x, y, z], most } => {
                write!(f, "a block of {x}×{y}×{z} threads; the device takes 1 to {most}")
            }
            Self::Registers { block: [x, y, z], registers, most } => write!(
                f,
                "a block of {x}×{y}×{z} threads; with {registers} registers each the device takes {most} of this kernel"
            ),
            Self::Block { size, dim, most } => {
                write!(f, "a block of {size} in dimension {dim}; the device takes {most}")
            }
            Self::Grid { size, dim, most } => {
                write!(f, "a grid of {size} in dimension {dim}; the device takes {most}")
            }
            Self::Shared { bytes, own, most } => {
                write!(
                    f,
                    "{bytes} bytes of shared memory, {own} of them in the text; the device takes {most}"
                )
            }
        }
    }
}

impl std::error::Error for BeyondLimit {}
