//! The pass `mdh-schedule`: every computation without a schedule gets one for a device.

mod attributes;
mod choices;
mod cuts;
mod epilogues;
mod forms;
mod joined;
mod layouts;
mod on_grid;
mod options;
mod prologues;
mod ranks;
mod rows;
mod tall;
mod together;
mod triangles;

use crate::bits::follow;
use crate::codes;
use crate::implied::Compared;
use crate::mechanism::{self, Change, Freedom, Split};
use crate::{access, fits, grid, implied, last_block, operators, prefixes, wider};
use attributes::{complete, complete_on_grid, past_caches};
use choices::Choices;
pub use options::INFO;
use options::{Moves, Settings, Switches};
use terrace_devices::{Device, DeviceKind};
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_builtin::marks::TARGET;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::scatter::Scatter;
use terrace_dialect_mdh::schedule::{self, SCHEDULE, Schedule};
use terrace_dialect_mdh::view::View;
use terrace_ir::symbols::{ScopeId, Symbols, symbol_name};
use terrace_ir::{Context, Ir, OpId, Str};
use terrace_pass::{Pass, PassCx};
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::Choice;
use terrace_schedule_choose::explain::{self, Explain};
use terrace_schedule_cost::Computed;
use triangles::Triangles;

/// Longest dimension that gets a schedule: sums and products of a few sizes fit a number
const MOST: i64 = 1 << 40;

/// One run of the pass on a function
struct MdhSchedule {
    device: Device,
    explain: Explain,
    switches: Switches,
    moves: Moves,
    devices: i64,
    choices: Choices,
}

impl Pass for Settings {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        // A function that is for one processor (`func-multi-version`) is scheduled for that.
        let own = unit.discardable(unit.root(), TARGET).and_then(|attr| attr.as_str(unit.cx()));
        match own.map(Device::find) {
            Some(Ok(device)) if device.kind == self.device.kind => {
                MdhSchedule::of(self, options::with_units(device, self.units)).schedule(cx, unit)
            }
            Some(Err(why)) => cx.fail(unit, unit.root(), &codes::SCHEDULE, why),
            _ => MdhSchedule::of(self, self.device.clone()).schedule(cx, unit),
        }
    }
}

/// What became of a computation
enum Outcome {
    /// It stays without a schedule, or with the one that it had
    Kept,
    /// It has a schedule
    Chosen,
    /// It was divided: computations that are to be scheduled, in order
    Divided(Vec<Compute>),
    /// The same, of a reduction that one device computes
    Cut(Vec<Compute>),
    /// It has fewer dimensions, and is to be scheduled
    Collapsed(Compute),
}

/// Points that name their places
struct Scattered {
    found: Scatter,
    /// A schedule for grids
    on_grid: Option<Schedule>,
}

impl MdhSchedule {
    fn of(settings: &Settings, device: Device) -> MdhSchedule {
        let Settings { explain, switches, moves, devices, .. } = *settings;
        MdhSchedule { device, explain, switches, moves, devices, choices: Choices::default() }
    }

    fn schedule(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let together = self.together(cx, unit) + self.layouts(cx, unit);
        let mut pending: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        for (op, said) in wider::found(unit, &pending, &self.device) {
            let _ = cx.emit(Diagnostic::remark(&codes::WIDER, said).at(unit.span(op)));
        }
        pending.reverse();
        let given = epilogues::scheduled(unit);
        let joined = self.join(cx, unit);
        let mut chosen = joined.len() as u64;
        let (mut alone, mut collapsed): (Vec<OpId>, Vec<OpId>) = (Vec::new(), Vec::new());
        while let Some(op) = pending.pop() {
            // Another form may have taken the place of several.
            if !unit.is_alive(op.id()) || Compute::cast(unit, op.id()).is_none() {
                continue;
            }
            let history = [&alone, &collapsed].map(|all| all.contains(&op.id()));
            match self.compute(cx, unit, op, history)? {
                Outcome::Kept => continue,
                Outcome::Chosen => {}
                Outcome::Divided(computes) => pending.extend(computes.into_iter().rev()),
                Outcome::Collapsed(one) => {
                    collapsed.push(one.id());
                    pending.push(one);
                }
                Outcome::Cut(computes) => {
                    alone.extend(computes.iter().map(|one| one.id()));
                    pending.extend(computes.into_iter().rev());
                }
            }
            chosen += 1;
        }
        self.epilogues(cx, unit, &given, &joined);
        self.prologues(unit, &given, &joined);
        self.through_memory(unit, &given);
        self.assumed(cx, unit, chosen);
        let attributes = self.attributes(unit);
        cx.count("schedules chosen", chosen);
        cx.count("candidates compared", self.choices.compared());
        cx.set_changed(chosen + together > 0 || attributes);
        Ok(())
    }

