//! How blocks that split a reduction bring their values together: by atomics, or by a second kernel (paper, §5.4; trap F20).
//!
//! A schedule may say which. Where it says neither, atomics are taken if the operator allows them in any order without a
//! difference (`free`, or exact values), else the second kernel; the choice is a remark. The second kernel is a second
//! computation: the first one gets the part as a dimension in front, and the schedule with it. A computation that keeps the order
//! of its source has no parts; its blocks are refused before ([`crate::fits`]).

use crate::{parts, rounds};
use terrace_devices::{Device, Layer, Mechanism, Updated};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::schedule::{Broken, Core, Rule, Schedule, Size};
use terrace_dialect_mdh::view::{CombineKind, Order, View};
use terrace_ir::{Ir, Type};

/// What became of a schedule
pub enum Change {
    /// As it was
    None,
    /// A mechanism was chosen: the schedule, and what to say
    Chosen(Schedule, String),
    /// The computation was cut: its parts with their schedule, and the one that has none yet
    Split(Split),
}

/// A computation in two
pub struct Split {
    /// Its parts
    pub first: Compute,
    /// Their schedule
    pub schedule: Schedule,
    /// What joins them
    pub second: Compute,
    /// Is that what the last block of the parts does?
    pub last: bool,
    /// What to say
    pub said: Option<String>,
}

/// Where a reduced dimension is split among blocks
struct Meeting {
    dim: usize,
    /// Step, from 0
    step: usize,
    /// Coordinates of a block
    size: i64,
}

/// What may become of the blocks of a schedule
#[derive(Clone, Copy, Debug)]
pub struct Freedom {
    /// Atomic updates may be chosen
    pub atomics: bool,
    /// Contributions may be taken in any order
    pub any_order: bool,
}

/// Settle how the blocks of a given schedule meet; the error names the rule
pub fn settle(
    ir: &mut Ir,
    op: Compute,
    view: &View,
    schedule: &Schedule,
    device: &Device,
    free: Freedom,
) -> Result<Change, Broken> {
    let Some(meeting) = meeting(view, schedule) else { return Ok(Change::None) };
    let core = schedule.steps[meeting.step].cores[meeting.dim].as_ref();
    let (via, chosen) = match core.and_then(|core| core.mechanism) {
        Some(via) => (via, false),
        None if free.atomics && may_be_atomic(ir, op, view, meeting.dim, device) => (Mechanism::Atomic, true),
        None => (Mechanism::Kernel, true),
    };
    let name = &view.dims[meeting.dim].name;
    let said = chosen.then(|| {
        format!(
            "blocks of dimension {} ({name}) meet by ({via}); say (atomic), (last) or (kernel) at its core to choose",
            meeting.dim + 1
        )
    });
    if !matches!(via, Mechanism::Kernel | Mechanism::Last) {
        let Some(said) = said else { return Ok(Change::None) };
        let mut schedule = schedule.clone();
        if let Some(core) = &mut schedule.steps[meeting.step].cores[meeting.dim] {
            core.mechanism = Some(via);
        }
        return Ok(Change::Chosen(schedule, said));
    }
    let above = size_above(view, schedule, meeting.step, meeting.dim);
    if above == view.dims[meeting.dim].size {
        return split((ir, op), view, schedule, (&meeting, via), (device, said));
    }
    let made = rounds::before(ir, op, view, schedule, (meeting.dim, meeting.step), (via, free.any_order))?;
    let first = self::meeting(&made.view, &made.schedule).ok_or_else(|| uncut(via, meeting.dim));
    let done = first.and_then(|meeting| {
        split((&mut *ir, made.op), &made.view, &made.schedule, (&meeting, via), (device, said))
    });
    match done {
        Ok(Change::Split(split)) => {
            parts::replace(ir, op, split.second);
            Ok(Change::Split(split))
        }
        other => {
            ir.erase(made.op.id());
            other
        }
    }
}

/// Cut what the blocks of a first tile share
fn split(
    (ir, op): (&mut Ir, Compute),
    view: &View,
    schedule: &Schedule,
    (meeting, via): (&Meeting, Mechanism),
    (device, said): (&Device, Option<String>),
) -> Result<Change, Broken> {
    let parts = with_part(schedule, meeting);
    let [first, second] =
        parts::split_at(ir, op, view, meeting.dim, meeting.size).ok_or_else(|| uncut(via, meeting.dim))?;
    let last = via == Mechanism::Last;
    let said = match (last, device.fences) {
        (true, false) => Some(no_fences(device)),
        _ => said,
    };
    Ok(Change::Split(Split { first, schedule: parts, second, last: last && device.fences, said }))
}

