//! A function as a component: nests, loops around them, calls.

use crate::build::{Build, Done, number_bits, refuse};
use crate::control::Control;
use crate::emit::emit;
use crate::loops::{Bounds, holds_loops, is_free, makes_array, nest};
use crate::memory::Memory;
use crate::netlist::{Netlist, Wire, bits};
use crate::order::access;
use crate::outer::{Env, Held, Outer, find};
use crate::time::times;
use terrace_dialect_builtin::marks::{DATAFLOW, PIPELINE};
use terrace_dialect_func as func;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{BlockId, Ir, OpId, Value};
use terrace_support::HashMap;

/// Calls in calls at most
const DEPTH: usize = 16;
/// Calls at most: each one is hardware of its own
const CALLS: usize = 4096;
/// Iterations of a nest at most
const ITERATIONS: i64 = 1 << 40;

pub(crate) struct Program<'a> {
    pub table: &'a Ir,
    pub net: Netlist,
    pub memories: Vec<Memory>,
    /// Main memory by argument and pipeline
    pub main: HashMap<(usize, usize), usize>,
    /// Calls so far
    calls: usize,
}

/// Where ops are: their unit, what is known there, which pipeline it is
#[derive(Clone)]
pub(crate) struct Place<'u> {
    pub ir: &'u Ir,
    pub env: Env,
    /// Memory arguments of the component that are values here
    pub arguments: HashMap<Value, usize>,
    pub pipeline: usize,
    depth: usize,
}

impl<'u> Place<'u> {
    pub fn new(ir: &'u Ir) -> Self {
        Place { ir, env: Env::default(), arguments: HashMap::default(), pipeline: 0, depth: 0 }
    }
}

impl<'a> Program<'a> {
    pub fn new(table: &'a Ir) -> Self {
        Program { table, net: Netlist::default(), memories: Vec::new(), main: HashMap::default(), calls: 0 }
    }

    /// Ops of a block, in order
    pub fn block(&mut self, place: &mut Place<'a>, block: BlockId) -> Done<Control> {
        let ir = place.ir;
        let (mut all, mut plain) = (Vec::new(), Vec::new());
        let end = ir.last_op(block);
        for op in ir.block_ops(block).filter(|op| Some(*op) != end) {
            if is_free(ir, op) || memref::Dealloc::cast(ir, op).is_some() {
                continue;
            }
            if !makes_array(ir, op) && !holds_loops(ir, op) {
                plain.push(op);
                continue;
            }
            self.straight(place, &mut plain, &mut all)?;
            if makes_array(ir, op) {
                self.array(place, op, 1)?;
            } else if scf::Parallel::cast(ir, op).is_some() {
                all.push(self.pipelines(place, scf::Parallel(op))?);
            } else if func::Call::cast(ir, op).is_some() {
                all.push(self.call(place, op)?);
            } else if scf::For::cast(ir, op).is_some() {
                all.push(self.repeated(place, op)?);
            } else {
                let help = "loops are in loops with bounds that are numbers";
                return Err(refuse(ir, op, "has loops inside, and no hardware", help));
            }
        }
        self.straight(place, &mut plain, &mut all)?;
        Ok(Control::Seq(all))
    }

    /// Ops between loops run once
    fn straight(&mut self, place: &Place<'a>, plain: &mut Vec<OpId>, all: &mut Vec<Control>) -> Done<()> {
        let ops = std::mem::take(plain);
        if !ops.is_empty() {
            all.push(self.nest(place, (&[], &[]), 1, |build| ops.iter().try_for_each(|op| build.op(*op)))?);
        }
        Ok(())
    }

