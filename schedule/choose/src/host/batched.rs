//! Products of two tensors that are both contiguous along a kept dimension, such as a batch that is stored innermost.
//!
//! Lanes along such a dimension need no broadcast: a multiply-add takes a vector of each operand. A register tile has rows of one
//! operand and columns of the other, so that a vector of either serves several multiply-adds. Where the result is not contiguous along
//! the lanes, the tile is turned when it is written.

use crate::access::{Access, Accesses};
use crate::host::register::{self, Demand, Tile};
use crate::host::squares::is_turned;
use crate::host::tiled::turned;
use crate::loops::{ceil, contiguous, lanes_tail, order, vector_lanes, worth_threads};
use crate::steps::Steps;
use terrace_devices::{Device, Layer, Region};
use terrace_schedule_model::{Placement, Schedule, Tail};

/// Tiles that are ranked: what the time of a tile alone leaves open
const TILES: usize = 3;

/// Least steps of a reduction after which taking up a tile's sums again costs little
const STEPS: i64 = 64;

/// Schedules, the fastest tile first; for each, vectors one after another, and all vectors of a tile's rows and columns
pub(crate) fn schedules(a: &Accesses, device: &Device) -> Vec<Schedule> {
    let Some(product) = Product::of(a, device) else { return Vec::new() };
    let tiles = product.tiles(device);
    let both =
        |tile: Tile| [true, false].map(|vectors_outside| product.schedule(device, tile, vectors_outside));
    tiles.into_iter().flat_map(both).collect()
}

/// A computation of this kind
struct Product<'a> {
    a: &'a Accesses,
    /// Kept, contiguous in both operands
    lanes: usize,
    /// Lanes of a vector
    width: i64,
    /// Kept, of one operand alone
    rows: usize,
    /// Kept, of the other operand alone
    columns: usize,
    /// All others that are kept
    outer: Vec<usize>,
    reduced: Vec<usize>,
}

impl<'a> Product<'a> {
    fn of(a: &'a Accesses, device: &Device) -> Option<Product<'a>> {
        let [one, two] = a.inputs.as_slice() else { return None };
        let plain = a.tiles && one.plain && two.plain && !a.conditioned.contains(&true);
        let reduced = a.dims(|dim| a.reduced[dim]);
        let written =
            |dim: usize| contiguous(&a.outputs, dim) || a.outputs.iter().all(|out| is_turned(out, dim));
        let read = |dim: usize| a.inputs.iter().all(|input| input.strides[dim] == Some(1));
        let lanes = a.dims(|dim| a.kept[dim] && read(dim) && written(dim));
        let lanes =
            lanes.into_iter().max_by_key(|dim| a.sizes[*dim]).filter(|_| plain && !reduced.is_empty())?;
        let width = vector_lanes(a, device, lanes)?;
        // The longest of each operand's own.
        let own = |input: &Access, other: &Access| {
            let all = a.dims(|dim| a.kept[dim] && dim != lanes && input.uses(dim) && !other.uses(dim));
            all.into_iter().max_by_key(|dim| a.sizes[*dim])
        };
        let (rows, columns) = (own(one, two)?, own(two, one)?);
        let outer = a.dims(|dim| a.kept[dim] && ![lanes, rows, columns].contains(&dim));
        Some(Product { a, lanes, width, rows, columns, outer, reduced })
    }

    fn tiles(&self, device: &Device) -> Vec<Tile> {
        let demand = Demand {
            rows: self.a.sizes[self.rows],
            columns: self.a.sizes[self.columns].saturating_mul(self.width),
            lanes: self.width,
            most: i64::MAX,
            pads: false,
            window: None,
            shared: None,
            turned: None,
            shuffled: false,
        };
        register::choices(device, &demand).into_iter().take(TILES).collect()
    }

    /// What threads divide: a dimension outside of tiles, else whole tiles of the side that has more of them, else vectors
    fn task(&self, device: &Device, tile: Tile) -> Option<(usize, i64)> {
        let Product { a, lanes, width, rows, columns, .. } = *self;
        if !worth_threads(a, device) {
            return None;
        }
        let parts = |dim: usize, unit: i64| (dim, unit, ceil(a.sizes[dim], unit));
        let outer = self.outer.iter().map(|dim| parts(*dim, 1)).max_by_key(|(.., parts)| *parts);
        let sides = [parts(rows, tile.rows), parts(columns, tile.vectors)];
        let side = sides.into_iter().max_by_key(|(.., parts)| *parts);
        let enough = |(.., parts): &(usize, i64, i64)| *parts >= device.units;
        let (dim, unit, parts) =
            outer.filter(enough).or(side.filter(enough)).unwrap_or_else(|| parts(lanes, width));
        Some((dim, ceil(parts, device.units).saturating_mul(unit)))
    }

    /// Coordinates of the longest reduced dimension after which the second cache would not hold what tiles of a row of tiles read again
    fn block(&self, device: &Device, again: usize, lanes: i64) -> (usize, i64) {
        let a = self.a;
        let longest = self.reduced.iter().copied().max_by_key(|dim| a.sizes[*dim]).unwrap_or(0);
        let others = self.reduced.iter().filter(|dim| **dim != longest);
        let step =
            others.fold(a.widest().saturating_mul(lanes), |all, dim| all.saturating_mul(a.sizes[*dim]));
        let step = step.saturating_mul(a.sizes[again]).max(1);
        (longest, (device.bytes(Region::L2) / 2 / step).max(STEPS))
    }

    fn schedule(&self, device: &Device, tile: Tile, vectors_outside: bool) -> Schedule {
        let Product { a, lanes, width, rows, columns, .. } = *self;
        // The operand that is larger is read once, and tiles along the other one are inside.
        let footprint = |dim: usize| {
            (0..a.inputs.len()).filter(|n| a.inputs[*n].uses(dim)).map(|n| a.footprint(n)).max().unwrap_or(0)
        };
        let mut sides = [(rows, tile.rows), (columns, tile.vectors)];
        sides.sort_by_key(|(dim, _)| std::cmp::Reverse(footprint(*dim)));
        let held = if vectors_outside { width } else { a.sizes[lanes] };
        let (longest, depth) = self.block(device, sides[1].0, held);
        let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
        steps.step(|step| {
            if let Some((dim, size)) = self.task(device, tile) {
                step.tile(dim, size, Layer::Thr, Some(Tail::Limit));
            }
        });
        steps.step(|step| {
            for dim in &self.outer {
                step.tile(*dim, 1, Layer::For, None);
            }
            if vectors_outside {
                step.tile(lanes, width, Layer::For, Some(Tail::Peel));
            }
            step.tile(longest, depth, Layer::For, Some(Tail::Limit));
        });
        steps.step(|step| {
            for (dim, size) in sides {
                step.tile(dim, size, Layer::For, Some(Tail::Peel));
            }
            step.tile(lanes, width, Layer::For, Some(Tail::Peel));
            for (n, out) in a.outputs.iter().enumerate() {
                match out.strides[lanes] {
                    Some(1) => step.output_as(n, Placement::new(Region::Reg, Vec::new())),
                    _ => step.output_as(n, turned::place(out, lanes)),
                };
            }
        });
        steps.step(|step| {
            for dim in &self.reduced {
                step.tile(*dim, 1, Layer::For, None);
            }
        });
        steps.step(|step| {
            step.tile(rows, 1, Layer::Unr, None);
            step.tile(columns, 1, Layer::Unr, None);
        });
        steps.step(|step| {
            step.tile(lanes, 1, Layer::Vec, lanes_tail(a, device, lanes, width));
        });
        steps.finish(&order(a))
    }
}
