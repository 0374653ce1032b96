//! All solutions on a tree as a graph: for each variable states, for each state the values that lead on.
//!
//! A state of a variable is what the values around it mean for it and those below: which values pairs still allow, and
//! which uses that open path statements wait for have been seen. Different values around that mean the same are one state, so
//! that the graph is small where the tree is deep. Children of a state are independent: solutions multiply. Values that lead
//! nowhere are removed, so that walking down never fails.

use crate::classify::{Mask, Parts, Use};
use crate::formula::{Formula, Var};
use crate::model::Model;
use std::sync::Arc;
use terrace_support::HashMap;

/// A value of a variable in a state, and the states of the children
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Place of the value among the variable's
    pub value: u8,
    /// State of each child
    pub next: Box<[u32]>,
}

/// A variable with its states
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Variables directly below
    pub children: Vec<usize>,
    /// For each state the values that lead to solutions, ascending
    pub states: Vec<Vec<Edge>>,
}

/// The graph; empty if there is no solution
#[derive(Clone, Debug)]
pub struct Diagram {
    /// In pre-order
    pub nodes: Vec<Node>,
    /// Variables without one around, each in state 0
    pub roots: Vec<usize>,
}

/// An atom of path statements at a variable: uses among the values around
#[derive(Clone, PartialEq, Eq, Hash)]
struct Slot {
    above: Arc<[Var]>,
    values: Arc<[i64]>,
}

/// What a variable's states are made of
#[derive(Default)]
struct Plan {
    /// Class of each variable from here down by what pairs with those around say: equal ones share a mask
    class: HashMap<usize, usize>,
    /// Class of the one around, and table of the pair with it
    from: Vec<(usize, usize)>,
    /// Values that matter to each class
    matters: Vec<Mask>,
    slots: Vec<Slot>,
    /// Of each slot: the slot at the one around, and the values there that are a use
    sources: Vec<(Option<usize>, Mask)>,
    /// Statements that stay open here, over variables 2·slot + (no use can follow)
    open: Vec<Formula>,
    /// Statements that end here, over these atoms: a slot, and own values that are a use
    ends: Vec<Formula>,
    atoms: Vec<(Option<usize>, Mask)>,
}

type Key = Box<[u64]>;

struct Builder<'a> {
    model: &'a Model,
    domains: &'a [Mask],
    tables: Vec<Vec<Mask>>,
    pairs: HashMap<(usize, usize), usize>,
    children: Vec<Vec<usize>>,
    plans: Vec<Plan>,
}

impl Diagram {
    /// Of the parts of a model, and uses that have to be
    pub fn new(model: &Model, parts: &Parts, domains: &[Mask], paths: &[Formula], uses: &[Use]) -> Diagram {
        let mut children = vec![Vec::new(); model.vars.len()];
        let mut roots = Vec::new();
        for (n, var) in model.vars.iter().enumerate() {
            match var.parent {
                Some(parent) => children[parent.index()].push(n),
                None => roots.push(n),
            }
        }
        let mut tables: Vec<Vec<Mask>> = vec![Vec::new()];
        let mut by_table: HashMap<Vec<Mask>, usize> = HashMap::default();
        let mut pairs = HashMap::default();
        for ((upper, lower), table) in &parts.pairs {
            let id = *by_table.entry(table.clone()).or_insert_with(|| {
                tables.push(table.clone());
                tables.len() - 1
            });
            pairs.insert((upper.index(), lower.index()), id);
        }
        let plans = (0..model.vars.len()).map(|_| Plan::default()).collect();
        let mut builder = Builder { model, domains, tables, pairs, children, plans };
        let must = uses.iter().map(|(vars, values)| Formula::Any(vars.clone(), values.clone()));
        let paths: Vec<Formula> = paths.iter().cloned().chain(must).collect();
        builder.classes(&roots);
        for path in &paths {
            builder.path(path);
        }
        builder.link();
        let nodes = builder.states(&roots);
        let mut diagram = Diagram { nodes, roots };
        diagram.prune();
        diagram
    }

    /// Number of states, over all variables
    pub fn num_states(&self) -> usize {
        self.nodes.iter().map(|node| node.states.len()).sum()
    }

    /// Is there a solution?
    pub fn is_empty(&self) -> bool {
        self.roots.iter().any(|root| self.nodes[*root].states.first().is_none_or(Vec::is_empty))
    }

