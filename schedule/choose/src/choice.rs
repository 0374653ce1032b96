//! The choice among proposals: by estimate, then by rules.
//!
//! The model ranks what generators propose; what it takes for equal is decided by fewer buffers, then by the order of the generators.
//! The first that breaks no rule wins. The same computation and device have the same choice, however long it takes.

use crate::access::Accesses;
use crate::generator::{Generator, Proposal, Proposals};
use crate::loops::rolled;
use terrace_devices::Device;
use terrace_schedule_cost::{Computed, Estimate};
use terrace_schedule_model::Schedule;
use terrace_schedule_model::apply::{Extras, apply_with};
use terrace_schedule_rules::{Cx, Limits, first_broken};

/// By how much estimates must differ to be different
const EQUAL: f64 = 1.02;

/// A proposal with what is known of it
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Who proposed it, and the schedule
    pub proposal: Proposal,
    /// Its time; none where the model knows nothing of such computations
    pub estimate: Option<Estimate>,
    /// The rule that it breaks, if it was looked at
    pub refused: Option<String>,
}

impl Candidate {
    fn of(proposal: Proposal, a: &Accesses, computed: Option<&Computed>, device: &Device) -> Candidate {
        let extras = Extras { rolled: rolled(a, &proposal.schedule), ..Extras::default() };
        let estimated = computed.map(|computed| computed.estimate(&proposal.schedule, &extras, device));
        let (estimate, refused) = match estimated {
            Some(Ok(estimate)) => (estimate, None),
            Some(Err(broken)) => (None, Some(broken.to_string())),
            None => (None, None),
        };
        Candidate { proposal, estimate, refused }
    }

    fn total(&self) -> f64 {
        self.estimate.as_ref().map_or(f64::INFINITY, |estimate| estimate.total)
    }

    /// Copies and buffers of results
    fn buffers(&self) -> usize {
        let steps = &self.proposal.schedule.steps;
        steps.iter().flat_map(|step| step.ins.iter().chain(&step.outs)).flatten().count()
    }

    /// The first rule that its loops break
    fn check(&mut self, a: &Accesses, computed: &Computed, device: &Device) -> bool {
        let extras = Extras { rolled: rolled(a, &self.proposal.schedule), ..Extras::default() };
        let applied =
            apply_with(&computed.computation, &computed.contributions, &self.proposal.schedule, &extras);
        self.refused = match applied {
            Err(broken) => Some(broken.to_string()),
            Ok((nest, _)) => {
                let mut cx = Cx::new(&nest);
                if let Some(limits) = Limits::of(device) {
                    cx = cx.within(limits);
                }
                first_broken(&cx).map(|(rule, why)| format!("{}: {}", rule.name, why.text))
            }
        };
        self.refused.is_none()
    }
}

/// All that was considered, best first
#[derive(Clone, Debug)]
pub struct Choice {
    /// What was proposed: the winner first
    pub candidates: Vec<Candidate>,
    /// Name of each generator that proposed nothing, and what it requires
    pub misses: Vec<(&'static str, &'static str)>,
}

impl Choice {
    /// Choose among what generators propose. Without an estimate, the first
    pub fn among(
        generators: &[&'static dyn Generator],
        a: &Accesses,
        computed: Option<&Computed>,
        device: &Device,
    ) -> Choice {
        let (proposals, silent) = Proposals::of(generators, a, device);
        let of = |proposal| Candidate::of(proposal, a, computed, device);
        let mut candidates: Vec<Candidate> = proposals.into_iter().map(of).collect();
        if let Some(computed) = computed {
            rank(&mut candidates);
            let sound = (0..candidates.len())
                .find(|n| candidates[*n].refused.is_none() && candidates[*n].check(a, computed, device));
            if let Some(sound) = sound {
                let winner = candidates.remove(sound);
                candidates.insert(0, winner);
            }
        }
        let misses = silent.iter().map(|generator| (generator.name(), generator.requires())).collect();
        Choice { candidates, misses }
    }

    /// The schedule
    pub fn schedule(self) -> Option<Schedule> {
        self.candidates.into_iter().next().map(|winner| winner.proposal.schedule)
    }
}

/// Best first; of those that are nearly as fast as the best, the simplest
fn rank(candidates: &mut [Candidate]) {
    // Sorting keeps the order of what is equal: that of the generators.
    candidates.sort_by(|one, two| {
        let refused = |candidate: &Candidate| candidate.refused.is_some();
        refused(one).cmp(&refused(two)).then(one.total().total_cmp(&two.total()))
    });
    let Some(least) = candidates.first().map(Candidate::total) else { return };
    let near = candidates.partition_point(|candidate| candidate.total() <= least * EQUAL);
    candidates[..near].sort_by_key(Candidate::buffers);
}
