//! The solutions of a model: how many, the n-th, one drawn at random, all in order, the nearest to a given one.
//!
//! Paths that must use the same values are not independent. For each choice of what is used there is a diagram of its own; a
//! solution belongs to exactly one of them. Order: by that choice, then by the variables in order, values ascending.

use crate::classify::{Mask, Parts, Use, mask_of};
use crate::diagram::{Diagram, Edge};
use crate::formula::Formula;
use crate::model::{Assignment, Model};
use crate::random::Random;
use num_bigint::BigUint;
use terrace_support::HashMap;

/// Most groups of paths that must use the same values
pub const MOST_GROUPS: usize = 20;

/// All solutions of a model without joint constraints
#[derive(Clone, Debug)]
pub struct Space {
    model: Model,
    parts: Vec<Part>,
    total: BigUint,
}

#[derive(Clone, Debug)]
struct Part {
    diagram: Diagram,
    /// Solutions below each state
    counts: Vec<Vec<BigUint>>,
    count: BigUint,
}

impl Space {
    /// The solutions of the model; constraints that join more than a diagram knows are an error that names them
    pub fn new(model: &Model) -> Result<Space, String> {
        let parts = Parts::of(model)?;
        if !parts.joint.is_empty() {
            return Err(format!("{} constraints join several branches", parts.joint.len()));
        }
        Space::of_parts(model, &parts)
    }

    /// The solutions of what a diagram knows of the model; joint constraints are for the caller
    pub fn without_joint(model: &Model) -> Result<(Space, Vec<usize>), String> {
        let parts = Parts::of(model)?;
        Ok((Space::of_parts(model, &parts)?, parts.joint))
    }

    fn of_parts(model: &Model, parts: &Parts) -> Result<Space, String> {
        let mut space = Space { model: model.clone(), parts: Vec::new(), total: BigUint::ZERO };
        if parts.never {
            return Ok(space);
        }
        if parts.groups.len() > MOST_GROUPS {
            return Err(format!(
                "{} groups of paths must use the same, and at most {MOST_GROUPS} can be counted",
                parts.groups.len()
            ));
        }
        for used in 0u32..1 << parts.groups.len() {
            let on = |group: usize| used >> group & 1 == 1;
            if parts.implied.iter().any(|(from, to)| on(*from) && !on(*to)) {
                continue;
            }
            let Some(diagram) = conditioned(model, parts, &on) else { continue };
            if diagram.is_empty() {
                continue;
            }
            let counts = diagram.fold(|n, edges, below: &dyn Fn(usize, u32) -> BigUint| {
                edges.iter().map(|edge| product(&diagram, n, edge, below)).sum()
            });
            let count = diagram.roots.iter().map(|root| counts[*root][0].clone()).product::<BigUint>();
            space.total += &count;
            space.parts.push(Part { diagram, counts, count });
        }
        Ok(space)
    }

    /// How many solutions there are
    pub fn count(&self) -> &BigUint {
        &self.total
    }

    /// Number of states, for reports
    pub fn num_states(&self) -> usize {
        self.parts.iter().map(|part| part.diagram.num_states()).sum()
    }

    /// The n-th solution in order
    pub fn nth(&self, n: &BigUint) -> Option<Assignment> {
        let mut rest = n.clone();
        let part = self.parts.iter().find(|part| {
            let here = rest < part.count;
            if !here {
                rest -= &part.count;
            }
            here
        })?;
        // A rank for each variable that waits, and the number of solutions of those after it in order.
        let mut values = vec![0; self.model.vars.len()];
        let mut pending: Vec<(usize, u32, BigUint)> = Vec::new();
        split(part, part.diagram.roots.iter().map(|root| (*root, 0)), rest, &mut pending);
        while let Some((node, state, mut rest)) = pending.pop() {
            let edges = &part.diagram.nodes[node].states[state as usize];
            let below = |child: usize, state: u32| part.counts[child][state as usize].clone();
            for edge in edges {
                let size = product(&part.diagram, node, edge, &below);
                if rest < size {
                    values[node] = self.model.vars[node].values[usize::from(edge.value)];
                    let children = part.diagram.nodes[node].children.iter().copied();
                    split(part, children.zip(edge.next.iter().copied()), rest, &mut pending);
                    break;
                }
                rest -= size;
            }
        }
        Some(values)
    }

