//! Schedules where memory decides, or nothing is used again: one pass over what is read, several rows of it at once.
//!
//! - [`along_kept`]: nothing is reduced; rows of accesses that are shifted against each other are computed together;
//! - [`along_reduced`]: several vectors of accumulators along a contiguous dimension;
//! - [`down`]: sums of columns, a few rows at a time;
//! - [`tuples`]: each lane carries what it combines;
//! - [`tuples_along_reduced`]: the same along a contiguous reduced dimension, and lanes are joined.

use crate::access::{Access, Accesses};
use crate::generator::Proposals;
use crate::host::register::Tile;
use crate::loops::{
    ceil, contiguous, is_partial, lanes, lanes_tail, order, parallel, vector_lanes, worth_threads,
};
use crate::steps::Steps;
use terrace_devices::{Device, Layer, Region};
use terrace_schedule_model::{Placement, Schedule, Tail};
use terrace_support::affine::AffineExpr;

/// Most rows that memory is read in at once
const STREAMS: usize = 16;

/// Rows of a reduction that are read at once where nothing is used again
const ROWS: i64 = 4;

/// Bytes of a row that a thread reads in order: much less, and memory is read at four fifths of its rate
const STRETCH: i64 = 2048;

/// Lines of a row that outweigh its ends
const LINES: i64 = 16;

/// Vectors of accumulators of a reduction
const ACCUMULATORS: i64 = 8;

/// Vectors of tuples that are carried at once: an operator is several ops, each of which waits for the one before
const TUPLES: i64 = 4;

/// Longest reduction of tuples in order that LLVM unrolls whole: it then takes lanes across rows, which nothing has to join
const UNROLLED: i64 = 10;

/// Points of a task of a whole reduction
pub(crate) const TASK_POINTS: i64 = 1 << 15;

/// Tuples are carried along the reduced dimensions, by each lane its own. Inputs that lanes cannot read where they lie are copied first
pub(crate) fn tuples(a: &Accesses, device: &Device) -> Option<Schedule> {
    let plain =
        a.prefixes.iter().all(|prefix| !prefix) && a.conditioned.iter().all(|conditioned| !conditioned);
    let written = |dim: usize| a.kept[dim] && a.outputs.iter().all(|out| out.strides[dim] == Some(1));
    // Of two dimensions the one along which nothing is copied; then the longer one.
    let by_use = |dim: &usize| (contiguous(&a.inputs, *dim), a.sizes[*dim]);
    let dim = a.dims(written).into_iter().max_by_key(by_use).filter(|_| plain)?;
    let lanes = lanes(a, device, a.sizes[dim])?;
    let copied = turned_tuples(a, device, (dim, lanes))?;
    let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
    steps.step(|step| {
        if let Some(outer) = parallel(a, device, &[dim]) {
            step.tile(outer, ceil(a.sizes[outer], device.units), Layer::Thr, Some(Tail::Limit));
        } else if worth_threads(a, device) {
            let part = ceil(ceil(a.sizes[dim], device.units), lanes) * lanes;
            step.tile(dim, part, Layer::Thr, Some(Tail::Limit));
        }
    });
    let rest = a.dims(|other| a.kept[other] && other != dim);
    steps.step(|step| {
        for other in rest {
            step.tile(other, 1, Layer::For, None);
        }
        step.tile(dim, lanes, Layer::For, Some(Tail::Peel));
        for (group, place) in copied {
            step.input(group, place);
        }
    });
    steps.step(|step| {
        step.tile(dim, 1, Layer::Vec, None);
    });
    Some(a.groups.merge(steps.finish(&order(a))))
}

