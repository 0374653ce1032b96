//! Schedules for devices with a grid: blocks, threads, staged tiles.
//!
//! | accesses | schedule | module |
//! |---|---|---|
//! | rows and columns that use operands again, something reduced | block tile in shared memory, some elements per thread in registers | `tiles` |
//! | the same, but windows or edges that tiles of memory do not follow | elements per thread in registers, operands out of the caches | `tiles` |
//! | nothing reduced, an input contiguous in another dimension than the output | a square of it in shared memory | `transposed` |
//! | short contiguous runs, each reduced or scanned | runs of a block's threads in shared memory, a thread per run | `runs` |
//! | a reduced dimension is contiguous | a block per result, threads along the reduction, combined by shuffles and in shared memory | here |
//! | the contiguous dimension is shorter than a warp, and another one is reduced | a block per result or row of results, threads along both | `planes` |
//! | results that several blocks may update in any order | reduced tiles along block.x, reduced points along thread.x, kept ones along block.y | `blocks` |
//! | others | a thread per result | here |
//! | several computations, the same coordinates of all | a block per coordinate, in one kernel | `rows` |
//! | too few threads for the device, long reductions | parts of the reduction side by side, joined by a second computation | `fill` |
//! | prefixes along a long dimension | parts side by side, in three computations | `scans` |
//!
//! The model of kernels ranks what these propose, and other sizes: sides and depth of tiles, stages, threads of a block.
//! Threads follow each other along the contiguous dimension; elements of one thread are a block's width apart.

pub mod blocks;
mod planes;
pub mod rows;
mod runs;
mod tiles;
mod transposed;

use crate::access::{Access, Accesses};
use crate::generator::{Generator, Proposals};
use crate::loops::{ceil, order};
use crate::steps::{StepBuilder, Steps};
use terrace_devices::{Device, Layer, Mechanism};
use terrace_schedule_model::{Schedule, Tail};

/// Threads of a block of one dimension
pub const LINE: i64 = 128;

/// Other numbers of them
const LINES: [i64; 4] = [64, 256, 512, 32];

/// Most blocks along the second and third axis
const ACROSS: i64 = 65_535;

/// Generators for grids, by how much they know: where estimates are missing, the first is chosen
pub static GENERATORS: &[&dyn Generator] =
    &[&StagedTiles, &Transposed, &DirectTiles, &AlongThreads, &AlongBoth, &Runs, &OneEach, &SeveralBlocks];

/// No tuples and no prefixes
fn plain(a: &Accesses) -> bool {
    a.single && a.prefixes.iter().all(|prefix| !prefix) && a.points() > 0
}

/// Tuples that threads exchange, of which each has one, in any order
fn tuples(a: &Accesses) -> bool {
    !a.single && a.functions_commute && a.prefixes.iter().all(|prefix| !prefix) && a.points() > 0
}

struct StagedTiles;

impl Generator for StagedTiles {
    fn name(&self) -> &'static str {
        "staged-tiles"
    }

    fn requires(&self) -> &'static str {
        "a reduction without conditions, of operands that rows and columns of the result use again, each read as one tile"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        if plain(a) {
            tiles::propose(a, device, to);
        }
    }
}

struct Transposed;

impl Generator for Transposed {
    fn name(&self) -> &'static str {
        "transposed"
    }

    fn requires(&self) -> &'static str {
        "no reduction, and an input that is contiguous in another dimension than the output"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        to.add(plain(a).then(|| transposed::transposed(a, device)).flatten());
    }
}

struct DirectTiles;

impl Generator for DirectTiles {
    fn name(&self) -> &'static str {
        "direct-tiles"
    }

    fn requires(&self) -> &'static str {
        "a reduction of operands that rows and columns of the result use again, of sizes with small divisors"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        to.add(plain(a).then(|| tiles::direct(a, device)).flatten());
    }
}

struct AlongThreads;

impl Generator for AlongThreads {
    fn name(&self) -> &'static str {
        "along-threads"
    }

    fn requires(&self) -> &'static str {
        "a reduction in any order along a dimension in which an input is contiguous, and no kept one is; by functions also in parts that keep their order"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        if a.prefixes.iter().all(|prefix| !prefix) && a.points() > 0 {
            // A load of several elements side by side takes as long as one of a single element.
            for wide in [true, false] {
                to.add(shared(a, device, LINE, wide));
            }
            let others = LINES.into_iter().filter(|line| *line <= device.block_threads);
            for line in others {
                [true, false]
                    .into_iter()
                    .filter_map(|wide| shared(a, device, line, wide))
                    .for_each(|own| to.vary(own));
            }
        }
    }
}

