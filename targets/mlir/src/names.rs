//! Names that only the module sees, for a back end that hands the names of the IR on as they are.
//!
//! Upstream gives linkers the symbol itself, whatever text it is, and takes a function called `malloc` for the one it calls.

use std::collections::BTreeMap;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, AttrKind, Context, Ir, OpId, Str};
use terrace_lowering_c::linker_name;

/// Give what the module defines names that no library has; the new name of `entry`
pub(crate) fn make_local(ir: &mut Ir, entry: &str) -> String {
    let mut new = BTreeMap::new();
    let ops: Vec<OpId> =
        ir.regions(ir.root()).flat_map(|region| ir.blocks(region)).flat_map(|b| ir.block_ops(b)).collect();
    for op in ops {
        if let Some(name) = symbol_name(ir, op).filter(|_| is_defined(ir, op)) {
            let text = ir.cx().str(name);
            new.insert(text.to_owned(), format!("local.{}", linker_name(text, "")));
        }
    }
    rename(ir, &new);
    new.get(entry).cloned().unwrap_or_else(|| entry.to_owned())
}

/// Is what the symbol stands for here, not declared only?
fn is_defined(ir: &Ir, op: OpId) -> bool {
    match ir.child(op) {
        Some(unit) => unit.regions(unit.root()).any(|region| unit.entry(region).is_some()),
        None => ir.attr(op, "initial_value").is_some(),
    }
}

/// Names and uses in a unit and all below it
fn rename(ir: &mut Ir, new: &BTreeMap<String, String>) {
    let cx = ir.cx_arc().clone();
    let ops: Vec<OpId> = std::iter::once(ir.root()).chain(ir.walk()).collect();
    for op in ops {
        if let Some(unit) = ir.child_mut(op) {
            rename(unit, new);
            continue;
        }
        for slot in 0..ir.def(op).attrs.len() {
            let attr = ir.slot(op, slot).map(|attr| renamed(&cx, attr, new));
            ir.set_slot(op, slot, attr);
        }
        let dict = ir.dict(op).map(|dict| renamed(&cx, dict, new));
        ir.set_dict(op, dict);
        if let Some(name) = symbol_name(ir, op).and_then(|name| new.get(cx.str(name))) {
            let name = cx.str_attr(name);
            ir.set_attr(op, "sym_name", Some(name));
        }
    }
}

fn renamed(cx: &Context, attr: Attr, new: &BTreeMap<String, String>) -> Attr {
    match attr.kind(cx) {
        AttrKind::Symbol { root, nested } => match new.get(cx.str(*root)) {
            Some(name) => cx.attr(AttrKind::Symbol { root: cx.intern(name), nested: nested.clone() }),
            None => attr,
        },
        AttrKind::Array(all) => {
            let all: Vec<Attr> = all.iter().map(|one| renamed(cx, *one, new)).collect();
            cx.array_attr(&all)
        }
        AttrKind::Dict(entries) => {
            let entries: Vec<(Str, Attr)> =
                entries.iter().map(|(key, one)| (*key, renamed(cx, *one, new))).collect();
            cx.dict_attr(entries)
        }
        _ => attr,
    }
}
