//! Functional arrays as arguments and results: nested values, and symbols of sizes that get their values from what is given.

use crate::data::Input;
use crate::signature::{Form, Signature};
use terrace_dialect_array::size::{BIND, bound, learn, value_of};
use terrace_dialect_array::types::flatten;
use terrace_interp::RtValue;
use terrace_ir::symbols::symbol_name;
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

/// Bind the symbols of an entry function's arguments to the sizes of what is given for them
pub(crate) fn bind(root: &mut Ir, signature: &Signature, inputs: &[Input]) {
    if signature.params.iter().all(|slot| slot.form != Form::Array) {
        return;
    }
    let cx = root.cx_arc().clone();
    let is_entry = |unit: &Ir| {
        let name = symbol_name(unit, unit.root());
        name.is_some_and(|name| cx.str(name) == signature.entry)
    };
    let Some(unit) = root.children_mut().find(|unit| is_entry(unit)) else { return };
    let mut known = bound(unit);
    let mut sizes = Vec::new();
    for (slot, input) in signature.params.iter().zip(inputs).filter(|(slot, _)| slot.form == Form::Array) {
        let given = match input {
            Input::Given(buffer) => buffer.shape().to_vec(),
            Input::Undefined(_, shape) => shape.clone(),
        };
        let (nats, _) = flatten(&cx, slot.ty);
        sizes.extend(
            nats.into_iter().zip(given.into_iter().map(|size| i64::try_from(size).unwrap_or(i64::MAX))),
        );
    }
    // Each round learns a symbol.
    while sizes.iter().any(|(size, len)| learn(size, *len, &mut known)) {}
    if known.is_empty() {
        return;
    }
    let entries = known.iter().map(|(name, value)| (cx.intern(name), cx.index_attr(*value))).collect();
    let attr = cx.dict_attr(entries);
    let op = unit.root();
    unit.set_discardable(op, BIND, Some(attr));
}
