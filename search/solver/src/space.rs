//! The solutions of a model: how many, the n-th, one drawn at random, all in order, the nearest to a given one.
//!
//! Paths that must use the same values are not independent: each choice of what is used is a state in which solutions begin;
//! a solution belongs to exactly one of them. So do branches that add up to something (see [`crate::sums`]). Order: by what
//! is used and what it adds up to, then by the variables in order, values ascending.

use crate::classify::Parts;
use crate::diagram::{Diagram, Edge};
use crate::model::{Assignment, Model};
use crate::sums::{self, Sums};
use crate::uncounted::Uncounted;
use num_bigint::BigUint;
use terrace_support::Random;

/// All solutions of a model without joint constraints
#[derive(Clone, Debug)]
pub struct Space {
    model: Model,
    diagram: Diagram,
    /// Solutions from each state on: of the variable, those below, and siblings that follow
    counts: Vec<Vec<BigUint>>,
    total: BigUint,
}

impl Space {
    /// The solutions of the model; constraints that join more than a diagram knows are an error that names them
    pub fn new(model: &Model) -> Result<Space, Uncounted> {
        let parts = Parts::of(model)?;
        if !parts.joint.is_empty() {
            return Err(Uncounted::Joint(parts.joint.len()));
        }
        Space::of_parts(model, &parts)
    }

    /// The solutions of what a diagram knows of the model; joint constraints are for the caller
    pub fn without_joint(model: &Model) -> Result<(Space, Vec<usize>), Uncounted> {
        let parts = Parts::of(model)?;
        Ok((Space::of_parts(model, &parts)?, parts.joint))
    }

    fn of_parts(model: &Model, parts: &Parts) -> Result<Space, Uncounted> {
        if parts.never {
            return Ok(Space::of_diagram(model, None));
        }
        Ok(Space::of_diagram(model, Some(Diagram::new(model, parts)?)))
    }

    fn of_diagram(model: &Model, diagram: Option<Diagram>) -> Space {
        let none = diagram.is_none();
        let diagram = diagram.unwrap_or_default();
        let counts = diagram.counts();
        let total = match counts.first() {
            Some(first) => diagram.starts.iter().map(|start| &first[*start as usize]).sum(),
            None => BigUint::from(u32::from(!none)),
        };
        Space { model: model.clone(), diagram, counts, total }
    }

    /// Those of the solutions whose branches add up to what fits; an error if telling them apart takes too many states
    pub fn adding_up<S: Sums>(&self, sums: &S) -> Result<Space, Uncounted> {
        if self.total.bits() == 0 {
            return Ok(Space::of_diagram(&self.model, None));
        }
        Ok(Space::of_diagram(&self.model, Some(sums::split(&self.diagram, &self.model, sums)?)))
    }

    /// How many solutions there are
    pub fn count(&self) -> &BigUint {
        &self.total
    }

    /// Number of states, for reports
    pub fn num_states(&self) -> usize {
        self.diagram.num_states()
    }

    fn size(&self, node: Option<usize>, state: u32) -> Option<&BigUint> {
        node.map(|node| &self.counts[node][state as usize])
    }

    /// Solutions from an edge on
    fn product(&self, node: usize, edge: &Edge) -> BigUint {
        let node = &self.diagram.nodes[node];
        product(self.size(node.child, edge.down), self.size(node.next, edge.next))
    }

    /// The n-th solution in order
    pub fn nth(&self, n: &BigUint) -> Option<Assignment> {
        if *n >= self.total {
            return None;
        }
        let mut values = vec![0; self.model.vars.len()];
        let mut rest = n.clone();
        let mut pending: Vec<(usize, u32, BigUint)> = Vec::new();
        for start in &self.diagram.starts {
            let here = &self.counts[0][*start as usize];
            if rest < *here {
                pending.push((0, *start, rest));
                break;
            }
            rest -= here;
        }
        while let Some((n, state, mut rest)) = pending.pop() {
            let node = &self.diagram.nodes[n];
            for edge in node.state(state) {
                let size = self.product(n, edge);
                if rest >= size {
                    rest -= size;
                    continue;
                }
                values[n] = self.model.vars[n].values[usize::from(edge.value)];
                // Below is the slower one.
                let mut below = rest;
                if let Some((next, beside)) = node.next.zip(self.size(node.next, edge.next)) {
                    pending.push((next, edge.next, &below % beside));
                    below /= beside;
                }
                if let Some(child) = node.child {
                    pending.push((child, edge.down, below));
                }
                break;
            }
        }
        Some(values)
    }

