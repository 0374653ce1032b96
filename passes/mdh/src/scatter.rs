//! Schedules of computations whose points name their places: histograms.
//!
//! Points are walked in order; each goes to the one coordinate that it names (`terrace_dialect_mdh::scatter`, which says
//! why that is the same). Threads share a kept dimension that is not named; else the reduction is cut into tasks that each
//! have a copy of the outputs, merged in order after them, if the operator may be bracketed anyhow and copies are small
//! next to what a task reads. Their number does not depend on the number of threads.
//!
//! On a grid points meet by atomic updates, so only operators whose order never shows are taken: in a copy of the outputs that a
//! block has in its shared memory, and from there once per block and place in the outputs; straight in the outputs where
//! a copy is too large (Panamera's histograms).

use std::fmt;
use terrace_devices::{Device, DeviceKind, Layer, Mechanism, Region, Updated};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::{Builtin, Operator};
use terrace_dialect_mdh::scatter::Scatter;
use terrace_dialect_mdh::schedule::{Schedule, Step, Tail};
use terrace_dialect_mdh::view::{CombineKind, Order, View};
use terrace_ir::Ir;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::loops::{ceil, order, parallel, worth_threads};
use terrace_schedule_choose::steps::Steps;

/// Comparisons per point below which lanes do them at once
const WORTH: i64 = 16;

/// Points of a task
const TASK_POINTS: i64 = 1 << 15;

/// Points of a task for each element of its copy
const POINTS_PER_ELEMENT: i64 = 8;

/// Threads of a block
const THREADS: i64 = 128;

/// Points of a block
const BLOCK_POINTS: i64 = 1 << 12;

/// Most blocks along the points
const BLOCKS: i64 = 1 << 10;

/// Points below which a grid has nothing to gain
const GRID_POINTS: i64 = 256;

/// Most blocks along the second axis
const ACROSS: i64 = 65_535;

/// Dimensions that are worth it, of those that may be picked
pub(crate) fn worth(scatter: Scatter, view: &View) -> Option<Scatter> {
    let places = scatter.picks.iter().fold(1i64, |all, pick| all.saturating_mul(view.dims[pick.dim].size));
    (places >= WORTH).then_some(scatter)
}

/// The schedule
pub(crate) fn schedule(a: &Accesses, device: &Device, scatter: &Scatter) -> Schedule {
    let picked: Vec<usize> = scatter.picks.iter().map(|pick| pick.dim).collect();
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    let places: i64 = picked.iter().fold(1, |all, dim| all.saturating_mul(a.sizes[*dim]));
    let points = a.points() / places.max(1);
    let mut of_points = a.clone();
    for dim in &picked {
        of_points.sizes[*dim] = 1;
    }
    if worth_threads(&of_points, device) {
        let kept = parallel(&of_points, device, &picked).filter(|dim| a.sizes[*dim] >= device.units);
        let longest = a.dims(|dim| a.reduced[dim]).into_iter().max_by_key(|dim| a.sizes[*dim]);
        if let Some(dim) = kept {
            steps.step(|step| {
                step.tile(dim, ceil(a.sizes[dim], device.units), Layer::Thr, Some(Tail::Limit));
            });
        } else if let Some(dim) = longest.filter(|_| a.reorders) {
            let elements: i64 = a.dims(|dim| a.kept[dim]).into_iter().map(|dim| a.sizes[dim]).product();
            let inner = (points / a.sizes[dim].max(1)).max(1);
            let task = TASK_POINTS.max(elements.saturating_mul(POINTS_PER_ELEMENT));
            let part = ceil(task, inner);
            if part <= a.sizes[dim] / 2 {
                steps.step(|step| {
                    step.tile(dim, part, Layer::Thr, Some(Tail::Limit));
                });
            }
        }
    }
    steps.finish(&order(a))
}

/// Why there are no atomic updates for the outputs
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoAtomic {
    /// The operator is a function
    Function,
    /// None by this operator of elements of this type
    Type(Builtin),
    /// Their order would show in floats
    Order(Builtin),
}

impl fmt::Display for NoAtomic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAtomic::Function => {
                f.write_str("the operator is a function, of which there are no atomic updates")
            }
            NoAtomic::Type(builtin) => {
                write!(f, "there is no atomic update by `{builtin}` of elements of this type")
            }
            NoAtomic::Order(builtin) => write!(
                f,
                "atomic updates by `{builtin}` come in any order, which shows in floats; `free` allows it"
            ),
        }
    }
}

