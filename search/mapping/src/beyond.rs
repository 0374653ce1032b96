//! Constraints from the rules that the verifier of `sched` holds schedules to, asked for every choice of levels.
//!
//! One definition for both: a rule's claims are formulas over levels. The verifier evaluates them with the levels that the
//! loops have; here each is a table over the variables of the loops it speaks of. A claim that holds whatever the levels is
//! no constraint; one that is false whatever they are is left to the verifier, since no mapping can help.

use crate::codes;
use crate::rules::{Given, Tag};
use terrace_dialect_sched::Level;
use terrace_dialect_sched::check::{self, Claim, Nest, Rule};
use terrace_ir::{OpId, VerifyCx};
use terrace_search_solver::{Formula, Var};

/// Rules whose claims speak of levels
const RULES: &[&str] = &["NEST", "MEM"];

/// Most loops that one claim's table may speak of
const MOST_LOOPS: usize = 3;

/// Constraints of a nest whose loops belong to variables, with the values that each may take
///
/// `fused` counts as the level of the loop around, which for these rules is the same as no parallel loop of its own.
pub fn of_nest(
    v: &VerifyCx<'_>,
    top: OpId,
    strict_local: bool,
    variable: &dyn Fn(OpId) -> Option<usize>,
    domain: &dyn Fn(usize) -> Vec<i64>,
) -> Vec<Given> {
    let nest = Nest::new(v, top);
    let strict = strict_local.then_some(&check::STRICTLY_HOME);
    let rules = check::RULES.iter().filter(|rule| RULES.contains(&rule.name));
    let mut out: Vec<Given> = Vec::new();
    for rule in strict.into_iter().chain(rules) {
        let mut claims = Vec::new();
        (rule.claims)(&nest, &mut claims);
        for claim in claims {
            if let Some(given) = constraint(&nest, rule, &claim, variable, domain)
                && !out.iter().any(|other| other.rule == given.rule && other.formula == given.formula)
            {
                out.push(given);
            }
        }
    }
    out
}

fn constraint(
    nest: &Nest<'_>,
    rule: &'static Rule,
    claim: &Claim,
    variable: &dyn Fn(OpId) -> Option<usize>,
    domain: &dyn Fn(usize) -> Vec<i64>,
) -> Option<Given> {
    let speaks = claim.formula.loops();
    let vars: Vec<(usize, usize)> =
        speaks.iter().filter_map(|id| Some((*id, variable(nest.info(*id).op.id())?))).collect();
    if vars.is_empty() || vars.len() > MOST_LOOPS {
        return None;
    }
    // Every combination of values, the last variable the fastest.
    let domains: Vec<Vec<i64>> = vars.iter().map(|(_, var)| domain(*var)).collect();
    let mut bad: Vec<Vec<i64>> = Vec::new();
    let total: usize = domains.iter().map(Vec::len).product();
    for mut n in 0..total {
        let mut values = vec![0; vars.len()];
        for (value, domain) in values.iter_mut().zip(&domains).rev() {
            *value = domain[n % domain.len()];
            n /= domain.len();
        }
        let level = |id: usize| {
            let place = vars.iter().position(|(own, _)| *own == id);
            Some(place.map_or(nest.info(id).level, |place| codes::level(values[place]).unwrap_or(Level::Seq)))
        };
        if nest.eval_at(&claim.formula, &level) == Some(false) {
            bad.push(values);
        }
    }
    if bad.is_empty() || bad.len() == total {
        return None;
    }
    let var = |place: usize| Var(vars[place].1 as u32);
    let formula = match vars.len() {
        // One: the values that are left.
        1 => Formula::is_in(var(0), domains[0].iter().copied().filter(|value| !bad.contains(&vec![*value]))),
        // Several: no bad combination; those that differ in the last one only are one.
        last => Formula::and(group(&bad).into_iter().map(|(first, lasts)| {
            let fixed = first.iter().enumerate().map(|(place, value)| Formula::is_in(var(place), [*value]));
            Formula::and(fixed.chain([Formula::is_in(var(last - 1), lasts)])).not()
        })),
    };
    let about = vars.iter().map(|(_, var)| *var).collect();
    let reason = match rule.name {
        "NEST" => {
            "levels nest from wide to narrow, equal ones need other axes, global spreads over both".into()
        }
        "MEM" => {
            let what = claim.others.last().and_then(|(op, _)| buffer_name(nest, *op));
            format!("iterations at this level do not share {}", what.unwrap_or("the memory"))
        }
        _ => claim.reason.clone(),
    };
    Some(Given { rule: rule.name, kind: rule.name, tag: Tag::Beyond, formula, about, reason })
}

fn buffer_name(nest: &Nest<'_>, op: OpId) -> Option<&'static str> {
    nest.buffers.iter().find(|buffer| buffer.op == op).map(|buffer| buffer.space.name())
}

fn group(bad: &[Vec<i64>]) -> Vec<(Vec<i64>, Vec<i64>)> {
    let mut out: Vec<(Vec<i64>, Vec<i64>)> = Vec::new();
    for values in bad {
        let Some((last, first)) = values.split_last() else { continue };
        match out.iter_mut().find(|(own, _)| own == first) {
            Some((_, lasts)) => lasts.push(*last),
            None => out.push((first.to_vec(), vec![*last])),
        }
    }
    out
}
