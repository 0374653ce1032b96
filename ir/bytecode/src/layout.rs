//! In which order an op's properties are written.
//!
//! Upstream writes those that are attributes by name, each as a number of the attribute, one more than needed where it may be absent; then those
//! that are C++ values, by name; sizes of segments are of the first sort up to version 5 and of the second from 6 on.

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
    /// Bits of an enumeration as a number
    Bits { slot: usize },
}

/// Properties that upstream has as C++ values: op, name, and whether it is a flag
const VALUES: &[(&str, &str, bool)] = &[
    ("affine.linearize_index", "disjoint", true),
    ("llvm.add", "overflowFlags", false),
    ("llvm.getelementptr", "noWrapFlags", false),
    ("llvm.mul", "overflowFlags", false),
    ("llvm.shl", "overflowFlags", false),
    ("llvm.sub", "overflowFlags", false),
    ("llvm.trunc", "overflowFlags", false),
];

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

/// Has upstream this attribute of an op as a C++ value?
pub fn is_value(def: &OpDef, name: &str) -> bool {
    VALUES.iter().any(|(op, own, _)| *op == def.name && *own == name)
}

/// The properties of an op in the order of a version
pub fn of(def: &'static OpDef, version: u64) -> Vec<Property> {
    let value = |name: &str| VALUES.iter().find(|(op, own, _)| *op == def.name && *own == name);
    let mut attrs: Vec<(&str, Property)> = Vec::new();
    let mut values: Vec<(&str, Property)> = Vec::new();
    for (slot, spec) in def.attrs.iter().enumerate() {
        let optional = spec.optional || spec.default.is_some() || DEFAULTED.contains(&(def.name, spec.name));
        match value(spec.name) {
            Some((.., true)) => values.push((spec.name, Property::Flag { slot })),
            Some((.., false)) => values.push((spec.name, Property::Bits { slot })),
            None => attrs.push((spec.name, Property::Attr { slot, optional })),
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
