//! Arithmetic of constant folding: on scalars and on dense constants alike.

use super::scalars::{FloatBinary, IntBinary};
use terrace_ir::make::wrap_int;
use terrace_ir::show::{elem_bytes, round_to_bits, value_of_bits};
use terrace_ir::{Attr, AttrKind, Context, DenseData, FloatKind, Type, TypeKind};

/// Width of an integer or index
pub fn width(cx: &Context, ty: Type) -> Option<u32> {
    match ty.scalar(cx).kind(cx) {
        // Wider ones are not computed with.
        TypeKind::Int { width, .. } => Some(*width).filter(|width| *width <= 128),
        TypeKind::Index => Some(64),
        _ => None,
    }
}

/// Signed reading of stored bits
pub fn signed(value: i128, width: u32) -> i128 {
    wrap_int(value, width, false)
}

/// Unsigned reading of stored bits
pub fn unsigned(value: i128, width: u32) -> u128 {
    wrap_int(value, width, true) as u128
}

/// The integer that every element of a constant is
pub fn uniform_int(cx: &Context, attr: Attr) -> Option<i128> {
    match attr.kind(cx) {
        AttrKind::Int { value, ty } => Some(signed(*value, width(cx, *ty)?)),
        AttrKind::Dense { ty, data: DenseData::Splat(raw) } => {
            let width = width(cx, *ty)?;
            Some(signed(from_bytes(raw) as i128, width))
        }
        _ => None,
    }
}

/// The float that every element of a constant is
pub fn uniform_float(cx: &Context, attr: Attr) -> Option<f64> {
    let TypeKind::Float(kind) = attr.ty(cx)?.scalar(cx).kind(cx) else { return None };
    match attr.kind(cx) {
        AttrKind::Float { bits, .. } => value_of_bits(*bits, *kind),
        AttrKind::Dense { data: DenseData::Splat(raw), .. } => value_of_bits(from_bytes(raw) as u64, *kind),
        _ => None,
    }
}

/// A constant of a type with every element this integer
pub fn int_constant(cx: &Context, value: i128, ty: Type) -> Option<Attr> {
    let width = width(cx, ty)?;
    if ty.element(cx).is_none() {
        return Some(cx.int_attr(value, ty));
    }
    ty.num_elements(cx)?;
    let bytes = to_bytes(wrap_int(value, width, true) as u128, elem_bytes(cx, ty.scalar(cx)));
    Some(cx.attr(AttrKind::Dense { ty, data: DenseData::Splat(bytes.into()) }))
}

fn from_bytes(raw: &[u8]) -> u128 {
    let mut wide = [0; 16];
    wide[..raw.len().min(16)].copy_from_slice(&raw[..raw.len().min(16)]);
    u128::from_le_bytes(wide)
}

fn to_bytes(bits: u128, len: usize) -> Vec<u8> {
    bits.to_le_bytes()[..len.min(16)].to_vec()
}

/// Bits of the elements of a constant, one for a scalar or splat
enum Elements {
    Scalar(u128),
    Splat(u128),
    Many(Vec<u128>),
}

impl Elements {
    fn get(&self, n: usize) -> u128 {
        match self {
            Elements::Scalar(bits) | Elements::Splat(bits) => *bits,
            Elements::Many(all) => all[n],
        }
    }
}

fn elements(cx: &Context, attr: Attr) -> Option<(Elements, Type)> {
    Some(match attr.kind(cx) {
        AttrKind::Int { value, ty } => {
            (Elements::Scalar(wrap_int(*value, width(cx, *ty)?, true) as u128), *ty)
        }
        AttrKind::Float { bits, ty } => (Elements::Scalar(u128::from(*bits)), *ty),
        AttrKind::Dense { ty, data } => {
            let bytes = elem_bytes(cx, ty.scalar(cx));
            let all = match data {
                DenseData::Splat(raw) => Elements::Splat(from_bytes(raw)),
                DenseData::Raw(raw) if bytes > 0 => {
                    Elements::Many(raw.chunks(bytes).map(from_bytes).collect())
                }
                _ => return None,
            };
            (all, *ty)
        }
        _ => return None,
    })
}

