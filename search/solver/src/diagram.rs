//! All solutions on a tree as a graph: for each variable states, for each state the values that lead on.
//!
//! A state of a variable is what the values around it mean for it, for those below and for its siblings that follow:
//! which values pairs still allow, which uses have been seen that statements about paths wait for, which groups are in use.
//! Different values around that mean the same are one state, so that the graph is small where the tree is deep. An edge leads
//! to a state of the first variable below and to one of the next sibling: both are independent, solutions multiply. Values that
//! lead nowhere are removed, so that walking down never fails.

use crate::classify::{Mask, Parts, Path};
use crate::model::Model;
use crate::uncounted::{MOST_SLOTS, Uncounted};
use terrace_support::HashMap;

/// A value of a variable in a state, and where it leads
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Place of the value among the variable's
    pub value: u8,
    /// State of the first variable below, if there is one
    pub down: u32,
    /// State of the next sibling, if there is one
    pub next: u32,
}

/// A variable with its states
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// First variable below
    pub child: Option<usize>,
    /// Next sibling
    pub next: Option<usize>,
    /// All edges, of one state after the other
    pub edges: Vec<Edge>,
    /// Where the edges of each state begin, and the end
    pub starts: Vec<u32>,
}

impl Node {
    /// Number of states
    pub fn num_states(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The values of a state that lead to solutions, ascending
    pub fn state(&self, state: u32) -> &[Edge] {
        &self.edges[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }

    /// The edges of a state that is made after those before
    pub fn push(&mut self, edges: impl IntoIterator<Item = Edge>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.edges.extend(edges);
        self.starts.push(self.edges.len() as u32);
    }
}

/// The graph; empty if there is no solution
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// In pre-order
    pub nodes: Vec<Node>,
    /// States of the first variable in which solutions begin: no solution begins in two
    pub starts: Vec<u32>,
}

/// Uses among the values around a variable: a list of variables, grown by one at a time, for one set of values
struct Prefix {
    before: Option<usize>,
    last: usize,
    values: usize,
}

/// What has to hold at a variable: of seen uses the values that it may have
#[derive(PartialEq, Eq)]
struct Check {
    slots: Vec<usize>,
    allowed: Vec<Mask>,
}

/// What a variable's states consist of
#[derive(Default)]
struct Plan {
    /// Class of each variable from here down by what pairs with those around say: equal ones share a mask
    class: Vec<u32>,
    /// Class of the one around, and table of the pair with it
    from: Vec<(usize, usize)>,
    /// Values that matter to each class
    matters: Vec<Mask>,
    /// Uses that states tell apart: groups first, then prefixes
    slots: Vec<usize>,
    /// Of each slot: the slot at the one around
    sources: Vec<Option<usize>>,
    /// Of each value of the one around, the slots that it sets
    hits: Vec<u64>,
    checks: Vec<Check>,
}

struct Builder<'a> {
    model: &'a Model,
    domains: Vec<Mask>,
    tables: Vec<Vec<Mask>>,
    pairs: HashMap<(usize, usize), usize>,
    children: Vec<Vec<usize>>,
    last: Vec<usize>,
    groups: usize,
    prefixes: Vec<Prefix>,
    by_prefix: HashMap<(Option<usize>, usize, usize), usize>,
    values: Vec<std::sync::Arc<[i64]>>,
    by_values: HashMap<std::sync::Arc<[i64]>, usize>,
    /// Of each set of values and variable
    masks: HashMap<(usize, usize), Mask>,
    plans: Vec<Plan>,
}

impl Diagram {
    /// Of the parts of a model
    pub fn new(model: &Model, parts: &Parts) -> Result<Diagram, Uncounted> {
        let mut children = vec![Vec::new(); model.vars.len()];
        let mut roots = Vec::new();
        for (n, var) in model.vars.iter().enumerate() {
            match var.parent {
                Some(parent) => children[parent.index()].push(n),
                None => roots.push(n),
            }
        }
        let mut tables: Vec<Vec<Mask>> = vec![Vec::new()];
        let mut by_table: HashMap<&[Mask], usize> = HashMap::default();
        let mut pairs = HashMap::default();
        for ((upper, lower), table) in &parts.pairs {
            let id = *by_table.entry(table).or_insert_with(|| {
                tables.push(table.clone());
                tables.len() - 1
            });
            pairs.insert((upper.index(), lower.index()), id);
        }
        // The variables from each one down are a range in pre-order.
        let mut last: Vec<usize> = (0..children.len()).collect();
        for n in (0..children.len()).rev() {
            last[n] = children[n].last().map_or(n, |child| last[*child]);
        }
        let mut builder = Builder {
            model,
            domains: parts.domains.clone(),
            tables,
            pairs,
            children,
            last,
            groups: parts.groups.len(),
            prefixes: Vec::new(),
            by_prefix: HashMap::default(),
            values: Vec::new(),
            by_values: HashMap::default(),
            masks: HashMap::default(),
            plans: (0..model.vars.len()).map(|_| Plan::default()).collect(),
        };
        builder.classes(&roots);
        for path in &parts.paths {
            builder.path(path);
        }
        builder.link()?;
        let mut diagram = builder.states(&roots, &parts.used());
        diagram.prune();
        Ok(diagram)
    }

