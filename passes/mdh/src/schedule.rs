//! The pass `mdh-schedule`: every computation without a schedule gets one for a device.

use crate::codes;
use crate::collapse::Collapsed;
use crate::implied::Compared;
use crate::mechanism::{self, Change};
use crate::{access, fits, grid, implied, operators, parts, prefixes, wider};
use terrace_devices::{Device, DeviceKind, Layer, Region};
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_builtin::marks::TARGET;
use terrace_dialect_func::Return;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::scatter::Scatter;
use terrace_dialect_mdh::schedule::{self, GRID, Placement, SCHEDULE, SUBGROUP, Schedule, Size, Step, Words};
use terrace_dialect_mdh::symmetric::{self, SYMMETRIC};
use terrace_dialect_mdh::view::{CombineKind, View};
use terrace_ir::symbols::{ScopeId, Symbols, symbol_name};
use terrace_ir::{Context, Ir, Str, Value};
use terrace_pass::{OptionError, OptionKind, OptionSpec, Pass, PassCx, PassInfo, Scope};
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::{Choice, SIZES, STRUCTURES};
use terrace_schedule_choose::explain::{self, Explain};
use terrace_schedule_choose::host;

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "mdh-schedule",
    aliases: &[],
    summary: "Give computations a schedule for a device",
    docs: "Chooses (de/re)-composition steps from how inputs and outputs move with each dimension and from the device's \
           file: threads, blocks for caches, panels, register tiles, lanes. They stand beside the computation as \
           `mdh.schedule`, to be read, changed, and carried out by `mdh-to-sched`. A schedule that is there stays; but where its \
           blocks split a reduction, it is settled how they meet: by atomics, or by a second computation. On processors, \
           with a schedule given or chosen, dimensions whose coordinate each point names by comparing with it are visited there \
           only (`mdh.scatter`), on grids where points meet by atomic updates in any order; unrolled taps that conditions \
           mention are copies only where that decides one (`mdh.rolled`), and prefixes of reductions without a schedule become two computations; remarks say so. Tiles below the diagonal of a symmetric \
           result are copies where that is estimated to be faster (`mdh.symmetric`). Either attribute may be given, \
           `array<i64>` for none. Beside a schedule with warps stands how many threads the device's have, where that is not 32 \
           (`mdh.subgroup`).",
    scope: Scope::Unit,
    anchor: Some("func.func"),
    options: &[
        OptionSpec {
            name: "target",
            kind: OptionKind::Text,
            default: "host",
            docs: "device: host, x86-64-v4, x86-64-v3, x86-64-v2, aarch64, openmp, opencl, cuda",
        },
        OptionSpec {
            name: "matrix-units",
            kind: OptionKind::Bool,
            default: "true",
            docs: "use the matrix units that the device has; not where `sched-contract` does not follow",
        },
        OptionSpec {
            name: "explain",
            kind: OptionKind::Text,
            default: "none",
            docs: "a remark for each computation: what was proposed, what it is estimated to take, and who proposed nothing: none, text, json",
        },
        OptionSpec {
            name: "collapse",
            kind: OptionKind::Bool,
            default: "true",
            docs: "on processors, neighboring dimensions that all accesses take as one contiguous run become one",
        },
        OptionSpec {
            name: "symmetric",
            kind: OptionKind::Bool,
            default: "true",
            docs: "on processors, tiles below the diagonal of a symmetric result are copies of those above it",
        },
    ],
    stats: &["schedules chosen"],
    make: |options| {
        let mut device = Device::find(&options.text(&INFO, "target")).map_err(OptionError::because)?;
        if !options.flag(&INFO, "matrix-units") {
            device.matrix_units.clear();
        }
        let explain = options.text(&INFO, "explain");
        let explain =
            explain.parse().map_err(|_| OptionError::value("explain", "none, text or json", &explain))?;
        let collapse = options.flag(&INFO, "collapse");
        let symmetric = options.flag(&INFO, "symmetric");
        Ok(Box::new(MdhSchedule { device, explain, collapse, symmetric }))
    },
};

/// Longest dimension that gets a schedule: sums and products of a few sizes fit a number
const MOST: i64 = 1 << 40;

struct MdhSchedule {
    device: Device,
    explain: Explain,
    collapse: bool,
    symmetric: bool,
}

