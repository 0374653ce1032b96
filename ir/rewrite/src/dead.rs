//! Which ops may be erased when their results are unused.

use terrace_ir::steps::{self, Steps};
use terrace_ir::{Effects, Ir, OpId, OpKind, RegionId, Traits};

/// Effects of an op with those of everything inside, if it says that they are its own
pub fn effects_with_inside(ir: &Ir, op: OpId) -> Effects {
    if ir.kind(op) == OpKind::UNREGISTERED || ir.kind(op) == OpKind::SLOT {
        return Effects::UNKNOWN;
    }
    if !ir.has(op, Traits::RecursiveEffects) {
        return ir.effects(op);
    }
    ir.walk_below(op).fold(Effects::NONE, |all, inner| all.and(own_effects(ir, inner)))
}

/// Effects of an op inside of another one, without those of what it holds itself
fn own_effects(ir: &Ir, op: OpId) -> Effects {
    match ir.kind(op) {
        OpKind::UNREGISTERED | OpKind::SLOT => Effects::UNKNOWN,
        _ if ir.has(op, Traits::RecursiveEffects) || ir.has(op, Traits::Terminator) => Effects::NONE,
        _ => ir.effects(op),
    }
}

/// Could the op be erased if its results were unused?
pub fn is_removable(ir: &Ir, op: OpId) -> bool {
    if matches!(ir.kind(op), OpKind::UNREGISTERED | OpKind::SLOT) {
        return false;
    }
    let traits = ir.def(op).traits;
    if traits.has(Traits::Terminator) || traits.has(Traits::Symbol) {
        return false;
    }
    if ir.num_regions(op) == 0 {
        return ir.effects(op).is_removable();
    }
    // As a rule an op near the start says no.
    traits.has(Traits::RecursiveEffects)
        && ir.walk_below(op).all(|inner| own_effects(ir, inner).is_removable())
}

/// Its results are unused and it has no other effect
#[inline]
pub fn is_dead(ir: &Ir, op: OpId) -> bool {
    ir.is_unused(op) && is_removable(ir, op)
}

/// Erase dead ops of a unit, users before definitions; gives their number
pub fn sweep(ir: &mut Ir) -> u64 {
    sweep_counted(ir, None)
}

/// The same, where each erased op is an application
pub fn sweep_counted(ir: &mut Ir, steps: Option<&Steps>) -> u64 {
    let mut regions: Vec<RegionId> = ir.regions(ir.root()).collect();
    let mut at = 0;
    while at < regions.len() {
        let inner: Vec<RegionId> = ir
            .blocks(regions[at])
            .flat_map(|block| ir.block_ops(block))
            .flat_map(|op| ir.regions(op).collect::<Vec<_>>())
            .collect();
        regions.extend(inner);
        at += 1;
    }
    let mut erased = 0;
    // Inner regions come later in the list; an op with regions is judged after what is inside.
    for &region in regions.iter().rev() {
        let mut blocks: Vec<_> = ir.blocks(region).collect();
        blocks.reverse();
        for block in blocks {
            let mut next: Option<OpId> = ir.last_op(block);
            while let Some(op) = next {
                next = ir.prev(op);
                if is_dead(ir, op) {
                    if !steps::may(steps, "dead", ir, op) {
                        return erased;
                    }
                    ir.erase(op);
                    erased += 1;
                }
            }
        }
    }
    erased
}
