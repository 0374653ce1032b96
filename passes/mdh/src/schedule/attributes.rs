//! Attributes next to schedules, and words in them, that follow from the device.

use super::prologues::bytes;
use super::{MdhSchedule, remark, rows, set};
use crate::implied::Compared;
use crate::{access, implied};
use terrace_devices::{Device, DeviceKind, Layer, Region};
use terrace_dialect_func::Return;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::epilogue::EPILOGUE;
use terrace_dialect_mdh::prologue::PROLOGUE;
use terrace_dialect_mdh::schedule::{self, GRID, Placement, SCHEDULE, SUBGROUP, Schedule, Size, Step, Words};
use terrace_dialect_mdh::view::{CombineKind, View};
use terrace_dialect_tensor::{CollapseShape, ExpandShape};
use terrace_ir::{Ir, OpId, Value};
use terrace_pass::PassCx;

impl MdhSchedule {
    /// Write next to schedules what follows from the device: how many threads its warps have, unless it is the usual number,
    /// and that there is a grid where no layer says so
    pub(super) fn attributes(&self, unit: &mut Ir) -> bool {
        let warp = unit.cx().int_attr(self.device.warp.into(), unit.cx().common().i64);
        let present = unit.cx().common().unit;
        let computes: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        let mut changed = false;
        for op in computes {
            let schedule = unit.discardable(op.id(), SCHEDULE).map(|own| schedule::decided(unit.cx(), own));
            let Some(Ok(schedule)) = schedule else { continue };
            let cores = || schedule.steps.iter().flat_map(|step| step.cores.iter().flatten());
            let has = |layer: Layer| cores().any(|core| core.layer == layer);
            let grid = self.device.kind == DeviceKind::Grid;
            let unusual = grid && has(Layer::Wrp) && !matches!(self.device.warp, 1 | USUAL_WARP);
            let silent = grid && !has(Layer::Wrp) && !has(Layer::Blk) && !schedule.steps.is_empty();
            if !grid && unit.discardable(op.id(), GRID).is_some() {
                unit.set_discardable(op.id(), GRID, None);
                changed = true;
            }
            for (name, attr, wanted) in [(SUBGROUP, warp, unusual), (GRID, present, silent)] {
                if wanted && unit.discardable(op.id(), name) != Some(attr) {
                    unit.set_discardable(op.id(), name, Some(attr));
                    changed = true;
                }
            }
        }
        changed
    }
}

/// Threads of a warp by default
const USUAL_WARP: i64 = 32;

/// Attributes next to a given schedule
pub(super) fn complete(cx: &mut PassCx<'_>, unit: &mut Ir, op: Compute, view: &View, schedule: &Schedule) {
    let fits = |step: &Step| step.cores.len() == view.dims.len() && step.sizes.len() == view.dims.len();
    if !schedule.steps.iter().all(fits) {
        // `mdh-to-sched` reports it.
        return;
    }
    let kind = |wanted: fn(&CombineKind) -> bool| view.dims.iter().any(|dim| wanted(&dim.kind));
    if kind(|kind| matches!(kind, CombineKind::Ps(_))) && kind(|kind| matches!(kind, CombineKind::Pw(..))) {
        let said = "prefixes of a reduction stay one computation: the schedule that is given is of all its dimensions; without \
                    one they become two";
        remark(cx, unit, op, said.into());
    }
    let accesses = access::read(unit, op, view);
    implied::rolled(unit, op, &accesses, schedule);
    let found = implied::scattered(unit, op, view);
    let allowed = |found| implied::allowed(view, schedule, found);
    match found.map_err(Compared::from).and_then(|found| found.map(allowed).transpose()) {
        Ok(None) => {}
        Ok(Some(found)) => {
            let said = implied::go(unit, op, view, &found);
            remark(cx, unit, op, said);
        }
        Err(why) => remark(cx, unit, op, format!("all coordinates are compared: {why}")),
    }
}

/// A schedule for a grid that is given: points that name their places go there, where blocks meet by atomic updates
pub(super) fn complete_on_grid(
    cx: &mut PassCx<'_>,
    unit: &mut Ir,
    op: Compute,
    view: &View,
    schedule: &Schedule,
    device: &Device,
) {
    if let Ok(Some(found)) = implied::scattered(unit, op, view)
        && implied::meets_by_atomics(view, schedule, &found)
        && crate::scatter::atomic(unit, op, view, device).is_ok()
    {
        let said = implied::go(unit, op, view, &found);
        remark(cx, unit, op, said);
    }
}

/// Lines that tiles write in order for non-temporal stores to pay where their ends share lines with other tiles: what is written of a
/// line by itself is merged in memory
const LINES: i64 = 16;

