//! Schedules for processors: threads, caches, registers, lanes.
//!
//! | accesses | schedule |
//! |---|---|
//! | a kept dimension is contiguous in the output, others are reduced | register tile of rows and vectors; panels of what moves with the lanes, if they are used again; blocks of the reduction by cache |
//! | a reduced dimension is contiguous | several vectors of accumulators along it |
//! | nothing is reduced | lanes along the contiguous dimension |
//! | tuples, prefixes, bodies without lanes | loops in order, threads over the outermost kept dimension |
//!
//! A panel that is not used very often is not copied where its rows stay in the second cache as they lie ([`stays`]).
//!
//! Sizes that do not divide: rows and lanes in pieces (`~peel`), panels in whole tiles (`~pad`), else loops end early.

use crate::access::{Access, Accesses};
use crate::contraction;
use crate::register::{self, Demand};
use crate::steps::Steps;
use crate::streams;
use terrace_devices::{Device, Layer, Region};
use terrace_dialect_mdh::schedule::{Part, Placement, Schedule, Tail};

/// Points times ops below which threads cost more than they bring
const WORTH_THREADS: i64 = 1 << 15;

/// Times a panel must be used for its copy to pay
const PANEL_USES: i64 = 4;

/// Uses of a panel below which its copy costs more than what lies as it is, where that stays in a cache
const SELDOM: i64 = 4096;

/// Uses of a panel below which its copy takes much of the time where it comes from memory
const BRIEF: i64 = 1024;

/// Steps of a reduction after which taking up a tile's sums again costs nothing
const STEPS: i64 = 256;

/// Times that a thread fetches work where coordinates differ in it
const FETCHES: i64 = 8;

/// Bytes of a cache's line
const LINE: i64 = 64;

/// Bytes in order that are worth reading from memory
const STRETCH: i64 = 512;

/// The schedule of a computation
pub fn schedule(a: &Accesses, device: &Device) -> Schedule {
    let plain = a.single && a.prefixes.iter().all(|prefix| !prefix);
    if plain && a.lanes && a.points() > 0 {
        if let Some(found) = contraction::schedule(a, device, worth_threads(a)) {
            return found;
        }
        if let Some(found) = tiled(a, device) {
            return found;
        }
        if let Some(found) = streams::along_reduced(a, device) {
            return found;
        }
        if let Some(found) = streams::along_kept(a, device) {
            return found;
        }
    }
    if !a.single
        && a.tuples
        && a.lanes
        && a.points() > 0
        && let Some(found) = streams::tuples(a, device)
    {
        return found;
    }
    in_order(a, device)
}

pub(crate) fn worth_threads(a: &Accesses) -> bool {
    a.points().saturating_mul(a.ops.max(1)) >= WORTH_THREADS
}

