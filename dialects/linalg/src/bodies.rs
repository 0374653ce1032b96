//! Bodies that named ops mean, and those of `{ arith.addf }`.

use super::Yield;
use super::no_form::NoForm;
use super::spec::{Binary, Body, Unary};
use terrace_dialect_arith as arith;
use terrace_dialect_math as math;
use terrace_ir::{Attr, AttrKind, Builder, NewOp, OpDef, Type, Value};

/// An op of one result
fn op(b: &mut Builder<'_>, def: &'static OpDef, operands: &[Value], ty: Type) -> Value {
    let slots = vec![None; def.attrs.len()];
    let kind = b.kind(def);
    let op = b.insert(&NewOp { operands, results: &[ty], slots: &slots, ..NewOp::new(kind) });
    b.read().result(op, 0)
}

/// A number as another type, as upstream's named ops convert
fn converted(b: &mut Builder<'_>, value: Value, to: Type, signed: bool) -> Value {
    let from = b.read().ty(value);
    if from == to {
        return value;
    }
    let cx = b.cx();
    let bits = |ty: Type| ty.bit_width(cx).unwrap_or(64);
    let index = from.is_index(cx) || to.is_index(cx);
    let def = match (from.is_float(cx), to.is_float(cx), signed) {
        (true, true, _) if bits(from) < bits(to) => arith::ExtF::DEF,
        (true, true, _) => arith::TruncF::DEF,
        (false, true, true) => arith::SIToFP::DEF,
        (false, true, false) => arith::UIToFP::DEF,
        (true, false, true) => arith::FPToSI::DEF,
        (true, false, false) => arith::FPToUI::DEF,
        (false, false, _) if index => arith::IndexCast::DEF,
        (false, false, true) if bits(from) < bits(to) => arith::ExtSI::DEF,
        (false, false, false) if bits(from) < bits(to) => arith::ExtUI::DEF,
        (false, false, _) => arith::TruncI::DEF,
    };
    op(b, def, &[value], to)
}

/// `a ⊕ b` of numbers of one type
fn binary(b: &mut Builder<'_>, function: Binary, x: Value, y: Value) -> Value {
    let ty = b.read().ty(x);
    let (float, bool) = (ty.is_float(b.cx()), ty.bit_width(b.cx()) == Some(1));
    let def = match (function, float) {
        (Binary::Add, true) => arith::AddF::DEF,
        (Binary::Add, false) if bool => arith::OrI::DEF,
        (Binary::Add, false) => arith::AddI::DEF,
        (Binary::Sub, true) => arith::SubF::DEF,
        (Binary::Sub, false) => arith::SubI::DEF,
        (Binary::Mul, true) => arith::MulF::DEF,
        (Binary::Mul, false) if bool => arith::AndI::DEF,
        (Binary::Mul, false) => arith::MulI::DEF,
        (Binary::Div, true) => arith::DivF::DEF,
        (Binary::Div, false) => arith::DivSI::DEF,
        (Binary::DivUnsigned, _) => arith::DivUI::DEF,
        (Binary::MaxSigned | Binary::MaxUnsigned, true) => arith::MaximumF::DEF,
        (Binary::MaxSigned, false) => arith::MaxSI::DEF,
        (Binary::MaxUnsigned, false) => arith::MaxUI::DEF,
        (Binary::MinSigned | Binary::MinUnsigned, true) => arith::MinimumF::DEF,
        (Binary::MinSigned, false) => arith::MinSI::DEF,
        (Binary::MinUnsigned, false) => arith::MinUI::DEF,
        (Binary::PowF, _) => math::PowF::DEF,
    };
    op(b, def, &[x, y], ty)
}

fn unary(b: &mut Builder<'_>, function: Unary, x: Value) -> Value {
    let ty = b.read().ty(x);
    match function {
        Unary::Square => op(b, arith::MulF::DEF, &[x, x], ty),
        Unary::NegF => op(b, arith::NegF::DEF, &[x], ty),
        Unary::Reciprocal => {
            let one = match ty.kind(b.cx()) {
                terrace_ir::TypeKind::Float(kind) => terrace_ir::show::round_to_bits(1.0, *kind),
                _ => None,
            };
            let one = b.cx().float_attr(one.unwrap_or(0), ty);
            let one = arith::Constant::build(b, one).result(b.read());
            op(b, arith::DivF::DEF, &[one, x], ty)
        }
        Unary::Abs => op(b, math::AbsF::DEF, &[x], ty),
        Unary::Ceil => op(b, math::Ceil::DEF, &[x], ty),
        Unary::Erf => op(b, math::Erf::DEF, &[x], ty),
        Unary::Exp => op(b, math::Exp::DEF, &[x], ty),
        Unary::Floor => op(b, math::Floor::DEF, &[x], ty),
        Unary::Log => op(b, math::Log::DEF, &[x], ty),
        Unary::Round => op(b, math::Round::DEF, &[x], ty),
        Unary::Rsqrt => op(b, math::Rsqrt::DEF, &[x], ty),
        Unary::Sqrt => op(b, math::Sqrt::DEF, &[x], ty),
        Unary::Tanh => op(b, math::Tanh::DEF, &[x], ty),
    }
}

