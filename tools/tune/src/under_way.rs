//! Proposals under way: what has been measured of each, and what is to be measured next.

use crate::measure::{Bench, Measured};
use crate::recorded::Recorded;
use crate::subject::{Chosen, Made, Subject};
use crate::tried::Tried;
use terrace_diag::Diagnostic;
use terrace_search_explore::Proposal;
use terrace_search_explore::log::{Outcome, Stages};

/// Part of the best time below which a point is measured again: the least of many times is too good by chance
const SURPRISE: f64 = 0.95;

/// Points after which the chosen schedule is measured again: the machine is not the same at all times
const ANCHOR: u64 = 20;

/// What it takes to measure
#[derive(Clone, Copy)]
pub(crate) struct Measuring<'a> {
    pub subject: &'a dyn Subject,
    pub bench: &'a Bench,
    /// What one would take without measuring
    pub chosen: Option<&'a Chosen>,
    /// Results that are taken in place of measuring
    pub recorded: Option<&'a Recorded>,
}

/// What of a proposal is measured
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Candidate,
    /// The candidate once more
    Again,
    Anchor,
}

/// A proposal under way
pub(crate) struct UnderWay {
    pub proposal: Proposal,
    pub estimate: Option<f64>,
    pub tried: Tried,
    text: String,
    /// What is measured now, with the trial's number; `None` at the end
    open: Option<(Part, u64)>,
}

impl UnderWay {
    /// One that needs no measuring
    pub(crate) fn known(proposal: Proposal, estimate: Option<f64>, tried: Tried) -> UnderWay {
        UnderWay { proposal, estimate, tried, text: String::new(), open: None }
    }

    /// Make the candidate and have it measured
    pub(crate) fn begin(
        search: Measuring<'_>,
        proposal: Proposal,
        estimate: Option<f64>,
    ) -> Result<UnderWay, Diagnostic> {
        if let Some(recorded) = &search.recorded {
            let tried = recorded.tried(&proposal.point);
            return Ok(UnderWay::known(proposal, estimate, tried));
        }
        let made = search.subject.make(&proposal.point);
        let (rewriting, solving) = search.subject.take_spent();
        let stages = Stages { rewriting, solving, ..Stages::default() };
        let lost = Outcome::Failed { kind: String::new(), reason: String::new() };
        match made {
            Ok(Made { text, bytes }) => {
                let number = search.bench.submit(&text, proposal.stop)?;
                let tried = Tried { bytes, ..Tried::failed(lost, stages) };
                Ok(UnderWay { proposal, estimate, tried, text, open: Some((Part::Candidate, number)) })
            }
            Err(error) => {
                let outcome = Outcome::Failed { kind: "refused".into(), reason: error.message };
                let mut this = UnderWay::known(proposal, estimate, Tried::failed(outcome, stages));
                this.anchor(search)?;
                Ok(this)
            }
        }
    }

    /// Is everything known?
    pub(crate) fn is_done(&self) -> bool {
        self.open.is_none()
    }

    /// Is this trial one of its own?
    pub(crate) fn waits_for(&self, trial: u64) -> bool {
        self.open.is_some_and(|(_, own)| own == trial)
    }

    /// What became of the trial that it waits for; the next one begins where there is one
    pub(crate) fn hear(&mut self, search: Measuring<'_>, measured: Measured) -> Result<(), Diagnostic> {
        let Some((part, _)) = self.open.take() else { return Ok(()) };
        let Measured { outcome, times, spent, .. } = measured;
        match part {
            Part::Candidate => {
                let stages = &mut self.tried.stages;
                (stages.lowering, stages.compiling, stages.running) =
                    (spent.lowering, spent.rest, spent.running);
                (self.tried.outcome, self.tried.times) = (outcome, times);
                // The best that the point follows from: not what happens to be known by now.
                let surprise = self.proposal.best.is_some_and(|best| {
                    matches!(self.tried.outcome, Outcome::Ran { seconds } if seconds < best * SURPRISE)
                });
                match surprise {
                    true => self.open = Some((Part::Again, search.bench.submit(&self.text, None)?)),
                    false => self.anchor(search)?,
                }
            }
            Part::Again => {
                self.tried.again = times;
                // What fails the second time is no better for the first.
                self.tried.outcome = match (&self.tried.outcome, outcome) {
                    (Outcome::Ran { seconds }, Outcome::Ran { seconds: other }) => {
                        Outcome::Ran { seconds: seconds.max(other) }
                    }
                    (_, second) => second,
                };
                self.anchor(search)?;
            }
            Part::Anchor => self.tried.anchor = times,
        }
        Ok(())
    }

    /// The schedule chosen without measuring once more, where it is time for that
    fn anchor(&mut self, search: Measuring<'_>) -> Result<(), Diagnostic> {
        if let Some(chosen) = search.chosen
            && self.proposal.number.is_multiple_of(ANCHOR)
        {
            self.open = Some((Part::Anchor, search.bench.submit(&chosen.text, None)?));
        }
        Ok(())
    }
}
