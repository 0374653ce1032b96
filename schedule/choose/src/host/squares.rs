//! What lanes write as neighbors lies far apart where it is read: squares are copied with rows and columns exchanged.
//!
//! - [`transposed`]: nothing is reduced;
//! - [`of_results`]: nothing is reduced, and windows read neighbors;
//! - [`short_rows`]: rows that are contiguous in memory are reduced, each in a lane of its own.
//!
//! Lanes go along the dimension in which outputs are contiguous. Inputs that are contiguous along another dimension have a tile of both in
//! the first cache, laid out as the lanes need it. Such copies go through registers (`scf-transpose-copies`).
//!
//! With windows it is the other way round: lanes go along the dimension in which inputs are contiguous, and results
//! have the tile.
//!
//! Where rows of a result share lines, the latter write a KB of a row before they go to the next row ([`stretch`]).

use crate::access::{Access, Accesses};
use crate::loops::{ceil, contiguous, lanes, order, parallel, worth_threads};
use crate::steps::Steps;
use terrace_devices::{Device, Layer, Region};
use terrace_schedule_model::{Part, Placement, Schedule, Tail};

/// Vectors that a tile of results is long across the lanes: processors bring lines in pairs
const VECTORS: i64 = 2;

/// The same where results go past all caches, and rows of them begin within lines: what is written of a line by itself is merged in memory
const PAST_CACHES: i64 = 4;

/// Lines of a row of results that are written in order, where rows share lines: a store of parts of two lines waits for both, unless
/// the one before it has brought the first
const LINES: i64 = 16;

/// Least side of a square: rows of fewer elements are no better than single ones
const SIDE: i64 = 4;

/// Inputs that are strided along the lanes, and contiguous across
struct Squares<'a> {
    along: usize,
    across: usize,
    strided: Vec<&'a Access>,
}

impl<'a> Squares<'a> {
    /// Lanes go along a dimension that is contiguous in the outputs, and `fits` says what else may be exchanged with it
    fn find(a: &'a Accesses, fits: impl Fn(usize) -> bool) -> Option<Self> {
        let found = a.dims(|dim| {
            let written = a.outputs.iter().any(|out| out.strides[dim] == Some(1));
            a.kept[dim] && !a.conditioned[dim] && contiguous(&a.outputs, dim) && written
        });
        let along = found.into_iter().max_by_key(|dim| a.sizes[*dim]).filter(|_| a.lanes)?;
        let strided = a.inputs.iter().filter(|input| input.uses(along) && !input.has_lanes(along));
        let strided: Vec<&Access> = strided.collect();
        let mut found = a.dims(|dim| dim != along && !a.conditioned[dim] && fits(dim));
        found.retain(|dim| strided.iter().all(|input| exchanges(input, along, *dim)));
        let across = found.first().copied().filter(|_| !strided.is_empty())?;
        // A tile holds all that is read by its group.
        let alone = |one: &&Access| a.inputs.iter().filter(|input| input.group == one.group).count() == 1;
        strided.iter().all(alone).then_some(Squares { along, across, strided })
    }
}

/// Squares of the inputs that are strided along the lanes
pub(crate) fn transposed(a: &Accesses, device: &Device) -> Option<Schedule> {
    let squares = Squares::find(a, |dim| a.kept[dim])?;
    let kept = a.dims(|dim| !a.kept[dim]).is_empty();
    kept.then(|| schedule(a, device, (squares.along, squares.across), &squares.strided)).flatten()
}

