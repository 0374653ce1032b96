//! The choice among proposals: by estimate, then by rules.
//!
//! The model ranks what generators propose: on processors for all cores and for one of them, since programs run on either; on grids by
//! the time of the kernel. What it cannot
//! tell apart is decided by what generators propose first. The first that breaks no rule wins. The same computation and device have the
//! same choice, however long it takes.

use crate::access::Accesses;
use crate::generator::{Generator, Proposal, Proposals};
use crate::loops::rolled;
use terrace_devices::{Device, DeviceKind};
use terrace_schedule_cost::grid::KernelEstimate;
use terrace_schedule_cost::{Bodies, Computed, Estimate, estimate_on};
use terrace_schedule_model::apply::Extras;
use terrace_schedule_model::nest::Nest;
use terrace_schedule_model::{Broken, Schedule};
use terrace_schedule_rules::{Cx, Limits, first_broken};

/// By how much the estimates of different structures must differ for the model to tell them apart
pub const STRUCTURES: f64 = 1.15;

/// By how much those of sizes must, which a generator has compared by itself
pub const SIZES: f64 = 1.35;

/// A proposal with what is known of it
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Who proposed it, and the schedule
    pub proposal: Proposal,
    /// Its time on all cores; none where the model knows nothing of such computations
    pub estimate: Option<Estimate>,
    /// Its time as a kernel of a grid
    pub kernel: Option<KernelEstimate>,
    /// What it is ranked by: the geometric mean of its cycles on all cores and on one, or the microseconds of a kernel; infinite without an
    /// estimate
    pub rank: f64,
    /// Has its nest a form that the model knows?
    pub is_known: bool,
    /// The rule that it breaks and why, where it was checked
    pub refused: Option<String>,
}

impl Candidate {
    fn of(proposal: Proposal, a: &Accesses, computed: Option<&Computed>, device: &Device) -> Candidate {
        let mut candidate = Candidate {
            proposal,
            estimate: None,
            kernel: None,
            rank: f64::INFINITY,
            is_known: true,
            refused: None,
        };
        if let (DeviceKind::Grid, Some(computed)) = (device.kind, computed) {
            candidate.as_kernel(computed, device);
            return candidate;
        }
        match computed.map(|computed| candidate.apply(a, computed)) {
            None | Some(Ok(None)) => {}
            Some(Ok(Some(applied))) => {
                if let Some([all, one]) = estimate_on([&applied], device, [device.units, 1]) {
                    candidate.rank = (all.total * one.total).sqrt();
                    candidate.estimate = Some(all);
                }
            }
            // A form that the nest does not have yet is no reason against a schedule.
            Some(Err(broken)) if broken.rule.is_none() => candidate.is_known = false,
            Some(Err(broken)) => candidate.refused = Some(broken.to_string()),
        }
        candidate
    }

    /// On a grid, what the model has no estimate of is not compared
    fn as_kernel(&mut self, computed: &Computed, device: &Device) {
        match computed.on_grid(&self.proposal.schedule, &Extras::default(), device) {
            Ok(Some(kernel)) => {
                self.rank = kernel.seconds * 1e6;
                self.kernel = Some(kernel);
            }
            Ok(None) => self.is_known = false,
            Err(broken) if broken.rule.is_none() => self.is_known = false,
            Err(broken) => self.refused = Some(broken.to_string()),
        }
    }

    fn apply(&self, a: &Accesses, computed: &Computed) -> Result<Option<(Nest, Bodies)>, Broken> {
        let schedule = &self.proposal.schedule;
        computed.apply(schedule, &Extras { rolled: rolled(a, schedule), ..Extras::default() })
    }

