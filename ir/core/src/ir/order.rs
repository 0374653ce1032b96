//! Numbers that say which of two ops of a block comes first.
//!
//! Numbers ascend in a block, with gaps. The first op of a block has the number in the middle, so that both ends are cheap:
//! passes append ops, and put constants first. An op between two neighbors takes a number from their gap; where there is none,
//! ops around are numbered afresh: those in the smallest range of numbers that is thin enough for it. A longer range counts as
//! full with a smaller share of its numbers taken, so that many ops must have come before the same ones move again, and a
//! block of n ops is built in any order in n log n steps (Bender et al., Two simplified algorithms for maintaining order
//! in a list, 2002).

use super::{BlockId, Ir, OpId};

/// Distance of neighbors at both ends of a block
const STRIDE: u32 = 16;

/// Number of the first op of a block
const MIDDLE: u32 = 1 << (u32::BITS - 1);

/// A range twice as long may hold so many times the ops
const GROWTH: f64 = 5.0 / 3.0;

impl Ir {
    /// Number an op that has been put between its neighbors
    pub(super) fn number_between(&mut self, block: BlockId, op: OpId) {
        let number = |ir: &Ir, op: OpId| ir.ops[op.index()].order;
        let order = match (self.prev(op), self.next(op)) {
            (None, None) => Some(MIDDLE),
            (Some(prev), None) => number(self, prev).checked_add(STRIDE),
            (None, Some(next)) => number(self, next).checked_sub(STRIDE),
            (Some(prev), Some(next)) => {
                let (low, high) = (number(self, prev), number(self, next));
                let order = low + (high - low) / 2;
                self.ops[op.index()].order = order;
                if order == low {
                    self.make_room(block, op);
                }
                return;
            }
        };
        match order {
            Some(order) => self.ops[op.index()].order = order,
            None => self.renumber(block),
        }
    }

    /// Number ops anew around one that has the number of a neighbor
    fn make_room(&mut self, block: BlockId, op: OpId) {
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

    /// Number all ops of a block anew; a quarter of all numbers is left at each end
    fn renumber(&mut self, block: BlockId) {
        let count = self.block_ops(block).count() as u32;
        let stride = (MIDDLE / count.max(1)).max(1);
        if let Some(first) = self.first_op(block) {
            self.number(first, count, MIDDLE / 2, stride);
        }
    }

    fn number(&mut self, first: OpId, count: u32, start: u32, stride: u32) {
        #[cfg(test)]
        tests::NUMBERED.with(|numbered| numbered.set(numbered.get() + u64::from(count)));
        let (mut at, mut order) = (Some(first), start);
        for _ in 0..count {
            let Some(op) = at else { return };
            self.ops[op.index()].order = order;
            order = order.saturating_add(stride);
            at = self.next(op);
        }
    }
}

#[cfg(test)]
mod tests;
