//! Control flow of one region: reverse postorder and the dominator tree.
//!
//! Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm". Near-linear on the graphs compilers meet.

use crate::ir::{BlockId, Ir, RegionId};
use terrace_support::HashMap;

/// Dominator tree of a region's blocks
pub struct DomTree {
    /// Reachable blocks in reverse postorder
    order: Vec<BlockId>,
    position: HashMap<BlockId, usize>,
    idom: Vec<usize>,
    /// Interval of each block in a preorder walk of the tree
    enter: Vec<u32>,
    leave: Vec<u32>,
    children: Vec<Vec<usize>>,
}

impl DomTree {
    /// Tree of a region; empty if it has no block
    pub fn new(ir: &Ir, region: RegionId) -> DomTree {
        let order = reverse_postorder(ir, region);
        let position: HashMap<BlockId, usize> =
            order.iter().enumerate().map(|(n, block)| (*block, n)).collect();
        let mut preds = vec![Vec::new(); order.len()];
        for (n, &block) in order.iter().enumerate() {
            for next in successors(ir, block) {
                if let Some(&at) = position.get(&next) {
                    preds[at].push(n);
                }
            }
        }
        const NONE: usize = usize::MAX;
        let mut idom = vec![NONE; order.len()];
        if !idom.is_empty() {
            idom[0] = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for n in 1..order.len() {
                let mut new = NONE;
                for &pred in preds[n].iter().filter(|pred| idom[**pred] != NONE) {
                    new = if new == NONE { pred } else { meet(&idom, new, pred) };
                }
                if new != NONE && idom[n] != new {
                    idom[n] = new;
                    changed = true;
                }
            }
        }
        let mut children = vec![Vec::new(); order.len()];
        for n in 1..order.len() {
            children[idom[n]].push(n);
        }
        let (mut enter, mut leave) = (vec![0; order.len()], vec![0; order.len()]);
        let mut clock = 0;
        let mut stack = if order.is_empty() { vec![] } else { vec![(0usize, 0usize)] };
        while let Some((n, child)) = stack.last_mut() {
            if *child == 0 {
                enter[*n] = clock;
                clock += 1;
            }
            match children[*n].get(*child) {
                Some(&next) => {
                    *child += 1;
                    stack.push((next, 0));
                }
                None => {
                    leave[*n] = clock;
                    stack.pop();
                }
            }
        }
        DomTree { order, position, idom, enter, leave, children }
    }

    /// Reachable blocks in reverse postorder
    pub fn order(&self) -> &[BlockId] {
        &self.order
    }

    /// Can the block be reached from the entry?
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position.contains_key(&block)
    }

    /// Does every way to `b` lead through `a`? A block dominates itself; unreachable ones are dominated by all
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let Some(&b) = self.position.get(&b) else { return true };
        let Some(&a) = self.position.get(&a) else { return false };
        self.enter[a] <= self.enter[b] && self.leave[b] <= self.leave[a]
    }

    /// The closest strict dominator
    pub fn idom(&self, block: BlockId) -> Option<BlockId> {
        let n = *self.position.get(&block)?;
        (n != 0).then(|| self.order[self.idom[n]])
    }

    /// Blocks that this one immediately dominates, in reverse postorder
    pub fn children(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        let children = self.position.get(&block).map_or(&[][..], |n| &self.children[*n][..]);
        children.iter().map(|n| self.order[*n])
    }
}

fn meet(idom: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while a > b {
            a = idom[a];
        }
        while b > a {
            b = idom[b];
        }
    }
    a
}

/// Successors of a block: those of its last op
pub fn successors(ir: &Ir, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
    ir.last_op(block).into_iter().flat_map(|op| ir.successors(op))
}

/// Reachable blocks of a region, each before those it leads to unless along a back edge
pub fn reverse_postorder(ir: &Ir, region: RegionId) -> Vec<BlockId> {
    let Some(entry) = ir.entry(region) else { return Vec::new() };
    let mut seen = terrace_support::HashSet::default();
    seen.insert(entry);
    let mut post = Vec::new();
    let mut stack: Vec<(BlockId, Vec<BlockId>)> = vec![(entry, successors(ir, entry).collect())];
    while let Some((block, next)) = stack.last_mut() {
        match next.pop() {
            Some(next) if seen.insert(next) => stack.push((next, successors(ir, next).collect())),
            Some(_) => {}
            None => {
                post.push(*block);
                stack.pop();
            }
        }
    }
    post.reverse();
    post
}
