//! Syntax of the sparse ops: one table for each, read and printed by two functions.

use super::{DnTensorHandle, SpGemmHandle, SpMatHandle, TransposeMode, not_transposed};
use crate::asm::{add_token, async_dependencies, print_async};
use crate::attrs::AsyncToken;
use terrace_diag::Reported;
use terrace_ir::{Attr, AttrForm, Context, EnumDef, OpId, Type, Value};
use terrace_text::{OpParser, OpPrinter, Unresolved};

/// What an operand or result is
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Index,
    Matrix,
    Tensor,
    Descriptor,
    /// A memref, whose type is in the text
    Memory,
    /// Any number of indices, whose types are in the text
    Sizes,
    /// Any number of memrefs, whose types are in the text
    Buffers,
}

/// What follows the operands and attributes
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    None,
    /// Types of the memory
    Types,
    /// Types of the sizes `into` that of the memory
    Dn,
    /// `into f64`
    Into,
    /// Types of the memory `into f64`
    TypesInto,
    /// Types of the results `into f64`
    ResultsInto,
    /// `: f64`
    Compute,
    /// `: f64 into` types of the memory
    ComputeIntoTypes,
}

/// Syntax of one op
pub(super) struct Format {
    /// Operands in the order of the text: field (without the dependencies), kind, attribute of a mode in braces
    pub operands: &'static [(usize, Kind, Option<&'static str>)],
    /// An attribute in braces before the operands
    pub flag: Option<(&'static str, &'static EnumDef)>,
    pub results: &'static [Kind],
    pub tail: Tail,
}

fn fixed(cx: &Context, kind: Kind) -> Option<Type> {
    match kind {
        Kind::Index => Some(cx.common().index),
        Kind::Matrix => Some(SpMatHandle::get(cx)),
        Kind::Tensor => Some(DnTensorHandle::get(cx)),
        Kind::Descriptor => Some(SpGemmHandle::get(cx)),
        Kind::Memory | Kind::Sizes | Kind::Buffers => None,
    }
}

pub(super) fn parse(p: &mut OpParser<'_, '_>, format: &Format) -> Result<(), Reported> {
    let cx = p.cx();
    let token = async_dependencies(p)?;
    p.segment();
    if let Some((name, def)) = format.flag {
        p.punct("{")?;
        let value = p.attr_in_form(AttrForm::Enum(def))?;
        p.punct("}")?;
        p.set_attr(name, value);
    }
    let mut fields: Vec<(usize, Kind, Vec<Unresolved>)> = Vec::new();
    for (n, &(field, kind, mode)) in format.operands.iter().enumerate() {
        if n > 0 {
            p.punct(",")?;
        }
        let mut values = vec![p.operand()?];
        while matches!(kind, Kind::Sizes | Kind::Buffers) && p.punct_opt(",") {
            values.push(p.operand()?);
        }
        if let Some(mode) = mode {
            let mut value = not_transposed(cx);
            if p.punct_opt("{") {
                value = p.attr_in_form(AttrForm::Enum(TransposeMode::DEF))?;
                p.punct("}")?;
            }
            p.set_attr(mode, value);
        }
        fields.push((field, kind, values));
    }
    p.attr_dict()?;
    let (mut types, mut sizes, mut compute) = (Vec::new(), Vec::new(), None);
    match format.tail {
        Tail::None => {}
        Tail::Types => types = p.colon_types()?,
        Tail::Dn => {
            sizes = p.colon_types()?;
            p.keyword("into")?;
            types = vec![p.ty()?];
        }
        Tail::Into | Tail::TypesInto | Tail::ResultsInto => {
            match format.tail {
                Tail::TypesInto => types = p.colon_types()?,
                Tail::ResultsInto => sizes = p.colon_types()?,
                _ => {}
            }
            p.keyword("into")?;
            compute = Some(p.ty()?);
        }
        Tail::Compute => compute = Some(p.colon_type()?),
        Tail::ComputeIntoTypes => {
            compute = Some(p.colon_type()?);
            p.keyword("into")?;
            types = vec![p.ty()?];
        }
    }
    if let Some(compute) = compute {
        p.set_attr("computeType", cx.type_attr(compute));
    }
    fields.sort_by_key(|(field, ..)| *field);
    let mut types = types.into_iter();
    for (_, kind, values) in &fields {
        if *kind == Kind::Sizes {
            p.resolve_all(values, &sizes)?;
        } else {
            for value in values {
                match fixed(cx, *kind).or_else(|| types.next()) {
                    Some(ty) => p.resolve(value, ty)?,
                    None => return Err(p.error("expected a type for each buffer")),
                }
            }
        }
        p.segment();
    }
    if types.next().is_some() {
        return Err(p.error("expected a type for each buffer"));
    }
    for &kind in format.results {
        match fixed(cx, kind) {
            Some(ty) => p.add_result(ty),
            None => p.add_results(&sizes),
        }
        p.result_segment();
    }
    add_token(p, token);
    p.result_segment();
    Ok(())
}

