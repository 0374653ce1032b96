//! Ops of regions without an order of execution are put after what they use.
//!
//! As if the block were read again and again, taking each op whose operands are there: an op is taken in the round after
//! that of an operand which stands behind it. Where a ring leaves none, the first goes ahead. Two heaps make it n log n.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use terrace_diag::Reported;
use terrace_ir::{BlockId, Ir, OpId, Traits};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashMap;

/// Sort the ops of graph regions so that each stands after what it uses
///
/// Keeps the order of the text where it can. Rings of ops are cut where they begin.
#[pass("topological-sort", stats("blocks sorted"))]
pub struct TopologicalSort;

impl Pass for TopologicalSort {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let ops = std::iter::once(unit.root()).chain(unit.walk());
        let graphs = ops.filter(|op| unit.has(*op, Traits::GraphRegion));
        let blocks: Vec<BlockId> = graphs
            .flat_map(|op| unit.regions(op).collect::<Vec<_>>())
            .flat_map(|region| unit.blocks(region).collect::<Vec<_>>())
            .collect();
        let sorted = blocks.into_iter().filter(|block| sort(unit, *block)).count();
        cx.count("blocks sorted", sorted as u64);
        cx.set_changed(sorted > 0);
        Ok(())
    }
}

/// Sort a block; true if that changes anything
fn sort(ir: &mut Ir, block: BlockId) -> bool {
    let mut ops: Vec<OpId> = ir.block_ops(block).collect();
    if ops.last().is_some_and(|last| ir.has(*last, Traits::Terminator)) {
        ops.pop();
    }
    let order = order(ir, block, &ops);
    if order.iter().copied().eq(0..ops.len()) {
        return false;
    }
    let end = ir.next(ops[ops.len() - 1]);
    for n in order {
        ir.detach(ops[n]);
        match end {
            Some(end) => ir.insert_before(end, ops[n]),
            None => ir.append(block, ops[n]),
        }
    }
    true
}

fn order(ir: &Ir, block: BlockId, ops: &[OpId]) -> Vec<usize> {
    let place: HashMap<OpId, usize> = ops.iter().enumerate().map(|(n, op)| (*op, n)).collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); ops.len()];
    let mut waits = vec![0usize; ops.len()];
    for (n, &op) in ops.iter().enumerate() {
        let inside = std::iter::once(op).chain(ir.walk_below(op));
        for value in inside.flat_map(|inner| ir.operands(inner).collect::<Vec<_>>()) {
            let def = ir.defining_op(value).and_then(|def| above(ir, block, def));
            if let Some(&at) = def.and_then(|def| place.get(&def))
                && at != n
            {
                users[at].push(n);
                waits[n] += 1;
            }
        }
    }
    let mut done = vec![false; ops.len()];
    let mut order = Vec::with_capacity(ops.len());
    let (mut now, mut later) = (BinaryHeap::new(), BinaryHeap::new());
    now.extend((0..ops.len()).filter(|n| waits[*n] == 0).map(Reverse));
    let mut first = 0;
    while order.len() < ops.len() {
        let next = match now.pop() {
            Some(Reverse(n)) => n,
            None if !later.is_empty() => {
                std::mem::swap(&mut now, &mut later);
                continue;
            }
            None => {
                while done[first] {
                    first += 1;
                }
                first
            }
        };
        if std::mem::replace(&mut done[next], true) {
            continue;
        }
        let cut = waits[next] > 0;
        order.push(next);
        for &user in &users[next] {
            waits[user] -= 1;
            if waits[user] == 0 && !done[user] {
                // After a cut the block is read from its start again.
                if user > next || cut { now.push(Reverse(user)) } else { later.push(Reverse(user)) }
            }
        }
    }
    order
}

/// The op of a block that an op is in, or is
fn above(ir: &Ir, block: BlockId, op: OpId) -> Option<OpId> {
    let mut at = op;
    while ir.block(at)? != block {
        at = ir.parent(at)?;
    }
    Some(at)
}
