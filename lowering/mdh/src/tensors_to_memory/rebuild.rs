//! Loops and conditions without the tensors that they carried.

use super::homes::is_tensor;
use terrace_dialect_tensor::TENSOR;
use terrace_ir::{BlockId, Builder, Ir, NewOp, OpId, Traits, Type, Value};

/// Make an op anew without its tensors, or drop it; nothing uses them any more
pub(super) fn without_tensors(ir: &mut Ir, op: OpId) {
    if ir.is_of(op, &TENSOR) {
        ir.erase(op);
        return;
    }
    let operands: Vec<Value> = ir.operands(op).filter(|value| !is_tensor(ir, *value)).collect();
    if ir.has(op, Traits::Terminator) {
        ir.set_operands(op, &operands, &[]);
        return;
    }
    for n in 0..ir.num_regions(op) {
        let region = ir.region(op, n);
        for block in ir.blocks(region).collect::<Vec<BlockId>>() {
            for at in (0..ir.block_args(block).len()).rev() {
                if is_tensor(ir, ir.block_args(block)[at]) {
                    ir.remove_block_arg(block, at);
                }
            }
        }
    }
    let kept: Vec<Value> = ir.results(op).filter(|value| !is_tensor(ir, *value)).collect();
    let results: Vec<Type> = kept.iter().map(|value| ir.ty(*value)).collect();
    let slots: Vec<_> = (0..ir.def(op).attrs.len()).map(|n| ir.slot(op, n)).collect();
    let (dict, loc, kind, regions) = (ir.dict(op), ir.loc(op), ir.kind(op), ir.num_regions(op));
    let mut b = Builder::before(ir, op);
    b.set_loc(loc);
    let made = b.insert(&NewOp {
        operands: &operands,
        results: &results,
        slots: &slots,
        dict,
        regions,
        ..NewOp::new(kind)
    });
    for n in 0..regions {
        let (from, to) = (ir.region(op, n), ir.region(made, n));
        ir.move_blocks(from, to);
    }
    for (n, old) in kept.into_iter().enumerate() {
        let new = ir.result(made, n);
        ir.replace_all_uses(old, new);
    }
    ir.erase(op);
}
