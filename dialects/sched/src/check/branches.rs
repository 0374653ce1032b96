//! SYNC in branches: threads wait for each other only where all of them come.

use super::Claim;
use super::formula::Formula;
use super::joins::{Join, is_spread};
use super::nest::{AccessNode, Nest};
use crate::space;
use terrace_devices::Space;
use terrace_ir::{OpId, Value, ValueDef};

/// Barriers between what threads write and read inside of a branch: all threads take it, or none
pub(super) fn claims(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for join in nest.joins_in_branches() {
        let Some(branch) = nest.branch_of(&join).filter(|branch| nest.varies(*branch)) else { continue };
        if join.round && join.place.is_some_and(|place| nest.info(place).level.is_parallel()) {
            continue;
        }
        let (first, second) = (&nest.accesses[join.first], &nest.accesses[join.second]);
        let kernel = second.kernel.filter(|kernel| !nest.has_warps(*kernel));
        if kernel.and_then(|kernel| nest.block_of(kernel)).is_some_and(|block| nest.waits_at(&join, block)) {
            out.push(Claim {
                formula: Formula::Fact(false),
                op: second.op,
                reason:
                    "waits for other threads of the block, but only those come for which a condition holds"
                        .into(),
                others: vec![(first.op, "other threads do this before"), (branch, "the condition")],
                help: "move what threads give to each other out of the condition",
            });
        }
    }
}

impl Nest<'_> {
    /// Pairs of accesses in one branch
    pub fn joins_in_branches(&self) -> Vec<Join> {
        let branched = |access: &AccessNode| self.branch(access.op).is_some();
        match self.accesses.iter().any(branched) {
            true => self.joins().into_iter().filter(|join| self.branch_of(join).is_some()).collect(),
            false => Vec::new(),
        }
    }

    /// The innermost branch around an op
    fn branch(&self, op: OpId) -> Option<OpId> {
        let mut around = std::iter::successors(self.ir.parent(op), |op| self.ir.parent(*op));
        around.find(|op| self.ir.op_name(*op) == "scf.if")
    }

    /// The innermost branch around both accesses of a pair and the point where the second one waits
    pub fn branch_of(&self, join: &Join) -> Option<OpId> {
        let [a, b] = [join.first, join.second].map(|access| self.accesses[access].op);
        let mut branch = self.branch(b);
        while let Some(op) = branch {
            let inside = join.place.filter(|_| join.round).map(|id| self.info(id).op.0);
            if self.ir.is_inside(a, op) && inside.is_none_or(|place| self.ir.is_inside(place, op)) {
                return branch;
            }
            branch = self.branch(op);
        }
        None
    }

    /// Does an op stand in the branch of a pair?
    pub fn is_in_branch(&self, join: &Join, op: OpId) -> bool {
        self.branch_of(join).is_some_and(|branch| self.ir.is_inside(op, branch))
    }

    /// May threads of a block take different branches? What hangs on loops over threads, or on a thread's own memory
    pub fn varies(&self, branch: OpId) -> bool {
        let mut pending: Vec<Value> = self.ir.operands(branch).collect();
        let mut seen = Vec::new();
        while let Some(value) = pending.pop() {
            if seen.contains(&value) {
                continue;
            }
            seen.push(value);
            match self.loop_of(value) {
                Some(id) if is_spread(self.info(id).level) && self.info(id).trip() > 1 => return true,
                Some(_) => continue,
                None => {}
            }
            if space::of(self.ir.cx(), self.ir.ty(value)) == Space::Private {
                return true;
            }
            if let Some(ValueDef::Result(op, _)) = self.ir.value_def(value) {
                pending.extend(self.ir.operands(op));
            }
        }
        false
    }
}
