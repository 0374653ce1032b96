//! What a nest of `sched` leaves open, as a space: the parameters of [`terrace_dialect_sched::open`].
//!
//! Values do not depend on each other; whether all of them together are a schedule, the rules say at the last choice.

use std::cell::RefCell;
use std::collections::BTreeMap;
use terrace_dialect_sched::open::Open;
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::Space;

/// May a nest have these values, by name? The error begins with the rule that says no
pub type LegalNest<'a> = dyn Fn(&[(String, Decision)]) -> Result<(), String> + 'a;

/// All nests that one with open parameters stands for
pub struct NestSpace<'a> {
    open: Vec<Open>,
    legal: &'a LegalNest<'a>,
    refused: RefCell<BTreeMap<String, usize>>,
}

impl<'a> NestSpace<'a> {
    /// Of these parameters
    pub fn new(open: Vec<Open>, legal: &'a LegalNest<'a>) -> NestSpace<'a> {
        NestSpace { open, legal, refused: RefCell::default() }
    }

    /// Names with the values of a point
    pub fn values_of(&self, point: &[Decision]) -> Vec<(String, Decision)> {
        self.open.iter().map(|open| open.name.clone()).zip(point.iter().cloned()).collect()
    }

    /// What the nest means until something is decided
    pub fn neutral(&self) -> Point {
        self.open.iter().map(Open::neutral).collect()
    }

    /// How many points each rule refused so far
    pub fn refusals(&self) -> BTreeMap<String, usize> {
        self.refused.borrow().clone()
    }

    fn is_legal(&self, point: &[Decision]) -> bool {
        let verdict = (self.legal)(&self.values_of(point));
        if let Err(why) = &verdict {
            let rule = why.split(':').next().unwrap_or("").trim().to_owned();
            *self.refused.borrow_mut().entry(rule).or_default() += 1;
        }
        verdict.is_ok()
    }
}

impl Space for NestSpace<'_> {
    fn names(&self) -> Vec<String> {
        self.open.iter().map(|open| open.name.clone()).collect()
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        let Some(open) = self.open.get(before.len()) else { return Vec::new() };
        let mut values = open.values();
        if before.len() + 1 == self.open.len() {
            values.retain(|value| self.is_legal(&[before, std::slice::from_ref(value)].concat()));
        }
        values
    }
}
