//! A maximum that was folded in a wider type, in the type that it had. It is one of the elements, so no bit changes.

use super::pair::Pair;
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::view::{CombineKind, Dim, Input, Output, View};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_ir::{Builder, Ir, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// What stands for the first reduction's result: a component of the joint computation, or a computation that converts it
pub fn result(ir: &mut Ir, pair: &Pair, component: Value) -> Option<Value> {
    let (from, to) = (pair.second.ty, pair.first.ty);
    if from == to {
        return Some(component);
    }
    let kept = pair.first.dims(false);
    let coords: Vec<AffineExpr> = (0..pair.first.view.dims.len())
        .map(|dim| {
            kept.iter().position(|other| *other == dim).map_or(0.into(), |n| AffineExpr::Dim(n as u32))
        })
        .collect();
    let own = &pair.first.view.outputs[0].maps[0];
    let results = own.results.iter().map(|expr| expr.replace(&coords, &[])).collect::<Option<_>>()?;
    let map = AffineMap::new(kept.len() as u32, 0, results)?;
    let dims =
        kept.iter().map(|dim| Dim { kind: CombineKind::Cc, ..pair.first.view.dims[*dim].clone() }).collect();
    let view = View {
        name: None,
        dims,
        inputs: vec![Input { value: component, map: Some(map.clone()), other: None, guard: None }],
        outputs: vec![Output { maps: vec![map], init: None }],
        conditions: Vec::new(),
    };
    let block = ir.create_block();
    let arg = ir.add_block_arg(block, from);
    let mut b = Builder::at_end(ir, block);
    let narrow = arith::TruncF::build(&mut b, arg, to).out(b.read());
    Yield::build(&mut b, &[narrow]);
    let ty = ir.ty(ir.result(pair.first.op.id(), 0));
    let made: Compute = view.build(&mut Builder::before(ir, pair.first.op.id()), &[ty], block);
    Some(ir.result(made.id(), 0))
}