/// Is there such a body for these elements? The error is what upstream says
pub fn fits(cx: &terrace_ir::Context, body: Body, elements: &[Type]) -> Result<(), NoForm> {
    if [arith::AddI::DEF, math::AbsF::DEF].iter().any(|def| cx.kind_of(def).is_none()) {
        return Err(NoForm::NotRegistered);
    }
    let number = |ty: Type| ty.is_float(cx) || ty.is_index(cx) || ty.is_int(cx);
    if let Some(odd) = elements.iter().find(|ty| !number(**ty)) {
        return Err(NoForm::Element(terrace_ir::show::type_text(cx, *odd)));
    }
    let floats = elements.iter().all(|ty| ty.is_float(cx));
    match body {
        Body::Unary(_) if !floats => Err(NoForm::NotNumeric),
        Body::Binary(Binary::PowF) if !floats => Err(NoForm::NotNumeric),
        Body::Binary(Binary::DivUnsigned) if elements.iter().any(|ty| ty.is_float(cx)) => {
            Err(NoForm::UnsignedDivision)
        }
        _ => Ok(()),
    }
}

/// Write a body; its arguments must fit
pub fn write(b: &mut Builder<'_>, body: Body, args: &[Value]) {
    let Some((out, ins)) = args.split_last() else { return };
    let to = b.read().ty(*out);
    let value = match (body, ins) {
        (Body::Copy, [x, ..]) => converted(b, *x, to, true),
        (Body::Unary(function), [x]) => {
            let x = converted(b, *x, to, true);
            unary(b, function, x)
        }
        (Body::Binary(function), [x, y]) => {
            let signed = function.is_signed();
            let (x, y) = (converted(b, *x, to, signed), converted(b, *y, to, signed));
            binary(b, function, x, y)
        }
        (Body::Select, [test, x, y]) => op(b, arith::Select::DEF, &[*test, *x, *y], to),
        (Body::Product, [x, y]) => {
            let (x, y) = (converted(b, *x, to, true), converted(b, *y, to, true));
            let product = binary(b, Binary::Mul, x, y);
            binary(b, Binary::Add, *out, product)
        }
        (Body::Shifted, [x, y, zero_x, zero_y]) => {
            let x = converted(b, *x, to, true);
            let zero_x = converted(b, *zero_x, to, true);
            let x = binary(b, Binary::Sub, x, zero_x);
            let y = converted(b, *y, to, true);
            let zero_y = converted(b, *zero_y, to, true);
            let y = binary(b, Binary::Sub, y, zero_y);
            let product = binary(b, Binary::Mul, x, y);
            binary(b, Binary::Add, *out, product)
        }
        (Body::Fold(function), [x, ..]) => {
            let x = converted(b, *x, to, function.is_signed());
            binary(b, function, *out, x)
        }
        _ => *out,
    };
    Yield::build(b, &[value]);
}

/// The body of `{ arith.addf }`: one op on the arguments; nothing if there is no such op
pub fn payload(
    b: &mut Builder<'_>,
    name: &str,
    attrs: &[(terrace_ir::Str, Attr)],
    operands: &[Value],
    ty: Type,
) {
    let Some(kind) = b.cx().kind_by_name(name) else { return };
    let cx = b.cx();
    let def = cx.def(kind);
    let mut slots = vec![None; def.attrs.len()];
    let mut others = Vec::new();
    for (name, attr) in attrs {
        match def.attr_slot(cx.str(*name)) {
            Some(slot) => slots[slot] = Some(*attr),
            None => others.push((*name, *attr)),
        }
    }
    let dict = (!others.is_empty()).then(|| cx.dict_attr(others));
    let op = b.insert(&NewOp { operands, results: &[ty], slots: &slots, dict, ..NewOp::new(kind) });
    let value = b.read().result(op, 0);
    Yield::build(b, &[value]);
}

/// Attributes that the short form leaves out, since they say nothing
pub fn says_nothing(cx: &terrace_ir::Context, attr: Attr) -> bool {
    matches!(attr.kind(cx), AttrKind::Enum { def, value: 0 } if def.flags)
}
