//! Symbols of array sizes get their values from the arguments.

use terrace_dialect_array::size::{BIND, bound, learn};
use terrace_dialect_array::types::flatten;
use terrace_ir::Ir;
use terrace_ir::symbols::symbol_name;
use terrace_target_api::{Form, Input, Signature};

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
