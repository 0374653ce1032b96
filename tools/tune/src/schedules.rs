//! Searching the open fields of a schedule.

use crate::args::Args;
use crate::call;
use crate::forms;
use crate::keep;
use crate::measure::{self, Bench};
use crate::search::{self, Baseline, Search, Then};
use crate::stop::Stop;
use crate::subject::{Chosen, Kept, Made, Subject};
use crate::technique::Technique;
use crate::trial;
use std::fmt::Write;
use std::sync::Arc;
use terrace_devices::Device;
use terrace_diag::{Diagnostic, Diags, Severity};
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::schedule::{Facts, OpenSchedule, Schedule};
use terrace_dialect_mdh::view::{CombineKind, Order, View};
use terrace_ir::Context;
use terrace_opt::Tool;
use terrace_passes_mdh::records::alone::{Alone, Functions};
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::log::Refused;
use terrace_search_explore::{Directions, Space};
use terrace_search_graphs::Graph;
use terrace_search_primitives::{Layout, Parts, PrimitiveSpace};
use terrace_search_records::{Hash, Store};
use terrace_search_schedules::{Legal, OfSchedules, Refusal, ScheduleSpace};
use terrace_view::document::Buffer;
use terrace_view::program::{Program, fail, read_schedule};

/// Runs of a candidate, unless the command line has another number
const RUNS: u32 = 5;

/// Search the computation of a file
pub(crate) fn run(
    tool: Tool,
    args: &Args,
    file: &str,
    cx: &Arc<Context>,
    stop: &Stop,
    diags: &mut Diags,
    then: Then<'_>,
) -> Result<(), Diagnostic> {
    let target = args.target.as_deref().unwrap_or("host");
    let device = Device::find(target).map_err(fail)?;
    let Some(program) = Program::load(cx, file, args.compute.first().map(String::as_str), &args.set, diags)?
    else {
        return Ok(());
    };
    refuse_arrays(args)?;
    let store = keep::open(args)?;
    let place = Place { tool, args, device: &device, target };
    let sought = Sought { place, stop, store: store.as_ref() };
    match args.forms {
        true => forms::run(sought, program, diags, then),
        false => {
            let written = sought.written(&program);
            let Some(ready) = Ready::new(place, program, diags)? else { return Ok(()) };
            let legal = ready.legal(place);
            let subject = ready.subject(place, written, &legal)?;
            sought.search(&subject, subject.known.clone(), &ready, diags, then)
        }
    }
}

/// What schedules are chosen and searched with
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub tool: Tool,
    pub args: &'a Args,
    pub device: &'a Device,
    pub target: &'a str,
}

impl Place<'_> {
    /// The pass that chooses a schedule, for the threads that candidates have
    fn choose(&self) -> String {
        let units = self.args.threads.unwrap_or(0);
        format!("func.func(mdh-schedule{{target={} units={units}}})", self.target)
    }

    /// Pipeline from a schedule to loops
    fn carry_out(&self) -> String {
        format!("{},func.func(mdh-to-sched)", self.choose())
    }
}

/// A search of a computation's schedules
#[derive(Clone, Copy)]
pub(crate) struct Sought<'a> {
    pub place: Place<'a>,
    pub stop: &'a Stop,
    pub store: Option<&'a Store>,
}

impl Sought<'_> {
    /// Computations of a file, as records know them
    pub(crate) fn written(&self, program: &Program) -> Vec<Hash> {
        self.store.map(|_| keep::hashes(program.ir())).unwrap_or_default()
    }

    /// Search; where the schedule that is chosen without measuring is a point, the search begins there
    pub(crate) fn search(
        self,
        subject: &dyn Subject,
        known: Option<Point>,
        ready: &Ready,
        diags: &mut Diags,
        then: Then<'_>,
    ) -> Result<(), Diagnostic> {
        let Sought { place: Place { args, target, .. }, stop, store } = self;
        let runs = args.bench.unwrap_or(RUNS);
        let Some(begun) = search::begin(args, subject, stop, runs)? else { return Ok(()) };
        let folder = measure::folder()?;
        let bench = bench(args, &ready.program, folder.path(), target, stop)?;
        let text = ready.chosen.print();
        if args.trials {
            return trial::lines(args, subject, &bench, &bench.reference(&text));
        }
        let baseline = Baseline::chosen(&bench, &text, "the chosen schedule");
        let chosen = Some(Chosen { point: known, text, seconds: None });
        let flops = args.flops.map(|flops| flops as f64);
        then(Search { subject, bench, baseline, chosen, flops, least: None, begun, store }, diags)
    }
}

