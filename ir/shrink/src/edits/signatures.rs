//! Removes unused parameters with the operands of callers, and results of functions that no op names.

use super::units::names;
use crate::edit::{Edit, Path, Tries, all_ops, unit, unit_mut, units};
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Ir, OpId, Traits, Type, Value};

pub(super) fn shorten(tries: &mut dyn Tries) -> bool {
    let module = tries.module();
    let mut edits: Vec<Edit> = Vec::new();
    for path in units(module) {
        let Some((inputs, results)) = unit(module, &path).and_then(signature) else { continue };
        for n in (0..inputs.len()).rev() {
            let path = path.clone();
            edits.push(Box::new(move |module| without_input(module, &path, n)));
        }
        for n in (0..results.len()).rev() {
            let path = path.clone();
            edits.push(Box::new(move |module| without_result(module, &path, n)));
        }
    }
    tries.try_all(edits)
}

fn signature(unit: &Ir) -> Option<(Vec<Type>, Vec<Type>)> {
    let (cx, root) = (unit.cx(), unit.root());
    let ty = unit.attr(root, "function_type").filter(|_| unit.has(root, Traits::FunctionLike))?;
    let (inputs, results) = ty.as_type(cx)?.as_function(cx)?;
    Some((inputs.to_vec(), results.to_vec()))
}

fn set_signature(unit: &mut Ir, inputs: &[Type], results: &[Type]) {
    let ty = unit.cx().type_attr(unit.cx().function(inputs, results));
    unit.set_attr(unit.root(), "function_type", Some(ty));
}

/// The n-th entry of a list of attributes goes
fn drop_entry(unit: &mut Ir, list: &str, n: usize) {
    let (cx, root) = (unit.cx(), unit.root());
    let Some(entries) = unit.attr(root, list).and_then(|list| list.as_array(cx)) else { return };
    let left: Vec<_> =
        entries.iter().enumerate().filter(|(at, _)| *at != n).map(|(_, entry)| *entry).collect();
    let left = (!left.is_empty()).then(|| cx.array_attr(&left));
    unit.set_attr(root, list, left);
}

/// Ops that name the unit at the end of a way
fn callers(module: &Ir, path: &Path) -> Vec<(Path, OpId)> {
    let Some(name) = unit(module, path).and_then(|unit| symbol_name(unit, unit.root())) else {
        return Vec::new();
    };
    let naming = |(path, op): &(Path, OpId)| unit(module, path).is_some_and(|unit| names(unit, *op, name));
    all_ops(module).into_iter().filter(naming).collect()
}

fn drop_operand(unit: &mut Ir, op: OpId, n: usize) -> bool {
    let mut values: Vec<Value> = unit.operands(op).collect();
    if n >= values.len() || unit.operand_segments(op).is_some_and(|segments| segments.len() > 1) {
        return false;
    }
    values.remove(n);
    let segments: Vec<u32> = unit.operand_segments(op).map_or(Vec::new(), |_| vec![values.len() as u32]);
    unit.set_operands(op, &values, &segments);
    true
}

fn without_input(module: &mut Ir, path: &Path, n: usize) -> bool {
    let callers = callers(module, path);
    let Some((mut inputs, results)) = unit(module, path).and_then(signature) else { return false };
    let gives = |(path, op): &(Path, OpId)| {
        unit(module, path).is_some_and(|unit| unit.num_operands(*op) == inputs.len())
    };
    if n >= inputs.len() || !callers.iter().all(gives) {
        return false;
    }
    inputs.remove(n);
    let Some(function) = unit_mut(module, path) else { return false };
    let entry = function.regions(function.root()).next().and_then(|region| function.entry(region));
    if let Some(entry) = entry {
        match function.block_args(entry).get(n) {
            Some(arg) if !function.is_used(*arg) => function.remove_block_arg(entry, n),
            _ => return false,
        }
    }
    set_signature(function, &inputs, &results);
    drop_entry(function, "arg_attrs", n);
    callers.iter().all(|(path, op)| unit_mut(module, path).is_some_and(|unit| drop_operand(unit, *op, n)))
}

fn without_result(module: &mut Ir, path: &Path, n: usize) -> bool {
    if !callers(module, path).is_empty() {
        return false;
    }
    let Some((inputs, mut results)) = unit(module, path).and_then(signature) else { return false };
    let Some(function) = unit_mut(module, path).filter(|_| n < results.len()) else { return false };
    results.remove(n);
    set_signature(function, &inputs, &results);
    drop_entry(function, "res_attrs", n);
    // Ops inside end their own regions.
    let blocks = function.regions(function.root()).flat_map(|region| function.blocks(region));
    let ends = blocks.filter_map(|block| function.last_op(block));
    let ends: Vec<OpId> = ends.filter(|end| function.has(*end, Traits::ReturnLike)).collect();
    ends.into_iter().all(|end| drop_operand(function, end, n))
}
