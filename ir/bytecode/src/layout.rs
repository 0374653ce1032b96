//! In which order an op's properties are written.
//!
//! Upstream's generated code writes properties that are attributes first, sorted by name: each is the number of an attribute, with a flag in the lowest bit
//! where it may be absent. C++ values follow, sorted by name. Sizes of segments are attributes up to version 5, and values from version 6 on.

use crate::numbers::since;
use terrace_ir::OpDef;

/// A property in its place
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    /// The attribute in a slot
    Attr { slot: usize, optional: bool },
    /// An attribute that this op has upstream and not here: kept among the others
    Other { name: &'static str, optional: bool },
    /// Sizes of operand or result fields as an attribute
    SegmentsAttr { operands: bool },
    /// The same as numbers
    Segments { operands: bool },
    /// A byte for a unit attribute
    Flag { slot: usize },
}

/// Unit attributes that upstream has as C++ truth values: op and name
const FLAGS: &[(&str, &str)] = &[("affine.linearize_index", "disjoint")];

/// Properties of upstream that ops lack here: op, name, whether they may be absent
const OTHERS: &[(&str, &str, bool)] = &[
    ("linalg.batch_matmul", "cast", true),
    ("linalg.batch_reduce_matmul", "cast", true),
    ("linalg.contract", "cast", true),
    ("linalg.copy", "cast", true),
    ("linalg.matmul", "cast", true),
];

/// Properties that may be absent upstream, where they have a default, and are always there here: op and name
const DEFAULTED: &[(&str, &str)] = &[("gpu.create_2to4_spmat", "pruneFlag")];

/// Does upstream have this attribute of an op as a C++ truth value?
pub fn is_flag(def: &OpDef, name: &str) -> bool {
    FLAGS.contains(&(def.name, name))
}

/// The properties of an op in the order of a version
pub fn of(def: &'static OpDef, version: u64) -> Vec<Property> {
    let mut attrs: Vec<(&str, Property)> = Vec::new();
    let mut values: Vec<(&str, Property)> = Vec::new();
    for (slot, spec) in def.attrs.iter().enumerate() {
        let optional = spec.optional || spec.default.is_some() || DEFAULTED.contains(&(def.name, spec.name));
        if is_flag(def, spec.name) {
            values.push((spec.name, Property::Flag { slot }));
        } else {
            attrs.push((spec.name, Property::Attr { slot, optional }));
        }
    }
    for &(op, name, optional) in OTHERS {
        if op == def.name {
            attrs.push((name, Property::Other { name, optional }));
        }
    }
    let segments = [
        ("operandSegmentSizes", true, def.operand_segments()),
        ("resultSegmentSizes", false, def.result_segments()),
    ];
    for (name, operands, stored) in segments {
        match stored {
            true if version < since::SEGMENTS => attrs.push((name, Property::SegmentsAttr { operands })),
            true => values.push((name, Property::Segments { operands })),
            false => {}
        }
    }
    attrs.sort_by_key(|(name, _)| *name);
    values.sort_by_key(|(name, _)| *name);
    attrs.into_iter().chain(values).map(|(_, property)| property).collect()
}