/// A program whose computation is to be searched
pub(crate) struct Ready {
    /// The program, without a schedule of the computation
    pub program: Program,
    /// The program with the schedules that are chosen without measuring
    pub chosen: Program,
    /// The chosen schedule of the computation, where it is one of it as written
    default: Option<OpenSchedule>,
    /// The schedule with open fields
    draft: OpenSchedule,
}

impl Ready {
    /// Choose a schedule, and open fields; `None` if that failed with messages
    pub(crate) fn new(
        place: Place<'_>,
        program: Program,
        diags: &mut Diags,
    ) -> Result<Option<Ready>, Diagnostic> {
        let Place { tool, args, device, .. } = place;
        let mut chosen = program.without_schedule()?;
        if chosen.lower(tool, &place.choose(), diags).is_none() {
            return Ok(None);
        }
        let document = program.document()?;
        let (dims, ins, outs) = (document.dims.len(), document.ins.len(), document.outs.len());
        let given = match &args.schedule {
            _ if args.auto => Some(terrace_search_schedules::auto(device, dims, ins, outs)),
            // The space follows from the loops alone.
            _ if args.primitives.is_some() => Some(OpenSchedule::default()),
            Some(file) => Some(read_schedule(program.ir().cx(), file, &document, diags)?),
            None => Some(document.draft).filter(|draft| !draft.steps.is_empty()),
        };
        // A choice may cut a reduction into two computations. A schedule that is given is for the computation as it stands; where
        // none is, fields of the chosen one are opened, of the computation that is most of the work.
        let cut = chosen.find().is_err();
        let (program, default) = match &given {
            Some(_) if cut => (program.without_schedule()?, None),
            Some(_) => (program.without_schedule()?, Some(chosen.document()?.draft)),
            None => {
                chosen = chosen.at_largest();
                (chosen.without_schedule()?, Some(chosen.document()?.draft))
            }
        };
        let mut draft = given.or_else(|| default.clone()).unwrap_or_default();
        terrace_search_schedules::open(&mut draft, &args.free);
        Ok(Some(Ready { program, chosen, default, draft }))
    }

    /// Which schedules can be lowered
    pub(crate) fn legal<'a>(
        &'a self,
        place: Place<'a>,
    ) -> impl Fn(&Schedule) -> Result<(), Refusal> + use<'a> {
        let carry_out = place.carry_out();
        move |schedule| legal(place.tool, &self.program, schedule, &carry_out)
    }

    /// The space of its schedules, with what becomes of points
    pub(crate) fn subject<'a>(
        &'a self,
        place: Place<'a>,
        written: Vec<Hash>,
        legal: &'a Legal<'a>,
    ) -> Result<Schedules<'a>, Diagnostic> {
        let Place { tool, args, device, .. } = place;
        let program = &self.program;
        let space: Box<dyn OfSchedules + 'a> = match args.primitives {
            Some(parts) => Box::new(primitives(program, device, parts, legal)?),
            None => Box::new(fields(program, device, self.draft.clone(), legal)?),
        };
        let known = self.default.as_ref().and_then(|default| space.point(default));
        let units = args.threads.map_or(device.units, i64::from);
        let device = Device { units, ..device.clone() };
        Ok(Schedules { program, written, space, known, tool, carry_out: place.carry_out(), device })
    }
}

/// Flags that are for array programs alone
fn refuse_arrays(args: &Args) -> Result<(), Diagnostic> {
    let arrays = args.space.is_some() || args.entry.is_some() || !args.fix.is_empty();
    if arrays || matches!(args.technique, Technique::Reject | Technique::Manual) {
        let error = fail("the file holds no array program");
        return Err(error.help("--space, --entry, --fix, reject and manual are for functions on `!array.of`"));
    }
    Ok(())
}

/// The schedules of a computation
pub(crate) struct Schedules<'a> {
    program: &'a Program,
    /// Computations of the file, as records know them
    written: Vec<Hash>,
    pub space: Box<dyn OfSchedules + 'a>,
    /// The point that is chosen without measuring, where it is one
    pub known: Option<Point>,
    tool: Tool,
    /// Pipeline from a schedule to loops
    carry_out: String,
    /// With the threads that candidates have
    device: Device,
}

