//! A computation by itself: a module of one function with nothing else in it, and what it calls.
//!
//! Its text without names and places is what a record is found by. Extents, types, operators, orders and flags are in it; a schedule, and what
//! follows from one, is not.

use std::collections::BTreeMap;
use terrace_dialect_builtin::Module;
use terrace_dialect_builtin::marks::TARGET;
use terrace_dialect_func::{Func, Return};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::epilogue::EPILOGUE;
use terrace_dialect_mdh::operator::LANES;
use terrace_dialect_mdh::prologue::PROLOGUE;
use terrace_dialect_mdh::scatter::SCATTER;
use terrace_dialect_mdh::schedule::{self, GRID, JOINS, SCHEDULE, SUBGROUP, Schedule};
use terrace_dialect_mdh::symmetric::SYMMETRIC;
use terrace_dialect_mdh::taps::ROLLED;
use terrace_ir::ir::ValueMap;
use terrace_ir::references::references;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Builder, Ir, Loc, Name, OpId, OpKind, Str, Type, Value};
use terrace_search_records::Hash;
use terrace_support::{HashMap, HashSet};
use terrace_text::PrintOptions;

/// Version of the text
const FORM: &str = "terrace-program/1";

/// Attributes that follow from a schedule or a pass
const DERIVED: &[&str] =
    &[SCHEDULE, SUBGROUP, GRID, JOINS, ROLLED, SCATTER, EPILOGUE, PROLOGUE, SYMMETRIC, LANES];

/// A computation by itself
pub struct Alone {
    /// The function with the computation, then the functions that it calls
    module: Box<Ir>,
}

/// Functions of a module by their names, read once for all of its computations
pub struct Functions<'a>(HashMap<Str, &'a Ir>);

impl<'a> Functions<'a> {
    /// Those at the top of a tree
    pub fn of(root: &'a Ir) -> Functions<'a> {
        let units = slots(root).filter_map(|slot| root.child(slot));
        Functions(units.filter_map(|unit| Some((symbol_name(unit, unit.root())?, unit))).collect())
    }

    /// Functions that an op refers to, and those that they refer to, in the order in which they are met
    fn called(&self, unit: &Ir, op: Compute) -> Vec<(Str, &'a Ir)> {
        let mut names = Vec::new();
        let own = std::iter::once(op.id()).chain(unit.walk_below(op.id()));
        own.for_each(|op| references(unit, op, |reference| names.push(reference.root)));
        let (mut found, mut seen, mut next) = (Vec::new(), HashSet::default(), 0);
        while let Some(name) = names.get(next).copied() {
            next += 1;
            if let Some(unit) = self.0.get(&name).filter(|_| seen.insert(name)) {
                found.push((name, *unit));
                unit.walk().for_each(|op| references(unit, op, |reference| names.push(reference.root)));
            }
        }
        found
    }
}

impl Alone {
    /// A computation of a unit, with what it calls
    pub fn of(functions: &Functions<'_>, unit: &Ir, op: Compute) -> Alone {
        let cx = unit.cx_arc();
        let called = functions.called(unit, op);
        let mut name = String::from("computation");
        while called.iter().any(|(own, _)| cx.str(*own) == name) {
            name.push('_');
        }
        let kind = cx.kind_of(Module::DEF).unwrap_or(OpKind::UNREGISTERED);
        let mut module = Ir::new_unit(cx, kind, 1, Loc::UNKNOWN);
        let region = module.region(module.root(), 0);
        let block = module.append_block(region);
        let units = std::iter::once(Box::new(function(unit, op, &name)));
        for unit in units.chain(called.into_iter().map(|(_, unit)| unit.clone_unit())) {
            let slot = module.adopt(unit);
            module.append(block, slot);
        }
        Alone { module: Box::new(module) }
    }

    /// With a schedule
    pub(super) fn with(&self, schedule: &Schedule) -> Box<Ir> {
        let mut module = self.module.clone_unit();
        let first = slots(&module).next();
        let Some(unit) = first.and_then(|slot| module.child_mut(slot)) else { return module };
        let attr = schedule::to_attr(unit.cx(), &schedule.steps);
        let op = unit.walk().find_map(|op| Compute::cast(unit, op));
        if let Some(op) = op {
            unit.set_attr(op.id(), SCHEDULE, Some(attr));
        }
        module
    }

    /// What tells it from other computations, whatever its names are
    pub fn hash(&self) -> Hash {
        Hash::of(self.text())
    }