    /// Number of states, over all variables
    pub fn num_states(&self) -> usize {
        self.nodes.iter().map(Node::num_states).sum()
    }

    /// Remove what leads nowhere
    fn prune(&mut self) {
        for n in (0..self.nodes.len()).rev() {
            let mut node = std::mem::take(&mut self.nodes[n]);
            let alive = |other: Option<usize>, state: u32| {
                other.is_none_or(|other| {
                    let starts = &self.nodes[other].starts;
                    starts[state as usize] < starts[state as usize + 1]
                })
            };
            let (mut kept, mut start) = (0, 0);
            for state in 0..node.num_states() {
                let end = node.starts[state + 1] as usize;
                for place in start..end {
                    let edge = node.edges[place];
                    if alive(node.child, edge.down) && alive(node.next, edge.next) {
                        node.edges[kept] = edge;
                        kept += 1;
                    }
                }
                start = end;
                node.starts[state + 1] = kept as u32;
            }
            node.edges.truncate(kept);
            self.nodes[n] = node;
        }
        if let Some(first) = self.nodes.first() {
            self.starts.retain(|start| !first.state(*start).is_empty());
        }
    }
}

impl Builder<'_> {
    fn classes(&mut self, roots: &[usize]) {
        for root in roots {
            let plan = &mut self.plans[*root];
            plan.class = vec![0; self.last[*root] + 1 - root];
            plan.from = vec![(0, 0)];
            plan.matters = vec![Mask::MAX];
        }
        for n in 0..self.children.len() {
            for child in &self.children[n] {
                let child = *child;
                let mut plan = Plan::default();
                let mut by_from: HashMap<(usize, usize), usize> = HashMap::default();
                for below in child..=self.last[child] {
                    let table = self.pairs.get(&(n, below)).copied().unwrap_or(0);
                    let from = (self.plans[n].class[below - n] as usize, table);
                    let class = *by_from.entry(from).or_insert_with(|| {
                        plan.from.push(from);
                        plan.matters.push(0);
                        plan.from.len() - 1
                    });
                    plan.class.push(class as u32);
                    plan.matters[class] |= self.domains[below];
                }
                self.plans[child] = plan;
            }
        }
    }

    fn mask(&mut self, var: usize, values: usize) -> Mask {
        let (model, all) = (self.model, &self.values[values]);
        *self.masks.entry((values, var)).or_insert_with(|| {
            crate::classify::mask_of(model, crate::Var(var as u32), |value| all.contains(&value))
        })
    }

    fn prefix(&mut self, before: Option<usize>, last: usize, values: usize) -> usize {
        let prefixes = &mut self.prefixes;
        *self.by_prefix.entry((before, last, values)).or_insert_with(|| {
            prefixes.push(Prefix { before, last, values });
            prefixes.len() - 1
        })
    }

    /// Put a statement at each variable that it speaks of: there it must not be false yet, and at the last one it holds
    fn path(&mut self, path: &Path) {
        let groups = self.groups;
        // What of each atom has been seen, as a slot.
        let mut seen: Vec<Option<usize>> = path.groups.iter().map(|group| Some(*group)).collect();
        seen.resize(path.groups.len() + path.uses.len(), None);
        let mut uses: Vec<(usize, usize)> = Vec::with_capacity(path.uses.len());
        for (_, values) in &path.uses {
            let id = match self.by_values.get(values) {
                Some(id) => *id,
                None => {
                    self.values.push(values.clone());
                    self.by_values.insert(values.clone(), self.values.len() - 1);
                    self.values.len() - 1
                }
            };
            uses.push((id, 0));
        }
        for var in path.scope() {
            let n = var.index();
            let mut own = vec![0 as Mask; seen.len()];
            let mut open = 0usize;
            for (place, (vars, _)) in path.uses.iter().enumerate() {
                let (values, at) = uses[place];
                if vars.get(at) == Some(&var) {
                    own[path.groups.len() + place] = self.mask(n, values);
                    uses[place].1 += 1;
                }
                if uses[place].1 < vars.len() {
                    open |= 1 << (path.groups.len() + place);
                }
            }
            let slots: Vec<usize> = seen.iter().flatten().copied().collect();
            let with: Vec<usize> = (0..seen.len()).filter(|atom| seen[*atom].is_some()).collect();
            let full = self.domains[n];
            let allowed: Vec<Mask> = (0..1usize << slots.len())
                .map(|bits| {
                    let before = with
                        .iter()
                        .enumerate()
                        .filter(|(n, _)| bits >> n & 1 == 1)
                        .fold(0, |all, (_, atom)| all | 1 << atom);
                    let (mut rest, mut out) = (full, 0);
                    while rest != 0 {
                        let value = rest.trailing_zeros();
                        let hits = |atom: &usize| own[*atom] >> value & 1 == 1;
                        let hit = (0..own.len()).filter(hits).fold(0, |all, atom| all | 1 << atom);
                        // All values with the same hits at once.
                        let same = own.iter().enumerate().fold(rest, |same, (atom, mask)| {
                            same & if hit >> atom & 1 == 1 { *mask } else { !*mask }
                        });
                        if path.may_hold(before | hit, open & !(before | hit)) {
                            out |= same;
                        }
                        rest &= !same;
                    }
                    out
                })
                .collect();
            if allowed.iter().any(|mask| *mask != full) {
                let check = Check { slots, allowed };
                let checks = &mut self.plans[n].checks;
                if !checks.contains(&check) {
                    checks.push(check);
                }
            }
            for (place, (vars, _)) in path.uses.iter().enumerate() {
                let (values, at) = uses[place];
                if at > 0 && vars.get(at - 1) == Some(&var) {
                    let atom = path.groups.len() + place;
                    let before = seen[atom].map(|slot| slot - groups);
                    seen[atom] = Some(groups + self.prefix(before, n, values));
                }
            }
        }
    }

    /// Which slots each variable has, and where their bits come from
    fn link(&mut self) -> Result<(), Uncounted> {
        for n in (0..self.plans.len()).rev() {
            let mut slots: Vec<usize> =
                self.plans[n].checks.iter().flat_map(|check| check.slots.iter().copied()).collect();
            for child in self.children[n].clone() {
                for slot in &self.plans[child].slots {
                    match slot.checked_sub(self.groups).map(|prefix| &self.prefixes[prefix]) {
                        Some(prefix) if prefix.last == n => {
                            slots.extend(prefix.before.map(|before| self.groups + before));
                        }
                        _ => slots.push(*slot),
                    }
                }
            }
            slots.sort_unstable();
            slots.dedup();
            if slots.len() > MOST_SLOTS {
                let name = self.model.vars[n].name.clone();
                return Err(Uncounted::Uses { name, uses: slots.len() });
            }
            for check in &mut self.plans[n].checks {
                for slot in &mut check.slots {
                    *slot = slots.binary_search(slot).unwrap_or(0);
                }
            }
            self.plans[n].slots = slots;
        }
        for n in 0..self.plans.len() {
            let Some(parent) = self.model.vars[n].parent.map(crate::Var::index) else { continue };
            let mut sources = Vec::new();
            let mut hits = vec![0u64; self.model.vars[parent].values.len()];
            for (place, slot) in self.plans[n].slots.clone().into_iter().enumerate() {
                let mut from = Some(slot);
                if let Some(prefix) = slot.checked_sub(self.groups)
                    && self.prefixes[prefix].last == parent
                {
                    let Prefix { before, values, .. } = self.prefixes[prefix];
                    from = before.map(|before| self.groups + before);
                    let mask = self.mask(parent, values);
                    for (value, hits) in hits.iter_mut().enumerate() {
                        *hits |= (mask >> value & 1) << place;
                    }
                }
                sources.push(from.and_then(|from| self.plans[parent].slots.binary_search(&from).ok()));
            }
            (self.plans[n].sources, self.plans[n].hits) = (sources, hits);
        }
        Ok(())
    }

    /// From the first variable on, states as they are met
    fn states(&self, roots: &[usize], used: &[u32]) -> Diagram {
        let mut nodes: Vec<Node> = vec![Node::default(); self.children.len()];
        for (n, children) in self.children.iter().enumerate() {
            nodes[n].child = children.first().copied();
            for pair in children.windows(2) {
                nodes[pair[0]].next = Some(pair[1]);
            }
        }
        for pair in roots.windows(2) {
            nodes[pair[0]].next = Some(pair[1]);
        }
        let mut pool: Vec<Pool> = self.plans.iter().map(|plan| Pool::new(plan.from.len() + 2)).collect();
        let mut scratch: Vec<u64> = Vec::new();
        let mut diagram = Diagram { nodes: Vec::new(), starts: Vec::new() };
        for used in used {
            // From the last one on, so that each knows its next.
            let mut next = 0;
            for root in roots.iter().rev() {
                let plan = &self.plans[*root];
                let groups = plan.slots.iter().enumerate().filter(|(_, slot)| **slot < self.groups);
                let bits =
                    groups.fold(0u64, |bits, (place, slot)| bits | u64::from(used >> slot & 1) << place);
                scratch.clear();
                scratch.extend([Mask::MAX, bits, u64::from(next)]);
                next = pool[*root].intern(&scratch);
            }
            diagram.starts.push(next);
        }
        let mut key: Vec<u64> = Vec::new();
        let mut edges: Vec<Edge> = Vec::new();
        for n in 0..nodes.len() {
            let plan = &self.plans[n];
            let classes = plan.from.len();
            let own = plan.class.first().map_or(0, |class| *class as usize);
            for state in 0..pool[n].len() {
                key.clear();
                key.extend_from_slice(pool[n].key(state));
                let (bits, beside) = (key[classes], key[classes + 1] as u32);
                let mut allowed = self.domains[n] & key[own];
                for check in &plan.checks {
                    let index =
                        check.slots.iter().enumerate().fold(0usize, |index, (place, slot)| {
                            index | ((bits >> slot & 1) as usize) << place
                        });
                    allowed &= check.allowed[index];
                }
                edges.clear();
                while allowed != 0 {
                    let value = allowed.trailing_zeros() as usize;
                    allowed &= allowed - 1;
                    let mut down = 0;
                    for child in self.children[n].iter().rev() {
                        let plan = &self.plans[*child];
                        scratch.clear();
                        for ((from, table), matters) in plan.from.iter().zip(&plan.matters) {
                            let row = self.tables[*table].get(value).copied().unwrap_or(Mask::MAX);
                            scratch.push(key[*from] & row & matters);
                        }
                        let mut below = plan.hits[value];
                        for (place, from) in plan.sources.iter().enumerate() {
                            if let Some(from) = from {
                                below |= (bits >> from & 1) << place;
                            }
                        }
                        scratch.extend([below, u64::from(down)]);
                        down = pool[*child].intern(&scratch);
                    }
                    edges.push(Edge { value: value as u8, down, next: beside });
                }
                nodes[n].push(edges.iter().copied());
            }
        }
        diagram.nodes = nodes;
        diagram
    }
}

