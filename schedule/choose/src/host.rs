//! Schedules for processors: threads, caches, registers, lanes.
//!
//! | accesses | schedule |
//! |---|---|
//! | a kept dimension is contiguous in the output, others are reduced | register tile of rows and vectors; panels of what moves with the lanes, if they are used again; blocks of the reduction by cache |
//! | the same, but too few lanes are busy along the output | lanes along another kept dimension, and the tile is turned when it is written |
//! | a reduced dimension is contiguous | several vectors of accumulators along it |
//! | nothing is reduced | lanes along the contiguous dimension |
//! | tuples, prefixes, bodies without lanes | loops in order, threads over the outermost kept dimension |
//!
//! A panel that is not used very often is not copied where its rows stay in the second cache as they lie (`panels::stays`).
//!
//! Sizes that do not divide: rows and lanes in pieces (`~peel`), panels in whole tiles (`~pad`), else loops end early.

mod contraction;
mod panels;
mod register;
mod streams;
mod threads;
mod tiled;

use crate::access::Accesses;
use crate::loops::{ceil, order, parallel, worth_threads};
use crate::steps::Steps;
use terrace_devices::{Device, Layer};
use terrace_schedule_model::{Schedule, Tail};

/// Times that a thread fetches work where coordinates differ in it
const FETCHES: i64 = 8;

/// The schedule of a computation
pub fn schedule(a: &Accesses, device: &Device) -> Schedule {
    let plain = a.single && a.prefixes.iter().all(|prefix| !prefix);
    if plain && a.lanes && a.points() > 0 {
        if let Some(found) = contraction::schedule(a, device, worth_threads(a)) {
            return found;
        }
        if let Some(found) = tiled::schedule(a, device) {
            return found;
        }
        if let Some(found) = streams::along_reduced(a, device) {
            return found;
        }
        if let Some(found) = streams::along_kept(a, device) {
            return found;
        }
    }
    if !a.single
        && a.tuples
        && a.lanes
        && a.points() > 0
        && let Some(found) = streams::tuples(a, device)
    {
        return found;
    }
    in_order(a, device)
}

fn in_order(a: &Accesses, device: &Device) -> Schedule {
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    if let Some(dim) = parallel(a, device, &[]) {
        steps.step(|step| {
            // Where coordinates differ in work, threads fetch the next few when they are done.
            let parts = if a.uneven[dim] { device.units * FETCHES } else { device.units };
            step.tile(dim, ceil(a.sizes[dim], parts), Layer::Thr, Some(Tail::Limit));
        });
    }
    steps.finish(&order(a))
}
