//! Control flow of one region: reverse postorder and the dominator tree.
//!
//! Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm". Near-linear on the graphs compilers meet.

use crate::ir::{BlockId, Ir, RegionId};
use terrace_support::graph::successors_first;
use terrace_support::{HashMap, HashSet};

/// Dominator tree of a region's blocks
pub struct DomTree {
    /// Reachable blocks in reverse postorder
    order: Vec<BlockId>,
    position: Places,
    idom: Vec<u32>,
    /// Interval of each block in a preorder walk of the tree
    enter: Vec<u32>,
    leave: Vec<u32>,
    children: Lists,
}

/// A number for some blocks of a region
///
/// Handles of the blocks of a region are usually dense: an array by offset, else a hash table.
struct Places {
    low: usize,
    dense: Vec<u32>,
    rest: HashMap<BlockId, u32>,
}

const NONE: u32 = u32::MAX;

impl Places {
    fn new(ir: &Ir, region: RegionId) -> Places {
        let (mut low, mut high, mut count) = (usize::MAX, 0, 0);
        for block in ir.blocks(region) {
            (low, high, count) = (low.min(block.index()), high.max(block.index() + 1), count + 1);
        }
        let len = high.saturating_sub(low);
        let dense = if len <= 64 + 16 * count { vec![NONE; len] } else { Vec::new() };
        Places { low, dense, rest: HashMap::default() }
    }

    fn get(&self, block: BlockId) -> Option<usize> {
        let place = match self.dense.get(block.index().wrapping_sub(self.low)) {
            Some(place) => *place,
            None if self.rest.is_empty() => NONE,
            None => self.rest.get(&block).copied().unwrap_or(NONE),
        };
        (place != NONE).then_some(place as usize)
    }

    fn set(&mut self, block: BlockId, place: usize) {
        match self.dense.get_mut(block.index().wrapping_sub(self.low)) {
            Some(at) => *at = place as u32,
            None => {
                self.rest.insert(block, place as u32);
            }
        }
    }
}

