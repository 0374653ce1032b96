//! Text of ops: sizes first, then values, without types.
//!
//! A value that stands before in the text needs no type; elsewhere it is written `(%x : type)`.

use crate::misfit::Misfit;
use crate::nat_text::{nat_attr, nat_of, parse_nat};
use terrace_diag::Reported;
use terrace_ir::{Type, Value};
use terrace_text::{OpParser, OpPrinter, Unresolved};

/// A value and its type: `%x`, `(%x : type)`, or an op in parentheses, which is put before this one
pub fn value(p: &mut OpParser<'_, '_>) -> Result<(Unresolved, Type), Reported> {
    if p.punct_opt("(") {
        if !p.at_punct("%") {
            let found = p.nested_op()?;
            p.punct(")")?;
            return Ok(found);
        }
        let name = p.operand()?;
        let ty = p.colon_type()?;
        p.punct(")")?;
        return Ok((name, ty));
    }
    let name = p.operand()?;
    match p.type_of(&name) {
        Some(ty) => Ok((name, ty)),
        None => Err(p.error_at(&name, "the type of this value is not known here; write `(%name : type)`")),
    }
}

/// Types or sizes that do not fit, found while parsing: with the verifier's code
pub(crate) fn refuse(p: &mut OpParser<'_, '_>, at: &Unresolved, why: &Misfit) -> Reported {
    p.error_with(why.code(), Some(at), why.to_string())
}

/// The same, with its type where the value may stand behind in the text
pub fn print_value(p: &mut OpPrinter<'_>, value: Value) {
    let ir = p.ir();
    let at = ir.value_block(value);
    // A first block stands before all others of its region.
    let first = at.and_then(|block| Some((block, ir.block_region(block)?)));
    if first.is_some_and(|(block, region)| ir.entry(region) == Some(block)) {
        p.operand(value);
        return;
    }
    let mut op = Some(p.op());
    while let Some(inside) = op {
        if ir.block(inside) == at && at.is_some() {
            p.operand(value);
            return;
        }
        op = ir.parent(inside);
    }
    p.text("(");
    p.operand(value);
    p.text(" : ");
    p.ty(ir.ty(value));
    p.text(")");
}

pub(crate) fn print_values(p: &mut OpPrinter<'_>, values: &[Value]) {
    for (n, value) in values.iter().enumerate() {
        if n > 0 {
            p.text(", ");
        }
        print_value(p, *value);
    }
}

/// A size as a property
pub fn set_nat(p: &mut OpParser<'_, '_>, name: &str) -> Result<(), Reported> {
    let nat = parse_nat(p)?;
    let attr = nat_attr(p.cx(), &nat);
    p.set_attr(name, attr);
    Ok(())
}

/// ` size`
pub fn print_nat(p: &mut OpPrinter<'_>, name: &str) {
    let (ir, op) = (p.ir(), p.op());
    p.text(" ");
    if let Some(nat) = ir.attr(op, name).and_then(|attr| nat_of(ir.cx(), attr)) {
        p.text(&nat.to_string());
    }
}
