//! Numbers: parameters whose values follow from earlier ones, searched depth first.
//!
//! A parameter has a list of values, a range between terms, or the divisors of a term, so that values are made from those
//! chosen before instead of tried. Parameters that share a constraint, directly or through others, are one group; groups are
//! independent, and their solutions multiply. In a group parameters are chosen in an order in which each comes after those its
//! values depend on, and a constraint is checked as soon as all it speaks of is chosen. Groups without a solution are found before
//! anything is drawn, so no draw is ever thrown away.

use crate::formula::{Formula, NoValue, Term, Var};
use crate::model::{Assignment, Constraint};
use num_bigint::BigUint;
use terrace_support::HashMap;
use terrace_support::Random;

/// Where a parameter's values come from
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// These, ascending
    Values(Vec<i64>),
    /// From the first to the last, in steps of at least 1
    Range(Term, Term, Term),
    /// Numbers from 1 that divide it
    Divisors(Term),
    /// One value, which follows from others
    Derived(Term),
}

impl Source {
    /// The terms that its values depend on
    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Source::Values(_) => Vec::new(),
            Source::Range(a, b, c) => vec![a, b, c],
            Source::Divisors(a) | Source::Derived(a) => vec![a],
        }
    }
}

/// A parameter
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// For texts
    pub name: String,
    /// Its values
    pub source: Source,
}

/// Parameters and constraints
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Numbers {
    /// Parameters; sources speak of earlier ones only
    pub params: Vec<Number>,
    /// Constraints
    pub constraints: Vec<Constraint>,
}

/// A group in its order
#[derive(Clone, Debug)]
struct Group {
    order: Vec<Var>,
    /// Constraints that are complete when the parameter at the same place is chosen
    checks: Vec<Vec<Formula>>,
}

/// How to search: groups, each in its order
#[derive(Clone, Debug)]
pub struct Search<'a> {
    numbers: &'a Numbers,
    groups: Vec<Group>,
    /// Values of parameters that depend on nothing that is chosen; 0 for the others
    fixed: Vec<i64>,
    /// A constraint that speaks of no parameter is false
    never: bool,
}

impl Numbers {
    /// A parameter
    pub fn param(&mut self, name: &str, source: Source) -> Var {
        self.params.push(Number { name: name.into(), source });
        Var(self.params.len() as u32 - 1)
    }

    /// A constraint that gets its place as number
    pub fn require(&mut self, formula: Formula) {
        let id = self.constraints.len();
        self.constraints.push(Constraint { id, formula });
    }

    /// The constraints that the values violate; a value that its source does not have counts for none
    pub fn violated(&self, values: &[i64]) -> Vec<usize> {
        let at = |var: Var| values.get(var.index()).copied();
        let wrong = |each: &&Constraint| each.formula.eval(&at) != Some(true);
        self.constraints.iter().filter(wrong).map(|each| each.id).collect()
    }

    /// Are the values among those of their sources, and all constraints true?
    pub fn holds(&self, values: &[i64]) -> bool {
        let mut memo = HashMap::default();
        values.len() == self.params.len()
            && self.violated(values).is_empty()
            && self.params.iter().zip(values).all(|(param, value)| {
                let mut list = Vec::new();
                self.values(&param.source, values, &mut memo, &mut list);
                list.contains(value)
            })
    }

    /// The values of a source, where what it depends on has these
    pub fn of(&self, source: &Source, at: &[i64]) -> Vec<i64> {
        let mut out = Vec::new();
        self.values(source, at, &mut HashMap::default(), &mut out);
        out
    }

    /// Append the values of a source
    fn values(&self, source: &Source, at: &[i64], memo: &mut HashMap<i64, Vec<i64>>, out: &mut Vec<i64>) {
        let number = |term: &Term| term.value(&|var| at.get(var.index()).copied()).ok().flatten();
        match source {
            Source::Values(values) => out.extend_from_slice(values),
            Source::Derived(term) => out.extend(number(term)),
            Source::Range(first, last, step) => {
                if let (Some(first), Some(last), Some(step)) = (number(first), number(last), number(step)) {
                    let step = usize::try_from(step).unwrap_or(1).max(1);
                    out.extend((first..=last).step_by(step));
                }
            }
            Source::Divisors(term) => {
                if let Some(n) = number(term).filter(|n| *n > 0) {
                    out.extend_from_slice(memo.entry(n).or_insert_with(|| divisors(n)));
                }
            }
        }
    }
}

/// Numbers from 1 that divide a number, ascending
pub fn divisors(n: i64) -> Vec<i64> {
    let mut low: Vec<i64> = Vec::new();
    let mut d = 1;
    while d * d <= n {
        if n % d == 0 {
            low.push(d);
        }
        d += 1;
    }
    let high: Vec<i64> = low.iter().rev().map(|d| n / d).filter(|q| low.last() != Some(q)).collect();
    low.extend(high);
    low
}

