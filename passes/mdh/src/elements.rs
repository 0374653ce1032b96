//! What is computed of each element: conversions, and computations of whole tensors.

use terrace_dialect_arith as arith;
use terrace_dialect_mdh::view::{CombineKind, Dim, Input, Output, View, default_name};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_ir::{Builder, Ir, Type, TypeKind, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A number in another type of its kind
///
/// Floats are rounded to the nearest; integers are extended with their sign (a truth value with zeros), or wrap
pub fn convert(b: &mut Builder<'_>, value: Value, to: Type) -> Value {
    let cx = b.read().cx_arc().clone();
    let from = b.read().ty(value);
    if from == to {
        return value;
    }
    let width = |ty: Type| ty.bit_width(&cx).unwrap_or(64);
    let (narrow, wide) = (width(from), width(to));
    let op = match (matches!(from.kind(&cx), TypeKind::Float(_)), narrow.cmp(&wide)) {
        (true, std::cmp::Ordering::Less) => arith::ExtF::build(b, value, to).id(),
        (true, std::cmp::Ordering::Greater) => arith::TruncF::build(b, value, to).id(),
        (true, std::cmp::Ordering::Equal) => {
            // f16 and bf16 have no conversion into each other; both are exact in f32.
            let between = arith::ExtF::build(b, value, cx.common().f32).out(b.read());
            arith::TruncF::build(b, between, to).id()
        }
        (false, std::cmp::Ordering::Greater) => arith::TruncI::build(b, value, to).id(),
        (false, _) if narrow == 1 => arith::ExtUI::build(b, value, to).id(),
        (false, _) => arith::ExtSI::build(b, value, to).id(),
    };
    b.read().result(op, 0)
}

/// A computation of each element of tensors of one shape
pub fn each(
    ir: &mut Ir,
    before: Compute,
    name: String,
    tensors: &[Value],
    results: &[Type],
    compute: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> Option<Compute> {
    let shape = ir.ty(*tensors.first()?).shape(ir.cx())?.to_vec();
    let rank = shape.len() as u32;
    let map = AffineMap::new(rank, 0, (0..rank).map(AffineExpr::Dim).collect())?;
    let dims = shape.iter().enumerate();
    let dims =
        dims.map(|(n, size)| Dim { name: default_name(n), size: *size, kind: CombineKind::Cc }).collect();
    let input = |value: &Value| Input { value: *value, map: Some(map.clone()), other: None, guard: None };
    let inputs = tensors.iter().map(input).collect();
    let outputs = results.iter().map(|_| Output { maps: vec![map.clone()], init: None }).collect();
    let body = ir.create_block();
    let elements: Vec<Type> = tensors.iter().map(|value| ir.ty(*value).scalar(ir.cx())).collect();
    let args: Vec<Value> = elements.into_iter().map(|ty| ir.add_block_arg(body, ty)).collect();
    let mut b = Builder::at_end(ir, body);
    let values = compute(&mut b, &args);
    Yield::build(&mut b, &values);
    let types: Vec<Type> = results.iter().map(|ty| ir.cx().tensor(&shape, *ty)).collect();
    let view = View { name: Some(name), dims, inputs, outputs, conditions: Vec::new(), extents: Vec::new() };
    Some(view.build(&mut Builder::before(ir, before.id()), &types, body))
}