/// Kept, then prefixes, then reduced
pub(crate) fn order(a: &Accesses) -> Vec<usize> {
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

/// The outermost kept dimension with an iteration for each thread, but none of these
pub(crate) fn parallel(a: &Accesses, device: &Device, not: &[usize]) -> Option<usize> {
    if !worth_threads(a) {
        return None;
    }
    let mut found = a.dims(|dim| a.kept[dim] && !not.contains(&dim) && a.sizes[dim] >= 2);
    let first = found.iter().copied().find(|dim| a.sizes[*dim] >= device.units);
    found.sort_by_key(|dim| std::cmp::Reverse(a.sizes[*dim]));
    first.or(found.first().copied())
}

pub(crate) fn ceil(a: i64, b: i64) -> i64 {
    (a.max(0) as u64).div_ceil(b.max(1) as u64) as i64
}

fn in_order(a: &Accesses, device: &Device) -> Schedule {
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    if let Some(dim) = parallel(a, device, &[]) {
        steps.step(|step| {
            // Where coordinates differ in work, threads fetch the next few when they are done.
            let parts = if a.uneven[dim] { device.units * FETCHES } else { device.units };
            step.tile(dim, ceil(a.sizes[dim], parts), Layer::Thr, Some(Tail::Limit));
        });
    }
    steps.finish(&order(a))
}

/// Lanes for the widest element
pub(crate) fn lanes(a: &Accesses, device: &Device, size: i64) -> Option<i64> {
    let mut lanes = device.vector_bytes / a.widest().max(1);
    while lanes > size && lanes > 1 {
        lanes /= 2;
    }
    (lanes > 1).then_some(lanes)
}

/// Every access that moves with a dimension is contiguous along it
pub(crate) fn contiguous(accesses: &[Access], dim: usize) -> bool {
    accesses.iter().all(|access| matches!(access.strides[dim], Some(0 | 1)))
}

/// What a register tile is made for
struct Roles {
    /// Kept, contiguous in the output: lanes
    lanes: usize,
    /// Kept: rows, along which what moves with the lanes is used again
    rows: Option<usize>,
    /// Kept, none of the two
    outer: Vec<usize>,
    /// Reduced
    reduced: Vec<usize>,
    /// Inputs to be copied into panels: not contiguous along the lanes
    strided: Vec<usize>,
}

/// Dimensions by role; `None` where lanes have no dimension
fn roles(a: &Accesses) -> Option<Roles> {
    let reduced = a.dims(|dim| a.reduced[dim]);
    if reduced.is_empty() || !a.tiles {
        return None;
    }
    let free = |dim: usize| a.kept[dim] && !a.conditioned[dim];
    let candidates = a.dims(|dim| free(dim) && a.outputs.iter().all(|out| out.strides[dim] == Some(1)));
    let mut best: Option<(i64, Roles)> = None;
    for lanes in candidates {
        let moving: Vec<usize> = (0..a.inputs.len()).filter(|n| a.inputs[*n].uses(lanes)).collect();
        if moving.is_empty() {
            continue;
        }
        let again = |dim: usize| moving.iter().any(|n| !a.inputs[*n].uses(dim));
        // Rows may be conditioned where that is decided row by row, or for few of them, which are pieces of their own.
        let mostly = |dim: usize| a.kept[dim] && (a.inner[dim] * 2 >= a.sizes[dim] || decided(a, dim));
        let rows = a.dims(|dim| dim != lanes && mostly(dim) && again(dim)).into_iter().min_by_key(|dim| {
            // Rows that are close in the output, of those that are not too few.
            (a.sizes[*dim] < 4, a.outputs[0].strides[*dim].unwrap_or(i64::MAX))
        });
        let strided: Vec<usize> =
            moving.iter().copied().filter(|n| a.inputs[*n].strides[lanes] != Some(1)).collect();
        if !strided
            .iter()
            .all(|n| panel(a, *n, lanes, 1, false).is_some() && uses(a, *n, lanes) >= 2 * PANEL_USES)
        {
            continue;
        }
        let outer = a.dims(|dim| a.kept[dim] && dim != lanes && Some(dim) != rows);
        let size = a.sizes[lanes];
        if best.as_ref().is_none_or(|(most, _)| size > *most) {
            best = Some((size, Roles { lanes, rows, outer, reduced: reduced.clone(), strided }));
        }
    }
    best.map(|(_, roles)| roles)
}

/// How often each element of an input is used along kept dimensions other than the lanes'
fn uses(a: &Accesses, input: usize, lanes: usize) -> i64 {
    a.dims(|dim| a.kept[dim] && dim != lanes && !a.inputs[input].uses(dim))
        .into_iter()
        .fold(1, |all, dim| all.saturating_mul(a.sizes[dim]))
}

/// The place of an input's panels: lanes innermost; `None` where its index along them is no plain dimension
fn panel(a: &Accesses, input: usize, lanes: usize, width: i64, several: bool) -> Option<Placement> {
    let access = &a.inputs[input];
    let alone = a.inputs.iter().filter(|other| other.group == access.group).count() == 1;
    if !alone || !access.plain || !access.linear() {
        return None;
    }
    let at = access.map.results.iter().position(|expr| expr.uses_dim(lanes as u32))?;
    let linear = access.map.results[at].as_linear()?;
    let plain = (0..a.sizes.len()).all(|dim| linear.dim(dim) == i64::from(dim == lanes));
    let once = access.map.results.iter().filter(|expr| expr.uses_dim(lanes as u32)).count() == 1;
    if !plain || !once {
        return None;
    }
    let others = (0..access.map.results.len()).filter(|n| *n != at).map(Part::Whole);
    let layout = if several {
        [Part::Div(at, width)].into_iter().chain(others).chain([Part::Mod(at, width)]).collect()
    } else {
        others.chain([Part::Whole(at)]).collect()
    };
    Some(Placement::new(Region::L2, layout))
}

/// Most coordinates whose copies of a tile's body decide conditions
const TAPS: i64 = 16;

/// Most multiply-adds of a body without loops
const BODY: i64 = 1024;

/// Are conditions on a kept dimension decided by unrolling?
fn decided(a: &Accesses, dim: usize) -> bool {
    a.conditioned[dim] && (2..=TAPS).contains(&a.taps[dim])
}

/// Rows and vectors in registers
fn tiled(a: &Accesses, device: &Device) -> Option<Schedule> {
    let roles = roles(a)?;
    let (lanes, columns) = (roles.lanes, a.sizes[roles.lanes]);
    let rows = roles.rows.map_or(1, |dim| if decided(a, dim) { a.sizes[dim] } else { a.inner[dim] });
    let moving: Vec<usize> = (0..a.inputs.len()).filter(|n| a.inputs[*n].uses(lanes)).collect();
    let window = roles.rows.filter(|rows| moving.iter().any(|n| a.inputs[*n].uses(*rows)));
    let demand = Demand {
        rows,
        columns,
        bytes: a.widest(),
        most: most_rows(a, device, &roles),
        pads: a.harmless && a.fills && moving.iter().any(|n| uses(a, *n, lanes) >= 8 * PANEL_USES),
        window: window.map(|dim| if decided(a, dim) { a.taps[dim] - 1 } else { 0 }),
    };
    let tile = register::choose(device, &demand)?;
    let width = tile.width();
    let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);

    // Blocks of the reduction: all of it, if a panel of the lanes' operands takes half of the second cache. Of an operand that
    // the last cache does not hold several panels at once, so that long stretches of it are read.
    let longest = roles.reduced.iter().copied().max_by_key(|dim| a.sizes[*dim])?;
    let others: i64 = roles.reduced.iter().filter(|dim| **dim != longest).map(|dim| a.sizes[*dim]).product();
    // A block that is used for few rows is soon followed by the next, which is asked for meanwhile: both lie in the cache.
    let far = |n: &usize| a.footprint(*n) > device.bytes(Region::L3) / 2;
    let brief = moving.iter().any(|n| far(n) && uses(a, *n, lanes) < BRIEF);
    let budget = device.bytes(Region::L2) * if brief { 3 } else { 6 } / 10;
    let stretch = if moving.iter().any(far) { STRETCH } else { 0 };
    let abreast = (stretch / (width * a.widest())).clamp(1, ceil(columns, width));
    let most = (budget / (width * abreast * a.widest() * others.max(1))).max(STEPS / others.max(1)).max(8);
    let depth = if a.sizes[longest] <= most || !a.reorders {
        a.sizes[longest]
    } else {
        let blocks = ceil(a.sizes[longest], most);
        ceil(ceil(a.sizes[longest], blocks), 8) * 8
    };

    // Panels pay where they are used often enough, and where lanes are not next to each other in memory.
    let row_uses = ceil(rows, tile.rows);
    let tile_uses = |input: usize| match roles.rows {
        Some(rows) if !a.inputs[input].uses(rows) => row_uses,
        _ => 1,
    };
    let outside = |input: usize| -> i64 {
        roles.outer.iter().filter(|dim| !a.inputs[input].uses(**dim)).map(|dim| a.sizes[*dim]).product()
    };
    let exact = columns % width == 0;
    let pads = a.harmless && a.fills;
    let rows_of: Vec<(usize, i64)> =
        roles.reduced.iter().map(|dim| (*dim, if *dim == longest { depth } else { a.sizes[*dim] })).collect();
    let packed: Vec<usize> = moving
        .iter()
        .copied()
        .filter(|n| {
            let often = tile_uses(*n) * outside(*n).max(1) >= PANEL_USES && columns > width;
            let allowed = exact || pads;
            let seldom = exact && window.is_none() && uses(a, *n, lanes) < SELDOM;
            let copy = allowed && often && !(seldom && stays(a, device, *n, &rows_of, width));
            (roles.strided.contains(n) || copy) && panel(a, *n, lanes, width, true).is_some()
        })
        .collect();
    if roles.strided.iter().any(|n| !packed.contains(n)) || !roles.strided.is_empty() && !exact && !pads {
        return None;
    }
    if packed.is_empty()
        && roles.rows.is_none()
        && a.reorders
        && let Some(found) = streams::down(a, device, (lanes, &roles.reduced), tile)
    {
        return Some(found);
    }
    let tail = if packed.is_empty() { Tail::Peel } else { Tail::Pad };

    // Threads: over an outer dimension, whole tiles of columns, and of rows.
    let tiles = ceil(columns, width);
    let mut parts = Parts { outer: 1, columns: 1, rows: 1 };
    let outer = roles.outer.iter().copied().max_by_key(|dim| a.sizes[*dim]);
    if worth_threads(a) {
        let moves = outer.is_some_and(|dim| packed.iter().any(|n| a.inputs[*n].uses(dim)));
        parts = Work {
            outer: outer.map_or(1, |dim| a.sizes[dim]),
            columns: tiles,
            rows: row_uses,
            step: tile.rows * tile.vectors * 5,
            panel: if packed.is_empty() { 0 } else { tile.vectors * tile.lanes * 3 },
            moves,
        }
        .split(device.units);
    }
    let per_task = ceil(tiles, parts.columns);
    let rows_per_task = ceil(row_uses, parts.rows) * tile.rows;
    steps.step(|step| {
        if let Some(dim) = outer.filter(|_| parts.outer > 1) {
            step.tile(dim, ceil(a.sizes[dim], parts.outer), Layer::Thr, Some(Tail::Limit));
        }
        step.tile(
            lanes,
            per_task * width,
            Layer::Thr,
            Some(if packed.is_empty() { Tail::Limit } else { tail }),
        );
        if let Some(rows) = roles.rows {
            step.tile(rows, rows_per_task, Layer::Thr, Some(Tail::Limit));
        }
    });

    // Outer dimensions that panels move with, then panels of a block: as the second cache holds, or twice of it where what moves
    // with rows only is read from memory for each block anew.
    let again =
        (0..a.inputs.len()).any(|n| !moving.contains(&n) && a.footprint(n) > device.bytes(Region::L3) / 2);
    let block = if again && depth < a.sizes[longest] { 2 * device.bytes(Region::L2) } else { budget };
    let most = (block / (depth * others.max(1) * a.widest()).max(1) / width).max(1);
    let blocks = (1..=per_task.min(most)).rev().find(|n| per_task % n == 0).unwrap_or(1);
    let (with, without): (Vec<usize>, Vec<usize>) =
        roles.outer.iter().partition(|dim| packed.iter().any(|n| a.inputs[*n].uses(**dim)));
    steps.step(|step| {
        for dim in with {
            step.tile(dim, 1, Layer::For, None);
        }
        if !packed.is_empty() {
            step.tile(lanes, blocks * width, Layer::For, Some(tail));
        }
        step.tile(longest, depth, Layer::For, Some(Tail::Limit));
        for n in &packed {
            let several = per_task > 1 || blocks > 1 || columns > width;
            if let Some(place) = panel(a, *n, lanes, width, several) {
                step.input(a.inputs[*n].group, place);
            }
        }
    });

    // Rows of a block, then the tile in registers.
    let deep = depth * others.max(1) * a.widest();
    let high = (device.bytes(Region::L2) / 4 / deep.max(1) / tile.rows).max(1) * tile.rows;
    steps.step(|step| {
        for dim in without {
            step.tile(dim, 1, Layer::For, None);
        }
        if let Some(rows) = roles.rows.filter(|_| high * 2 <= rows_per_task) {
            step.tile(rows, high, Layer::For, Some(Tail::Limit));
        }
    });
    steps.step(|step| {
        step.tile(lanes, width, Layer::For, Some(tail));
        if let Some(rows) = roles.rows {
            step.tile(rows, tile.rows, Layer::For, Some(Tail::Peel));
        }
        for out in 0..a.outs {
            step.output(out, Region::Reg);
        }
    });
    // Copies for each tap where conditions are decided so, with what is short in one body.
    let taps = roles.rows.filter(|dim| decided(a, *dim)).map_or(&[][..], |dim| &a.beside[dim]);
    let mut body = tile.rows * tile.vectors * taps.iter().map(|dim| a.sizes[*dim]).product::<i64>();
    steps.step(|step| {
        for (n, dim) in roles.reduced.iter().enumerate() {
            let last = n + 1 == roles.reduced.len() && !taps.is_empty() && body * a.sizes[*dim] <= BODY;
            if last {
                body *= a.sizes[*dim];
            }
            step.tile(*dim, 1, if last || taps.contains(dim) { Layer::Unr } else { Layer::For }, None);
        }
    });
    steps.step(|step| {
        if let Some(rows) = roles.rows {
            step.tile(rows, 1, Layer::Unr, None);
        }
        step.tile(
            lanes,
            tile.lanes,
            Layer::Unr,
            Some(if packed.is_empty() { Tail::Peel } else { Tail::Pad }),
        );
    });
    steps.step(|step| {
        step.tile(lanes, 1, Layer::Vec, None);
    });
    Some(a.groups.merge(steps.finish(&order(a))))
}

