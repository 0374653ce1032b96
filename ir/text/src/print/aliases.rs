//! Aliases at the top of a module: `#map = affine_map<…>`, `#set = affine_set<…>`, `#distinct = distinct[…]<…>`.
//!
//! As upstream does it, a first printing into nothing finds out which attributes the text asks for and in what order.
//! Only units that hold such attributes at all take part, and none if the context has none. Locations have aliases
//! (`#loc`) where they are attributes; those of ops are printed in place.

use super::PrintOptions;
use super::kinds::Kinds;
use super::names::Start;
use super::op::OpPrinter;
use super::scan::{Scan, stem};
use super::sink::Sink;
use std::cell::RefCell;
use terrace_ir::show::{Aliases, Shower, push_int};
use terrace_ir::{Attr, AttrKind, Context, Ir, LocKind, Type};
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
        if options.local_scope || !cx.any_attr(|kind| stem(cx, kind).is_some()) || !scan.holds_any(root) {
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
