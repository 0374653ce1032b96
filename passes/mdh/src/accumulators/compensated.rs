//! A sum with its error: what additions round off is added up next to it.
//!
//! Two sums and their errors become one by the algorithm of Knuth and Møller (two-sum), which needs no order of magnitudes, so partial results of
//! lanes, threads and blocks are merged in the same way as terms are.

use std::sync::Arc;
use terrace_dialect_arith as arith;
use terrace_dialect_arith::CmpFPredicate;
use terrace_dialect_func as func;
use terrace_dialect_math as math;
use terrace_dialect_mdh::operator::DECLARED;
use terrace_ir::show::round_to_bits;
use terrace_ir::{Attr, Builder, Context, Ir, Loc, OpKind, Type, TypeKind, Value};

/// A constant of a type of floats
pub fn float(b: &mut Builder<'_>, value: f64, ty: Type) -> Value {
    let attr = constant(b.cx(), value, ty);
    arith::Constant::build(b, attr).result(b.read())
}

fn constant(cx: &Context, value: f64, ty: Type) -> Attr {
    let TypeKind::Float(kind) = ty.kind(cx) else { return cx.int_attr(0, ty) };
    cx.float_attr(round_to_bits(value, *kind).unwrap_or(0), ty)
}

/// The operator: sums and errors of two parts
pub fn function(cx: &Arc<Context>, name: &str, ty: Type) -> Ir {
    let kind = cx.kind_of(func::Func::DEF).unwrap_or(OpKind::UNREGISTERED);
    let mut ir = Ir::new_unit(cx, kind, 1, Loc::UNKNOWN);
    let root = ir.root();
    for (key, attr) in [
        ("sym_name", cx.str_attr(name)),
        ("function_type", cx.type_attr(cx.function(&[ty; 4], &[ty; 2]))),
        ("sym_visibility", cx.str_attr("private")),
    ] {
        ir.set_attr(root, key, Some(attr));
    }
    let unit = cx.common().unit;
    let neutral = cx.array_attr(&[constant(cx, -0.0, ty), constant(cx, 0.0, ty)]);
    let said = [("associative", unit), ("commutative", unit), ("identity", neutral)];
    let said = said.into_iter().map(|(word, attr)| (cx.intern(word), attr)).collect();
    ir.set_discardable(root, DECLARED, Some(cx.dict_attr(said)));
    let region = ir.region(root, 0);
    let entry = ir.append_block(region);
    let [x, dx, y, dy] = [0; 4].map(|_| ir.add_block_arg(entry, ty));
    let mut b = Builder::at_end(&mut ir, entry);
    let sum = add(&mut b, x, y);
    let of_y = sub(&mut b, sum, x);
    let of_x = sub(&mut b, sum, of_y);
    let (left_x, left_y) = (sub(&mut b, x, of_x), sub(&mut b, y, of_y));
    let (left, errors) = (add(&mut b, left_x, left_y), add(&mut b, dx, dy));
    let error = add(&mut b, errors, left);
    func::Return::build(&mut b, &[sum, error]);
    ir
}

fn add(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    arith::AddF::build(b, x, y).result(b.read())
}

fn sub(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    arith::SubF::build(b, x, y).result(b.read())
}

/// The sum with its error, where that is a number other than zero: infinities and NaN have none, and negative zeros keep their sign
pub fn total(b: &mut Builder<'_>, sum: Value, error: Value) -> Value {
    let ty = b.read().ty(sum);
    let whole = add(b, sum, error);
    let size = math::AbsF::build(b, error).result(b.read());
    let (zero, infinite) = (float(b, 0.0, ty), float(b, f64::INFINITY, ty));
    let some = arith::CmpF::build(b, size, zero, CmpFPredicate::Ogt).result(b.read());
    let finite = arith::CmpF::build(b, size, infinite, CmpFPredicate::Olt).result(b.read());
    let counts = arith::AndI::build(b, some, finite).result(b.read());
    arith::Select::build(b, counts, whole, sum).result(b.read())
}
