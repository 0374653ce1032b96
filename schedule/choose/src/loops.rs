//! What schedules for processors have in common: the order of loops, the dimension for threads, lanes.

use crate::access::{Access, Accesses};
use terrace_devices::{Device, Layer};
use terrace_schedule_model::{Schedule, Tail};

/// Points times ops below which threads cost more than they bring
const WORTH_THREADS: i64 = 1 << 15;

/// Vectors of a body's ops that a core issues per cycle
const PIPES: i64 = 2;

/// Is there enough to do for threads to pay?
pub fn worth_threads(a: &Accesses, device: &Device) -> bool {
    device.units > 1 && a.points().saturating_mul(a.ops.max(1)) >= WORTH_THREADS
}

/// May one core be done before several have started? At its peak rate it takes less than a fork
pub fn brief(a: &Accesses, device: &Device) -> bool {
    let lanes = (device.vector_bytes / a.widest().max(1)).max(1);
    (a.together as f64) < device.costs.threads.fork * (lanes * PIPES) as f64
}

/// Kept, then prefixes, then reduced
pub fn order(a: &Accesses) -> Vec<usize> {
    let mut all: Vec<usize> = (0..a.sizes.len()).collect();
    all.sort_by_key(|dim| {
        if a.kept[*dim] {
            0
        } else if a.prefixes[*dim] {
            1
        } else {
            2
        }
    });
    all
}

/// The outermost kept dimension that threads divide evenly, but none of these; else the one that they divide best
pub fn parallel(a: &Accesses, device: &Device, not: &[usize]) -> Option<usize> {
    if !worth_threads(a, device) {
        return None;
    }
    let mut found = a.dims(|dim| a.kept[dim] && !not.contains(&dim) && a.sizes[dim] >= 2);
    let first = found.iter().copied().find(|dim| is_even(a.sizes[*dim], device.units));
    found.sort_by(|one, two| {
        let busiest = |dim: &usize| of_busiest(a.sizes[*dim], device.units);
        busiest(one).total_cmp(&busiest(two)).then(a.sizes[*two].cmp(&a.sizes[*one]))
    });
    first.or(found.first().copied())
}

/// Do threads divide an extent so that the one with most to do has little more than its share?
pub fn is_even(extent: i64, units: i64) -> bool {
    extent >= units && of_busiest(extent, units) * units as f64 <= UNEVEN
}

/// Most that a thread has to do, in shares of a thread, where another dimension is not divided in its place
const UNEVEN: f64 = 1.25;

/// The part of an extent that the thread with most to do has
fn of_busiest(extent: i64, units: i64) -> f64 {
    ceil(extent, units) as f64 / extent.max(1) as f64
}

/// Lanes for the widest element
pub fn lanes(a: &Accesses, device: &Device, size: i64) -> Option<i64> {
    let mut lanes = device.vector_bytes / a.widest().max(1);
    while lanes > size && lanes > 1 {
        lanes /= 2;
    }
    (lanes > 1).then_some(lanes)
}

/// Is a vector of any number of lanes better than several of powers of two? Two of these take no longer than what puts one vector
/// together, and masks of what lies outside are put together with each access
pub fn is_partial(a: &Accesses, device: &Device, dim: usize, lanes: i64) -> bool {
    let masked = a.conditioned[dim] || a.inputs.iter().any(|input| input.uses(dim) && !input.plain);
    device.partial_vectors && lanes.count_ones() > 2 + u32::from(masked)
}

/// Lanes of vectors along a dimension: as many as a register has, or all where these are fewer
pub fn vector_lanes(a: &Accesses, device: &Device, dim: usize) -> Option<i64> {
    let (size, most) = (a.sizes[dim], device.vector_bytes / a.widest().max(1));
    if size < most && is_partial(a, device, dim, size) {
        return Some(size);
    }
    lanes(a, device, size)
}

/// The tail of lanes: what is left of an extent is one vector where several powers of two would cover it
pub fn lanes_tail(a: &Accesses, device: &Device, dim: usize, lanes: i64) -> Option<Tail> {
    let partial = |lanes: i64| is_partial(a, device, dim, lanes);
    (partial(lanes) || partial(a.sizes[dim] % lanes)).then_some(Tail::Mask)
}

/// Every access that moves with a dimension is contiguous along it
pub fn contiguous(accesses: &[Access], dim: usize) -> bool {
    accesses.iter().all(|access| matches!(access.strides[dim], Some(0 | 1)))
}

/// Parts of a size that cover an extent
pub fn ceil(a: i64, b: i64) -> i64 {
    (a.max(0) as u64).div_ceil(b.max(1) as u64) as i64
}

/// Unrolled taps of windows: copies pay only where they decide a condition
pub fn rolled(a: &Accesses, schedule: &Schedule) -> Vec<usize> {
    let has = |dim: usize, layer: Layer| {
        schedule.steps.iter().any(|step| step.cores[dim].as_ref().is_some_and(|core| core.layer == layer))
    };
    // A copy for each coordinate decides which lanes are masked.
    let lanes = |dim: usize| a.kept[dim] && a.masks[dim] && has(dim, Layer::Vec);
    let masked = |dim: usize| a.coupled[dim].iter().any(|other| lanes(*other));
    a.dims(|dim| a.reduced[dim] && a.conditioned[dim] && has(dim, Layer::Unr) && !masked(dim))
}
