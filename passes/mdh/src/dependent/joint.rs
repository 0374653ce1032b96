//! The computation that takes the first reduction's place: it yields more of each element.

use super::pair::{Pair, Reduction};
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::view::{CombineKind, Order, View};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_ir::ir::ValueMap;
use terrace_ir::{Builder, Ir, OpId, Type, Value};

/// The first reduction with other operators, in front of it. `yields` gives all components of an element. Results of the new computation
pub fn replace(
    ir: &mut Ir,
    pair: &Pair,
    operators: Vec<Operator>,
    yields: impl Fn(&mut Builder<'_>, Value) -> Option<Vec<Value>>,
) -> Option<Vec<Value>> {
    let Reduction { op, view, .. } = &pair.first;
    let from = ir.entry(op.body(ir))?;
    let block = ir.create_block();
    let mut map = ValueMap::default();
    for arg in ir.block_args(from).to_vec() {
        let new = ir.add_block_arg(block, ir.ty(arg));
        ir.copy_value_name(arg, new);
        map.insert(arg, new);
    }
    let mut x = None;
    for each in ir.block_ops(from).collect::<Vec<OpId>>() {
        if let Some(end) = Yield::cast(ir, each) {
            x = end.values(ir).first().and_then(|value| map.get(*value));
            break;
        }
        let copy = ir.clone_op(None, each, &mut map);
        ir.append(block, copy);
    }
    let values = x.and_then(|x| yields(&mut Builder::at_end(ir, block), x));
    let Some(values) = values else {
        ir.erase_block(block);
        return None;
    };
    Yield::build(&mut Builder::at_end(ir, block), &values);
    let order = order(pair);
    let mut made = View { outputs: vec![view.outputs[0].clone(); values.len()], ..view.clone() };
    for dim in &mut made.dims {
        if let CombineKind::Pw(..) = dim.kind {
            dim.kind = CombineKind::Pw(operators.clone(), order);
        }
    }
    let old = ir.result(op.id(), 0);
    let shape = ir.ty(old).shape(ir.cx()).unwrap_or(&[]).to_vec();
    let types: Vec<Type> = vec![ir.cx().tensor(&shape, pair.second.ty); values.len()];
    let made: Compute = made.build(&mut Builder::before(ir, op.id()), &types, block);
    Some(ir.results(made.id()).collect())
}

/// Put a value in the place of the first reduction
pub fn retire(ir: &mut Ir, pair: &Pair, by: Value) {
    let op = pair.first.op.id();
    let old = ir.result(op, 0);
    ir.replace_all_uses(old, by);
    ir.erase(op);
}

/// Any order is allowed where it is for both
fn order(pair: &Pair) -> Order {
    let mut all = [&pair.first, &pair.second].into_iter().flat_map(|one| &one.view.dims);
    let free = all.all(|dim| matches!(dim.kind, CombineKind::Cc | CombineKind::Pw(_, Order::Free)));
    if free { Order::Free } else { Order::Fixed }
}
