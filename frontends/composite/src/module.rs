//! A sub-graph as a module of one function.

use crate::emit::Emit;
use crate::graph::Graph;
use crate::{Wrong, codes, ops};
use std::sync::Arc;
use terrace_diag::SourceId;
use terrace_dialect_builtin as builtin;
use terrace_dialect_func as func;
use terrace_dialect_stablehlo as stablehlo;
use terrace_ir::{Attr, Context, Ir, Loc, OpDef, Type, Value};

/// The module of a graph
pub(crate) fn module(cx: &Arc<Context>, source: SourceId, graph: &Graph<'_>) -> Result<Ir, Wrong> {
    let kind = |def: &'static OpDef| {
        let message = "the dialects `builtin`, `func` and `stablehlo` are not registered";
        cx.kind_of(def).ok_or_else(|| Wrong::new(0, &codes::SYNTAX, message))
    };
    kind(stablehlo::Add::DEF)?;
    let mut module = Ir::new_unit(cx, kind(builtin::Module::DEF)?, 1, Loc::UNKNOWN);
    module.set_source(Some(source));
    let region = module.region(module.root(), 0);
    let block = module.append_block(region);
    let mut unit = Ir::new_unit(cx, kind(func::Func::DEF)?, 1, Loc::offset(0));
    unit.set_source(Some(source));
    function(&mut unit, graph)?;
    let op = module.adopt(Box::new(unit));
    module.append(block, op);
    Ok(module)
}

fn function(unit: &mut Ir, graph: &Graph<'_>) -> Result<(), Wrong> {
    let root = unit.root();
    let region = unit.region(root, 0);
    let block = unit.append_block(region);
    let mut emit = Emit::new(unit, block);
    let mut inputs = Vec::new();
    for tensor in &graph.inputs {
        let ty = emit.ty(tensor)?;
        let value = emit.ir.add_block_arg(block, ty);
        emit.define(tensor, value);
        inputs.push(ty);
    }
    for op in &graph.ops {
        emit.go_to(op.at);
        ops::emit(&mut emit, op)?;
    }
    let mut results = Vec::new();
    for tensor in &graph.outputs {
        results.push((emit.read(tensor)?, "terrace.name", tensor.name.clone()));
    }
    for (name, value) in std::mem::take(&mut emit.assigned) {
        results.push((value, "composite.assigns", name));
    }
    let operands: Vec<Value> = results.iter().map(|(value, ..)| *value).collect();
    let types: Vec<Type> = operands.iter().map(|value| emit.ir.ty(*value)).collect();
    func::Return::build(&mut emit.b(), &operands);
    let cx = emit.ir.cx();
    let entry =
        |(_, key, name): &(Value, &str, String)| cx.dict_attr(vec![(cx.intern(key), cx.str_attr(name))]);
    let res_attrs = cx.array_attr(&results.iter().map(entry).collect::<Vec<Attr>>());
    let function_type = cx.type_attr(cx.function(&inputs, &types));
    let name = cx.str_attr(if graph.name.is_empty() { "main" } else { &graph.name });
    let words: Vec<(String, Attr)> =
        graph.words.iter().map(|(name, word)| (format!("composite.{name}"), cx.str_attr(word))).collect();
    unit.set_attr(root, "sym_name", Some(name));
    unit.set_attr(root, "function_type", Some(function_type));
    unit.set_attr(root, "res_attrs", Some(res_attrs));
    for (name, word) in words {
        unit.set_discardable(root, &name, Some(word));
    }
    Ok(())
}
