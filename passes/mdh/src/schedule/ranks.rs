//! What a form of a computation is ranked by, before it takes the place of another.

use super::MdhSchedule;
use crate::access;
use crate::collapse::{Collapsed, Place};
use std::rc::Rc;
use terrace_devices::DeviceKind;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::Ir;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::Choice;
use terrace_schedule_model::Schedule;

impl MdhSchedule {
    /// The time of a computation with a schedule; infinite without an estimate
    pub(super) fn time(&self, unit: &Ir, op: Compute, schedule: &Schedule) -> f64 {
        let computed = View::read(unit, op).ok().and_then(|view| view.computed(unit, op));
        computed.map_or(f64::INFINITY, |computed| self.time_of_kernel(&computed, schedule))
    }

    /// What a computation on a grid is ranked by: of the whole, or of its parts
    pub(super) fn alone(&self, unit: &mut Ir, op: Compute, view: &View, accesses: &Accesses) -> f64 {
        let whole = self.among(accesses, view.computed(unit, op).as_ref());
        let (rank, atomic) = (whole.rank(), whole.updates());
        self.cut(unit, op, view, accesses, (rank, atomic)).map_or(rank, |parts| parts.time.min(rank))
    }

    /// What a computation is ranked by with the schedule that it would get, on a grid perhaps in parts; infinite without an estimate
    pub(super) fn best(&self, unit: &mut Ir, op: Compute) -> f64 {
        match (self.device.kind, View::read(unit, op)) {
            (DeviceKind::Host, Ok(view)) => self.rank(unit, op).min(self.rank_collapsed(unit, op, &view)),
            (DeviceKind::Host, Err(_)) => self.rank(unit, op),
            (DeviceKind::Grid, Err(_)) => f64::INFINITY,
            (DeviceKind::Grid, Ok(view)) => {
                let accesses = access::read(unit, op, &view);
                self.alone(unit, op, &view, &accesses)
            }
        }
    }

    /// The same where neighboring dimensions are one; infinite where none are
    fn rank_collapsed(&self, unit: &mut Ir, op: Compute, view: &View) -> f64 {
        if !self.switches.collapse {
            return f64::INFINITY;
        }
        let Some(other) = Collapsed::before(unit, op, view, Place::Alone) else { return f64::INFINITY };
        let rank = self.rank(unit, other.op);
        other.discard(unit);
        rank
    }

    /// What the schedule that a computation would get is ranked by; infinite without an estimate
    pub(super) fn rank(&self, unit: &Ir, op: Compute) -> f64 {
        self.choice(unit, op).map_or(f64::INFINITY, |choice| choice.rank())
    }

    pub(super) fn choice(&self, unit: &Ir, op: Compute) -> Option<Rc<Choice>> {
        let view = View::read(unit, op).ok()?;
        Some(self.among(&access::read(unit, op, &view), view.computed(unit, op).as_ref()))
    }
}
