//! How many candidates what refuses, exactly (§5.3 of the paper: 5 % of those that satisfied its constraints passed later
//! checks); and how often a blind guess is right (§5.4: 1 in 49,000).
//!
//! Candidates satisfy the constraints of some tags. Rules are added one group after the other; what a group takes away is
//! what it refuses of those that the groups before have left, so that rows add up to all.

use crate::codes;
use crate::demand::{Rules, rules_of};
use crate::levels::Mapping;
use crate::mappings::Mappings;
use crate::problem::Problem;
use crate::rules::Tag;
use num_bigint::BigUint;
use terrace_search_solver::{Model, Random, Uncounted};

/// Groups of rules in the order in which they are asked: a name, rules of maps, rules of whole kernels by place
const GROUPS: &[(&str, &[&str], &[usize])] = &[
    ("levels that do not nest", &["NEST", "FUSED", "INLINED", "VEC"], &[]),
    ("race: memory that is not shared", &["MEM", "HOME", "RACE", "GRID"], &[]),
    ("threads or blocks", &["HW"], &[0, 1]),
    ("not synchronisable", &[], &[2]),
    ("memory", &["CAP"], &[3]),
];

/// Rows of refused candidates by group, then those that are left; they add up to the first number
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusals {
    /// Satisfy the constraints of the tags
    pub candidates: BigUint,
    /// Refused, by group
    pub refused: Vec<(&'static str, BigUint)>,
    /// Not refused
    pub valid: BigUint,
}

/// What the rules of `sched` refuse of the mappings that satisfy the constraints with some tags
pub fn refusals(problem: &Problem, tags: &[Tag]) -> Result<Refusals, Uncounted> {
    let (mut rules, mut whole): (Vec<&str>, Vec<usize>) = (Vec::new(), Vec::new());
    let all = Problem { options: problem.options.clone(), ..problem.clone() };
    let count = |rules: &[&str], whole: &[usize]| -> Result<BigUint, Uncounted> {
        let kept: Vec<usize> = (0..all.given.len())
            .filter(|n| {
                let given = &all.given[*n];
                tags.contains(&given.tag) || given.tag == Tag::Beyond && rules.contains(&given.rule)
            })
            .collect();
        let mut model: Model = all.model();
        model.constraints.clear();
        for n in kept {
            model
                .constraints
                .push(terrace_search_solver::Constraint { id: n, formula: all.given[n].formula.clone() });
        }
        let space = Mappings::new(&model)?;
        let asked = rules_of(whole.iter().copied());
        Ok(if asked == Rules::NONE {
            space.count().clone()
        } else {
            all.fitting(&space, asked)?.count().clone()
        })
    };
    let candidates = count(&rules, &whole)?;
    let mut left = candidates.clone();
    let mut refused = Vec::new();
    for (name, more, places) in GROUPS {
        rules.extend(*more);
        whole.extend(*places);
        let next = count(&rules, &whole)?;
        refused.push((*name, &left - &next));
        left = next;
    }
    Ok(Refusals { candidates, refused, valid: left })
}

/// A mapping by blind guesses, each level as likely as the others, until one is valid; and how many guesses it took
pub fn guess(problem: &Problem, random: &mut Random, most: u64) -> (Option<Mapping>, u64) {
    let model = problem.model();
    let domains: Vec<Mapping> =
        (0..problem.tree.loops.len()).map(|n| problem.domain(n).iter().collect()).collect();
    for tries in 1..=most {
        let values: Mapping =
            domains.iter().map(|domain| domain[random.below(domain.len() as u64) as usize]).collect();
        let numbers = codes::numbers(&values);
        if model.constraints.iter().all(|each| each.formula.holds(&numbers))
            && problem.broken(&values).is_empty()
        {
            return (Some(values), tries);
        }
    }
    (None, most)
}

/// How many mappings there are, right or wrong
pub fn all_mappings(problem: &Problem) -> BigUint {
    (0..problem.tree.loops.len()).map(|n| BigUint::from(problem.domain(n).len())).product()
}
