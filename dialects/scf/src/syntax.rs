//! Syntax of structured ops, of this dialect and of `affine`: carried values, branches, types of results.

use terrace_diag::Reported;
use terrace_ir::{OpId, RegionId, Type, Value};
use terrace_text::{OpParser, OpPrinter, Unresolved};

/// Values that a loop carries
#[derive(Default)]
pub struct Carried {
    /// Arguments of the body
    pub args: Vec<Unresolved>,
    /// What they start from
    pub inits: Vec<Unresolved>,
    /// Their types
    pub types: Vec<Type>,
}

/// `iter_args(%a = %b) -> (i32)`, which may be missing; `mismatch` is the message for a number of values and another one of types
pub fn parse_iter_args(
    p: &mut OpParser<'_, '_>,
    mismatch: impl Fn(usize, usize) -> String,
) -> Result<Carried, Reported> {
    let mut carried = Carried::default();
    if !p.keyword_opt("iter_args") {
        return Ok(carried);
    }
    p.punct("(")?;
    loop {
        carried.args.push(p.operand()?);
        p.punct("=")?;
        carried.inits.push(p.operand()?);
        if !p.punct_opt(",") {
            break;
        }
    }
    p.punct(")")?;
    carried.types = p.arrow_types_opt()?;
    if carried.types.len() != carried.inits.len() {
        return Err(p.error(mismatch(carried.inits.len(), carried.types.len())));
    }
    Ok(carried)
}

/// The same as text; nothing if no value is carried
pub fn print_iter_args(
    p: &mut OpPrinter<'_>,
    args: &[Value],
    inits: &[Value],
    types: impl Iterator<Item = Type>,
) {
    if inits.is_empty() {
        return;
    }
    p.text(" iter_args(");
    for (n, (&arg, &init)) in args.iter().zip(inits).enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.operand(arg);
        p.text(" = ");
        p.operand(init);
    }
    p.text(") -> (");
    p.types(types);
    p.text(")");
}

/// `-> (i32) {…} else {…}` and the attributes
pub fn parse_branches(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let results = p.arrow_types_opt()?;
    p.add_results(&results);
    p.region(&[])?;
    if p.keyword_opt("else") {
        p.region(&[])?;
    } else {
        p.empty_region();
    }
    p.attr_dict()
}

/// ` {…} else {…}`; terminators are printed where the op has results
pub fn print_branches(p: &mut OpPrinter<'_>, then: RegionId, otherwise: RegionId) {
    let (ir, op) = (p.ir(), p.op());
    let results = ir.num_results(op) > 0;
    p.text(" ");
    p.region(then, false, results);
    if ir.entry(otherwise).is_some() {
        p.text(" else ");
        p.region(otherwise, false, results);
    }
}

/// Result types after `->`: one alone, several or a function type in parentheses
pub fn arrow_types(p: &mut OpPrinter<'_>, op: OpId) {
    let ir = p.ir();
    let all: Vec<Type> = ir.results(op).map(|value| ir.ty(value)).collect();
    let plain = all.len() == 1 && all[0].as_function(ir.cx()).is_none();
    p.text(if plain { "" } else { "(" });
    p.types(all);
    p.text(if plain { "" } else { ")" });
}