    /// A schedule that follows from numbers that the device's file lacks says so
    fn assumed(&self, cx: &mut PassCx<'_>, unit: &Ir, chosen: u64) {
        let missing = self.device.costs.missing(self.device.kind);
        let first = unit.walk().find_map(|op| Compute::cast(unit, op)).filter(|_| chosen > 0);
        if let (Some(op), false) = (first, missing.is_empty()) {
            let (name, blocks) = (&self.device.name, missing.join("`, `"));
            remark(
                cx,
                unit,
                op,
                format!("device `{name}` has no numbers in `{blocks}`: assumed ones are used"),
            );
        }
    }

    /// A computation with or without a schedule; is it for one device, and does it have fewer dimensions already?
    fn compute(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        op: Compute,
        [alone, collapsed]: [bool; 2],
    ) -> Result<Outcome, Reported> {
        let given = match unit.discardable(op.id(), SCHEDULE).map(|attr| schedule::decided(unit.cx(), attr)) {
            // What does not say a schedule is reported where it is applied.
            Some(Err(_)) => return Ok(Outcome::Kept),
            Some(Ok(given)) => Some(given),
            None => None,
        };
        let view = match View::read(unit, op) {
            Ok(view) => view,
            Err(why) => return cx.fail(unit, op.id(), &codes::VIEW, why),
        };
        if view.dims.iter().any(|dim| dim.size > MOST) {
            return Ok(Outcome::Kept);
        }
        match given {
            Some(given) => self.given(cx, unit, op, &view, &given),
            None => {
                if self.device.kind == DeviceKind::Grid
                    && let Some(one) = self.collapsed_on_grid(cx, unit, op, &view)
                {
                    return Ok(Outcome::Collapsed(one));
                }
                match self.other_form(cx, unit, op, &view, collapsed) {
                    Some(parts) => Ok(Outcome::Divided(parts)),
                    None => self.choose(cx, unit, (op, &view), alone),
                }
            }
        }
    }

    /// A schedule that is there: it is held against the device, and how its blocks meet is settled
    fn given(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        op: Compute,
        view: &View,
        given: &Schedule,
    ) -> Result<Outcome, Reported> {
        let any_order = operators::commute(cx, unit, view);
        let free = Freedom { atomics: self.switches.atomics, any_order };
        let settled = fits::fits(given, view, view.in_order(unit, op), &self.device)
            .and_then(|()| mechanism::settle(unit, op, view, given, &self.device, free));
        Ok(match settled {
            Err(why) => return cx.fail(unit, op.id(), &codes::SCHEDULE, why),
            Ok(Change::None) => {
                match self.device.kind {
                    DeviceKind::Host => complete(cx, unit, op, view, given),
                    DeviceKind::Grid => complete_on_grid(cx, unit, op, view, given, &self.device),
                }
                Outcome::Kept
            }
            Ok(Change::Chosen(schedule, said)) => {
                remark(cx, unit, op, said);
                set(unit, op, &schedule);
                Outcome::Chosen
            }
            Ok(Change::Split(Split { first, schedule, second, last, said })) => {
                if let Some(said) = said {
                    remark(cx, unit, second, said);
                }
                set(unit, first, &schedule);
                last_block::mark(unit, second, last);
                Outcome::Divided(vec![second])
            }
        })
    }

    /// A computation without a schedule is divided, or gets one
    fn choose(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        (op, view): (Compute, &View),
        alone: bool,
    ) -> Result<Outcome, Reported> {
        let triangles = self.triangles(cx, unit, op, view)?;
        let mut accesses = accesses_of(cx, unit, op, view);
        accesses.updates = self.updates(unit, op, view);
        let scattered = self.scattered(cx, unit, op, view, &accesses);
        if let Some(parts) = self.divided(cx, unit, op, view, &accesses) {
            return Ok(Outcome::Divided(parts));
        }
        if let Some(Scattered { found, .. }) = &scattered {
            let said = implied::go(unit, op, view, found);
            remark(cx, unit, op, said);
        }
        let stated = follow::schedule(unit, op, view, &accesses, &self.device);
        let mut schedule = match (scattered, self.device.kind) {
            (Some(Scattered { on_grid: Some(schedule), .. }), _) => schedule,
            (Some(Scattered { found, .. }), _) => crate::scatter::schedule(&accesses, &self.device, &found),
            (None, DeviceKind::Host) if stated.is_some() => stated.unwrap_or_default(),
            (None, DeviceKind::Host) => {
                let written = computed_of(cx, unit, op, view);
                let choice = self.among(&accesses, written.as_ref());
                let named = matches!(triangles, Triangles::One(_));
                if !named && let Some(one) = self.collapsed(cx, unit, op, view, &choice) {
                    return Ok(Outcome::Divided(vec![one]));
                }
                if !named && let Some(parts) = self.converted(cx, unit, (op, view), &accesses, &choice) {
                    return Ok(Outcome::Divided(parts));
                }
                if !named && let Some(parts) = self.interleaved(cx, unit, (op, view), &choice) {
                    return Ok(Outcome::Divided(parts));
                }
                if !named && let Some(parts) = self.remaining(cx, unit, (op, view), &accesses, &choice) {
                    return Ok(Outcome::Divided(parts));
                }
                if !named
                    && !alone
                    && let Some(parts) = self.tall(cx, unit, (op, view), &accesses, &choice)
                {
                    let said = "parts of the reduction are tasks, since its results are few; a second computation joins them";
                    remark(cx, unit, parts[1], said.into());
                    return Ok(Outcome::Cut(parts.into()));
                }
                let choice = self.symmetric(cx, unit, (op, view), &mut accesses, choice, triangles);
                match self.chosen(cx, unit, op, &choice) {
                    Some(schedule) => schedule,
                    None => return Ok(Outcome::Kept),
                }
            }
            (None, DeviceKind::Grid) => match self.on_grid(cx, unit, (op, view), &accesses, alone) {
                Ok(schedule) => schedule,
                Err(done) => return Ok(done),
            },
        };
        if schedule.steps.is_empty() {
            return Ok(Outcome::Kept);
        }
        if self.device.kind == DeviceKind::Host {
            implied::rolled(unit, op, &accesses, &schedule);
            past_caches(unit, op, view, &self.device, &mut schedule);
        }
        set(unit, op, &schedule);
        Ok(Outcome::Chosen)
    }

