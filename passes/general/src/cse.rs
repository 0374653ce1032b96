//! Common subexpression elimination: ops that compute the same are computed once.
//!
//! A table of known ops, scoped by dominance: what an op's table entry stands for dominates the op. Reads take part as
//! long as nothing may have written in between in the same block. Commutative ops match with operands swapped. Linear in
//! ops.

mod known;

use crate::analyses::{Dominance, InnerEffects};
use known::Known;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use terrace_diag::Reported;
use terrace_ir::dom::DomTree;
use terrace_ir::steps::{self, Steps};
use terrace_ir::{Attr, BlockId, Effects, Ir, OpId, OpKind, RegionId, Traits, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::FastHasher;

/// Compute equal expressions once
///
/// An op without effects, or one that only reads with no write in between in its block, is replaced by an equal
/// op that dominates it. Ops with regions are kept.
#[pass("cse", stats("ops replaced"))]
pub struct Cse;

impl Pass for Cse {
    fn is_counted(&self) -> bool {
        true
    }

    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let (dominance, effects) = (cx.analysis::<Dominance>(unit), cx.analysis::<InnerEffects>(unit));
        let replaced = run_with(unit, &dominance, &effects, cx.steps);
        cx.count("ops replaced", replaced);
        cx.set_changed(replaced > 0);
        // Ops go, and none is made.
        cx.preserve::<Dominance>();
        cx.preserve::<InnerEffects>();
        Ok(())
    }
}

enum Todo {
    Region(RegionId),
    Block(BlockId, Arc<DomTree>),
    Ops(Option<OpId>, u32),
    Forget(usize),
    /// Restore the table hidden by an isolated region
    Surface(Box<Known>),
}

struct Walk<'a> {
    ir: &'a mut Ir,
    dominance: &'a Dominance,
    effects: &'a InnerEffects,
    known: Known,
    todo: Vec<Todo>,
    /// Counts places after which memory may be different
    epoch: u32,
    replaced: u64,
    steps: Option<&'a Steps>,
}

/// Eliminate in a unit; gives the number of ops replaced
pub fn run(ir: &mut Ir) -> u64 {
    run_with(ir, &Dominance::default(), &InnerEffects::default(), None)
}

fn run_with(ir: &mut Ir, dominance: &Dominance, effects: &InnerEffects, steps: Option<&Steps>) -> u64 {
    let regions: Vec<RegionId> = ir.regions(ir.root()).collect();
    let mut walk = Walk {
        ir,
        dominance,
        effects,
        known: Known::default(),
        todo: regions.into_iter().rev().map(Todo::Region).collect(),
        epoch: 0,
        replaced: 0,
        steps,
    };
    walk.run();
    walk.replaced
}

