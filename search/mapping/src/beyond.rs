//! Constraints from the rules that the verifier of `sched` holds schedules to, asked for every choice of levels.
//!
//! One definition for both: a rule's claims are formulas over levels. The verifier evaluates them with the levels that the
//! loops have; here loops with a variable stand for all their values. A claim that holds whatever the levels is no constraint.

use crate::codes;
use crate::rules::{Given, Tag};
use terrace_dialect_sched::check::joins::Who;
use terrace_dialect_sched::check::nest::LoopId;
use terrace_dialect_sched::check::{self, Claim, Nest, Rule, Term};
use terrace_dialect_sched::{Axis, Level};
use terrace_ir::{OpId, VerifyCx};
use terrace_search_solver::{Formula, Var};

/// Names of the rules beyond the paper's that are about maps; those of whole kernels are in [`crate::explain::WHOLE`]
pub const NAMES: &[&str] = &["NEST", "MEM", "HOME", "RACE", "VEC", "FUSED", "INLINED"];

/// Rules whose claims speak of levels
const RULES: &[&str] = &["NEST", "MEM"];

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
    let mut nest = Nest::new(v, top);
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
    out.extend(exchanges(&nest, variable, domain));
    out.extend(branches(&nest, variable, domain));
    for id in 0..nest.loops.len() {
        let Some(var) = variable(nest.info(id).op.id()) else { continue };
        if let Some((wrong, reason)) = races(&mut nest, id, &domain(var)) {
            // Fused with the map directly around only.
            let parent = |n: usize| {
                let fused = domain(n).contains(&codes::FUSED);
                let of = |id: usize| variable(nest.info(id).op.id());
                let own = (0..nest.loops.len()).find(|id| of(*id) == Some(n))?;
                nest.outside(own).find_map(of).filter(|_| fused)
            };
            let formula = fused_races(var, &wrong, &parent);
            out.push(Given {
                rule: "RACE",
                kind: "RACE",
                tag: Tag::Beyond,
                formula,
                about: vec![var],
                reason,
            });
        }
        if domain(var).contains(&codes::VECTOR)
            && let Some(why) = no_lanes(&mut nest, id)
        {
            let formula = Formula::is_in(Var(var as u32), [codes::VECTOR]).not();
            out.push(Given {
                rule: "VEC",
                kind: "VEC",
                tag: Tag::Beyond,
                formula,
                about: vec![var],
                reason: why,
            });
        }
        if domain(var).contains(&codes::VECTOR) {
            let open = |id: LoopId| variable(nest.info(id).op.id());
            for (_, inner) in fusable(&nest, id, &open, domain) {
                let level = |n: usize, value| Formula::is_in(Var(n as u32), [value]);
                out.push(Given {
                    rule: "VEC",
                    kind: "VEC",
                    tag: Tag::Beyond,
                    formula: Formula::and([level(var, codes::VECTOR), level(inner, codes::FUSED)]).not(),
                    about: vec![var, inner],
                    reason: "lanes are those of one map, not of several that are one loop".into(),
                });
            }
        }
    }
    out
}