    /// The place of a solution in the order; `None` if it is none
    pub fn rank(&self, values: &[i64]) -> Option<BigUint> {
        let mut before = BigUint::ZERO;
        for part in &self.parts {
            if let Some(rank) = part.rank(&self.model, values) {
                return Some(before + rank);
            }
            before += &part.count;
        }
        None
    }

    /// A solution, each as likely as the other
    pub fn sample(&self, random: &mut Random) -> Option<Assignment> {
        self.nth(&random.below_big(&self.total))
    }

    /// All solutions in order
    pub fn solutions(&self) -> Solutions<'_> {
        Solutions { space: self, part: 0, state: Vec::new(), edge: Vec::new(), values: Vec::new(), nodes: 0 }
    }

    /// The solution that differs from the values in the fewest places, and in how many
    pub fn nearest(&self, values: &[i64]) -> Option<(Assignment, usize)> {
        let cost = |var: usize, value: i64| usize::from(values.get(var) != Some(&value));
        self.cheapest(&cost)
    }

    /// A solution with the least sum of costs; the first in order of those
    pub fn cheapest(&self, cost: &dyn Fn(usize, i64) -> usize) -> Option<(Assignment, usize)> {
        let mut best: Option<(Assignment, usize)> = None;
        for part in &self.parts {
            let diagram = &part.diagram;
            let of = |n: usize, edge: &Edge, below: &dyn Fn(usize, u32) -> usize| {
                let own = cost(n, self.model.vars[n].values[usize::from(edge.value)]);
                let children = diagram.nodes[n].children.iter().zip(&edge.next);
                children.fold(own, |sum, (child, next)| sum.saturating_add(below(*child, *next)))
            };
            let costs = diagram.fold(|n, edges, below: &dyn Fn(usize, u32) -> usize| {
                edges.iter().map(|edge| of(n, edge, below)).min().unwrap_or(usize::MAX)
            });
            let least = diagram.roots.iter().fold(0usize, |sum, root| sum.saturating_add(costs[*root][0]));
            if least == usize::MAX || best.as_ref().is_some_and(|(_, most)| *most <= least) {
                continue;
            }
            let mut values = vec![0; self.model.vars.len()];
            let mut pending: Vec<(usize, u32)> = diagram.roots.iter().map(|root| (*root, 0)).collect();
            while let Some((n, state)) = pending.pop() {
                let below = |child: usize, state: u32| costs[child][state as usize];
                let edges = &diagram.nodes[n].states[state as usize];
                let Some(edge) = edges.iter().min_by_key(|edge| of(n, edge, &below)) else { continue };
                values[n] = self.model.vars[n].values[usize::from(edge.value)];
                pending.extend(diagram.nodes[n].children.iter().copied().zip(edge.next.iter().copied()));
            }
            best = Some((values, least));
        }
        best
    }
}

impl Part {
    fn rank(&self, model: &Model, values: &[i64]) -> Option<BigUint> {
        let nodes = &self.diagram.nodes;
        let mut state = vec![0u32; nodes.len()];
        let mut chosen: Vec<usize> = Vec::with_capacity(nodes.len());
        for (n, node) in nodes.iter().enumerate() {
            let value = values.get(n).and_then(|value| model.vars[n].values.binary_search(value).ok())?;
            let edges = &node.states[state[n] as usize];
            let place = edges.iter().position(|edge| usize::from(edge.value) == value)?;
            for (child, next) in node.children.iter().zip(&edges[place].next) {
                state[*child] = *next;
            }
            chosen.push(place);
        }
        let below = |child: usize, state: u32| self.counts[child][state as usize].clone();
        let mut rank = BigUint::ZERO;
        // In pre-order the number of solutions of all that comes later is what one step here skips.
        let mut later = BigUint::from(1u32);
        let mut own = vec![BigUint::ZERO; nodes.len()];
        for n in (0..nodes.len()).rev() {
            let edges = &nodes[n].states[state[n] as usize];
            let mut skipped = BigUint::ZERO;
            for edge in &edges[..chosen[n]] {
                skipped += product(&self.diagram, n, edge, &below);
            }
            // Rank among the solutions from here down: children in mixed radix, the first the slowest.
            let mut inner = BigUint::ZERO;
            for child in &nodes[n].children {
                inner = inner * &self.counts[*child][state[*child] as usize] + &own[*child];
            }
            own[n] = skipped + inner;
        }
        for root in self.diagram.roots.iter().rev() {
            rank += &own[*root] * &later;
            later *= &self.counts[*root][0];
        }
        Some(rank)
    }
}

