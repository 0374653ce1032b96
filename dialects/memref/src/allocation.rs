//! Ops that allocate a buffer, of this dialect and of others.

use super::{Alloc, Alloca};
use terrace_ir::interface::Interface;

/// Table behind [`Allocation`]
pub struct AllocationTable {
    /// The operand field with the sizes that the type of the buffer leaves open
    pub dynamic_sizes: usize,
}

/// `interfaces(terrace_dialect_memref::Allocation)`: the op allocates the buffer that it returns
pub trait Allocation {
    /// The operand field with the sizes that the type of the buffer leaves open
    const DYNAMIC_SIZES: usize;
    /// Entry for the op's definition
    const ENTRY: Interface =
        Interface::new(const { &AllocationTable { dynamic_sizes: Self::DYNAMIC_SIZES } });
}

impl Allocation for Alloc {
    const DYNAMIC_SIZES: usize = 0;
}

impl Allocation for Alloca {
    const DYNAMIC_SIZES: usize = 0;
}
