//! Reductions in parts where a schedule's threads do not fill the device.
//!
//! Blocks cannot wait for each other, so a result is one block's, and a computation of few results is run by few blocks, however long
//! their reductions are. A reduced dimension is cut then ([`crate::parts`]): parts side by side, a second computation joins
//! them. Few long parts: each writes all results once more.
//!
//! Threads propose how many parts there are; the model of kernels compares both kernels with the one of the whole, and with fewer and more parts.

use terrace_devices::{Device, Layer};
use terrace_dialect_mdh::schedule::Schedule;
use terrace_dialect_mdh::view::View;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::grid::LINE;

/// Threads that hide each other's waiting, for each of those that run in step
const HIDE: i64 = 16;

/// Fewest parts that are worth a second launch
const WORTH: i64 = 4;

/// Fewest points of a thread in a part: results are written and read once more for each
const LEAST: i64 = 64;

/// Coordinates that parts are multiples of, where no multiple of the size's divisors is near: tiles of memory stay whole
const UNIT: i64 = 16;

/// Threads that fill a device
pub fn wanted(device: &Device) -> i64 {
    device.units.max(1).saturating_mul(device.warp.max(1)).saturating_mul(HIDE)
}

/// Times as many parts are compared, of those that fill the device
const OTHERS: [(i64, i64); 3] = [(1, 4), (1, 2), (2, 1)];

/// A dimension and how many coordinates of it a part has: what fills the device first, then fewer and more parts
pub fn cuts(a: &Accesses, device: &Device, schedule: &Schedule) -> Vec<(usize, i64)> {
    let Some(cut) = cut(a, device, schedule) else { return Vec::new() };
    let mut all = vec![cut.of(a, cut.parts)];
    let other = |(more, less): (i64, i64)| cut.of(a, (cut.parts.saturating_mul(more) / less).min(cut.most));
    all.extend(OTHERS.into_iter().map(other));
    let mut known: Vec<(usize, i64)> = Vec::new();
    for (dim, step) in all {
        if step < a.sizes[dim] && !known.contains(&(dim, step)) {
            known.push((dim, step));
        }
    }
    known
}

/// A reduced dimension that may be cut
struct Cut {
    dim: usize,
    /// Parts that fill the device
    parts: i64,
    /// Parts that have points enough
    most: i64,
    /// Coordinates that parts are multiples of
    unit: i64,
}

impl Cut {
    /// So many parts, or some fewer
    fn of(&self, a: &Accesses, parts: i64) -> (usize, i64) {
        let size = a.sizes[self.dim];
        let least = (size as u64).div_ceil(parts.max(1) as u64) as i64;
        let whole = (least..=least.saturating_mul(2).min(size / 2))
            .find(|step| size % step == 0 && step % self.unit == 0);
        let divides = || (least..=least.saturating_mul(2).min(size / 2)).find(|step| size % step == 0);
        let around = || (least as u64).next_multiple_of(self.unit as u64) as i64;
        (self.dim, whole.or_else(divides).unwrap_or_else(around))
    }
}

fn cut(a: &Accesses, device: &Device, schedule: &Schedule) -> Option<Cut> {
    if !a.associates || a.prefixes.iter().any(|prefix| *prefix) {
        return None;
    }
    let (blocks, threads) = (trips(a, schedule, Layer::Blk), trips(a, schedule, Layer::Thr));
    let all = |counts: &[i64]| counts.iter().fold(1i64, |all, count| all.saturating_mul(*count)).max(1);
    let there = all(&blocks).saturating_mul(all(&threads));
    let reduced = a.dims(|dim| a.reduced[dim]);
    // Points that a thread takes one after the other.
    let long = reduced.iter().fold(1i64, |all, dim| all.saturating_mul(a.sizes[*dim] / threads[*dim].max(1)));
    let most = long / LEAST;
    let parts = (wanted(device) / there).min(most);
    if parts < WORTH {
        return None;
    }
    // Dimensions along which threads stand are cut only where there is no other that has as many parts.
    let dim = reduced.iter().copied().max_by_key(|dim| {
        let free = threads[*dim] == 1 && !a.conditioned[*dim];
        (free && a.sizes[*dim] >= parts, a.sizes[*dim] / threads[*dim])
    })?;
    let cut = Cut { dim, parts, most, unit: if threads[dim] > 1 { LINE } else { UNIT } };
    (cut.of(a, parts).1 < a.sizes[dim]).then_some(cut)
}

/// The remark about it
pub fn said(view: &View, dim: usize, step: i64, last: bool) -> String {
    let dim = &view.dims[dim];
    format!(
        "`{}` is reduced in {} parts side by side, since the threads of all results do not fill the device; {} joins them",
        dim.name,
        (dim.size as u64).div_ceil(step.max(1) as u64),
        if last { "the last block" } else { "a second computation" }
    )
}

/// Iterations of each dimension at a layer
fn trips(a: &Accesses, schedule: &Schedule, layer: Layer) -> Vec<i64> {
    let mut sizes = a.sizes.clone();
    let mut counts = vec![1i64; sizes.len()];
    for step in &schedule.steps {
        for (dim, size) in step.sizes.iter().enumerate() {
            let Some(tile) = size.value else { continue };
            let count = (sizes[dim].max(1) as u64).div_ceil(tile.max(1) as u64) as i64;
            if matches!(&step.cores[dim], Some(core) if core.layer == layer) {
                counts[dim] = counts[dim].saturating_mul(count);
            }
            sizes[dim] = tile;
        }
    }
    counts
}