/// Does a tile of an output, owned by a step, write whole lines, but for the ends of long runs of them?
fn writes_lines(
    ir: &Ir,
    op: Compute,
    view: &View,
    (out, owner): (usize, usize),
    schedule: &Schedule,
    line: i64,
) -> bool {
    let cx = ir.cx();
    let ty = ir.ty(ir.result(op.id(), out));
    let (Some(shape), [map]) = (ty.shape(cx), &view.outputs[out].maps[..]) else { return true };
    let tile = |dim: usize| {
        let mut sizes = schedule.steps[..=owner].iter().rev().filter_map(|step| step.sizes[dim].value);
        sizes.next().unwrap_or(view.dims[dim].size)
    };
    let (mut run, mut apart) = (i64::from(ty.scalar(cx).bit_width(cx).unwrap_or(0) / 8).max(1), None);
    for (expr, size) in map.results.iter().zip(shape).rev() {
        let moving = (0..view.dims.len()).find(|dim| expr.uses_dim(*dim as u32));
        let extent = moving.map_or(1, tile).min(*size);
        if extent < *size {
            // How far tiles begin apart along what is in front of it.
            apart = Some(run.saturating_mul(*size));
            run *= extent;
            break;
        }
        run = run.saturating_mul(extent);
    }
    let whole = run % line == 0 && apart.is_none_or(|apart| apart % line == 0);
    whole || run >= LINES * line
}

/// Is a value a result of the function and nothing else, maybe in another shape?
fn is_returned(ir: &Ir, value: Value) -> bool {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        for (user, _) in ir.uses(value) {
            match ir.is(user, ExpandShape::DEF) || ir.is(user, CollapseShape::DEF) {
                true => left.extend(ir.results(user)),
                false if ir.is(user, Return::DEF) => {}
                false => return false,
            }
        }
    }
    true
}

/// Outputs that the last cache does not hold and nothing here reads again go past it
pub(super) fn past_caches(ir: &Ir, op: Compute, view: &View, device: &Device, schedule: &mut Schedule) {
    go_past_caches(ir, (op, view), device, schedule, &|value| is_returned(ir, value));
}

impl MdhSchedule {
    /// So do those that computations read which share no loops with the one that writes them: by then no cache has them
    pub(super) fn through_memory(&self, unit: &mut Ir, given: &[OpId]) {
        if self.device.kind != DeviceKind::Host {
            return;
        }
        let computes: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        let has = |ir: &Ir, op: OpId, mark: &str| ir.discardable(op, mark).is_some();
        let done_elsewhere = |ir: &Ir, op: OpId| has(ir, op, EPILOGUE) || has(ir, op, PROLOGUE);
        for op in computes.into_iter().filter(|op| !given.contains(&op.id())) {
            let own =
                unit.discardable(op.id(), SCHEDULE).and_then(|own| schedule::decided(unit.cx(), own).ok());
            let (Some(own), Ok(view), false) = (own, View::read(unit, op), done_elsewhere(unit, op.id()))
            else {
                continue;
            };
            let apart = |value: Value| {
                let reader = |user: OpId| {
                    // An epilogue may be in the loops of the one that writes. A prologue is in those of what is behind it.
                    let reader = Compute::cast(unit, user).filter(|_| !has(unit, user, EPILOGUE));
                    reader.is_some_and(|reader| rows::apart(unit, (op, &own), reader, value))
                };
                unit.uses(value).next().is_some() && unit.uses(value).all(|(user, _)| reader(user))
            };
            let mut other = own.clone();
            go_past_caches(unit, (op, &view), &self.device, &mut other, &apart);
            if other != own {
                set(unit, op, &other);
            }
        }
    }
}

/// Large outputs of this kind go past the last cache: a word of the schedule, in step 0 where no step has a buffer of theirs
fn go_past_caches(
    ir: &Ir,
    (op, view): (Compute, &View),
    device: &Device,
    schedule: &mut Schedule,
    fits: &dyn Fn(Value) -> bool,
) {
    let (cache, line) = (device.bytes(Region::L3), (device.costs.caches.line as i64).max(1));
    let results: Vec<Value> = ir.results(op.id()).collect();
    let large = |value: Value| bytes(ir, value) > cache && fits(value);
    for (out, _) in results.into_iter().enumerate().filter(|(_, value)| large(*value)) {
        if let Some(owner) = schedule.steps.iter().position(|step| step.outs[out].is_some()) {
            let whole = writes_lines(ir, op, view, (out, owner), schedule, line);
            if let Some(place) = schedule.steps[owner].outs[out].as_mut().filter(|_| whole) {
                place.words.nt = true;
            }
            continue;
        }
        let Some(first) = schedule.steps.first().cloned() else { return };
        if first.label > 0 {
            let start = Step {
                label: 0,
                sizes: vec![Size { value: None, tail: None }; first.sizes.len()],
                ins: vec![None; first.ins.len()],
                outs: vec![None; first.outs.len()],
                cores: vec![None; first.cores.len()],
            };
            schedule.steps.insert(0, start);
        }
        let words = Words { nt: true, ..Words::default() };
        schedule.steps[0].outs[out] = Some(Placement { words, ..Placement::new(Region::Mm, Vec::new()) });
    }
}