/// Keys of equal length, each with a number
struct Pool {
    width: usize,
    keys: Vec<u64>,
    places: Vec<u32>,
}

impl Pool {
    fn new(width: usize) -> Pool {
        Pool { width, keys: Vec::new(), places: Vec::new() }
    }

    fn len(&self) -> usize {
        self.keys.len() / self.width
    }

    fn key(&self, n: usize) -> &[u64] {
        &self.keys[n * self.width..(n + 1) * self.width]
    }

    fn hash(key: &[u64]) -> usize {
        let mixed = key
            .iter()
            .fold(0u64, |hash, word| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (mixed ^ (mixed >> 29)) as usize
    }

    /// The number of a key, a new one if it has none: open addressing
    fn intern(&mut self, key: &[u64]) -> u32 {
        if self.places.len() < 2 * (self.len() + 1) {
            let size = (4 * (self.len() + 1)).next_power_of_two().max(8);
            self.places = vec![u32::MAX; size];
            for n in 0..self.len() {
                let mut at = Pool::hash(self.key(n)) & (size - 1);
                while self.places[at] != u32::MAX {
                    at = (at + 1) & (size - 1);
                }
                self.places[at] = n as u32;
            }
        }
        let most = self.places.len() - 1;
        let mut at = Pool::hash(key) & most;
        loop {
            match self.places[at] {
                u32::MAX => break,
                n if self.key(n as usize) == key => return n,
                _ => at = (at + 1) & most,
            }
        }
        let n = self.len() as u32;
        self.places[at] = n;
        self.keys.extend_from_slice(key);
        n
    }
}