impl<'a> Search<'a> {
    /// Groups and orders; where several parameters may come next, the first in the list does, or with a seed any
    pub fn new(numbers: &'a Numbers, seed: Option<u64>) -> Search<'a> {
        let n = numbers.params.len();
        let needs: Vec<Vec<usize>> = numbers
            .params
            .iter()
            .map(|param| {
                let of = |term: &&Term| Formula::cmp(crate::Cmp::Eq, (*term).clone(), 0).scope();
                param.source.terms().iter().flat_map(of).map(Var::index).collect()
            })
            .collect();
        // What follows from numbers alone is no choice, and joins nothing.
        let (mut fixed, mut is_fixed) = (vec![0; n], vec![false; n]);
        for own in 0..n {
            let Source::Derived(term) = &numbers.params[own].source else { continue };
            if needs[own].iter().all(|needed| is_fixed[*needed])
                && let Ok(Some(value)) = term.value(&|var| fixed.get(var.index()).copied())
            {
                (fixed[own], is_fixed[own]) = (value, true);
            }
        }
        let open = |all: Vec<usize>| all.into_iter().filter(|at| !is_fixed[*at]).collect::<Vec<_>>();
        let needs: Vec<Vec<usize>> = needs.into_iter().map(open).collect();
        // Union of all that hang together.
        let mut root: Vec<usize> = (0..n).collect();
        fn find(root: &mut [usize], mut at: usize) -> usize {
            while root[at] != at {
                root[at] = root[root[at]];
                at = root[at];
            }
            at
        }
        let mut join = |all: &[usize]| {
            for pair in all.windows(2) {
                let (a, b) = (find(&mut root, pair[0]), find(&mut root, pair[1]));
                root[a.max(b)] = a.min(b);
            }
        };
        for (own, needed) in needs.iter().enumerate() {
            needed.iter().for_each(|other| join(&[own, *other]));
        }
        let mut never = false;
        let scopes = numbers.constraints.iter();
        let scopes: Vec<Vec<usize>> =
            scopes.map(|each| open(each.formula.scope().into_iter().map(Var::index).collect())).collect();
        for (scope, each) in scopes.iter().zip(&numbers.constraints) {
            join(scope);
            never |= scope.is_empty() && !each.formula.holds(&fixed);
        }
        let mut random = seed.map(Random::new);
        let mut groups = Vec::new();
        let roots: Vec<usize> = (0..n).map(|at| find(&mut root, at)).collect();
        for first in (0..n).filter(|at| roots[*at] == *at && !is_fixed[*at]) {
            let members: Vec<usize> = (0..n).filter(|at| roots[*at] == first).collect();
            groups.push(order(numbers, &members, &needs, &scopes, random.as_mut()));
        }
        Search { numbers, groups, fixed, never }
    }

    /// Names in the order in which values are chosen, by group
    pub fn order(&self) -> Vec<Vec<&'a str>> {
        let name = |var: &Var| self.numbers.params[var.index()].name.as_str();
        self.groups.iter().map(|group| group.order.iter().map(name).collect()).collect()
    }

    /// How many solutions there are
    pub fn count(&self) -> BigUint {
        if self.never {
            return BigUint::ZERO;
        }
        let mut total = BigUint::from(1u32);
        for group in &self.groups {
            let mut walk = Walk::new(self.numbers, group, &self.fixed);
            let mut count = 0u64;
            while walk.step() {
                count += 1;
            }
            total *= count;
        }
        total
    }

    /// Parameters by group, in the order in which values are chosen
    pub fn groups(&self) -> Vec<&[Var]> {
        self.groups.iter().map(|group| group.order.as_slice()).collect()
    }

    /// Values of what is no choice: 0 for the others
    pub fn fixed(&self) -> &[i64] {
        &self.fixed
    }

    /// All solutions of a group: values in its order, ascending from the first; `None` if there are more than `most`
    pub fn list(&self, group: usize, most: usize) -> Option<Vec<Vec<i64>>> {
        let mut all = Vec::new();
        if self.never {
            return Some(all);
        }
        let group = &self.groups[group];
        let mut walk = Walk::new(self.numbers, group, &self.fixed);
        while walk.step() {
            if all.len() == most {
                return None;
            }
            all.push(group.order.iter().map(|var| walk.values[var.index()]).collect());
        }
        Some(all)
    }

    /// A solution, each as likely as the others; `None` if there is none
    pub fn sample(&self, random: &mut Random) -> Option<Assignment> {
        self.samples(random, 1).pop()
    }

