//! A loop nest as hardware: counters, cells, delays, ports of memories.
//!
//! One static group lets iterations begin, one every few cycles. All else is outside of groups: a value moves on by one register in each cycle,
//! and so does the bit that says that an iteration is there.

use crate::graph::{Access, Bank, Graph, NodeId, What};
use crate::memory::Memory;
use crate::netlist::{Netlist, Wire, bits};
use crate::order::access;
use crate::time::Times;

/// A group and its cycles
pub(crate) struct Group {
    pub name: String,
    pub cycles: i64,
}

pub(crate) struct Emit<'a> {
    pub net: &'a mut Netlist,
    pub graph: &'a Graph,
    pub memories: &'a [Memory],
    pub times: &'a Times,
    wires: Vec<Option<Wire>>,
    counters: Vec<Option<Wire>>,
    /// Registers that pass values from iteration to iteration
    carried: &'a [(String, u32)],
}

/// The group of a nest with these trip counts, whose cycles count as work of a kind (`probe`)
pub(crate) fn emit(
    net: &mut Netlist,
    (graph, memories, times): (&Graph, &[Memory], &Times),
    (trips, carried): (&[i64], &[(String, u32)]),
    probe: Option<&str>,
) -> Group {
    let wires = vec![None; graph.nodes.len()];
    let mut emit = Emit { net, graph, memories, times, wires, counters: Vec::new(), carried };
    let (issue, group) = emit.group(trips, probe);
    emit.counters(trips, &issue);
    for node in emit.live() {
        emit.node(node, &issue);
    }
    for (n, pair) in graph.carried.iter().enumerate() {
        let cycle = times.passes(*pair);
        let (value, here) = (emit.at(pair.1, cycle), emit.net.long_before(&issue, cycle));
        let name = &carried[n].0;
        emit.net.drive(&format!("{name}.in"), &here.text, &value.text);
        emit.net.drive(&format!("{name}.write_en"), &here.text, "1'd1");
    }
    group
}