    /// Remove what leads nowhere
    fn prune(&mut self) {
        for n in (0..self.nodes.len()).rev() {
            let mut states = std::mem::take(&mut self.nodes[n].states);
            for edges in &mut states {
                edges.retain(|edge| {
                    let children = self.nodes[n].children.iter().zip(&edge.next);
                    children
                        .into_iter()
                        .all(|(child, next)| !self.nodes[*child].states[*next as usize].is_empty())
                });
            }
            self.nodes[n].states = states;
        }
    }

    /// Fold over the graph from below: sums over values of products over children
    pub fn fold<T>(&self, of: impl Fn(usize, &[Edge], &dyn Fn(usize, u32) -> T) -> T) -> Vec<Vec<T>>
    where
        T: Clone,
    {
        let mut all: Vec<Vec<T>> = vec![Vec::new(); self.nodes.len()];
        for n in (0..self.nodes.len()).rev() {
            let here = {
                let get = |child: usize, state: u32| all[child][state as usize].clone();
                self.nodes[n].states.iter().map(|edges| of(n, edges, &get)).collect()
            };
            all[n] = here;
        }
        all
    }
}

impl Builder<'_> {
    fn classes(&mut self, roots: &[usize]) {
        // The variables from each one down are a range in pre-order.
        let mut last: Vec<usize> = (0..self.children.len()).collect();
        for n in (0..self.children.len()).rev() {
            last[n] = self.children[n].last().map_or(n, |child| last[*child]);
        }
        for root in roots {
            let plan = &mut self.plans[*root];
            plan.class = (*root..=last[*root]).map(|n| (n, 0)).collect();
            plan.from = vec![(0, 0)];
            plan.matters = vec![Mask::MAX];
        }
        for n in 0..self.children.len() {
            for child in self.children[n].clone() {
                let mut plan = Plan::default();
                let mut by_from: HashMap<(usize, usize), usize> = HashMap::default();
                for below in child..=last[child] {
                    let table = self.pairs.get(&(n, below)).copied().unwrap_or(0);
                    let from = (self.plans[n].class.get(&below).copied().unwrap_or(0), table);
                    let class = *by_from.entry(from).or_insert_with(|| {
                        plan.from.push(from);
                        plan.matters.push(0);
                        plan.from.len() - 1
                    });
                    plan.class.insert(below, class);
                    plan.matters[class] |= self.domains[below];
                }
                self.plans[child] = plan;
            }
        }
    }

    fn mask(&self, var: usize, values: &[i64]) -> Mask {
        crate::classify::mask_of(self.model, Var(var as u32), |value| values.contains(&value))
    }

    fn slot(&mut self, at: usize, above: Vec<Var>, values: &Arc<[i64]>) -> usize {
        let slot = Slot { above: above.into(), values: values.clone() };
        let slots = &mut self.plans[at].slots;
        slots.iter().position(|other| *other == slot).unwrap_or_else(|| {
            slots.push(slot);
            slots.len() - 1
        })
    }

    /// Put a statement where it is open and where it ends
    fn path(&mut self, path: &Formula) {
        let scope = path.scope();
        let depth = |var: &Var| self.model.around(Some(*var)).count();
        let Some(deepest) = scope.iter().copied().max_by_key(depth) else { return };
        let mut around: Vec<Var> = self.model.around(Some(deepest)).collect();
        around.reverse();
        for (place, at) in around.iter().enumerate() {
            let above = &around[..place];
            if *at != deepest && !scope.iter().any(|var| above.contains(var)) {
                continue;
            }
            let found = std::cell::RefCell::new(&mut *self);
            let here = path.rewrite(&|atom| {
                let Formula::Any(vars, values) = atom else { return None };
                let mut this = found.borrow_mut();
                let before: Vec<Var> = vars.iter().copied().filter(|var| above.contains(var)).collect();
                let closed = before.len() == vars.len();
                if *at == deepest {
                    let own = if vars.contains(at) { this.mask(at.index(), values) } else { 0 };
                    let slot = (!before.is_empty()).then(|| this.slot(at.index(), before, values));
                    let atoms = &mut this.plans[at.index()].atoms;
                    let n = atoms.iter().position(|other| *other == (slot, own)).unwrap_or_else(|| {
                        atoms.push((slot, own));
                        atoms.len() - 1
                    });
                    return Some(Formula::is_in(Var(n as u32), [1]));
                }
                // Nothing seen yet, and something may follow: open, whatever it is.
                let slot = this.slot(at.index(), before, values);
                Some(Formula::is_in(Var((2 * slot + usize::from(closed)) as u32), [1]))
            });
            let plan = &mut self.plans[at.index()];
            let list = if *at == deepest { &mut plan.ends } else { &mut plan.open };
            if !list.contains(&here) {
                list.push(here);
            }
        }
    }

    /// Where each slot's bit comes from
    fn link(&mut self) {
        for n in (0..self.plans.len()).rev() {
            let Some(parent) = self.model.vars[n].parent else {
                self.plans[n].sources = vec![(None, 0); self.plans[n].slots.len()];
                continue;
            };
            let mut sources = Vec::new();
            for slot in self.plans[n].slots.clone() {
                let own =
                    if slot.above.contains(&parent) { self.mask(parent.index(), &slot.values) } else { 0 };
                let before: Vec<Var> = slot.above.iter().copied().filter(|var| *var != parent).collect();
                let from = (!before.is_empty()).then(|| self.slot(parent.index(), before, &slot.values));
                sources.push((from, own));
            }
            self.plans[n].sources = sources;
        }
    }

    fn states(&self, roots: &[usize]) -> Vec<Node> {
        let mut nodes: Vec<Node> = self
            .children
            .iter()
            .map(|children| Node { children: children.clone(), states: Vec::new() })
            .collect();
        let mut keys: Vec<Vec<Key>> = vec![Vec::new(); nodes.len()];
        let mut known: Vec<HashMap<Key, u32>> = vec![HashMap::default(); nodes.len()];
        for root in roots {
            let bits = self.plans[*root].slots.len().div_ceil(64);
            keys[*root].push(std::iter::once(Mask::MAX).chain(std::iter::repeat_n(0, bits)).collect());
        }
        for n in 0..nodes.len() {
            let plan = &self.plans[n];
            let classes = plan.from.len();
            let own = plan.class.get(&n).copied().unwrap_or(0);
            let mut states = Vec::with_capacity(keys[n].len());
            for key in std::mem::take(&mut keys[n]) {
                let bit = |slot: usize| key[classes + slot / 64] >> (slot % 64) & 1 == 1;
                let mut allowed = self.domains[n] & key[own];
                let mut edges = Vec::new();
                while allowed != 0 {
                    let value = allowed.trailing_zeros() as usize;
                    allowed &= allowed - 1;
                    let atom = |var: Var| {
                        let (slot, own) = plan.atoms[var.index()];
                        Some(i64::from(slot.is_some_and(bit) || own >> value & 1 == 1))
                    };
                    if plan.ends.iter().any(|end| end.eval(&atom) != Some(true)) {
                        continue;
                    }
                    let mut next = Vec::with_capacity(nodes[n].children.len());
                    for child in &nodes[n].children {
                        let Some(key) = self.key(*child, value, &key, &bit) else { break };
                        let fresh = known[*child].len() as u32;
                        let state = *known[*child].entry(key.clone()).or_insert(fresh);
                        if state == fresh {
                            keys[*child].push(key);
                        }
                        next.push(state);
                    }
                    if next.len() == nodes[n].children.len() {
                        edges.push(Edge { value: value as u8, next: next.into() });
                    }
                }
                states.push(edges);
            }
            nodes[n].states = states;
        }
        nodes
    }

    /// The state of a child; `None` if a statement is false there
    fn key(&self, child: usize, value: usize, parent: &Key, bit: &dyn Fn(usize) -> bool) -> Option<Key> {
        let plan = &self.plans[child];
        let words = plan.slots.len().div_ceil(64);
        let mut key = vec![0u64; plan.from.len() + words];
        for (n, (from, table)) in plan.from.iter().enumerate() {
            let rows = &self.tables[*table];
            let row = rows.get(value).copied().unwrap_or(Mask::MAX);
            key[n] = parent[*from] & row & plan.matters[n];
        }
        let bits = &mut key[plan.from.len()..];
        for (n, (from, hit)) in plan.sources.iter().enumerate() {
            if from.is_some_and(bit) || hit >> value & 1 == 1 {
                bits[n / 64] |= 1 << (n % 64);
            }
        }
        let seen = |slot: usize| bits[slot / 64] >> (slot % 64) & 1 == 1;
        let at = |var: Var| {
            let (slot, closed) = (var.index() / 2, var.index() % 2 == 1);
            if seen(slot) { Some(1) } else { closed.then_some(0) }
        };
        if plan.open.iter().any(|open| open.eval(&at) == Some(false)) {
            return None;
        }
        Some(key.into())
    }
}
