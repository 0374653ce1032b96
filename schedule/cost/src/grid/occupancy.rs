//! Blocks that a multiprocessor holds at a time.

use terrace_devices::Device;

/// Threads of a warp
pub const WARP: i64 = 32;

/// What limits the blocks of a multiprocessor
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Threads
    Threads,
    /// Blocks
    Blocks,
    /// Registers
    Registers,
    /// Shared memory
    Shared,
}

impl Limit {
    /// As tables have it
    pub fn word(self) -> &'static str {
        match self {
            Limit::Threads => "threads",
            Limit::Blocks => "blocks",
            Limit::Registers => "registers",
            Limit::Shared => "shared memory",
        }
    }
}

/// Blocks of a multiprocessor
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupancy {
    /// How many
    pub blocks: i64,
    /// Why no more
    pub limit: Limit,
}

impl Occupancy {
    /// Of blocks of so many threads, registers of a thread, shared bytes; none if one alone does not fit
    pub fn of(threads: i64, registers: i64, shared: i64, device: &Device) -> Option<Occupancy> {
        let grid = &device.costs.grid;
        let warps = (threads.max(1) as u64).div_ceil(WARP as u64) as i64;
        let unit = (grid.register_unit as i64).max(1);
        let of_warp = (registers.max(1) * WARP).unsigned_abs().next_multiple_of(unit.unsigned_abs()) as i64;
        let own = shared + grid.reserved as i64;
        let limits = [
            (grid.threads as i64 / (WARP * warps), Limit::Threads),
            (grid.blocks as i64, Limit::Blocks),
            (grid.registers as i64 / (warps * of_warp), Limit::Registers),
            ((grid.shared_kibibytes * 1024.0) as i64 / own.max(1), Limit::Shared),
        ];
        let (blocks, limit) = limits.into_iter().min_by_key(|(blocks, _)| *blocks)?;
        (blocks > 0).then_some(Occupancy { blocks, limit })
    }
}
