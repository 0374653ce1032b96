//! Erases unused ops with regions and unused allocations, as `cse` of MLIR does.
//!
//! This `cse` erases only those that compute or read.

use terrace_diag::Reported;
use terrace_ir::{Effects, Ir, OpId, RegionId};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_rewrite::dead::is_dead;

/// Erase ops with regions and allocations whose results are unused and that have no other effect
///
/// Unlike `dce` it looks at each op once: what only such ops used stays.
#[pass("unused-ops", stats("ops erased"))]
pub(crate) struct UnusedOps;

impl Pass for UnusedOps {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut dead: Vec<OpId> = Vec::new();
        let mut regions: Vec<RegionId> = unit.regions(unit.root()).collect();
        while let Some(region) = regions.pop() {
            for op in unit.blocks(region).flat_map(|block| unit.block_ops(block)) {
                let left = unit.num_regions(op) > 0 || unit.effects(op).has(Effects::ALLOC);
                if left && is_dead(unit, op) {
                    dead.push(op);
                } else {
                    regions.extend(unit.regions(op));
                }
            }
        }
        cx.count("ops erased", dead.len() as u64);
        cx.set_changed(!dead.is_empty());
        dead.into_iter().for_each(|op| unit.erase(op));
        Ok(())
    }
}
