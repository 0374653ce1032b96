//! Control flow of the function that is emitted: its blocks, in which order they come, and which have been begun.

use crate::raw::{Bb, V};
use terrace_ir::{BlockId, Ir, OpId};
use terrace_support::{HashMap, HashSet};

/// The blocks of a function
#[derive(Default)]
pub(crate) struct Flow {
    states: HashMap<BlockId, BlockState>,
    begun: HashSet<BlockId>,
    /// The same in order
    order: Vec<BlockId>,
}

pub(crate) struct BlockState {
    pub(crate) start: Bb,
    /// One per dynamic part of the arguments
    pub(crate) phis: Vec<V>,
}

impl Flow {
    /// A block that can be reached, and where its code is
    pub(crate) fn add(&mut self, block: BlockId, start: Bb) {
        self.states.insert(block, BlockState { start, phis: Vec::new() });
    }

    pub(crate) fn state(&self, block: BlockId) -> &BlockState {
        &self.states[&block]
    }

    /// Note the values that the block's arguments have on each edge
    pub(crate) fn set_phis(&mut self, block: BlockId, phis: Vec<V>) {
        self.states.get_mut(&block).expect("every reachable block has a state").phis = phis;
    }

    /// The block comes next
    pub(crate) fn begin(&mut self, block: BlockId) {
        self.begun.insert(block);
        self.order.push(block);
    }

    /// Has the block been begun, so that a branch to it closes a loop?
    pub(crate) fn is_back(&self, to: BlockId) -> bool {
        self.begun.contains(&to)
    }

    /// All blocks begun from the loop's header to a branch back to it
    pub(crate) fn loop_blocks(&self, ir: &Ir, header: BlockId, branch: OpId) -> &[BlockId] {
        let place = |block: BlockId| self.order.iter().position(|other| *other == block);
        let ends = ir.block(branch).and_then(|last| Some((place(header)?, place(last)?)));
        ends.and_then(|(first, last)| self.order.get(first..=last)).unwrap_or(&[])
    }
}

/// Blocks that can be reached, each after those that dominate it
pub(crate) fn reverse_postorder(ir: &Ir, first: BlockId) -> Vec<BlockId> {
    let successors = |block: BlockId| -> Vec<BlockId> {
        ir.last_op(block).map(|op| ir.successors(op).collect()).unwrap_or_default()
    };
    let mut seen = HashSet::default();
    seen.insert(first);
    let mut stack = vec![(first, successors(first))];
    let mut order = Vec::new();
    while let Some((block, pending)) = stack.last_mut() {
        match pending.pop() {
            Some(next) if seen.insert(next) => stack.push((next, successors(next))),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