impl Subject for Schedules<'_> {
    fn space(&self) -> &dyn Space {
        &*self.space
    }

    fn identity(&self) -> String {
        format!("{}\n{}", self.program.print(), self.space.text())
    }

    fn key(&self) -> String {
        let alone = |(unit, op)| Alone::of(&Functions::of(self.program.ir()), unit, op).hash();
        match self.program.find() {
            Ok(found) => format!("{}\n{}", alone(found), self.space.text()),
            Err(_) => self.identity(),
        }
    }

    fn kind(&self) -> Option<String> {
        let (unit, op) = self.program.find().ok()?;
        let view = View::read(unit, op).ok()?;
        let kept = view.dims.iter().filter(|dim| dim.kind.kept()).count();
        Some(format!("{kept} of {} dimensions, {} inputs", view.dims.len(), view.inputs.len()))
    }

    fn draft(&self) -> Option<String> {
        Some(self.space.text())
    }

    fn nothing(&self) -> Diagnostic {
        let error = fail("nothing is open in the schedule");
        error.help("write `?` or `{4,8}` in its fields, or say --free=size,core")
    }

    fn empty(&self) -> Diagnostic {
        let refused = self.refusals();
        fail(format!("S-EMPTY: no schedule is left{refused}")).help("open more fields, or widen the lists")
    }

    fn dry(&self, points: &[Point], _: usize) -> String {
        let mut text = String::new();
        let names = self.space.names();
        if let Some(name) = names.first() {
            let first: Vec<String> = self.space.values(&[]).iter().map(Decision::to_string).collect();
            let _ = writeln!(text, "{} open fields; {name} is one of {}", names.len(), first.join(" "));
            let directions = Directions::of(self.space());
            let bound = || directions.bound().map(|bound| format!("at most {bound:.0}"));
            let size =
                self.space.size().or_else(bound).map_or(String::new(), |size| format!("{size} points; "));
            let count = directions.len();
            let _ = writeln!(text, "{size}{count} directions lead from a point to its neighbours");
        }
        for point in points {
            let about = self.space.about(point).unwrap_or_default();
            let _ = write!(text, "\n{about}{}", self.space.fill(point));
        }
        let refused = match self.refusals() {
            none if none.is_empty() => "none".to_owned(),
            some => some.trim_start_matches("; refused: ").to_owned(),
        };
        let _ = writeln!(text, "\nwhole schedules refused while drawing these: {refused}");
        text
    }

    fn refusals(&self) -> String {
        let refused = self.space.refusals();
        if refused.total() == 0 { String::new() } else { format!("; refused: {refused}") }
    }

    fn refused(&self) -> Vec<Refused> {
        self.space.refusals().list()
    }

    fn is_known(&self) -> bool {
        self.known.is_some()
    }

    fn make(&self, point: &[Decision]) -> Result<Made, Diagnostic> {
        let program = self.program.with(&self.space.fill(point))?;
        Ok(Made { text: program.print(), bytes: None })
    }

    fn estimate(&self, point: &[Decision]) -> Option<f64> {
        let mut candidate = self.program.with(&self.space.fill(point)).ok()?;
        candidate.lower(self.tool, &self.carry_out, &mut Diags::default())?;
        Some(
            terrace_schedule_cost::estimate(&terrace_dialect_sched::nests(candidate.ir()), &self.device)?
                .total,
        )
    }

    fn show(&self, point: &[Decision]) -> String {
        self.space.fill(point).to_string()
    }

    fn kept(&self, point: &[Decision]) -> Result<Option<Kept>, Diagnostic> {
        let (unit, op) = self.program.find()?;
        let view = View::read(unit, op).map_err(fail)?;
        let dims: Vec<String> = view.dims.iter().map(|dim| format!("{} {}", dim.name, dim.size)).collect();
        let name = op.name(unit).and_then(|attr| attr.as_str(unit.cx())).unwrap_or("compute");
        let program = Alone::of(&Functions::of(self.program.ir()), unit, op).hash();
        Ok(Some(Kept {
            program,
            is_written: self.written.contains(&program),
            words: format!("{name}: {}", dims.join(", ")),
            schedule: self.space.fill(point).steps.iter().map(ToString::to_string).collect(),
        }))
    }
}

/// The space of a schedule's open fields
fn fields<'a>(
    program: &Program,
    device: &'a Device,
    draft: OpenSchedule,
    legal: &'a Legal<'a>,
) -> Result<ScheduleSpace<'a>, Diagnostic> {
    let entries = draft.steps.first().map_or(0, |step| step.ins.len());
    let extents = program.document()?.dims.iter().map(|dim| dim.size).collect();
    let space = ScheduleSpace::new(draft, extents, device, legal).map_err(|error| fail(error.to_string()))?;
    let mut known = facts(program, device)?;
    // Of access groups nothing is known before a schedule has entries for them.
    known.ins.truncate(if known.ins.len() == entries { entries } else { 0 });
    Ok(space.knowing(known).in_order(folded_in_order(program)?))
}