fn product(diagram: &Diagram, n: usize, edge: &Edge, below: &dyn Fn(usize, u32) -> BigUint) -> BigUint {
    diagram.nodes[n].children.iter().zip(&edge.next).map(|(child, next)| below(*child, *next)).product()
}

/// A rank as ranks of independent parts: the first is the slowest
fn split(
    part: &Part,
    children: impl Iterator<Item = (usize, u32)>,
    mut rest: BigUint,
    out: &mut Vec<(usize, u32, BigUint)>,
) {
    let children: Vec<(usize, u32)> = children.collect();
    for (child, state) in children.into_iter().rev() {
        let size = &part.counts[child][state as usize];
        out.push((child, state, &rest % size));
        rest /= size;
    }
}

/// The diagram where these groups are used and the others are not; `None` if a statement is false
fn conditioned(model: &Model, parts: &Parts, on: &dyn Fn(usize) -> bool) -> Option<Diagram> {
    let mut domains = parts.domains.clone();
    let mut uses: Vec<Use> = Vec::new();
    for (group, members) in parts.groups.iter().enumerate() {
        for (vars, values) in members {
            if on(group) {
                uses.push((vars.clone(), values.clone()));
                continue;
            }
            for var in vars.iter() {
                let mask: Mask = mask_of(model, *var, |value| values.contains(&value));
                domains[var.index()] &= !mask;
            }
        }
    }
    if domains.contains(&0) {
        return None;
    }
    let members = parts.groups.iter().enumerate().flat_map(|(n, all)| all.iter().map(move |each| (n, each)));
    let by_use: HashMap<_, usize> = members.map(|(n, (vars, values))| ((vars, values), n)).collect();
    let mut paths = Vec::new();
    for path in &parts.paths {
        let path = path.rewrite(&|atom| {
            let Formula::Any(vars, values) = atom else { return None };
            by_use.get(&(vars, values)).map(|group| Formula::Known(on(*group)))
        });
        match path {
            Formula::Known(true) => {}
            Formula::Known(false) => return None,
            path => paths.push(path),
        }
    }
    Some(Diagram::new(model, parts, &domains, &paths, &uses))
}

/// Solutions in order
pub struct Solutions<'a> {
    space: &'a Space,
    part: usize,
    state: Vec<u32>,
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
        let part = loop {
            let part = self.space.parts.get(self.part)?;
            if self.edge.is_empty() {
                let n = part.diagram.nodes.len();
                (self.state, self.edge, self.values) = (vec![0; n], vec![0; n], vec![0; n]);
                self.fill(part, 0);
                break part;
            }
            // The last variable that has another value.
            let nodes = &part.diagram.nodes;
            let last = (0..nodes.len())
                .rev()
                .find(|n| self.edge[*n] as usize + 1 < nodes[*n].states[self.state[*n] as usize].len());
            if let Some(last) = last {
                self.edge[last] += 1;
                self.fill(part, last);
                break part;
            }
            if nodes.is_empty() {
                self.part += 1;
                return None;
            }
            self.part += 1;
            self.edge.clear();
        };
        let _ = part;
        Some(&self.values)
    }

    /// Values from a variable on: its own edge, the first ones after it
    fn fill(&mut self, part: &Part, from: usize) {
        for n in from..part.diagram.nodes.len() {
            if n > from {
                self.edge[n] = 0;
            }
            let node = &part.diagram.nodes[n];
            let edge = &node.states[self.state[n] as usize][self.edge[n] as usize];
            self.values[n] = self.space.model.vars[n].values[usize::from(edge.value)];
            for (child, next) in node.children.iter().zip(&edge.next) {
                self.state[*child] = *next;
            }
            self.nodes += 1;
        }
    }
}

impl Iterator for Solutions<'_> {
    type Item = Assignment;

    fn next(&mut self) -> Option<Assignment> {
        self.step().map(<[i64]>::to_vec)
    }
}
