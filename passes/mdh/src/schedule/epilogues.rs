//! Which element-wise computations are done in the nest in front.

use super::{MdhSchedule, remark};
use crate::mechanism;
use std::rc::Rc;
use terrace_dialect_bufferization::{MaterializeInDestination, ToTensor};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::epilogue::{self, EPILOGUE};
use terrace_dialect_mdh::schedule::{self, SCHEDULE};
use terrace_dialect_mdh::view::{CombineKind, View};
use terrace_ir::{Ir, OpId, Value};
use terrace_pass::PassCx;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::Choice;
use terrace_schedule_cost::Computed;

/// Most ops between a reduction and what is done in it: a longer search would not stay linear
const REACH: usize = 64;

/// Computations that have a schedule
pub(super) fn scheduled(ir: &Ir) -> Vec<OpId> {
    let has = |op: &OpId| Compute::cast(ir, *op).is_some() && ir.discardable(*op, SCHEDULE).is_some();
    ir.walk().filter(has).collect()
}

impl MdhSchedule {
    /// Mark element-wise computations of the reduction in front, and of what is done there already, whose schedule was chosen here; one that
    /// the author gave stands, and so does a kernel that was joined with others
    pub(super) fn epilogues(&self, cx: &mut PassCx<'_>, ir: &mut Ir, given: &[OpId], joined: &[OpId]) {
        if !self.switches.epilogues {
            return;
        }
        let computes: Vec<Compute> = ir.walk().filter_map(|op| Compute::cast(ir, op)).collect();
        for op in computes {
            let chosen = !given.contains(&op.id()) && !joined.contains(&op.id());
            let done =
                |maker: &Compute| reduces(ir, *maker) || ir.discardable(maker.id(), EPILOGUE).is_some();
            let Some(maker) = self.maker(ir, op).filter(done).filter(|_| chosen) else { continue };
            if let Some(why) = self.unfinished(ir, maker) {
                remark(cx, ir, op, format!("it begins a kernel: {why}"));
                continue;
            }
            let mark = ir.cx().common().unit;
            ir.set_discardable(op.id(), EPILOGUE, Some(mark));
        }
    }

    /// The computation whose elements this one may take where they are complete: a reduction, or what may be done in one
    pub(super) fn maker(&self, ir: &Ir, op: Compute) -> Option<Compute> {
        let front = |op: Compute| {
            let view = View::read(ir, op).ok().filter(|_| self.switches.epilogues)?;
            epilogue::find(ir, &view).map(|found| found.maker)
        };
        let root =
            |op: Compute| std::iter::successors(front(op), |op| front(*op)).find(|op| reduces(ir, *op));
        let (maker, own) = (front(op)?, root(op)?);
        // What it reads else is there before the reduction, and nothing is between but what is done there too.
        let before = |value: Value| match ir.defining_op(value) {
            Some(made) if made == maker.id() => true,
            Some(made) => ir.block(made) != ir.block(own.id()) || ir.is_before(made, own.id()),
            None => true,
        };
        let quiet = |between: OpId| match Compute::cast(ir, between) {
            Some(other) => root(other) == Some(own),
            // Whether a buffer that results go to is another one is the lowering's to see.
            None if ir.is_any(between, &[MaterializeInDestination::DEF, ToTensor::DEF]) => true,
            None => ir.num_regions(between) == 0 && ir.effects(between).is_removable(),
        };
        let behind = std::iter::successors(ir.next(own.id()), |at| ir.next(*at)).take(REACH);
        let alone = behind.take_while(|at| *at != op.id()).all(quiet);
        let near =
            std::iter::successors(ir.prev(op.id()), |at| ir.prev(*at)).take(REACH).any(|at| at == own.id());
        (alone && near && ir.operands(op.id()).all(before)).then_some(maker)
    }

    /// The choice for a reduction on a grid. Atomic updates leave no thread with a whole result, so that an element-wise computation of it
    /// is one more launch
    pub(super) fn choice_with_epilogue(
        &self,
        ir: &Ir,
        op: Compute,
        accesses: &Accesses,
        computed: Option<&Computed>,
    ) -> (Rc<Choice>, f64) {
        let choice = self.among(accesses, computed);
        let rank = choice.rank();
        if !choice.updates() || !self.has_epilogue(ir, op) {
            return (choice, rank);
        }
        let updated = rank + self.device.costs.latency.launch;
        let plain = Accesses { updates: false, ..accesses.clone() };
        let whole = self.among(&plain, computed);
        match whole.rank() {
            rank if rank <= updated => (whole, rank),
            _ => (choice, updated),
        }
    }

    /// Does an element-wise computation take the elements of this one where they are complete?
    fn has_epilogue(&self, ir: &Ir, op: Compute) -> bool {
        let mut users = ir.results(op.id()).flat_map(|value| ir.uses(value).map(|(user, _)| user));
        users.any(|user| Compute::cast(ir, user).is_some_and(|user| self.maker(ir, user) == Some(op)))
    }

    /// Why no thread has a whole result of a computation, where that is seen from its schedule
    fn unfinished(&self, ir: &Ir, maker: Compute) -> Option<&'static str> {
        let schedule = ir.discardable(maker.id(), SCHEDULE)?;
        let schedule = schedule::decided(ir.cx(), schedule).ok()?;
        let view = View::read(ir, maker).ok()?;
        mechanism::said(&view, &schedule)
            .map(|_| "blocks meet in what it reads by atomic updates, and none has all of it")
    }
}

fn reduces(ir: &Ir, op: Compute) -> bool {
    View::read(ir, op).is_ok_and(|view| view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Pw(..))))
}
