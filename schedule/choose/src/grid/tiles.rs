//! Tiles: threads of a block use operands together, a thread its elements' operands again and again.
//!
//! A result has *columns* (its contiguous dimension) and *rows* (a dimension with which an operand of the columns does not move).
//! Where one of them is short, other dimensions that move the same operands lengthen a thread's tile.

use super::{blocks, kept, order, power};
use crate::access::{Access, Accesses};
use crate::generator::Proposals;
use crate::steps::{StepBuilder, Steps};
use terrace_devices::{Device, Layer, Region};
use terrace_schedule_model::{Part, Placement, Schedule, Tail};

/// Threads of a tiled block along each dimension
const SIDE: i64 = 16;

/// Elements of a thread along each dimension
const EACH: i64 = 4;

/// Neighbors that a thread of a wide tile has side by side: one load of 128 bits
const GROUP: i64 = 4;

/// Groups of a thread of a wide tile along each dimension
const GROUPS: i64 = 2;

/// Bytes of an element of which as many as a wide tile has are in registers
const WORD: i64 = 4;

/// Depth of a staged tile
const DEPTH: i64 = 16;

/// Depth of a wide one: a sector of a row, and few rows of a transposed tile in one bank
const WIDE_DEPTH: i64 = 8;

/// Depth of the deepest
const DEEPEST: i64 = 32;

/// Most parts of a tile's buffer: copies run one round less ahead
const STAGES: i64 = 3;

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
fn lengthening(a: &Accesses, outer: &[usize], own: usize, other: usize) -> Option<usize> {
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

/// Tiles of operands in shared memory, of results in registers: wide ones and small ones, deeper ones, with copies that run ahead
pub fn propose(a: &Accesses, device: &Device, to: &mut Proposals) {
    let all: Vec<Staged<'_>> = Staged::all(a, device);
    let fits = |staged: &Staged<'_>| staged.bytes() * staged.stages <= device.bytes(Region::Sm);
    to.add(all.iter().filter(|staged| fits(staged)).map(Staged::schedule));
    for staged in &all {
        let depths = [1, 2, 4].map(|times| staged.depth * times);
        for depth in depths.into_iter().filter(|depth| *depth <= DEEPEST.min(power(a.sizes[staged.depth_of])))
        {
            for stages in 1..=STAGES {
                let varied = Staged { depth, stages, ..staged.clone() };
                if fits(&varied) {
                    to.vary(varied.schedule());
                }
            }
        }
    }
}

/// A side of a block's tile: its dimension, threads along it, elements of each, and how many of these are side by side
#[derive(Clone)]
struct Side {
    dim: usize,
    threads: i64,
    each: i64,
    group: i64,
}

impl Side {
    fn of(a: &Accesses, device: &Device, dim: usize, columns: bool) -> Side {
        let (threads, each) = side(a.sizes[dim], device, columns);
        Side { dim, threads, each, group: 1 }
    }

    fn wide(dim: usize) -> Side {
        Side { dim, threads: SIDE, each: GROUPS * GROUP, group: GROUP }
    }

    /// Coordinates of whole tiles
    fn padded(&self, size: i64) -> i64 {
        (size as u64).next_multiple_of(self.tile() as u64) as i64
    }

    fn tile(&self) -> i64 {
        self.threads * self.each
    }
}

/// Tiles that a block stages and computes
#[derive(Clone)]
struct Staged<'a> {
    a: &'a Accesses,
    columns: Side,
    rows: Side,
    /// Other kept dimensions
    outer: Vec<usize>,
    /// Per dimension: elements of a thread along it, where columns or rows are short and it lengthens them
    more: Vec<i64>,
    reduced: Vec<usize>,
    /// The reduced dimension that staged tiles divide
    depth_of: usize,
    /// Coordinates of a staged tile along it
    depth: i64,
    /// Parts of a tile's buffer
    stages: i64,
}

