//! Which attributes have aliases, and what holds one.

use terrace_ir::{Attr, AttrKind, Context, Ir, Type, TypeKind};
use terrace_support::HashMap;

/// Name of an attribute's aliases; none if it gets none
pub(super) fn stem(cx: &Context, kind: &AttrKind) -> Option<&'static str> {
    match kind {
        AttrKind::AffineMap(_) => Some("map"),
        AttrKind::IntegerSet(_) => Some("set"),
        AttrKind::Distinct { inner, .. } if *inner != cx.common().unit => Some("distinct"),
        AttrKind::Loc(_) => Some("loc"),
        _ => None,
    }
}

/// Which types and attributes hold something that has an alias; remembered by handle
#[derive(Default)]
pub(super) struct Scan {
    attrs: HashMap<Attr, bool>,
    types: HashMap<Type, bool>,
}

impl Scan {
    /// Does anything in the unit or below hold an attribute with an alias?
    pub(super) fn holds_any(&mut self, root: &Ir) -> bool {
        let cx = root.cx();
        let mut units = vec![root];
        while let Some(ir) = units.pop() {
            for op in std::iter::once(ir.root()).chain(ir.walk()) {
                if let Some(child) = ir.child(op) {
                    units.push(child);
                    continue;
                }
                let mut slots = (0..ir.def(op).attrs.len()).filter_map(|slot| ir.slot(op, slot));
                let raw = || {
                    (ir.kind(op) == terrace_ir::OpKind::UNREGISTERED).then(|| ir.raw_properties(op)).flatten()
                };
                if slots.any(|attr| self.attr(cx, attr))
                    || ir.dict(op).is_some_and(|dict| self.attr(cx, dict))
                    || raw().is_some_and(|attr| self.attr(cx, attr))
                    || ir.results(op).any(|value| self.ty(cx, ir.ty(value)))
                {
                    return true;
                }
                if ir.num_regions(op) > 0 {
                    for block in ir.regions(op).flat_map(|region| ir.blocks(region)) {
                        if ir.block_args(block).iter().any(|&arg| self.ty(cx, ir.ty(arg))) {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    pub(super) fn attr(&mut self, cx: &Context, attr: Attr) -> bool {
        let leaf = match cx.attr_kind(attr) {
            AttrKind::Unit | AttrKind::Float { .. } | AttrKind::Symbol { .. } | AttrKind::Enum { .. } => {
                Some(false)
            }
            AttrKind::Int { ty, .. } => Some(self.ty(cx, *ty)),
            AttrKind::Str { ty, .. } => Some(ty.is_some_and(|ty| self.ty(cx, ty))),
            kind => stem(cx, kind).map(|_| true),
        };
        if let Some(known) = leaf.or_else(|| self.attrs.get(&attr).copied()) {
            return known;
        }
        let holds = match cx.attr_kind(attr) {
            AttrKind::Type(ty)
            | AttrKind::DenseArray { elem: ty, .. }
            | AttrKind::Dense { ty, .. }
            | AttrKind::Resource { ty, .. } => self.ty(cx, *ty),
            AttrKind::Array(items) | AttrKind::Dialect { params: items, .. } => {
                items.iter().any(|&item| self.attr(cx, item))
            }
            AttrKind::Dict(entries) => entries.iter().any(|&(_, value)| self.attr(cx, value)),
            AttrKind::Sparse { ty, .. } => self.ty(cx, *ty),
            _ => false,
        };
        self.attrs.insert(attr, holds);
        holds
    }

    fn ty(&mut self, cx: &Context, ty: Type) -> bool {
        if matches!(cx.type_kind(ty), TypeKind::Int { .. } | TypeKind::Index | TypeKind::Float(_)) {
            return false;
        }
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let optional = |scan: &mut Self, attr: &Option<Attr>| attr.is_some_and(|attr| scan.attr(cx, attr));
        let holds = match cx.type_kind(ty) {
            TypeKind::Function { inputs, results } => {
                inputs.iter().chain(results.iter()).any(|&inner| self.ty(cx, inner))
            }
            TypeKind::Tuple(items) => items.iter().any(|&inner| self.ty(cx, inner)),
            TypeKind::Complex(elem) | TypeKind::UnrankedTensor(elem) | TypeKind::Vector { elem, .. } => {
                self.ty(cx, *elem)
            }
            TypeKind::Tensor { elem, encoding, .. } => self.ty(cx, *elem) || optional(self, encoding),
            TypeKind::MemRef { elem, layout, space, .. } => {
                self.ty(cx, *elem) || optional(self, layout) || optional(self, space)
            }
            TypeKind::UnrankedMemRef { elem, space } => self.ty(cx, *elem) || optional(self, space),
            TypeKind::Dialect { params, .. } => params.iter().any(|&param| self.attr(cx, param)),
            _ => false,
        };
        self.types.insert(ty, holds);
        holds
    }
}
