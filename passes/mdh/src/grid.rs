//! Schedules for devices with a grid: blocks, threads, staged tiles.
//!
//! | accesses | schedule |
//! |---|---|
//! | rows and columns that use operands again, something reduced | block tile in shared memory, a few elements per thread in registers |
//! | a reduced dimension is contiguous | a block per result, threads along the reduction, combined in shared memory |
//! | others | a thread per result |
//!
//! Threads follow each other along the contiguous dimension; elements of one thread are a block's width apart.

use crate::access::Accesses;
use crate::steps::Steps;
use terrace_devices::Device;
use terrace_dialect_mdh::schedule::{Place, Schedule, Tail};

/// Threads of a tiled block along each dimension
const SIDE: i64 = 16;

/// Elements of a thread along each dimension
const EACH: i64 = 4;

/// Depth of a staged tile
const DEPTH: i64 = 16;

/// Threads of a block of one dimension
const LINE: i64 = 128;

/// Most blocks along the second and third axis
const ACROSS: i64 = 65_535;

/// Points of a whole reduction from which on it is worth a second launch
const WORTH_PARTS: i64 = 1 << 14;

/// Should a computation become parts and what joins them?
pub fn in_parts(a: &Accesses) -> bool {
    a.single && a.reorders && a.points() >= WORTH_PARTS && a.dims(|dim| !a.reduced[dim]).is_empty()
}

/// The schedule of a computation
pub fn schedule(a: &Accesses, device: &Device) -> Schedule {
    let plain = a.single && a.prefixes.iter().all(|prefix| !prefix);
    let found = if plain && a.points() > 0 { staged(a, device).or_else(|| shared(a, device)) } else { None };
    found.unwrap_or_else(|| one_each(a, device))
}

/// Tile of a dimension whose blocks are along the second or third axis
fn across(size: i64) -> i64 {
    (size.max(1) as u64).div_ceil(ACROSS as u64) as i64
}

fn power(size: i64) -> i64 {
    (size.max(1) as u64).next_power_of_two() as i64
}

/// Kept dimensions by size, the contiguous one of the output first
fn kept(a: &Accesses) -> Vec<usize> {
    let mut all = a.dims(|dim| a.kept[dim]);
    let contiguous = |dim: usize| a.outputs.iter().any(|out| out.strides[dim] == Some(1));
    all.sort_by_key(|dim| (!contiguous(*dim), std::cmp::Reverse(a.sizes[*dim])));
    all
}