/// Copies of what lanes along a dimension cannot read where it lies, by access group: for a vector's lanes, in the first cache. None where they
/// do not fit, or cannot be made
fn turned_tuples(
    a: &Accesses,
    device: &Device,
    (dim, lanes): (usize, i64),
) -> Option<Vec<(usize, Placement)>> {
    let mut all: Vec<(usize, Placement)> = Vec::new();
    let mut bytes = 0i64;
    for input in a.inputs.iter().filter(|input| !matches!(input.strides[dim], Some(0 | 1))) {
        let along = input.map.results.iter().filter(|expr| expr.uses_dim(dim as u32));
        let factors: Vec<i64> =
            along.filter_map(|expr| expr.as_linear()).map(|linear| linear.dim(dim)).collect();
        (input.plain && input.linear() && factors == [1]).then_some(())?;
        let reduced = a.dims(|other| a.reduced[other] && input.uses(other));
        let rows = reduced.iter().fold(input.bytes, |all, other| all.saturating_mul(a.sizes[*other]));
        bytes = bytes.saturating_add(rows.saturating_mul(lanes));
        if all.iter().all(|(group, _)| *group != input.group) {
            all.push((input.group, super::squares::turned(input, dim, dim)));
        }
    }
    (bytes <= device.bytes(Region::L1) / 2).then_some(all)
}

/// Each lane carries a tuple of its own along a contiguous reduced dimension; then lanes are joined
pub(crate) fn tuples_along_reduced(a: &Accesses, device: &Device) -> Option<Schedule> {
    let plain =
        a.prefixes.iter().all(|prefix| !prefix) && a.conditioned.iter().all(|conditioned| !conditioned);
    if !plain || !a.functions_commute {
        return None;
    }
    let mut found = a.dims(|dim| a.reduced[dim] && contiguous(&a.inputs, dim));
    found.retain(|dim| a.inputs.iter().any(|input| input.strides[*dim] == Some(1)));
    let dim = found.into_iter().max_by_key(|dim| a.sizes[*dim])?;
    let lanes = lanes(a, device, a.sizes[dim])?;
    if a.sizes[dim] <= UNROLLED {
        return None;
    }
    // Of a long reduction twice as many: what joins them counts for nothing.
    let most = if a.sizes[dim] >= 2 * TUPLES * lanes * STRIP_STEPS { 2 * TUPLES } else { TUPLES };
    // Half of the registers are for tuples: an operator needs the others.
    let most = most.min(device.registers / (2 * a.outs as i64).max(1)).max(1);
    let vectors = fitting(most, lanes, a.sizes[dim]);
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    let alone = a.dims(|_| true) == [dim];
    match parallel(a, device, &[]) {
        Some(outer) => steps.step(|step| {
            step.tile(outer, ceil(a.sizes[outer], device.units), Layer::Thr, Some(Tail::Limit));
        }),
        // Lanes take whole parts; what is left behind these is less than a vector's share for each task.
        None if alone && worth_threads(a, device) => {
            let unit = vectors * lanes;
            let tasks = (a.sizes[dim] / TASK_POINTS).max(2);
            steps.step(|step| {
                step.tile(dim, (a.sizes[dim] / tasks / unit).max(1) * unit, Layer::Thr, Some(Tail::Peel));
            });
        }
        None => {}
    }
    Some(accumulators(a, steps, (dim, order(a)), (vectors, lanes)))
}

/// Nothing is reduced, or what is has no contiguous form: lanes along a kept dimension; rows that read the same together, or each row alone
pub(crate) fn along_kept(a: &Accesses, device: &Device, together: bool) -> Option<Schedule> {
    let readable = |dim: usize| a.inputs.iter().all(|input| !input.uses(dim) || input.has_lanes(dim));
    let fits = |dim: &usize| contiguous(&a.outputs, *dim) && readable(*dim);
    let lanes_along = |dim: usize| a.lanes || a.gathers_on_lanes[dim];
    let mut found = a.dims(|dim| a.kept[dim] && !a.conditioned[dim] && lanes_along(dim) && fits(&dim));
    found.retain(|dim| a.outputs.iter().any(|out| out.strides[*dim] == Some(1)));
    let dim = found.into_iter().max_by_key(|dim| a.sizes[*dim])?;
    let lanes = vector_lanes(a, device, dim)?;
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    match parallel(a, device, &[dim]) {
        Some(outer) => steps.step(|step| {
            step.tile(outer, ceil(a.sizes[outer], device.units), Layer::Thr, Some(Tail::Limit));
        }),
        None if worth_threads(a, device) => steps.step(|step| {
            let part = ceil(ceil(a.sizes[dim], device.units), lanes) * lanes;
            step.tile(dim, part, Layer::Thr, Some(Tail::Limit));
        }),
        None => {}
    }
    let rest: Vec<usize> = order(a).into_iter().filter(|other| *other != dim && a.kept[*other]).collect();
    let window = Window::of(a, dim).filter(|_| together).unwrap_or_default();
    // A whole line of each row: a buffer of the processor for it is flushed when others are needed, and half of one is written as such.
    let line = device.costs.caches.line as i64 / (lanes * a.widest()).max(1);
    // Functions need the registers.
    let alone = a.functions && window.dims.is_empty();
    let vectors = if alone { 1 } else { line.clamp(1, (a.sizes[dim] / lanes).max(1)) };
    if let Some((between, rows)) = window.kept(a, device, dim) {
        steps.step(|step| {
            step.tile(between, rows, Layer::For, Some(Tail::Limit));
        });
    }
    steps.step(|step| {
        for other in rest {
            let rows = window.rows(other);
            step.tile(other, rows.unwrap_or(1), Layer::For, rows.map(|_| Tail::Peel));
        }
        step.tile(dim, lanes * vectors, Layer::For, Some(Tail::Peel));
    });
    steps.step(|step| {
        for (shifted, _) in &window.dims {
            step.tile(*shifted, 1, Layer::Unr, None);
        }
    });
    steps.step(|step| {
        step.tile(dim, lanes, Layer::Unr, Some(Tail::Peel));
    });
    steps.step(|step| {
        step.tile(dim, 1, Layer::Vec, lanes_tail(a, device, dim, lanes));
    });
    Some(steps.finish(&order(a)))
}