/// Maps of which one uses what another writes into memory that blocks share: they run in one kernel, whose blocks do not wait
///
/// Where each block uses what it wrote itself, that would do; it is not looked into.
fn exchanges(
    nest: &Nest<'_>,
    variable: &dyn Fn(OpId) -> Option<usize>,
    domain: &dyn Fn(usize) -> Vec<i64>,
) -> Vec<Given> {
    let over = |value: &i64| matches!(value / 10, 2 | 3);
    let open = |id: LoopId| variable(nest.info(id).op.id());
    let of_map = |id: LoopId| open(id).filter(|_| several(nest, id, &open, domain) != Formula::Known(false));
    let may_be_blocks = |id: LoopId| of_map(id).is_some_and(|n| domain(n).iter().any(over));
    let mut maps: Vec<usize> = Vec::new();
    for join in nest.exchanges(&may_be_blocks) {
        if nest.accesses[join.first].inside == nest.accesses[join.second].inside {
            // From round to round: blocks of one loop do the same ones again.
            let all = nest.inside_of(&join, &nest.accesses[join.first]);
            for (at, id) in all.iter().copied().enumerate().filter(|(_, id)| may_be_blocks(*id)) {
                let one = |id: LoopId| Who::Loops { loops: vec![id], by: 0 };
                let run = all[at..].iter().copied().enumerate().take_while(|(n, id)| {
                    *n == 0 || of_map(*id).is_some_and(|n| domain(n).contains(&codes::FUSED))
                });
                let mut run = run.map(|(_, id)| id).filter(|id| nest.info(*id).trip() > 1);
                if run.any(|id| nest.meets_apart(&join, &one(id), &one(id))) {
                    maps.extend(of_map(id));
                }
            }
            continue;
        }
        let own = [join.first, join.second].map(|n| nest.inside_of(&join, &nest.accesses[n]));
        let own: Vec<usize> =
            own.iter().flatten().copied().filter(|id| may_be_blocks(*id)).filter_map(of_map).collect();
        if own.iter().any(|n| !maps.contains(n)) && nest.meets_apart(&join, &Who::Any, &Who::Any) {
            maps.extend(own);
        }
    }
    maps.sort_unstable();
    maps.dedup();
    let given = maps.into_iter().map(|n| Given {
        rule: "GRID",
        kind: "GRID",
        tag: Tag::Beyond,
        formula: Formula::is_in(Var(n as u32), domain(n).into_iter().filter(|value| !over(value))),
        about: vec![n],
        reason: "what one map writes to device memory another reads in the same kernel, whose blocks cannot wait for each other".into(),
    });
    given.collect()
}

/// Maps in a branch that exchange something: where some threads do not come, as in padding, nobody may wait
fn branches(
    nest: &Nest<'_>,
    variable: &dyn Fn(OpId) -> Option<usize>,
    domain: &dyn Fn(usize) -> Vec<i64>,
) -> Vec<Given> {
    let spread = |value: &i64| matches!(value / 10, 1 | 3);
    let mut maps: Vec<usize> = Vec::new();
    for join in nest.joins_in_branches() {
        let both = [join.first, join.second].map(|access| &nest.accesses[access]);
        let around = both.into_iter().flat_map(|access| nest.around(access.inside));
        let inside = around.filter(|id| nest.is_in_branch(&join, nest.info(*id).op.id()));
        maps.extend(inside.filter_map(|id| variable(nest.info(id).op.id())));
    }
    maps.sort_unstable();
    maps.dedup();
    let given = maps.into_iter().filter(|n| domain(*n).iter().any(spread)).map(|n| Given {
        rule: "SYNC",
        kind: "SYNC",
        tag: Tag::Beyond,
        formula: Formula::is_in(Var(n as u32), domain(n).into_iter().filter(|value| !spread(value))),
        about: vec![n],
        reason: "it runs only where a condition holds, as inside of padding, and what its threads give to each other they would have to wait for there".into(),
    });
    given.collect()
}

/// Which levels a loop's iterations would disturb each other at, and how: RACE does not hang on the levels of others
fn races(nest: &mut Nest<'_>, id: usize, values: &[i64]) -> Option<(Vec<i64>, String)> {
    let own = nest.info(id).level;
    let (mut wrong, mut reason) = (Vec::new(), None);
    for value in values {
        let Some(level) = codes::level(*value).filter(|level| level.is_parallel()) else { continue };
        nest.loops[id].info.level = level;
        let mut claims = Vec::new();
        check::race::of_loop(nest, id, &mut claims);
        if let Some(claim) = claims.into_iter().find(|claim| nest.eval(&claim.formula) == Some(false)) {
            wrong.push(*value);
            reason = Some(claim.reason.replace(&format!(" at level '{level}'"), ""));
        }
    }
    nest.loops[id].info.level = own;
    Some((wrong, reason?))
}

