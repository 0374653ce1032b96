//! Replacements for a value that is removed.

use terrace_ir::{Attr, AttrKind, Builder, Context, DYNAMIC, DenseData, Ir, OpId, Type, TypeKind, Value};

/// What is tried first in place of a value
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum First {
    /// An operand of the op, then what is defined nearby
    Nearby,
    /// A constant
    Constant,
}

/// Ops looked at before the place
const NEARBY: usize = 32;

/// A value of a type at the place of an op, other than its own results
pub(crate) fn stand_in(ir: &mut Ir, op: OpId, ty: Type, first: First) -> Option<Value> {
    match first {
        First::Nearby => nearby(ir, op, ty).or_else(|| constant(ir, op, ty)),
        First::Constant => constant(ir, op, ty),
    }
}

fn nearby(ir: &Ir, op: OpId, ty: Type) -> Option<Value> {
    let fits = |value: &Value| ir.ty(*value) == ty;
    if let Some(value) = ir.operands(op).find(fits) {
        return Some(value);
    }
    let mut at = op;
    loop {
        let block = ir.block(at)?;
        let before = std::iter::successors(ir.prev(at), |op| ir.prev(*op)).take(NEARBY);
        let results = before.flat_map(|op| ir.results(op));
        if let Some(value) = results.chain(ir.block_args(block).iter().copied()).find(fits) {
            return Some(value);
        }
        at = ir.block_parent(block).filter(|parent| *parent != ir.root())?;
        if ir.has(at, terrace_ir::Traits::IsolatedFromAbove) {
            return None;
        }
    }
}

/// The constant zero before an op, from the first dialect that makes one
pub(crate) fn constant(ir: &mut Ir, op: OpId, ty: Type) -> Option<Value> {
    let attr = zero(ir.cx(), ty)?;
    constant_of(ir, op, ty, attr)
}

/// A constant before an op, from the first dialect that makes one
pub(crate) fn constant_of(ir: &mut Ir, op: OpId, ty: Type, attr: Attr) -> Option<Value> {
    let makers: Vec<_> = ir.cx().dialects().iter().filter_map(|dialect| dialect.materialize).collect();
    let loc = ir.loc(op);
    for make in makers {
        let mut builder = Builder::before(ir, op);
        builder.set_loc(loc);
        if let Some(made) = make(&mut builder, attr, ty, loc) {
            return Some(ir.result(made, 0));
        }
    }
    None
}

/// Zero of a type
pub(crate) fn zero(cx: &Context, ty: Type) -> Option<Attr> {
    match ty.kind(cx) {
        TypeKind::Int { .. } | TypeKind::Index => Some(cx.int_attr(0, ty)),
        TypeKind::Float(_) => Some(cx.float_attr(0, ty)),
        TypeKind::Vector { shape, elem, .. } | TypeKind::Tensor { shape, elem, .. } => {
            let bytes = show_bytes(cx, *elem)?;
            let fixed = !shape.contains(&DYNAMIC);
            let data = DenseData::Splat(vec![0; bytes].into());
            fixed.then(|| cx.attr(AttrKind::Dense { ty, data }))
        }
        _ => None,
    }
}

fn show_bytes(cx: &Context, elem: Type) -> Option<usize> {
    let number = matches!(elem.kind(cx), TypeKind::Int { .. } | TypeKind::Index | TypeKind::Float(_));
    number.then(|| terrace_ir::show::elem_bytes(cx, elem)).filter(|bytes| *bytes > 0)
}
