//! The course of a search: proposals with numbers, results in any order, and one log for one seed.
//!
//! Proposal k is made from the results 1 … k − L alone, whenever results arrive: L is the lag of the search, 1 where each
//! proposal waits for the result before it. Draws depend on the seed and the number of a proposal. So recorded costs give the
//! same proposals again, on one machine or on many.

use crate::space::Space;
use crate::technique::{Technique, Turn};
use crate::trial::{Feedback, Origin, Proposal, Trial};
use std::collections::{BTreeMap, HashSet, VecDeque};
use terrace_schedule_model::{Decision, Point};

/// What comes next
#[derive(Clone, PartialEq, Debug)]
pub enum Next {
    /// Measure this
    Measure(Proposal),
    /// Results that the next proposal depends on are missing
    Wait,
    /// There are no more points, or drawing gave up
    Done,
}

/// How likely points are to be cheap, before anything is measured: lower is better
pub type Prior<'a> = dyn Fn(&[Decision]) -> Option<f64> + 'a;

/// What is the same in all proposals of a search
pub struct Plan<'a> {
    /// Seed of all draws
    pub seed: u64,
    /// Proposal k sees the results 1 … k − lag; at least 1
    pub lag: u64,
    /// Points that come first, in this order
    pub starts: Vec<Point>,
    /// Points drawn for each that is measured; of those that wait the one that the prior likes best is next
    pub each: usize,
    /// The prior, where there is one
    pub prior: Option<&'a Prior<'a>>,
    /// A point that takes so many times as long as the best one known when it is proposed need not be measured to the end
    pub stop: Option<f64>,
}

impl Plan<'_> {
    /// One point drawn for each that is measured, each after the result of the one before
    pub fn new(seed: u64) -> Self {
        Plan { seed, lag: 1, starts: Vec::new(), each: 1, prior: None, stop: None }
    }
}

/// Points that wait for their turn, at most; those that seem worst go
const MOST_WAITING: usize = 4096;

/// A search in progress
pub struct Explorer<'a> {
    space: &'a dyn Space,
    technique: Box<dyn Technique + 'a>,
    plan: Plan<'a>,
    starts: VecDeque<Point>,
    /// Points that were proposed, or wait
    seen: HashSet<Point>,
    /// Points that wait, cheapest last, with what the prior thinks of them
    waiting: Vec<(f64, Point, Origin)>,
    /// Proposals so far
    proposed: u64,
    /// Proposals whose results the technique does not know yet
    open: VecDeque<Trial>,
    /// Results that arrived, and are not known to the technique yet
    arrived: BTreeMap<u64, Feedback>,
    /// The lowest cost that the technique knows
    best: Option<f64>,
    rejected: u64,
}

impl<'a> Explorer<'a> {
    /// At the start
    pub fn new(space: &'a dyn Space, technique: Box<dyn Technique + 'a>, plan: Plan<'a>) -> Explorer<'a> {
        let mut known = HashSet::new();
        let starts = plan.starts.iter().filter(|point| known.insert(Point::clone(point))).cloned().collect();
        Explorer {
            space,
            technique,
            starts,
            plan,
            seen: HashSet::new(),
            waiting: Vec::new(),
            proposed: 0,
            open: VecDeque::new(),
            arrived: BTreeMap::new(),
            best: None,
            rejected: 0,
        }
    }

    /// Draws that constraints refused since the last proposal
    pub fn rejected(&self) -> u64 {
        self.rejected
    }

    /// What went wrong with the technique itself, where something did
    pub fn trouble(&self) -> Option<String> {
        self.technique.trouble()
    }

    /// The next point, which was not proposed before
    pub fn next_point(&mut self) -> Next {
        let number = self.proposed + 1;
        let visible = number.saturating_sub(self.plan.lag.max(1));
        while self.open.front().is_some_and(|trial| trial.number <= visible) {
            let Some(feedback) = self.open.front().and_then(|trial| self.arrived.remove(&trial.number))
            else {
                return Next::Wait;
            };
            if let Some(mut trial) = self.open.pop_front() {
                trial.feedback = feedback;
                let lower = |cost: &f64| self.best.is_none_or(|best| *cost < best);
                self.best = trial.cost().filter(lower).or(self.best);
                self.technique.tell(self.space, &trial);
            }
        }
        self.rejected = 0;
        let Some((point, origin, estimate)) = self.start().or_else(|| self.draw(number)) else {
            return Next::Done;
        };
        self.proposed = number;
        self.open.push_back(Trial { number, point: point.clone(), origin, feedback: Feedback::Lost });
        let stop = self.plan.stop.zip(self.best).map(|(times, best)| times * best);
        let (rejected, best) = (self.rejected, self.best);
        Next::Measure(Proposal { number, point, origin, estimate, rejected, best, stop })
    }

    /// What became of a proposal, in any order; `false` if that was known already, or no such proposal was made
    pub fn tell(&mut self, number: u64, feedback: Feedback) -> bool {
        let feedback = match feedback {
            Feedback::Cost(cost) if !cost.is_finite() => Feedback::Bad,
            feedback => feedback,
        };
        let is_open = self.open.iter().any(|trial| trial.number == number);
        let is_new = is_open && !self.arrived.contains_key(&number);
        if is_new {
            self.arrived.insert(number, feedback);
        }
        is_new
    }

    fn start(&mut self) -> Option<(Point, Origin, Option<f64>)> {
        let point = self.starts.pop_front()?;
        self.seen.insert(point.clone());
        Some((point, Origin::Start, None))
    }

    /// From the technique; with a prior the best of those that wait
    fn draw(&mut self, number: u64) -> Option<(Point, Origin, Option<f64>)> {
        let prior = self.plan.prior.filter(|_| self.plan.each > 1 && self.technique.has_ties());
        let mut turn = Turn::new(self.space, self.plan.seed, number, &mut self.seen);
        let Some(prior) = prior else {
            let found = self.technique.propose(&mut turn);
            self.rejected = turn.rejected;
            return found.map(|(point, origin)| (point, origin, None));
        };
        let mut unknown = None;
        for _ in 0..self.plan.each {
            let Some((point, origin)) = self.technique.propose(&mut turn) else { break };
            let Some(cost) = prior(&point) else {
                unknown = Some((point, origin, None));
                break;
            };
            let at = self.waiting.partition_point(|(other, ..)| *other > cost);
            self.waiting.insert(at, (cost, point, origin));
        }
        self.rejected = turn.rejected;
        if unknown.is_some() {
            // Nothing is thought of it: only measuring helps.
            return unknown;
        }
        let extra = self.waiting.len().saturating_sub(MOST_WAITING);
        self.waiting.drain(..extra);
        self.waiting.pop().map(|(cost, point, origin)| (point, origin, Some(cost)))
    }
}

#[cfg(test)]
mod tests;
