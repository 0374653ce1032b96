//! Products of two tensors whose lanes are short, a few vectors: what follows them in the result makes a register tile wider.
//!
//! A contraction of tensors of many dimensions has no long contiguous dimension; its operands have their reduced dimension
//! anywhere. Lanes are the result's last dimension, the vectors of a row another dimension of the same operand, rows one of
//! the other operand. Both operands are copied: so that a step of the reduction reads vectors that are next to each other,
//! and broadcasts from one line. Loops outside go through the result in order. A copy belongs to the innermost of them that it
//! depends on, or to an outer one, or is made once for all, where that would make it again and again and a cache holds all of it.

use crate::access::Accesses;
use crate::host::operand::Operand;
use crate::host::register::{self, Demand, Tile};
use crate::host::staged;
use crate::loops::{ceil, is_even, lanes_tail, vector_lanes};
use crate::steps::Steps;
use terrace_devices::{Device, Layer, Region};
use terrace_schedule_model::{Placement, Schedule, Tail};

/// Fewest rows of a tile
const ROWS: i64 = 4;

/// Schedules, where the computation is of this kind; where that may pay, one that puts together in a cache what tiles of a block have written
pub(crate) fn schedules(a: &Accesses, device: &Device, threads: bool) -> Vec<Schedule> {
    let contraction = Contraction::of(a);
    let Some(contraction) = contraction.as_ref() else { return Vec::new() };
    let staged = contraction.staged(device);
    let all = [None].into_iter().chain(staged.map(Some));
    all.filter_map(|staged| schedule(contraction, device, threads, staged)).collect()
}

fn schedule(
    contraction: &Contraction<'_>,
    device: &Device,
    threads: bool,
    staged: Option<Region>,
) -> Option<Schedule> {
    let a = contraction.a;
    let tile = contraction.tile(device)?;
    let outside = contraction.outside(device, threads);
    let copies = contraction.copies(device, &outside);
    let Contraction { lanes, columns, rows, ref reduced, .. } = *contraction;
    let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
    steps.step(|step| {
        if let Some(dim) = outside.split {
            step.tile(dim, outside.share(dim), Layer::Thr, Some(Tail::Limit));
        }
        for copy in copies.iter().filter(|copy| copy.owner.is_none()) {
            step.input(copy.group, copy.panel.clone());
        }
    });
    for dim in &outside.dims {
        steps.step(|step| {
            step.tile(*dim, 1, Layer::For, None);
            for copy in copies.iter().filter(|copy| copy.owner == Some(*dim)) {
                step.input(copy.group, copy.panel.clone());
            }
        });
    }
    steps.step(|step| {
        if let Some(region) = staged {
            step.output(0, region);
        }
    });
    let wide = tile.vectors / contraction.vectors(tile.lanes);
    steps.step(|step| {
        step.tile(rows, tile.rows, Layer::For, Some(Tail::Peel));
        step.tile(columns, wide, Layer::For, Some(Tail::Peel));
        step.output(0, Region::Reg);
    });
    steps.step(|step| {
        for dim in reduced {
            step.tile(*dim, 1, Layer::For, None);
        }
    });
    steps.step(|step| {
        step.tile(rows, 1, Layer::Unr, None);
        step.tile(columns, 1, Layer::Unr, None);
        step.tile(lanes, tile.lanes, Layer::Unr, Some(Tail::Peel));
    });
    steps.step(|step| {
        step.tile(lanes, 1, Layer::Vec, lanes_tail(a, device, lanes, tile.lanes));
    });
    Some(a.groups.merge(steps.finish(&[])))
}

/// A computation of this kind
struct Contraction<'a> {
    a: &'a Accesses,
    /// The operand that moves with the lanes
    wide: Operand,
    /// The operand that moves with the rows
    high: Operand,
    /// The result's last dimension
    lanes: usize,
    /// The dimension that makes the vectors of a row
    columns: usize,
    rows: usize,
    reduced: Vec<usize>,
}

/// Loops outside, in the result's order
struct Outside<'a> {
    a: &'a Accesses,
    dims: Vec<usize>,
    /// The one that threads divide
    split: Option<usize>,
    /// Number of threads
    threads: i64,
}

impl Outside<'_> {
    /// Coordinates of a dimension that a thread visits
    fn share(&self, dim: usize) -> i64 {
        match Some(dim) == self.split {
            true => ceil(self.a.sizes[dim], self.threads),
            false => self.a.sizes[dim],
        }
    }
}

/// A copy of an operand, and the loop outside that makes it: `None` once for all
struct Copied {
    group: usize,
    owner: Option<usize>,
    panel: Placement,
}

/// How far apart a dimension's coordinates are in the output
fn far(a: &Accesses, dim: usize) -> i64 {
    a.outputs[0].strides[dim].unwrap_or(i64::MAX)
}

