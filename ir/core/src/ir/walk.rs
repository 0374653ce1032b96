//! Walking all ops of a unit without recursion.

use super::{Ir, OpId};

/// A step of a walk
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkStep {
    /// Before the op's regions
    Enter(OpId),
    /// After them
    Leave(OpId),
}

/// Walks the ops below an op in order; does not enter child units
pub struct Walker<'a> {
    ir: &'a Ir,
    stack: Vec<OpId>,
    next: Option<WalkStep>,
}

impl<'a> Walker<'a> {
    /// Walk `op` and everything inside
    pub fn new(ir: &'a Ir, op: OpId) -> Self {
        Walker { ir, stack: Vec::new(), next: Some(WalkStep::Enter(op)) }
    }

    fn first_inside(&self, op: OpId, after: Option<OpId>) -> Option<OpId> {
        let ir = self.ir;
        if let Some(next) = after.and_then(|after| ir.next(after)) {
            return Some(next);
        }
        let mut regions = ir.regions(op);
        if let Some(after) = after {
            let block = ir.block(after)?;
            let region = ir.block_region(block)?;
            let mut later = ir.next_block(block);
            while let Some(block) = later {
                if let Some(first) = ir.first_op(block) {
                    return Some(first);
                }
                later = ir.next_block(block);
            }
            regions.find(|other| *other == region)?;
        }
        for region in regions {
            if let Some(first) = ir.blocks(region).find_map(|block| ir.first_op(block)) {
                return Some(first);
            }
        }
        None
    }
}

impl Iterator for Walker<'_> {
    type Item = WalkStep;

    #[inline]
    fn next(&mut self) -> Option<WalkStep> {
        let step = self.next?;
        self.next = match step {
            WalkStep::Enter(op) if self.ir.num_regions(op) == 0 => Some(WalkStep::Leave(op)),
            WalkStep::Enter(op) => match self.first_inside(op, None) {
                Some(inner) => {
                    self.stack.push(op);
                    Some(WalkStep::Enter(inner))
                }
                None => Some(WalkStep::Leave(op)),
            },
            // Not beyond the op that the walk began with.
            WalkStep::Leave(op) if !self.stack.is_empty() && self.ir.next(op).is_some() => {
                self.ir.next(op).map(WalkStep::Enter)
            }
            WalkStep::Leave(op) => {
                self.stack.last().copied().map(|parent| match self.first_inside(parent, Some(op)) {
                    Some(next) => WalkStep::Enter(next),
                    None => {
                        self.stack.pop();
                        WalkStep::Leave(parent)
                    }
                })
            }
        };
        Some(step)
    }
}

impl Ir {
    /// All ops below the unit's own, each before what is inside it
    pub fn walk(&self) -> impl Iterator<Item = OpId> + '_ {
        self.walk_below(self.root())
    }

    /// All ops inside an op, each before what is inside it
    pub fn walk_below(&self, op: OpId) -> impl Iterator<Item = OpId> + '_ {
        Walker::new(self, op).filter_map(move |step| match step {
            WalkStep::Enter(inner) if inner != op => Some(inner),
            _ => None,
        })
    }

    /// All ops inside an op, each after what is inside it
    pub fn walk_post(&self, op: OpId) -> impl Iterator<Item = OpId> + '_ {
        Walker::new(self, op).filter_map(move |step| match step {
            WalkStep::Leave(inner) if inner != op => Some(inner),
            _ => None,
        })
    }

    /// Is `inner` inside of `outer`, or the same?
    pub fn is_inside(&self, inner: OpId, outer: OpId) -> bool {
        let mut at = Some(inner);
        while let Some(op) = at {
            if op == outer {
                return true;
            }
            at = self.parent(op);
        }
        false
    }
}