fn uncut(via: Mechanism, dim: usize) -> Broken {
    Rule::Atomic.broken(format!(
        "({via}) of dimension {}: a computation with prefixes or several places of an output cannot be cut",
        dim + 1
    ))
}

/// Why a second kernel joins what the last block was to join
fn no_fences(device: &Device) -> String {
    format!(
        "device `{}` orders nothing between blocks of a launch: a second kernel joins the parts",
        device.name
    )
}

/// The first loop of blocks over a reduced dimension that runs more than once
fn meeting(view: &View, schedule: &Schedule) -> Option<Meeting> {
    for (step, one) in schedule.steps.iter().enumerate() {
        for (dim, core) in one.cores.iter().enumerate().take(view.dims.len()) {
            let blocks = core.as_ref().is_some_and(|core| core.layer == Layer::Blk);
            let above = size_above(view, schedule, step, dim);
            let size = one.sizes.get(dim)?.value.unwrap_or(above);
            if blocks && matches!(view.dims[dim].kind, CombineKind::Pw(..)) && size > 0 && size < above {
                return Some(Meeting { dim, step, size });
            }
        }
    }
    None
}

fn size_above(view: &View, schedule: &Schedule, step: usize, dim: usize) -> i64 {
    let earlier = schedule.steps[..step].iter().rev();
    earlier.filter_map(|step| step.sizes.get(dim)?.value).next().unwrap_or(view.dims[dim].size)
}

/// The cut that a schedule with blocks along a reduction means: the dimension, coordinates of a block, and the schedule of the parts; `None` where
/// blocks have other tiles than the first ones
pub(crate) fn as_parts(view: &View, schedule: &Schedule) -> Option<((usize, i64), Schedule)> {
    let meeting = meeting(view, schedule)?;
    let first = size_above(view, schedule, meeting.step, meeting.dim) == view.dims[meeting.dim].size;
    first.then(|| ((meeting.dim, meeting.size), with_part(schedule, &meeting)))
}

/// May blocks merge what all reduced dimensions contribute into device memory, by atomic updates in any order?
pub(crate) fn updates(ir: &Ir, op: Compute, view: &View, device: &Device) -> bool {
    let mut reduced =
        (0..view.dims.len()).filter(|dim| matches!(view.dims[*dim].kind, CombineKind::Pw(..))).peekable();
    reduced.peek().is_some() && reduced.all(|dim| may_be_atomic(ir, op, view, dim, device))
}

/// The remark about blocks of a chosen schedule that update results
pub(crate) fn said(view: &View, schedule: &Schedule) -> Option<String> {
    let atomic = |core: &Option<Core>| core.is_some_and(|core| core.mechanism == Some(Mechanism::Atomic));
    let dims = schedule.steps.iter().flat_map(|step| step.cores.iter().enumerate());
    let (dim, _) = dims.into_iter().find(|(_, core)| atomic(core))?;
    let name = &view.dims[dim].name;
    Some(format!(
        "blocks share `{name}` and meet by (atomic), since any order will do; a launch in front starts the results"
    ))
}

/// May contributions be merged in any order, by updates of memory?
fn may_be_atomic(ir: &Ir, op: Compute, view: &View, dim: usize, device: &Device) -> bool {
    let cx = ir.cx();
    let CombineKind::Pw(operators, order) = &view.dims[dim].kind else { return false };
    let results: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value).scalar(cx)).collect();
    operators.len() == results.len()
        && operators.iter().zip(results).all(|(operator, ty)| match operator {
            Operator::Builtin(builtin) => {
                let algebra = builtin.algebra(cx, ty);
                let updates = device.atomics.updates();
                let has = |(update, element)| updates.has(Updated::Device, update, element);
                let any_order = algebra.exact || *order == Order::Free;
                algebra.commutative && any_order && builtin.update(cx, ty).is_some_and(has)
            }
            Operator::Func(_) | Operator::Accumulated(_) => false,
        })
}

/// The schedule of the parts: the part has the blocks, and the dimension begins as long as they are
fn with_part(schedule: &Schedule, meeting: &Meeting) -> Schedule {
    let mut parts = schedule.clone();
    for (n, step) in parts.steps.iter_mut().enumerate() {
        let mut core = None;
        if n == meeting.step {
            core = step.cores[meeting.dim].take().map(|core| Core { mechanism: None, ..core });
            step.sizes[meeting.dim].value = None;
            step.sizes[meeting.dim].tail = None;
        }
        let value = (n == meeting.step).then_some(1);
        step.sizes.insert(0, Size { value, tail: None });
        step.cores.insert(0, core);
    }
    parts
}
