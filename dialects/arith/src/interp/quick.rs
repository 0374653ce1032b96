//! Quick paths of scalar ops: integers of at most 64 bits without promises, f32 and f64 without `nnan` and `ninf`.

use super::super::scalars::{FloatBinary, IntBinary};
use super::super::*;
use super::{fast_math, overflow};
use terrace_interp::{Quick, Scalar};
use terrace_ir::{FloatKind, Ir, OpId, Type, TypeKind};

fn result_type(ir: &Ir, op: OpId) -> Type {
    ir.ty(ir.result(op, 0))
}

fn width_of(ir: &Ir, ty: Type) -> Option<u32> {
    match *ty.kind(ir.cx()) {
        TypeKind::Int { width, .. } if width <= 64 => Some(width),
        TypeKind::Index => Some(64),
        _ => None,
    }
}

fn kind_of(ir: &Ir, ty: Type) -> Option<FloatKind> {
    match *ty.kind(ir.cx()) {
        TypeKind::Float(kind @ (FloatKind::F32 | FloatKind::F64)) => Some(kind),
        _ => None,
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn signed(bits: u64, width: u32) -> i64 {
    (bits << (64 - width)).cast_signed() >> (64 - width)
}

fn int(bits: u64, width: u32) -> Scalar {
    Scalar::Int { bits: bits & mask(width), width }
}

/// Are there promises that are checked elsewhere?
fn promises(ir: &Ir, op: OpId) -> bool {
    !overflow(ir, op).is_empty()
        || ir.attr(op, "isExact").is_some()
        || fast_math(ir, op).has_any(FastMathFlags::NNAN.and(FastMathFlags::NINF))
}

/// Quick path of an op of two integers
pub(super) fn int_binary<T: IntBinary>(ir: &Ir, op: OpId) -> Option<Quick> {
    if promises(ir, op) {
        return None;
    }
    let width = width_of(ir, result_type(ir, op))?;
    Some(Quick::Binary(Box::new(move |a, b| match (a, b) {
        (Scalar::Int { bits: a, .. }, Scalar::Int { bits: b, .. }) => {
            Some(int(T::narrow(a, b, signed(a, width), signed(b, width), width)?, width))
        }
        _ => None,
    })))
}

fn bits_of(value: Scalar) -> Option<(u64, u32)> {
    match value {
        Scalar::Int { bits, width } => Some((bits, width)),
        Scalar::Float { .. } => None,
    }
}

/// Quick path of a comparison of integers
pub(super) fn compare_ints(predicate: CmpIPredicate) -> Quick {
    Quick::Binary(Box::new(move |a, b| {
        let ((a, width), (b, _)) = (bits_of(a)?, bits_of(b)?);
        let (s, u) = (signed(a, width).cmp(&signed(b, width)), a.cmp(&b));
        Some(Scalar::bool(predicate.holds(s, u)))
    }))
}

fn single(value: f32) -> Scalar {
    Scalar::f32(if value.is_nan() { f32::NAN.copysign(1.0) } else { value })
}

fn double(value: f64) -> Scalar {
    Scalar::f64(if value.is_nan() { f64::NAN.copysign(1.0) } else { value })
}

/// Quick path of an op of two floats
pub(super) fn float_binary<T: FloatBinary>(ir: &Ir, op: OpId) -> Option<Quick> {
    if promises(ir, op) {
        return None;
    }
    kind_of(ir, result_type(ir, op))?;
    Some(Quick::Binary(Box::new(|a, b| match (a, b) {
        (Scalar::Float { bits: a, kind: FloatKind::F32 }, Scalar::Float { bits: b, .. }) => {
            Some(single(T::single(f32::from_bits(a as u32), f32::from_bits(b as u32))))
        }
        (Scalar::Float { bits: a, kind: FloatKind::F64 }, Scalar::Float { bits: b, .. }) => {
            Some(double(T::wide(f64::from_bits(a), f64::from_bits(b))))
        }
        _ => None,
    })))
}

/// Quick path of a comparison of floats
pub(super) fn compare_floats(ir: &Ir, op: OpId, predicate: CmpFPredicate) -> Option<Quick> {
    if promises(ir, op) {
        return None;
    }
    let value = |value: Scalar| match value {
        Scalar::Float { bits, kind: FloatKind::F32 } => Some(f64::from(f32::from_bits(bits as u32))),
        Scalar::Float { bits, kind: FloatKind::F64 } => Some(f64::from_bits(bits)),
        _ => None,
    };
    let holds = predicate.outcomes();
    Some(Quick::Binary(Box::new(move |a, b| {
        Some(Scalar::bool(holds & outcome::of(value(a)?.partial_cmp(&value(b)?)) != 0))
    })))
}

/// Quick path of a cast between integers: the signed or the unsigned reading of the operand
pub(super) fn int_cast(ir: &Ir, op: OpId, is_signed: bool) -> Option<Quick> {
    if promises(ir, op) {
        return None;
    }
    let width = width_of(ir, result_type(ir, op))?;
    Some(Quick::Unary(Box::new(move |value| {
        let (bits, from) = bits_of(value)?;
        Some(int(if is_signed { signed(bits, from).cast_unsigned() } else { bits }, width))
    })))
}

/// Quick path of a cast from an integer to a float
pub(super) fn int_to_float(ir: &Ir, op: OpId, is_signed: bool) -> Option<Quick> {
    if promises(ir, op) || ir.attr(op, "roundingmode").is_some() {
        return None;
    }
    width_of(ir, ir.ty(ir.operand(op, 0)))?;
    let kind = kind_of(ir, result_type(ir, op))?;
    Some(Quick::Unary(Box::new(move |value| {
        let (bits, width) = bits_of(value)?;
        Some(match (kind, is_signed) {
            (FloatKind::F32, true) => Scalar::f32(signed(bits, width) as f32),
            (FloatKind::F32, false) => Scalar::f32(bits as f32),
            (_, true) => Scalar::f64(signed(bits, width) as f64),
            (_, false) => Scalar::f64(bits as f64),
        })
    })))
}

/// Quick path of `a * b + c`, rounded once
pub fn fma(ir: &Ir, op: OpId) -> Option<Quick> {
    if promises(ir, op) {
        return None;
    }
    kind_of(ir, result_type(ir, op))?;
    Some(Quick::Ternary(Box::new(move |a, b, c| {
        let (Scalar::Float { bits: a, kind }, Scalar::Float { bits: b, .. }, Scalar::Float { bits: c, .. }) =
            (a, b, c)
        else {
            return None;
        };
        if kind == FloatKind::F32 {
            let [a, b, c] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
            return Some(single(a.mul_add(b, c)));
        }
        let [a, b, c] = [a, b, c].map(f64::from_bits);
        Some(double(a.mul_add(b, c)))
    })))
}
