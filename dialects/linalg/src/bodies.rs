//! Bodies that named ops mean, and those of `{ arith.addf }`.

use super::Yield;
use super::no_form::NoForm;
use super::spec::Body;
use terrace_ir::{Attr, AttrKind, Builder, NewOp, Type, Value};

/// An op of one result made by its name
fn op(b: &mut Builder<'_>, name: &str, operands: &[Value], ty: Type) -> Value {
    made(b, name, operands, ty, &[])
}

fn made(b: &mut Builder<'_>, name: &str, operands: &[Value], ty: Type, attrs: &[(&str, Attr)]) -> Value {
    let kind = b.cx().kind_by_name(name).expect("`fits` has looked for the dialects");
    let def = b.cx().def(kind);
    let mut slots = vec![None; def.attrs.len()];
    for (name, attr) in attrs {
        if let Some(slot) = def.attr_slot(name) {
            slots[slot] = Some(*attr);
        }
    }
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
    let name = match (from.is_float(cx), to.is_float(cx), signed) {
        (true, true, _) if bits(from) < bits(to) => "arith.extf",
        (true, true, _) => "arith.truncf",
        (false, true, true) => "arith.sitofp",
        (false, true, false) => "arith.uitofp",
        (true, false, true) => "arith.fptosi",
        (true, false, false) => "arith.fptoui",
        (false, false, _) if index => "arith.index_cast",
        (false, false, true) if bits(from) < bits(to) => "arith.extsi",
        (false, false, false) if bits(from) < bits(to) => "arith.extui",
        (false, false, _) => "arith.trunci",
    };
    op(b, name, &[value], to)
}

/// `a ⊕ b` of numbers of one type, by upstream's names of functions
fn binary(b: &mut Builder<'_>, function: &str, x: Value, y: Value) -> Value {
    let ty = b.read().ty(x);
    let (float, bool) = (ty.is_float(b.cx()), ty.bit_width(b.cx()) == Some(1));
    let name = match (function, float) {
        ("add", true) => "arith.addf",
        ("add", false) if bool => "arith.ori",
        ("add", false) => "arith.addi",
        ("sub", true) => "arith.subf",
        ("sub", false) => "arith.subi",
        ("mul", true) => "arith.mulf",
        ("mul", false) if bool => "arith.andi",
        ("mul", false) => "arith.muli",
        ("div", true) => "arith.divf",
        ("div", false) => "arith.divsi",
        ("div_unsigned", _) => "arith.divui",
        ("max_signed" | "max_unsigned", true) => "arith.maximumf",
        ("max_signed", false) => "arith.maxsi",
        ("max_unsigned", false) => "arith.maxui",
        ("min_signed" | "min_unsigned", true) => "arith.minimumf",
        ("min_signed", false) => "arith.minsi",
        ("min_unsigned", false) => "arith.minui",
        _ => "math.powf",
    };
    op(b, name, &[x, y], ty)
}

fn unary(b: &mut Builder<'_>, function: &str, x: Value) -> Value {
    let ty = b.read().ty(x);
    match function {
        "square" => op(b, "arith.mulf", &[x, x], ty),
        "negf" => op(b, "arith.negf", &[x], ty),
        "reciprocal" => {
            let one = match ty.kind(b.cx()) {
                terrace_ir::TypeKind::Float(kind) => terrace_ir::show::round_to_bits(1.0, *kind),
                _ => None,
            };
            let one = b.cx().float_attr(one.unwrap_or(0), ty);
            let one = made(b, "arith.constant", &[], ty, &[("value", one)]);
            op(b, "arith.divf", &[one, x], ty)
        }
        "abs" => op(b, "math.absf", &[x], ty),
        other => op(b, &format!("math.{other}"), &[x], ty),
    }
}

/// Is there such a body for these elements? The error is what upstream says
pub fn fits(cx: &terrace_ir::Context, body: Body, elements: &[Type]) -> Result<(), NoForm> {
    if ["arith.addi", "math.absf"].iter().any(|name| cx.kind_by_name(name).is_none()) {
        return Err(NoForm::NotRegistered);
    }
    let number = |ty: Type| ty.is_float(cx) || ty.is_index(cx) || ty.is_int(cx);
    if let Some(odd) = elements.iter().find(|ty| !number(**ty)) {
        return Err(NoForm::Element(terrace_ir::show::type_text(cx, *odd)));
    }
    let floats = elements.iter().all(|ty| ty.is_float(cx));
    match body {
        Body::Unary(_) if !floats => Err(NoForm::NotNumeric),
        Body::Binary("powf") if !floats => Err(NoForm::NotNumeric),
        Body::Binary("div_unsigned") if elements.iter().any(|ty| ty.is_float(cx)) => {
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
            let signed = !function.ends_with("unsigned");
            let (x, y) = (converted(b, *x, to, signed), converted(b, *y, to, signed));
            binary(b, function, x, y)
        }
        (Body::Select, [test, x, y]) => op(b, "arith.select", &[*test, *x, *y], to),
        (Body::Product, [x, y]) => {
            let (x, y) = (converted(b, *x, to, true), converted(b, *y, to, true));
            let product = binary(b, "mul", x, y);
            binary(b, "add", *out, product)
        }
        (Body::Shifted, [x, y, zero_x, zero_y]) => {
            let x = converted(b, *x, to, true);
            let zero_x = converted(b, *zero_x, to, true);
            let x = binary(b, "sub", x, zero_x);
            let y = converted(b, *y, to, true);
            let zero_y = converted(b, *zero_y, to, true);
            let y = binary(b, "sub", y, zero_y);
            let product = binary(b, "mul", x, y);
            binary(b, "add", *out, product)
        }
        (Body::Fold(function), [x, ..]) => {
            let x = converted(b, *x, to, !function.ends_with("unsigned"));
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
