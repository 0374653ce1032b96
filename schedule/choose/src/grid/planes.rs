//! Reductions whose contiguous dimension is shorter than a warp: threads along that one and along a reduced one.
//!
//! If the contiguous dimension is reduced, each result is reduced from short runs that lie apart. If it is kept, there are few columns, whose rows
//! lie one behind the other. Threads along x have the elements of a run or a row, threads along y different ones, so that a warp reads whole
//! sectors. It takes rounds over the runs, then the threads of a block bring their values together.

use super::{across, kept, lanes, order, threads_outside};
use crate::access::Accesses;
use crate::steps::Steps;
use terrace_devices::{Device, Layer};
use terrace_schedule_model::{Schedule, Tail};

/// Fewest bytes that are side by side: what memory transfers at once
const SECTOR: i64 = 32;

/// A block per result with up to `line` threads; `wide`: each takes several elements side by side, where it can
pub fn planes(a: &Accesses, device: &Device, line: i64, wide: bool) -> Option<Schedule> {
    let tuples = !wide && super::tuples(a);
    let whole = || a.conditioned.iter().all(|dim| !dim);
    // A thread begins from a neutral tuple, also where a condition leaves it no points.
    if !(tuples || a.single && a.reorders && whole()) {
        return None;
    }
    let contiguous = |dim: usize| a.inputs.iter().any(|input| input.strides[dim] == Some(1));
    if kept(a).into_iter().any(|dim| a.sizes[dim] >= device.warp && contiguous(dim)) {
        return None;
    }
    // All threads of a row meet, so a row has its end where it is written.
    let short = |dim: usize| contiguous(dim) && (2..device.warp).contains(&a.sizes[dim]) && !a.open[dim];
    let run = a.dims(short).into_iter().max_by_key(|dim| a.sizes[*dim]).filter(|dim| !a.conditioned[*dim])?;
    // Elements next to each other, or a sector of them.
    let dense = |dim: usize| a.inputs.iter().any(|input| input.strides[dim] == Some(a.sizes[run]));
    let sector = a.reduced[run] && a.sizes[run].saturating_mul(a.widest()) >= SECTOR;
    let others = a.dims(|dim| a.reduced[dim] && dim != run && a.sizes[dim] > 1 && (sector || dense(dim)));
    let runs = others.into_iter().max_by_key(|dim| a.sizes[*dim])?;
    let each = if wide && a.reduced[run] { lanes(a, device, run, 2)? } else { 1 };
    // A warp for each result does for runs; columns are summed by as many as a line has.
    if wide && each == 1 || a.kept[run] && line <= device.warp {
        return None;
    }
    let along = a.sizes[run] / each;
    let mut count = (line.min(device.block_threads) / along.max(1)).max(1);
    while count > a.sizes[runs] {
        count /= 2;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    let kept: Vec<usize> = kept(a).into_iter().filter(|dim| *dim != run).collect();
    steps.step(|step| {
        if kept.is_empty() {
            step.core(runs, Layer::Blk);
        }
        for (axis, dim) in kept.iter().take(3).enumerate() {
            let tile = if axis == 0 { 1 } else { across(a.sizes[*dim]) };
            step.tile(*dim, tile, Layer::Blk, Some(Tail::Limit));
        }
    });
    let rest: Vec<usize> = order(a).into_iter().filter(|other| ![run, runs].contains(other)).collect();
    steps.step(|step| {
        for other in rest.iter().filter(|dim| a.kept[**dim]) {
            step.tile(*other, 1, Layer::For, None);
        }
    });
    steps.step(|step| {
        step.tile(runs, count, Layer::For, Some(Tail::Limit));
    });
    steps.step(|step| {
        step.tile(run, each, Layer::Thr, None);
        step.tile(runs, 1, Layer::Thr, None);
    });
    steps.step(|step| {
        step.tile(run, 1, Layer::Vec, None);
        for other in &rest {
            step.tile(*other, 1, Layer::For, None);
        }
    });
    // Members of a tree are a row of threads apart: they exchange values in shared memory.
    threads_outside(steps.finish(&order(a)), (runs, 1), a, device)
}
