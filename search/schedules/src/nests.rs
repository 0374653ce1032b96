//! What a nest of `sched` leaves open, as a space: the parameters of [`terrace_dialect_sched::open`].
//!
//! What stands in the nest comes first: orders of loops, then buffers, in order of the text; levels are last. From then on the
//! rules narrow each choice: a rule says no as soon as nothing that is decided later can make it hold.

use crate::refusal::{Refusal, Refusals};
use std::cell::RefCell;
use terrace_dialect_sched::open::{Open, What};
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::Space;

/// May a nest have these values, by name? What is not named is open
pub type LegalNest<'a> = dyn Fn(&[(String, Decision)]) -> Result<(), Refusal> + 'a;

/// All nests that one with open parameters stands for
pub struct NestSpace<'a> {
    open: Vec<Open>,
    legal: &'a LegalNest<'a>,
    refused: RefCell<Refusals>,
}

impl<'a> NestSpace<'a> {
    /// Of these parameters
    pub fn new(mut open: Vec<Open>, legal: &'a LegalNest<'a>) -> NestSpace<'a> {
        open.sort_by_key(|each| match each.what {
            What::Order(_) => 0,
            What::Buffer => 1,
            What::Level => 2,
        });
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

    /// How many choices each rule refused so far, those of a level with others still open too
    pub fn refusals(&self) -> Refusals {
        self.refused.borrow().clone()
    }

    fn is_legal(&self, choices: &[Decision]) -> bool {
        let verdict = (self.legal)(&self.values_of(choices));
        if let Err(refusal) = &verdict {
            self.refused.borrow_mut().add(refusal);
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
        values.retain(|value| self.is_legal(&[before, std::slice::from_ref(value)].concat()));
        values
    }

    fn allows(&self, before: &[Decision], value: &Decision) -> bool {
        let open = self.open.get(before.len()).is_some_and(|open| open.values().contains(value));
        open && self.is_legal(&[before, std::slice::from_ref(value)].concat())
    }
}
