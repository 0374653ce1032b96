//! A sparse analysis forward along control flow: block arguments, regions, calls of functions whose callers are all known.
//!
//! A value without a fact is not computed on any way seen so far. Facts only grow, by joining what each way brings; a value
//! whose fact changes too often gets the top. So the time is linear in uses for facts of bounded height.

use crate::calls::Functions;
use crate::flow::{self, From, To, Way};
use crate::tree::Tree;
use std::collections::VecDeque;
use terrace_ir::{Attr, BlockId, Context, Ir, OpId, OpKind, Traits, Type, Value};
use terrace_support::HashSet;

/// What an analysis wants to know of values
pub trait Domain {
    /// A fact
    type Fact: Clone + PartialEq;

    /// Nothing is known of a value of this type
    fn top(&self, cx: &Context, ty: Type) -> Self::Fact;

    /// What holds on both ways
    fn join(&self, a: &Self::Fact, b: &Self::Fact) -> Self::Fact;

    /// The one value that a fact leaves, for branches
    fn constant(&self, cx: &Context, fact: &Self::Fact, ty: Type) -> Option<Attr>;

    /// Facts of the results of an op without regions
    fn results(&mut self, unit: usize, ir: &mut Ir, op: OpId, operands: &[Self::Fact]) -> Vec<Self::Fact>;

    /// Facts of the first arguments of the first region, where it is no way that brings them
    fn counters(&self, ir: &Ir, op: OpId, operands: &[Self::Fact]) -> Vec<Option<Self::Fact>> {
        let _ = (ir, op, operands);
        Vec::new()
    }

    /// Are there chains of facts so long that a value which a terminator hands on gets the top at its second change?
    const WIDENS: bool = false;
}

/// Changes of a value before it gets the top
const CHANGES: u8 = 16;

struct Unit<F> {
    facts: Vec<Option<F>>,
    changes: Vec<u8>,
    live: Vec<bool>,
    listed: Vec<bool>,
    /// Its calls, once seen, if it is a function with a body
    callers: Option<Vec<(usize, OpId)>>,
    /// What it returns
    returned: Option<Vec<F>>,
}

/// The facts of a tree of units
pub struct Forward<D: Domain> {
    /// What was asked
    pub domain: D,
    units: Vec<Unit<D::Fact>>,
    work: VecDeque<(usize, OpId)>,
    functions: Functions,
    /// Calls that their callees know of
    calls: HashSet<(usize, OpId)>,
}

impl<D: Domain> Forward<D> {
    /// Analyze
    pub fn run(tree: &mut Tree<'_>, domain: D) -> Self {
        let new = |ir: &Ir| Unit {
            facts: vec![None; ir.value_capacity()],
            changes: vec![0; ir.value_capacity()],
            live: vec![false; ir.block_capacity()],
            listed: vec![false; ir.op_capacity()],
            callers: None,
            returned: None,
        };
        let units = (0..tree.len()).map(|n| new(tree.get(n))).collect();
        let (work, calls) = (VecDeque::new(), HashSet::default());
        let mut this = Forward { domain, units, work, functions: Functions::of(tree), calls };
        for n in 0..tree.len() {
            if this.functions.has_body(n) {
                this.units[n].callers = Some(Vec::new());
            }
            if !this.functions.is_closed(n) {
                this.enter_all(tree.get(n), n, tree.get(n).root());
            }
        }
        while let Some((n, op)) = this.work.pop_front() {
            this.units[n].listed[op.index()] = false;
            this.visit(tree, n, op);
        }
        this
    }

    /// The fact of a value; none if it is never computed
    pub fn fact(&self, unit: usize, value: Value) -> Option<&D::Fact> {
        self.units[unit].facts.get(value.index())?.as_ref()
    }

    /// Can the block be reached?
    pub fn is_live(&self, unit: usize, block: BlockId) -> bool {
        self.units[unit].live.get(block.index()).copied().unwrap_or(false)
    }

    fn list(&mut self, n: usize, op: OpId) {
        // Domains may make ops of their own.
        let listed = &mut self.units[n].listed;
        if listed.len() <= op.index() {
            listed.resize(op.index() + 1, false);
        }
        if !std::mem::replace(&mut listed[op.index()], true) {
            self.work.push_back((n, op));
        }
    }

    /// Control may get into every region of an op, with anything
    fn enter_all(&mut self, ir: &Ir, n: usize, op: OpId) {
        for region in ir.regions(op).collect::<Vec<_>>() {
            if let Some(entry) = ir.entry(region) {
                self.enter(ir, n, entry);
                self.unknown(ir, n, ir.block_args(entry));
            }
        }
    }