/// Lanes across rows that are reduced: whole rows of a vector's lanes are copied, so that nothing joins lanes and no row leaves a tail
///
/// Compilers find such lanes themselves, but not where the body has functions of a library.
pub(crate) fn short_rows(a: &Accesses, device: &Device) -> Option<Schedule> {
    let Squares { along, across, strided } = Squares::find(a, |dim| a.reduced[dim] && a.functions)?;
    let width = lanes(a, device, a.sizes[along]).filter(|width| *width >= SIDE)?;
    let bytes: i64 = strided.iter().map(|input| input.bytes).sum();
    let tile = width.saturating_mul(a.sizes[across]).saturating_mul(bytes);
    if a.sizes[across] < SIDE || tile > device.bytes(Region::L1) / 2 || a.dims(|dim| !a.kept[dim]).len() > 1 {
        return None;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
    if let Some(outer) = parallel(a, device, &[along]).or_else(|| worth_threads(a, device).then_some(along)) {
        let unit = if outer == along { width } else { 1 };
        let part = ceil(ceil(a.sizes[outer], device.units), unit) * unit;
        steps.step(|step| {
            step.tile(outer, part, Layer::Thr, Some(Tail::Limit));
        });
    }
    steps.step(|step| {
        for dim in order(a).into_iter().filter(|dim| *dim != along && *dim != across) {
            step.tile(dim, 1, Layer::For, None);
        }
        step.tile(along, width, Layer::For, Some(Tail::Peel));
        for input in &strided {
            step.input(input.group, turned(input, along, across));
        }
        for out in 0..a.outs {
            step.output(out, Region::Reg);
        }
    });
    steps.step(|step| {
        step.tile(across, 1, Layer::For, None);
    });
    steps.step(|step| {
        step.tile(along, 1, Layer::Vec, None);
    });
    Some(a.groups.merge(steps.finish(&order(a))))
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

/// Elements of rows of results that are written in order, where rows along a dimension begin within lines: whole vectors, in about equal
/// parts of the row. So many tiles of so many rows take half of the first cache at most. Elements of other sizes have no squares,
/// and few rows have all of their lines at hand
fn stretch(
    a: &Accesses,
    device: &Device,
    (row, width): (usize, i64),
    (rows, tiles): (i64, usize),
) -> Option<i64> {
    let (line, size) = (device.costs.caches.line as i64, a.sizes[row]);
    let bytes = a.widest().max(1);
    let held =
        device.bytes(Region::L1) / 2 / rows.saturating_mul(tiles.max(1) as i64).saturating_mul(bytes).max(1);
    let most = (LINES * line / bytes).min(held);
    if most < width || rows < width || !matches!(bytes, 1 | 2 | 4 | 8) {
        return None;
    }
    let part = ceil(ceil(size, ceil(size, most)), width).saturating_mul(width).min(size);
    (part > width && begins_within(a, device, row)).then_some(part)
}

/// Do rows of an output along a dimension begin within lines?
fn begins_within(a: &Accesses, device: &Device, row: usize) -> bool {
    let line = (device.costs.caches.line as i64).max(1);
    a.outputs.iter().any(|out| {
        let others = (0..a.sizes.len()).filter(|dim| *dim != row && a.sizes[*dim] > 1);
        let mut apart = others.filter_map(|dim| out.strides[dim]?.checked_mul(out.bytes));
        out.uses(row) && apart.any(|bytes| bytes % line != 0)
    })
}

/// Tiles follow each other along rows of the operand: their pages and lines are read to the end while they are at hand
fn schedule(
    a: &Accesses,
    device: &Device,
    (along, across): (usize, usize),
    strided: &[&Access],
) -> Option<Schedule> {
    let width = lanes(a, device, a.sizes[along])?;
    let rows = lanes(a, device, a.sizes[across])?;
    if width.min(rows) < SIDE {
        return None;
    }
    let far = a.outputs.iter().any(|out| {
        let used = (0..a.sizes.len()).filter(|dim| out.uses(*dim));
        used.fold(out.bytes, |all, dim| all.saturating_mul(a.sizes[dim])) > device.bytes(Region::L3)
    });
    let vectors = if far && begins_within(a, device, along) { PAST_CACHES } else { VECTORS };
    let columns = width * vectors.min(a.sizes[along] / width).max(1);
    let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
    steps.step(|step| {
        // Parts of whole tiles.
        let unit = |dim: usize| match dim {
            _ if dim == along => columns,
            _ if dim == across => rows,
            _ => 1,
        };
        let outer = parallel(a, device, &[along]).or_else(|| worth_threads(a, device).then_some(along));
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
        step.tile(along, columns, Layer::For, Some(Tail::Peel));
        step.tile(across, rows, Layer::For, Some(Tail::Peel));
        for input in strided {
            step.input(input.group, turned(input, along, across));
        }
    });
    steps.step(|step| {
        step.tile(across, 1, Layer::For, None);
    });
    steps.step(|step| {
        // Copies of functions of a library would be long.
        step.tile(along, width, if a.functions { Layer::For } else { Layer::Unr }, Some(Tail::Peel));
    });
    steps.step(|step| {
        step.tile(along, 1, Layer::Vec, None);
    });
    Some(a.groups.merge(steps.finish(&order(a))))
}

/// A tile: lanes innermost, rows around them
pub(super) fn turned(access: &Access, along: usize, across: usize) -> Placement {
    let expr = |n: usize, dim: usize| access.map.results[n].uses_dim(dim as u32);
    let mut order: Vec<usize> = (0..access.map.results.len()).collect();
    order.sort_by_key(|n| (expr(*n, along), expr(*n, across)));
    Placement::new(Region::L1, order.into_iter().map(Part::Whole).collect())
}

/// Lanes where the inputs are contiguous: tiles of results are written with rows and columns exchanged
///
/// A tile of an input would have to hold all that windows read of it. One of a result holds each element once.
pub(crate) fn of_results(a: &Accesses, device: &Device) -> Option<Schedule> {
    let plain = |dim: usize| a.kept[dim] && !a.conditioned[dim];
    let last = |dim: &usize| a.outputs.iter().all(|out| out.strides[*dim] == Some(1));
    let readable = |dim: usize| a.inputs.iter().all(|input| !input.uses(dim) || input.has_lanes(dim));
    let across = a.dims(|dim| plain(dim) && last(&dim)).into_iter().next()?;
    let side = |dim: &usize| {
        let read = a.inputs.iter().any(|input| input.strides[*dim] == Some(1));
        read && readable(*dim) && a.outputs.iter().all(|out| is_turned(out, *dim))
    };
    let along = a.dims(|dim| dim != across && plain(dim)).into_iter().find(side)?;
    let whole = a.dims(|dim| !a.kept[dim] || a.conditioned[dim]).is_empty();
    if !a.tiles || !whole || readable(across) {
        return None;
    }
    let lanes_along = lanes(a, device, a.sizes[along])?;
    let lanes_across = lanes(a, device, a.sizes[across])?;
    let stretch = stretch(a, device, (across, lanes_across), (lanes_along, a.outputs.len()));
    let mut columns = stretch.unwrap_or(VECTORS * lanes_across);
    while columns > a.sizes[across] {
        columns /= 2;
    }
    if lanes_along.min(columns) < SIDE {
        return None;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
    steps.step(|step| {
        // Long rows of results would be few tasks.
        let enough = ceil(a.sizes[along], 2 * lanes_along) >= device.units;
        let side = if stretch.is_some() && enough { along } else { across };
        let outer =
            parallel(a, device, &[along, across]).or_else(|| worth_threads(a, device).then_some(side));
        if let Some(outer) = outer {
            let unit = match outer {
                _ if outer == across => 2 * columns,
                _ if outer == along => 2 * lanes_along,
                _ => 1,
            };
            let part = ceil(ceil(a.sizes[outer], device.units), unit) * unit;
            step.tile(outer, part, Layer::Thr, Some(Tail::Limit));
        }
    });
    steps.step(|step| {
        for dim in order(a).into_iter().filter(|dim| *dim != along && *dim != across) {
            step.tile(dim, 1, Layer::For, None);
        }
        // Inputs are read in order, and of each row of results some whole lines are written.
        step.tile(across, columns, Layer::For, Some(Tail::Peel));
        step.tile(along, lanes_along, Layer::For, Some(Tail::Peel));
        for (n, out) in a.outputs.iter().enumerate() {
            step.output_as(n, turned(out, along, across));
        }
    });
    if stretch.is_some() {
        steps.step(|step| {
            step.tile(across, lanes_across, Layer::For, Some(Tail::Peel));
        });
    }
    steps.step(|step| {
        step.tile(across, 1, Layer::Unr, None);
    });
    steps.step(|step| {
        step.tile(along, 1, Layer::Vec, None);
    });
    Some(a.groups.merge(steps.finish(&order(a))))
}

/// Are neighbors along a dimension apart in memory, in one subscript of their own?
pub(super) fn is_turned(out: &Access, dim: usize) -> bool {
    let along = out.map.results.iter().filter(|expr| expr.uses_dim(dim as u32));
    let factors: Vec<i64> = along.filter_map(|expr| expr.as_linear()).map(|linear| linear.dim(dim)).collect();
    factors == [1] && out.strides[dim].is_some_and(|stride| stride > 1)
}