    /// The schedule of a choice, and its reasons where they are wanted
    fn chosen(&self, cx: &mut PassCx<'_>, unit: &Ir, op: Compute, choice: &Choice) -> Option<Schedule> {
        let function = symbol_name(unit, unit.root()).map_or("", |name| unit.cx().str(name));
        if let Some(said) = explain::explained(function, choice, self.explain) {
            let _ = cx.emit(Diagnostic::remark(&codes::CHOICE, said).at(unit.span(op.id())));
        }
        choice.schedule()
    }

    /// Points that name their places, where that pays on the device; a remark says why comparisons are needed after all
    fn scattered(
        &self,
        cx: &mut PassCx<'_>,
        unit: &Ir,
        op: Compute,
        view: &View,
        accesses: &Accesses,
    ) -> Option<Scattered> {
        let on_device = |found: Scatter| match self.device.kind {
            DeviceKind::Host => Ok(Some(Scattered { found, on_grid: None })),
            DeviceKind::Grid => crate::scatter::on_grid(unit, op, view, accesses, &self.device, &found)
                .map(|schedule| schedule.map(|schedule| Scattered { found, on_grid: Some(schedule) }))
                .map_err(Compared::from),
        };
        let found = implied::scattered(unit, op, view).map_err(Compared::from);
        found.and_then(|found| found.map_or(Ok(None), on_device)).unwrap_or_else(|why| {
            remark(cx, unit, op, format!("all coordinates are compared: {why}"));
            None
        })
    }

    /// Prefixes of reductions, and on grids scans, become several computations
    fn divided(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        op: Compute,
        view: &View,
        accesses: &Accesses,
    ) -> Option<Vec<Compute>> {
        if let Some([first, second]) = prefixes::split(unit, op, view, accesses, &self.device) {
            remark(cx, unit, second, prefixes::SAID.into());
            return Some(vec![first, second]);
        }
        if self.device.kind != DeviceKind::Grid {
            return None;
        }
        let (all, said) = grid::scans::split(unit, op, view, accesses, &self.device)?;
        remark(cx, unit, all[2], said);
        Some(all.into())
    }
}

/// What schedules are made from, with what operators that are functions say of themselves
fn accesses_of(cx: &PassCx<'_>, unit: &Ir, op: Compute, view: &View) -> Accesses {
    let mut accesses = access::read(unit, op, view);
    let of_functions = |test: fn(&Context, &Symbols, ScopeId, Str) -> bool| {
        view.groups().is_some_and(|groups| {
            groups.iter().all(|group| match group.operator {
                Operator::Builtin(_) => true,
                Operator::Func(name) => test(unit.cx(), cx.symbols, cx.scope, name),
                Operator::Accumulated(_) => false,
            })
        })
    };
    accesses.tuples = of_functions(operators::on_lanes);
    accesses.functions_commute = accesses.associates && of_functions(operators::in_any_order);
    accesses.meets = accesses.associates && of_functions(operators::in_parts);
    accesses
}

/// What estimates need, with what operators that are functions say of themselves
fn computed_of(cx: &PassCx<'_>, unit: &Ir, op: Compute, view: &View) -> Option<Computed> {
    view.computed_with(unit, op, &|name| operators::merging(unit.cx(), cx.symbols, cx.scope, name))
}

fn remark(cx: &mut PassCx<'_>, ir: &Ir, op: Compute, said: String) {
    let _ = cx.emit(Diagnostic::remark(None, said).at(ir.span(op.id())));
}

fn set(ir: &mut Ir, op: Compute, schedule: &Schedule) {
    let attr = schedule::to_attr(ir.cx(), &schedule.steps);
    ir.set_attr(op.id(), SCHEDULE, Some(attr));
}