/// Nor may a loop that is one with such a one around
fn fused_races(var: usize, wrong: &[i64], parent: &dyn Fn(usize) -> Option<usize>) -> Formula {
    let mut clauses = vec![Formula::is_in(Var(var as u32), wrong.iter().copied()).not()];
    let (mut run, mut at) = (vec![Formula::is_in(Var(var as u32), [codes::FUSED])], var);
    while let Some(outer) = parent(at) {
        let level = Formula::is_in(Var(outer as u32), wrong.iter().copied());
        clauses.push(Formula::and(run.iter().cloned().chain([level])).not());
        run.push(Formula::is_in(Var(outer as u32), [codes::FUSED]));
        at = outer;
    }
    Formula::and(clauses)
}

/// Why a loop cannot run on lanes, whatever the levels of the others
fn no_lanes(nest: &mut Nest<'_>, id: usize) -> Option<String> {
    let own = std::mem::replace(&mut nest.loops[id].info.level, Level::Vector);
    let mut claims = Vec::new();
    if let Some(rule) = check::RULES.iter().find(|rule| rule.name == "VEC") {
        (rule.claims)(nest, &mut claims);
    }
    nest.loops[id].info.level = own;
    let wrong = claims.into_iter().find(|claim| nest.eval_at(&claim.formula, &|_| None) == Some(false));
    wrong.map(|claim| claim.reason)
}

fn constraint(
    nest: &Nest<'_>,
    rule: &'static Rule,
    claim: &Claim,
    variable: &dyn Fn(OpId) -> Option<usize>,
    domain: &dyn Fn(usize) -> Vec<i64>,
) -> Option<Given> {
    let open = |id: LoopId| variable(nest.info(id).op.id());
    let formula = translate(nest, &claim.formula, &open, domain);
    let vars = formula.scope();
    let formula = match vars[..] {
        [] => match formula.eval(&|_| None) {
            Some(false) if !claim.formula.loops().is_empty() => Formula::Known(false),
            _ => return None,
        },
        [var] => {
            let all = domain(var.index());
            let total = all.len();
            let good: Vec<i64> =
                all.into_iter().filter(|value| formula.eval(&|_| Some(*value)) != Some(false)).collect();
            if good.len() == total {
                return None;
            }
            Formula::is_in(var, good)
        }
        [first, last] => table(&formula, (first, &domain(first.index())), (last, &domain(last.index())))?,
        _ => formula,
    };
    let vars: Vec<usize> = claim.formula.loops().into_iter().filter_map(open).collect();
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
    Some(Given { rule: rule.name, kind: rule.name, tag: Tag::Beyond, formula, about: vars, reason })
}

