//! Computations on grids: for the last blocks of the one before, for several devices, in parts, or as they are.

use super::cuts::Parts;
use super::{MdhSchedule, Outcome, computed_of, remark, set};
use crate::{devices, grid, last_block, mechanism, parts};
use terrace_devices::DeviceKind;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::Schedule;
use terrace_dialect_mdh::view::View;
use terrace_ir::Ir;
use terrace_pass::PassCx;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::Choice;

impl MdhSchedule {
    /// The schedule of a computation on a grid, or what became of it otherwise
    pub(super) fn on_grid(
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
        let schedule = self.chosen(cx, unit, op, &choice).ok_or(Outcome::Kept)?;
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
        let spread = found.zip(choice.schedule()).and_then(|(dim, schedule)| {
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
    pub(super) fn lasts(&self) -> bool {
        self.switches.last && self.device.fences
    }

    /// May several blocks be chosen to update the results of a computation? Not those of parts, which are joined by others
    pub(super) fn updates(&self, unit: &Ir, op: Compute, view: &View) -> bool {
        let parts = || {
            let users = unit.results(op.id()).flat_map(|value| unit.uses(value).map(|(user, _)| user));
            users.filter_map(|user| Compute::cast(unit, user)).any(|user| last_block::is_marked(unit, user))
        };
        let switches = self.switches.blocks && self.switches.atomics && self.device.kind == DeviceKind::Grid;
        switches && mechanism::updates(unit, op, view, &self.device) && !parts()
    }
}