    fn enter(&mut self, ir: &Ir, n: usize, block: BlockId) {
        if !std::mem::replace(&mut self.units[n].live[block.index()], true) {
            for op in ir.block_ops(block) {
                self.list(n, op);
            }
        }
    }

    fn unknown(&mut self, ir: &Ir, n: usize, values: &[Value]) {
        for &value in values {
            let top = self.domain.top(ir.cx(), ir.ty(value));
            self.learn(ir, n, value, top);
        }
    }

    fn learn(&mut self, ir: &Ir, n: usize, value: Value, fact: D::Fact) {
        let unit = &mut self.units[n];
        let Some(place) = unit.facts.get_mut(value.index()) else { return };
        let new = match &*place {
            None => fact,
            Some(old) => {
                let mut new = self.domain.join(old, &fact);
                if new == *old {
                    return;
                }
                let changes = &mut unit.changes[value.index()];
                *changes = changes.saturating_add(1);
                let handed_on = || {
                    ir.defining_op(value).is_some()
                        && ir.uses(value).any(|(user, _)| ir.has(user, Traits::Terminator))
                };
                if *changes > CHANGES || D::WIDENS && handed_on() {
                    new = self.domain.top(ir.cx(), ir.ty(value));
                }
                new
            }
        };
        if place.as_ref() == Some(&new) {
            return;
        }
        *place = Some(new);
        let users: Vec<OpId> = ir.uses(value).map(|(user, _)| user).collect();
        for user in users.into_iter().rev() {
            if ir.block(user).is_some_and(|block| self.is_live(n, block)) {
                self.list(n, user);
            }
        }
    }

    fn visit(&mut self, tree: &mut Tree<'_>, n: usize, op: OpId) {
        let ir = tree.get(n);
        if ir.kind(op) == OpKind::SLOT || !ir.block(op).is_some_and(|block| self.is_live(n, block)) {
            return;
        }
        let Some(facts) = self.operand_facts(ir, n, op) else { return };
        if ir.has(op, Traits::Terminator) || ir.num_successors(op) > 0 || ir.kind(op) == OpKind::UNREGISTERED
        {
            self.leave(tree, n, op, &facts);
        }
        let ir = tree.get(n);
        if flow::regions(ir, op).is_some() {
            let counters = self.domain.counters(ir, op, &facts);
            self.go(ir, n, op, From::Op, &facts, &counters);
        } else if ir.num_regions(op) > 0 {
            self.enter_all(ir, n, op);
            self.unknown(ir, n, &ir.results(op).collect::<Vec<_>>());
        } else if ir.has(op, Traits::CallLike) {
            self.call(tree, n, op, facts);
        } else if ir.num_results(op) > 0 {
            let results = self.domain.results(n, tree.get_mut(n), op, &facts);
            let ir = tree.get(n);
            for (value, fact) in ir.results(op).zip(results) {
                self.learn(ir, n, value, fact);
            }
        }
    }

    /// Facts of all operands; none while one of them has none
    fn operand_facts(&self, ir: &Ir, n: usize, op: OpId) -> Option<Vec<D::Fact>> {
        let early = || {
            // Values may be used before their definition: what has no fact yet may get one after all.
            let around = ir.parent(op).unwrap_or(ir.root());
            ir.kind(around) == OpKind::UNREGISTERED || ir.has(around, Traits::GraphRegion)
        };
        ir.operands(op)
            .map(|value| match self.fact(n, value) {
                Some(fact) => Some(fact.clone()),
                None => early().then(|| self.domain.top(ir.cx(), ir.ty(value))),
            })
            .collect()
    }

    /// Control leaves a block at its last op
    fn leave(&mut self, tree: &Tree<'_>, n: usize, op: OpId, facts: &[D::Fact]) {
        let ir = tree.get(n);
        if ir.num_successors(op) > 0 {
            return self.branch(ir, n, op, facts);
        }
        let Some((around, from)) = flow::end_of(ir, op) else { return };
        let (is_last, is_unknown) = (ir.next(op).is_none(), ir.kind(op) == OpKind::UNREGISTERED);
        if around == ir.root() {
            if ir.has(op, Traits::ReturnLike) {
                self.give_back(tree, n, facts);
            } else if is_last && is_unknown {
                // It may return anything: no list of facts has a length that fits.
                self.hand_to_callers(tree, n, Vec::new());
            }
        } else if is_last && flow::regions(ir, around).is_some() {
            if is_unknown {
                self.enter_all(ir, n, around);
                self.unknown(ir, n, &ir.results(around).collect::<Vec<_>>());
            } else {
                self.go(ir, n, around, from, facts, &[]);
            }
        }
    }