fn buffer_name(nest: &Nest<'_>, op: OpId) -> Option<&'static str> {
    nest.buffers.iter().find(|buffer| buffer.op == op).map(|buffer| buffer.space.name())
}

/// No bad pair: for each set of second values, the first ones that exclude it; `None` if there is none
fn table(formula: &Formula, first: (Var, &[i64]), last: (Var, &[i64])) -> Option<Formula> {
    let mut bad: Vec<(Vec<i64>, Vec<i64>)> = Vec::new();
    for a in first.1 {
        let at = |b: i64| move |var: Var| Some(if var == first.0 { *a } else { b });
        let wrong: Vec<i64> =
            last.1.iter().copied().filter(|b| formula.eval(&at(*b)) == Some(false)).collect();
        if wrong.is_empty() {
            continue;
        }
        match bad.iter_mut().find(|(_, other)| *other == wrong) {
            Some((firsts, _)) => firsts.push(*a),
            None => bad.push((vec![*a], wrong)),
        }
    }
    let pair = |(a, b): (Vec<i64>, Vec<i64>)| {
        Formula::and([Formula::is_in(first.0, a), Formula::is_in(last.0, b)]).not()
    };
    (!bad.is_empty()).then(|| Formula::and(bad.into_iter().map(pair)))
}

/// A claim with variables in place of the levels of loops that have one
fn translate(
    nest: &Nest<'_>,
    claim: &check::Formula,
    open: &dyn Fn(LoopId) -> Option<usize>,
    domain: &dyn Fn(usize) -> Vec<i64>,
) -> Formula {
    let list = |all: &[check::Formula]| {
        all.iter().map(|each| translate(nest, each, open, domain)).collect::<Vec<_>>()
    };
    // Values of a loop for which something holds of the level.
    let having = |id: LoopId, holds: &dyn Fn(Level) -> bool| match open(id) {
        None => Formula::Known(holds(nest.info(id).level)),
        Some(var) => {
            let values = domain(var).into_iter();
            let values: Vec<i64> =
                values.filter(|value| holds(codes::level(*value).unwrap_or(Level::Seq))).collect();
            match values.len() == domain(var).len() {
                true => Formula::Known(true),
                false => Formula::is_in(Var(var as u32), values),
            }
        }
    };
    match claim {
        check::Formula::And(all) => Formula::and(list(all)),
        check::Formula::Or(all) => Formula::or(list(all)),
        check::Formula::Not(inner) => translate(nest, inner, open, domain).not(),
        check::Formula::Level(id, levels) => having(*id, &|level| levels.contains(level)),
        check::Formula::SameAxis(a, b) => Formula::or(
            Axis::ALL
                .map(|axis| Formula::and([*a, *b].map(|id| having(id, &|level| level.axis() == Some(axis))))),
        ),
        check::Formula::Less(Term::Rank(a), Term::Rank(b)) => ranks(&having, *a, *b, &|a, b| a < b),
        check::Formula::Equal(Term::Rank(a), Term::Rank(b)) => ranks(&having, *a, *b, &|a, b| a == b),
        check::Formula::Less(Term::Int(1), Term::Trip(id)) => several(nest, *id, open, domain),
        check::Formula::AtMost(Term::Trip(id), Term::Int(1)) => several(nest, *id, open, domain).not(),
        // Other sizes: known whatever the levels; what is not known is no mistake.
        other => Formula::Known(nest.eval_at(other, &|_| None) != Some(false)),
    }
}

/// A loop has several iterations, if it be by those of maps that are one with it
fn several(
    nest: &Nest<'_>,
    id: LoopId,
    open: &dyn Fn(LoopId) -> Option<usize>,
    domain: &dyn Fn(usize) -> Vec<i64>,
) -> Formula {
    if nest.info(id).trip() > 1 || open(id).is_none() {
        return Formula::Known(nest.info(id).trip() > 1);
    }
    let inside = fusable(nest, id, open, domain);
    Formula::or(inside.map(|(inner, n)| {
        Formula::and([Formula::is_in(Var(n as u32), [codes::FUSED]), several(nest, inner, open, domain)])
    }))
}

/// Loops directly inside of a loop that may be one with it
fn fusable<'a>(
    nest: &'a Nest<'_>,
    id: LoopId,
    open: &'a dyn Fn(LoopId) -> Option<usize>,
    domain: &'a dyn Fn(usize) -> Vec<i64>,
) -> impl Iterator<Item = (LoopId, usize)> + 'a {
    let inside = (id + 1..nest.loops.len()).filter(move |inner| nest.loops[*inner].parent == Some(id));
    inside.filter_map(|inner| Some((inner, open(inner)?))).filter(|(_, n)| domain(*n).contains(&codes::FUSED))
}

fn ranks(
    having: &dyn Fn(LoopId, &dyn Fn(Level) -> bool) -> Formula,
    a: LoopId,
    b: LoopId,
    holds: &dyn Fn(u8, u8) -> bool,
) -> Formula {
    const MOST: u8 = 8;
    let pairs = (0..MOST).flat_map(|x| (0..MOST).map(move |y| (x, y))).filter(|(x, y)| holds(*x, *y));
    Formula::or(pairs.map(|(x, y)| {
        Formula::and([
            having(a, &|level| level.rank() == Some(x)),
            having(b, &|level| level.rank() == Some(y)),
        ])
    }))
}