struct AlongBoth;

impl Generator for AlongBoth {
    fn name(&self) -> &'static str {
        "along-two-dimensions"
    }

    fn requires(&self) -> &'static str {
        "a reduction in any order, with a contiguous dimension that is shorter than a warp, and a reduced one whose runs of it are dense or have a sector"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        if plain(a) || tuples(a) {
            for line in [device.warp, LINE] {
                [true, false].into_iter().for_each(|wide| to.add(planes::planes(a, device, line, wide)));
            }
        }
    }
}

struct Runs;

impl Generator for Runs {
    fn name(&self) -> &'static str {
        "runs"
    }

    fn requires(&self) -> &'static str {
        "one dimension of up to 63 coordinates that is reduced or has prefixes, contiguous, with a kept one that moves by its size"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        to.add(runs::runs(a, device));
    }
}

struct OneEach;

impl Generator for OneEach {
    fn name(&self) -> &'static str {
        "one-each"
    }

    fn requires(&self) -> &'static str {
        "nothing"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        to.add([one_each(a, device, LINE)]);
        let others = LINES.into_iter().filter(|line| plain(a) && *line <= device.block_threads);
        others.for_each(|line| to.vary(one_each(a, device, line)));
    }
}

struct SeveralBlocks;

impl Generator for SeveralBlocks {
    fn name(&self) -> &'static str {
        "several-blocks"
    }

    fn requires(&self) -> &'static str {
        "a reduction without conditions, whose results the device updates atomically, in any order"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        if plain(a) && a.updates {
            let mut all = blocks::forms(a, device, Some(Mechanism::Atomic)).into_iter();
            // Fewer are better as long as they fill the device.
            to.add(all.next());
            all.for_each(|own| to.vary(own));
        }
    }
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

/// A thread per result
fn one_each(a: &Accesses, device: &Device, line: i64) -> Schedule {
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    let kept = kept(a);
    let threads = kept.first().map_or(1, |dim| line.min(device.block_threads).min(power(a.sizes[*dim])));
    steps.step(|step| {
        match kept.first() {
            Some(dim) if a.sizes[*dim] > threads => {
                step.tile(*dim, threads, Layer::Blk, Some(Tail::Limit));
            }
            Some(dim) => {
                step.core(*dim, Layer::Blk);
            }
            None if !a.sizes.is_empty() => {
                step.core(0, Layer::Blk);
            }
            None => {}
        }
        for dim in kept.iter().skip(1).take(2) {
            step.tile(*dim, across(a.sizes[*dim]), Layer::Blk, Some(Tail::Limit));
        }
    });
    if let Some(dim) = kept.first() {
        steps.step(|step| {
            step.tile(*dim, 1, Layer::Thr, None);
        });
    }
    steps.finish(&order(a))
}

/// Bytes of the widest load of a thread
const LOAD: i64 = 16;

/// Elements that one load has, where all that moves along a dimension is contiguous there, each row begins at a multiple of them and has
/// so many loads at least
fn lanes(a: &Accesses, device: &Device, dim: usize, threads: i64) -> Option<i64> {
    let lanes = LOAD / a.widest().max(1);
    let moves = |access: &Access| access.uses(dim);
    let all = a.inputs.iter().chain(&a.outputs);
    let contiguous = all.filter(|access| moves(access)).all(|access| {
        let others = (0..a.sizes.len()).filter(|other| *other != dim);
        let rows = others.filter_map(|other| access.strides[other]).all(|stride| stride % lanes == 0);
        access.plain && access.linear() && access.strides[dim] == Some(1) && rows
    });
    let fits = contiguous && a.sizes[dim] % lanes == 0 && a.sizes[dim] / lanes >= threads;
    (fits && device.vector_widths.contains(&lanes)).then_some(lanes)
}

