//! Several computations in one kernel: each block has the same coordinates of all of them, a row.
//!
//! What one of them hands to the next stays in the block's memory. So all have the same blocks, and as many threads; each goes along its own
//! contiguous dimension with them, and what a thread writes it reads, too, where both have that dimension.

use super::{lanes, order, threads_outside};
use crate::access::Accesses;
use crate::steps::Steps;
use terrace_devices::{Device, Layer};
use terrace_schedule_model::{Schedule, Tail};

/// A block per coordinate of `blocks`, up to so many threads along the contiguous one of the other dimensions; `wide`: each takes several elements
/// side by side, where it can. `None` where the computation has no such form
pub fn rows(a: &Accesses, device: &Device, blocks: &[usize], threads: i64, wide: bool) -> Option<Schedule> {
    let most = device.grid_max;
    let fits = blocks.len() <= most.len()
        && blocks.iter().zip(most).all(|(dim, most)| a.kept[*dim] && a.sizes[*dim] <= most);
    // Threads exchange tuples, of which each thread has one.
    let tuples = !wide && super::tuples(a);
    if !fits
        || !(super::plain(a) || tuples)
        || a.conditioned.iter().any(|dim| *dim)
        || a.outputs.len() != a.outs
    {
        return None;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    steps.step(|step| {
        for dim in blocks {
            step.tile(*dim, 1, Layer::Blk, None);
        }
        if blocks.is_empty() && !a.sizes.is_empty() {
            step.core(0, Layer::Blk);
        }
    });
    let along = along(a, blocks);
    let rest: Vec<usize> = order(a).into_iter().filter(|dim| Some(*dim) != along).collect();
    // Kept ones stay outside: what is merged is a value of one coordinate.
    steps.step(|step| {
        for dim in rest.iter().filter(|dim| a.kept[**dim]) {
            step.tile(*dim, 1, Layer::For, None);
        }
    });
    let Some(dim) = along else { return Some(steps.finish(&order(a))) };
    let mut threads = threads.min(device.block_threads).min(device.block_max[0]);
    let each = if wide { lanes(a, device, dim, device.warp).unwrap_or(1) } else { 1 };
    while threads * each > a.sizes[dim] {
        threads /= 2;
    }
    steps.step(|step| {
        step.tile(dim, threads * each, Layer::For, Some(Tail::Limit));
    });
    steps.step(|step| {
        step.tile(dim, each, Layer::Thr, None);
    });
    steps.step(|step| {
        step.tile(dim, 1, Layer::Vec, None);
    });
    threads_outside(steps.finish(&order(a)), (dim, threads), a, device)
}

/// The dimension that threads follow: contiguous in most accesses, and long. A reduced one only where the order does not matter
fn along(a: &Accesses, blocks: &[usize]) -> Option<usize> {
    let free = a.dims(|dim| {
        !blocks.contains(&dim) && (a.kept[dim] || a.reduced[dim] && (a.reorders || a.functions_commute))
    });
    let contiguous = |dim: usize| {
        let all = a.inputs.iter().chain(&a.outputs);
        all.filter(|access| access.strides[dim] == Some(1)).count()
    };
    free.into_iter().max_by_key(|dim| (contiguous(*dim), a.sizes[*dim]))
}