impl Walk<'_> {
    fn run(&mut self) {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Region(region) => self.region(region),
                Todo::Block(block, tree) => {
                    self.todo.push(Todo::Forget(self.known.len()));
                    let children = tree.children(block).rev();
                    self.todo.extend(children.map(|child| Todo::Block(child, Arc::clone(&tree))));
                    self.epoch += 1;
                    self.todo.push(Todo::Ops(self.ir.first_op(block), self.epoch));
                }
                Todo::Ops(next, epoch) => self.ops(next, epoch),
                Todo::Forget(len) => self.known.forget(len),
                Todo::Surface(outer) => self.known = *outer,
            }
        }
    }

    fn region(&mut self, region: RegionId) {
        let Some(entry) = self.ir.entry(region) else { return };
        self.todo.push(Todo::Forget(self.known.len()));
        if self.ir.single_block(region).is_some() {
            self.epoch += 1;
            self.todo.push(Todo::Ops(self.ir.first_op(entry), self.epoch));
            return;
        }
        let tree = self.dominance.tree(self.ir, region);
        self.todo.push(Todo::Block(entry, tree));
    }

    fn ops(&mut self, mut next: Option<OpId>, mut epoch: u32) {
        while let Some(op) = next {
            next = self.ir.next(op);
            if self.ir.num_regions(op) > 0 {
                if !self.effects.of(self.ir, op).is_removable() {
                    self.epoch += 1;
                    epoch = self.epoch;
                }
                self.todo.push(Todo::Ops(next, epoch));
                if self.ir.has(op, Traits::IsolatedFromAbove) {
                    let outer = std::mem::take(&mut self.known);
                    self.todo.push(Todo::Surface(Box::new(outer)));
                }
                let mut regions: Vec<RegionId> = self.ir.regions(op).collect();
                regions.reverse();
                self.todo.extend(regions.into_iter().map(Todo::Region));
                return;
            }
            let kind = self.ir.kind(op);
            let traits = self.ir.def(op).traits;
            if matches!(kind, OpKind::UNREGISTERED | OpKind::SLOT) || traits.has(Traits::Terminator) {
                self.epoch += 1;
                epoch = self.epoch;
                continue;
            }
            let effects = self.ir.effects(op);
            if effects == Effects::NONE || effects == Effects::READ {
                self.visit(op, effects, epoch);
            } else if effects.0 & !(Effects::ALLOC.0 | Effects::READ.0) != 0 {
                self.epoch += 1;
                epoch = self.epoch;
            }
        }
    }

    fn visit(&mut self, op: OpId, effects: Effects, epoch: u32) {
        if self.ir.num_results(op) == 0 {
            return;
        }
        if self.ir.is_unused(op) {
            if effects.is_removable() && steps::may(self.steps, "dead", self.ir, op) {
                self.ir.erase(op);
                self.replaced += 1;
            }
            return;
        }
        let key = self.key(op);
        // What does not read is the same at any time.
        let epoch = if effects == Effects::READ { epoch } else { 0 };
        let ir = &*self.ir;
        let equal = self.known.find_or_add(key, op, epoch, |other| same(ir, other, op));
        if let Some(other) = equal
            && steps::may(self.steps, "equal", self.ir, op)
        {
            for n in 0..self.ir.num_results(op) {
                let (old, new) = (self.ir.result(op, n), self.ir.result(other, n));
                self.ir.replace_all_uses(old, new);
            }
            self.ir.erase(op);
            self.replaced += 1;
        }
    }

    fn key(&self, op: OpId) -> u32 {
        let ir = &*self.ir;
        let mut hasher = FastHasher::default();
        ir.kind(op).0.hash(&mut hasher);
        if is_commutative_pair(ir, op) {
            // Mixed alike in both orders.
            let (a, b) = (ir.operand(op, 0).raw(), ir.operand(op, 1).raw());
            (a.min(b), a.max(b)).hash(&mut hasher);
        } else {
            ir.operands(op).for_each(|value| value.raw().hash(&mut hasher));
        }
        for slot in 0..ir.def(op).attrs.len() {
            ir.slot(op, slot).map(Attr::raw).hash(&mut hasher);
        }
        ir.dict(op).map(Attr::raw).hash(&mut hasher);
        if ir.num_results(op) > 0 {
            ir.ty(ir.result(op, 0)).raw().hash(&mut hasher);
        }
        (hasher.finish() >> 32) as u32
    }
}

fn is_commutative_pair(ir: &Ir, op: OpId) -> bool {
    ir.num_operands(op) == 2 && ir.has(op, Traits::Commutative)
}

fn same(ir: &Ir, a: OpId, b: OpId) -> bool {
    if ir.kind(a) != ir.kind(b) || ir.dict(a) != ir.dict(b) || ir.num_operands(a) != ir.num_operands(b) {
        return false;
    }
    let operands = |op: OpId| -> (Value, Value) { (ir.operand(op, 0), ir.operand(op, 1)) };
    let same_operands = if is_commutative_pair(ir, a) {
        let ((x, y), (u, v)) = (operands(a), operands(b));
        (x, y) == (u, v) || (x, y) == (v, u)
    } else {
        ir.operands(a).eq(ir.operands(b)) && ir.operand_segments(a) == ir.operand_segments(b)
    };
    same_operands
        && (0..ir.def(a).attrs.len()).all(|slot| ir.slot(a, slot) == ir.slot(b, slot))
        && ir.results(a).map(|value| ir.ty(value)).eq(ir.results(b).map(|value| ir.ty(value)))
}
