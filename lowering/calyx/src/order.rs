//! Which accesses of an iteration wait for which, and who takes what: found once for all intervals that are tried.

use crate::alias::{before_in_iteration, distance};
use crate::graph::{Access, Bank, Graph, NodeId, What};
use crate::memory::Memory;
use terrace_support::HashMap;

/// Iterations that are looked at, over all pairs of accesses
const STEPS: i64 = 1 << 26;

/// Order of the nodes of an iteration
pub(crate) struct Order {
    /// By access: those before it that it waits for
    pub before: Vec<Vec<NodeId>>,
    /// By access: those after it that wait for it
    pub after: Vec<Vec<NodeId>>,
    /// By node: nodes that take its value as an argument, as a condition or as a number of a bank
    pub takers: Vec<Vec<NodeId>>,
    /// Pairs of which the second, so many iterations later, may touch the element of the first
    pub later: Vec<(NodeId, NodeId, i64)>,
}

impl Order {
    /// Of a nest with these trip counts
    pub fn of(graph: &Graph, trips: &[i64]) -> Order {
        let all = graph.nodes.len();
        let mut order = Order {
            before: vec![Vec::new(); all],
            after: vec![Vec::new(); all],
            takers: vec![Vec::new(); all],
            later: Vec::new(),
        };
        let mut by_memory: HashMap<usize, Vec<NodeId>> = HashMap::default();
        for node in 0..all {
            order.note_takers(graph, node);
            let Some(own) = access(graph, node) else { continue };
            let others = by_memory.entry(own.memory).or_default();
            for other in others.iter().copied() {
                if access(graph, other).is_some_and(|earlier| before_in_iteration(earlier, own)) {
                    order.before[node].push(other);
                    order.after[other].push(node);
                }
            }
            others.push(node);
        }
        if trips.iter().any(|trips| *trips > 1) {
            let mut left = STEPS;
            let mut memories: Vec<Vec<NodeId>> = by_memory.into_values().collect();
            memories.sort_unstable();
            memories.iter().for_each(|accesses| order.note_later(graph, accesses, trips, &mut left));
        }
        order
    }

    fn note_takers(&mut self, graph: &Graph, node: NodeId) {
        let own = access(graph, node);
        let more = own.and_then(|own| own.when).into_iter().chain(own.and_then(|own| own.found_bank()));
        for taken in graph.nodes[node].args.iter().copied().chain(more) {
            self.takers[taken].push(node);
        }
    }

    /// Pairs of accesses of one memory
    fn note_later(&mut self, graph: &Graph, accesses: &[NodeId], trips: &[i64], left: &mut i64) {
        for (x, y) in accesses.iter().flat_map(|x| accesses.iter().map(|y| (*x, *y))) {
            let (Some(a), Some(b)) = (access(graph, x), access(graph, y)) else { continue };
            if a.stores || b.stores {
                self.later.extend(distance(graph, a, b, trips, left).map(|distance| (x, y, distance)));
            }
        }
    }
}

/// The interval below which the accesses of some bank have too few ports
pub(crate) fn least_by_ports(graph: &Graph, memories: &[Memory]) -> i64 {
    let mut counts: HashMap<(usize, usize), i64> = HashMap::default();
    for own in (0..graph.nodes.len()).filter_map(|node| access(graph, node)) {
        let banks = match own.bank {
            Bank::Known(bank) => bank..bank + 1,
            Bank::Found(_) => 0..memories[own.memory].all_banks(),
        };
        banks.for_each(|bank| *counts.entry((own.memory, bank)).or_default() += 1);
    }
    let needed = |((memory, _), count): (&(usize, usize), &i64)| {
        let ports = memories[*memory].ports() as i64;
        (count + ports - 1) / ports
    };
    counts.iter().map(needed).max().unwrap_or(1)
}

/// The access that a node is, if it is one
pub(crate) fn access(graph: &Graph, node: NodeId) -> Option<&Access> {
    match &graph.nodes[node].what {
        What::Access(access) => Some(access),
        _ => None,
    }
}
