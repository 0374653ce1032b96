//! Choices that were made: forms of a computation are compared again and again, and networks repeat their layers.

use super::MdhSchedule;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use terrace_devices::DeviceKind;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::choice::Choice;
use terrace_schedule_choose::{grid, host};
use terrace_schedule_cost::Computed;
use terrace_schedule_model::Schedule;
use terrace_schedule_model::apply::Extras;
use terrace_support::HashMap;

/// What a choice follows from, and the choice
type Made = (Accesses, Option<Computed>, Rc<Choice>);

/// A computation, a schedule of it as one kernel, and its microseconds
type Timed = (Computed, Schedule, f64);

/// The choices of one run, for one device
#[derive(Default)]
pub(super) struct Choices {
    /// By extents
    made: RefCell<HashMap<Vec<i64>, Vec<Made>>>,
    /// By extents
    timed: RefCell<HashMap<Vec<i64>, Vec<Timed>>>,
    compared: Cell<u64>,
}

impl Choices {
    /// How many candidates have been compared, and schedules by themselves
    pub fn compared(&self) -> u64 {
        self.compared.get()
    }

    fn count(&self, more: usize) {
        self.compared.set(self.compared.get() + more as u64);
    }
}

impl MdhSchedule {
    /// The choice for a computation, which is the same for all that are alike
    pub(super) fn among(&self, accesses: &Accesses, computed: Option<&Computed>) -> Rc<Choice> {
        let mut made = self.choices.made.borrow_mut();
        let alike = made.entry(accesses.sizes.clone()).or_default();
        let same = |own: &&Made| own.1.as_ref() == computed && own.0 == *accesses;
        if let Some((.., choice)) = alike.iter().find(same) {
            return choice.clone();
        }
        let generators = match self.device.kind {
            DeviceKind::Host => host::GENERATORS,
            DeviceKind::Grid => grid::GENERATORS,
        };
        let choice = Rc::new(Choice::among(generators, accesses, computed, &self.device));
        self.choices.count(if computed.is_some() { choice.candidates.len() } else { 0 });
        alike.push((accesses.clone(), computed.cloned(), choice.clone()));
        choice
    }

    /// The microseconds of a computation with a schedule that is one kernel; infinite without an estimate
    pub(super) fn time_of_kernel(&self, computed: &Computed, schedule: &Schedule) -> f64 {
        let mut timed = self.choices.timed.borrow_mut();
        let alike = timed.entry(computed.computation.extents()).or_default();
        let same = |own: &&Timed| own.0 == *computed && own.1 == *schedule;
        if let Some((.., time)) = alike.iter().find(same) {
            return *time;
        }
        self.choices.count(1);
        let kernel = computed.on_grid(schedule, &Extras::default(), &self.device).ok().flatten();
        let time = kernel.map_or(f64::INFINITY, |kernel| kernel.seconds * 1e6);
        alike.push((computed.clone(), schedule.clone(), time));
        time
    }
}
