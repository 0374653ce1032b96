//! Computations that hand values to each other, in one kernel of a grid: a softmax, a norm.
//!
//! A *row* is a coordinate that all of them keep, and at which each reads what the others wrote. Blocks are rows, so a block needs nothing from
//! another one, and what is between stays in its memory. Where there is no such coordinate one block computes all. Reductions that have nothing
//! to do with each other join where their rows have the same sizes (paper on reductions, §5.3). Computations join as long as rows and the block's
//! memory permit; the model compares the kernel with the separate ones, and the longest run that is faster is taken.

use super::{MdhSchedule, accesses_of, computed_of, remark, set};
use crate::turned::following;
use terrace_devices::{Device, DeviceKind, Region, Space};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{JOINS, SCHEDULE, Schedule};
use terrace_dialect_mdh::view::View;
use terrace_ir::{Ir, OpId, Value};
use terrace_pass::PassCx;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::grid::rows::rows;
use terrace_schedule_cost::Computed;
use terrace_schedule_cost::grid::KernelEstimate;
use terrace_schedule_model::apply::Extras;
use terrace_schedule_model::computation::Memory;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Threads of a block that are compared
const THREADS: [i64; 5] = [128, 256, 512, 1024, 64];

/// A computation of a run
struct Member {
    op: Compute,
    view: View,
    accesses: Accesses,
    computed: Computed,
    /// Its dimension for each row of the run's first computation; none where rows end
    rows: Vec<Option<usize>>,
    /// Microseconds by itself
    alone: f64,
}

