//! The time of a kernel on a grid of multiprocessors, term by term, without running it.
//!
//! For ranking schedules of one computation; absolute times may be wrong by a factor of two. Counts are those of one warp and
//! block:
//!
//! - [`requests`]: what the lanes of a warp access together: wavefronts of shared memory, sectors and lines of device memory;
//! - [`counts`]: instructions, requests, barriers and exposed rounds of a warp, registers of a thread, shared bytes of a block;
//! - `updates`: atomic updates of one element by several blocks, and the launches that start outputs;
//! - [`occupancy`]: blocks that a multiprocessor holds, and what limits them;
//! - [`time`]: the pipes of a multiprocessor against latency and memory;
//! - [`report`]: the table.
//!
//! Not seen: hits of the first cache, so that traffic of the second is an upper bound; instruction caches; bounds of loops.

mod copies;
pub mod counts;
pub mod kernel;
pub mod occupancy;
mod report;
pub mod requests;
pub mod time;
mod updates;
mod widths;

pub use kernel::Counts;
pub use occupancy::{Limit, Occupancy};
pub use time::{Term, TermName};

use crate::bodies::Bodies;
use terrace_devices::{Device, DeviceKind};
use terrace_schedule_model::nest::{Launch, Nest};
use terrace_schedule_model::nest_decided::{Decided, Values};

/// A kernel and how long it takes
#[derive(Clone, PartialEq, Debug)]
pub struct KernelEstimate {
    /// Blocks
    pub blocks: i64,
    /// Threads of a block
    pub threads: i64,
    /// Counts of one warp
    pub counts: Counts,
    /// Blocks of a multiprocessor
    pub occupancy: Occupancy,
    /// What takes time
    pub terms: Vec<Term>,
    /// Sets of blocks that fill the device, one after the other
    pub waves: f64,
    /// Share of multiprocessors that the last set of blocks keeps busy
    pub tail: f64,
    /// Seconds in all
    pub seconds: f64,
}

/// Why a kernel has no estimate
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoEstimate {
    /// The device has no grid
    Device,
    /// There is not exactly one kernel
    Kernels,
    /// A level or a size is open
    Open,
    /// A block alone needs more than a multiprocessor has
    TooLarge,
}

/// The time of a nest that is one kernel
pub fn kernel(nest: &Nest, bodies: &Bodies, device: &Device) -> Result<KernelEstimate, NoEstimate> {
    if device.kind != DeviceKind::Grid {
        return Err(NoEstimate::Device);
    }
    let mut launches = nest.launches.iter();
    let (Some(launch), None) = (launches.next(), launches.next()) else { return Err(NoEstimate::Kernels) };
    let values = Values::of(nest).ok_or(NoEstimate::Open)?;
    let counts = Counts::of(Decided::new(nest, &values), bodies, launch, device);
    of_counts(counts, blocks(launch), launch.threads(), device)
}

/// The time of a kernel with these counts
pub fn of_counts(
    counts: Counts,
    blocks: i64,
    threads: i64,
    device: &Device,
) -> Result<KernelEstimate, NoEstimate> {
    let occupancy =
        Occupancy::of(threads, counts.registers, counts.shared_bytes, device).ok_or(NoEstimate::TooLarge)?;
    let on_fullest = (blocks.max(1) as u64).div_ceil(device.units.max(1) as u64) as f64;
    let (terms, seconds) = time::terms(&counts, blocks as f64, threads, &occupancy, device);
    Ok(KernelEstimate {
        blocks,
        threads,
        waves: blocks as f64 / (device.units * occupancy.blocks) as f64,
        tail: blocks as f64 / (device.units as f64 * on_fullest),
        counts,
        occupancy,
        terms,
        seconds,
    })
}

fn blocks(launch: &Launch) -> i64 {
    launch.grid.iter().fold(1i64, |all, size| all.saturating_mul(*size)).max(1)
}