/// A block per result, threads along a contiguous reduction; `wide`: each takes several elements side by side
fn shared(a: &Accesses, device: &Device, line: i64, wide: bool) -> Option<Schedule> {
    let in_any_order = a.reorders || a.functions_commute;
    let fits = if wide { a.single && a.reorders } else { in_any_order || a.meets };
    if !fits || a.conditioned.iter().any(|dim| *dim) {
        return None;
    }
    let mut found =
        a.dims(|dim| a.reduced[dim] && a.inputs.iter().any(|input| input.strides[dim] == Some(1)));
    // Where a kept dimension is contiguous too, a thread per result has coalesced reads. What the reduction does not move is read once.
    let coalesced = |dim: usize| {
        let along = |input: &Access, kept: usize| input.uses(dim) && input.strides[kept] == Some(1);
        kept(a)
            .into_iter()
            .any(|kept| a.sizes[kept] >= device.warp && a.inputs.iter().any(|input| along(input, kept)))
    };
    found.retain(|dim| a.sizes[*dim] >= device.warp && !coalesced(*dim));
    let dim = found.into_iter().max_by_key(|dim| a.sizes[*dim])?;
    let each = if wide { lanes(a, device, dim, device.warp)? } else { 1 };
    let mut threads = line.min(device.block_threads);
    while threads * each > a.sizes[dim] {
        threads /= 2;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    let kept = kept(a);
    steps.step(|step| {
        if kept.is_empty() {
            step.core(dim, Layer::Blk);
        }
        for (axis, dim) in kept.iter().take(3).enumerate() {
            let tile = if axis == 0 { 1 } else { across(a.sizes[*dim]) };
            step.tile(*dim, tile, Layer::Blk, Some(Tail::Limit));
        }
    });
    let rest: Vec<usize> = order(a).into_iter().filter(|other| *other != dim).collect();
    steps.step(|step| {
        for other in rest.iter().filter(|dim| a.kept[**dim]) {
            step.tile(*other, 1, Layer::For, None);
        }
    });
    if in_any_order {
        // Coarse to fine: rounds of all threads, then a thread's element; in code threads stand outside.
        steps.step(|step| {
            step.tile(dim, threads * each, Layer::For, Some(Tail::Limit));
        });
        steps.step(|step| {
            step.tile(dim, each, Layer::Thr, None);
        });
    } else {
        // Each thread has a part of its own, in order.
        let part = ceil(a.sizes[dim], threads);
        threads = ceil(a.sizes[dim], part);
        steps.step(|step| {
            step.tile(dim, part, Layer::Thr, Some(Tail::Limit));
        });
    }
    steps.step(|step| {
        if each > 1 {
            step.tile(dim, 1, Layer::Vec, None);
        }
        for other in &rest {
            step.tile(*other, 1, Layer::For, None);
        }
    });
    threads_outside(steps.finish(&order(a)), (dim, threads), a, device)
}

/// Threads along a dimension stand outside of their rounds in code; whole warps of a reduction meet by shuffles
fn threads_outside(
    mut schedule: Schedule,
    (dim, threads): (usize, i64),
    a: &Accesses,
    device: &Device,
) -> Option<Schedule> {
    let thread = schedule
        .steps
        .iter()
        .position(|step| matches!(&step.cores[dim], Some(core) if core.layer == Layer::Thr))?;
    // Whole warps exchange values among their lanes first: fewer barriers, and a store per warp.
    let subgroups = device.barriers.iter().any(|who| who == "subgroup") && device.warp > 1;
    if subgroups && a.reduced[dim] && threads % device.warp == 0 {
        let core = schedule.steps[thread].cores[dim].as_mut()?;
        core.mechanism = Some(Mechanism::Shuffle);
    }
    let Some(rounds) = thread.checked_sub(1) else { return Some(schedule) };
    if matches!(&schedule.steps[rounds].cores[dim], Some(core) if core.layer == Layer::For) {
        (schedule.steps[rounds].label, schedule.steps[thread].label) =
            (schedule.steps[thread].label, schedule.steps[rounds].label);
    }
    Some(schedule)
}

/// Blocks: of the dimensions with these tiles the three of most blocks; one that has too many for another axis is the first
fn blocks(step: &mut StepBuilder, a: &Accesses, tiles: &[(usize, i64, Tail)]) {
    let count = |n: usize| (a.sizes[tiles[n].0] as u64).div_ceil(tiles[n].1.max(1) as u64) as i64;
    let mut found: Vec<usize> = (0..tiles.len()).filter(|n| count(*n) > 1).collect();
    found.sort_by_key(|n| std::cmp::Reverse(count(*n)));
    found.truncate(3);
    found.sort_by_key(|n| (count(*n) <= ACROSS, *n));
    for (axis, n) in found.iter().enumerate() {
        let (dim, tile, tail) = tiles[*n];
        // A block has several tiles, one after the other, where the axis is too short.
        let least = if axis == 0 { 1 } else { across(a.sizes[dim]) };
        step.tile(dim, (least as u64).next_multiple_of(tile.max(1) as u64) as i64, Layer::Blk, Some(tail));
    }
    if let (true, Some((dim, ..))) = (found.is_empty(), tiles.first()) {
        step.core(*dim, Layer::Blk);
    }
}
