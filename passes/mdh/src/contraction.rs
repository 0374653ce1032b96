//! Products of two tensors whose lanes are short: what follows them in the result makes the vectors of a register tile.
//!
//! A contraction of tensors of many dimensions has no long contiguous dimension; its operands have their reduced dimension
//! anywhere. Lanes are the result's last dimension, the vectors of a row another dimension of the same operand, rows one of
//! the other operand. Both operands are copied: so that a step of the reduction reads vectors that are next to each other,
//! and broadcasts from one line. Loops outside go through the result in order. A copy belongs to the innermost of them that it
//! depends on, or is made once for all where that would make it again and again and a cache holds it whole.

use crate::access::{Access, Accesses};
use crate::register::{self, Demand};
use crate::steps::Steps;
use terrace_devices::{Device, Layer, Region};
use terrace_dialect_mdh::schedule::{Part, Placement, Schedule, Tail};

/// Fewest rows of a tile
const ROWS: i64 = 4;

/// An operand: its number, and which of its dimensions moves with which of the computation's
struct Operand {
    group: usize,
    /// Dimension of the computation per dimension of the buffer
    dims: Vec<usize>,
}

impl Operand {
    fn of(access: &Access) -> Option<Operand> {
        let mut dims = Vec::new();
        for expr in &access.map.results {
            let linear = expr.as_linear().filter(|linear| linear.constant == 0)?;
            let used: Vec<usize> = (0..access.strides.len()).filter(|dim| linear.dim(*dim) != 0).collect();
            let [dim] = used.as_slice() else { return None };
            if linear.dim(*dim) != 1 || dims.contains(dim) {
                return None;
            }
            dims.push(*dim);
        }
        access.plain.then_some(Operand { group: access.group, dims })
    }

    fn uses(&self, dim: usize) -> bool {
        self.dims.contains(&dim)
    }

    /// A copy with these dimensions innermost, in this order
    fn panel(&self, innermost: &[usize]) -> Placement {
        let rank = |dim: &usize| innermost.iter().position(|other| other == dim).map_or(0, |n| n + 1);
        let mut order: Vec<usize> = (0..self.dims.len()).collect();
        order.sort_by_key(|n| rank(&self.dims[*n]));
        Placement::new(Region::L2, order.into_iter().map(Part::Whole).collect())
    }
}

/// The schedule, where the computation is of this kind
pub(crate) fn schedule(a: &Accesses, device: &Device, threads: bool) -> Option<Schedule> {
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
    let far = |dim: usize| out.strides[dim].unwrap_or(i64::MAX);
    let own = |operand: &Operand, other: &Operand| {
        a.dims(|dim| a.kept[dim] && dim != lanes && operand.uses(dim) && !other.uses(dim))
    };
    let beside = own(&wide, &high).into_iter().min_by_key(|dim| far(*dim))?;
    let rows =
        own(&high, &wide).into_iter().filter(|dim| a.sizes[*dim] >= ROWS).min_by_key(|dim| far(*dim))?;
    if reduced.is_empty() || reduced.iter().any(|dim| !wide.uses(*dim) || !high.uses(*dim)) {
        return None;
    }
    let width = device.vector_bytes / a.widest();
    if a.sizes[lanes] != width {
        return None;
    }
    let demand = Demand {
        rows: a.sizes[rows],
        columns: a.sizes[beside] * width,
        bytes: a.widest(),
        most: i64::MAX,
        pads: false,
        window: None,
    };
    let tile = register::choose(device, &demand)?;

    // Loops outside, the result's order.
    let mut outside = a.dims(|dim| a.kept[dim] && ![lanes, beside, rows].contains(&dim));
    outside.sort_by_key(|dim| std::cmp::Reverse(far(*dim)));
    let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
    let split = outside.iter().copied().find(|dim| a.sizes[*dim] >= device.units).filter(|_| threads);
    let share = |dim: usize| match Some(dim) == split {
        true => (a.sizes[dim] as u64).div_ceil(device.units.max(1) as u64) as i64,
        false => a.sizes[dim],
    };

    // Where each copy is made: `None` once for all.
    let mut room = device.bytes(Region::L2) * 3 / 4;
    let mut owner = |operand: &Operand| -> Option<usize> {
        let needs: Vec<usize> = outside.iter().copied().filter(|dim| operand.uses(*dim)).collect();
        let again = !outside.starts_with(&needs);
        let whole: i64 = operand.dims.iter().map(|dim| share(*dim)).product::<i64>() * a.widest();
        if again && whole <= room {
            room -= whole;
            return None;
        }
        needs.last().copied()
    };
    let wide_panel = wide.panel(&[&reduced[..], &[beside, lanes]].concat());
    let high_panel = high.panel(&[&reduced[..], &[rows]].concat());
    let copies = [(wide.group, owner(&wide), wide_panel), (high.group, owner(&high), high_panel)];
    steps.step(|step| {
        if let Some(dim) = split {
            step.tile(dim, share(dim), Layer::Thr, Some(Tail::Limit));
        }
        for (group, _, place) in copies.iter().filter(|(_, owner, _)| owner.is_none()) {
            step.input(*group, place.clone());
        }
    });
    for dim in &outside {
        steps.step(|step| {
            step.tile(*dim, 1, Layer::For, None);
            for (group, _, place) in copies.iter().filter(|(_, owner, _)| *owner == Some(*dim)) {
                step.input(*group, place.clone());
            }
        });
    }
    steps.step(|step| {
        step.tile(rows, tile.rows, Layer::For, Some(Tail::Peel));
        step.tile(beside, tile.vectors, Layer::For, Some(Tail::Peel));
        step.output(0, Region::Reg);
    });
    steps.step(|step| {
        for dim in &reduced {
            step.tile(*dim, 1, Layer::For, None);
        }
    });
    steps.step(|step| {
        step.tile(rows, 1, Layer::Unr, None);
        step.tile(beside, 1, Layer::Unr, None);
    });
    steps.step(|step| {
        step.tile(lanes, 1, Layer::Vec, None);
    });
    Some(a.groups.merge(steps.finish(&[])))
}
