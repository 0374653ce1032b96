//! Constraints from the rules of legality, compiled for every choice of levels.
//!
//! One definition for both: a rule's claims are formulas over levels. The verifier evaluates them with the levels that the
//! loops have; here loops with a variable stand for all their values. A claim that holds whatever the levels is no constraint.
//! What takes analysis is a question, which is answered for each level of its loop.

use crate::codes;
use crate::levels::{self, MapLevel, MapLevels};
use crate::rules::{Given, Tag};
use terrace_devices::{Level, Levels};
use terrace_dialect_sched::{Ops, read_with};
use terrace_ir::{OpId, VerifyCx};
use terrace_schedule_model::nest::{Hole, LoopId, Nest, Open};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_decided::{Decided, Values};
use terrace_schedule_rules::joins::{Who, meets_apart};
use terrace_schedule_rules::{self as legal, Claims, Cmp, Cx, Reason, Rule, Subject, Term};
use terrace_search_solver::{Formula, Var};

/// Names of the rules beyond the paper's that are about maps; those of whole kernels are in [`crate::demand::WHOLE`]
pub const NAMES: &[&str] = &["NEST", "MEM", "HOME", "RACE", "VEC", "FUSED", "INLINED"];

/// A lowered nest whose open levels are those of maps
pub struct MappedNest<'a> {
    /// The nest
    pub nest: Nest,
    /// Its ops
    pub ops: Ops,
    values: Values,
    maps: Vec<Option<usize>>,
    domain: &'a dyn Fn(usize) -> MapLevels,
}

