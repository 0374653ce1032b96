//! Short contiguous runs, one after the other in memory: rows to reduce, parts of a scan.
//!
//! Threads that each walk through a run of their own would have a sector each. A block copies the runs of its threads to shared memory, in the
//! order of memory, and prefixes back from there. Runs of an odd number of elements begin in different banks; rows of an even one are rotated
//! where the buffer has a dimension for them.

use super::{LINE, across, kept, order};
use crate::access::{Access, Accesses};
use crate::steps::Steps;
use terrace_devices::{Device, Layer, Region};
use terrace_schedule_model::{Placement, Schedule, Tail};

/// Elements of the longest run: those of a warp, of results too, are in shared memory
const LONGEST: i64 = 63;

/// Axes of the grid
const AXES: usize = 3;

/// A block's runs in shared memory, a thread for each
pub fn runs(a: &Accesses, device: &Device) -> Option<Schedule> {
    let walked = a.dims(|dim| a.reduced[dim] || a.prefixes[dim]);
    let [run] = walked[..] else { return None };
    let length = a.sizes[run];
    let runs = a.dims(|dim| a.kept[dim]).into_iter().find(|dim| {
        let all = a.inputs.iter().any(|input| is_run(input, run, *dim, length));
        all && a.outputs.iter().all(|out| is_run(out, run, *dim, length) || out.strides[*dim] == Some(1))
    })?;
    let own = |access: &Access| is_run(access, run, runs, length);
    let alone = |input: &Access| a.inputs.iter().filter(|other| other.group == input.group).count() == 1;
    let staged: Vec<&Access> =
        a.inputs.iter().filter(|input| own(input) && input.plain && input.linear() && alone(input)).collect();
    let results: Vec<usize> = (0..a.outs).filter(|out| a.prefixes[run] && own(&a.outputs[*out])).collect();
    let others: Vec<usize> = kept(a).into_iter().filter(|dim| *dim != runs).collect();
    let one_access = a.outputs.len() == a.outs;
    let near = others.len() < AXES && others.iter().all(|dim| across(a.sizes[*dim]) == 1);
    if staged.is_empty() || !one_access || !near || length > LONGEST || a.sizes[runs] < device.warp {
        return None;
    }
    let elements = (staged.len() + results.len()) as i64 * length;
    let mut threads = LINE.min(device.block_threads);
    while threads > device.warp
        && (threads / 2 >= a.sizes[runs] || threads * elements * a.widest() > device.bytes(Region::Sm))
    {
        threads /= 2;
    }
    if threads * elements * a.widest() > device.bytes(Region::Sm) {
        return None;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
    steps.step(|step| {
        match a.sizes[runs] > threads {
            true => step.tile(runs, threads, Layer::Blk, Some(Tail::Limit)),
            false => step.core(runs, Layer::Blk),
        };
        for dim in &others {
            step.tile(*dim, 1, Layer::Blk, Some(Tail::Limit));
        }
        for input in &staged {
            let mut place = Placement::new(Region::Sm, Vec::new());
            let rows = input.map.results.len() > 1;
            place.words.swizzle = (rows && length % 2 == 0).then_some(1);
            step.input(input.group, place);
        }
        for out in &results {
            step.output(*out, Region::Sm);
        }
    });
    steps.step(|step| {
        step.tile(runs, 1, Layer::Thr, None);
    });
    Some(a.groups.merge(steps.finish(&order(a))))
}

/// Does an access go through one run after the other?
fn is_run(access: &Access, run: usize, runs: usize, length: i64) -> bool {
    access.strides[run] == Some(1) && access.strides[runs] == Some(length)
}
