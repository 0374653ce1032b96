//! The pass `mdh-schedule`: every computation without a schedule gets one for a device.

mod attributes;
mod epilogues;
mod forms;
mod joined;
mod prologues;
mod together;

use crate::bits::follow;
use crate::codes;
use crate::implied::Compared;
use crate::mechanism::{self, Change, Split};
use crate::{access, devices, fits, grid, implied, last_block, operators, parts, prefixes, wider};
use attributes::{complete, complete_on_grid, past_caches};
use forms::{Parts, Triangles};
use terrace_devices::{Device, DeviceKind, MatrixUnit, Region};
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_builtin::marks::TARGET;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::scatter::Scatter;
use terrace_dialect_mdh::schedule::{self, SCHEDULE, Schedule};
use terrace_dialect_mdh::view::View;
use terrace_ir::symbols::{ScopeId, Symbols, symbol_name};
use terrace_ir::{Context, Ir, OpId, Str};
use terrace_pass::{OptionError, OptionKind, OptionSpec, Pass, PassCx, PassInfo, Scope};
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::Choice;
use terrace_schedule_choose::explain::{self, Explain};
use terrace_schedule_choose::host;
use terrace_schedule_cost::Computed;

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
           `array<i64>` for none. An element-wise computation of a reduction's result is marked, so that it is done where elements of that are complete \
           (`mdh.epilogue`); one that is stored, and of which the reduction behind reads each element once, so that it is done there (`mdh.prologue`). Beside a schedule with warps stands how many threads the device's have, where that is not 32 \
           (`mdh.subgroup`). On grids, computations that hand rows to each other are one kernel where that is faster (`mdh.joins`).",
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
            kind: OptionKind::Text,
            default: "all",
            docs: "units for products of narrow types to use of those that the device has: all, none, or words with `+` between them; none where `sched-contract` does not follow",
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
            name: "move",
            kind: OptionKind::Text,
            default: "faster",
            docs: "copy operands whose kept and reduced dimensions are interleaved, so that rows are read in order: never, faster (where \
                   that is estimated to be), always",
        },
        OptionSpec {
            name: "devices",
            kind: OptionKind::Int,
            default: "1",
            docs: "on grids, so many devices share a kept dimension; reductions of everything stay on one",
        },
        OptionSpec {
            name: "last",
            kind: OptionKind::Bool,
            default: "true",
            docs: "on grids whose fences order memory between blocks, the last block joins the parts of a reduction in place of a second launch",
        },
        OptionSpec {
            name: "blocks",
            kind: OptionKind::Bool,
            default: "true",
            docs: "on grids, several blocks may share a reduction",
        },
        OptionSpec {
            name: "atomics",
            kind: OptionKind::Bool,
            default: "true",
            docs: "blocks that share a reduction may be chosen to meet by atomic updates",
        },
        OptionSpec {
            name: "symmetric",
            kind: OptionKind::Bool,
            default: "true",
            docs: "on processors, tiles below the diagonal of a symmetric result are copies of those above it",
        },
        OptionSpec {
            name: "epilogues",
            kind: OptionKind::Bool,
            default: "true",
            docs: "element-wise computations of a reduction's result are done where its elements are complete",
        },
        OptionSpec {
            name: "prologues",
            kind: OptionKind::Bool,
            default: "true",
            docs: "element-wise computations that are stored are done where the reduction behind reads their elements",
        },
        OptionSpec {
            name: "join",
            kind: OptionKind::Bool,
            default: "true",
            docs: "on grids, computations that hand rows to each other are one kernel where that is estimated to be faster",
        },
    ],
    stats: &["schedules chosen"],
    make: |options| {
        let mut device = Device::find(&options.text(&INFO, "target")).map_err(OptionError::because)?;
        let units = options.text(&INFO, "matrix-units");
        let units = MatrixUnit::of_words(&units).ok_or_else(|| {
            OptionError::value("matrix-units", "all, none, or words with `+` between them", &units)
        })?;
        device.matrix_units.retain(|unit| units.contains(unit));
        let explain = options.text(&INFO, "explain");
        let explain =
            explain.parse().map_err(|_| OptionError::value("explain", "none, text or json", &explain))?;
        let moves = options.text(&INFO, "move");
        let moves =
            moves.parse().map_err(|()| OptionError::value("move", "never, faster or always", &moves))?;
        let devices = options.int(&INFO, "devices");
        if !(1..=MOST_DEVICES).contains(&devices) {
            return Err(OptionError::value("devices", "1 to 64", &devices.to_string()));
        }
        let flag = |name: &str| options.flag(&INFO, name);
        let switches = Switches {
            collapse: flag("collapse"),
            symmetric: flag("symmetric"),
            last: flag("last"),
            join: flag("join"),
            blocks: flag("blocks"),
            atomics: flag("atomics"),
            epilogues: flag("epilogues"),
            prologues: flag("prologues"),
        };
        Ok(Box::new(MdhSchedule { device, explain, switches, moves, devices }))
    },
};

/// Longest dimension that gets a schedule: sums and products of a few sizes fit a number
const MOST: i64 = 1 << 40;

/// Most devices of one program
const MOST_DEVICES: i64 = 64;