impl<'a> MappedNest<'a> {
    /// Read a nest; `variable` is the map of a loop's op, `domain` what a map may be
    pub fn read(
        v: &VerifyCx<'_>,
        top: OpId,
        variable: &dyn Fn(OpId) -> Option<usize>,
        domain: &'a dyn Fn(usize) -> MapLevels,
    ) -> Option<MappedNest<'a>> {
        let (mut nest, ops) = read_with(v, top);
        let maps: Vec<Option<usize>> = nest.loops.ids().map(|id| variable(ops.loops[id])).collect();
        for id in nest.loops.ids() {
            let Some(n) = maps[id.index()] else { continue };
            // A map stands for all of its values, also where the schedule has a level for it.
            let hole = match nest.loops[id].level {
                Open::Hole(hole) => hole,
                Open::Is(_) if domain(n).len() <= 1 => continue,
                Open::Is(_) => nest.holes.push(Hole { name: format!("map.{n}").into(), structural: false }),
            };
            nest.loops[id].level = Open::Hole(hole);
            if domain(n).fused {
                nest.loops[id].merged = Open::Hole(hole);
            }
        }
        if maps.iter().flatten().any(|n| domain(*n).may_be_at(Levels::ON_GRID)) {
            nest.infer_launch();
        }
        // What is read from it does not depend on the levels of maps.
        let values = Values::complete(&nest, |id| nest.loops[id].level.known().or(Some(Level::Seq)))?;
        Some(MappedNest { nest, ops, values, maps, domain })
    }

    /// The nest with all maps sequential
    pub fn sequential(&self) -> Decided<'_> {
        Decided::new(&self.nest, &self.values)
    }

    /// The map of a loop
    pub fn map_of(&self, id: LoopId) -> Option<usize> {
        self.maps[id.index()]
    }

    /// The levels that a loop may have
    pub fn levels_of(&self, id: LoopId) -> Levels {
        match self.map_of(id) {
            Some(n) => (self.domain)(n).iter().map(|value| value.level().unwrap_or(Level::Seq)).collect(),
            None => Levels::of(&[self.sequential().level(id)]),
        }
    }

    /// Maps of a place and around, inner ones first
    pub fn maps_around(&self, inside: Option<LoopId>) -> impl Iterator<Item = usize> + '_ {
        self.nest.around(inside).filter_map(|id| self.map_of(id))
    }

    /// May the map be one with the map around?
    fn may_be_fused(&self, n: usize) -> bool {
        (self.domain)(n).fused
    }

    /// Loops directly inside of a loop that may be one with it
    fn fusable(&self, id: LoopId) -> impl Iterator<Item = (LoopId, usize)> + '_ {
        let inside = self.nest.inside(id).filter(move |inner| self.nest.parent(*inner) == Some(id));
        inside.filter_map(|inner| Some((inner, self.map_of(inner)?))).filter(|(_, n)| self.may_be_fused(*n))
    }

    /// A loop has several iterations, if it be by those of maps that are one with it
    fn several(&self, id: LoopId) -> Formula {
        let trip = self.sequential().trip(id);
        if trip > 1 || self.map_of(id).is_none() {
            return Formula::Known(trip > 1);
        }
        Formula::or(
            self.fusable(id)
                .map(|(inner, n)| Formula::and([codes::is_in(n, MapLevel::Fused), self.several(inner)])),
        )
    }

    /// A loop is at a level for which something holds
    ///
    /// `fused` counts as the level of the loop around, which for these rules is the same as no parallel loop of its own.
    fn having(&self, id: LoopId, holds: &dyn Fn(Level) -> bool) -> Formula {
        let Some(var) = self.map_of(id) else {
            return Formula::Known(holds(self.sequential().level(id)));
        };
        let all = (self.domain)(var);
        let values = all.filter(|value| holds(value.level().unwrap_or(Level::Seq)));
        match values == all {
            true => Formula::Known(true),
            false => codes::is_in(var, values),
        }
    }

    /// A claim with variables in place of the levels of loops that have one; what is not known is `unknown`
    fn compile(&self, cx: &Cx<'_>, claim: &legal::Formula, unknown: bool) -> Formula {
        let list = |all: &[legal::Formula]| {
            all.iter().map(|each| self.compile(cx, each, unknown)).collect::<Vec<_>>()
        };
        match claim {
            legal::Formula::Known(known) => Formula::Known(*known),
            legal::Formula::And(all) => Formula::and(list(all)),
            legal::Formula::Or(all) => Formula::or(list(all)),
            legal::Formula::Not(inner) => self.compile(cx, inner, !unknown).not(),
            legal::Formula::At(id, levels) => self.having(*id, &|level| levels.contains(level)),
            legal::Formula::Pair(relation, a, b) => {
                let mut rows: Vec<(Levels, Levels)> = Vec::new();
                for level in Level::ALL {
                    let partners: Levels =
                        Level::ALL.into_iter().filter(|other| relation.holds(level, *other)).collect();
                    match rows.iter_mut().find(|(_, own)| *own == partners) {
                        _ if partners.is_empty() => {}
                        Some((levels, _)) => *levels = levels.with(level),
                        None => rows.push((Levels::of(&[level]), partners)),
                    }
                }
                Formula::or(rows.into_iter().map(|(x, y)| {
                    let first = self.having(*a, &|level| x.contains(level));
                    Formula::and([first, self.having(*b, &|level| y.contains(level))])
                }))
            }
            legal::Formula::Cmp(Cmp::Less, Term::Int(1), Term::Trip(id)) => self.several(*id),
            other => Formula::Known(match cx.truth(other) {
                legal::Truth::True => true,
                legal::Truth::False => false,
                legal::Truth::Open => unknown,
            }),
        }
    }

    /// Constraints of a nest: of rules that speak of levels, then of those that take analysis
    pub fn constraints(&self, strict_local: bool) -> Vec<Given> {
        let cx = Cx::new(&self.nest);
        let strict = strict_local.then_some(&legal::STRICTLY_HOME);
        let mut all = Constraints::new(self, &cx, &legal::NEST);
        for rule in strict.into_iter().chain([&legal::NEST, &legal::MEM]) {
            all.rule = rule;
            (rule.claims)(&cx, &mut all);
        }
        let mut out = all.out;
        out.extend(self.exchanges());
        out.extend(self.branches());
        for id in self.nest.loops.ids() {
            let Some(var) = self.map_of(id) else { continue };
            out.extend(self.races(id, var));
            out.extend(self.lanes(id, var));
        }
        out
    }

    /// Maps of which one uses what another writes into memory that blocks share: they run in one kernel, whose blocks do not wait
    ///
    /// Where each block uses what it wrote itself, that would do; it is not looked into.
    fn exchanges(&self) -> Vec<Given> {
        let nest = self.sequential();
        let of_map = |id: LoopId| self.map_of(id).filter(|_| self.several(id) != Formula::Known(false));
        let may_be_blocks =
            |id: LoopId| of_map(id).is_some_and(|n| (self.domain)(n).may_be_at(levels::OVER_BLOCKS));
        let mut maps: Vec<usize> = Vec::new();
        for join in legal::exchanges(&nest, &may_be_blocks) {
            let inside = [join.first, join.second].map(|access| nest.accesses[access].around.inside);
            if inside[0] == inside[1] {
                // From round to round: blocks of one loop do the same ones again.
                let all = nest.between(inside[0], join.place);
                for (at, id) in all.iter().copied().enumerate().filter(|(_, id)| may_be_blocks(*id)) {
                    let one = |id: LoopId| Who::Loops { loops: vec![id], by: 0 };
                    let run =
                        all[at..].iter().copied().enumerate().take_while(|(n, id)| {
                            *n == 0 || of_map(*id).is_some_and(|n| self.may_be_fused(n))
                        });
                    let mut run = run.map(|(_, id)| id).filter(|id| nest.trip(*id) > 1);
                    if run.any(|id| meets_apart(&nest, &join, &one(id), &one(id))) {
                        maps.extend(of_map(id));
                    }
                }
                continue;
            }
            let own = inside.map(|inside| nest.between(inside, join.place));
            let own: Vec<usize> =
                own.iter().flatten().copied().filter(|id| may_be_blocks(*id)).filter_map(of_map).collect();
            if own.iter().any(|n| !maps.contains(n)) && meets_apart(&nest, &join, &Who::Any, &Who::Any) {
                maps.extend(own);
            }
        }
        self.without(maps, "GRID", levels::OVER_BLOCKS, "what one map writes to device memory another reads in the same kernel, whose blocks cannot wait for each other")
    }

    /// Maps in a branch that exchange something: where some threads do not come, as in padding, none may wait
    fn branches(&self) -> Vec<Given> {
        let nest = self.sequential();
        let mut maps: Vec<usize> = Vec::new();
        for join in legal::joins_in_branches(&nest) {
            let branch = legal::branch_of(&nest, &join);
            let both = [join.first, join.second].map(|access| nest.accesses[access].around.inside);
            let around = both.into_iter().flat_map(|inside| nest.around(inside));
            let inside = around.filter(|id| {
                let own = nest.loops[*id].around.branch;
                branch.is_some_and(|branch| nest.branches(own).any(|around| around == branch))
            });
            maps.extend(inside.filter_map(|id| self.map_of(id)));
        }
        maps.retain(|n| (self.domain)(*n).may_be_at(levels::SPREAD));
        self.without(maps, "SYNC", levels::SPREAD, "it runs only where a condition holds, as inside of padding, and what its threads give to each other they would have to wait for there")
    }

    /// Constraints that keep maps off some levels
    fn without(&self, mut maps: Vec<usize>, rule: &'static str, levels: Levels, reason: &str) -> Vec<Given> {
        maps.sort_unstable();
        maps.dedup();
        let given = |n: usize| Given {
            rule,
            kind: rule,
            tag: Tag::Beyond,
            formula: codes::is_in(n, (self.domain)(n).without(levels)),
            about: vec![n],
            reason: reason.into(),
        };
        maps.into_iter().map(given).collect()
    }

    /// A nest of which one loop is at a level, and the other open ones at any
    fn at_level(&self, id: LoopId, level: Level) -> Cx<'_> {
        Cx::with_levels(&self.nest, &|other| if other == id { Levels::of(&[level]) } else { Levels::ALL })
    }

    /// At which levels a loop's iterations would disturb each other, and how: RACE does not depend on the levels of others
    fn races(&self, id: LoopId, var: usize) -> Option<Given> {
        let (mut wrong, mut reason) = (Levels::NONE, None);
        for level in (self.domain)(var).levels.iter().filter(|level| level.is_parallel()) {
            if let Some(found) = legal::race_of(&self.at_level(id, level), id) {
                wrong = wrong.with(level);
                reason = Some(found.text.replace(&format!(" at level '{level}'"), ""));
            }
        }
        let reason = reason?;
        // Fused with the map directly around only.
        let parent = |n: usize| {
            let own = self.nest.loops.ids().find(|id| self.map_of(*id) == Some(n))?;
            self.maps_around(self.nest.parent(own)).next().filter(|_| self.may_be_fused(n))
        };
        let formula = fused_races(var, wrong, &parent);
        Some(Given { rule: "RACE", kind: "RACE", tag: Tag::Beyond, formula, about: vec![var], reason })
    }

    /// Whether a loop can run on lanes, whatever the levels of the others, and that lanes are those of one map
    fn lanes(&self, id: LoopId, var: usize) -> Vec<Given> {
        if !(self.domain)(var).levels.contains(Level::Vector) {
            return Vec::new();
        }
        let given = |formula: Formula, about: Vec<usize>, reason: String| Given {
            rule: "VEC",
            kind: "VEC",
            tag: Tag::Beyond,
            formula,
            about,
            reason,
        };
        let vector = codes::is_in(var, MapLevel::At(Level::Vector));
        let broken = legal::broken(&self.at_level(id, Level::Vector), &legal::VEC);
        let alone = broken.map(|why| given(vector.clone().not(), vec![var], why.text));
        let fused = self.fusable(id).map(|(_, inner)| {
            let both = Formula::and([vector.clone(), codes::is_in(inner, MapLevel::Fused)]).not();
            let reason = "lanes are those of one map, not of several that are one loop";
            given(both, vec![var, inner], reason.into())
        });
        alone.into_iter().chain(fused).collect()
    }
}