    /// The place of a solution in the order; `None` if it is none
    pub fn rank(&self, values: &[i64]) -> Option<BigUint> {
        let nodes = &self.diagram.nodes;
        if nodes.is_empty() {
            return (self.total.bits() > 0).then_some(BigUint::ZERO);
        }
        // Of each state the place among its solutions, if it is one of them.
        let mut ranks: Vec<Vec<Option<BigUint>>> = vec![Vec::new(); nodes.len()];
        for n in (0..nodes.len()).rev() {
            let value =
                values.get(n).and_then(|value| self.model.vars[n].values.binary_search(value).ok())?;
            let node = &nodes[n];
            let of = |state: usize| {
                let mut before = BigUint::ZERO;
                for edge in node.state(state as u32) {
                    let inside = |other: Option<usize>, state: u32| match other {
                        Some(other) => ranks[other][state as usize].clone(),
                        None => Some(BigUint::ZERO),
                    };
                    if usize::from(edge.value) == value
                        && let Some(below) = inside(node.child, edge.down)
                        && let Some(beside) = inside(node.next, edge.next)
                    {
                        let slow = match self.size(node.next, edge.next) {
                            Some(size) => below * size,
                            None => below,
                        };
                        return Some(before + slow + beside);
                    }
                    before += self.product(n, edge);
                }
                None
            };
            ranks[n] = (0..node.num_states()).map(of).collect();
        }
        let mut before = BigUint::ZERO;
        for start in &self.diagram.starts {
            if let Some(rank) = &ranks[0][*start as usize] {
                return Some(before + rank);
            }
            before += &self.counts[0][*start as usize];
        }
        None
    }

    /// A solution, each as likely as the other
    pub fn sample(&self, random: &mut Random) -> Option<Assignment> {
        self.nth(&crate::random::below_big(random, &self.total))
    }

    /// The values that the next variable has in solutions that begin like this, ascending
    pub fn after(&self, begin: &[i64]) -> Vec<i64> {
        let nodes = &self.diagram.nodes;
        let Some(own) = self.model.vars.get(begin.len()) else { return Vec::new() };
        // Where branches add up, several states may begin in the same way.
        let start = |start: &u32| (0..nodes.len()).map(|n| if n == 0 { *start } else { 0 }).collect();
        let mut all: Vec<Vec<u32>> = self.diagram.starts.iter().map(start).collect();
        for (n, value) in begin.iter().enumerate() {
            let Ok(place) = self.model.vars[n].values.binary_search(value) else { return Vec::new() };
            let mut next: Vec<Vec<u32>> = Vec::new();
            for state in all {
                let edges = nodes[n].state(state[n]).iter();
                for edge in edges.filter(|edge| usize::from(edge.value) == place) {
                    let mut state = state.clone();
                    state[n] = 0;
                    nodes[n].child.into_iter().for_each(|child| state[child] = edge.down);
                    nodes[n].next.into_iter().for_each(|beside| state[beside] = edge.next);
                    next.push(state);
                }
            }
            next.sort_unstable();
            next.dedup();
            all = next;
        }
        let edges = all.iter().flat_map(|state| nodes[begin.len()].state(state[begin.len()]));
        let mut found: Vec<i64> = edges.map(|edge| own.values[usize::from(edge.value)]).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// All solutions in order
    pub fn solutions(&self) -> Solutions<'_> {
        Solutions { space: self, start: 0, state: Vec::new(), edge: Vec::new(), values: Vec::new(), nodes: 0 }
    }

    /// The solution that differs from the values in the fewest places, and in how many
    pub fn nearest(&self, values: &[i64]) -> Option<(Assignment, usize)> {
        let cost = |var: usize, value: i64| usize::from(values.get(var) != Some(&value));
        self.cheapest(&cost)
    }

    /// A solution with the least sum of costs; the first in order of those
    pub fn cheapest(&self, cost: &dyn Fn(usize, i64) -> usize) -> Option<(Assignment, usize)> {
        let nodes = &self.diagram.nodes;
        if nodes.is_empty() {
            return (self.total.bits() > 0).then(|| (Vec::new(), 0));
        }
        let own: Vec<Vec<usize>> = (0..nodes.len())
            .map(|n| self.model.vars[n].values.iter().map(|value| cost(n, *value)).collect())
            .collect();
        let mut costs: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        let of = |costs: &[Vec<usize>], n: usize, edge: &Edge| {
            let at = |other: Option<usize>, state: u32| other.map_or(0, |other| costs[other][state as usize]);
            let here = own[n][usize::from(edge.value)];
            here.saturating_add(at(nodes[n].child, edge.down)).saturating_add(at(nodes[n].next, edge.next))
        };
        for n in (0..nodes.len()).rev() {
            let least = |state: usize| {
                let all = nodes[n].state(state as u32).iter().map(|edge| of(&costs, n, edge));
                all.min().unwrap_or(usize::MAX)
            };
            costs[n] = (0..nodes[n].num_states()).map(least).collect();
        }
        let start = self.diagram.starts.iter().min_by_key(|start| costs[0][**start as usize])?;
        let least = costs[0][*start as usize];
        if least == usize::MAX {
            return None;
        }
        let mut values = vec![0; nodes.len()];
        let mut pending = vec![(0, *start)];
        while let Some((n, state)) = pending.pop() {
            let edge = nodes[n].state(state).iter().min_by_key(|edge| of(&costs, n, edge))?;
            values[n] = self.model.vars[n].values[usize::from(edge.value)];
            pending.extend(nodes[n].next.map(|next| (next, edge.next)));
            pending.extend(nodes[n].child.map(|child| (child, edge.down)));
        }
        Some((values, least))
    }
}

