//! Orders of insertion that use up gaps as fast as they can

use super::super::{BlockId, Context, Ir, NewOp, OpId};
use crate::handles::OpKind;
use crate::loc::Loc;
use std::cell::Cell;
use std::sync::Arc;
use terrace_support::Random;

thread_local! {
    /// Ops that were numbered anew in this thread
    pub(super) static NUMBERED: Cell<u64> = const { Cell::new(0) };
}

/// Insertions of each test
const MANY: usize = 1_000_000;

/// A block to insert into
struct Block {
    ir: Ir,
    block: BlockId,
    made: u64,
}

impl Block {
    fn new() -> Block {
        NUMBERED.set(0);
        let mut ir = Ir::new_unit(&Arc::new(Context::of(&[])), OpKind::UNREGISTERED, 1, Loc::UNKNOWN);
        let region = ir.region(ir.root(), 0);
        let block = ir.append_block(region);
        Block { ir, block, made: 0 }
    }

    fn op(&mut self) -> OpId {
        self.made += 1;
        self.ir.create(&NewOp::new(OpKind::UNREGISTERED))
    }

    fn append(&mut self) -> OpId {
        let op = self.op();
        self.ir.append(self.block, op);
        op
    }

    fn before(&mut self, next: OpId) -> OpId {
        let op = self.op();
        self.ir.insert_before(next, op);
        op
    }

    fn after(&mut self, prev: OpId) -> OpId {
        let op = self.op();
        self.ir.insert_after(prev, op);
        op
    }

    /// Numbers ascend, and few ops were numbered anew
    fn check(&self, most: u64) {
        let ops: Vec<OpId> = self.ir.block_ops(self.block).collect();
        assert!(ops.windows(2).all(|pair| self.ir.is_before(pair[0], pair[1])));
        let numbered = NUMBERED.get();
        assert!(numbered <= most * self.made, "{numbered} ops numbered anew for {} insertions", self.made);
    }
}

#[test]
fn ends_cost_nothing() {
    let mut block = Block::new();
    block.append();
    for _ in 0..MANY / 2 {
        let first = block.ir.first_op(block.block).expect("there is one");
        block.before(first);
        block.append();
    }
    block.check(0);
}

#[test]
fn always_before_one_op() {
    let mut block = Block::new();
    block.append();
    let next = block.append();
    for _ in 0..MANY {
        block.before(next);
    }
    block.check(40);
}

#[test]
fn always_after_one_op() {
    let mut block = Block::new();
    let prev = block.append();
    block.append();
    for _ in 0..MANY {
        block.after(prev);
    }
    block.check(40);
}

/// Each op between the two that came last: the gap is halved every time
#[test]
fn always_between_the_last_two() {
    let mut block = Block::new();
    let (mut low, mut high) = (block.append(), block.append());
    for n in 0..MANY {
        let op = block.before(high);
        *(if n % 2 == 0 { &mut low } else { &mut high }) = op;
    }
    assert!(block.ir.is_before(low, high));
    block.check(40);
}

/// One in the middle of each gap, again and again
#[test]
fn every_gap_is_halved() {
    let mut block = Block::new();
    block.append();
    block.append();
    while (block.made as usize) < MANY {
        let ops: Vec<OpId> = block.ir.block_ops(block.block).skip(1).collect();
        for op in ops {
            block.before(op);
        }
    }
    block.check(40);
}

#[test]
fn anywhere() {
    let mut block = Block::new();
    let mut random = Random::new(1);
    let mut ops = vec![block.append()];
    for _ in 0..MANY {
        let at = ops[random.below(ops.len())];
        let op = if random.coin() { block.before(at) } else { block.after(at) };
        ops.push(op);
    }
    block.check(40);
}

/// Several places at a time, and ops go
#[test]
fn with_erasure() {
    let mut block = Block::new();
    let mut random = Random::new(2);
    let mut ops: Vec<OpId> = (0..8).map(|_| block.append()).collect();
    for _ in 0..MANY {
        let at = ops[random.below(8usize)];
        let op = block.before(at);
        match random.below(4u32) {
            0 => block.ir.erase(op),
            1 => ops[random.below(8usize)] = op,
            2 if ops.len() > 64 => {
                let gone = ops.swap_remove(8 + random.below(ops.len() - 8));
                block.ir.erase(gone);
            }
            _ => ops.push(op),
        }
    }
    block.check(40);
}

/// At the end of the numbers a block is numbered as a whole
#[test]
fn numbers_end() {
    for last in [false, true] {
        let mut block = Block::new();
        let op = block.append();
        block.append();
        let (at, number) = if last { (block.append(), u32::MAX - 3) } else { (op, 3) };
        block.ir.ops[at.index()].order = number;
        let op = if last { block.append() } else { block.before(op) };
        assert_eq!(block.ir.ops[op.index()].order > super::MIDDLE, last);
        assert_eq!(NUMBERED.get(), if last { 4 } else { 3 });
        block.check(2);
    }
}