/// Do the rows of a panel stay in the second cache where they lie, without a copy? They are as far apart as the operand's are, so
/// that they may fall into few of its sets
fn stays(a: &Accesses, device: &Device, input: usize, rows: &[(usize, i64)], width: i64) -> bool {
    let access = &a.inputs[input];
    let (bytes, ways) = (device.bytes(Region::L2), device.ways(Region::L2).max(1));
    let sets = bytes / ways / LINE;
    let lines = ceil(width * access.bytes, LINE);
    let count = rows.iter().fold(lines, |all, (_, size)| all.saturating_mul(*size));
    if sets < 1 || count > sets * ways {
        return false;
    }
    let mut starts = vec![0i64];
    for (dim, size) in rows {
        let Some(stride) = access.strides[*dim] else { return false };
        if stride != 0 {
            let along = |start: &i64| {
                let start = *start;
                (0..*size).map(move |n| start.wrapping_add(n.wrapping_mul(stride)))
            };
            starts = starts.iter().flat_map(along).collect();
        }
    }
    let mut used = vec![0i64; sets as usize];
    for start in starts {
        let first = start.wrapping_mul(access.bytes).div_euclid(LINE);
        for line in 0..lines {
            used[(first + line).rem_euclid(sets) as usize] += 1;
        }
    }
    used.iter().all(|lines| *lines <= ways)
}

