//! A draft's open fields as a space.

use crate::choices::Scene;
use crate::hole::{Hole, holes};
use std::cell::RefCell;
use std::collections::BTreeMap;
use terrace_devices::Device;
use terrace_dialect_mdh::schedule::{Draft, DraftError, Facts, Schedule, Token};
use terrace_search_explore::{Point, Space};

/// Can this schedule be carried out? The error begins with the rule that says no
pub type Legal<'a> = dyn Fn(&Schedule) -> Result<(), String> + 'a;

/// All schedules that a draft stands for
pub struct ScheduleSpace<'a> {
    draft: Draft,
    extents: Vec<i64>,
    device: &'a Device,
    holes: Vec<Hole>,
    legal: &'a Legal<'a>,
    facts: Option<Facts>,
    in_order: Vec<usize>,
    refused: RefCell<BTreeMap<String, usize>>,
}

impl<'a> ScheduleSpace<'a> {
    /// Of a draft for a computation of these extents
    pub fn new(
        draft: Draft,
        extents: Vec<i64>,
        device: &'a Device,
        legal: &'a Legal<'a>,
    ) -> Result<ScheduleSpace<'a>, DraftError> {
        for (n, step) in draft.steps.iter().enumerate() {
            for (what, found) in [("sizes", step.sizes.len()), ("cores", step.cores.len())] {
                if found != extents.len() {
                    let at = step.label.at.clone();
                    let message = format!(
                        "S-ARITY: step {} has {found} {what}, the computation {} dimensions",
                        n + 1,
                        extents.len()
                    );
                    return Err(DraftError { at, message });
                }
            }
        }
        let holes = holes(&draft)?;
        Ok(ScheduleSpace {
            draft,
            extents,
            device,
            holes,
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

    /// The draft with these choices filled in
    pub fn fill(&self, choices: &[String]) -> Draft {
        let mut draft = self.draft.clone();
        for (hole, choice) in self.holes.iter().zip(choices) {
            put(&mut draft, hole, choice);
        }
        draft
    }

    /// The point that a schedule is, if it is one of this draft's
    pub fn point(&self, schedule: &Draft) -> Option<Point> {
        let mut other = schedule.clone();
        let values = self.holes.iter().map(|hole| {
            let text = other.field_mut(&hole.fields[0])?.text.clone();
            let value = text.strip_prefix(hole.prefixes[0].as_str()).unwrap_or(&text);
            Some(value.strip_suffix(hole.suffixes[0].as_str()).unwrap_or(value).to_owned())
        });
        let point: Point = values.collect::<Option<_>>()?;
        (self.fill(&point) == *schedule).then_some(point)
    }

    /// How many whole schedules each rule refused so far
    pub fn refusals(&self) -> BTreeMap<String, usize> {
        self.refused.borrow().clone()
    }

    fn is_legal(&self, draft: &Draft) -> bool {
        let verdict = match draft.resolve() {
            Ok(schedule) => (self.legal)(&schedule),
            Err(error) => Err(error.message),
        };
        if let Err(why) = &verdict {
            // Words that are none are found while a step is read, so that the step stands in front.
            let rule = why.split(':').find(|part| !part.starts_with("step ")).unwrap_or("").trim().to_owned();
            *self.refused.borrow_mut().entry(rule).or_default() += 1;
        }
        verdict.is_ok()
    }
}

fn put(draft: &mut Draft, hole: &Hole, choice: &str) {
    for ((field, prefix), suffix) in hole.fields.iter().zip(&hole.prefixes).zip(&hole.suffixes) {
        if let Some(slot) = draft.field_mut(field) {
            *slot = Token::new(format!("{prefix}{choice}{suffix}"));
        }
    }
}

impl Space for ScheduleSpace<'_> {
    fn names(&self) -> Vec<String> {
        self.holes.iter().map(|hole| hole.fields[0].clone()).collect()
    }

    fn values(&self, before: &[String]) -> Vec<String> {
        let Some(hole) = self.holes.get(before.len()) else { return Vec::new() };
        let draft = self.fill(before);
        let scene =
            Scene { draft: &draft, extents: &self.extents, device: self.device, in_order: &self.in_order };
        let tail = hole.suffixes[0].contains('~');
        let prefix = hole.prefixes[0].as_str();
        let mut values = match hole.among.as_slice() {
            [] => scene.candidates(hole.place, prefix, tail),
            // A list behind something else is of its words.
            words if !prefix.is_empty() => words.to_vec(),
            words => scene.among(hole.place, words, tail),
        };
        if let Some(facts) = &self.facts {
            values.retain(|value| {
                let mut next = draft.clone();
                put(&mut next, hole, value);
                next.ruled_out(facts).is_none()
            });
        }
        if before.len() + 1 == self.holes.len() {
            values.retain(|value| {
                let mut whole = draft.clone();
                put(&mut whole, hole, value);
                self.is_legal(&whole)
            });
        }
        values
    }
}