/// Claims that become constraints
pub(crate) struct Constraints<'a, 'n> {
    nest: &'a MappedNest<'n>,
    cx: &'a Cx<'a>,
    rule: &'static Rule,
    out: Vec<Given>,
}

impl<'a, 'n> Constraints<'a, 'n> {
    /// Of a rule; none yet
    pub(crate) fn new(nest: &'a MappedNest<'n>, cx: &'a Cx<'a>, rule: &'static Rule) -> Constraints<'a, 'n> {
        Constraints { nest, cx, rule, out: Vec::new() }
    }
}

impl Claims for Constraints<'_, '_> {
    fn claim(
        &mut self,
        premise: legal::Formula,
        then: &dyn Fn() -> legal::Formula,
        why: &dyn Fn() -> Reason,
    ) {
        let claim = premise.implies(then());
        if let Some(given) = self.constraint(&claim, why)
            && !self.out.iter().any(|other| other.rule == given.rule && other.formula == given.formula)
        {
            self.out.push(given);
        }
    }
}

impl Constraints<'_, '_> {
    /// What they have become
    pub(crate) fn into_given(self) -> Vec<Given> {
        self.out
    }

    fn constraint(&self, claim: &legal::Formula, why: &dyn Fn() -> Reason) -> Option<Given> {
        let (nest, loops) = (self.nest, claim.loops());
        // What is not known is no mistake.
        let formula = nest.compile(self.cx, claim, true);
        let formula = match formula.scope()[..] {
            [] => match formula.eval(&|_| None) {
                Some(false) if !loops.is_empty() => Formula::Known(false),
                _ => return None,
            },
            [var] => {
                let all = (nest.domain)(var.index());
                let good = codes::allowed(&formula, all);
                if good == all {
                    return None;
                }
                codes::is_in(var.index(), good)
            }
            [first, last] => {
                let (first, last) = (first.index(), last.index());
                table(&formula, (first, (nest.domain)(first)), (last, (nest.domain)(last)))?
            }
            _ => formula,
        };
        let about: Vec<usize> = loops.into_iter().filter_map(|id| nest.map_of(id)).collect();
        let reason = match self.rule.name {
            "NEST" => {
                "levels nest from wide to narrow, equal ones need other axes, global spreads over both".into()
            }
            "MEM" => {
                let what = match why().others.last() {
                    Some((Subject::Buffer(id), _)) => nest.nest.buffers[*id].space.name(),
                    _ => "the memory",
                };
                format!("iterations at this level do not share {what}")
            }
            _ => why().text,
        };
        let rule = self.rule.name;
        Some(Given { rule, kind: rule, tag: Tag::Beyond, formula, about, reason })
    }
}