/// Lists of numbers, one after the other
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Groups pairs of list and item by list, so many lists; items keep their order
    fn of(count: usize, pairs: &[(u32, u32)]) -> Lists {
        let mut starts = vec![0; count + 1];
        pairs.iter().for_each(|(list, _)| starts[*list as usize + 1] += 1);
        for n in 1..starts.len() {
            starts[n] += starts[n - 1];
        }
        let (mut at, mut items) = (starts.clone(), vec![0; pairs.len()]);
        for &(list, item) in pairs {
            let place = &mut at[list as usize];
            items[*place as usize] = item;
            *place += 1;
        }
        Lists { starts, items }
    }

    fn get(&self, list: usize) -> &[u32] {
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

impl DomTree {
    /// Tree of a region; empty if it has no block
    pub fn new(ir: &Ir, region: RegionId) -> DomTree {
        let (order, mut position) = walk(ir, region);
        for (n, &block) in order.iter().enumerate() {
            position.set(block, n);
        }
        let len = order.len();
        let mut edges = Vec::with_capacity(2 * len);
        for (n, &block) in order.iter().enumerate() {
            edges.extend(
                successors(ir, block).filter_map(|next| Some((position.get(next)? as u32, n as u32))),
            );
        }
        let preds = Lists::of(len, &edges);
        let mut idom = vec![NONE; len];
        if !idom.is_empty() {
            idom[0] = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for n in 1..len {
                let mut new = NONE;
                for &pred in preds.get(n).iter().filter(|pred| idom[**pred as usize] != NONE) {
                    new = if new == NONE { pred } else { meet(&idom, new, pred) };
                }
                if new != NONE && idom[n] != new {
                    idom[n] = new;
                    changed = true;
                }
            }
        }
        edges.clear();
        edges.extend((1..len).map(|n| (idom[n], n as u32)));
        let children = Lists::of(len, &edges);
        let (mut enter, mut leave) = (vec![0; len], vec![0; len]);
        let mut clock = 0;
        let mut stack = if order.is_empty() { vec![] } else { vec![(0usize, 0usize)] };
        while let Some((n, child)) = stack.last_mut() {
            if *child == 0 {
                enter[*n] = clock;
                clock += 1;
            }
            match children.get(*n).get(*child) {
                Some(&next) => {
                    *child += 1;
                    stack.push((next as usize, 0));
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
        self.position.get(block).is_some()
    }

    /// Does every way to `b` lead through `a`? A block dominates itself; unreachable ones are dominated by all
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let Some(b) = self.position.get(b) else { return true };
        let Some(a) = self.position.get(a) else { return false };
        self.enter[a] <= self.enter[b] && self.leave[b] <= self.leave[a]
    }

    /// The closest strict dominator
    pub fn idom(&self, block: BlockId) -> Option<BlockId> {
        let n = self.position.get(block)?;
        (n != 0).then(|| self.order[self.idom[n] as usize])
    }

    /// Blocks that this one immediately dominates, in reverse postorder
    pub fn children(
        &self,
        block: BlockId,
    ) -> impl ExactSizeIterator<Item = BlockId> + DoubleEndedIterator + '_ {
        let children = self.position.get(block).map_or(&[][..], |n| self.children.get(n));
        children.iter().map(|n| self.order[*n as usize])
    }
}

fn meet(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
}

/// Successors of a block: those of its last op
pub fn successors(ir: &Ir, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
    ir.last_op(block).into_iter().flat_map(|op| ir.successors(op))
}

/// Blocks of a region that control can come to again from themselves
pub fn cyclic_blocks(ir: &Ir, region: RegionId) -> HashSet<BlockId> {
    let blocks: Vec<BlockId> = ir.blocks(region).collect();
    let places: HashMap<BlockId, usize> = blocks.iter().enumerate().map(|(n, block)| (*block, n)).collect();
    let next =
        |block: &BlockId| successors(ir, *block).filter_map(|next| places.get(&next).copied()).collect();
    let (_, cyclic) = successors_first(&blocks.iter().map(next).collect::<Vec<_>>());
    blocks.into_iter().zip(cyclic).filter(|(_, cyclic)| *cyclic).map(|(block, _)| block).collect()
}

/// Those of a region's blocks that cannot be reached from the first one, in order
pub fn unreachable(ir: &Ir, blocks: &[BlockId]) -> Vec<BlockId> {
    let mut reached = vec![false; ir.block_capacity()];
    let mut pending: Vec<BlockId> = blocks.first().copied().into_iter().collect();
    pending.iter().for_each(|block| reached[block.index()] = true);
    while let Some(block) = pending.pop() {
        for next in successors(ir, block) {
            if !std::mem::replace(&mut reached[next.index()], true) {
                pending.push(next);
            }
        }
    }
    blocks.iter().copied().filter(|block| !reached[block.index()]).collect()
}

/// Reachable blocks of a region, each before those it leads to unless along a back edge
pub fn reverse_postorder(ir: &Ir, region: RegionId) -> Vec<BlockId> {
    walk(ir, region).0
}

/// Reachable blocks in reverse postorder, and `Places` in which exactly these have a number
fn walk(ir: &Ir, region: RegionId) -> (Vec<BlockId>, Places) {
    let mut seen = Places::new(ir, region);
    let Some(entry) = ir.entry(region) else { return (Vec::new(), seen) };
    let ways = |block: BlockId| ir.last_op(block).map_or(0, |end| ir.num_successors(end));
    seen.set(entry, 0);
    let mut post = Vec::new();
    // Blocks on the way with the number of successors that are left.
    let mut stack = vec![(entry, ways(entry))];
    while let Some((block, left)) = stack.last_mut() {
        let block = *block;
        let Some(n) = left.checked_sub(1) else {
            post.push(block);
            stack.pop();
            continue;
        };
        *left = n;
        if let Some(next) = ir.last_op(block).and_then(|end| ir.successor(end, n))
            && seen.get(next).is_none()
        {
            seen.set(next, 0);
            stack.push((next, ways(next)));
        }
    }
    post.reverse();
    (post, seen)
}