fn product(below: Option<&BigUint>, beside: Option<&BigUint>) -> BigUint {
    match (below, beside) {
        (Some(a), Some(b)) => a * b,
        (Some(a), None) | (None, Some(a)) => a.clone(),
        (None, None) => BigUint::from(1u32),
    }
}

impl Diagram {
    /// Solutions from each state on
    fn counts(&self) -> Vec<Vec<BigUint>> {
        let mut all: Vec<Vec<BigUint>> = vec![Vec::new(); self.nodes.len()];
        for n in (0..self.nodes.len()).rev() {
            let node = &self.nodes[n];
            let of = |state: usize| {
                let edges = node.state(state as u32);
                let mut sum = BigUint::ZERO;
                let mut place = 0;
                // Edges with the same continuation: one product for their sum.
                while let Some(first) = edges.get(place) {
                    let (mut small, mut large) = (0u64, BigUint::ZERO);
                    while let Some(edge) = edges.get(place).filter(|edge| edge.next == first.next) {
                        match node.child.map(|child| &all[child][edge.down as usize]) {
                            None => small += 1,
                            Some(below) => match u64::try_from(below).ok().and_then(|n| small.checked_add(n))
                            {
                                Some(all) => small = all,
                                None => large += below,
                            },
                        }
                        place += 1;
                    }
                    large += small;
                    match node.next.map(|next| &all[next][first.next as usize]) {
                        Some(beside) => sum += large * beside,
                        None => sum += large,
                    }
                }
                sum
            };
            let here = (0..node.num_states()).map(of).collect();
            all[n] = here;
        }
        all
    }
}

/// Solutions in order
pub struct Solutions<'a> {
    space: &'a Space,
    start: usize,
    state: Vec<u32>,
    /// Place of the edge of each variable among all of the variable's
    edge: Vec<u32>,
    values: Assignment,
    nodes: u64,
}

impl Solutions<'_> {
    /// Variables that were given a value so far
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The next one, as long as the next call lasts
    pub fn step(&mut self) -> Option<&[i64]> {
        let nodes = &self.space.diagram.nodes;
        if nodes.is_empty() {
            let some = self.start == 0 && self.space.total.bits() > 0;
            self.start = 1;
            return some.then_some(&self.values);
        }
        if !self.edge.is_empty() {
            // The last variable that has another value.
            let more = |n: &usize| self.edge[*n] + 1 < nodes[*n].starts[self.state[*n] as usize + 1];
            if let Some(last) = (0..nodes.len()).rev().find(more) {
                self.edge[last] += 1;
                self.take(last);
                self.fill(last + 1);
                return Some(&self.values);
            }
            self.start += 1;
        }
        let start = *self.space.diagram.starts.get(self.start)?;
        let n = nodes.len();
        if self.edge.is_empty() {
            (self.state, self.edge, self.values) = (vec![0; n], vec![0; n], vec![0; n]);
        }
        self.state[0] = start;
        self.fill(0);
        Some(&self.values)
    }

    /// The value of a variable's edge, and the states it leads to
    fn take(&mut self, n: usize) {
        let node = &self.space.diagram.nodes[n];
        let edge = node.edges[self.edge[n] as usize];
        self.values[n] = self.space.model.vars[n].values[usize::from(edge.value)];
        if let Some(child) = node.child {
            self.state[child] = edge.down;
        }
        if let Some(next) = node.next {
            self.state[next] = edge.next;
        }
        self.nodes += 1;
    }

    /// First values from a variable on
    fn fill(&mut self, from: usize) {
        for n in from..self.space.diagram.nodes.len() {
            self.edge[n] = self.space.diagram.nodes[n].starts[self.state[n] as usize];
            self.take(n);
        }
    }
}

impl Iterator for Solutions<'_> {
    type Item = Assignment;

    fn next(&mut self) -> Option<Assignment> {
        self.step().map(<[i64]>::to_vec)
    }
}
