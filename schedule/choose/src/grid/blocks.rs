//! Blocks along a reduction (paper on reductions, §4.2 and §5.1): reduced tiles along block.x, reduced points along thread.x, kept coordinates
//! along block.y and .z.
//!
//! A block has one tile, which its threads walk in rounds (block-stride), or each round of all blocks is a tile (grid-stride): thread `t` of block `b`
//! takes `t`, `t + T`, … of its block's tile, or `t + T·b`, `t + T·b + T·G`, … Neither has a test for each element. Where a kept dimension is
//! contiguous in what is read, threads follow that, and blocks have rows of the reduction.

use super::{ACROSS, across, kept, lanes, power, threads_outside};
use crate::access::Accesses;
use crate::loops::{ceil, order};
use crate::steps::Steps;
use terrace_devices::{Axis, Device, Layer, Mechanism};
use terrace_schedule_model::{Core, Schedule, Tail};

/// How a thread goes on from one element to the next
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stride {
    /// By the threads of its block
    Block,
    /// By the threads of all blocks along the reduction
    Grid,
}

/// What a schedule with blocks along a reduction is made from
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Blocks along the reduction
    pub blocks: i64,
    /// Threads of a block, at most
    pub threads: i64,
    /// Does a thread take several elements side by side, where it can?
    pub wide: bool,
    /// From one element of a thread to the next
    pub stride: Stride,
    /// How blocks bring their values together; none: that is settled later
    pub via: Option<Mechanism>,
}

/// Who has the threads
struct Threads {
    /// The reduced dimension that blocks share
    reduced: usize,
    /// The dimension that threads follow
    along: usize,
    /// How many there are
    count: i64,
    /// Elements of a thread side by side
    each: i64,
    /// A kept dimension whose few coordinates each have such threads
    columns: Option<usize>,
}

/// The threads of a form; `None` where no reduced dimension can be shared
fn threads(a: &Accesses, device: &Device, form: &Form) -> Option<Threads> {
    if !a.single || !a.reorders || a.conditioned.iter().any(|dim| *dim) || a.outputs.len() != a.outs {
        return None;
    }
    let contiguous = |dim: &usize| a.inputs.iter().any(|input| input.strides[*dim] == Some(1));
    let long = |dim: &usize| a.sizes[*dim] >= device.warp;
    let by_size = |dims: Vec<usize>| dims.into_iter().max_by_key(|dim| a.sizes[*dim]);
    let most = form.threads.min(device.block_threads);
    let row = by_size(a.dims(|dim| a.kept[dim] && contiguous(&dim) && long(&dim)));
    if let Some(along) = row {
        let reduced = by_size(a.dims(|dim| a.reduced[dim]))?;
        return Some(Threads {
            reduced,
            along,
            count: most.min(power(a.sizes[along])),
            each: 1,
            columns: None,
        });
    }
    if let Some(few) = few_columns(a, device, most).filter(|_| !form.wide) {
        return Some(few);
    }
    let reduced = by_size(a.dims(|dim| a.reduced[dim] && contiguous(&dim) && long(&dim)))?;
    let each = if form.wide { lanes(a, device, reduced, device.warp)? } else { 1 };
    let mut count = most;
    while count * each > a.sizes[reduced] {
        count /= 2;
    }
    Some(Threads { reduced, along: reduced, count, each, columns: None })
}

/// Threads along rows of less than a warp's elements, and along the reduced dimension whose rows they are
fn few_columns(a: &Accesses, device: &Device, most: i64) -> Option<Threads> {
    let rows = |dim: usize, of: usize| {
        a.inputs.iter().any(|input| input.strides[of] == Some(1) && input.strides[dim] == Some(a.sizes[of]))
    };
    let few = a.dims(|dim| a.kept[dim] && !a.open[dim] && (2..device.warp).contains(&a.sizes[dim]));
    let rows_of = |columns: usize| a.dims(|dim| a.reduced[dim] && rows(dim, columns)).into_iter().next();
    let (columns, reduced) = few.into_iter().find_map(|columns| Some((columns, rows_of(columns)?)))?;
    let mut count = power(most / a.sizes[columns]);
    while count > a.sizes[reduced] {
        count /= 2;
    }
    (count > 1).then_some(Threads { reduced, along: reduced, count, each: 1, columns: Some(columns) })
}