/// Nor may a loop that is one with such a one around
fn fused_races(var: usize, wrong: Levels, parent: &dyn Fn(usize) -> Option<usize>) -> Formula {
    let mut clauses = vec![codes::is_in(var, wrong).not()];
    let (mut run, mut at) = (vec![codes::is_in(var, MapLevel::Fused)], var);
    while let Some(outer) = parent(at) {
        let level = codes::is_in(outer, wrong);
        clauses.push(Formula::and(run.iter().cloned().chain([level])).not());
        run.push(codes::is_in(outer, MapLevel::Fused));
        at = outer;
    }
    Formula::and(clauses)
}

/// No bad pair: for each set of second values, the first ones that exclude it; `None` if there is none
fn table(formula: &Formula, first: (usize, MapLevels), last: (usize, MapLevels)) -> Option<Formula> {
    let is_wrong = |a: MapLevel, b: MapLevel| {
        let at = |var: Var| Some(codes::number(if var.index() == first.0 { a } else { b }));
        formula.eval(&at) == Some(false)
    };
    let bad = pairs(first.1, last.1, is_wrong);
    let pair = |(a, b): (MapLevels, MapLevels)| {
        Formula::and([codes::is_in(first.0, a), codes::is_in(last.0, b)]).not()
    };
    (!bad.is_empty()).then(|| Formula::and(bad.into_iter().map(pair)))
}

/// Pairs for which something holds: for each set of second values, the first ones that go with it
pub(crate) fn pairs(
    first: MapLevels,
    last: MapLevels,
    holds: impl Fn(MapLevel, MapLevel) -> bool,
) -> Vec<(MapLevels, MapLevels)> {
    let mut all: Vec<(MapLevels, MapLevels)> = Vec::new();
    for a in first.iter() {
        let own = last.filter(|b| holds(a, b));
        match all.iter_mut().find(|(_, other)| *other == own) {
            _ if own.is_empty() => {}
            Some((firsts, _)) => *firsts = firsts.with(a),
            None => all.push((a.into(), own)),
        }
    }
    all
}
