//! Tiles: threads of a block use operands together, a thread its elements' operands again and again.
//!
//! A result has *columns* (its contiguous dimension) and *rows* (a dimension with which an operand of the columns does not move).
//! Where one of them is short, other dimensions that move the same operands lengthen a thread's tile.

use super::{blocks, kept, order, power};
use crate::access::{Access, Accesses};
use crate::steps::{StepBuilder, Steps};
use terrace_devices::{Device, Layer, Region};
use terrace_dialect_mdh::schedule::{Part, Placement, Schedule, Tail};

/// Threads of a tiled block along each dimension
const SIDE: i64 = 16;

/// Elements of a thread along each dimension
const EACH: i64 = 4;

/// Depth of a staged tile
const DEPTH: i64 = 16;

/// Most elements of a thread along rows that no size of tile divides better
const MOST: i64 = 8;

/// Threads of a block that has no staged tiles
const BLOCK: i64 = 128;

/// Fewest points of a reduction for which elements are worth registers
const WORTH: i64 = 8;

/// A side of a block: threads and elements of each, by what a point costs: a product, its share of a load, and points beyond the size.
/// Columns are read side by side, rows may have fewer threads
fn side(size: i64, device: &Device, columns: bool) -> (i64, i64) {
    let most = if device.block_threads >= SIDE * SIDE { SIDE } else { 8 }.min(power(size));
    let cost = |(threads, each): &(i64, i64)| {
        let tile = threads * each;
        let points = if tile >= size && *each == 1 {
            size
        } else {
            (size as u64).next_multiple_of(tile as u64) as i64
        };
        // Thousandths, in place of fractions.
        points.saturating_mul(1000 * (each + 1) / each)
    };
    let sides = [most, if columns { most } else { (most / 2).max(1) }]
        .into_iter()
        .flat_map(|threads| (1..=EACH).map(move |each| (threads, each)));
    sides.min_by_key(cost).unwrap_or((most, 1))
}

/// Columns and rows
fn sides(a: &Accesses) -> Option<(usize, usize)> {
    let columns = kept(a).into_iter().find(|dim| a.outputs.iter().all(|out| out.strides[*dim] == Some(1)))?;
    let moved = |dim: usize| a.inputs.iter().any(|input| input.uses(dim));
    let again = |dim: usize| a.inputs.iter().any(|input| input.uses(columns) && !input.uses(dim));
    let rows = a
        .dims(|dim| a.kept[dim] && dim != columns && again(dim) && moved(dim))
        .into_iter()
        .max_by_key(|dim| a.sizes[*dim])?;
    moved(columns).then_some((columns, rows))
}

/// Another dimension that lengthens a side: it moves only operands that the side moves and the other side does not
fn beside(a: &Accesses, outer: &[usize], own: usize, other: usize) -> Option<usize> {
    let fits = |dim: &usize| {
        let mut moved = a.inputs.iter().filter(|input| input.uses(*dim)).peekable();
        moved.peek().is_some() && moved.all(|input| input.uses(own) && !input.uses(other))
    };
    outer.iter().copied().filter(fits).max_by_key(|dim| a.sizes[*dim])
}

/// The largest divisor of a size up to a bound
fn divisor(size: i64, most: i64) -> i64 {
    (1..=most.min(size)).rev().find(|n| size % n == 0).unwrap_or(1)
}

