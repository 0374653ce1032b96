//! The module around the function of a graph.

use std::fmt;
use std::sync::Arc;
use terrace_diag::SourceId;
use terrace_dialect_builtin as builtin;
use terrace_dialect_func as func;
use terrace_dialect_stablehlo as stablehlo;
use terrace_ir::{Attr, BlockId, Context, Ir, Loc, OpDef, Type, Value};

/// The context lacks a dialect that graphs consist of
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotRegistered;

impl fmt::Display for NotRegistered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the dialects `builtin`, `func` and `stablehlo` are not registered")
    }
}

impl std::error::Error for NotRegistered {}

/// A module of one function, whose empty block is filled
pub fn module<E: From<NotRegistered>>(
    cx: &Arc<Context>,
    source: SourceId,
    fill: impl FnOnce(&mut Ir, BlockId) -> Result<(), E>,
) -> Result<Ir, E> {
    let kind = |def: &'static OpDef| cx.kind_of(def).ok_or(NotRegistered);
    kind(stablehlo::Add::DEF)?;
    let mut module = Ir::new_unit(cx, kind(builtin::Module::DEF)?, 1, Loc::UNKNOWN);
    module.set_source(Some(source));
    let region = module.region(module.root(), 0);
    let block = module.append_block(region);
    let mut unit = Ir::new_unit(cx, kind(func::Func::DEF)?, 1, Loc::offset(0));
    unit.set_source(Some(source));
    let body = unit.region(unit.root(), 0);
    let entry = unit.append_block(body);
    fill(&mut unit, entry)?;
    let op = module.adopt(Box::new(unit));
    module.append(block, op);
    Ok(module)
}

/// Results of a function: each with one attribute, a key and a text
pub type Results = Vec<(Value, &'static str, String)>;

/// The end of a function: what it returns, its name and its type
pub fn finish(end: &mut crate::End<'_>, name: &str, results: &Results) {
    let operands: Vec<Value> = results.iter().map(|(value, ..)| *value).collect();
    let types: Vec<Type> = operands.iter().map(|value| end.ir.ty(*value)).collect();
    func::Return::build(&mut end.b(), &operands);
    let inputs: Vec<Type> = end.ir.block_args(end.block).iter().map(|arg| end.ir.ty(*arg)).collect();
    let cx = end.ir.cx();
    let entry =
        |(_, key, name): &(Value, &str, String)| cx.dict_attr(vec![(cx.intern(key), cx.str_attr(name))]);
    let res_attrs = cx.array_attr(&results.iter().map(entry).collect::<Vec<Attr>>());
    let function_type = cx.type_attr(cx.function(&inputs, &types));
    let name = cx.str_attr(if name.is_empty() { "main" } else { name });
    let root = end.ir.root();
    end.ir.set_attr(root, "sym_name", Some(name));
    end.ir.set_attr(root, "function_type", Some(function_type));
    end.ir.set_attr(root, "res_attrs", Some(res_attrs));
}
