//! One walk in program order: what each slot holds at each load, and which carried values that needs.
//!
//! A load's result stands for what the slot holds: a value of the program, poison, or what a loop or condition carries.
//! Nothing is carried yet: a [`Carrier`] is only written down, and marked when a load with a user reaches it.

use super::slots::{Carry, Found, carry};
use terrace_ir::{Ir, OpId, Value};
use terrace_support::HashMap;

/// What a slot holds somewhere
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Held {
    /// A value of the program, no load of a slot
    Value(Value),
    /// Never written
    Poison,
    /// An argument of the loop's (first) region
    Arg(u32),
    /// An argument of the second region of a `while`
    After(u32),
    /// A result of the op
    Result(u32),
}

/// A slot going through an op with regions
pub(super) struct Carrier {
    /// The slot
    pub slot: u32,
    /// What it holds before the op
    pub before: Held,
    /// What it holds at the end of each region
    pub ends: Vec<Held>,
    /// It has a user
    pub live: bool,
}

/// What the walk gives
pub(super) struct Walked {
    /// All carriers
    pub carriers: Vec<Carrier>,
    /// Ops that stores are inside of, outer before inner, with their carriers
    pub ops: Vec<(OpId, std::ops::Range<u32>)>,
    /// What each load gives, in program order
    pub loads: Vec<(OpId, Held)>,
    /// Stores in program order
    pub stores: Vec<OpId>,
}

enum Todo {
    Ops(Option<OpId>),
    Begin(OpId, usize),
    End(OpId),
    Leave(OpId),
}

/// The walk
pub(super) struct Values<'a> {
    ir: &'a Ir,
    found: &'a Found,
    held: Vec<Held>,
    /// What loads give
    given: HashMap<Value, Held>,
    carriers: Vec<Carrier>,
    carriers_of: HashMap<OpId, std::ops::Range<u32>>,
    ops: Vec<(OpId, std::ops::Range<u32>)>,
    loads: Vec<(OpId, Held)>,
    stores: Vec<OpId>,
    needed: Vec<Held>,
}

impl<'a> Values<'a> {
    /// Ready to walk
    pub(super) fn new(ir: &'a Ir, found: &'a Found) -> Self {
        Values {
            ir,
            found,
            held: vec![Held::Poison; found.slots.len()],
            given: HashMap::default(),
            carriers: Vec::new(),
            carriers_of: HashMap::default(),
            ops: Vec::new(),
            loads: Vec::new(),
            stores: Vec::new(),
            needed: Vec::new(),
        }
    }

    /// Walk the unit
    pub(super) fn walk(&mut self) {
        let mut todo = Vec::new();
        self.inside(self.ir.root(), &mut todo);
        while let Some(next) = todo.pop() {
            match next {
                Todo::Ops(None) => {}
                Todo::Ops(Some(op)) => {
                    todo.push(Todo::Ops(self.ir.next(op)));
                    self.visit(op);
                    if self.ir.num_regions(op) > 0 {
                        self.enter(op, &mut todo);
                    }
                }
                Todo::Begin(op, region) => self.begin(op, region),
                Todo::End(op) => self.end(op),
                Todo::Leave(op) => self.leave(op),
            }
        }
    }

    /// Mark the carriers that used loads need
    pub(super) fn mark(&mut self) {
        while let Some(held) = self.needed.pop() {
            let (Held::Arg(n) | Held::After(n) | Held::Result(n)) = held else { continue };
            let carrier = &mut self.carriers[n as usize];
            if !carrier.live {
                carrier.live = true;
                self.needed.push(carrier.before);
                self.needed.extend(&carrier.ends);
            }
        }
    }

    /// What came out
    pub(super) fn finish(self) -> Walked {
        Walked { carriers: self.carriers, ops: self.ops, loads: self.loads, stores: self.stores }
    }

    /// All blocks of all regions, without any carrying
    fn inside(&self, op: OpId, todo: &mut Vec<Todo>) {
        let at = todo.len();
        for region in self.ir.regions(op) {
            todo.extend(self.ir.blocks(region).map(|block| Todo::Ops(self.ir.first_op(block))));
        }
        todo[at..].reverse();
    }

    fn visit(&mut self, op: OpId) {
        if let Some(slots) = self.found.slots_of.get(&op) {
            self.held[slots.start as usize..slots.end as usize].fill(Held::Poison);
        }
        let Some(access) = self.found.accesses.get(&op) else { return };
        let slot = access.slot as usize;
        if access.store {
            let value = self.ir.operand(op, 0);
            self.stores.push(op);
            self.held[slot] = self.given.get(&value).copied().unwrap_or(Held::Value(value));
            return;
        }
        let (value, held) = (self.ir.result(op, 0), self.held[slot]);
        self.given.insert(value, held);
        self.loads.push((op, held));
        // What is only copied to other slots is needed when those are.
        let copies = |(user, n): (OpId, usize)| {
            n == 0 && self.found.accesses.get(&user).is_some_and(|access| access.store)
        };
        if !self.ir.uses(value).all(copies) {
            self.needed.push(held);
        }
    }

    fn enter(&mut self, op: OpId, todo: &mut Vec<Todo>) {
        let Some(slots) = self.found.stored_in.get(&op) else { return self.inside(op, todo) };
        let first = self.carriers.len() as u32;
        for &slot in slots {
            let before = self.held[slot as usize];
            self.carriers.push(Carrier { slot, before, ends: Vec::new(), live: false });
        }
        let range = first..self.carriers.len() as u32;
        self.carriers_of.insert(op, range.clone());
        self.ops.push((op, range));
        todo.push(Todo::Leave(op));
        for (n, region) in self.ir.regions(op).enumerate().rev() {
            todo.push(Todo::End(op));
            let first = self.ir.entry(region).and_then(|block| self.ir.first_op(block));
            todo.push(Todo::Ops(first));
            todo.push(Todo::Begin(op, n));
        }
    }

    fn range(&self, op: OpId) -> std::ops::Range<u32> {
        self.carriers_of.get(&op).cloned().unwrap_or(0..0)
    }

    fn begin(&mut self, op: OpId, region: usize) {
        let carry = carry(self.ir, op);
        for n in self.range(op) {
            let carrier = &self.carriers[n as usize];
            self.held[carrier.slot as usize] = match carry {
                Some(Carry::For) => Held::Arg(n),
                Some(Carry::While) if region == 0 => Held::Arg(n),
                Some(Carry::While) => Held::After(n),
                _ => carrier.before,
            };
        }
    }

    fn end(&mut self, op: OpId) {
        for n in self.range(op) {
            let carrier = &mut self.carriers[n as usize];
            carrier.ends.push(self.held[carrier.slot as usize]);
        }
    }

    fn leave(&mut self, op: OpId) {
        let choice = carry(self.ir, op) == Some(Carry::Choice);
        for n in self.range(op) {
            let carrier = &self.carriers[n as usize];
            // All ways end with one value, which then comes from outside: nothing to carry.
            let same =
                choice && self.ir.num_regions(op) > 1 && carrier.ends.windows(2).all(|two| two[0] == two[1]);
            self.held[carrier.slot as usize] = if same { carrier.ends[0] } else { Held::Result(n) };
        }
    }
}