/// Dimensions along which accesses of one buffer are shifted against each other, from the outside, and how many rows along each
/// are computed together: so that a row is read once for all of them, and memory serves several streams
#[derive(Default)]
struct Window {
    dims: Vec<(usize, i64)>,
}

impl Window {
    fn of(a: &Accesses, lanes: usize) -> Option<Window> {
        // A row that does not move with a dimension is not shifted along it: a cache has it for the next one.
        let shifted = |dim: usize| {
            let inputs = a.inputs.iter().filter(|input| input.uses(dim)).cloned().collect();
            let moving = Accesses { inputs, ..a.clone() };
            let rows = |count: i64| streams(&moving, lanes, &[(dim, count)], None);
            rows(1).zip(rows(2)).is_some_and(|(one, two)| two < 2 * one)
        };
        let fits = |dim: &usize| *dim != lanes && a.kept[*dim] && !a.conditioned[*dim];
        let mut found = order(a).into_iter().filter(fits).filter(|dim| shifted(*dim));
        let first = found.next()?;
        let rows = |dim: usize| ROWS_TOGETHER.into_iter().filter(move |rows| *rows <= a.sizes[dim]);
        let Some(second) = found.next() else {
            let few =
                |rows: &i64| streams(a, lanes, &[(first, *rows)], None).is_some_and(|all| all <= STREAMS);
            let rows = rows(first).filter(|rows| *rows > 1).find(few)?;
            return Some(Window { dims: vec![(first, rows)] });
        };
        // Least rows that are read for each that is computed; of the same, more along the first.
        let mut best: Option<(i64, i64, Vec<(usize, i64)>)> = None;
        for along in rows(first) {
            for across in rows(second).filter(|across| along * across <= ROWS_TOGETHER[0]) {
                let dims = vec![(first, along), (second, across)];
                let read = streams(a, lanes, &dims, None)? as i64;
                if best.as_ref().is_none_or(|(least, of, _)| read * of < least * (along * across)) {
                    best = Some((read, along * across, dims));
                }
            }
        }
        let (.., dims) = best?;
        Some(Window { dims: dims.into_iter().filter(|(_, rows)| *rows > 1).collect() })
    }

    /// Rows along a dimension that are computed together
    fn rows(&self, dim: usize) -> Option<i64> {
        self.dims.iter().find(|(shifted, _)| *shifted == dim).map(|(_, rows)| *rows)
    }

    /// What the next rows along the first dimension read again stays in the second cache only if the second dimension is visited
    /// in parts: of how many rows
    fn kept(&self, a: &Accesses, device: &Device, lanes: usize) -> Option<(usize, i64)> {
        let [(first, along), (second, across)] = self.dims[..] else { return None };
        let planes = streams(a, lanes, &[(first, along)], Some(second))? as i64;
        let row = a.sizes[lanes].saturating_mul(a.widest()).saturating_mul(planes).max(1);
        let most = device.bytes(Region::L2) / 2 / row;
        let rows = 1i64 << most.max(1).ilog2();
        (rows < a.sizes[second] && rows >= SHORTEST * across).then_some((second, rows))
    }
}