    /// A nest with this interval or a longer one
    fn nest(
        &mut self,
        place: &Place<'a>,
        (loops, carried): (&[Bounds], &[(String, u32)]),
        least: i64,
        fill: impl FnOnce(&mut Build<'_>) -> Done<()>,
    ) -> Done<Control> {
        let mut env = place.env.clone();
        // In the order of arguments: the text is the same in each run.
        let mut arguments: Vec<_> = place.arguments.iter().map(|(value, n)| (*value, *n)).collect();
        arguments.sort_by_key(|(_, argument)| *argument);
        for (value, argument) in arguments {
            let memory = self.main_memory(place, value, argument);
            env.insert(value, Outer::Memory(Held { memory, second: None }));
        }
        let mut build = Build::new(place.ir, &self.memories, &env);
        for (n, one) in loops.iter().enumerate() {
            build.count(one.iv, n, one.trips, one.first, one.step);
        }
        for (one, (n, (_, width))) in
            loops.iter().flat_map(|one| carried.iter().enumerate().map(move |register| (one, register)))
        {
            build.carry(place.ir.block_args(one.body)[n + 1], n, *width);
        }
        fill(&mut build)?;
        let graph = build.graph;
        let trips: Vec<i64> = loops.iter().map(|one| one.trips).collect();
        let at = loops.first().and_then(|one| place.ir.block_parent(one.body)).unwrap_or(place.ir.root());
        let all = trips.iter().try_fold(1i64, |all, one| all.checked_mul(*one));
        if all.is_none_or(|all| all > ITERATIONS) {
            let help = "no simulation and no device comes to their end: make the sizes smaller";
            return Err(refuse(place.ir, at, "has more than 2^40 iterations", help));
        }
        let Some(times) = times(&graph, &self.memories, &trips, least) else {
            return Err(refuse(place.ir, at, "has too many accesses of a memory", "make more banks"));
        };
        let on_main = |stores: bool| {
            (0..graph.nodes.len())
                .filter_map(|node| access(&graph, node))
                .any(|access| access.stores == stores && self.memories[access.memory].argument.is_some())
        };
        // Pipelines run alike: the first one's cycles are counted.
        let probe = (place.pipeline == 0).then(|| match (on_main(false), on_main(true)) {
            (false, false) => "computing",
            (true, false) => "reading",
            (false, true) => "writing",
            (true, true) => "passing",
        });
        let group = emit(&mut self.net, (&graph, &self.memories, &times), (&trips, carried), probe);
        Ok(Control::Nest(group.name, group.cycles))
    }

    /// A function that is called is hardware of its own
    pub fn call(&mut self, place: &Place<'a>, op: OpId) -> Done<Control> {
        let ir = place.ir;
        let name = func::Call(op).callee(ir).as_symbol(ir.cx()).map(|(name, _)| name);
        let table = self.table;
        let found = table.walk().filter_map(|op| table.child(op));
        let callee = found.into_iter().find(|unit| symbol_name(unit, unit.root()) == name && name.is_some());
        let entry = callee.and_then(|unit| unit.single_block(unit.regions(unit.root()).next()?));
        let (Some(callee), Some(entry)) = (callee, entry) else {
            let help = "give it a body of one block; loops are `scf.for`";
            return Err(refuse(ir, op, "calls a function that is no single block", help));
        };
        self.calls += 1;
        if self.calls > CALLS {
            let help =
                format!("each call is hardware of its own, and there are up to {CALLS}: make calls loops");
            return Err(refuse(ir, op, "is one call too many", &help));
        }
        if place.depth >= DEPTH || ir.num_results(op) > 0 {
            let why = "is a call that gives a value, or is deep inside of others";
            return Err(refuse(ir, op, why, "inline it"));
        }
        let mut inside = Place { pipeline: place.pipeline, depth: place.depth + 1, ..Place::new(callee) };
        for (arg, value) in callee.block_args(entry).iter().zip(ir.operands(op)) {
            match (place.arguments.get(&value), find(ir, &place.env, value)) {
                (Some(argument), _) => {
                    inside.arguments.insert(*arg, *argument);
                }
                (None, Some(outer)) => {
                    inside.env.insert(*arg, outer);
                }
                (None, None) => {
                    let help = "pass it through memory";
                    return Err(refuse(ir, op, "takes a value that has no register", help));
                }
            }
        }
        self.block(&mut inside, entry)
    }

    /// A loop: a nest, rounds of stages, or a sequence that repeats
    fn repeated(&mut self, place: &mut Place<'a>, op: OpId) -> Done<Control> {
        let ir = place.ir;
        if let Some(loops) = nest(ir, op) {
            if loops.iter().any(|one| one.trips == 0) {
                if ir.num_results(op) > 0 {
                    return Err(refuse(ir, op, "has no iteration and gives a value", "run `canonicalize`"));
                }
                return Ok(Control::Seq(Vec::new()));
            }
            let Some(inner) = loops.last().copied() else { return Ok(Control::Seq(Vec::new())) };
            let least = ir.block_parent(inner.body).and_then(|op| ir.discardable(op, PIPELINE));
            let least = least.and_then(|attr| attr.as_i64(ir.cx())).unwrap_or(1);
            let (registers, first) = self.registers(place, op)?;
            let widths: Vec<u32> = registers.iter().map(|(_, width)| *width).collect();
            let nest = self.nest(place, (&loops, &registers), least, |build| {
                build.block(inner.body)?;
                build.pass_on(inner.body, &widths)
            })?;
            return Ok(match first {
                Some(first) => Control::Seq(vec![first, nest]),
                None => nest,
            });
        }
        let plain = scf::For::cast(ir, op).filter(|one| one.inits(ir).is_empty());
        let Some(bounds) = plain.and_then(|one| Bounds::of(ir, one.id())) else {
            let help = "loops have bounds that are numbers, up to 2^40 iterations, and sums in memory";
            return Err(refuse(ir, op, "has bounds that are no numbers, or passes a value on", help));
        };
        if bounds.trips == 0 {
            return Ok(Control::Seq(Vec::new()));
        }
        if ir.discardable(op, DATAFLOW).is_some()
            && let Some(stages) = self.rounds(place, bounds)?
        {
            return Ok(stages);
        }
        let (name, next, _) = self.net.counter("turn", bounds.trips);
        let step = self.step(&[(name.clone(), next)]);
        let most = bounds.trips - 1;
        let wire = Wire::new(format!("{name}.out"), bits(most));
        let mut inside = place.clone();
        inside.env.insert(
            bounds.iv,
            Outer::Index { constant: bounds.first, terms: vec![(wire, most, bounds.step)] },
        );
        let body = self.block(&mut inside, bounds.body)?;
        Ok(Control::Repeat(bounds.trips, Box::new(Control::Seq(vec![body, step]))))
    }

    /// Registers for the values that a nest passes on, which are its results, and the step that gives them their first values
    fn registers(&mut self, place: &mut Place<'a>, op: OpId) -> Done<(Vec<(String, u32)>, Option<Control>)> {
        let ir = place.ir;
        let (mut registers, mut first) = (Vec::new(), Vec::new());
        for (init, result) in scf::For(op).inits(ir).into_iter().zip(ir.results(op)) {
            let width = number_bits(ir, op, ir.ty(init))?;
            let Some(Outer::Value(wire)) = find(ir, &place.env, init) else {
                let help = "sums begin with numbers, or with what another nest has left";
                return Err(refuse(ir, op, "begins with a value that has no register", help));
            };
            let name = self.net.cell("sum", "std_reg", &[width]);
            place.env.insert(result, Outer::Value(Wire::new(format!("{name}.out"), width)));
            first.push((name.clone(), wire));
            registers.push((name, width));
        }
        let step = (!first.is_empty()).then(|| self.step(&first));
        Ok((registers, step))
    }

    /// A group of one cycle in which registers get values
    pub fn step(&mut self, registers: &[(String, Wire)]) -> Control {
        let name = self.net.name("step");
        let lines: String = registers
            .iter()
            .map(|(register, value)| {
                format!("      {register}.in = {};\n      {register}.write_en = 1'd1;\n", value.text)
            })
            .collect();
        self.net.groups.push(format!("    static<1> group {name} {{\n{lines}    }}\n"));
        Control::Nest(name, 1)
    }
}