    fn branch(&mut self, ir: &Ir, n: usize, op: OpId, facts: &[D::Fact]) {
        let taken = flow::taken(ir, op, &|k| self.known(ir, op, facts, k));
        for (k, block) in ir.successors(op).enumerate().collect::<Vec<_>>() {
            if taken.is_some_and(|taken| taken != k) {
                continue;
            }
            self.enter(ir, n, block);
            for (arg, operand) in flow::handed_over(ir, block, flow::given(ir, op, k)) {
                match operand.and_then(|operand| facts.get(operand)) {
                    Some(fact) => self.learn(ir, n, arg, fact.clone()),
                    None => self.unknown(ir, n, &[arg]),
                }
            }
        }
    }

    fn known(&self, ir: &Ir, op: OpId, facts: &[D::Fact], k: usize) -> Option<Attr> {
        if k >= ir.num_operands(op) {
            return None;
        }
        self.domain.constant(ir.cx(), facts.get(k)?, ir.ty(ir.operand(op, k)))
    }

    /// Control leaves a region, or comes to its op
    fn go(
        &mut self,
        ir: &Ir,
        n: usize,
        around: OpId,
        from: From,
        facts: &[D::Fact],
        counters: &[Option<D::Fact>],
    ) {
        let Some(table) = flow::regions(ir, around) else { return };
        let source = match from {
            From::Op => around,
            From::End(_, end) => end,
        };
        let ways: Vec<Way> = (table.ways)(ir, around, from, &|k| self.known(ir, source, facts, k));
        for way in ways {
            let Some(values) = flow::receivers(ir, around, way.to) else { continue };
            if let To::Region(number) = way.to
                && let Some(entry) = ir.regions(around).nth(number).and_then(|region| ir.entry(region))
            {
                self.enter(ir, n, entry);
            }
            for (k, value) in values.into_iter().enumerate() {
                let counter = || match (way.to, from) {
                    (To::Region(0), From::Op) => counters.get(k).cloned().flatten(),
                    _ => None,
                };
                match way.operand_for(k).and_then(|at| facts.get(at)).cloned().or_else(counter) {
                    Some(fact) => self.learn(ir, n, value, fact),
                    // What the op brings in at its start stays as it is from iteration to iteration.
                    None if matches!((way.to, from), (To::Region(0), From::End(..)))
                        && k < way.first
                        && self.fact(n, value).is_some() => {}
                    None => self.unknown(ir, n, &[value]),
                }
            }
        }
    }

    fn call(&mut self, tree: &Tree<'_>, n: usize, op: OpId, facts: Vec<D::Fact>) {
        let ir = tree.get(n);
        let results: Vec<Value> = ir.results(op).collect();
        let Some(callee) = self.functions.callee(tree, n, op) else { return self.unknown(ir, n, &results) };
        if self.calls.insert((n, op))
            && let Some(callers) = &mut self.units[callee].callers
        {
            callers.push((n, op));
        }
        let unit = tree.get(callee);
        let Some(entry) = unit.regions(unit.root()).next().and_then(|region| unit.entry(region)) else {
            return;
        };
        if self.functions.is_closed(callee) {
            self.enter(unit, callee, entry);
            for (arg, fact) in unit.block_args(entry).to_vec().into_iter().zip(facts) {
                self.learn(unit, callee, arg, fact);
            }
        }
        if let Some(returned) = self.units[callee].returned.clone() {
            self.answer(ir, n, &results, &returned);
        }
    }

    fn answer(&mut self, ir: &Ir, n: usize, results: &[Value], returned: &[D::Fact]) {
        for (k, &value) in results.iter().enumerate() {
            match returned.get(k) {
                Some(fact) => self.learn(ir, n, value, fact.clone()),
                None => self.unknown(ir, n, &[value]),
            }
        }
    }

    /// A function returns
    fn give_back(&mut self, tree: &Tree<'_>, n: usize, facts: &[D::Fact]) {
        if self.units[n].callers.is_none() {
            return;
        }
        let new: Vec<D::Fact> = match &self.units[n].returned {
            None => facts.to_vec(),
            Some(old) if old.len() != facts.len() => return,
            Some(old) => old.iter().zip(facts).map(|(a, b)| self.domain.join(a, b)).collect(),
        };
        if self.units[n].returned.as_ref() != Some(&new) {
            self.hand_to_callers(tree, n, new);
        }
    }

    fn hand_to_callers(&mut self, tree: &Tree<'_>, n: usize, new: Vec<D::Fact>) {
        self.units[n].returned = Some(new.clone());
        for (caller, call) in self.units[n].callers.clone().unwrap_or_default() {
            let ir = tree.get(caller);
            self.answer(ir, caller, &ir.results(call).collect::<Vec<_>>(), &new);
        }
    }
}
