//! Why a schedule was chosen, as text and JSON.

use crate::choice::{Candidate, Choice};
use serde_json::{Value, json};
use std::fmt;
use terrace_schedule_cost::grid::KernelEstimate;
use terrace_schedule_cost::{Estimate, Name};
use terrace_schedule_model::Schedule;

terrace_support::words! {
    /// How a choice is explained
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Explain {
        /// Not at all
        None = "none",
        /// Lines to read
        Text = "text",
        /// One object
        Json = "json",
    }
}

/// Candidates that the text lists
const LISTED: usize = 8;

/// The explanation of a function's choice, if one is wanted
pub fn explained(function: &str, choice: &Choice, how: Explain) -> Option<String> {
    match how {
        Explain::None => None,
        Explain::Text => Some(format!("{function}: {choice}")),
        Explain::Json => {
            let mut all = choice.to_json();
            all["function"] = function.into();
            Some(all.to_string())
        }
    }
}

/// Cycles by what takes them, most first
fn by_name(estimate: &Estimate) -> Vec<(Name, f64)> {
    let all = Name::ALL.iter().map(|name| (*name, estimate.of(*name)));
    let mut all: Vec<(Name, f64)> = all.filter(|(_, cycles)| *cycles > 0.0).collect();
    all.sort_by(|one, two| two.1.total_cmp(&one.1));
    all
}

fn steps(schedule: &Schedule) -> Vec<String> {
    schedule.steps.iter().map(ToString::to_string).collect()
}

impl Choice {
    /// `{"function", "candidates": [{"generator", "estimate", "kernel", "rank", "refused", "schedule"}], "misses": [{"generator", "requires"}]}`, the winner first
    pub fn to_json(&self) -> Value {
        let candidate = |candidate: &Candidate| {
            json!({
                "generator": candidate.proposal.generator,
                "estimate": candidate.estimate.as_ref().map(|estimate| estimate.to_json()),
                "kernel": candidate.kernel.as_ref().map(kernel_json),
                "rank": candidate.rank.is_finite().then_some(candidate.rank),
                "refused": candidate.refused,
                "schedule": steps(&candidate.proposal.schedule),
            })
        };
        let miss =
            |(generator, requires): &(&str, &str)| json!({ "generator": generator, "requires": requires });
        json!({
            "candidates": self.candidates.iter().map(candidate).collect::<Vec<_>>(),
            "misses": self.misses.iter().map(miss).collect::<Vec<_>>(),
        })
    }
}

/// A kernel's time, what limits it, and what a block needs
fn kernel_json(kernel: &KernelEstimate) -> Value {
    let term = |term: &terrace_schedule_cost::grid::Term| json!({ "name": term.name.word(), "us": term.seconds * 1e6, "binding": term.binding });
    json!({
        "us": kernel.seconds * 1e6,
        "blocks": kernel.blocks,
        "threads": kernel.threads,
        "registers": kernel.counts.registers,
        "shared": kernel.counts.shared_bytes,
        "terms": kernel.terms.iter().map(term).collect::<Vec<_>>(),
    })
}

/// The winner and its terms, then what came next, then who proposed nothing
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [winner, others @ ..] = &self.candidates[..] else {
            return f.write_str("no schedule was proposed");
        };
        write!(f, "schedule by `{}`, first of {}", winner.proposal.generator, self.candidates.len())?;
        for step in steps(&winner.proposal.schedule) {
            write!(f, "\n  {step}")?;
        }
        match (&winner.estimate, &winner.kernel) {
            (None, Some(kernel)) => {
                let terms = kernel.terms.iter().filter(|term| term.binding).map(|term| term.name.word());
                let terms: Vec<&str> = terms.collect();
                let micros = kernel.seconds * 1e6;
                write!(f, "\n  {micros:.1} us estimated, limited by {}", terms.join(", "))?;
                let (registers, shared) = (kernel.counts.registers, kernel.counts.shared_bytes);
                write!(f, "; {} blocks of {} threads", kernel.blocks, kernel.threads)?;
                write!(f, ", {registers} registers, {shared} bytes of shared memory")?;
            }
            (Some(estimate), _) => {
                write!(f, "\n  {:.0} cycles estimated:", estimate.total)?;
                for (n, (name, cycles)) in by_name(estimate).into_iter().enumerate() {
                    write!(f, "{} {name} {cycles:.0}", if n > 0 { "," } else { "" })?;
                }
            }
            (None, None) => f.write_str(
                "\nno estimate: the model knows nothing of such computations; the first generator counts",
            )?,
        }
        for other in others.iter().take(LISTED) {
            write!(f, "\nthen `{}`", other.proposal.generator)?;
            match (&other.refused, &other.estimate, &other.kernel) {
                (Some(why), ..) => write!(f, ", refused: {why}")?,
                (None, None, Some(kernel)) => {
                    let (micros, ratio) = (kernel.seconds * 1e6, other.rank / winner.rank);
                    write!(f, ", {micros:.1} us, {ratio:.2} of the first")?;
                }
                (None, Some(estimate), _) => write!(
                    f,
                    ", {:.0} cycles, {:.2} of the first by rank",
                    estimate.total,
                    other.rank / winner.rank
                )?,
                (None, None, None) => {}
            }
            for step in steps(&other.proposal.schedule) {
                write!(f, "\n  {step}")?;
            }
        }
        if others.len() > LISTED {
            write!(f, "\nand {} more", others.len() - LISTED)?;
        }
        for (generator, requires) in &self.misses {
            write!(f, "\n`{generator}` proposed nothing: it requires {requires}")?;
        }
        Ok(())
    }
}
