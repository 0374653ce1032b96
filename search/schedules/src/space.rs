//! The open fields of a schedule as a space.

use crate::choices::Scene;
use crate::coordinates::coordinates;
use crate::parameters::{Parameter, parameters};
use crate::refusal::{Refusal, Refusals};
use std::cell::RefCell;
use terrace_devices::Device;
use terrace_schedule_model::{Decision, Facts, OpenSchedule, Point, Rule, Schedule, ScheduleError};
use terrace_search_explore::{Coordinate, Space};

/// Can this schedule be lowered?
pub type Legal<'a> = dyn Fn(&Schedule) -> Result<(), Refusal> + 'a;

/// A space whose points are schedules
pub trait OfSchedules: Space {
    /// The schedule with these choices; what is behind them is open, or as the space begins
    fn fill(&self, choices: &[Decision]) -> OpenSchedule;

    /// The point that a schedule is, if it is one of this space
    fn point(&self, schedule: &OpenSchedule) -> Option<Point>;

    /// How many whole schedules each rule refused so far
    fn refusals(&self) -> Refusals;

    /// What tells the space from others of the same computation
    fn text(&self) -> String;

    /// How many points there are, in words, where that is known
    fn size(&self) -> Option<String> {
        None
    }

    /// What a point is in addition to its schedule, in lines
    fn about(&self, point: &[Decision]) -> Option<String> {
        let _ = point;
        None
    }
}

/// All schedules that a draft stands for
pub struct ScheduleSpace<'a> {
    draft: OpenSchedule,
    extents: Vec<i64>,
    device: &'a Device,
    parameters: Vec<Parameter>,
    legal: &'a Legal<'a>,
    facts: Option<Facts>,
    in_order: Vec<usize>,
    refused: RefCell<Refusals>,
}

impl<'a> ScheduleSpace<'a> {
    /// Of a draft for a computation of these extents
    pub fn new(
        draft: OpenSchedule,
        extents: Vec<i64>,
        device: &'a Device,
        legal: &'a Legal<'a>,
    ) -> Result<ScheduleSpace<'a>, ScheduleError> {
        for (n, step) in draft.steps.iter().enumerate() {
            for (what, found) in [("sizes", step.sizes.len()), ("cores", step.cores.len())] {
                if found != extents.len() {
                    let at = step.label.at.clone();
                    let what = format!(
                        "step {} has {found} {what}, the computation {} dimensions",
                        n + 1,
                        extents.len()
                    );
                    return Err(ScheduleError { at, step: None, broken: Rule::Arity.broken(what) });
                }
            }
        }
        let parameters = parameters(&draft)?;
        Ok(ScheduleSpace {
            draft,
            extents,
            device,
            parameters,
            legal,
            facts: None,
            in_order: Vec::new(),
            refused: RefCell::default(),
        })
    }

    /// With what is known of the computation: choices that lead only to refusals are none
    pub fn knowing(self, facts: Facts) -> ScheduleSpace<'a> {
        ScheduleSpace { facts: Some(facts), ..self }
    }

    /// Dimensions that are folded in the order of the source: no layer of several cores is a choice for them
    pub fn in_order(self, dims: Vec<usize>) -> ScheduleSpace<'a> {
        ScheduleSpace { in_order: dims, ..self }
    }

    /// May the next field be this, in a schedule with all before it filled in? The last one makes the schedule whole
    fn fits(&self, draft: &OpenSchedule, parameter: &Parameter, value: &Decision, last: bool) -> bool {
        let mut next = draft.clone();
        put(&mut next, parameter, value);
        let possible = self.facts.as_ref().is_none_or(|facts| next.ruled_out(facts).is_none());
        possible && (!last || self.is_legal(&next))
    }

    /// What the next field may be, as far as the fields before it say
    fn candidates(&self, draft: &OpenSchedule, parameter: &Parameter) -> Vec<Decision> {
        let scene = Scene { draft, extents: &self.extents, device: self.device, in_order: &self.in_order };
        let (place, slot) = parameter.places[0];
        match parameter.among.as_slice() {
            [] => scene.candidates(place, slot),
            items => scene.among(place, slot, items),
        }
    }

    fn is_legal(&self, draft: &OpenSchedule) -> bool {
        let verdict = match draft.decided() {
            Ok(schedule) => (self.legal)(&schedule),
            Err(error) => Err(Refusal::of(error.to_string())),
        };
        if let Err(refusal) = &verdict {
            self.refused.borrow_mut().add(refusal);
        }
        verdict.is_ok()
    }
}

fn put(schedule: &mut OpenSchedule, parameter: &Parameter, decision: &Decision) {
    for (place, slot) in &parameter.places {
        schedule.decide_at(*place, *slot, decision);
    }
}

impl OfSchedules for ScheduleSpace<'_> {
    fn fill(&self, choices: &[Decision]) -> OpenSchedule {
        let mut filled = self.draft.clone();
        for (parameter, choice) in self.parameters.iter().zip(choices) {
            put(&mut filled, parameter, choice);
        }
        filled
    }

    fn point(&self, schedule: &OpenSchedule) -> Option<Point> {
        let decisions = self.parameters.iter().map(|parameter| {
            let (place, slot) = parameter.places[0];
            self.draft.decision(schedule, place, slot)
        });
        let point: Point = decisions.collect::<Option<_>>()?;
        (self.fill(&point) == *schedule).then_some(point)
    }

    fn refusals(&self) -> Refusals {
        self.refused.borrow().clone()
    }

    fn text(&self) -> String {
        self.draft.to_string()
    }
}

impl Space for ScheduleSpace<'_> {
    fn names(&self) -> Vec<String> {
        self.parameters.iter().map(|parameter| parameter.places[0].0.to_string()).collect()
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        let Some(parameter) = self.parameters.get(before.len()) else { return Vec::new() };
        let draft = self.fill(before);
        let last = before.len() + 1 == self.parameters.len();
        let mut values = self.candidates(&draft, parameter);
        values.retain(|value| self.fits(&draft, parameter, value, last));
        values
    }

    fn allows(&self, before: &[Decision], value: &Decision) -> bool {
        let Some(parameter) = self.parameters.get(before.len()) else { return false };
        let draft = self.fill(before);
        let last = before.len() + 1 == self.parameters.len();
        self.candidates(&draft, parameter).contains(value) && self.fits(&draft, parameter, value, last)
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        coordinates(&self.draft, &self.parameters, &self.extents)
    }
}
