//! On processors: chains whose computations would share the loop over their rows on a copy of what they read.

use super::forms::ALIKE;
use super::prologues::bytes;
use super::{MdhSchedule, Moves, remark};
use crate::access;
use crate::turned::{Member, Turned};
use terrace_devices::{Device, DeviceKind, Layer, Region};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{self, SCHEDULE, Schedule};
use terrace_dialect_mdh::view::View;
use terrace_ir::{Ir, OpId, Value};
use terrace_pass::PassCx;
use terrace_schedule_choose::choice::Choice;
use terrace_schedule_choose::host;
use terrace_support::affine::AffineMap;

impl MdhSchedule {
    /// A copy of an operand with its rows in order, and what reads it, where the model holds that to be faster for the whole chain; a remark says so
    pub(super) fn turned(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        op: Compute,
        view: &View,
    ) -> Option<Vec<Compute>> {
        if self.device.kind != DeviceKind::Host || self.moves == Moves::Never {
            return None;
        }
        let other = Turned::before(unit, op, view)?;
        let given = other.written.iter().any(|one| unit.discardable(one.op.id(), SCHEDULE).is_some());
        let written = self.time_of_chain(unit, &other.written, &other.made);
        let made = self.best(unit, other.copy) + self.time_of_chain(unit, &other.made, &other.written);
        let faster = written.is_finite() && made * ALIKE < written;
        if given || self.moves == Moves::Faster && !faster {
            other.discard(unit);
            return None;
        }
        let said = format!(
            "`{}` is copied with its rows in order: {} computations share loops over them",
            other.name,
            other.made.len()
        );
        remark(cx, unit, op, said);
        Some(other.replace(unit))
    }

    /// What a chain is ranked by, with the schedules that its computations would get. Neighbors that begin with a loop over rows share it. Of two
    /// forms of a chain, either may read what the other one gives
    fn time_of_chain(&self, unit: &Ir, chain: &[Member], other: &[Member]) -> f64 {
        let (mut all, mut run): (f64, Vec<(usize, f64)>) = (0.0, Vec::new());
        for (n, one) in chain.iter().enumerate() {
            let Some(choice) = self.choice(unit, one.op) else { return f64::INFINITY };
            let rank = choice.rank();
            let first = choice.schedule().and_then(|schedule| outermost(&schedule));
            if first.is_some_and(|(dim, size)| size == 1 && one.rows.contains(&dim)) {
                run.push((n, rank));
                continue;
            }
            all += self.time_of_run(unit, &run, [chain, other]) + rank;
            run.clear();
        }
        all + self.time_of_run(unit, &run, [chain, other])
    }

    /// The same of computations that share the loop over rows: those of one row, whose data caches hold, and what comes from outside, once
    fn time_of_run(&self, unit: &Ir, run: &[(usize, f64)], forms: [&[Member]; 2]) -> f64 {
        if run.len() < 2 {
            return run.iter().map(|(_, rank)| rank).sum();
        }
        let device = Device { units: 1, ..self.device.clone() };
        let (mut cycles, mut count, mut outside) = (0.0, 1.0, Vec::new());
        let ops: Vec<OpId> = run.iter().flat_map(|(n, _)| forms.map(|form| form[*n].op.id())).collect();
        for (n, _) in run {
            let one = &forms[0][*n];
            let Ok(mut view) = View::read(unit, one.op) else { return f64::INFINITY };
            let inputs = view.inputs.iter().map(|input| input.value);
            let inputs = inputs.filter(|value| unit.defining_op(*value).is_none_or(|op| !ops.contains(&op)));
            let used_behind = |out: &usize| {
                let results = forms.map(|form| unit.result(form[*n].op.id(), *out));
                results.into_iter().any(|value| unit.uses(value).any(|(user, _)| !ops.contains(&user)))
            };
            let outs = (0..view.outputs.len()).filter(used_behind).map(|out| unit.result(one.op.id(), out));
            for value in inputs.chain(outs) {
                if !outside.contains(&value) {
                    outside.push(value);
                }
            }
            count = one.rows.iter().map(|dim| view.dims[*dim].size as f64).product();
            one.rows.iter().for_each(|dim| view.dims[*dim].size = 1);
            let (accesses, computed) = (access::read(unit, one.op, &view), view.computed(unit, one.op));
            cycles += Choice::among(host::GENERATORS, &accesses, computed.as_ref(), &device).rank();
        }
        let moved: f64 = outside.into_iter().map(|value| self.cycles_of(unit, value)).sum();
        let (units, caches) = (count.min(self.device.units as f64).max(1.0), &self.device.costs.caches);
        let cycles = cycles * count;
        let on_all = cycles / units + moved * (1.0 / units).max(caches.from_memory / caches.from_memory_all);
        (on_all * (cycles + moved)).sqrt()
    }

    /// Cycles in which one core has all of a tensor, from where it fits
    fn cycles_of(&self, unit: &Ir, value: Value) -> f64 {
        let (bytes, caches) = (bytes(unit, value) as f64, &self.device.costs.caches);
        let beyond = |region: Region| bytes > self.device.bytes(region) as f64;
        match () {
            _ if beyond(Region::L3) => bytes / caches.from_memory + bytes / caches.from_l3,
            _ if beyond(Region::L2) => bytes / caches.from_l3,
            _ => 0.0,
        }
    }
}

/// Does a computation that reads a result of another one not share the loop that this begins with? Then all of the result goes through memory
pub(super) fn apart(
    ir: &Ir,
    (writer, schedule): (Compute, &Schedule),
    reader: Compute,
    value: Value,
) -> bool {
    let own = ir.discardable(reader.id(), SCHEDULE).and_then(|attr| schedule::decided(ir.cx(), attr).ok());
    let (Some(own), Ok(written), Ok(read)) = (own, View::read(ir, writer), View::read(ir, reader)) else {
        return false;
    };
    // Loops of lanes alone may be one.
    let (Some((ours, size)), Some((theirs, other))) = (outermost(schedule), outermost(&own)) else {
        return false;
    };
    let place = |map: &AffineMap, dim: usize| map.results.iter().position(|expr| expr.uses_dim(dim as u32));
    let out = ir.results(writer.id()).position(|result| result == value);
    let at = out.and_then(|out| place(written.outputs[out].maps.first()?, ours));
    let mut reads = read.inputs.iter().filter(|input| input.value == value);
    size != other
        || at.is_none()
        || reads.any(|input| input.map.as_ref().and_then(|map| place(map, theirs)) != at)
}

/// The dimension of the outermost loop of a thread, and coordinates of an iteration
fn outermost(schedule: &Schedule) -> Option<(usize, i64)> {
    for step in &schedule.steps {
        let cores = step.cores.iter().enumerate().filter_map(|(dim, core)| Some((dim, core.as_ref()?)));
        let first = cores.filter(|(_, core)| core.layer == Layer::For).min_by_key(|(_, core)| core.number());
        if let Some((dim, _)) = first {
            return Some((dim, step.sizes[dim].value?));
        }
    }
    None
}
