//! One op per constant and isolated region, at the start of its entry block.

use crate::rewriter::Rewriter;
use terrace_ir::{Attr, BlockId, Builder, Ir, OpId, OpKind, Traits, Type, Value};

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

impl Rewriter<'_> {
    /// Unique a constant op: false if it was a duplicate and is gone
    pub(crate) fn know_constant(&mut self, op: OpId) -> bool {
        let ir = self.ir();
        let (Some(attr), Some(block)) = (ir.slot(op, 0), home(ir, op)) else { return true };
        let ty = ir.ty(ir.result(op, 0));
        if ir.has(ir.region_parent(ir.block_region(block).expect("home is in a region")), Traits::GraphRegion)
        {
            return true;
        }
        match self.constants.get(&(block, attr, ty)).copied() {
            Some(known) if known == op => true,
            Some(known) => {
                // The known one stands at the start of the entry block, hence before every use.
                let (value, kind) = (self.ir().result(known, 0), self.ir().kind(op));
                self.replace(op, &[value]);
                self.applied("unique-constant", kind);
                false
            }
            None => {
                self.constants.insert((block, attr, ty), op);
                if self.ir().first_op(block) != Some(op) {
                    self.hoist(op, block);
                }
                true
            }
        }
    }

    fn hoist(&mut self, op: OpId, block: BlockId) {
        // Constants already known at the start of the block keep their order: insert after them only if they are the
        // block's first ops, which is where all of them are.
        let first = self.ir().first_op(block).expect("the block has ops");
        let ir = self.ir_mut();
        ir.detach(op);
        ir.insert_before(first, op);
        self.applied("hoist-constant", self.ir().kind(op));
    }

    pub(crate) fn constant_for(&mut self, op: OpId, attr: Attr, ty: Type, like: OpKind) -> Option<Value> {
        let block = home(self.ir(), op)?;
        if let Some(&known) = self.constants.get(&(block, attr, ty)) {
            return Some(self.ir().result(known, 0));
        }
        let dialect = self.ir().cx().dialect_of(like)?;
        let materialize = dialect.materialize.or_else(|| {
            self.ir().cx().dialects().iter().find(|d| d.name == "arith").and_then(|d| d.materialize)
        })?;
        let loc = self.ir().loc(op);
        let new = {
            let mut builder = Builder::at_start(self.ir_mut(), block);
            builder.set_loc(loc);
            materialize(&mut builder, attr, ty, loc)?
        };
        self.touch(new);
        self.constants.insert((block, attr, ty), new);
        Some(self.ir().result(new, 0))
    }

    pub(crate) fn forget_constant(&mut self, op: OpId) {
        let ir = self.ir();
        if !ir.has(op, Traits::ConstantLike) {
            return;
        }
        let (Some(attr), Some(block)) = (ir.slot(op, 0), home(ir, op)) else { return };
        let key = (block, attr, ir.ty(ir.result(op, 0)));
        if self.constants.get(&key) == Some(&op) {
            self.constants.remove(&key);
        }
    }
}