/// Why a computation does not go on with the run in front of it
enum Apart {
    /// It reads nothing of the run, and has other rows
    Unrelated,
    /// It has no form in rows
    Form(&'static str),
}

/// Computations one after the other
struct Run {
    run: Vec<Member>,
    /// How the first of them are one kernel
    plan: Option<Plan>,
    /// What begins the next kernel, and why
    cut: Option<(Compute, String)>,
}

/// A run in one kernel
struct Plan {
    len: usize,
    schedules: Vec<Schedule>,
    gain: f64,
    /// Coordinates that blocks have
    rows: usize,
}

impl MdhSchedule {
    /// Give schedules to computations that are faster in one kernel, and mark those that join the one in front
    pub(super) fn join(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Vec<OpId> {
        let mut taken: Vec<OpId> = Vec::new();
        if self.device.kind != DeviceKind::Grid || !self.switches.join || self.devices > 1 {
            return taken;
        }
        let mut begun: Vec<OpId> = Vec::new();
        let firsts: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        for first in firsts {
            if taken.contains(&first.id()) {
                continue;
            }
            let Some(Run { run, plan, cut }) = self.run_from(cx, unit, first) else { continue };
            if let Some((op, why)) = cut.filter(|(op, _)| !begun.contains(&op.id())) {
                begun.push(op.id());
                remark(cx, unit, op, format!("it begins a kernel: {why}"));
            }
            let Some(plan) = plan else { continue };
            let members = &run[..plan.len];
            let names: Vec<&str> =
                members.iter().map(|one| one.view.name.as_deref().unwrap_or("compute")).collect();
            remark(cx, unit, first, format!("one kernel computes {}", names.join(", ")));
            for (n, (member, schedule)) in members.iter().zip(&plan.schedules).enumerate() {
                set(unit, member.op, schedule);
                taken.push(member.op.id());
                if n > 0 {
                    let unit_attr = unit.cx().common().unit;
                    unit.set_attr(member.op.id(), JOINS, Some(unit_attr));
                }
            }
        }
        taken
    }

    /// The longest run from a computation on whose kernel is faster than those of its computations, and what begins the next kernel
    fn run_from(&self, cx: &PassCx<'_>, unit: &mut Ir, first: Compute) -> Option<Run> {
        let Some(first) = self.member(cx, unit, first) else {
            let next = following(unit, first.id()).filter(|next| reads(unit, *next, first))?;
            if self.maker(unit, next).is_some() {
                return None;
            }
            let why = "what it reads keeps its order, has conditions or a schedule of its own";
            return Some(Run { run: Vec::new(), plan: None, cut: Some((next, why.into())) });
        };
        let mut run = vec![first];
        let mut best: Option<Plan> = None;
        let mut cut = None;
        while let Some(next) = following(unit, run.last()?.op.id()) {
            // What is done where the result in front is complete begins no kernel, nor does what does the one in front.
            let begins = self.maker(unit, next).is_none() && !self.stores(unit, next);
            let found = match self.extend(cx, unit, &mut run, next) {
                Err(Apart::Unrelated) => break,
                Err(Apart::Form(why)) => {
                    cut = cut.or(begins.then(|| (next, why.to_owned())));
                    break;
                }
                Ok(()) => self.plan(unit, &run),
            };
            match found {
                Err(_) if !begins => {}
                Err(why) => {
                    cut = cut.or(Some((next, why)));
                    break;
                }
                Ok(plan) if plan.gain > 0.0 => (best, cut) = (Some(plan), None),
                Ok(plan) => {
                    let front = run.split_last().map_or(&[][..], |(_, front)| front);
                    if begins && front.iter().any(|one| reads(unit, next, one.op)) {
                        cut = cut.or_else(|| Some((next, slower(unit, &run, &plan))));
                    }
                }
            }
        }
        Some(Run { run, plan: best, cut })
    }

    fn member(&self, cx: &PassCx<'_>, unit: &mut Ir, op: Compute) -> Option<Member> {
        if unit.discardable(op.id(), SCHEDULE).is_some() {
            return None;
        }
        let view = View::read(unit, op).ok()?;
        let mut accesses = accesses_of(cx, unit, op, &view);
        accesses.updates = self.updates(unit, op, &view);
        let computed = computed_of(cx, unit, op, &view)?;
        let plain = view.outputs.iter().all(|out| out.maps.len() == 1)
            && view.conditions.is_empty()
            && !view.in_order(unit, op)
            && accesses.points() > 0;
        if !plain {
            return None;
        }
        let rows = accesses.dims(|dim| accesses.kept[dim]).into_iter().map(Some).collect();
        let alone = match accesses.single {
            true => self.alone(unit, op, &view, &accesses),
            false => self.among(&accesses, Some(&computed)).rank(),
        };
        // By itself it would be done where what it reads is complete.
        let alone = if self.maker(unit, op).is_some() { 0.0 } else { self.storing(unit, op, alone) };
        Some(Member { op, view, accesses, computed, rows, alone })
    }

    /// Add a computation to a run: rows end where it does not read what is in front of it at its own coordinates
    fn extend(
        &self,
        cx: &PassCx<'_>,
        unit: &mut Ir,
        run: &mut Vec<Member>,
        next: Compute,
    ) -> Result<(), Apart> {
        let form = Apart::Form;
        let writes = |run: &[Member], value: Value| {
            run.iter().position(|one| unit.results(one.op.id()).any(|result| result == value))
        };
        let operands: Vec<Value> = unit.operands(next.id()).collect();
        if !operands.iter().any(|value| writes(run, *value).is_some()) {
            let member = self.member(cx, unit, next).ok_or(Apart::Unrelated)?;
            return side_by_side(run, member);
        }
        let sources: Vec<Option<(usize, usize)>> = operands
            .iter()
            .map(|value| {
                let n = writes(run, *value)?;
                Some((n, unit.results(run[n].op.id()).position(|result| result == *value)?))
            })
            .collect();
        let of =
            |value: Value| operands.iter().position(|operand| *operand == value).and_then(|n| sources[n]);
        let mut member = self.member(cx, unit, next).ok_or(form("it has no form in rows"))?;
        // Values to begin with are copied by a kernel in front.
        if member.view.outputs.iter().any(|out| out.init.is_some()) {
            return Err(form("its results begin with values that are copied before"));
        }
        let mut all = vec![None; run[0].rows.len()];
        for (row, own) in all.iter_mut().enumerate() {
            let mut dims = Vec::new();
            for input in &member.view.inputs {
                let Some((n, out)) = of(input.value) else { continue };
                dims.push(row_of(&run[n], out, row, input.map.as_ref().map(|map| &map.results[..])));
            }
            let same =
                dims.first().copied().flatten().filter(|dim| dims.iter().all(|other| *other == Some(*dim)));
            *own = same.filter(|dim| {
                let size = run[0].rows[row].map(|first| run[0].accesses.sizes[first]);
                member.accesses.kept[*dim] && Some(member.accesses.sizes[*dim]) == size
            });
        }
        // Two rows that one dimension follows are none.
        for row in 1..all.len() {
            if all[row].is_some() && all[..row].contains(&all[row]) {
                all[row] = None;
            }
        }
        member.rows = all;
        run.push(member);
        Ok(())
    }

    /// Schedules of a run in one kernel, and what is gained by it; why there is none otherwise
    fn plan(&self, unit: &Ir, run: &[Member]) -> Result<Plan, String> {
        let count = run[0].rows.len();
        let mut live: Vec<usize> =
            (0..count).filter(|row| run.iter().all(|one| one.rows[*row].is_some())).collect();
        let size = |row: &usize| run[0].rows[*row].map_or(1, |dim| run[0].accesses.sizes[dim]);
        live.sort_by_key(|row| std::cmp::Reverse(size(row)));
        live.truncate(3);
        let inside: Vec<Value> = run
            .iter()
            .flat_map(|one| unit.results(one.op.id()).collect::<Vec<_>>())
            .filter(|value| {
                unit.uses(*value).all(|(user, _)| run.iter().any(|one| is_in(unit, user, one.op.id())))
            })
            .collect();
        let bytes: i64 = inside.iter().map(|value| slice(unit, run, &live, *value)).sum();
        let alone: f64 = run.iter().map(|one| one.alone).sum();
        let launch = self.device.costs.latency.launch;
        let mut best: Option<(f64, Vec<Schedule>)> = None;
        let (room, registers) = (self.device.bytes(Region::Sm), self.device.registers);
        let mut why =
            format!("the block's memory is too small: {bytes} of {room} bytes are between the computations");
        for (threads, wide) in THREADS.into_iter().flat_map(|threads| [(threads, true), (threads, false)]) {
            // A tree of threads needs a place for each in the widest type.
            let trees =
                run.iter().map(|one| threads.saturating_mul(one.accesses.widest())).max().unwrap_or(0);
            if bytes.saturating_add(trees) > room {
                continue;
            }
            let mut time = launch;
            let mut schedules = Vec::new();
            for one in run {
                let blocks: Vec<usize> = live.iter().filter_map(|row| one.rows[*row]).collect();
                let schedule = rows(&one.accesses, &self.device, &blocks, threads, wide);
                let own = schedule.and_then(|schedule| {
                    Some((in_row(unit, one, &inside, &blocks, &schedule, &self.device)?, schedule))
                });
                let Some((own, schedule)) = own else {
                    why = "a computation has no schedule in rows, or no estimate".into();
                    break;
                };
                if own.counts.wanted > registers {
                    let wanted = own.counts.wanted;
                    why = format!("registers do not suffice: a thread needs {wanted} and has {registers}");
                    break;
                }
                time += own.seconds * 1e6 - launch;
                schedules.push(schedule);
            }
            if schedules.len() == run.len() && best.as_ref().is_none_or(|(least, _)| time < *least) {
                best = Some((time, schedules));
            }
        }
        let (time, schedules) = best.ok_or(why)?;
        Ok(Plan { len: run.len(), schedules, gain: alone - time, rows: live.len() })
    }
}

/// Add a computation that reads nothing of a run: it has rows of the same sizes
fn side_by_side(run: &mut Vec<Member>, member: Member) -> Result<(), Apart> {
    let sizes = |one: &Member| -> Vec<Option<i64>> {
        one.rows.iter().map(|row| row.map(|dim| one.accesses.sizes[dim])).collect()
    };
    let first = run.first().filter(|first| sizes(first) == sizes(&member)).ok_or(Apart::Unrelated)?;
    let reduces = |one: &Member| one.accesses.reduced.contains(&true);
    // Element-wise ones have threads for each element without it.
    if !reduces(first) || !reduces(&member) || member.view.outputs.iter().any(|out| out.init.is_some()) {
        return Err(Apart::Unrelated);
    }
    run.push(member);
    Ok(())
}

/// Why a kernel of all of a run is not worth it: what its last computation reads tells
fn slower(ir: &Ir, run: &[Member], plan: &Plan) -> String {
    let time = -plan.gain;
    let why = match run.split_last() {
        _ if plan.rows == 0 => {
            "it reads at other coordinates than are written, so that one block would compute all"
        }
        Some((_, front)) if front.iter().any(|one| read_behind(ir, run, one)) => {
            "a result in front is read again behind it, so that it is stored in any case"
        }
        _ => "what is between costs less in main memory",
    };
    format!("{why}; one kernel of all would take {time:.1} us more")
}

/// Does a computation behind a run read one of it?
fn read_behind(ir: &Ir, run: &[Member], one: &Member) -> bool {
    let values: Vec<Value> = ir.results(one.op.id()).collect();
    let outside = |user: OpId| run.iter().all(|own| !is_in(ir, user, own.op.id()));
    values.into_iter().any(|value| ir.uses(value).any(|(user, _)| outside(user)))
}

/// Does a computation read another's results?
fn reads(ir: &Ir, reader: Compute, writer: Compute) -> bool {
    ir.operands(reader.id()).any(|value| ir.results(writer.id()).any(|result| result == value))
}

/// Is an op this one, or in it?
fn is_in(ir: &Ir, op: OpId, outer: OpId) -> bool {
    op == outer || ir.parent(op).is_some_and(|around| is_in(ir, around, outer))
}

/// The dimension that reads a result where the row is written
fn row_of(writer: &Member, out: usize, row: usize, read: Option<&[AffineExpr]>) -> Option<usize> {
    let dim = writer.rows[row]?;
    let map = &writer.view.outputs[out].maps[0];
    let axis = map.results.iter().position(|index| *index == AffineExpr::Dim(dim as u32))?;
    match read?.get(axis)? {
        AffineExpr::Dim(dim) => Some(*dim as usize),
        _ => None,
    }
}

/// Bytes of a result that one block has
fn slice(ir: &Ir, run: &[Member], live: &[usize], value: Value) -> i64 {
    let place = |one: &Member| ir.results(one.op.id()).position(|result| result == value);
    let Some((one, out)) = run.iter().find_map(|one| Some((one, place(one)?))) else { return 0 };
    let blocks: Vec<usize> = live.iter().filter_map(|row| one.rows[*row]).collect();
    let mut memory = one.computed.computation.results[out].clone();
    of_block(&mut memory, &one.view.outputs[out].maps[0], &blocks);
    memory.shape.iter().fold(memory.bytes, |all, size| all.saturating_mul(*size))
}

/// What a block has of a buffer: one coordinate of its rows
fn of_block(memory: &mut Memory, map: &AffineMap, blocks: &[usize]) {
    memory.space = Space::Shared;
    for (expr, size) in map.results.iter().zip(&mut memory.shape) {
        if blocks.iter().any(|dim| *expr == AffineExpr::Dim(*dim as u32)) {
            *size = 1;
        }
    }
}

/// A computation as a kernel whose inputs and results of the run are in the block's memory
fn in_row(
    ir: &Ir,
    one: &Member,
    inside: &[Value],
    blocks: &[usize],
    schedule: &Schedule,
    device: &Device,
) -> Option<KernelEstimate> {
    let mut computed = one.computed.clone();
    for (buffer, value) in one.view.buffers().into_iter().enumerate() {
        let read = one.view.inputs.iter().find(|input| input.value == value);
        if let (true, Some(map)) = (inside.contains(&value), read.and_then(|input| input.map.as_ref())) {
            of_block(&mut computed.computation.buffers[buffer], map, blocks);
        }
    }
    for (out, value) in ir.results(one.op.id()).enumerate() {
        if inside.contains(&value) {
            of_block(&mut computed.computation.results[out], &one.view.outputs[out].maps[0], blocks);
        }
    }
    computed.on_grid(schedule, &Extras::default(), device).ok()?
}
