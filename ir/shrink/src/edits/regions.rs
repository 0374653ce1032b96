//! Replaces an op by the ops of one of its regions.

use crate::edit::{Edit, Tries, all_ops, unit_mut};
use crate::stand_in::{First, stand_in};
use terrace_ir::{Ir, OpId, Traits};

pub(super) fn unwrap(tries: &mut dyn Tries) -> bool {
    let module = tries.module();
    let mut edits: Vec<Edit> = Vec::new();
    for (path, op) in all_ops(module) {
        let regions = crate::edit::unit(module, &path).map_or(0, |unit| unit.num_regions(op));
        for n in 0..regions {
            let path = path.clone();
            edits.push(Box::new(move |module| {
                unit_mut(module, &path).is_some_and(|unit| unit.is_alive(op) && unwrapped(unit, op, n))
            }));
        }
    }
    tries.try_all(edits)
}

fn unwrapped(unit: &mut Ir, op: OpId, n: usize) -> bool {
    if unit.block(op).is_none() || n >= unit.num_regions(op) {
        return false;
    }
    let region = unit.region(op, n);
    let Some(block) = unit.single_block(region) else { return false };
    for arg in unit.block_args(block).to_vec() {
        if unit.is_used(arg) {
            let Some(value) = stand_in(unit, op, unit.ty(arg), First::Nearby) else { return false };
            unit.replace_all_uses(arg, value);
        }
    }
    let end = unit.last_op(block).filter(|end| unit.has(*end, Traits::Terminator));
    let ops: Vec<OpId> = unit.block_ops(block).filter(|inner| Some(*inner) != end).collect();
    for inner in ops {
        unit.detach(inner);
        unit.insert_before(op, inner);
    }
    for n in 0..unit.num_results(op) {
        let result = unit.result(op, n);
        if !unit.is_used(result) {
            continue;
        }
        let given = end.and_then(|end| unit.operands(end).nth(n));
        let given = given
            .filter(|given| unit.ty(*given) == unit.ty(result) && unit.value_block(*given) != Some(block));
        let value = given.or_else(|| stand_in(unit, op, unit.ty(result), First::Nearby));
        let Some(value) = value else { return false };
        unit.replace_all_uses(result, value);
    }
    unit.erase(op);
    true
}
