//! Subscripts that take one coordinate apart, as that coordinate in a view of the tensor.
//!
//! Behind a reshape an operand is read at `d floordiv n` and, in the next subscript, `d mod n`. Where the second extent is `n`, these are the
//! elements in their order: the tensor with both dimensions as one is read at `d`. No dimension of the computation has to be divided then
//! ([`quotients`](super::quotients)), lanes run over the ends of rows, and the form with a dimension for each run is another one that the model compares.

use super::producer;
use crate::parts;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::{Input, View};
use terrace_dialect_tensor::CollapseShape;
use terrace_ir::{Attr, Builder, Ir, Type, TypeKind, Value};
use terrace_support::affine::{AffineExpr, AffineKind, AffineMap};

/// Dimensions of a tensor that are read as one
struct Group {
    /// Its subscript
    expr: AffineExpr,
    /// Elements along it
    size: i64,
    /// The tensor's dimensions
    dims: Vec<i64>,
}

/// The computation with views in place of the tensors whose subscripts are quotient and remainder of one coordinate
pub fn viewed(ir: &mut Ir, op: Compute) -> Option<Compute> {
    let view = producer::plain(ir, op)?;
    let sizes = view.sizes();
    let groups: Vec<Option<Vec<Group>>> = view.inputs.iter().map(|input| groups(ir, input, &sizes)).collect();
    if groups.iter().all(Option::is_none) {
        return None;
    }
    let mut made = View { inputs: vec![], ..view.clone() };
    // One view for equal ones of a tensor, so that it stays one buffer.
    let mut views: Vec<(Value, Vec<Vec<i64>>, Value)> = vec![];
    for (input, groups) in view.inputs.iter().zip(groups) {
        let mut input = input.clone();
        if let Some(groups) = groups {
            let dims: Vec<Vec<i64>> = groups.iter().map(|group| group.dims.clone()).collect();
            let same = views.iter().find(|(of, other, _)| *of == input.value && *other == dims);
            let seen = match same {
                Some((.., seen)) => *seen,
                None => {
                    let seen = collapsed(ir, op, input.value, &groups);
                    views.push((input.value, dims, seen));
                    seen
                }
            };
            let exprs = groups.into_iter().map(|group| group.expr).collect();
            (input.value, input.map) = (seen, Some(AffineMap::new(sizes.len() as u32, 0, exprs)?));
        }
        made.inputs.push(input);
    }
    let body = parts::copied_body(ir, op, |_, _| None)?;
    let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
    let new = made.build(&mut Builder::before(ir, op.id()), &types, body);
    parts::replace(ir, op, new);
    Some(new)
}

/// Subscripts of an input with those that are quotient and remainder as one; `None` where there are none
///
/// Of the function's arguments alone: only their views have a form on buffers, and what other computations give is handed over by its own
/// coordinates. An element outside of the tensor is known by each of its subscripts, so where there may be one, all stay.
fn groups(ir: &Ir, input: &Input, sizes: &[i64]) -> Option<Vec<Group>> {
    let map = input.map.as_ref()?;
    let ty = ir.ty(input.value);
    let entry = ir.entry(ir.region(ir.root(), 0))?;
    let argument = ir.block_args(entry).contains(&input.value);
    let tensor = matches!(ty.kind(ir.cx()), TypeKind::Tensor { .. });
    let shape = ty.shape(ir.cx()).filter(|shape| shape.len() == map.results.len())?;
    if !tensor || !argument || input.other.is_some() || input.guard.is_some() {
        return None;
    }
    let mut groups: Vec<Group> = vec![];
    for (n, (expr, size)) in map.results.iter().zip(shape).enumerate() {
        let own = Group { expr: expr.clone(), size: *size, dims: vec![n as i64] };
        // Extents of one between the two belong to the view.
        let before = groups.iter().rposition(|group| group.size != 1);
        match before.and_then(|at| Some((at, joined(&groups[at].expr, &own, sizes)?))) {
            Some((at, expr)) => {
                let ones = groups.split_off(at + 1);
                let group = &mut groups[at];
                group.dims.extend(ones.into_iter().flat_map(|one| one.dims).chain(own.dims));
                group.size = group.size.checked_mul(own.size)?;
                group.expr = expr;
            }
            None => groups.push(own),
        }
    }
    (groups.len() < shape.len()).then_some(groups)
}

/// The coordinate of which one subscript is the quotient, and the next one the remainder by its whole extent
fn joined(quotient: &AffineExpr, next: &Group, sizes: &[i64]) -> Option<AffineExpr> {
    let (all, by) = next.expr.operands_of(AffineKind::Mod)?;
    if by.as_constant() != Some(next.size) || next.size < 2 {
        return None;
    }
    let mut wanted = vec![AffineExpr::floor_div(all.clone(), next.size.into())];
    if let Some((inner, first)) = all.operands_of(AffineKind::FloorDiv) {
        let by = first.as_constant()?.checked_mul(next.size)?;
        wanted.push(AffineExpr::floor_div(inner.clone(), by.into()));
    }
    wanted.iter().any(|one| one == quotient || one.within(sizes) == *quotient).then(|| all.clone())
}

fn collapsed(ir: &mut Ir, op: Compute, value: Value, groups: &[Group]) -> Value {
    let cx = ir.cx();
    let number = |n: &i64| cx.int_attr((*n).into(), cx.common().i64);
    let list = |group: &Group| cx.array_attr(&group.dims.iter().map(number).collect::<Vec<Attr>>());
    let reassociation = cx.array_attr(&groups.iter().map(list).collect::<Vec<Attr>>());
    let sizes: Vec<i64> = groups.iter().map(|group| group.size).collect();
    let ty = cx.tensor(&sizes, ir.ty(value).scalar(cx));
    let made = CollapseShape::build(&mut Builder::before(ir, op.id()), value, reassociation, ty);
    let seen = made.result(ir);
    ir.copy_value_name(value, seen);
    seen
}