/// Kept, prefixes, reduced
fn order(a: &Accesses) -> Vec<usize> {
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

/// A thread per result
fn one_each(a: &Accesses, device: &Device) -> Schedule {
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    let kept = kept(a);
    let threads = kept.first().map_or(1, |dim| LINE.min(device.block_threads).min(power(a.sizes[*dim])));
    steps.step(|step| {
        match kept.first() {
            Some(dim) if a.sizes[*dim] > threads => {
                step.tile(*dim, threads, "BLK", Some(Tail::Limit));
            }
            Some(dim) => {
                step.core(*dim, "BLK");
            }
            None if !a.sizes.is_empty() => {
                step.core(0, "BLK");
            }
            None => {}
        }
        for dim in kept.iter().skip(1).take(2) {
            step.tile(*dim, across(a.sizes[*dim]), "BLK", Some(Tail::Limit));
        }
    });
    if let Some(dim) = kept.first() {
        steps.step(|step| {
            step.tile(*dim, 1, "THR", None);
        });
    }
    steps.finish(&order(a))
}

/// A block per result, threads along a contiguous reduction
fn shared(a: &Accesses, device: &Device) -> Option<Schedule> {
    if !a.reorders || a.conditioned.iter().any(|dim| *dim) {
        return None;
    }
    let mut found =
        a.dims(|dim| a.reduced[dim] && a.inputs.iter().any(|input| input.strides[dim] == Some(1)));
    // Where the kept dimension is contiguous too, a thread per result reads side by side.
    let beside = kept(a)
        .into_iter()
        .any(|dim| a.sizes[dim] >= device.warp && a.inputs.iter().any(|input| input.strides[dim] == Some(1)));
    found.retain(|dim| a.sizes[*dim] >= device.warp && !beside);
    let dim = found.into_iter().max_by_key(|dim| a.sizes[*dim])?;
    let mut threads = LINE.min(device.block_threads);
    while threads > a.sizes[dim] {
        threads /= 2;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    let kept = kept(a);
    steps.step(|step| {
        if kept.is_empty() {
            step.core(dim, "BLK");
        }
        for (axis, dim) in kept.iter().take(3).enumerate() {
            let tile = if axis == 0 { 1 } else { across(a.sizes[*dim]) };
            step.tile(*dim, tile, "BLK", Some(Tail::Limit));
        }
    });
    let rest: Vec<usize> = order(a).into_iter().filter(|other| *other != dim).collect();
    steps.step(|step| {
        for other in rest.iter().filter(|dim| a.kept[**dim]) {
            step.tile(*other, 1, "FOR", None);
        }
    });
    // Coarse to fine: rounds of all threads, then a thread's element; in code threads stand outside.
    steps.step(|step| {
        step.tile(dim, threads, "FOR", Some(Tail::Limit));
    });
    steps.step(|step| {
        step.tile(dim, 1, "THR", None);
    });
    steps.step(|step| {
        for other in &rest {
            step.tile(*other, 1, "FOR", None);
        }
    });
    let mut schedule = steps.finish(&order(a));
    let thread = schedule
        .steps
        .iter()
        .position(|step| matches!(&step.cores[dim], Some(core) if core.layer == "THR"))?;
    let rounds = thread.checked_sub(1)?;
    if matches!(&schedule.steps[rounds].cores[dim], Some(core) if core.layer == "FOR") {
        (schedule.steps[rounds].label, schedule.steps[thread].label) =
            (schedule.steps[thread].label, schedule.steps[rounds].label);
    }
    Some(schedule)
}

/// A side of a block: threads and elements of each
fn side(size: i64, device: &Device) -> (i64, i64) {
    let most = if device.block_threads >= SIDE * SIDE { SIDE } else { 8 };
    let threads = most.min(power(size));
    let each = EACH.min((size as u64).div_ceil(threads as u64) as i64).max(1);
    (threads, each)
}

/// Tiles of operands in shared memory, of results in registers
fn staged(a: &Accesses, device: &Device) -> Option<Schedule> {
    let reduced = a.dims(|dim| a.reduced[dim]);
    if reduced.is_empty() || !a.tiles || a.conditioned.iter().any(|dim| *dim) {
        return None;
    }
    let columns = kept(a).into_iter().find(|dim| a.outputs.iter().all(|out| out.strides[*dim] == Some(1)))?;
    let moves = |dim: usize| a.inputs.iter().filter(|input| input.uses(dim)).count();
    let again = |dim: usize| a.inputs.iter().any(|input| input.uses(columns) && !input.uses(dim));
    let rows = a
        .dims(|dim| a.kept[dim] && dim != columns && again(dim) && moves(dim) > 0)
        .into_iter()
        .max_by_key(|dim| a.sizes[*dim])?;
    let alone = |n: usize| a.inputs.iter().filter(|other| other.buffer == a.inputs[n].buffer).count() == 1;
    let stageable = (0..a.inputs.len()).all(|n| a.inputs[n].plain && a.inputs[n].linear() && alone(n));
    let depth_of = reduced.iter().copied().max_by_key(|dim| a.sizes[*dim])?;
    if moves(columns) == 0 || !stageable || a.sizes[depth_of] < 2 {
        return None;
    }
    let ((tx, nx), (ty, ny)) = (side(a.sizes[columns], device), side(a.sizes[rows], device));
    let exact = a.sizes[columns] % (tx * nx) == 0 && a.sizes[rows] % (ty * ny) == 0;
    let pads = a.fills && a.harmless;
    if !exact && !pads {
        return None;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    let outer: Vec<usize> = kept(a).into_iter().filter(|dim| *dim != columns && *dim != rows).collect();
    let depth = DEPTH.min(power(a.sizes[depth_of]));
    let bytes = (tx * nx + ty * ny) * depth * a.widest();
    let blocks = (a.sizes[rows] as u64).div_ceil((ty * ny) as u64) as i64;
    if bytes > device.bytes("SM") || blocks > ACROSS {
        return None;
    }
    steps.step(|step| {
        if a.sizes[columns] > tx * nx {
            step.tile(columns, tx * nx, "BLK", Some(Tail::Pad));
        } else {
            step.core(columns, "BLK");
        }
        step.tile(rows, ty * ny, "BLK", Some(Tail::Pad));
        for dim in outer.iter().take(1) {
            step.tile(*dim, across(a.sizes[*dim]), "BLK", Some(Tail::Limit));
        }
    });
    steps.step(|step| {
        for dim in &outer {
            step.tile(*dim, 1, "FOR", None);
        }
    });
    let elements = steps.len();
    steps.step(|step| {
        step.tile(rows, ty, "UNR", Some(Tail::Pad));
        step.tile(columns, tx, "UNR", Some(Tail::Pad));
    });
    let split = steps.len() > elements;
    steps.step(|step| {
        step.tile(columns, 1, "THR", None);
        step.tile(rows, 1, "THR", None);
        for out in 0..a.outs {
            step.output(out, "RM");
        }
    });
    steps.step(|step| {
        for dim in reduced.iter().filter(|dim| **dim != depth_of) {
            step.tile(*dim, 1, "FOR", None);
        }
        step.tile(depth_of, depth, "FOR", Some(Tail::Limit));
        for n in 0..a.inputs.len() {
            step.input(a.inputs[n].buffer, Place::new("SM", Vec::new()));
        }
    });
    steps.step(|step| {
        step.tile(depth_of, 1, "FOR", None);
    });
    let mut schedule = steps.finish(&order(a));
    if split {
        // A thread's elements are the innermost loops.
        let label = schedule.steps[elements].label;
        let last = schedule.steps.len();
        for step in &mut schedule.steps {
            if step.label > label {
                step.label -= 1;
            }
        }
        schedule.steps[elements].label = last;
    }
    Some(schedule)
}