impl Pass for MdhSchedule {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        // A function that is for one processor (`func-multi-version`) is scheduled for that.
        let own = unit.discardable(unit.root(), TARGET).and_then(|attr| attr.as_str(unit.cx()));
        match own.map(Device::find) {
            Some(Ok(device)) if device.kind == self.device.kind => {
                let MdhSchedule { explain, collapse, symmetric, .. } = *self;
                MdhSchedule { device, explain, collapse, symmetric }.schedule(cx, unit)
            }
            Some(Err(why)) => cx.fail(unit, unit.root(), &codes::SCHEDULE, why),
            _ => self.schedule(cx, unit),
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
}

/// Points that name their places
struct Scattered {
    found: Scatter,
    /// A schedule for grids
    on_grid: Option<Schedule>,
}

impl MdhSchedule {
    fn schedule(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut pending: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        for (op, said) in wider::found(unit, &pending, &self.device) {
            let _ = cx.emit(Diagnostic::remark(&codes::WIDER, said).at(unit.span(op)));
        }
        pending.reverse();
        let mut chosen = 0;
        while let Some(op) = pending.pop() {
            match self.compute(cx, unit, op)? {
                Outcome::Kept => continue,
                Outcome::Chosen => {}
                Outcome::Divided(computes) => pending.extend(computes.into_iter().rev()),
            }
            chosen += 1;
        }
        self.assumed(cx, unit, chosen);
        let besides = self.besides(unit);
        cx.count("schedules chosen", chosen);
        cx.set_changed(chosen > 0 || besides);
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

    /// A computation with or without a schedule
    fn compute(&self, cx: &mut PassCx<'_>, unit: &mut Ir, op: Compute) -> Result<Outcome, Reported> {
        let given = match unit.discardable(op.id(), SCHEDULE).map(|attr| schedule::decided(unit.cx(), attr)) {
            // What does not say a schedule is reported where it is carried out.
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
            None => Ok(self.choose(cx, unit, op, &view)),
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
        let settled = fits::fits(given, view, view.in_order(unit, op), &self.device)
            .and_then(|()| mechanism::settle(unit, op, view, given));
        Ok(match settled {
            Err(why) => return cx.fail(unit, op.id(), &codes::SCHEDULE, why),
            Ok(Change::None) => {
                match self.device.kind {
                    DeviceKind::Host => complete(cx, unit, op, view, given),
                    DeviceKind::Grid => complete_on_grid(cx, unit, op, view, given),
                }
                Outcome::Kept
            }
            Ok(Change::Chosen(schedule, said)) => {
                remark(cx, unit, op, said);
                set(unit, op, &schedule);
                Outcome::Chosen
            }
            Ok(Change::Split(first, schedule, second, said)) => {
                if let Some(said) = said {
                    remark(cx, unit, second, said);
                }
                set(unit, first, &schedule);
                Outcome::Divided(vec![second])
            }
        })
    }

    /// A computation without a schedule is divided, or gets one
    fn choose(&self, cx: &mut PassCx<'_>, unit: &mut Ir, op: Compute, view: &View) -> Outcome {
        let mut accesses = access::read(unit, op, view);
        let of_functions = |test: fn(&Context, &Symbols, ScopeId, Str) -> bool| {
            view.groups().is_some_and(|groups| {
                groups.iter().all(|group| match group.operator {
                    Operator::Builtin(_) => true,
                    Operator::Func(name) => test(unit.cx(), cx.symbols, cx.scope, name),
                })
            })
        };
        accesses.tuples = of_functions(operators::on_lanes);
        accesses.tuples_commute = accesses.associates && of_functions(operators::in_any_order);
        let scattered = self.scattered(cx, unit, op, view, &accesses);
        if let Some(parts) = self.divided(cx, unit, op, view, &accesses) {
            return Outcome::Divided(parts);
        }
        if let Some(Scattered { found, .. }) = &scattered {
            let said = implied::go(unit, op, view, found);
            remark(cx, unit, op, said);
        }
        let mut schedule = match (scattered, self.device.kind) {
            (Some(Scattered { on_grid: Some(schedule), .. }), _) => schedule,
            (Some(Scattered { found, .. }), _) => crate::scatter::schedule(&accesses, &self.device, &found),
            (None, DeviceKind::Host) => {
                let computed = view.computed(unit, op);
                let choice = Choice::among(host::GENERATORS, &accesses, computed.as_ref(), &self.device);
                if let Some(one) = self.collapsed(cx, unit, op, view, &choice) {
                    return Outcome::Divided(vec![one]);
                }
                let choice = self.symmetric(cx, unit, op, view, &mut accesses, choice);
                match self.chosen(cx, unit, op, choice) {
                    Some(schedule) => schedule,
                    None => return Outcome::Kept,
                }
            }
            (None, DeviceKind::Grid) => {
                let all = terrace_schedule_choose::grid::GENERATORS;
                // Threads of the first that is proposed decide which parts are compared.
                let first = Choice::among(all, &accesses, None, &self.device).schedule();
                let cuts =
                    first.map_or(Vec::new(), |first| grid::fill::cuts(&accesses, &self.device, &first));
                let computed = view.computed(unit, op);
                let choice = Choice::among(all, &accesses, computed.as_ref(), &self.device);
                if let Some((dim, step)) = self.cut(unit, op, view, &cuts, choice.rank())
                    && let Some([first, second]) = parts::split_at(unit, op, view, dim, step)
                {
                    remark(cx, unit, second, grid::fill::said(view, dim, step));
                    return Outcome::Divided(vec![first, second]);
                }
                match self.chosen(cx, unit, op, choice) {
                    Some(schedule) => schedule,
                    None => return Outcome::Kept,
                }
            }
        };
        if schedule.steps.is_empty() {
            return Outcome::Kept;
        }
        if self.device.kind == DeviceKind::Host {
            implied::rolled(unit, op, &accesses, &schedule);
            past_caches(unit, op, self.device.bytes(Region::L3), &mut schedule);
        }
        set(unit, op, &schedule);
        Outcome::Chosen
    }

    /// The computation with fewer dimensions, where neighbors are one and the model does not hold that to be slower
    fn collapsed(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        op: Compute,
        view: &View,
        written: &Choice,
    ) -> Option<Compute> {
        if !self.collapse {
            return None;
        }
        let other = Collapsed::before(unit, op, view)?;
        let one = View::read(unit, other.op).ok();
        let choice = one.as_ref().map(|one| {
            let (accesses, computed) = (access::read(unit, other.op, one), one.computed(unit, other.op));
            Choice::among(host::GENERATORS, &accesses, computed.as_ref(), &self.device)
        });
        if one.is_none() || !choice.is_some_and(|choice| choice.rank() <= written.rank() * STRUCTURES) {
            other.discard(unit);
            return None;
        }
        let (span, made) = (unit.span(op.id()), other.op);
        other.replace(unit, op);
        let names: Vec<String> = one.into_iter().flat_map(|one| one.names()).collect();
        let said = format!("neighboring dimensions are one: {}", names.join(", "));
        let _ = cx.emit(Diagnostic::remark(None, said).at(span));
        Some(made)
    }

    /// The cut of a reduction whose two kernels take the shortest time, if that is shorter than the whole's. The first is taken where the model does
    /// not tell it from others, or has no estimate
    fn cut(
        &self,
        unit: &mut Ir,
        op: Compute,
        view: &View,
        cuts: &[(usize, i64)],
        whole: f64,
    ) -> Option<(usize, i64)> {
        let mut found: Option<((usize, i64), f64)> = None;
        for (dim, step) in cuts.iter().copied() {
            let Some(cut) = parts::Cut::before(unit, op, view, dim, step) else { continue };
            let time = [cut.first, cut.second].map(|part| self.time(unit, part)).iter().sum::<f64>();
            cut.discard(unit);
            let shorter = |best: f64| time * SIZES < best;
            match found {
                Some((_, first)) if first.is_infinite() || !shorter(first) => {}
                _ => found = Some(((dim, step), time)),
            }
        }
        found.filter(|(_, time)| time.is_infinite() || *time <= whole * STRUCTURES).map(|(cut, _)| cut)
    }

    /// Microseconds of a computation with the schedule that it would get; infinite without an estimate
    fn time(&self, unit: &Ir, op: Compute) -> f64 {
        let Ok(view) = View::read(unit, op) else { return f64::INFINITY };
        let (accesses, computed) = (access::read(unit, op, &view), view.computed(unit, op));
        let all = terrace_schedule_choose::grid::GENERATORS;
        Choice::among(all, &accesses, computed.as_ref(), &self.device).rank()
    }

    /// The choice with tiles below the diagonal of a symmetric result as copies, where the model holds that to be faster; a remark says so
    fn symmetric(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        op: Compute,
        view: &View,
        accesses: &mut Accesses,
        whole: Choice,
    ) -> Choice {
        let found = symmetric::find(unit, op, view).filter(|_| self.symmetric);
        let Some([rows, columns]) = found else { return whole };
        let named = unit.cx().i64_array(&[rows as i64, columns as i64]);
        unit.set_attr(op.id(), SYMMETRIC, Some(named));
        let half = Accesses { symmetric: found, ..accesses.clone() };
        let computed = view.computed(unit, op);
        let choice = Choice::among(host::GENERATORS, &half, computed.as_ref(), &self.device);
        let refused = choice.candidates.first().is_none_or(|winner| winner.refused.is_some());
        if refused || choice.rank() * STRUCTURES > whole.rank() {
            unit.set_attr(op.id(), SYMMETRIC, None);
            return whole;
        }
        *accesses = half;
        let [rows, columns] = [rows, columns].map(|dim| view.dims[dim].name.as_str());
        let said = format!("symmetric in {rows} and {columns}: tiles below the diagonal are copies");
        remark(cx, unit, op, said);
        choice
    }

    /// The schedule of a choice, and its reasons where they are wanted
    fn chosen(&self, cx: &mut PassCx<'_>, unit: &Ir, op: Compute, choice: Choice) -> Option<Schedule> {
        let function = symbol_name(unit, unit.root()).map_or("", |name| unit.cx().str(name));
        if let Some(said) = explain::explained(function, &choice, self.explain) {
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

impl MdhSchedule {
    /// Write next to schedules what follows from the device: how many threads its warps have, unless it is the usual number,
    /// and that there is a grid where no layer says so
    fn besides(&self, unit: &mut Ir) -> bool {
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
fn complete(cx: &mut PassCx<'_>, unit: &mut Ir, op: Compute, view: &View, schedule: &Schedule) {
    let fits = |step: &Step| step.cores.len() == view.dims.len() && step.sizes.len() == view.dims.len();
    if !schedule.steps.iter().all(fits) {
        // Told where it is carried out.
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
fn complete_on_grid(cx: &mut PassCx<'_>, unit: &mut Ir, op: Compute, view: &View, schedule: &Schedule) {
    if let Ok(Some(found)) = implied::scattered(unit, op, view)
        && implied::meets_by_atomics(view, schedule, &found)
        && crate::scatter::atomic(unit, op, view).is_ok()
    {
        let said = implied::go(unit, op, view, &found);
        remark(cx, unit, op, said);
    }
}

fn remark(cx: &mut PassCx<'_>, ir: &Ir, op: Compute, said: String) {
    let _ = cx.emit(Diagnostic::remark(None, said).at(ir.span(op.id())));
}

/// Outputs that the last cache does not hold and nothing here reads again go past it: a word of the schedule, in step 0 where
/// no step has a buffer of theirs
fn past_caches(ir: &Ir, op: Compute, cache: i64, schedule: &mut Schedule) {
    let large = |value: Value| {
        let cx = ir.cx();
        let bytes = i64::from(ir.ty(value).scalar(cx).bit_width(cx).unwrap_or(0) / 8);
        let shape = ir.ty(value).shape(cx).unwrap_or(&[]);
        shape.iter().fold(bytes, |all, size| all.saturating_mul(*size)) > cache
    };
    let returned = |value: Value| ir.uses(value).all(|user| ir.is(user.0, Return::DEF));
    let results: Vec<Value> = ir.results(op.id()).collect();
    for (out, _) in results.into_iter().enumerate().filter(|(_, value)| large(*value) && returned(*value)) {
        let place = schedule.steps.iter_mut().find_map(|step| step.outs[out].as_mut());
        if let Some(place) = place {
            place.words.nt = true;
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

fn set(ir: &mut Ir, op: Compute, schedule: &Schedule) {
    let attr = schedule::to_attr(ir.cx(), &schedule.steps);
    ir.set_attr(op.id(), SCHEDULE, Some(attr));
}
