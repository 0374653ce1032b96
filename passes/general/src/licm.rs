//! Loop-invariant code motion: ops that compute the same in every iteration move before the loop.
//!
//! An op moves if it is `Pure` (speculating it is harmless, even when the loop does not run), has no regions, and uses
//! nothing defined inside the loop. Inner loops come first, so that an op climbs as far as it can. Linear in ops but for
//! the climb of each moved op through the nest.

use crate::analyses::{Dominance, InnerEffects};
use terrace_diag::Reported;
use terrace_ir::{Ir, OpId, RegionId, Traits, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Move ops that compute the same in every iteration before the loop
///
/// Only ops without effects that are safe to run when the loop does not: a division stays. Reads stay too, since
/// no alias analysis is used.
#[pass("licm", aliases("loop-invariant-code-motion"), stats("ops moved"))]
pub struct Licm;

impl Pass for Licm {
    fn is_counted(&self) -> bool {
        true
    }

    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let loops: Vec<OpId> =
            unit.walk_post(unit.root()).filter(|op| unit.has(*op, Traits::LoopLike)).collect();
        let moved: u64 = loops.into_iter().map(|op| hoist(cx, unit, op)).sum();
        cx.count("ops moved", moved);
        cx.set_changed(moved > 0);
        // Ops without effects move out of regions; blocks stay as they are.
        cx.preserve::<Dominance>();
        cx.preserve::<InnerEffects>();
        Ok(())
    }
}

fn hoist(cx: &PassCx<'_>, ir: &mut Ir, outer: OpId) -> u64 {
    let regions: Vec<RegionId> = ir.regions(outer).collect();
    let mut moved = 0;
    for region in regions {
        // Blocks in order, ops in order: an op whose operands have just moved out may follow them.
        let ops: Vec<OpId> =
            ir.blocks(region).flat_map(|block| ir.block_ops(block).collect::<Vec<_>>()).collect();
        for op in ops {
            let fixed = ir.num_regions(op) > 0 || ir.has(op, Traits::Terminator) || !ir.has(op, Traits::Pure);
            let moves = !fixed && ir.operands(op).all(|value| is_outside(ir, value, outer));
            if moves && cx.step("moved", ir, op) {
                ir.detach(op);
                ir.insert_before(outer, op);
                moved += 1;
            }
        }
    }
    moved
}

/// Is the value defined outside of this op's regions?
fn is_outside(ir: &Ir, value: Value, outer: OpId) -> bool {
    let owner = ir.value_block(value).and_then(|block| ir.block_parent(block));
    owner.is_some_and(|owner| !ir.is_inside(owner, outer))
}