/// Tiles of operands in shared memory, of results in registers
pub fn staged(a: &Accesses, device: &Device) -> Option<Schedule> {
    let reduced = a.dims(|dim| a.reduced[dim]);
    if reduced.is_empty() || !a.tiles || a.conditioned.iter().any(|dim| *dim) {
        return None;
    }
    let (columns, rows) = sides(a)?;
    let alone = |n: usize| a.inputs.iter().filter(|other| other.group == a.inputs[n].group).count() == 1;
    let stageable = (0..a.inputs.len()).all(|n| a.inputs[n].plain && a.inputs[n].linear() && alone(n));
    // Loops over the others stand around its tiles: where the order shows, it is the last.
    let longest = reduced.iter().copied().max_by_key(|dim| a.sizes[*dim])?;
    let depth_of = if a.associates { longest } else { reduced.last().copied()? };
    if !stageable || a.sizes[depth_of] < 2 {
        return None;
    }
    let ((tx, nx), (ty, ny)) = (side(a.sizes[columns], device, true), side(a.sizes[rows], device, false));
    let exact = a.sizes[columns] % (tx * nx) == 0 && a.sizes[rows] % (ty * ny) == 0;
    let pads = a.fills && a.harmless;
    if !exact && !pads {
        return None;
    }
    let outer: Vec<usize> = kept(a).into_iter().filter(|dim| *dim != columns && *dim != rows).collect();
    // A thread's elements along other dimensions, where columns or rows are short.
    let mut more = vec![1; a.sizes.len()];
    for (own, other, each) in [(columns, rows, nx), (rows, columns, ny)] {
        if let Some(dim) = beside(a, &outer, own, other) {
            more[dim] = divisor(a.sizes[dim], EACH / each);
        }
    }
    let depth = DEPTH.min(power(a.sizes[depth_of]));
    let tile = |dim: usize| match dim {
        dim if dim == columns => tx * nx,
        dim if dim == rows => ty * ny,
        dim if dim == depth_of => depth,
        dim => more[dim],
    };
    let bytes: i64 = a
        .inputs
        .iter()
        .map(|input| {
            (0..a.sizes.len()).filter(|dim| input.uses(*dim)).map(tile).product::<i64>() * a.widest()
        })
        .sum();
    if bytes > device.bytes(Region::Sm) {
        return None;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
    let mut tiles = vec![(columns, tx * nx, Tail::Pad), (rows, ty * ny, Tail::Pad)];
    tiles.extend(outer.iter().map(|dim| (*dim, more[*dim], Tail::Limit)));
    steps.step(|step| blocks(step, a, &tiles));
    steps.step(|step| rounds(step, &tiles));
    let elements = steps.len();
    steps.step(|step| {
        step.tile(rows, ty, Layer::Unr, Some(Tail::Pad));
        step.tile(columns, tx, Layer::Unr, Some(Tail::Pad));
        for dim in &outer {
            step.tile(*dim, 1, Layer::Unr, None);
        }
    });
    let split = steps.len() > elements;
    steps.step(|step| {
        step.tile(columns, 1, Layer::Thr, None);
        step.tile(rows, 1, Layer::Thr, None);
        for out in 0..a.outs {
            step.output(out, Region::Rm);
        }
    });
    steps.step(|step| {
        for dim in reduced.iter().filter(|dim| **dim != depth_of) {
            step.tile(*dim, 1, Layer::For, None);
        }
        step.tile(depth_of, depth, Layer::For, Some(Tail::Limit));
        for n in 0..a.inputs.len() {
            step.input(a.inputs[n].group, Placement::new(Region::Sm, layout(&a.inputs[n], columns)));
        }
    });
    steps.step(|step| {
        step.tile(depth_of, 1, Layer::For, None);
    });
    let mut schedule = steps.finish(&order(a));
    if split {
        innermost(&mut schedule, elements);
    }
    Some(a.groups.merge(schedule))
}

/// Storage order of a staged tile: neighbors among the threads read neighbors, so the axis of the columns is the last
fn layout(input: &Access, columns: usize) -> Vec<Part> {
    let axes = &input.map.results;
    let Some(at) = axes.iter().position(|axis| axis.uses_dim(columns as u32)) else { return Vec::new() };
    if at + 1 == axes.len() {
        return Vec::new();
    }
    (0..axes.len()).filter(|axis| *axis != at).chain([at]).map(Part::Whole).collect()
}

/// Tiles of results in registers, operands as they lie: sizes divide, so that edges cost a test and no copy
pub fn direct(a: &Accesses, device: &Device) -> Option<Schedule> {
    let reduced = a.dims(|dim| a.reduced[dim]);
    let points = reduced.iter().fold(1i64, |all, dim| all.saturating_mul(a.sizes[*dim]));
    if points < WORTH || !a.tiles || a.inputs.iter().any(|input| !input.plain) {
        return None;
    }
    let (columns, rows) = sides(a)?;
    let nx = divisor(a.sizes[columns], EACH);
    let tx = divisor(a.sizes[columns] / nx, device.warp.max(SIDE));
    let good = (EACH..=MOST).find(|n| a.sizes[rows] % n == 0);
    let ny = good.unwrap_or_else(|| divisor(a.sizes[rows], EACH));
    let ty = divisor(a.sizes[rows] / ny, (BLOCK / tx).max(1));
    if tx < device.warp.min(SIDE) || nx * ny < 2 {
        return None;
    }
    let outer: Vec<usize> = kept(a).into_iter().filter(|dim| *dim != columns && *dim != rows).collect();
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    let mut tiles = vec![(columns, tx * nx, Tail::Limit), (rows, ty * ny, Tail::Limit)];
    tiles.extend(outer.iter().map(|dim| (*dim, 1, Tail::Limit)));
    steps.step(|step| blocks(step, a, &tiles));
    steps.step(|step| rounds(step, &tiles));
    let elements = steps.len();
    steps.step(|step| {
        step.tile(rows, ty, Layer::Unr, None);
        step.tile(columns, tx, Layer::Unr, None);
    });
    steps.step(|step| {
        step.tile(columns, 1, Layer::Thr, None);
        step.tile(rows, 1, Layer::Thr, None);
        for out in 0..a.outs {
            step.output(out, Region::Rm);
        }
    });
    let mut schedule = steps.finish(&order(a));
    innermost(&mut schedule, elements);
    Some(schedule)
}

/// Tiles that a block has several of, one after the other
fn rounds(step: &mut StepBuilder, tiles: &[(usize, i64, Tail)]) {
    for (dim, tile, tail) in tiles {
        step.tile(*dim, *tile, Layer::For, Some(*tail));
    }
}

/// A thread's elements are the innermost loops: their step is the last in order of code
fn innermost(schedule: &mut Schedule, elements: usize) {
    let label = schedule.steps[elements].label;
    let last = schedule.steps.len();
    for step in &mut schedule.steps {
        if step.label > label {
            step.label -= 1;
        }
    }
    schedule.steps[elements].label = last;
}