/// Steps of a strip, or of a part of the rows, that outweigh joining its accumulators
const STRIP_STEPS: i64 = 16;

/// Least parts of a dimension, in rows that are computed together: in shorter ones what lies around them counts
const SHORTEST: i64 = 8;

/// How many rows may be computed together: more have more results than the processor has buffers for what goes past its caches
const ROWS_TOGETHER: [i64; 4] = [8, 4, 2, 1];

/// Rows that are read for so many coordinates of dimensions, where all others are at their start: kept apart by all axes but the
/// lanes', and but those of one more dimension
fn streams(a: &Accesses, lanes: usize, along: &[(usize, i64)], without: Option<usize>) -> Option<usize> {
    let mut all: Vec<(usize, Vec<i64>)> = Vec::new();
    for access in a.inputs.iter().filter(|access| access.uses(lanes)) {
        let axes = access.map.results.iter().filter(|expr| {
            !expr.uses_dim(lanes as u32) && without.is_none_or(|dim| !expr.uses_dim(dim as u32))
        });
        let axes: Vec<_> = axes.map(AffineExpr::as_linear).collect::<Option<_>>()?;
        let mut rows: Vec<Vec<i64>> = vec![axes.iter().map(|axis| axis.constant).collect()];
        for (dim, count) in along {
            let moved = |row: &Vec<i64>| {
                let row = row.clone();
                let at = |n: i64| row.iter().zip(&axes).map(|(at, axis)| at + axis.dim(*dim) * n).collect();
                (0..*count).map(at).collect::<Vec<Vec<i64>>>()
            };
            rows = rows.iter().flat_map(moved).collect();
        }
        all.extend(rows.into_iter().map(|row| (access.buffer, row)));
    }
    all.sort();
    all.dedup();
    Some(all.len())
}

/// Accumulators along a contiguous reduced dimension: of all of it, then of strips that the first cache holds, where they are read again
pub(crate) fn along_reduced(a: &Accesses, device: &Device, to: &mut Proposals) {
    to.add(masked_along_reduced(a, device));
    let loops = in_memory(a, device);
    to.add(strips_along_reduced(a, device, (i64::MAX, loops.clone()), parts_in_memory(a, device, &loops)));
    to.add(strips_along_reduced(a, device, (i64::MAX, loops), None));
    to.add(strips_along_reduced(a, device, (i64::MAX, order(a)), None));
    if let Some(strip) = strip(a, device) {
        to.add(strips_along_reduced(a, device, (strip, order(a)), None));
    }
}

/// Dimensions in the order in which the largest input lies in memory, where the first cache holds all results: rows of it that are
/// neighbors are read one after another then, also where a reduced dimension is around a kept one
fn in_memory(a: &Accesses, device: &Device) -> Vec<usize> {
    let mut all = order(a);
    let results =
        a.dims(|dim| a.kept[dim]).iter().fold(a.widest(), |all, dim| all.saturating_mul(a.sizes[*dim]));
    let largest = (0..a.inputs.len()).max_by_key(|n| a.footprint(*n)).map(|n| &a.inputs[n]);
    if let Some(input) = largest.filter(|input| input.linear() && results <= device.bytes(Region::L1) / 2) {
        all.sort_by_key(|dim| std::cmp::Reverse(input.strides[*dim].map_or(0, i64::abs)));
    }
    all
}

/// Tasks over the outermost dimension in memory where that is reduced and no cache holds the input: each reads one stretch. With parts of a kept
/// dimension each would read a stretch of every coordinate, and what is read ahead of one would not be the next
fn parts_in_memory(a: &Accesses, device: &Device, loops: &[usize]) -> Option<(usize, i64)> {
    let outermost = loops.iter().copied().find(|dim| a.sizes[*dim] > 1)?;
    let far = (0..a.inputs.len()).any(|n| a.footprint(n) > device.bytes(Region::L3));
    let several = !a.dims(|dim| a.kept[dim]).is_empty() && a.sizes[outermost] >= device.units;
    let can = far && several && a.reduced[outermost] && !a.conditioned[outermost] && worth_threads(a, device);
    can.then(|| (outermost, ceil(a.sizes[outermost], device.units)))
}