    /// Several draws: as many as requested, or none
    pub fn samples(&self, random: &mut Random, count: usize) -> Vec<Assignment> {
        let mut all = vec![self.fixed.clone(); count];
        for group in &self.groups {
            let mut walk = Walk::new(self.numbers, group, &self.fixed);
            let mut total = 0u64;
            while walk.step() {
                total += 1;
            }
            if total == 0 || self.never {
                return Vec::new();
            }
            // One more walk picks all draws: solutions are numbered in order.
            let mut ranks: Vec<(u64, usize)> = (0..count).map(|n| (random.below(total), n)).collect();
            ranks.sort_unstable();
            let (mut walk, mut at) = (Walk::new(self.numbers, group, &self.fixed), 0u64);
            let mut ranks = ranks.into_iter().peekable();
            while ranks.peek().is_some() && walk.step() {
                while let Some((_, n)) = ranks.next_if(|(rank, _)| *rank == at) {
                    group.order.iter().for_each(|var| all[n][var.index()] = walk.values[var.index()]);
                }
                at += 1;
            }
        }
        all
    }

    /// All solutions in order; the first group is the slowest
    pub fn solutions(&self) -> Solutions<'_> {
        Solutions { search: self, walks: Vec::new(), started: false, nodes: 0 }
    }

    /// The solution with the least values of the terms, earlier terms first; the first in order of those, with its values and
    /// the number of parameters that were given a value
    ///
    /// Branches that cannot be better are not walked: a term is bounded by the values that open parameters may have at most.
    pub fn minimize(&self, objectives: &[Term]) -> (Option<(Assignment, Vec<i64>)>, u64) {
        if self.never {
            return (None, 0);
        }
        // Objectives may join groups: all is one group.
        let order: Vec<Var> = self.groups.iter().flat_map(|group| group.order.clone()).collect();
        let checks = self.groups.iter().flat_map(|group| group.checks.clone()).collect();
        let group = Group { order, checks };
        let hull = self.hull();
        let mut walk = Walk::new(self.numbers, &group, &self.fixed);
        let mut best: Option<(Assignment, Vec<i64>)> = None;
        let place: HashMap<Var, usize> = group.order.iter().enumerate().map(|(n, var)| (*var, n)).collect();
        while let Some(depth) = walk.advance() {
            let range = |var: Var| match place.get(&var) {
                Some(n) if *n <= depth => (walk.values[var.index()], walk.values[var.index()]),
                _ => hull[var.index()],
            };
            if let Some((_, least)) = &best {
                let mut worse = true;
                for (term, bound) in objectives.iter().zip(least) {
                    let low = term.range(&range).map_or(i64::MIN, |(low, _)| low);
                    if low != *bound {
                        worse = low > *bound;
                        break;
                    }
                }
                if worse {
                    walk.cut();
                    continue;
                }
            }
            if depth + 1 == group.order.len() {
                let at = |var: Var| Some(walk.values[var.index()]);
                let values: Result<Vec<i64>, NoValue> = objectives
                    .iter()
                    .map(|term| term.value(&at).map(|value| value.unwrap_or(i64::MAX)))
                    .collect();
                let values = values.unwrap_or(vec![i64::MAX; objectives.len()]);
                if best.as_ref().is_none_or(|(_, least)| values < *least) {
                    best = Some((walk.values.clone(), values));
                }
            }
        }
        (best, walk.nodes)
    }

    /// The least and greatest value that each parameter may have, whatever the others
    fn hull(&self) -> Vec<(i64, i64)> {
        let mut hull: Vec<(i64, i64)> = Vec::new();
        for param in &self.numbers.params {
            let range = |term: &Term| {
                term.range(&|var| hull.get(var.index()).copied().unwrap_or((i64::MIN, i64::MAX)))
                    .unwrap_or((i64::MIN, i64::MAX))
            };
            hull.push(match &param.source {
                Source::Values(values) => {
                    (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0))
                }
                Source::Range(first, last, _) => (range(first).0, range(last).1),
                Source::Divisors(term) => (1, range(term).1.max(1)),
                Source::Derived(term) => range(term),
            });
        }
        hull
    }
}