    /// Does it break no rule? The first that it breaks is noted
    fn check(&mut self, a: &Accesses, computed: &Computed, device: &Device) -> bool {
        self.refused = match self.apply(a, computed) {
            Err(broken) => broken.rule.is_some().then(|| broken.to_string()),
            Ok(None) => None,
            Ok(Some((nest, _))) => {
                let of_host = Limits { updates: device.atomics.updates(), ..Limits::ANY };
                let cx = Cx::new(&nest).within(Limits::of(device).unwrap_or(of_host));
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
        rank(&mut candidates);
        if let Some(computed) = computed {
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

    /// What the winner is ranked by; infinite without an estimate
    pub fn rank(&self) -> f64 {
        self.candidates.first().map_or(f64::INFINITY, |winner| winner.rank)
    }

    /// Do several blocks of the winner update its results?
    pub fn updates(&self) -> bool {
        let winner = self.candidates.first().and_then(|winner| winner.kernel.as_ref());
        winner.is_some_and(|kernel| kernel.counts.updates > 0.0)
    }

    /// The schedule
    pub fn schedule(&self) -> Option<Schedule> {
        self.candidates.first().map(|winner| winner.proposal.schedule.clone())
    }
}

/// Sort by preference: bases that the model cannot tell from the best first, then by rank. Proposals stay as they are where the model does
/// not know all of them
fn rank(candidates: &mut Vec<Candidate>) {
    candidates.sort_by_key(|candidate| candidate.refused.is_some());
    if candidates.iter().any(|candidate| !candidate.is_known) {
        return;
    }
    let least = |candidates: &[Candidate], test: &dyn Fn(&Candidate) -> bool| {
        candidates.iter().filter(|one| test(one)).map(|one| one.rank).fold(f64::INFINITY, f64::min)
    };
    let (of_all, of_bases) = (least(candidates, &|_| true), least(candidates, &|one| one.proposal.base));
    let stands = |one: &Candidate| {
        one.proposal.base && one.rank <= of_bases * STRUCTURES && one.rank <= of_all * SIZES
    };
    let winner = candidates.iter().position(stands).map(|first| candidates.remove(first));
    // Sorting keeps the order of what is equal: that of the proposals.
    candidates.sort_by(|one, two| {
        let refused = |candidate: &Candidate| candidate.refused.is_some();
        refused(one).cmp(&refused(two)).then(one.rank.total_cmp(&two.rank))
    });
    candidates.splice(0..0, winner);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(generator: &'static str, base: bool, rank: f64) -> Candidate {
        let schedule = Schedule { steps: Vec::new() };
        let proposal = Proposal { generator, base, schedule };
        Candidate { proposal, estimate: None, kernel: None, rank, is_known: true, refused: None }
    }

    fn order(mut candidates: Vec<Candidate>) -> Vec<&'static str> {
        rank(&mut candidates);
        candidates.iter().map(|candidate| candidate.proposal.generator).collect()
    }

    #[test]
    fn the_first_base_stays_where_the_model_sees_no_difference() {
        let found = order(vec![candidate("a", true, 114.0), candidate("b", true, 100.0)]);
        assert_eq!(found, ["a", "b"]);
        let found = order(vec![candidate("a", true, 116.0), candidate("b", true, 100.0)]);
        assert_eq!(found, ["b", "a"]);
    }

    #[test]
    fn other_sizes_must_be_a_third_faster() {
        let found = order(vec![candidate("base", true, 134.0), candidate("sizes", false, 100.0)]);
        assert_eq!(found, ["base", "sizes"]);
        let found = order(vec![candidate("base", true, 136.0), candidate("sizes", false, 100.0)]);
        assert_eq!(found, ["sizes", "base"]);
    }

    #[test]
    fn what_breaks_a_rule_comes_last() {
        let broken = Candidate { refused: Some("RACE".into()), ..candidate("broken", true, f64::INFINITY) };
        let found = order(vec![broken, candidate("a", true, 2.0), candidate("b", false, 1.9)]);
        assert_eq!(found, ["a", "b", "broken"]);
    }

    #[test]
    fn what_the_model_does_not_know_is_not_put_behind() {
        let unknown = Candidate { is_known: false, ..candidate("unknown", true, f64::INFINITY) };
        assert_eq!(order(vec![unknown, candidate("a", true, 2.0)]), ["unknown", "a"]);
    }

    #[test]
    fn without_estimates_the_first_is_taken() {
        let unknown = |name| candidate(name, true, f64::INFINITY);
        assert_eq!(order(vec![unknown("a"), unknown("b"), unknown("c")]), ["a", "b", "c"]);
    }
}
