//! Cycles of an iteration, so that one can begin every few cycles (modulo scheduling).
//!
//! Accesses of a bank in cycles that overlap share its ports; an access waits for those before it that touch the same element, in its own
//! iteration and in earlier ones. The interval grows until all that holds.

use crate::graph::{Access, Bank, Graph, NodeId, What};
use crate::memory::Memory;
use crate::order::{Order, access, least_by_ports};
use terrace_support::HashMap;

/// Cells without a clock that a cycle has time for, one after the other
const CHAIN: i64 = 4;
/// Cycles of a multiplier of Calyx's library (`pipelined_mult`)
const PRODUCT: i64 = 4;
/// Longest interval that is tried
const LONGEST: i64 = 1 << 12;

/// When nodes of an iteration begin, from its first cycle on
pub(crate) struct Times {
    /// Cycles from one iteration to the next
    pub interval: i64,
    pub start: Vec<i64>,
    /// When values are there; none of those that do not change
    pub ready: Vec<Option<i64>>,
    /// The port of an access
    pub port: Vec<usize>,
    /// Cycles of an iteration
    pub depth: i64,
}

impl Times {
    /// The cycle in which a register gets its next value: not before this iteration has read it
    pub fn passes(&self, (reads, next): (NodeId, NodeId)) -> i64 {
        self.ready[next].unwrap_or(0).max(self.start[reads])
    }
}

/// Cycles for an iteration, with the shortest interval from `least` on
pub(crate) fn times(graph: &Graph, memories: &[Memory], trips: &[i64], least: i64) -> Option<Times> {
    let least = least.max(1).max(least_by_ports(graph, memories));
    if least > LONGEST {
        return None;
    }
    let order = Order::of(graph, trips);
    let repeats = trips.iter().any(|trips| *trips > 1);
    let holds = |times: &Times| {
        let in_time = |(reads, next): &(NodeId, NodeId)| {
            times.start[*reads] + times.interval > times.ready[*next].unwrap_or(0)
        };
        (!repeats || graph.carried.iter().all(in_time))
            && order.later.iter().all(|(x, y, distance)| {
                let lasts = i64::from(access(graph, *x).is_some_and(|access| access.stores));
                times.start[*y] + distance * times.interval >= times.start[*x] + lasts
            })
    };
    let fits =
        |interval| Placing { graph, memories, order: &order, interval, taken: HashMap::default() }.place();
    (least..=LONGEST).find_map(|interval| fits(interval).filter(&holds))
}

struct Placing<'a> {
    graph: &'a Graph,
    memories: &'a [Memory],
    order: &'a Order,
    interval: i64,
    /// Ports that are taken, by memory, bank and cycle
    taken: HashMap<(usize, usize, i64), Vec<usize>>,
}