/// Elements of a row that the first cache holds, where an input is read for each coordinate of a kept dimension
fn strip(a: &Accesses, device: &Device) -> Option<i64> {
    let kept = a.dims(|dim| a.kept[dim]);
    let again = a.inputs.iter().filter(|input| kept.iter().any(|dim| !input.uses(*dim)));
    let bytes: i64 = again
        .filter(|input| a.dims(|dim| a.reduced[dim] && input.uses(dim)).len() == 1)
        .map(|input| input.bytes)
        .sum();
    (bytes > 0).then(|| device.bytes(Region::L1) / 2 / bytes)
}

/// The longest reduced dimension in which the inputs are contiguous
fn contiguous_reduced(a: &Accesses) -> Option<usize> {
    let mut found = a.dims(|dim| a.reduced[dim] && !a.conditioned[dim] && contiguous(&a.inputs, dim));
    found.retain(|dim| a.inputs.iter().any(|input| input.strides[*dim] == Some(1)));
    found.into_iter().max_by_key(|dim| a.sizes[*dim]).filter(|_| a.reorders)
}

/// Short rows, whose last vector is masked: what is left of a row would be several vectors of powers of two, and the lanes of each are merged
fn masked_along_reduced(a: &Accesses, device: &Device) -> Option<Schedule> {
    let dim = contiguous_reduced(a)?;
    let lanes = lanes(a, device, a.sizes[dim])?;
    let (short, left) = ((lanes..=ACCUMULATORS * lanes).contains(&a.sizes[dim]), a.sizes[dim] % lanes);
    // Shorter pieces take less than a vector that is mostly masked.
    let full = 4 * left >= 3 * lanes && is_partial(a, device, dim, left);
    if !short || !full || a.dims(|dim| a.kept[dim]).is_empty() {
        return None;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    steps.step(|step| {
        if let Some(outer) = parallel(a, device, &[]) {
            step.tile(outer, ceil(a.sizes[outer], device.units), Layer::Thr, Some(Tail::Limit));
        }
    });
    steps.step(|step| {
        for other in order(a).into_iter().filter(|other| *other != dim) {
            step.tile(other, 1, Layer::For, None);
        }
    });
    steps.step(|step| {
        step.tile(dim, lanes, Layer::Unr, Some(Tail::Limit));
    });
    steps.step(|step| {
        step.tile(dim, 1, Layer::Vec, None);
    });
    Some(steps.finish(&order(a)))
}

fn strips_along_reduced(
    a: &Accesses,
    device: &Device,
    (strip, loops): (i64, Vec<usize>),
    task: Option<(usize, i64)>,
) -> Option<Schedule> {
    let dim = contiguous_reduced(a)?;
    // With less than half of a vector the join outweighs the rest, and in order LLVM takes lanes across rows.
    if 2 * a.sizes[dim] * a.widest() < device.vector_bytes && !a.functions {
        return None;
    }
    let lanes = lanes(a, device, a.sizes[dim])?;
    let vectors = fitting(ACCUMULATORS, lanes, a.sizes[dim]);
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    let whole = a.dims(|dim| a.kept[dim]).is_empty();
    let kept = || parallel(a, device, &[]).map(|outer| (outer, ceil(a.sizes[outer], device.units)));
    match task.filter(|(outer, _)| *outer != dim).or_else(kept) {
        Some((outer, size)) => steps.step(|step| {
            step.tile(outer, size, Layer::Thr, Some(Tail::Limit));
        }),
        // Partial results do not depend on the number of threads.
        None if whole && worth_threads(a, device) => {
            let unit = vectors * lanes;
            let outermost =
                a.dims(|dim| a.reduced[dim] && !a.conditioned[dim]).first().copied().unwrap_or(dim);
            let inner = (a.points() / a.sizes[outermost].max(1)).max(1);
            let part = TASK_POINTS.min(ceil(a.points(), 2)) / inner;
            let part = if outermost == dim { ceil(part, unit) * unit } else { part.max(1) };
            steps.step(|step| {
                step.tile(outermost, part, Layer::Thr, Some(Tail::Limit));
            });
        }
        None => {}
    }
    let unit = vectors * lanes;
    steps.step(|step| {
        step.tile(dim, (strip / unit).max(STRIP_STEPS).saturating_mul(unit), Layer::For, Some(Tail::Peel));
    });
    Some(accumulators(a, steps, (dim, loops), (vectors, lanes)))
}

/// Vectors that an extent fills: at most so many, halved until they fit
fn fitting(most: i64, lanes: i64, extent: i64) -> i64 {
    let mut vectors = most;
    while vectors > 1 && vectors * lanes > extent {
        vectors /= 2;
    }
    vectors
}

/// Several vectors of accumulators along a dimension, one step of all others after another, in this order
fn accumulators(
    a: &Accesses,
    mut steps: Steps,
    (dim, loops): (usize, Vec<usize>),
    (vectors, lanes): (i64, i64),
) -> Schedule {
    let others: Vec<usize> = loops.into_iter().filter(|other| *other != dim).collect();
    steps.step(|step| {
        for other in others {
            step.tile(other, 1, Layer::For, None);
        }
        step.tile(dim, vectors * lanes, Layer::For, Some(Tail::Peel));
    });
    steps.step(|step| {
        step.tile(dim, lanes, Layer::Unr, Some(Tail::Peel));
    });
    steps.step(|step| {
        step.tile(dim, 1, Layer::Vec, None);
    });
    steps.finish(&order(a))
}

/// Nothing is used again and memory decides: a few rows at a time over all columns, whose sums stay in a cache
pub(crate) fn down(
    a: &Accesses,
    device: &Device,
    (lanes, reduced): (usize, &[usize]),
    tile: Tile,
) -> Vec<Schedule> {
    let rows = |rows: i64| Down::of(a, device, (lanes, reduced), (tile, rows)).map(|down| down.schedule());
    [ROWS, 1].into_iter().filter_map(rows).collect()
}

/// Sums of whole columns
struct Down<'a> {
    a: &'a Accesses,
    device: &'a Device,
    lanes: usize,
    reduced: &'a [usize],
    /// The reduced dimension whose coordinates are closest
    row: usize,
    /// Coordinates of it that are read at once. One after the other they are a single stream, and the sums are loaded and stored for each
    rows: i64,
    /// Columns of a tile, and lanes
    width: i64,
    vector: i64,
}

