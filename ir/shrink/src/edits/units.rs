//! Removes units and other symbols, alone or with their uses, and bodies of functions.

use super::ops::remove;
use crate::edit::{Edit, Path, Tries, all_ops, halving, unit, unit_mut, units};
use crate::stand_in::First;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Ir, OpId, Str, Traits};

/// Symbols with the ways to the units around them, the last ones first
fn symbols(module: &Ir) -> Vec<(Path, OpId)> {
    let mut all = Vec::new();
    for path in units(module) {
        let Some(unit) = unit(module, &path) else { continue };
        let named = unit.walk().filter(|op| unit.child(*op).is_some() || unit.has(*op, Traits::Symbol));
        all.extend(named.map(|op| (path.clone(), op)));
    }
    all.reverse();
    all
}

fn erased(module: &mut Ir, items: &[(Path, OpId)]) -> bool {
    let mut any = false;
    for (path, op) in items {
        let Some(unit) = unit_mut(module, path) else { continue };
        if unit.block(*op).is_some() {
            unit.erase(*op);
            any = true;
        }
    }
    any
}

/// A module with nothing in it; false if it has nothing in it already
pub(crate) fn empty(module: &mut Ir) -> bool {
    let region = module.regions(module.root()).next();
    let blocks: Vec<_> = region.into_iter().flat_map(|region| module.blocks(region)).collect();
    let ops: Vec<OpId> = blocks.iter().flat_map(|block| module.block_ops(*block)).collect();
    for op in ops.iter().rev() {
        let segments = module.no_operands(*op);
        module.set_operands(*op, &[], &segments);
    }
    ops.iter().rev().for_each(|op| module.erase(*op));
    !ops.is_empty()
}

pub(super) fn erase(tries: &mut dyn Tries) -> bool {
    let plain = |items: Vec<(Path, OpId)>| -> Edit { Box::new(move |module| erased(module, &items)) };
    let any = halving(tries, symbols, plain);
    let with_uses = |item: (Path, OpId)| -> Edit {
        Box::new(move |module| {
            let Some(around) = unit(module, &item.0) else { return false };
            let Some(name) = around.block(item.1).and_then(|_| symbol_name(around, item.1)) else {
                return false;
            };
            let users: Vec<(Path, OpId)> = all_ops(module);
            for (path, op) in users.into_iter().rev() {
                let Some(unit) = unit_mut(module, &path) else { continue };
                if unit.is_alive(op) && names(unit, op, name) {
                    remove(unit, op, First::Nearby);
                }
            }
            erased(module, std::slice::from_ref(&item))
        })
    };
    let edits = symbols(tries.module()).into_iter().map(with_uses).collect();
    any | tries.try_all(edits)
}

/// Does an attribute of the op name the symbol?
pub(super) fn names(unit: &Ir, op: OpId, name: Str) -> bool {
    let cx = unit.cx();
    (0..unit.def(op).attrs.len())
        .filter_map(|slot| unit.slot(op, slot)?.as_symbol(cx))
        .any(|(root, nested)| root == name || nested.contains(&name))
}

/// Turns functions into declarations
pub(super) fn bodies(tries: &mut dyn Tries) -> bool {
    let functions = |module: &Ir| -> Vec<Path> {
        let has_body = |path: &Path| {
            unit(module, path).is_some_and(|unit| {
                let root = unit.root();
                unit.has(root, Traits::FunctionLike)
                    && unit.regions(root).any(|region| unit.entry(region).is_some())
            })
        };
        units(module).into_iter().filter(has_body).rev().collect()
    };
    let edit = |paths: Vec<Path>| -> Edit {
        Box::new(move |module| {
            let mut any = false;
            for path in &paths {
                let Some(unit) = unit_mut(module, path) else { continue };
                any |= declare(unit);
            }
            any
        })
    };
    halving(tries, functions, edit)
}

fn declare(unit: &mut Ir) -> bool {
    let root = unit.root();
    let blocks: Vec<_> = unit.regions(root).flat_map(|region| unit.blocks(region)).collect();
    unit.erase_blocks(&blocks);
    // A declaration without a body is private.
    let private = unit.cx().str_attr("private");
    unit.set_attr(root, "sym_visibility", Some(private));
    !blocks.is_empty()
}
