//! Loops and conditions without the tensors that they carried.

use super::homes::is_tensor;
use terrace_dialect_tensor::TENSOR;
use terrace_ir::{BlockId, Ir, OpId, Parts, Traits, Value};

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
            ir.retain_block_args(block, |ir, arg| !is_tensor(ir, arg));
        }
    }
    let kept: Vec<Value> = ir.results(op).filter(|value| !is_tensor(ir, *value)).collect();
    let results = kept.iter().map(|value| ir.ty(*value)).collect();
    let parts = Parts { operands, results, ..ir.parts(op) };
    ir.remake_for(op, &parts, &kept);
}