/// A schedule with several blocks for each result; `None` where the computation or its sizes have no such form
pub fn blocks(a: &Accesses, device: &Device, form: Form) -> Option<Schedule> {
    let threads = threads(a, device, &form)?;
    let Threads { reduced, along, count, each, columns } = threads;
    let x_form = along == reduced;
    let round = if x_form { count * each } else { 1 };
    let rounds = ceil(a.sizes[reduced], round);
    let tile = match form.stride {
        Stride::Block => ceil(rounds, form.blocks.max(1)) * round,
        Stride::Grid => form.blocks.min(rounds) * round,
    };
    let several = match form.stride {
        Stride::Block => tile < a.sizes[reduced],
        Stride::Grid => tile < a.sizes[reduced] && tile > round,
    };
    let kept: Vec<usize> = kept(a).into_iter().filter(|dim| Some(*dim) != columns).collect();
    let near = kept.iter().all(|dim| *dim != along || ceil(a.sizes[*dim], count) <= ACROSS);
    if !several || form.blocks < 2 || !near {
        return None;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    let mut labels = Vec::new();
    if form.stride == Stride::Grid {
        steps.step(|step| {
            step.tile(reduced, tile, Layer::For, Some(Tail::Limit));
        });
        labels.push(Place::Rounds);
    }
    let own = if form.stride == Stride::Grid { round } else { tile };
    steps.step(|step| {
        step.tile(reduced, own, Layer::Blk, Some(Tail::Limit));
        for dim in kept.iter().take(2) {
            let tile = if *dim == along { count } else { across(a.sizes[*dim]) };
            step.tile(*dim, tile, Layer::Blk, Some(Tail::Limit));
        }
    });
    labels.push(Place::Blocks);
    let mut next = |steps: &mut Steps, place: Place, dims: &[(usize, i64)], layer: Layer| {
        let before = steps.len();
        steps.step(|step| {
            for (dim, tile) in dims {
                step.tile(*dim, *tile, layer, Some(Tail::Limit));
            }
        });
        labels.extend((steps.len() > before).then_some(place));
    };
    let others: Vec<(usize, i64)> = kept.iter().filter(|dim| **dim != along).map(|dim| (*dim, 1)).collect();
    next(&mut steps, Place::Kept, &others, Layer::For);
    if form.stride == Stride::Block && x_form {
        next(&mut steps, Place::Rounds, &[(reduced, round)], Layer::For);
    }
    let along_x: Vec<(usize, i64)> = columns.into_iter().map(|dim| (dim, 1)).chain([(along, each)]).collect();
    next(&mut steps, Place::Threads, &along_x, Layer::Thr);
    next(&mut steps, Place::Rest, &[(along, 1)], Layer::Vec);
    let mut schedule = steps.finish(&order(a));
    labels.resize(schedule.steps.len(), Place::Rest);
    let core =
        schedule.steps[labels.iter().position(|place| *place == Place::Blocks)?].cores[reduced].as_mut()?;
    *core = Core { mechanism: form.via, ..Core::along(Layer::Blk, Axis::X) };
    let mut schedule =
        threads_outside(schedule, (along, if x_form && columns.is_none() { count } else { 1 }), a, device)?;
    // In code, threads are outside of their rounds.
    let mut places: Vec<(Place, usize)> = labels.into_iter().zip(0..).collect();
    places.sort();
    for (label, (_, step)) in places.into_iter().enumerate() {
        schedule.steps[step].label = label + 1;
    }
    Some(schedule)
}

/// Where a step's loops are in code
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Blocks,
    Kept,
    Threads,
    Rounds,
    Rest,
}

/// Threads of a block that are proposed
const THREADS: [i64; 2] = [super::LINE, 256];

/// Blocks for each multiprocessor that are proposed
const FILL: [i64; 4] = [4, 2, 1, 8];

/// Few blocks for each result
const FEW: [i64; 3] = [2, 4, 8];

/// Forms whose blocks bring their values together in a way, what fills the device first
pub fn forms(a: &Accesses, device: &Device, via: Option<Mechanism>) -> Vec<Schedule> {
    let mut all: Vec<Schedule> = Vec::new();
    let rows = |threads: &Threads| {
        let dims = a.dims(|dim| a.kept[dim]).into_iter();
        let blocks = dims
            .filter(|dim| Some(*dim) != threads.columns)
            .map(|dim| if dim == threads.along { ceil(a.sizes[dim], threads.count) } else { a.sizes[dim] });
        blocks.fold(1i64, i64::saturating_mul)
    };
    for number in 0..FILL.len() + FEW.len() {
        for (most, wide) in THREADS.into_iter().flat_map(|threads| [(threads, true), (threads, false)]) {
            let form = Form { blocks: 0, threads: most, wide, stride: Stride::Block, via };
            let Some(threads) = threads(a, device, &form) else { continue };
            let fill = FILL.get(number).map(|fill| device.units.saturating_mul(*fill) / rows(&threads));
            let blocks = fill.or_else(|| FEW.get(number - FILL.len()).copied()).unwrap_or(0);
            for stride in [Stride::Block, Stride::Grid] {
                let own = self::blocks(a, device, Form { blocks, stride, ..form });
                all.extend(own.filter(|own| !all.contains(own)));
            }
        }
    }
    all
}