/// Rows of a tile that a few sets of the first cache hold, where rows are a multiple of half its span apart
fn most_rows(a: &Accesses, device: &Device, roles: &Roles) -> i64 {
    let Some(rows) = roles.rows else { return 1 };
    let ways = device.ways(Region::L1).max(2);
    let span = (device.bytes(Region::L1) / ways).max(1);
    let clash = a.inputs.iter().any(|input| {
        !input.uses(roles.lanes)
            && input.strides[rows].is_some_and(|stride| stride != 0 && stride * input.bytes % (span / 2) == 0)
    });
    if clash { ways - 1 } else { i64::MAX }
}

/// What threads may divide, in whole tiles, with the time that one takes for a step of the reduction
struct Work {
    outer: i64,
    columns: i64,
    rows: i64,
    /// Tenths of cycles of a tile: two vectors of multiply-adds in a cycle
    step: i64,
    /// Tenths of cycles of the elements that a column of tiles copies
    panel: i64,
    /// Are panels others for each outer coordinate?
    moves: bool,
}

/// Number of parts
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Parts {
    outer: i64,
    columns: i64,
    rows: i64,
}

impl Work {
    /// Parts for the threads: least time of the slowest
    fn split(&self, threads: i64) -> Parts {
        let divisors = |n: i64| (1..=n).rev().filter(move |parts| n % parts == 0);
        let mut best: Option<(i64, Parts)> = None;
        for columns in divisors(threads) {
            for outer in divisors(threads / columns) {
                let parts = Parts { outer, columns, rows: threads / columns / outer };
                let (far, wide) = (ceil(self.outer, parts.outer), ceil(self.columns, parts.columns));
                let tiles = far.saturating_mul(wide).saturating_mul(ceil(self.rows, parts.rows));
                let copies = wide.saturating_mul(if self.moves { far } else { 1 });
                let time = tiles.saturating_mul(self.step).saturating_add(copies.saturating_mul(self.panel));
                if best.is_none_or(|(least, _)| time < least) {
                    best = Some((time, parts));
                }
            }
        }
        best.map_or(Parts { outer: 1, columns: 1, rows: 1 }, |(_, parts)| parts)
    }
}