impl<'a> Staged<'a> {
    /// Wide and small, those first that seem to pay
    fn all(a: &'a Accesses, device: &Device) -> Vec<Staged<'a>> {
        let Some(small) = Self::of(a, device, false) else {
            return Self::of(a, device, true).into_iter().collect();
        };
        let Some(wide) = Self::of(a, device, true) else { return vec![small] };
        let first = pays(a, device, &small.outer, [&small.columns, &small.rows], [&wide.columns, &wide.rows]);
        if first { vec![wide, small] } else { vec![small, wide] }
    }

    fn of(a: &'a Accesses, device: &Device, wide: bool) -> Option<Staged<'a>> {
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
        let outer: Vec<usize> = kept(a).into_iter().filter(|dim| *dim != columns && *dim != rows).collect();
        let (columns, rows) = match wide {
            true => (Side::wide(columns), Side::wide(rows)),
            false => (Side::of(a, device, columns, true), Side::of(a, device, rows, false)),
        };
        if wide && !has_registers(a, device, [&columns, &rows]) {
            return None;
        }
        let exact = [&columns, &rows].iter().all(|side| a.sizes[side.dim] % side.tile() == 0);
        if !(exact || a.fills && a.harmless) {
            return None;
        }
        let mut more = vec![1; a.sizes.len()];
        for (own, other) in [(&columns, &rows), (&rows, &columns)] {
            if let Some(dim) = lengthening(a, &outer, own.dim, other.dim) {
                more[dim] = divisor(a.sizes[dim], EACH / own.each);
            }
        }
        let depth = if columns.group > 1 { WIDE_DEPTH } else { DEPTH }.min(power(a.sizes[depth_of]));
        Some(Staged { a, columns, rows, outer, more, reduced, depth_of, depth, stages: 1 })
    }

    /// Bytes of the tiles of all operands
    fn bytes(&self) -> i64 {
        let a = self.a;
        let tile = |dim: usize| match dim {
            dim if dim == self.columns.dim => self.columns.tile(),
            dim if dim == self.rows.dim => self.rows.tile(),
            dim if dim == self.depth_of => self.depth,
            dim => self.more[dim],
        };
        let elements =
            |input: &Access| (0..a.sizes.len()).filter(|dim| input.uses(*dim)).map(tile).product::<i64>();
        a.inputs.iter().map(|input| elements(input) * a.widest()).sum()
    }

    fn schedule(&self) -> Schedule {
        let Staged { a, columns, rows, .. } = self;
        let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
        let mut tiles = vec![(columns.dim, columns.tile(), Tail::Pad), (rows.dim, rows.tile(), Tail::Pad)];
        tiles.extend(self.outer.iter().map(|dim| (*dim, self.more[*dim], Tail::Limit)));
        steps.step(|step| blocks(step, a, &tiles));
        steps.step(|step| rounds(step, &tiles));
        let elements = steps.len();
        steps.step(|step| {
            step.tile(rows.dim, rows.threads * rows.group, Layer::Unr, Some(Tail::Pad));
            step.tile(columns.dim, columns.threads * columns.group, Layer::Unr, Some(Tail::Pad));
            for dim in &self.outer {
                step.tile(*dim, 1, Layer::Unr, None);
            }
        });
        let split = steps.len() > elements;
        steps.step(|step| {
            step.tile(columns.dim, columns.group, Layer::Thr, None);
            step.tile(rows.dim, rows.group, Layer::Thr, None);
            for out in 0..a.outs {
                step.output(out, Region::Rm);
            }
        });
        let neighbors = steps.len();
        steps.step(|step| {
            step.tile(rows.dim, 1, Layer::Unr, None);
            step.tile(columns.dim, 1, Layer::Unr, None);
        });
        let grouped = steps.len() > neighbors;
        self.reduction(&mut steps);
        let mut schedule = steps.finish(&order(a));
        if split {
            innermost(&mut schedule, elements);
        }
        if grouped {
            innermost(&mut schedule, neighbors);
        }
        a.groups.merge(schedule)
    }

    /// Steps of the reduction, for each of which operands are staged
    fn reduction(&self, steps: &mut Steps) {
        steps.step(|step| {
            for dim in self.reduced.iter().filter(|dim| **dim != self.depth_of) {
                step.tile(*dim, 1, Layer::For, None);
            }
            step.tile(self.depth_of, self.depth, Layer::For, Some(Tail::Limit));
            for input in &self.a.inputs {
                // Neighbors of a thread are neighbors in memory: along rows too, where it has several.
                let along = match input.uses(self.columns.dim) || self.rows.group == 1 {
                    true => self.columns.dim,
                    false => self.rows.dim,
                };
                let mut place = Placement::new(Region::Sm, layout(input, along));
                place.words.stages = (self.stages > 1).then_some(self.stages);
                step.input(input.group, place);
            }
        });
        steps.step(|step| {
            step.tile(self.depth_of, 1, Layer::For, None);
        });
    }
}

/// Does a wide tile pay: two loads for eight sums in place of two for four, if its blocks fill the device and few points are beyond sizes?
fn pays(a: &Accesses, device: &Device, outer: &[usize], small: [&Side; 2], wide: [&Side; 2]) -> bool {
    let points = |sides: [&Side; 2]| {
        sides.iter().fold(1i64, |all, side| all.saturating_mul(side.padded(a.sizes[side.dim])))
    };
    let [columns, rows] = wide;
    let tiles = points([columns, rows]) / (columns.tile() * rows.tile());
    let blocks = outer.iter().fold(tiles, |all, dim| all.saturating_mul(a.sizes[*dim]));
    blocks >= device.units && 2 * points([columns, rows]) <= 3 * points(small)
}

/// Have a wide tile's threads registers for their sums, where tiles are not longer than results?
fn has_registers(a: &Accesses, device: &Device, [columns, rows]: [&Side; 2]) -> bool {
    let sums = columns.each * rows.each * a.outs as i64;
    a.widest() <= WORD
        && device.block_threads >= SIDE * SIDE
        && 2 * sums <= device.registers
        && [columns, rows].iter().all(|side| side.tile() <= a.sizes[side.dim])
}

/// Storage order of a staged tile: neighbors among the threads read neighbors, so the axis of this dimension is the last
fn layout(input: &Access, dim: usize) -> Vec<Part> {
    let axes = &input.map.results;
    let Some(at) = axes.iter().position(|axis| axis.uses_dim(dim as u32)) else { return Vec::new() };
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
