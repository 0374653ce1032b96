//! Permissions to round in another way: `mdh.approximate`, of a function or of a computation.

use crate::codes;
use crate::dependent::rules;
use terrace_diag::{Diagnostic, nearest};
use terrace_dialect_mdh::operator::APPROXIMATE;
use terrace_ir::{Ir, OpId, Str};

/// Permission for Winograd's algorithm
pub const WINOGRAD: &str = "winograd";

/// What may be permitted: rules for dependent reductions, and forms
fn names() -> impl Iterator<Item = &'static str> {
    rules::ALL.iter().map(|rule| rule.name).chain([WINOGRAD])
}

/// Is there something of this name to permit? Else an error
pub fn known(name: &str) -> Result<(), Diagnostic> {
    if names().any(|known| known == name) {
        return Ok(());
    }
    let all: Vec<String> = names().map(|name| format!("`{name}`")).collect();
    let said = format!("`mdh.approximate` permits {}, not `{name}`", all.join(", "));
    let error = Diagnostic::error(&codes::APPROXIMATE, said);
    Err(match nearest(name, names()) {
        Some(close) => error.help(format!("did you mean `{close}`?")),
        None => error,
    })
}

/// What an attribute permits; none of another form does
pub fn permits(ir: &Ir, op: OpId) -> Result<Vec<Str>, Diagnostic> {
    let cx = ir.cx();
    let Some(attr) = ir.discardable(op, APPROXIMATE) else { return Ok(Vec::new()) };
    let names = attr.as_array(cx).and_then(|all| all.iter().map(|name| name.as_str_id(cx)).collect());
    let names: Option<Vec<Str>> = names;
    let form =
        || Diagnostic::error(&codes::APPROXIMATE, "`mdh.approximate` is a list of names of rules, as texts");
    let at = |error: Diagnostic| error.at(ir.span(op));
    let names = names.ok_or_else(|| at(form()))?;
    names.iter().try_for_each(|name| known(cx.str(*name))).map_err(at)?;
    Ok(names)
}