impl<'a> Down<'a> {
    fn of(
        a: &'a Accesses,
        device: &'a Device,
        (lanes, reduced): (usize, &'a [usize]),
        (tile, rows): (Tile, i64),
    ) -> Option<Down<'a>> {
        // What does not move with the lanes is one number for all of them, in a register while a row is read.
        let used = |dim: usize| {
            a.sizes[dim] == 1 || a.inputs.iter().any(|input| input.uses(dim) && input.uses(lanes))
        };
        let whole = |input: &Access| (0..a.sizes.len()).all(|dim| a.sizes[dim] == 1 || input.uses(dim));
        let shared = |input: &Access| !input.uses(lanes);
        // Tiles of registers read shorter pieces of rows: that takes time where these come from beyond the second cache.
        let far =
            (0..a.inputs.len()).any(|n| whole(&a.inputs[n]) && a.footprint(n) > device.bytes(Region::L2));
        let all =
            a.inputs.iter().all(|input| whole(input) || shared(input) && far) && (0..a.sizes.len()).all(used);
        let row = reduced.iter().copied().filter(|dim| !a.conditioned[*dim]).max_by_key(|dim| {
            // The closest.
            let moving = a.inputs.iter().find(|input| input.uses(lanes));
            std::cmp::Reverse(moving.and_then(|input| input.strides[*dim]).unwrap_or(i64::MAX))
        })?;
        let columns = a.sizes[lanes];
        // One stream is for what memory has, where no element is read twice, as in a window.
        let single =
            |expr: &AffineExpr| (0..a.sizes.len()).filter(|dim| expr.uses_dim(*dim as u32)).count() <= 1;
        let stream = |input: &Access| {
            input.strides[lanes] == Some(1) && input.map.results.iter().all(single) || shared(input)
        };
        let last = (0..a.inputs.len()).any(|n| a.footprint(n) > device.bytes(Region::L3) / 2);
        let pays = match rows {
            1 => last && a.inputs.iter().all(stream),
            _ => a.sizes[row] >= 2 * rows,
        };
        if !all
            || !pays
            || columns.saturating_mul(a.widest()) > device.bytes(Region::L2) / 4
            || !a.conditioned.iter().all(|c| !c)
        {
            return None;
        }
        // Memory decides: one vector of what remains is built from several loads and shuffles, which takes longer than the loads.
        let vector = crate::loops::lanes(a, device, columns)?;
        Some(Down { a, device, lanes, reduced, row, rows, width: vector * 2.min(tile.vectors), vector })
    }