impl Emit<'_> {
    /// The group, and the bit that is set where an iteration begins
    fn group(&mut self, trips: &[i64], probe: Option<&str>) -> (Wire, Group) {
        let iterations: i64 = trips.iter().product();
        let interval = if iterations > 1 { self.times.interval } else { 1 };
        let begins = (iterations - 1) * interval + 1;
        let cycles = begins - 1 + self.times.depth;
        let issue = self.net.cell("issue", "std_wire", &[1]);
        let name = self.net.name("nest");
        let mut lines = Vec::new();
        if interval > 1 {
            let (phase, next, _) = self.net.counter("phase", interval);
            let width = bits(interval - 1);
            lines.push(format!("{issue}.in = %[0:{begins}] & {phase}.out == {width}'d0 ? 1'd1;"));
            let last = cycles - 1;
            lines.push(format!("{phase}.in = %[0:{last}] ? {};", next.text));
            lines.push(format!("{phase}.in = %[{last}:{cycles}] ? {width}'d0;"));
            lines.push(format!("{phase}.write_en = 1'd1;"));
        } else {
            lines.push(format!("{issue}.in = %[0:{begins}] ? 1'd1;"));
        }
        lines.extend(probe.map(|probe| format!("{probe}.in = 1'd1;")));
        let body: String = lines.iter().map(|line| format!("      {line}\n")).collect();
        self.net.groups.push(format!("    static<{cycles}> group {name} {{\n{body}    }}\n"));
        (Wire::new(format!("{issue}.out"), 1), Group { name, cycles })
    }

    /// A register for each loop; the innermost steps with each iteration
    fn counters(&mut self, trips: &[i64], issue: &Wire) {
        let mut steps = issue.text.clone();
        let mut all = Vec::new();
        for trips in trips.iter().rev() {
            if *trips < 2 {
                all.push(None);
                continue;
            }
            let (name, next, last) = self.net.counter("count", *trips);
            self.net.drive(&format!("{name}.in"), "", &next.text);
            self.net.drive(&format!("{name}.write_en"), &steps, "1'd1");
            steps = format!("{steps} & {}", last.text);
            all.push(Some(Wire::new(format!("{name}.out"), bits(trips - 1))));
        }
        all.reverse();
        self.counters = all;
    }

    /// Nodes that a store needs, each after what it takes
    fn live(&self) -> Vec<NodeId> {
        let mut live = vec![false; self.graph.nodes.len()];
        self.graph.carried.iter().for_each(|(_, next)| live[*next] = true);
        for node in (0..live.len()).rev() {
            let own = access(self.graph, node);
            if own.is_some_and(|own| own.stores) {
                live[node] = true;
            }
            if !live[node] {
                continue;
            }
            let bank = own.and_then(Access::found_bank);
            let more = bank.into_iter().chain(own.and_then(|own| own.when));
            for arg in self.graph.nodes[node].args.iter().copied().chain(more) {
                live[arg] = true;
            }
        }
        (0..live.len()).filter(|node| live[*node]).collect()
    }

    /// The value of a node in a cycle of the iteration
    fn at(&mut self, node: NodeId, cycle: i64) -> Wire {
        let wire = self.wires[node].clone().unwrap_or_else(|| Wire::number(0, self.graph.nodes[node].width));
        match self.times.ready[node] {
            Some(ready) => {
                debug_assert!(cycle >= ready, "node {node} is taken in cycle {cycle}, and there in {ready}");
                self.net.long_before(&wire, cycle - ready)
            }
            None => wire,
        }
    }

    fn node(&mut self, node: NodeId, issue: &Wire) {
        let (graph, start) = (self.graph, self.times.start[node]);
        let own = &graph.nodes[node];
        let width = own.width;
        let wire = match &own.what {
            What::Still(wire) => wire.clone(),
            What::Counter(loop_) => self.counters[*loop_].clone().unwrap_or_else(|| Wire::number(0, width)),
            What::Carried(n) => {
                let (name, width) = &self.carried[*n];
                Wire::new(format!("{name}.out"), *width)
            }
            What::Cell { primitive, ports, params, .. } => {
                let args: Vec<Wire> = own.args.iter().map(|arg| self.at(*arg, start)).collect();
                let inputs: Vec<(&str, &Wire)> = ports.iter().copied().zip(&args).collect();
                self.own(primitive);
                let out = self.net.gate(primitive, params, &inputs, width);
                Wire { width, ..out }
            }
            What::Sum { by, constant, .. } => {
                let terms: Vec<(Wire, i64)> =
                    own.args.iter().zip(by).map(|(arg, by)| (self.at(*arg, start), *by)).collect();
                self.net.sum(&terms, *constant, width)
            }
            What::Product => {
                let (a, b) = (self.at(own.args[0], start), self.at(own.args[1], start));
                self.net.both("pipelined_mult", &a, &b, width)
            }
            What::Access(access) => match self.access(node, access, issue) {
                Some(wire) => wire,
                None => return,
            },
        };
        self.wires[node] = Some(wire);
    }

    fn own(&mut self, primitive: &'static str) {
        if primitive.starts_with("terrace_") {
            self.net.own.insert(primitive);
        }
    }

    /// Ports of an access; the value of a load
    fn access(&mut self, node: NodeId, own: &Access, issue: &Wire) -> Option<Wire> {
        let memory = &self.memories[own.memory];
        let (start, port) = (self.times.start[node], self.times.port[node]);
        let args: Vec<NodeId> = self.graph.nodes[node].args.clone();
        let place = self.at(args[0], start);
        let value = args.get(1).map(|arg| self.at(*arg, start));
        let mut guards = vec![self.net.long_before(issue, start).text];
        if let Some(when) = own.when {
            guards.push(self.at(when, start).text);
        }
        let (banks, found) = match own.bank {
            Bank::Known(bank) => (bank..bank + 1, None),
            Bank::Found(found) => (0..memory.all_banks(), Some(found)),
        };
        let number = found.map(|found| self.at(found, start));
        for bank in banks.clone() {
            for copy in 0..memory.copies {
                let mut guards = guards.clone();
                if let Some(second) = own.second.as_ref().filter(|_| memory.copies > 1) {
                    guards.push(format!("{}{}", if copy == 0 { "!" } else { "" }, second.text));
                }
                if let Some(number) = &number {
                    guards.push(format!(
                        "{} == {}",
                        number.text,
                        Wire::number(bank as i64, number.width).text
                    ));
                }
                let guard = guards.join(" & ");
                let mut drive = |field: &str, value: &str| {
                    self.net.drive(&memory.port((bank, copy), port, field), &guard, value);
                };
                drive("addr", &place.text);
                drive("en", "1'd1");
                if let Some(value) = &value {
                    drive("write", "1'd1");
                    drive("in", &value.text);
                }
            }
        }
        if own.stores {
            return None;
        }
        // What was read is there in the next cycle.
        let number = found.map(|found| self.at(found, start + 1));
        let mut out: Option<Wire> = None;
        for bank in banks {
            let first = Wire::new(memory.port((bank, 0), port, "out"), memory.width);
            let one = match own.second.as_ref().filter(|_| memory.copies > 1) {
                Some(second) => {
                    let other = Wire::new(memory.port((bank, 1), port, "out"), memory.width);
                    self.net.choice(second, &other, &first)
                }
                None => first,
            };
            out = Some(match (out, &number) {
                (Some(others), Some(number)) => {
                    let this = Wire::number(bank as i64, number.width);
                    let bit = self.net.both("std_eq", number, &this, 1);
                    self.net.choice(&bit, &one, &others)
                }
                _ => one,
            });
        }
        out
    }
}