fn print_flag(p: &mut OpPrinter<'_>, attr: Option<Attr>, def: &'static EnumDef) {
    let name = attr.and_then(|attr| attr.as_enum(p.cx(), def)).and_then(|value| def.name_of(value));
    p.text("{");
    p.text(name.unwrap_or(""));
    p.text("}");
}

pub(super) fn print(p: &mut OpPrinter<'_>, op: OpId, format: &Format) {
    let (ir, cx) = (p.ir(), p.cx());
    // The token is the last result field; what comes before is fixed but for one op, which counts its results.
    let token = ir.results(op).last().is_some_and(|value| AsyncToken::cast(cx, ir.ty(value)).is_some());
    print_async(p, token, ir.operand_field(op, 0));
    let mut elide = vec!["computeType", "modeA", "modeB"];
    let more = format.flag.is_some() || !format.operands.is_empty();
    if more && (!ir.operand_field(op, 0).is_empty() || token) {
        p.text(" ");
    }
    if let Some((name, def)) = format.flag {
        print_flag(p, ir.attr(op, name), def);
        p.text(" ");
        elide.push(name);
    }
    let mut memory: Vec<Value> = Vec::new();
    let mut sizes: Vec<Value> = Vec::new();
    for (n, &(field, kind, mode)) in format.operands.iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        let values = ir.operand_field(op, field + 1);
        p.operands(values.iter().copied());
        match kind {
            Kind::Memory | Kind::Buffers => memory.extend(values),
            Kind::Sizes => sizes.extend(values),
            _ => {}
        }
        let attr = mode.and_then(|mode| ir.attr(op, mode));
        if attr.is_some_and(|attr| attr != not_transposed(cx)) {
            print_flag(p, attr, TransposeMode::DEF);
        }
    }
    p.attr_dict(&elide);
    let types = |p: &mut OpPrinter<'_>, values: &[Value]| p.types(values.iter().map(|value| ir.ty(*value)));
    let compute = |p: &mut OpPrinter<'_>| {
        if let Some(ty) = ir.attr(op, "computeType").and_then(|attr| attr.as_type(cx)) {
            p.ty(ty);
        }
    };
    match format.tail {
        Tail::None => {}
        Tail::Types => {
            p.text(" : ");
            types(p, &memory);
        }
        Tail::Dn => {
            p.text(" : ");
            types(p, &sizes);
            p.text(" into ");
            types(p, &memory);
        }
        Tail::Into | Tail::TypesInto | Tail::ResultsInto => {
            if format.tail == Tail::TypesInto {
                p.text(" : ");
                types(p, &memory);
            }
            if format.tail == Tail::ResultsInto {
                p.text(" : ");
                let results: Vec<Value> = ir.results(op).collect();
                types(p, &results[..results.len() - usize::from(token)]);
            }
            p.text(" into ");
            compute(p);
        }
        Tail::Compute => {
            p.text(" : ");
            compute(p);
        }
        Tail::ComputeIntoTypes => {
            p.text(" : ");
            compute(p);
            p.text(" into ");
            types(p, &memory);
        }
    }
}