impl<'a> Contraction<'a> {
    fn of(a: &'a Accesses) -> Option<Contraction<'a>> {
        let ([one, two], [out]) = (a.inputs.as_slice(), a.outputs.as_slice()) else { return None };
        if !a.tiles || a.conditioned.iter().any(|it| *it) || one.group == two.group {
            return None;
        }
        let reduced = a.dims(|dim| a.reduced[dim]);
        let lanes = a.dims(|dim| a.kept[dim] && out.strides[dim] == Some(1)).into_iter().next()?;
        let (wide, high) = match (one.uses(lanes), two.uses(lanes)) {
            (true, false) => (Operand::of(one)?, Operand::of(two)?),
            (false, true) => (Operand::of(two)?, Operand::of(one)?),
            _ => return None,
        };
        let own = |operand: &Operand, other: &Operand| {
            a.dims(|dim| a.kept[dim] && dim != lanes && operand.uses(dim) && !other.uses(dim))
        };
        let columns = own(&wide, &high).into_iter().min_by_key(|dim| far(a, *dim))?;
        let high_enough = |dim: &usize| a.sizes[*dim] >= ROWS;
        let rows = own(&high, &wide).into_iter().filter(high_enough).min_by_key(|dim| far(a, *dim))?;
        if reduced.is_empty() || reduced.iter().any(|dim| !wide.uses(*dim) || !high.uses(*dim)) {
            return None;
        }
        Some(Contraction { a, wide, high, lanes, columns, rows, reduced })
    }

    /// The cache that all rows, columns and lanes are put together in, where that pays
    fn staged(&self, device: &Device) -> Option<Region> {
        let inside = |dim: usize| [self.lanes, self.columns, self.rows].contains(&dim);
        staged::cache(self.a, device, |dim| if inside(dim) { self.a.sizes[dim] } else { 1 })
    }

    /// Vectors along the lanes
    fn vectors(&self, lanes: i64) -> i64 {
        ceil(self.a.sizes[self.lanes], lanes)
    }

    /// The register tile, where a few vectors are all lanes: what they leave is one more
    fn tile(&self, device: &Device) -> Option<Tile> {
        let a = self.a;
        let lanes = vector_lanes(a, device, self.lanes)?;
        let each = self.vectors(lanes);
        let demand = Demand {
            rows: a.sizes[self.rows],
            columns: a.sizes[self.columns] * each * lanes,
            lanes,
            most: i64::MAX,
            pads: false,
            window: None,
            shared: None,
            turned: None,
            shuffled: false,
        };
        register::choices(device, &demand).into_iter().find(|tile| tile.vectors % each == 0)
    }

    fn outside(&self, device: &Device, threads: bool) -> Outside<'a> {
        let a = self.a;
        let mut dims = a.dims(|dim| a.kept[dim] && ![self.lanes, self.columns, self.rows].contains(&dim));
        dims.sort_by_key(|dim| std::cmp::Reverse(far(a, *dim)));
        let split = dims
            .iter()
            .copied()
            .find(|dim| is_even(a.sizes[*dim], device.units))
            .or_else(|| dims.iter().copied().find(|dim| a.sizes[*dim] >= device.units))
            .filter(|_| threads);
        Outside { a, dims, split, threads: device.units }
    }

    /// Both operands' copies; what would be made again and again is made once for as many loops outside as the second cache has room for
    fn copies(&self, device: &Device, outside: &Outside<'_>) -> [Copied; 2] {
        let mut room = device.bytes(Region::L2) * 3 / 4;
        let mut owner = |operand: &Operand| -> Option<usize> {
            let needs: Vec<usize> = outside.dims.iter().copied().filter(|dim| operand.uses(*dim)).collect();
            if outside.dims.starts_with(&needs) {
                return needs.last().copied();
            }
            // Loops that the operand moves with, before the first that it does not.
            let shared = outside.dims.iter().zip(&needs).take_while(|(dim, need)| dim == need).count();
            for n in 0..=shared {
                let (around, _) = outside.dims.split_at(n);
                let inside = operand.dims.iter().filter(|dim| !around.contains(dim));
                let bytes =
                    inside.fold(self.a.widest(), |bytes, dim| bytes.saturating_mul(outside.share(*dim)));
                if bytes <= room {
                    room -= bytes;
                    return around.last().copied();
                }
            }
            needs.last().copied()
        };
        let wide = [&self.reduced[..], &[self.columns, self.lanes]].concat();
        let high = [&self.reduced[..], &[self.rows]].concat();
        [(&self.wide, wide), (&self.high, high)].map(|(operand, innermost)| Copied {
            group: operand.group,
            owner: owner(operand),
            panel: operand.panel(&innermost),
        })
    }
}
