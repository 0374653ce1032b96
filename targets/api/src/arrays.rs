//! Functional arrays as nested values.

use terrace_dialect_array::size::{bound, value_of};
use terrace_dialect_array::types::flatten;
use terrace_interp::RtValue;
use terrace_ir::{DYNAMIC, Ir, Type, TypeKind};

/// Shape and element of an array of numbers or vectors; `DYNAMIC` where a size has no value
pub(crate) fn shape(unit: &Ir, ty: Type) -> Option<(Vec<i64>, Type)> {
    let (sizes, mut elem) = flatten(unit.cx(), ty);
    if sizes.is_empty() {
        return None;
    }
    let known = bound(unit);
    let mut shape: Vec<i64> = sizes.iter().map(|size| value_of(size, &known).unwrap_or(DYNAMIC)).collect();
    if let TypeKind::Vector { shape: lanes, elem: inner, scalable: 0 } = elem.kind(unit.cx()) {
        shape.extend_from_slice(lanes);
        elem = *inner;
    }
    Some((shape, elem))
}

/// Elements in order, as arrays in arrays
pub(crate) fn nested(shape: &[u64], next: &mut dyn FnMut() -> RtValue) -> RtValue {
    match shape.split_first() {
        Some((size, rest)) => RtValue::Vector((0..*size).map(|_| nested(rest, next)).collect()),
        None => next(),
    }
}

/// Elements in order, and the sizes of the first ones
pub(crate) fn flat(value: &RtValue, depth: usize, out: &mut Vec<RtValue>, shape: &mut Vec<u64>) {
    match value {
        RtValue::Vector(all) => {
            if shape.len() == depth {
                shape.push(all.len() as u64);
            }
            for value in all.iter() {
                flat(value, depth + 1, out, shape);
            }
        }
        other => out.push(other.clone()),
    }
}
