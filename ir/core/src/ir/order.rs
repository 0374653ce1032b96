//! Numbers that say which of two ops of a block comes first.
//!
//! Numbers ascend in a block, with gaps. An op between two neighbors takes one from their gap; where there is none, ops around are
//! numbered afresh: those in the smallest range of numbers that is thin enough for it. A longer range counts as full
//! with a smaller share of its numbers taken, so that many ops must have come before the same ones move again, and a
//! block of n ops is built in any order in n log n steps (Bender et al., Two simplified algorithms for maintaining order
//! in a list, 2002).

use super::{BlockId, Ir, OpId};

/// Distance of neighbors at the end of a block
pub(super) const STRIDE: u32 = 16;

/// A range twice as long may hold so many times the ops
const GROWTH: f64 = 5.0 / 3.0;

impl Ir {
    /// Number ops anew around one that has the number of a neighbor
    pub(super) fn make_room(&mut self, block: BlockId, op: OpId) {
        let number = |ir: &Ir, op: OpId| ir.ops[op.index()].order;
        let at = number(self, op);
        let (mut first, mut last, mut count, mut most) = (op, op, 1u32, 1.0);
        for bits in 1..u32::BITS {
            most *= GROWTH;
            let low = at >> bits << bits;
            let high = low | ((1 << bits) - 1);
            while let Some(prev) = self.prev(first).filter(|prev| number(self, *prev) >= low) {
                (first, count) = (prev, count + 1);
            }
            while let Some(next) = self.next(last).filter(|next| number(self, *next) <= high) {
                (last, count) = (next, count + 1);
            }
            if f64::from(count) <= most {
                let stride = (1u32 << bits) / count;
                return self.number(first, count, low + stride / 2, stride);
            }
        }
        self.renumber(block);
    }

    /// Number all ops of a block anew; half of all numbers is left for its end
    pub(super) fn renumber(&mut self, block: BlockId) {
        let count = self.block_ops(block).count() as u32;
        let stride = ((1 << (u32::BITS - 1)) / count.max(1)).max(1);
        if let Some(first) = self.first_op(block) {
            self.number(first, count, stride, stride);
        }
    }

    fn number(&mut self, first: OpId, count: u32, start: u32, stride: u32) {
        let (mut at, mut order) = (Some(first), start);
        for _ in 0..count {
            let Some(op) = at else { return };
            self.ops[op.index()].order = order;
            order = order.saturating_add(stride);
            at = self.next(op);
        }
    }
}