    /// In the generic form, without names and places
    pub fn text(&self) -> String {
        let mut module = self.module.clone_unit();
        let mut names = BTreeMap::new();
        for (n, slot) in slots(&module).collect::<Vec<_>>().into_iter().enumerate() {
            let name = module.child(slot).and_then(|unit| symbol_name(unit, unit.root()));
            let Some(unit) = module.child_mut(slot) else { continue };
            if let Some(name) = name {
                names.insert(unit.cx().str(name).to_owned(), n);
            }
            let (root, number) = (unit.root(), unit.cx().str_attr(&n.to_string()));
            unit.set_attr(root, "sym_name", Some(number));
            for derived in ["sym_visibility", LANES, TARGET] {
                unit.set_attr(root, derived, None);
            }
            for value in values(unit) {
                unit.set_value_name(value, Name::None);
            }
        }
        let mut text = format!("{FORM}\n");
        let options = PrintOptions { generic: true, local_scope: true, ..PrintOptions::default() };
        terrace_text::print(&module, &options, &mut text);
        renumbered(&text, &names)
    }
}

/// A function of the computation alone
fn function(unit: &Ir, op: Compute, name: &str) -> Ir {
    let cx = unit.cx_arc();
    let kind = cx.kind_of(Func::DEF).unwrap_or(OpKind::UNREGISTERED);
    let mut ir = Ir::new_unit(cx, kind, 1, Loc::UNKNOWN);
    let mut operands: Vec<Value> = Vec::new();
    for operand in unit.operands(op.id()) {
        if !operands.contains(&operand) {
            operands.push(operand);
        }
    }
    let inputs: Vec<Type> = operands.iter().map(|value| unit.ty(*value)).collect();
    let results: Vec<Type> = unit.results(op.id()).map(|value| unit.ty(value)).collect();
    let root = ir.root();
    ir.set_attr(root, "sym_name", Some(cx.str_attr(name)));
    ir.set_discardable(root, TARGET, unit.discardable(unit.root(), TARGET));
    ir.set_attr(root, "function_type", Some(cx.type_attr(cx.function(&inputs, &results))));
    let region = ir.region(root, 0);
    let entry = ir.append_block(region);
    let mut map = ValueMap::default();
    for (value, ty) in operands.into_iter().zip(inputs) {
        let own = ir.add_block_arg(entry, ty);
        map.insert(value, own);
    }
    let copy = ir.clone_op(Some(unit), op.id(), &mut map);
    ir.append(entry, copy);
    for name in DERIVED.iter().chain(&["name", "dim_names"]) {
        ir.set_attr(copy, name, None);
    }
    let values: Vec<Value> = ir.results(copy).collect();
    Return::build(&mut Builder::at_end(&mut ir, entry), &values);
    ir
}

fn slots(module: &Ir) -> impl Iterator<Item = OpId> + '_ {
    let blocks = module.regions(module.root()).flat_map(|region| module.blocks(region));
    blocks.flat_map(|block| module.block_ops(block))
}

fn values(unit: &Ir) -> Vec<Value> {
    let mut all = Vec::new();
    for op in std::iter::once(unit.root()).chain(unit.walk()) {
        all.extend(unit.results(op));
        for region in unit.regions(op) {
            for block in unit.blocks(region) {
                all.extend(unit.block_args(block));
            }
        }
    }
    all
}

/// The text with numbers in place of these symbols; strings stay as they are
fn renumbered(text: &str, names: &BTreeMap<String, usize>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['@', '"']) {
        out.push_str(&rest[..at]);
        let symbol = rest[at..].starts_with('@');
        let start = at + usize::from(symbol);
        let quoted = rest[start..].starts_with('"');
        let end = start + if quoted { quoted_length(&rest[start..]) } else { word_length(&rest[start..]) };
        let written = &rest[start..end];
        let name = if quoted { written.trim_matches('"') } else { written };
        match names.get(name).filter(|_| symbol) {
            Some(number) => out.push_str(&format!("@{number}")),
            None => out.push_str(&rest[at..end]),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Bytes of a string with its quotes
fn quoted_length(text: &str) -> usize {
    let mut escaped = false;
    for (n, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return n + 1,
            _ => {}
        }
    }
    text.len()
}

/// Bytes of a name without quotes
fn word_length(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"_$.-".contains(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_have_numbers_and_strings_stay() {
        let names = BTreeMap::from([("add".to_owned(), 1), ("a b".to_owned(), 2)]);
        let text = r#"f(@add, @adder, @"a b", "@add \" @add", @add) { x = "add" }@"#;
        assert_eq!(renumbered(text, &names), r#"f(@1, @adder, @2, "@add \" @add", @1) { x = "add" }@"#);
        assert_eq!(renumbered("\"never closed @add", &names), "\"never closed @add");
    }
}
