//! One op per constant and isolated region, at the start of its entry block.
//!
//! In the greedy driver those of the text go there first, in its order: each before all others, unless another one is right before it. Those
//! that folds and rules make, equal ones too, stay where they are made until nothing folds any more, and then follow in the same way.
//! `mlir-opt` leaves this order.

use crate::rewriter::{Key, Rewriter};
use terrace_ir::{Attr, BlockId, Builder, Ir, OpId, OpKind, Traits, Type, Value};
use terrace_support::HashSet;

/// Entry block of the region that constants for `op` go to: that of the innermost op around it that is, or may be, isolated
fn home(ir: &Ir, op: OpId) -> Option<BlockId> {
    let mut at = op;
    loop {
        let block = ir.block(at)?;
        let region = ir.block_region(block)?;
        let parent = ir.region_parent(region);
        let isolated = ir.has(parent, Traits::IsolatedFromAbove) || ir.kind(parent) == OpKind::UNREGISTERED;
        if parent == ir.root() || isolated {
            return ir.entry(region);
        }
        at = parent;
    }
}

/// The block that constants for `op` stand at the start of; none where the order of ops means nothing, so that none is first
fn start_for(ir: &Ir, op: OpId) -> Option<BlockId> {
    let block = home(ir, op)?;
    let around = ir.region_parent(ir.block_region(block)?);
    (!ir.has(around, Traits::GraphRegion)).then_some(block)
}

/// The key of a constant op
fn key(ir: &Ir, op: OpId) -> Option<Key> {
    Some((start_for(ir, op)?, ir.def(op).dialect(), ir.slot(op, 0)?, ir.ty(ir.result(op, 0))))
}

/// Sort by where ops stand in the text
fn in_text_order(ir: &Ir, ops: &mut Vec<OpId>) {
    let block = ops.first().and_then(|op| ir.block(*op));
    if ops.iter().all(|op| ir.block(*op) == block) {
        ops.sort_by(|a, b| ir.is_before(*b, *a).cmp(&ir.is_before(*a, *b)));
        return;
    }
    let all: HashSet<OpId> = ops.drain(..).collect();
    ops.extend(ir.walk().filter(|op| all.contains(op)));
}

impl Rewriter<'_> {
    /// Unique a constant op: false if it was a duplicate and is gone
    pub(crate) fn know_constant(&mut self, op: OpId) -> bool {
        let Some(key) = key(self.ir(), op) else { return true };
        match self.constants.settled.get(&key).copied() {
            Some(known) if known == op => true,
            Some(known) => {
                // The known one stands at the start of the entry block, hence before every use.
                self.unique(op, known);
                false
            }
            None => {
                self.constants.settled.insert(key, op);
                if !self.is_in_place(op, key.0) {
                    self.hoist(op, key.0);
                }
                true
            }
        }
    }

    /// A constant that a rule has made or changed
    pub(crate) fn meet_constant(&mut self, op: OpId) {
        let key = key(self.ir(), op);
        if key.is_some_and(|key| self.constants.settled.get(&key) != Some(&op)) {
            self.constants.made.push(op);
        }
    }

    /// Put constants that were made since the last time where they belong; gives the number of duplicates, without which more may fold
    pub(crate) fn settle_constants(&mut self) -> u64 {
        let mut made = std::mem::take(&mut self.constants.made);
        made.retain(|op| self.ir().block(*op).is_some() && self.ir().has(*op, Traits::ConstantLike));
        in_text_order(self.ir(), &mut made);
        let mut duplicates = 0;
        for op in made {
            let alive = self.ir().block(op).is_some();
            duplicates += u64::from(alive && !self.is_spent() && !self.know_constant(op));
        }
        duplicates
    }

    /// Forget constants that went without notice
    pub(crate) fn forget_gone_constants(&mut self) {
        let mut settled = std::mem::take(&mut self.constants.settled);
        settled.retain(|_, op| self.ir().block(*op).is_some());
        self.constants.settled = settled;
    }

    fn unique(&mut self, op: OpId, known: OpId) {
        let (value, kind) = (self.ir().result(known, 0), self.ir().kind(op));
        self.replace(op, &[value]);
        self.applied("unique-constant", kind);
    }

    /// Is it the first op of the block, or right behind a constant that is settled?
    fn is_in_place(&self, op: OpId, block: BlockId) -> bool {
        let ir = self.ir();
        let is_settled = |op: OpId| {
            let constant = ir.has(op, Traits::ConstantLike);
            let key = constant
                .then(|| Some((block, ir.def(op).dialect(), ir.slot(op, 0)?, ir.ty(ir.result(op, 0)))));
            key.flatten().is_some_and(|key| self.constants.settled.get(&key) == Some(&op))
        };
        ir.block(op) == Some(block) && ir.prev(op).is_none_or(is_settled)
    }

    fn hoist(&mut self, op: OpId, block: BlockId) {
        let first = self.ir().first_op(block).expect("the block has ops");
        let ir = self.ir_mut();
        ir.detach(op);
        ir.insert_before(first, op);
        self.applied("hoist-constant", self.ir().kind(op));
    }

    pub(crate) fn constant_for(&mut self, op: OpId, attr: Attr, ty: Type, like: OpKind) -> Option<Value> {
        let dialect = self.ir().cx().constants_of(like)?;
        let start = if self.constants.in_place { None } else { start_for(self.ir(), op) };
        let known = start.and_then(|block| self.constants.settled.get(&(block, dialect.name, attr, ty)));
        if let Some(&known) = known {
            return Some(self.ir().result(known, 0));
        }
        let loc = self.ir().loc(op);
        let new = {
            let mut builder = match start {
                Some(block) => Builder::at_start(self.ir_mut(), block),
                None => Builder::before(self.ir_mut(), op),
            };
            builder.set_loc(loc);
            builder.constant(attr, ty, like)?
        };
        self.touch(new);
        if let Some(key) = key(self.ir(), new).filter(|_| start.is_some()) {
            self.constants.settled.insert(key, new);
        }
        Some(self.ir().result(new, 0))
    }

    pub(crate) fn forget_constant(&mut self, op: OpId) {
        let ir = self.ir();
        if !ir.has(op, Traits::ConstantLike) {
            return;
        }
        if let Some(key) = key(ir, op)
            && self.constants.settled.get(&key) == Some(&op)
        {
            self.constants.settled.remove(&key);
        }
    }
}
