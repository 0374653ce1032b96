//! `scf.parallel` as a nest of `scf.for`, one per dimension, row by row: one of the orders it allows.
//!
//! What it reduces is carried through the nest; each region of `scf.reduce` is inlined once, in the innermost body.

use terrace_dialect_scf::{For, Parallel, Reduce, ReduceReturn, Yield};
use terrace_ir::{BlockId, Builder, Ir, NewOp, OpId, Type, Value};

/// Replace the loop; gives the nest, outermost first
pub(crate) fn parallel_to_for(ir: &mut Ir, op: OpId) -> Vec<OpId> {
    let parallel = Parallel(op);
    let (lower, upper, steps) = (parallel.lower(ir), parallel.upper(ir), parallel.steps(ir));
    let loc = ir.loc(op);
    let body = ir.entry(parallel.region(ir)).expect("verified: the region has a block");
    let ivs = ir.block_args(body).to_vec();
    let mut carried = parallel.inits(ir);
    let types: Vec<Type> = carried.iter().map(|value| ir.ty(*value)).collect();
    let mut nest: Vec<OpId> = Vec::new();
    let mut block: Option<BlockId> = None;
    for (dim, iv) in ivs.into_iter().enumerate() {
        let mut b = match block {
            Some(block) => Builder::at_end(ir, block),
            None => Builder::before(ir, op),
        };
        b.set_loc(loc);
        let kind = b.kind(For::DEF);
        let operands: Vec<Value> =
            [lower[dim], upper[dim], steps[dim]].into_iter().chain(carried.iter().copied()).collect();
        let segments = [1, 1, 1, carried.len() as u32];
        let new = NewOp {
            operands: &operands,
            segments: &segments,
            results: &types,
            regions: 1,
            ..NewOp::new(kind)
        };
        let level = b.insert(&new);
        let region = ir.region(level, 0);
        let inner = ir.append_block(region);
        let arg = ir.add_block_arg(inner, ir.ty(iv));
        ir.copy_value_name(iv, arg);
        ir.replace_all_uses(iv, arg);
        carried = types.iter().map(|ty| ir.add_block_arg(inner, *ty)).collect();
        if let Some(&outer) = nest.last() {
            let given: Vec<Value> = ir.results(level).collect();
            let block = ir.block(level).expect("just placed");
            give(ir, block, outer, &given);
        }
        nest.push(level);
        block = Some(inner);
    }
    let (Some(inner), Some(&first), Some(&last)) = (block, nest.first(), nest.last()) else { return nest };
    if let Some(from) = ir.first_op(body) {
        ir.move_tail(from, inner);
    }
    let reduce = ir.last_op(inner).expect("verified: the body ends with a terminator");
    let given = reduced(ir, Reduce(reduce), &carried);
    ir.erase(reduce);
    give(ir, inner, last, &given);
    for (old, new) in ir.results(op).zip(ir.results(first)) {
        ir.copy_value_name(old, new);
        ir.replace_all_uses(old, new);
    }
    ir.erase(op);
    nest
}

/// End a block of a loop with the values it carries on
fn give(ir: &mut Ir, block: BlockId, around: OpId, values: &[Value]) {
    let loc = ir.loc(around);
    let mut b = Builder::at_end(ir, block);
    b.set_loc(loc);
    Yield::build(&mut b, values);
}

/// Inline the regions of `scf.reduce` before it: each joins what was reduced so far and a new value
fn reduced(ir: &mut Ir, reduce: Reduce, so_far: &[Value]) -> Vec<Value> {
    let values = reduce.operands(ir);
    let regions = reduce.reductions(ir);
    let mut given = Vec::with_capacity(values.len());
    for ((region, value), so_far) in regions.into_iter().zip(values).zip(so_far) {
        let block = ir.entry(region).expect("verified: one block");
        for (arg, with) in ir.block_args(block).to_vec().into_iter().zip([*so_far, value]) {
            ir.replace_all_uses(arg, with);
        }
        let end = ir.last_op(block).expect("verified: the region ends with a terminator");
        given.push(ReduceReturn(end).result(ir));
        ir.erase(end);
        while let Some(op) = ir.first_op(block) {
            ir.detach(op);
            ir.insert_before(reduce.id(), op);
        }
    }
    given
}