fn order(
    numbers: &Numbers,
    members: &[usize],
    needs: &[Vec<usize>],
    scopes: &[Vec<usize>],
    mut random: Option<&mut Random>,
) -> Group {
    let mut order: Vec<Var> = Vec::new();
    let mut left: Vec<usize> = members.to_vec();
    let mut done = vec![false; numbers.params.len()];
    let mut checks = Vec::new();
    while !left.is_empty() {
        let ready: Vec<usize> =
            left.iter().copied().filter(|at| needs[*at].iter().all(|needed| done[*needed])).collect();
        let derived = |at: &&usize| matches!(numbers.params[**at].source, Source::Derived(_));
        // What follows costs nothing and decides constraints: at once.
        let at = match (ready.iter().find(derived), &mut random) {
            (Some(at), _) => *at,
            (None, Some(random)) if !ready.is_empty() => ready[random.below(ready.len() as u64) as usize],
            // Sources speak of earlier ones, so that one is always ready.
            (None, _) => ready.first().copied().unwrap_or(left[0]),
        };
        left.retain(|other| *other != at);
        done[at] = true;
        order.push(Var(at as u32));
        let complete = scopes
            .iter()
            .enumerate()
            .filter(|(_, scope)| scope.contains(&at) && scope.iter().all(|needed| done[*needed]));
        checks.push(complete.map(|(n, _)| numbers.constraints[n].formula.clone()).collect());
    }
    Group { order, checks }
}

/// A depth-first walk of a group
struct Walk<'a> {
    numbers: &'a Numbers,
    group: &'a Group,
    values: Vec<i64>,
    /// Values of each level and the next one to try
    lists: Vec<(Vec<i64>, usize)>,
    depth: usize,
    memo: HashMap<i64, Vec<i64>>,
    nodes: u64,
}

impl<'a> Walk<'a> {
    fn new(numbers: &'a Numbers, group: &'a Group, fixed: &[i64]) -> Walk<'a> {
        let mut walk = Walk {
            numbers,
            group,
            values: fixed.to_vec(),
            lists: vec![(Vec::new(), 0); group.order.len()],
            depth: 0,
            memo: HashMap::default(),
            nodes: 0,
        };
        walk.enter();
        walk
    }

    /// Make the list of the parameter at this depth
    fn enter(&mut self) {
        let Some(var) = self.group.order.get(self.depth) else { return };
        let (mut list, _) = std::mem::take(&mut self.lists[self.depth]);
        list.clear();
        self.numbers.values(
            &self.numbers.params[var.index()].source,
            &self.values,
            &mut self.memo,
            &mut list,
        );
        self.lists[self.depth] = (list, 0);
    }

    /// The next parameter that gets a value, by depth, in a walk of all partial solutions
    fn advance(&mut self) -> Option<usize> {
        loop {
            let (list, next) = self.lists.get_mut(self.depth)?;
            let Some(value) = list.get(*next) else {
                self.depth = self.depth.checked_sub(1)?;
                continue;
            };
            *next += 1;
            let depth = self.depth;
            self.values[self.group.order[depth].index()] = *value;
            self.nodes += 1;
            if !self.group.checks[depth].iter().all(|check| check.holds(&self.values)) {
                continue;
            }
            if depth + 1 < self.group.order.len() {
                self.depth += 1;
                self.enter();
            }
            return Some(depth);
        }
    }

    /// Leave the branch that the last advance went into
    fn cut(&mut self) {
        // At the last level there is nothing below.
        if self.lists[self.depth].1 == 0 && self.depth > 0 {
            self.depth -= 1;
        }
    }

    /// The next solution of the group
    fn step(&mut self) -> bool {
        let last = self.group.order.len();
        while let Some(depth) = self.advance() {
            if depth + 1 == last {
                return true;
            }
        }
        false
    }
}

/// Solutions in order
pub struct Solutions<'a> {
    search: &'a Search<'a>,
    walks: Vec<Walk<'a>>,
    started: bool,
    nodes: u64,
}

impl Solutions<'_> {
    /// Parameters that were given a value so far
    pub fn nodes(&self) -> u64 {
        self.nodes + self.walks.iter().map(|walk| walk.nodes).sum::<u64>()
    }
}

impl Iterator for Solutions<'_> {
    type Item = Assignment;

    fn next(&mut self) -> Option<Assignment> {
        let groups = &self.search.groups;
        if self.search.never {
            return None;
        }
        if !self.started {
            self.started = true;
            for group in groups {
                let mut walk = Walk::new(self.search.numbers, group, &self.search.fixed);
                if !walk.step() {
                    return None;
                }
                self.walks.push(walk);
            }
        } else {
            let mut at = self.walks.len();
            loop {
                at = at.checked_sub(1)?;
                if self.walks[at].step() {
                    break;
                }
            }
            for (n, group) in groups.iter().enumerate().skip(at + 1) {
                let mut walk = Walk::new(self.search.numbers, group, &self.search.fixed);
                walk.step();
                self.nodes += std::mem::replace(&mut self.walks[n], walk).nodes;
            }
        }
        let mut all = self.search.fixed.clone();
        for (walk, group) in self.walks.iter().zip(groups) {
            group.order.iter().for_each(|var| all[var.index()] = walk.values[var.index()]);
        }
        Some(all)
    }
}
