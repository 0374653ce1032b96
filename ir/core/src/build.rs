//! What the `build` functions of op structs call: an op from the values of its fields.

use crate::attrs::Attr;
use crate::defs::{Arity, OpDef};
use crate::infer;
use crate::ir::{BlockId, Builder, NewOp, OpId, Value};
use crate::types::Type;

/// Contents of a new op, by field of its definition
pub struct Parts<'a> {
    /// Values of each operand field
    pub operands: &'a [&'a [Value]],
    /// Attribute slots
    pub slots: &'a [Option<Attr>],
    /// Types of each result field; `None` where the tables give them
    pub results: &'a [Option<&'a [Type]>],
    /// Blocks of each successor field
    pub successors: &'a [&'a [BlockId]],
    /// Number of regions; they are empty
    pub regions: usize,
}

/// Make the op and put it where the builder is
///
/// A result whose type does not follow from operands and attributes gets `none`, and the verifier reports it.
///
/// # Panics
/// If the op's dialect is not registered.
pub fn build(b: &mut Builder<'_>, def: &'static OpDef, parts: &Parts<'_>) -> OpId {
    let operands: Vec<Value> = parts.operands.concat();
    let segments: Vec<u32> = parts.operands.iter().map(|values| values.len() as u32).collect();
    let (results, result_segments) = results(b, def, parts, &operands, &segments);
    let kind = b.kind(def);
    b.insert(&NewOp {
        operands: &operands,
        segments: &segments,
        results: &results,
        result_segments: &result_segments,
        slots: parts.slots,
        successors: &parts.successors.concat(),
        regions: parts.regions,
        ..NewOp::new(kind)
    })
}

fn results(
    b: &Builder<'_>,
    def: &'static OpDef,
    parts: &Parts<'_>,
    operands: &[Value],
    segments: &[u32],
) -> (Vec<Type>, Vec<u32>) {
    let mut types = Vec::new();
    let mut sizes = Vec::new();
    if parts.results.iter().all(Option::is_some) {
        for given in parts.results.iter().flatten() {
            types.extend_from_slice(given);
            sizes.push(given.len() as u32);
        }
        return (types, sizes);
    }
    let (ir, cx) = (b.read(), b.cx());
    let of_operands: Vec<Type> = operands.iter().map(|value| ir.ty(*value)).collect();
    let slots: Vec<Option<Attr>> = def
        .attrs
        .iter()
        .zip(parts.slots)
        .map(|(spec, attr)| attr.or_else(|| spec.default.map(|make| make(cx))))
        .collect();
    let derived = parts.results.iter().all(Option::is_none) && !def.result_segments();
    if let (true, Some(types)) = (derived, infer::result_types(cx, def, &of_operands, segments, &slots)) {
        return (types, sizes);
    }
    let known = infer::known_results(cx, def, &of_operands, segments, &slots);
    for (field, given) in parts.results.iter().enumerate() {
        let found = [known.results[field].unwrap_or(cx.common().none)];
        let one = def.results[field].arity == Arity::One;
        let given = given.unwrap_or(if one { &found } else { &[] });
        types.extend_from_slice(given);
        sizes.push(given.len() as u32);
    }
    (types, sizes)
}
