//! Text of ops: sizes first, then values, without types.
//!
//! A value that stands before in the text needs no type; elsewhere it is written `(%x : type)`.

use crate::codes;
use crate::names;
use crate::nat_text::{nat_attr, nat_of, parse_nat};
use crate::patterns::text::level_attr;
use crate::shape;
use crate::views::{PADS, View};
use terrace_diag::Reported;
use terrace_ir::{Type, Value};
use terrace_text::{Delim, OpParser, OpPrinter, Unresolved};

/// A value and its type: `%x`, `(%x : type)`, or an op in parentheses, which is put before this one
pub(crate) fn value(p: &mut OpParser<'_, '_>) -> Result<(Unresolved, Type), Reported> {
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
pub(crate) fn refuse(p: &mut OpParser<'_, '_>, at: &Unresolved, why: &str) -> Reported {
    let code = if why.starts_with("SIZE") { &codes::SIZE } else { &codes::TYPE };
    p.error_with(code, Some(at), why)
}

/// The same, with its type where the value may stand behind in the text
pub(crate) fn print_value(p: &mut OpPrinter<'_>, value: Value) {
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
pub(crate) fn set_nat(p: &mut OpParser<'_, '_>, name: &str) -> Result<(), Reported> {
    let nat = parse_nat(p)?;
    let attr = nat_attr(p.cx(), &nat);
    p.set_attr(name, attr);
    Ok(())
}

/// ` size`
pub(crate) fn print_nat(p: &mut OpPrinter<'_>, name: &str) {
    let (ir, op) = (p.ir(), p.op());
    p.text(" ");
    if let Some(nat) = ir.attr(op, name).and_then(|attr| nat_of(ir.cx(), attr)) {
        p.text(&nat.to_string());
    }
}

pub(crate) fn parse(p: &mut OpParser<'_, '_>, view: View) -> Result<(), Reported> {
    let mut values = Vec::new();
    let mut padding = None;
    let spelled = names::spelled(p);
    match view {
        View::Split => set_nat(p, "size")?,
        View::Slide => {
            if p.keyword_opt("strict") || spelled == Some("strict") {
                let unit = p.cx().common().unit;
                p.set_attr("strict", unit);
            }
            set_nat(p, "size")?;
            p.keyword("by")?;
            set_nat(p, "step")?;
        }
        View::Pad => {
            set_nat(p, "low")?;
            p.punct(",")?;
            set_nat(p, "high")?;
            let mode = p.one_of(PADS)?;
            let word = p.cx().str_attr(PADS[mode]);
            p.set_attr("mode", word);
            if mode == 0 {
                padding = Some(value(p)?);
            }
        }
        View::Slice => {
            set_nat(p, "offset")?;
            p.punct(",")?;
            set_nat(p, "size")?;
        }
        View::Reorder => {
            if p.keyword_opt("by") {
                set_nat(p, "index")?;
                p.keyword("inverse")?;
                set_nat(p, "inverse")?;
            } else {
                p.keyword("strided")?;
                set_nat(p, "stride")?;
            }
        }
        View::Get => set_nat(p, "component")?,
        View::AsVector => set_nat(p, "lanes")?,
        View::Place => {
            let space = match spelled {
                Some(space) => names::space(p.cx(), space),
                None => p.attr()?,
            };
            p.set_attr("space", space);
            if p.keyword_opt("by") {
                let mut all = Vec::new();
                p.list(Delim::Paren, |p| {
                    let level = level_attr(p)?;
                    let lanes = if level.as_str(p.cx()) == Some("vector") { p.int_opt()? } else { None };
                    all.push(lanes.map_or(level, |lanes| p.cx().str_attr(&format!("vector {lanes}"))));
                    Ok(())
                })?;
                let all = p.cx().array_attr(&all);
                p.set_attr("by", all);
            }
        }
        _ => {}
    }
    values.push(value(p)?);
    values.extend(padding);
    match view {
        View::Gather if p.keyword_opt("by") => {
            set_nat(p, "index")?;
            p.keyword("size")?;
            set_nat(p, "size")?;
        }
        View::Gather | View::Scatter => {
            p.keyword("at")?;
            values.push(value(p)?);
            if view == View::Scatter {
                p.keyword("into")?;
                values.push(value(p)?);
            }
        }
        View::Zip | View::Tuple | View::Concat => {
            while p.punct_opt(",") {
                values.push(value(p)?);
            }
        }
        View::At => {
            p.punct("[")?;
            values.push(value(p)?);
            p.punct("]")?;
        }
        _ => {}
    }
    let to = if view == View::Cast {
        p.keyword("to")?;
        Some(p.ty()?)
    } else {
        None
    };
    p.attr_dict()?;
    let types: Vec<Type> = values.iter().map(|(_, ty)| *ty).collect();
    let found = shape::of(p.cx(), view, &types, &|name| p.get_attr(name));
    let results = match (found, to) {
        (_, Some(to)) => vec![to],
        (Ok(shape), None) => shape.results,
        (Err(why), None) => return Err(refuse(p, &values[0].0, &why)),
    };
    for (value, ty) in &values {
        p.resolve(value, *ty)?;
    }
    p.add_results(&results);
    Ok(())
}

pub(crate) fn print(p: &mut OpPrinter<'_>, view: View) {
    let (ir, op) = (p.ir(), p.op());
    let cx = ir.cx();
    let operands: Vec<Value> = ir.operands(op).collect();
    let word = |name: &str| ir.attr(op, name).and_then(|attr| attr.as_str(cx)).unwrap_or("");
    match view {
        View::Split => print_nat(p, "size"),
        View::Slide => {
            p.text(if ir.attr(op, "strict").is_some() { " strict" } else { "" });
            print_nat(p, "size");
            p.text(" by");
            print_nat(p, "step");
        }
        View::Pad => {
            print_nat(p, "low");
            p.text(",");
            print_nat(p, "high");
            p.text(" ");
            p.text(word("mode"));
            if let Some(padding) = operands.get(1) {
                p.text(" ");
                print_value(p, *padding);
            }
        }
        View::Slice => {
            print_nat(p, "offset");
            p.text(",");
            print_nat(p, "size");
        }
        View::Reorder => {
            if ir.attr(op, "stride").is_some() {
                p.text(" strided");
                print_nat(p, "stride");
            } else {
                p.text(" by");
                print_nat(p, "index");
                p.text(" inverse");
                print_nat(p, "inverse");
            }
        }
        View::Get => print_nat(p, "component"),
        View::AsVector => print_nat(p, "lanes"),
        View::Place => {
            if let Some(space) = ir.attr(op, "space") {
                p.text(" ");
                p.attr(space);
            }
            let levels = ir.attr(op, "by").and_then(|attr| attr.as_array(cx)).unwrap_or(&[]);
            for (n, level) in levels.iter().enumerate() {
                p.text(if n == 0 { " by (" } else { ", " });
                match level.as_str(cx) {
                    Some(word) => p.text(word),
                    None => p.attr(*level),
                }
            }
            p.text(if levels.is_empty() { "" } else { ")" });
        }
        _ => {}
    }
    p.text(" ");
    match (view, operands.as_slice()) {
        (View::Gather, [x, at]) => {
            print_value(p, *x);
            p.text(" at ");
            print_value(p, *at);
        }
        (View::Gather, [x]) => {
            print_value(p, *x);
            p.text(" by");
            print_nat(p, "index");
            p.text(" size");
            print_nat(p, "size");
        }
        (View::Scatter, [x, at, into]) => {
            print_value(p, *x);
            p.text(" at ");
            print_value(p, *at);
            p.text(" into ");
            print_value(p, *into);
        }
        (View::At, [x, at]) => {
            print_value(p, *x);
            p.text("[");
            print_value(p, *at);
            p.text("]");
        }
        (View::Pad, [x, ..]) => print_value(p, *x),
        (_, all) => print_values(p, all),
    }
    if view == View::Cast {
        p.text(" to ");
        p.ty(ir.ty(ir.result(op, 0)));
    }
    p.attr_dict(&[
        "size",
        "step",
        "strict",
        "low",
        "high",
        "mode",
        "offset",
        "stride",
        "component",
        "lanes",
        "space",
        "by",
        "index",
        "inverse",
    ]);
}