/// The space of the computation's loops by the primitives of the paper
fn primitives<'a>(
    program: &Program,
    device: &Device,
    parts: Parts,
    legal: &'a Legal<'a>,
) -> Result<PrimitiveSpace<'a>, Diagnostic> {
    let (unit, op) = program.find()?;
    let document = program.document()?;
    let graph = Graph::read(unit).map_err(fail)?;
    let node = graph.nodes.iter().find(|node| node.op == op.id());
    let node = node.ok_or_else(|| fail("the computation is no node of its function's graph"))?;
    let layout = Layout::of_node(node, device, parts, document.ins.len(), document.outs.len());
    Ok(PrimitiveSpace::new(layout.map_err(fail)?.knowing(legal), legal))
}

/// What rules of schedules have to know of the computation
fn facts(program: &Program, device: &Device) -> Result<Facts, Diagnostic> {
    let (unit, op) = program.find()?;
    let document = program.document()?;
    let view = View::read(unit, op).map_err(fail)?;
    let cx = unit.cx();
    let types: Vec<_> = unit.results(op.id()).map(|result| unit.ty(result).scalar(cx)).collect();
    // Results of an operator that any bracketing gives the same of are brought together in any order.
    let inexact = |operator: &Operator| match operator {
        Operator::Builtin(builtin) => types.iter().all(|ty| !builtin.algebra(cx, *ty).exact),
        Operator::Func(_) | Operator::Accumulated(_) => false,
    };
    let one_place = |kind: &CombineKind| match kind {
        CombineKind::Pw(operators, order) => *order != Order::Free && operators.iter().all(inexact),
        _ => false,
    };
    let along = |buffer: &Buffer| {
        let axes = || buffer.factors.iter().flatten().zip(&buffer.apart);
        let moves = |dim: usize| {
            axes().any(|(factors, apart)| {
                let alone = factors.iter().enumerate().all(|(n, factor)| (n == dim) == (*factor != 0));
                alone && *apart == Some(0)
            })
        };
        (0..view.dims.len()).map(moves).collect::<Vec<bool>>()
    };
    Ok(Facts {
        extents: view.dims.iter().map(|dim| dim.size).collect(),
        reduced: view.dims.iter().map(|dim| !dim.kind.kept()).collect(),
        one_place: view.dims.iter().map(|dim| one_place(&dim.kind)).collect(),
        ins: document.ins.iter().map(along).collect(),
        grid: device.kind == terrace_devices::DeviceKind::Grid,
        block_threads: terrace_schedule_rules::Limits::ANY.block_threads,
        warp: device.warp,
    })
}

/// How candidates of a program run: its function, random arguments
fn bench(
    args: &Args,
    program: &Program,
    folder: &std::path::Path,
    target: &str,
    stop: &Stop,
) -> Result<Bench, Diagnostic> {
    let (entry, params, results) = program.function()?;
    let mut call = call::of(args, &entry, params, results);
    if args.on == "interp" {
        // Else the computation would be interpreted as it is, whatever its schedule says.
        call.pipeline = Some(format!("func.func(mdh-schedule{{target={target}}},mdh-to-sched)"));
    }
    let mut bench = Bench::new(args, call, args.bench.unwrap_or(RUNS), stop, folder)?;
    bench.timeout = args.timeout;
    Ok(bench)
}

/// Dimensions that are folded in the order of the source, if that shows
fn folded_in_order(program: &Program) -> Result<Vec<usize>, Diagnostic> {
    let (unit, op) = program.find()?;
    let view = View::read(unit, op).map_err(fail)?;
    let dims = if view.in_order(unit, op) { view.dims.as_slice() } else { &[] };
    Ok((0..dims.len()).filter(|dim| matches!(dims[*dim].kind, CombineKind::Pw(..))).collect())
}

/// Can it be lowered?
fn legal(tool: Tool, program: &Program, schedule: &Schedule, carry_out: &str) -> Result<(), Refusal> {
    let with = program.with(&OpenSchedule::from(schedule));
    let mut candidate = with.map_err(|error| Refusal::of(error.message))?;
    let mut diags = Diags::default();
    match candidate.lower(tool, carry_out, &mut diags) {
        Some(()) => Ok(()),
        None => {
            let message = diags
                .iter()
                .find(|one| one.severity == Severity::Error)
                .map_or(String::new(), |error| error.message.clone());
            Err(Refusal::of(message))
        }
    }
}

#[cfg(test)]
mod tests;
