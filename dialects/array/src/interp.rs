//! What the ops compute: arrays and tuples are lists of values.
//!
//! Sizes are numbers here. Symbols get their values from `array.bind` of the function around, then from the lengths of
//! the function's arguments; every condition on sizes is checked again with them.

pub(crate) mod patterns;
pub(crate) mod views;

use crate::codes;
use crate::size::{bound, learn, value_of};
use crate::types::split_type;
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_analysis::nat::Nat;
use terrace_interp::{Machine, RtValue, Trap, codes as traps};
use terrace_ir::{Type, TypeKind};

/// Most elements of a list
pub(crate) const ELEMENTS: i64 = 1 << 22;

pub(crate) fn unbound(why: impl Into<String>) -> Trap {
    Trap::new(&codes::UNBOUND, why.into())
}

pub(crate) fn bounds(why: impl Into<String>) -> Trap {
    Trap::new(&traps::BOUNDS, why.into())
}

/// Elements of an array, components of a tuple
pub(crate) fn list(value: &RtValue) -> Result<Arc<[RtValue]>, Trap> {
    match value {
        RtValue::Vector(all) => Ok(all.clone()),
        RtValue::Poison => Err(Trap::new(&traps::POISON, "an array is poison as a whole")),
        _ => Err(Trap::new(&traps::UNSUPPORTED, "not an array")),
    }
}

pub(crate) fn make(all: Vec<RtValue>) -> RtValue {
    RtValue::Vector(all.into())
}

/// Values of the symbols where the current op stands
pub(crate) fn binding(m: &Machine<'_>) -> Result<BTreeMap<String, i64>, Trap> {
    let (ir, cx) = (m.ir(), m.cx());
    let mut known = bound(ir);
    // A name is the same size in a function and in what it calls: their types are equal.
    for (name, value) in m.callers().flat_map(bound) {
        known.entry(name).or_insert(value);
    }
    let entry = ir.regions(ir.root()).next().and_then(|region| ir.entry(region));
    let mut sizes: Vec<(Nat, i64)> = Vec::new();
    for arg in entry.into_iter().flat_map(|entry| ir.block_args(entry).iter().copied()) {
        let mut pending: Vec<(Type, RtValue)> = vec![(ir.ty(arg), m.value(arg))];
        while let Some((ty, value)) = pending.pop() {
            let RtValue::Vector(all) = value else { continue };
            if let Some((size, elem)) = split_type(cx, ty) {
                sizes.push((size, all.len() as i64));
                pending.extend(all.first().map(|first| (elem, first.clone())));
            } else if let TypeKind::Tuple(types) = ty.kind(cx) {
                pending.extend(types.iter().copied().zip(all.iter().cloned()));
            }
        }
    }
    // Names that iterations bind are what their function has now; the innermost says.
    let mut around = ir.parent(m.op());
    while let Some(op) = around {
        around = ir.parent(op);
        let Some(iterate) = crate::Iterate::cast(ir, op) else { continue };
        let arg = ir.entry(iterate.body(ir)).and_then(|entry| ir.block_args(entry).first().copied());
        let name = iterate.bound(ir).as_str(cx);
        if let (Some(arg), Some(name)) = (arg, name)
            && let RtValue::Vector(all) = m.value(arg)
        {
            known.entry(format!("${name}")).or_insert(all.len() as i64);
        }
    }
    // Each round learns a symbol.
    while sizes.iter().any(|(size, len)| learn(size, *len, &mut known)) {}
    for (size, len) in &sizes {
        match value_of(size, &known) {
            Ok(value) if value != *len => {
                return Err(unbound(format!(
                    "an argument has {len} elements, its type says {size} = {value}"
                )));
            }
            _ => {}
        }
    }
    Ok(known)
}

/// The number that a size is
pub(crate) fn number(m: &Machine<'_>, nat: &Nat) -> Result<i64, Trap> {
    if let Some(value) = nat.as_constant() {
        return Ok(value);
    }
    value_of(nat, &binding(m)?).map_err(unbound)
}
