//! Layers of a nest that moves into the loops of another one.

use terrace_dialect_sched::{Alloc, Copy, For, LoopInfo};
use terrace_ir::{Ir, OpId};

/// What is inside of the loops `theirs` of a nest gets layers and labels behind those of `ours`, which will be around it
///
/// A layer has one label and the loops of a label follow each other (rule STEP), which holds in each nest, not across them. Nothing
/// changes where both nests number these loops alike.
pub(crate) fn behind(ir: &mut Ir, nest: OpId, theirs: &[LoopInfo], ours: &[LoopInfo]) {
    if theirs.iter().zip(ours).all(|(theirs, ours)| theirs.step == ours.step) {
        return;
    }
    let front: Vec<OpId> = theirs.iter().map(|info| info.op.0).collect();
    let inside: Vec<(OpId, (i64, i64))> = ir
        .walk_below(nest)
        .filter(|op| !front.contains(op))
        .filter_map(|op| Some((op, step(ir, op)?)))
        .collect();
    let least = inside.iter().map(|(_, step)| *step).reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)));
    let greatest = ours.iter().filter_map(|info| info.step).reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)));
    let (Some(least), Some(greatest)) = (least, greatest) else { return };
    let by = ((greatest.0 + 1 - least.0).max(0), (greatest.1 + 1 - least.1).max(0));
    for (op, (layer, label)) in inside {
        let attr = ir.cx().i64_array(&[layer + by.0, label + by.1]);
        ir.set_attr(op, "step", Some(attr));
    }
}

/// The layer and the label that an op says
fn step(ir: &Ir, op: OpId) -> Option<(i64, i64)> {
    let of_loop = For::cast(ir, op).and_then(|op| op.step(ir));
    let of_copy = || Copy::cast(ir, op).and_then(|op| op.step(ir));
    let of_alloc = || Alloc::cast(ir, op).and_then(|op| op.step(ir));
    match of_loop.or_else(of_copy).or_else(of_alloc)?.as_dense_array(ir.cx())? {
        [layer, label] => Some((*layer, *label)),
        _ => None,
    }
}
