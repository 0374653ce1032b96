//! Rounds: whose is next, until the budget is spent.

use super::Distinct;
use crate::args::{Args, Budget};
use crate::progress::Progress;
use crate::search::Running;
use std::collections::VecDeque;
use terrace_diag::Diagnostic;
use terrace_search_explore::log::Entry;
use terrace_search_explore::share::{ROUND, Share, Shares};

/// Rounds of several searches
pub(super) struct Rounds {
    shares: Shares,
    /// Rounds that were cut off: they come first
    cut: VecDeque<usize>,
    /// Rounds of each
    rounds: Vec<usize>,
    points: Vec<usize>,
    budget: Budget,
}

impl Rounds {
    /// From the start, or from where logs end
    pub(super) fn new(args: &Args, all: &[Distinct<'_>], running: &[Running<'_>]) -> Rounds {
        let share = |one: &Distinct<'_>| Share {
            weight: one.weight(),
            operations: one.first.search.flops,
            kind: one.first.search.subject.kind(),
        };
        let mut rounds = Rounds {
            shares: Shares::new(args.seed, all.iter().map(share).collect()),
            cut: VecDeque::new(),
            rounds: vec![0; all.len()],
            points: running.iter().map(|running| running.entries().len()).collect(),
            budget: args.budget,
        };
        for (which, running) in running.iter().enumerate() {
            let entries = running.entries();
            for end in (ROUND..=entries.len()).step_by(ROUND) {
                rounds.tell(which, &entries[..end], ROUND, false);
            }
            if !entries.len().is_multiple_of(ROUND) {
                rounds.cut.push_back(which);
            }
        }
        rounds
    }

    /// Until the budget is spent, or nothing has points left
    pub(super) fn run(&mut self, running: &mut [Running<'_>], progress: &Progress) -> Result<(), Diagnostic> {
        loop {
            let used: usize = self.points.iter().sum();
            let left = match self.budget {
                Budget::Points(points) => points.saturating_sub(used),
                Budget::Time(_) => usize::MAX,
            };
            let Some(which) = self.cut.pop_front().or_else(|| self.shares.next_round()).filter(|_| left > 0)
            else {
                return Ok(());
            };
            let before = self.points[which];
            let round = ROUND - before % ROUND;
            let is_over = running[which].until(before + round.min(left), progress)?;
            let entries = running[which].entries();
            self.points[which] = entries.len();
            if running[which].is_stopped() || (round > left && !is_over) {
                return Ok(());
            }
            self.tell(which, entries, entries.len().saturating_sub(1) % ROUND + 1, is_over);
        }
    }

    /// Rounds and points of each
    pub(super) fn points(&self) -> Vec<(usize, usize)> {
        self.rounds.iter().copied().zip(self.points.iter().copied()).collect()
    }

    /// A round has ended, with these points at the end of all
    fn tell(&mut self, which: usize, entries: &[Entry], last: usize, is_over: bool) {
        let best = entries.iter().filter_map(Entry::cost).fold(f64::INFINITY, f64::min);
        let round = entries.get(entries.len().saturating_sub(last)..).unwrap_or_default();
        self.shares.tell(which, best, round.iter().map(seconds).sum(), is_over);
        self.rounds[which] += 1;
    }
}

/// What a point has cost, by what its log says: so recorded results give the same rounds
fn seconds(entry: &Entry) -> f64 {
    entry.stages.map_or(0.0, |stages| stages.words().iter().map(|(_, seconds)| seconds).sum())
}
