//! Makes branches unconditional, returns early from functions, joins blocks.

use crate::edit::{Edit, Path, Tries, all_ops, unit, unit_mut};
use crate::stand_in::{First, stand_in};
use terrace_ir::{BlockId, Context, Ir, NewOp, OpId, OpKind, RegionId, Traits, Value};

pub(super) fn simplify(tries: &mut dyn Tries) -> bool {
    let module = tries.module();
    let mut edits: Vec<Edit> = Vec::new();
    for (path, op) in all_ops(module) {
        let ways = unit(module, &path).map_or(0, |unit| unit.num_successors(op));
        if ways == 0 {
            continue;
        }
        edits.push(change(&path, op, returns));
        if ways > 1 {
            for n in 0..ways {
                let path = path.clone();
                edits.push(Box::new(move |module| {
                    unit_mut(module, &path).is_some_and(|unit| unit.is_alive(op) && one_way(unit, op, n))
                }));
            }
            for n in 0..ways * ways {
                let path = path.clone();
                edits.push(Box::new(move |module| {
                    let unit = unit_mut(module, &path).filter(|unit| unit.is_alive(op));
                    unit.is_some_and(|unit| same_way(unit, op, n / ways, n % ways))
                }));
            }
        } else {
            edits.push(change(&path, op, joined));
        }
    }
    tries.try_all(edits)
}

fn change(path: &Path, op: OpId, edit: fn(&mut Ir, OpId) -> bool) -> Edit {
    let path = path.clone();
    Box::new(move |module| unit_mut(module, &path).is_some_and(|unit| unit.is_alive(op) && edit(unit, op)))
}

/// An op that does nothing but lead to one block, of the same dialect if there is one
fn jump(cx: &Context, like: OpKind) -> Option<OpKind> {
    let plain = |kind: &OpKind| {
        let def = cx.def(*kind);
        let leads = matches!(def.successors, [one] if !one.variadic && one.operands == Some(0));
        leads
            && def.operands.len() == 1
            && def.attrs.is_empty()
            && def.regions.is_empty()
            && def.results.is_empty()
    };
    let kinds = || cx.op_names().filter_map(|name| cx.kind_by_name(name)).filter(plain);
    let dialect = cx.def(like).dialect();
    kinds().find(|kind| cx.def(*kind).dialect() == dialect).or_else(|| kinds().next())
}

fn one_way(unit: &mut Ir, op: OpId, n: usize) -> bool {
    let Some(next) = unit.successor(op, n).filter(|_| unit.num_results(op) == 0) else { return false };
    let Some(field) = unit.def(op).successors.get(n).and_then(|successor| successor.operands) else {
        return false;
    };
    let Some(kind) = jump(unit.cx(), unit.kind(op)) else { return false };
    let Some(region) = unit.block(op).and_then(|block| unit.block_region(block)) else { return false };
    let operands = unit.operand_field(op, field.into());
    replace_end(
        unit,
        op,
        &NewOp { operands: &operands, successors: &[next], loc: unit.loc(op), ..NewOp::new(kind) },
    );
    drop_unreachable(unit, region);
    true
}

/// One of its ways leads where another one does
fn same_way(unit: &mut Ir, op: OpId, from: usize, to: usize) -> bool {
    let (Some(old), Some(new)) = (unit.successor(op, from), unit.successor(op, to)) else { return false };
    let Some(region) = unit.block(op).and_then(|block| unit.block_region(block)) else { return false };
    unit.set_successor(op, from, new);
    drop_unreachable(unit, region);
    old != new
}

fn replace_end(unit: &mut Ir, op: OpId, new: &NewOp<'_>) {
    let new = unit.create(new);
    unit.insert_before(op, new);
    unit.erase(op);
}

/// Return here, as the function does elsewhere
fn returns(unit: &mut Ir, op: OpId) -> bool {
    let Some(region) = unit.block(op).and_then(|block| unit.block_region(block)) else { return false };
    if unit.region_parent(region) != unit.root() || unit.num_results(op) > 0 {
        return false;
    }
    let ends = unit.blocks(region).filter_map(|block| unit.last_op(block));
    let Some(end) = ends.filter(|end| unit.has(*end, Traits::ReturnLike)).last() else { return false };
    let types: Vec<_> = unit.operands(end).map(|value| unit.ty(value)).collect();
    let values: Option<Vec<Value>> =
        types.into_iter().map(|ty| stand_in(unit, op, ty, First::Nearby)).collect();
    let Some(values) = values else { return false };
    let kind = unit.kind(end);
    let slots: Vec<_> = (0..unit.def(end).attrs.len()).map(|slot| unit.slot(end, slot)).collect();
    let loc = unit.loc(op);
    replace_end(unit, op, &NewOp { operands: &values, slots: &slots, loc, ..NewOp::new(kind) });
    drop_unreachable(unit, region);
    true
}

fn drop_unreachable(unit: &mut Ir, region: RegionId) {
    let blocks: Vec<BlockId> = unit.blocks(region).collect();
    let dead = terrace_ir::dom::unreachable(unit, &blocks);
    unit.erase_blocks(&dead);
}

/// The block that an op leads to comes in its place, if nothing else leads there
fn joined(unit: &mut Ir, op: OpId) -> bool {
    let (Some(block), Some(next)) = (unit.block(op), unit.successor(op, 0)) else { return false };
    let Some(region) = unit.block_region(block) else { return false };
    let edges = unit.blocks(region).flat_map(|block| terrace_ir::dom::successors(unit, block));
    let only = edges.filter(|other| *other == next).count() == 1 && unit.entry(region) != Some(next);
    let values: Vec<Value> = unit.operands(op).collect();
    let args = unit.block_args(next).to_vec();
    if !only || next == block || args.len() != values.len() || unit.num_results(op) > 0 {
        return false;
    }
    for (arg, value) in args.into_iter().zip(values) {
        unit.replace_all_uses(arg, value);
    }
    unit.erase(op);
    if let Some(first) = unit.first_op(next) {
        unit.move_tail(first, block);
    }
    unit.erase_block(next);
    true
}
