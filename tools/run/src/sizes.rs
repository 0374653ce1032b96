//! Sizes that types leave open get their values from what is given, where upstream's structured ops need them.

use terrace_diag::Diagnostic;
use terrace_ir::Ir;
use terrace_ir::symbols::symbol_name;
use terrace_passes_upstream::{bind_sizes, codes};
use terrace_runtime_buffers::Value as Number;
use terrace_target_api::{Failed, Input, Signature};

/// Bind open sizes of an entry function's arguments to those of what is given for them
///
/// Others than functions with structured ops run with sizes of any value, and stay as they are.
pub(crate) fn bind(root: &mut Ir, signature: &Signature, inputs: &[Input]) -> Result<(), Failed> {
    let cx = root.cx_arc().clone();
    let is_entry = |unit: &Ir| {
        let name = symbol_name(unit, unit.root());
        name.is_some_and(|name| cx.str(name) == signature.entry)
    };
    let Some(unit) = root.children_mut().find(|unit| is_entry(unit)) else { return Ok(()) };
    let Some(entry) = unit.entry(unit.region(unit.root(), 0)) else { return Ok(()) };
    let args = unit.block_args(entry).to_vec();
    let wanted = unit.walk().any(|op| bind_sizes::needs_sizes(unit, op));
    if !wanted || args.len() != inputs.len() {
        return Ok(());
    }
    let mut known = Vec::new();
    for (arg, input) in args.into_iter().zip(inputs) {
        let ty = unit.ty(arg);
        let sizes: Vec<i64> = match input {
            Input::Given(buffer) if ty.is_index(&cx) => match buffer.get(0) {
                Some(Number::Int(number)) => vec![number],
                _ => continue,
            },
            Input::Given(buffer) => buffer.shape().iter().map(|size| *size as i64).collect(),
            Input::Undefined(_, shape) => shape.iter().map(|size| *size as i64).collect(),
        };
        if ty.shape(&cx).is_some() || ty.is_index(&cx) {
            known.push((arg, sizes));
        }
    }
    match bind_sizes::bind(unit, &known) {
        Ok(_) => Ok(()),
        Err((op, why)) => Err(Diagnostic::error(&codes::SIZES, why).at(unit.span(op)).into()),
    }
}
