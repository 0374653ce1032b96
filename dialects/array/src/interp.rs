//! What the ops compute: arrays and tuples are lists of values.
//!
//! Sizes are numbers here. Symbols get their values from `array.bind` of the function around, then from the lengths of
//! the function's arguments; every condition on sizes is checked again with them.

use crate::codes;
use crate::size::{bound, learn, value_of};
use crate::types::{split_type, split_vector};
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_analysis::nat::Nat;
use terrace_interp::{Machine, RtValue, Trap, codes as traps};
use terrace_ir::interface::Interface;
use terrace_ir::{Ir, OpId, Type, TypeKind, Value};

/// Most elements of a list
pub(crate) const ELEMENTS: i64 = 1 << 22;

pub(crate) fn unbound(why: impl ToString) -> Trap {
    Trap::new(&codes::UNBOUND, why.to_string())
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

/// Table behind [`BindsSize`]
pub(crate) struct BindsSizeTable {
    bound: fn(&Ir, OpId) -> Option<(&str, Value)>,
}

/// An op whose function gets an array of a size that has a name inside
pub(crate) trait BindsSize {
    /// The name, and the array
    fn bound(ir: &Ir, op: OpId) -> Option<(&str, Value)>;

    /// Entry for the op's interfaces
    const ENTRY: Interface = Interface::new(const { &BindsSizeTable { bound: Self::bound } });
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
        let bound = ir.def(op).interface::<BindsSizeTable>().and_then(|table| (table.bound)(ir, op));
        if let Some((name, arg)) = bound
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

/// Deepest nesting of values
pub(crate) const DEPTH: usize = 256;

/// A value of a type, with the same at each number
pub(crate) fn filled(
    m: &Machine<'_>,
    ty: Type,
    at: &dyn Fn(Type) -> Option<RtValue>,
    depth: usize,
) -> Result<RtValue, Trap> {
    let cx = m.cx();
    if depth > DEPTH {
        return Err(bounds("a type nested too deep"));
    }
    let copies = |count: i64, one: RtValue| match usize::try_from(count) {
        Ok(size) if count <= ELEMENTS => Ok(make(vec![one; size])),
        _ => Err(bounds(format!("an array of {count} elements"))),
    };
    match ty.kind(cx) {
        TypeKind::Tuple(types) => {
            let all: Result<Vec<RtValue>, Trap> =
                types.iter().map(|ty| filled(m, *ty, at, depth + 1)).collect();
            Ok(make(all?))
        }
        TypeKind::Vector { elem, .. } => {
            copies(ty.num_elements(cx).unwrap_or(-1), filled(m, *elem, at, depth + 1)?)
        }
        _ => match split_type(cx, ty).or(split_vector(cx, ty)) {
            Some((size, elem)) => {
                let size = number(m, &size)?;
                copies(size, filled(m, elem, at, depth + 1)?)
            }
            None => at(ty).ok_or_else(|| Trap::new(&traps::INVALID, "there is no start value")),
        },
    }
}
