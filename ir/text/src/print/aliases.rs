//! Aliases at the top of a module: `#map = affine_map<…>`, `#set = affine_set<…>`, `#distinct = distinct[…]<…>`.
//!
//! As upstream does it, a first printing into nothing finds out which attributes the text asks for and in what order.
//! Only units that hold such attributes at all take part, and none if the context has none. Locations have aliases
//! (`#loc`) where they are attributes; those of ops are printed in place.

use super::PrintOptions;
use super::kinds::Kinds;
use super::names::Start;
use super::op::OpPrinter;
use super::sink::Sink;
use std::cell::RefCell;
use terrace_ir::show::{Aliases, Shower, push_int};
use terrace_ir::{Attr, AttrKind, Context, Ir, LocKind, Type, TypeKind};
use terrace_support::HashMap;

/// Attributes with an alias
#[derive(Default)]
pub(super) struct AliasTable {
    names: HashMap<Attr, String>,
    order: Vec<Attr>,
}

impl Aliases for AliasTable {
    fn attr(&self, attr: Attr) -> Option<&str> {
        self.names.get(&attr).map(String::as_str)
    }

    fn ty(&self, _: Type) -> Option<&str> {
        None
    }
}

/// Name of an attribute's aliases; none if it gets none
fn stem(cx: &Context, kind: &AttrKind) -> Option<&'static str> {
    match kind {
        AttrKind::AffineMap(_) => Some("map"),
        AttrKind::IntegerSet(_) => Some("set"),
        AttrKind::Distinct { inner, .. } if *inner != cx.common().unit => Some("distinct"),
        AttrKind::Loc(_) => Some("loc"),
        _ => None,
    }
}

/// Notes what a printing asks for
struct Recorder<'a> {
    cx: &'a Context,
    seen: RefCell<(HashMap<Attr, ()>, Vec<Attr>)>,
}

impl Aliases for Recorder<'_> {
    fn attr(&self, attr: Attr) -> Option<&str> {
        if stem(self.cx, self.cx.attr_kind(attr)).is_some() {
            let (seen, order) = &mut *self.seen.borrow_mut();
            if seen.insert(attr, ()).is_none() {
                order.push(attr);
            }
        }
        None
    }

    fn ty(&self, _: Type) -> Option<&str> {
        None
    }
}

impl AliasTable {
    /// Aliases that the text of a unit needs
    pub(super) fn collect(root: &Ir, kinds: &Kinds, options: &PrintOptions) -> AliasTable {
        let cx = root.cx();
        let mut scan = Scan::default();
        if options.local_scope
            || !cx.any_attr(|kind| stem(cx, kind).is_some() && *kind != AttrKind::Loc(LocKind::Unknown))
            || !scan.holds_any(root)
        {
            return AliasTable::default();
        }
        let recorder = Recorder { cx, seen: RefCell::default() };
        let mut nothing = std::io::sink();
        let mut printer = OpPrinter::new(root, kinds, options);
        printer.w.aliases = Some(&recorder);
        printer.sink = Some(Sink::new(&mut nothing));
        printer.scan = Some(scan);
        printer.unit(root, Start::default());
        drop(printer);
        let (_, mut order) = recorder.seen.into_inner();
        order.sort_by_key(|attr| (depth(cx, *attr), stem(cx, cx.attr_kind(*attr))));
        let mut table = AliasTable::default();
        let mut counts: HashMap<&str, u32> = HashMap::default();
        for &attr in &order {
            let Some(stem) = stem(cx, cx.attr_kind(attr)) else { continue };
            let count = counts.entry(stem).or_default();
            let mut name = stem.to_string();
            if *count > 0 {
                push_int(&mut name, (*count).into());
            }
            *count += 1;
            table.names.insert(attr, name);
        }
        table.order = order;
        table
    }

    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Write the definitions
    pub(super) fn define(&self, w: &mut Shower<'_>) {
        for &attr in &self.order {
            w.push("#");
            w.push(&self.names[&attr]);
            w.push(" = ");
            w.attr_in_full(attr);
            w.push("\n");
        }
    }
}

/// Aliases that must be defined before this one, in levels
fn depth(cx: &Context, attr: Attr) -> u32 {
    let mut deepest = 0;
    let mut pending = vec![(attr, 0)];
    while let Some((attr, depth)) = pending.pop() {
        deepest = deepest.max(depth);
        match cx.attr_kind(attr) {
            AttrKind::Distinct { inner, .. } if Scan::default().attr(cx, *inner) => {
                pending.push((*inner, depth + 1));
            }
            AttrKind::Loc(LocKind::Name { child: Some(child), .. }) => pending.push((*child, depth + 1)),
            AttrKind::Loc(LocKind::CallSite { callee, caller }) => {
                pending.extend([(*callee, depth + 1), (*caller, depth + 1)]);
            }
            AttrKind::Loc(LocKind::Fused { locs, .. }) => {
                pending.extend(locs.iter().map(|&inner| (inner, depth + 1)));
            }
            _ => {}
        }
    }
    deepest
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

    fn attr(&mut self, cx: &Context, attr: Attr) -> bool {
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