impl Placing<'_> {
    fn place(mut self) -> Option<Times> {
        let all = self.graph.nodes.len();
        let mut times = Times {
            interval: self.interval,
            start: vec![0; all],
            ready: vec![None; all],
            port: vec![0; all],
            depth: 1,
        };
        let mut chain = vec![0; all];
        for node in 0..all {
            self.first(node, &mut times, &mut chain)?;
        }
        for node in (0..all).rev() {
            self.sink(node, &mut times);
        }
        // Places of loads are computed when they are taken.
        let ends = (0..all).filter(|node| access(self.graph, *node).is_some());
        let accessed = ends.map(|node| times.start[node] + 1).max().unwrap_or(1);
        let passed = self.graph.carried.iter().map(|pair| times.passes(*pair) + 1);
        times.depth = passed.fold(accessed, i64::max);
        Some(times)
    }

    /// As early as its arguments, ports and accesses before it allow
    fn first(&mut self, node: NodeId, times: &mut Times, chain: &mut [i64]) -> Option<()> {
        let own = &self.graph.nodes[node];
        let waits = own.args.iter().chain(access(self.graph, node).and_then(|access| access.when.as_ref()));
        let waits: Vec<(i64, i64)> =
            waits.filter_map(|arg| Some((times.ready[*arg]?, chain[*arg]))).collect();
        let start = waits.iter().map(|(ready, _)| *ready).max();
        let before = waits.iter().filter(|(ready, _)| Some(*ready) == start).map(|(_, chain)| *chain).max();
        let (begin, before) = (start.unwrap_or(0), before.unwrap_or(0));
        match &own.what {
            What::Still(_) => {}
            What::Counter(_) | What::Carried(_) => times.ready[node] = Some(0),
            What::Cell { delay, .. } | What::Sum { delay, .. } => {
                times.start[node] = begin;
                chain[node] = before + delay;
                if chain[node] > CHAIN && before > 0 {
                    times.start[node] += 1;
                    chain[node] = *delay;
                }
                times.ready[node] = start.map(|_| times.start[node]);
            }
            What::Product => {
                times.start[node] = begin;
                // Also where neither number changes: the multiplier still takes its cycles.
                times.ready[node] = Some(begin + PRODUCT);
            }
            What::Access(own) => {
                let found = own.found_bank();
                let begin = begin.max(found.and_then(|bank| times.ready[bank]).unwrap_or(0));
                let after = self.order.before[node].iter().map(|other| {
                    let lasts = access(self.graph, *other).is_some_and(|earlier| earlier.stores);
                    times.start[*other] + i64::from(lasts)
                });
                let begin = after.fold(begin, i64::max);
                let cycle = (begin..begin + self.interval).find(|cycle| self.free(own, *cycle).is_some())?;
                times.port[node] = self.take(own, cycle)?;
                times.start[node] = cycle;
                times.ready[node] = Some(cycle + 1);
            }
        }
        Some(())
    }

    /// Read a register as late as what takes it
    fn sink_register(&self, node: NodeId, times: &mut Times) {
        let takers = self.order.takers[node].iter().map(|taker| times.start[*taker]);
        let latest = takers.min().unwrap_or(0);
        times.start[node] = latest;
        times.ready[node] = Some(latest);
    }

    /// Begin a load as late as what takes it, so that sums wait for memory only and not for products
    fn sink(&mut self, node: NodeId, times: &mut Times) {
        if matches!(self.graph.nodes[node].what, What::Carried(_)) {
            return self.sink_register(node, times);
        }
        let Some(own) = access(self.graph, node).filter(|own| !own.stores) else { return };
        let takers = self.order.takers[node].iter().map(|taker| times.start[*taker] - 1);
        let after = self.order.after[node].iter().map(|other| times.start[*other]);
        let latest = takers.chain(after).min().unwrap_or(i64::MAX);
        let (begin, port) = (times.start[node], times.port[node]);
        if latest == i64::MAX || latest <= begin {
            return;
        }
        self.give(own, begin, port);
        let cycles = (begin..=latest).rev().find(|cycle| self.free(own, *cycle).is_some());
        let cycle = cycles.unwrap_or(begin);
        times.port[node] = self.take(own, cycle).unwrap_or(port);
        times.start[node] = cycle;
        times.ready[node] = Some(cycle + 1);
    }

    fn banks(&self, access: &Access) -> std::ops::Range<usize> {
        match access.bank {
            Bank::Known(bank) => bank..bank + 1,
            Bank::Found(_) => 0..self.memories[access.memory].all_banks(),
        }
    }

    /// A port that is free in all banks that an access may touch
    fn free(&self, access: &Access, cycle: i64) -> Option<usize> {
        let at = cycle.rem_euclid(self.interval);
        let taken = |bank, port| {
            self.taken.get(&(access.memory, bank, at)).is_some_and(|ports| ports.contains(&port))
        };
        let ports = self.memories[access.memory].ports();
        (0..ports).find(|port| self.banks(access).all(|bank| !taken(bank, *port)))
    }

    fn take(&mut self, access: &Access, cycle: i64) -> Option<usize> {
        let port = self.free(access, cycle)?;
        for bank in self.banks(access) {
            let at = cycle.rem_euclid(self.interval);
            self.taken.entry((access.memory, bank, at)).or_default().push(port);
        }
        Some(port)
    }

    fn give(&mut self, access: &Access, cycle: i64, port: usize) {
        for bank in self.banks(access) {
            let at = cycle.rem_euclid(self.interval);
            let ports = self.taken.entry((access.memory, bank, at)).or_default();
            ports.retain(|own| *own != port);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Index;
    use crate::netlist::Wire;

    /// An array of eight numbers of 16 bits, and the number of an iteration of eight
    fn start() -> (Graph, Vec<Memory>, NodeId) {
        let (name, sizes, banks) = ("t".into(), vec![8], vec![1]);
        let memory = Memory { name, width: 16, sizes, banks, copies: 1, argument: None };
        let mut graph = Graph::default();
        let counter = graph.node(What::Counter(0), &[], 3, Some(7));
        (graph, vec![memory], counter)
    }

    fn access_of(graph: &mut Graph, place: NodeId, value: Option<NodeId>) -> NodeId {
        let (bank, element) = (Bank::Known(0), Index::of(place));
        let stores = value.is_some();
        let access = Access { memory: 0, second: None, bank, element, when: None, stores };
        let args: Vec<NodeId> = std::iter::once(place).chain(value).collect();
        graph.node(What::Access(access), &args, 16, None)
    }

    fn sum_of(graph: &mut Graph, a: NodeId, b: NodeId) -> NodeId {
        let what = What::Cell { primitive: "std_add", ports: &["left", "right"], params: vec![16], delay: 1 };
        graph.node(what, &[a, b], 16, None)
    }

    #[test]
    fn a_register_is_read_before_it_changes() {
        let (mut graph, memories, counter) = start();
        let register = graph.node(What::Carried(0), &[], 16, None);
        let load = access_of(&mut graph, counter, None);
        let product = graph.node(What::Product, &[load, load], 16, None);
        let sum = sum_of(&mut graph, register, product);
        let place = graph.number(0, 3);
        access_of(&mut graph, place, Some(sum));
        // The next value is there long before the sum takes the present one.
        graph.carried.push((register, load));
        let times = times(&graph, &memories, &[8], 1).expect("there are ports");
        assert_eq!((times.start[register], times.start[sum]), (5, 5));
        assert_eq!(times.ready[load], Some(1));
        assert_eq!(times.passes((register, load)), 5);
        assert!(times.depth > 5);
    }

    #[test]
    fn a_sum_in_a_register_takes_one_cycle() {
        let (mut graph, memories, counter) = start();
        let register = graph.node(What::Carried(0), &[], 16, None);
        let load = access_of(&mut graph, counter, None);
        let sum = sum_of(&mut graph, register, load);
        graph.carried.push((register, sum));
        let times = times(&graph, &memories, &[8], 1).expect("there are ports");
        assert_eq!((times.interval, times.passes((register, sum))), (1, 1));
    }

    #[test]
    fn a_product_of_what_does_not_change_takes_its_cycles() {
        let (mut graph, memories, counter) = start();
        let [a, b] = ["n0", "n1"].map(|name| graph.node(What::Still(Wire::new(name, 16)), &[], 16, None));
        let product = graph.node(What::Product, &[a, b], 16, None);
        let store = access_of(&mut graph, counter, Some(product));
        let times = times(&graph, &memories, &[8], 1).expect("there are ports");
        assert_eq!((times.ready[product], times.start[store]), (Some(PRODUCT), PRODUCT));
    }

    #[test]
    fn the_search_begins_where_ports_suffice() {
        let (mut graph, memories, counter) = start();
        for _ in 0..5 {
            access_of(&mut graph, counter, None);
        }
        assert_eq!(least_by_ports(&graph, &memories), 3);
        assert_eq!(times(&graph, &memories, &[8], 1).map(|times| times.interval), Some(3));
        let order = Order::of(&graph, &[8]);
        assert!(order.later.is_empty() && order.before.iter().all(Vec::is_empty));
    }
}