    /// What threads divide
    fn task(&self) -> Option<(usize, i64)> {
        let Down { a, device, lanes, reduced, row, width, .. } = *self;
        if !worth_threads(a, device) {
            return None;
        }
        if let Some(outer) = parallel(a, device, &[lanes]) {
            return Some((outer, ceil(a.sizes[outer], device.units)));
        }
        // Parts of rows, unless they are too short for memory: then parts of the reduction.
        let part = ceil(ceil(a.sizes[lanes], width), device.units) * width;
        let outer = reduced.iter().copied().filter(|dim| *dim != row && a.sizes[*dim] >= device.units);
        let outer = outer.max_by_key(|dim| a.sizes[*dim]);
        let long = (a.sizes[row] >= STRIP_STEPS * ROWS * device.units).then_some(row);
        Some(match outer.or(long).filter(|_| part * a.widest() < STRETCH) {
            None => (lanes, part),
            Some(dim) if dim == row => (dim, ceil(ceil(a.sizes[dim], device.units), ROWS) * ROWS),
            Some(dim) => (dim, ceil(a.sizes[dim], device.units)),
        })
    }

    /// Is a row of the result put together in the first cache, and written past all of them?
    fn stages(&self) -> bool {
        let Down { a, device, lanes, .. } = *self;
        let bytes = |out: &Access, dims: &[usize]| {
            dims.iter().fold(out.bytes, |all, dim| all.saturating_mul(a.sizes[*dim]))
        };
        let kept = a.dims(|dim| a.kept[dim]);
        let whole = |out: &Access| {
            let line = (device.costs.caches.line as i64).max(1);
            let row = bytes(out, &[lanes]);
            out.strides[lanes] == Some(1)
                && row <= device.bytes(Region::L1) / 2
                && (row % line == 0 || row >= LINES * line)
        };
        let large = |out: &Access| bytes(out, &kept) > device.bytes(Region::L3);
        self.rows == 1 && a.tiles && kept.len() > 1 && a.outputs.iter().all(|out| large(out) && whole(out))
    }

    fn schedule(&self) -> Schedule {
        let Down { a, lanes, row, rows, width, vector, .. } = *self;
        let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
        if let Some((dim, size)) = self.task() {
            steps.step(|step| {
                step.tile(dim, size, Layer::Thr, Some(Tail::Limit));
            });
        }
        let others = || order(a).into_iter().filter(|dim| *dim != lanes && *dim != row);
        if self.stages() {
            steps.step(|step| {
                others().filter(|dim| a.kept[*dim]).for_each(|dim| {
                    step.tile(dim, 1, Layer::For, None);
                });
                for out in 0..a.outs {
                    step.output(out, Region::L1);
                }
            });
        }
        steps.step(|step| {
            for dim in others() {
                step.tile(dim, 1, Layer::For, None);
            }
            step.tile(row, rows, Layer::For, (rows > 1).then_some(Tail::Peel));
        });
        steps.step(|step| {
            step.tile(lanes, width, Layer::For, Some(Tail::Peel));
            for out in 0..a.outs {
                step.output(out, Region::Reg);
            }
        });
        steps.step(|step| {
            step.tile(row, 1, Layer::Unr, None);
        });
        steps.step(|step| {
            step.tile(lanes, vector, Layer::Unr, Some(Tail::Peel));
        });
        steps.step(|step| {
            step.tile(lanes, 1, Layer::Vec, None);
        });
        steps.finish(&order(a))
    }
}