/// Are there atomic updates for all outputs, whose order never shows?
pub(crate) fn atomic(ir: &Ir, op: Compute, view: &View, device: &Device) -> Result<(), NoAtomic> {
    let cx = ir.cx();
    let types: Vec<_> = ir.results(op.id()).map(|value| ir.ty(value).scalar(cx)).collect();
    for dim in &view.dims {
        let CombineKind::Pw(operators, order) = &dim.kind else { continue };
        for (n, ty) in types.iter().enumerate() {
            let Some(Operator::Builtin(builtin)) = operators.get(n).or(operators.first()).copied() else {
                return Err(NoAtomic::Function);
            };
            let algebra = builtin.algebra(cx, *ty);
            let has = |(update, element)| {
                Updated::of(DeviceKind::Grid)
                    .iter()
                    .all(|memory| device.atomics.updates().has(*memory, update, element))
            };
            if !builtin.update(cx, *ty).is_some_and(has) {
                return Err(NoAtomic::Type(builtin));
            }
            if !algebra.exact && *order != Order::Free {
                return Err(NoAtomic::Order(builtin));
            }
        }
    }
    Ok(())
}

/// The schedule for a grid; the error says why comparisons are needed after all, nothing where they are not worth it
pub(crate) fn on_grid(
    ir: &Ir,
    op: Compute,
    view: &View,
    a: &Accesses,
    device: &Device,
    scatter: &Scatter,
) -> Result<Option<Schedule>, NoAtomic> {
    atomic(ir, op, view, device)?;
    let picked: Vec<usize> = scatter.picks.iter().map(|pick| pick.dim).collect();
    let size = |dims: &[usize]| dims.iter().fold(1i64, |all, dim| all.saturating_mul(a.sizes[*dim]));
    let rows = a.dims(|dim| a.kept[dim] && !picked.contains(&dim));
    let reduced = a.dims(|dim| a.reduced[dim]);
    let Some(longest) = reduced.iter().copied().max_by_key(|dim| a.sizes[*dim]) else { return Ok(None) };
    if size(&reduced) < GRID_POINTS || a.sizes[longest] < 2 {
        return Ok(None);
    }
    let inner = (size(&reduced) / a.sizes[longest]).max(1);
    let mut threads = THREADS.min(device.block_threads);
    while threads > a.sizes[longest] {
        threads /= 2;
    }
    // A copy is worth it if a block puts more into it than it has places; its parts are whole rounds of threads.
    let places = size(&picked);
    let points = BLOCK_POINTS.max(places.saturating_mul(2));
    let part = ceil(points, inner).max(ceil(a.sizes[longest], BLOCKS));
    let part = ceil(part, threads).saturating_mul(threads);
    let bytes: i64 = ir
        .results(op.id())
        .map(|value| i64::from(ir.ty(value).scalar(ir.cx()).bit_width(ir.cx()).unwrap_or(64) / 8))
        .fold(0, i64::saturating_add);
    let copies = places.saturating_mul(bytes) <= device.bytes(Region::Sm);
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    steps.step(|step| {
        match part < a.sizes[longest] {
            true => step.tile(longest, part, Layer::Blk, Some(Tail::Limit)),
            false => step.core(longest, Layer::Blk),
        };
        for dim in rows.iter().take(2) {
            let tile = if Some(dim) == rows.first() { ceil(a.sizes[*dim], ACROSS) } else { a.sizes[*dim] };
            step.tile(*dim, tile, Layer::Blk, Some(Tail::Limit));
        }
    });
    steps.step(|step| {
        for dim in &rows {
            step.tile(*dim, 1, Layer::For, None);
        }
        if copies {
            (0..a.outs).for_each(|out| {
                step.output(out, Region::Sm);
            });
        }
    });
    steps.step(|step| {
        step.tile(longest, threads, Layer::For, Some(Tail::Limit));
    });
    steps.step(|step| {
        step.tile(longest, 1, Layer::Thr, None);
    });
    let mut schedule = steps.finish(&order(a));
    // In code threads stand outside of their rounds: there is no barrier between them.
    let layer =
        |step: &Step, name: Layer| step.cores[longest].as_ref().is_some_and(|core| core.layer == name);
    if let Some(thread) =
        schedule.steps.iter().position(|step| layer(step, Layer::Thr)).filter(|thread| *thread > 0)
        && layer(&schedule.steps[thread - 1], Layer::For)
    {
        (schedule.steps[thread - 1].label, schedule.steps[thread].label) =
            (schedule.steps[thread].label, schedule.steps[thread - 1].label);
    }
    for step in &mut schedule.steps {
        for (dim, core) in step.cores.iter_mut().enumerate() {
            if let Some(core) = core.as_mut().filter(|core| a.reduced[dim] && core.layer != Layer::For) {
                core.mechanism = Some(Mechanism::Atomic);
            }
        }
    }
    Ok(Some(schedule))
}