/// Apply a function on bits to each element of constants; `None` from it for one element folds nothing
pub fn map(cx: &Context, attrs: &[Attr], to: Type, f: impl Fn(&[u128]) -> Option<u128>) -> Option<Attr> {
    let all: Vec<(Elements, Type)> = attrs.iter().map(|attr| elements(cx, *attr)).collect::<Option<_>>()?;
    let at = |n: usize| f(&all.iter().map(|(each, _)| each.get(n)).collect::<Vec<_>>());
    let scalar = to.scalar(cx);
    let bytes = elem_bytes(cx, scalar);
    if all.iter().all(|(each, _)| matches!(each, Elements::Scalar(_))) {
        let bits = at(0)?;
        return match scalar.kind(cx) {
            TypeKind::Float(_) => Some(cx.float_attr(bits as u64, scalar)),
            _ => Some(cx.int_attr(bits as i128, scalar)),
        };
    }
    let count =
        all.iter().find_map(|(each, _)| if let Elements::Many(all) = each { Some(all.len()) } else { None });
    let same_length =
        |each: &Elements| !matches!((each, count), (Elements::Many(all), Some(n)) if all.len() != n);
    if !all.iter().all(|(each, _)| same_length(each)) {
        return None;
    }
    let data = match count {
        None => DenseData::Splat(to_bytes(at(0)?, bytes).into()),
        Some(count) => {
            let mut raw = Vec::with_capacity(count * bytes);
            for n in 0..count {
                raw.extend(to_bytes(at(n)?, bytes));
            }
            return Some(cx.dense_attr(to, raw));
        }
    };
    Some(cx.attr(AttrKind::Dense { ty: to, data }))
}

/// Two integer constants by a function on signed readings and the width
pub fn ints(cx: &Context, a: Attr, b: Attr, f: impl Fn(i128, i128, u32) -> Option<i128>) -> Option<Attr> {
    let ty = a.ty(cx)?;
    let width = width(cx, ty)?;
    map(cx, &[a, b], ty, |bits| {
        let value = f(signed(bits[0] as i128, width), signed(bits[1] as i128, width), width)?;
        Some(unsigned(value, width))
    })
}

/// Two integer constants by the row of an op
pub(crate) fn int_binary<T: IntBinary>(cx: &Context, a: Attr, b: Attr) -> Option<Attr> {
    let ty = a.ty(cx)?;
    let width = width(cx, ty)?;
    map(cx, &[a, b], ty, |bits| {
        let both = |n: usize| (unsigned(bits[n] as i128, width), signed(bits[n] as i128, width));
        let ((a, x), (b, y)) = (both(0), both(1));
        Some(unsigned(T::wide(a, b, x, y, width)? as i128, width))
    })
}

/// Two float constants by the row of an op
pub(crate) fn float_binary<T: FloatBinary>(cx: &Context, a: Attr, b: Attr) -> Option<Attr> {
    floats(cx, &[a, b], |v| T::wide(v[0], v[1]), |v| T::single(v[0], v[1]))
}

/// Float constants by a function on values, rounded once into the format
///
/// f32 computes in f32; smaller formats in f64, whose precision makes the second rounding harmless for + − × ÷.
pub fn floats(
    cx: &Context,
    attrs: &[Attr],
    wide: impl Fn(&[f64]) -> f64,
    single: impl Fn(&[f32]) -> f32,
) -> Option<Attr> {
    let ty = attrs.first()?.ty(cx)?;
    let TypeKind::Float(kind) = *ty.scalar(cx).kind(cx) else { return None };
    map(cx, attrs, ty, |bits| {
        if kind == FloatKind::F32 {
            let values: Vec<f32> = bits.iter().map(|bits| f32::from_bits(*bits as u32)).collect();
            return Some(u128::from(single(&values).to_bits()));
        }
        let values: Vec<f64> =
            bits.iter().map(|bits| value_of_bits(*bits as u64, kind)).collect::<Option<_>>()?;
        round_to_bits(wide(&values), kind).map(u128::from)
    })
}
