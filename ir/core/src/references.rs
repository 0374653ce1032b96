//! Who refers to symbols.

use crate::attrs::AttrKind;
use crate::handles::{Attr, OpKind, Str};
use crate::ir::{Ir, OpId};
use terrace_support::HashSet;

/// A symbol that an attribute of an op refers to
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference<'a> {
    /// The property slot of the attribute; none for discardable ones
    pub slot: Option<usize>,
    /// The name that is looked up from the inside out
    pub root: Str,
    /// The names that are looked up inside of it
    pub nested: &'a [Str],
}

impl Reference<'_> {
    /// All names of the path
    pub fn names(self) -> impl Iterator<Item = Str> {
        std::iter::once(self.root).chain(self.nested.iter().copied())
    }
}

/// Symbols that the attributes of one op refer to, in the order of the attributes
///
/// Looks into arrays, dictionaries and parameters of dialects' attributes. The op behind a slot has attributes of its own.
pub fn references(ir: &Ir, op: OpId, mut each: impl FnMut(Reference<'_>)) {
    let cx = ir.cx();
    let mut of_attr = |slot: Option<usize>, attr: Attr| {
        let mut pending = vec![attr];
        while let Some(attr) = pending.pop() {
            match attr.kind(cx) {
                AttrKind::Symbol { root, nested } => each(Reference { slot, root: *root, nested }),
                AttrKind::Array(items) => pending.extend(items.iter().rev()),
                AttrKind::Dict(entries) => pending.extend(entries.iter().rev().map(|(_, value)| *value)),
                AttrKind::Dialect { params, .. } => pending.extend(params.iter().rev()),
                _ => {}
            }
        }
    };
    match ir.kind(op) {
        OpKind::SLOT => return,
        OpKind::UNREGISTERED => ir.raw_properties(op).into_iter().for_each(|attr| of_attr(None, attr)),
        _ => {
            for slot in 0..ir.def(op).attrs.len() {
                ir.slot(op, slot).into_iter().for_each(|attr| of_attr(Some(slot), attr));
            }
        }
    }
    ir.dict(op).into_iter().for_each(|attr| of_attr(None, attr));
}

/// The same for an op with everything inside, also in the units of slots
pub fn references_below(ir: &Ir, op: OpId, mut each: impl FnMut(Reference<'_>)) {
    let mut pending = vec![(ir, op)];
    while let Some((ir, op)) = pending.pop() {
        for inner in std::iter::once(op).chain(ir.walk_below(op)) {
            match ir.child(inner) {
                Some(child) => pending.push((child, child.root())),
                None => references(ir, inner, &mut each),
            }
        }
    }
}

/// Every name that something in a tree of units refers to
pub fn referred(unit: &Ir) -> HashSet<Str> {
    let mut names = HashSet::default();
    references_below(unit, unit.root(), |reference| names.extend(reference.names()));
    names
}