terrace_support::words! {
    /// When operands are copied into another layout
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Moves {
        Never = "never",
        Faster = "faster",
        Always = "always",
    }
}

#[derive(Clone)]
struct MdhSchedule {
    device: Device,
    explain: Explain,
    switches: Switches,
    moves: Moves,
    devices: i64,
}

/// What may be left out, as options of the pass say: see there
#[derive(Clone, Copy)]
struct Switches {
    collapse: bool,
    symmetric: bool,
    last: bool,
    join: bool,
    blocks: bool,
    atomics: bool,
    epilogues: bool,
    prologues: bool,
}

impl Pass for MdhSchedule {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        // A function that is for one processor (`func-multi-version`) is scheduled for that.
        let own = unit.discardable(unit.root(), TARGET).and_then(|attr| attr.as_str(unit.cx()));
        match own.map(Device::find) {
            Some(Ok(device)) if device.kind == self.device.kind => {
                MdhSchedule { device, ..*self }.schedule(cx, unit)
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
    fn schedule(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let together = self.together(cx, unit);
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
        self.assumed(cx, unit, chosen);
        let attributes = self.attributes(unit);
        cx.count("schedules chosen", chosen);
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
        let settled = fits::fits(given, view, view.in_order(unit, op), &self.device)
            .and_then(|()| mechanism::settle(unit, op, view, given, &self.device, self.switches.atomics));
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
                let choice = Choice::among(host::GENERATORS, &accesses, written.as_ref(), &self.device);
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
                let choice = self.symmetric(cx, unit, (op, view), &mut accesses, choice, triangles);
                match self.chosen(cx, unit, op, choice) {
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
            past_caches(unit, op, self.device.bytes(Region::L3), &mut schedule);
        }
        set(unit, op, &schedule);
        Ok(Outcome::Chosen)
    }

    /// The schedule of a computation on a grid, or what became of it otherwise
    fn on_grid(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        (op, view): (Compute, &View),
        accesses: &Accesses,
        alone: bool,
    ) -> Result<Schedule, Outcome> {
        let computed = computed_of(cx, unit, op, view);
        let (choice, rank) = self.choice_with_epilogue(unit, op, accesses, computed.as_ref());
        if last_block::is_marked(unit, op) {
            let time = |own: &Schedule| self.time(unit, op, own);
            let found = last_block::parts(unit, op)
                .and_then(|(parts, own)| last_block::best(view, &choice, (&parts, &own), time));
            match found {
                Some((schedule, _)) => {
                    set(unit, op, &schedule);
                    return Err(Outcome::Chosen);
                }
                None => {
                    last_block::mark(unit, op, false);
                    remark(cx, unit, op, last_block::said());
                }
            }
        }
        if !alone && self.several(cx, unit, (op, view), accesses, &choice) {
            return Err(Outcome::Chosen);
        }
        if let Some(Parts { cut: (dim, step), schedule, time, last }) =
            self.cut(unit, op, view, accesses, (rank, choice.updates()))
            && let Some([first, second]) = parts::split_at(unit, op, view, dim, step)
        {
            if let Some(schedule) = schedule {
                set(unit, first, &schedule);
            }
            let last = self.lasts() && (last || time.is_infinite());
            remark(cx, unit, second, grid::fill::said(view, dim, step, last));
            last_block::mark(unit, second, last);
            return Err(Outcome::Cut(vec![first, second]));
        }
        let schedule = self.chosen(cx, unit, op, choice).ok_or(Outcome::Kept)?;
        if let Some(said) = mechanism::said(view, &schedule) {
            remark(cx, unit, op, said);
        }
        Ok(schedule)
    }

    /// The schedule of a choice for several devices, where these can share a dimension
    fn several(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        (op, view): (Compute, &View),
        accesses: &Accesses,
        choice: &Choice,
    ) -> bool {
        // The parts of what is divided already stay together.
        if self.devices == 1 || last_block::is_marked(unit, op) {
            return false;
        }
        let found = devices::shared(accesses, self.devices);
        let spread = found.zip(choice.clone().schedule()).and_then(|(dim, schedule)| {
            devices::spread(schedule, accesses, dim, self.devices).map(|schedule| (dim, schedule))
        });
        let name = spread.as_ref().map(|(dim, _)| view.dims[*dim].name.as_str());
        remark(cx, unit, op, devices::said(name, self.devices));
        if let Some((_, schedule)) = &spread {
            set(unit, op, schedule);
        }
        spread.is_some()
    }

    /// May the last block of a launch join the parts of a reduction?
    fn lasts(&self) -> bool {
        self.switches.last && self.device.fences
    }

    /// May several blocks be chosen to update the results of a computation? Not those of parts, which are joined by others
    fn updates(&self, unit: &Ir, op: Compute, view: &View) -> bool {
        let parts = || {
            let users = unit.results(op.id()).flat_map(|value| unit.uses(value).map(|(user, _)| user));
            users.filter_map(|user| Compute::cast(unit, user)).any(|user| last_block::is_marked(unit, user))
        };
        let switches = self.switches.blocks && self.switches.atomics && self.device.kind == DeviceKind::Grid;
        switches && mechanism::updates(unit, op, view, &self.device) && !parts()
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
