//! Nothing is reduced, and what lanes write as neighbors lies far apart where it is read: squares are copied with rows and columns exchanged.
//!
//! Lanes go along the dimension in which outputs are contiguous. Inputs that are contiguous along another dimension have a tile of both in
//! the first cache, laid out as the lanes need it. Such copies go through registers (`scf-transpose-copies`).

use crate::access::{Access, Accesses};
use crate::loops::{ceil, contiguous, lanes, order, parallel, worth_threads};
use crate::steps::Steps;
use terrace_devices::{Device, Layer, Region};
use terrace_schedule_model::{Part, Placement, Schedule, Tail};

/// Vectors that a tile is long across the lanes: two use more of each line that is read
const VECTORS: i64 = 2;

/// Least side of a square: rows of fewer elements are no better than single ones
const SIDE: i64 = 4;

/// Squares of the inputs that are strided along the lanes
pub(crate) fn transposed(a: &Accesses, device: &Device) -> Option<Schedule> {
    let plain = |dim: usize| a.kept[dim] && !a.conditioned[dim];
    let found = a.dims(|dim| {
        plain(dim) && contiguous(&a.outputs, dim) && a.outputs.iter().any(|out| out.strides[dim] == Some(1))
    });
    let along = found.into_iter().max_by_key(|dim| a.sizes[*dim]).filter(|_| a.lanes)?;
    let strided: Vec<&Access> =
        a.inputs.iter().filter(|input| input.uses(along) && !input.has_lanes(along)).collect();
    let mut found = a.dims(|dim| dim != along && plain(dim));
    found.retain(|dim| strided.iter().all(|input| exchanges(input, along, *dim)));
    let across = found.first().copied().filter(|_| !strided.is_empty())?;
    // A tile holds all that is read of its buffer.
    let alone = |one: &&Access| a.inputs.iter().filter(|input| input.buffer == one.buffer).count() == 1;
    if a.dims(|dim| !a.kept[dim]).is_empty() && strided.iter().all(alone) {
        return schedule(a, device, (along, across), &strided);
    }
    None
}

/// Is an input contiguous along one dimension, and are its rows apart along another?
fn exchanges(input: &Access, along: usize, across: usize) -> bool {
    let moves = |dim: usize| {
        let used = input.map.results.iter().enumerate().filter(|(_, expr)| expr.uses_dim(dim as u32));
        let used: Vec<(usize, i64)> =
            used.filter_map(|(n, expr)| Some((n, expr.as_linear()?.dim(dim)))).collect();
        used.first().copied().filter(|(_, factor)| used.len() == 1 && *factor == 1)
    };
    match (moves(along), moves(across)) {
        (Some((row, _)), Some((column, _))) => {
            row != column && input.strides[across] == Some(1) && input.plain
        }
        _ => false,
    }
}

fn schedule(
    a: &Accesses,
    device: &Device,
    (along, across): (usize, usize),
    strided: &[&Access],
) -> Option<Schedule> {
    let width = lanes(a, device, a.sizes[along])?;
    // Copies of functions of a library would be long.
    let vectors = if a.functions { 1 } else { VECTORS };
    let mut rows = vectors * lanes(a, device, a.sizes[across])?;
    while rows > a.sizes[across] {
        rows /= 2;
    }
    if width.min(rows) < SIDE {
        return None;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    steps.step(|step| {
        // Parts of whole tiles.
        let unit = |dim: usize| match dim {
            _ if dim == along => width,
            _ if dim == across => rows,
            _ => 1,
        };
        let outer = parallel(a, device, &[along]).or_else(|| worth_threads(a).then_some(along));
        if let Some(outer) = outer {
            let part = ceil(ceil(a.sizes[outer], device.units), unit(outer)) * unit(outer);
            // A limit on a tile itself would leave its length open, and squares have constant sides.
            let part = if outer == across { part.max(2 * rows) } else { part };
            step.tile(outer, part, Layer::Thr, Some(Tail::Limit));
        }
    });
    steps.step(|step| {
        for dim in order(a).into_iter().filter(|dim| *dim != along && *dim != across) {
            step.tile(dim, 1, Layer::For, None);
        }
        step.tile(across, rows, Layer::For, Some(Tail::Peel));
        step.tile(along, width, Layer::For, Some(Tail::Peel));
        for input in strided {
            step.input(input.buffer, place(input, along, across));
        }
    });
    steps.step(|step| {
        step.tile(across, 1, Layer::Unr, None);
    });
    steps.step(|step| {
        step.tile(along, 1, Layer::Vec, None);
    });
    Some(steps.finish(&order(a)))
}

/// The tile of an input: lanes innermost, rows around them
fn place(input: &Access, along: usize, across: usize) -> Placement {
    let expr = |n: usize, dim: usize| input.map.results[n].uses_dim(dim as u32);
    let mut order: Vec<usize> = (0..input.map.results.len()).collect();
    order.sort_by_key(|n| (expr(*n, along), expr(*n, across)));
    Placement::new(Region::L1, order.into_iter().map(Part::Whole).collect())
}
