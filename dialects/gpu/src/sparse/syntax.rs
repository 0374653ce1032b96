//! Syntax of the sparse ops: one table for each, read and printed by two functions.

use super::{DnTensorHandle, SpGemmHandle, SpMatHandle, TransposeMode, not_transposed};
use crate::asm::{add_token, async_dependencies, print_async};
use crate::attrs::AsyncToken;
use terrace_diag::{Reported, Span};
use terrace_ir::{Attr, AttrForm, Context, EnumDef, OpId, Type, Value};
use terrace_text::{OpParser, OpPrinter, Unresolved};

/// What an operand or result is
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgKind {
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
    pub operands: &'static [(usize, ArgKind, Option<&'static str>)],
    /// An attribute in braces before the operands
    pub flag: Option<(&'static str, &'static EnumDef)>,
    pub results: &'static [ArgKind],
    pub tail: Tail,
}

fn fixed(cx: &Context, kind: ArgKind) -> Option<Type> {
    match kind {
        ArgKind::Index => Some(cx.common().index),
        ArgKind::Matrix => Some(SpMatHandle::get(cx)),
        ArgKind::Tensor => Some(DnTensorHandle::get(cx)),
        ArgKind::Descriptor => Some(SpGemmHandle::get(cx)),
        ArgKind::Memory | ArgKind::Sizes | ArgKind::Buffers => None,
    }
}

pub(super) fn parse(p: &mut OpParser<'_, '_>, format: &Format) -> Result<(), Reported> {
    let token = async_dependencies(p)?;
    p.segment();
    if let Some((name, def)) = format.flag {
        let value = parse_flag(p, def)?;
        p.set_attr(name, value);
    }
    let fields = parse_fields(p, format)?;
    p.attr_dict()?;
    let at = p.here();
    let types = TailTypes::parse(p, format.tail)?;
    resolve(p, fields, &types, at)?;
    let cx = p.cx();
    for &kind in format.results {
        match fixed(cx, kind) {
            Some(ty) => p.add_result(ty),
            None => p.add_results(&types.many),
        }
        p.result_segment();
    }
    add_token(p, token);
    p.result_segment();
    Ok(())
}

/// Operands of one field, as the text has them
struct Field {
    /// Number of the field, without the dependencies
    number: usize,
    kind: ArgKind,
    values: Vec<Unresolved>,
}

/// `{WORD}`
fn parse_flag(p: &mut OpParser<'_, '_>, def: &'static EnumDef) -> Result<Attr, Reported> {
    p.punct("{")?;
    let value = p.attr_in_form(AttrForm::Enum(def))?;
    p.punct("}")?;
    Ok(value)
}

/// The operands with the attributes of their modes, in the order of the text
fn parse_fields(p: &mut OpParser<'_, '_>, format: &Format) -> Result<Vec<Field>, Reported> {
    let mut fields = Vec::new();
    for (n, &(number, kind, mode)) in format.operands.iter().enumerate() {
        if n > 0 {
            p.punct(",")?;
        }
        let mut values = vec![p.operand()?];
        while matches!(kind, ArgKind::Sizes | ArgKind::Buffers) && p.punct_opt(",") {
            values.push(p.operand()?);
        }
        if let Some(mode) = mode {
            let value = match p.at_punct("{") {
                true => parse_flag(p, TransposeMode::DEF)?,
                false => not_transposed(p.cx()),
            };
            p.set_attr(mode, value);
        }
        fields.push(Field { number, kind, values });
    }
    Ok(fields)
}

/// The types that follow the operands
#[derive(Default)]
struct TailTypes {
    /// Of memory, in the order of the operands
    memory: Vec<Type>,
    /// Of the sizes, or of the results
    many: Vec<Type>,
}

impl TailTypes {
    /// Read a tail; the type that the op computes with becomes an attribute
    fn parse(p: &mut OpParser<'_, '_>, tail: Tail) -> Result<TailTypes, Reported> {
        let mut types = TailTypes::default();
        match tail {
            Tail::Types | Tail::TypesInto => types.memory = p.colon_types()?,
            Tail::Dn | Tail::ResultsInto => types.many = p.colon_types()?,
            Tail::Compute | Tail::ComputeIntoTypes => {
                let ty = p.colon_type()?;
                set_compute_type(p, ty);
            }
            Tail::None | Tail::Into => {}
        }
        match tail {
            Tail::Dn | Tail::ComputeIntoTypes => {
                p.keyword("into")?;
                types.memory = vec![p.ty()?];
            }
            Tail::Into | Tail::TypesInto | Tail::ResultsInto => {
                p.keyword("into")?;
                let ty = p.ty()?;
                set_compute_type(p, ty);
            }
            Tail::None | Tail::Types | Tail::Compute => {}
        }
        Ok(types)
    }
}

fn set_compute_type(p: &mut OpParser<'_, '_>, ty: Type) {
    let ty = p.cx().type_attr(ty);
    p.set_attr("computeType", ty);
}

/// Resolve operands in the order of the op's fields, as their kinds and the tail that begins there give their types
fn resolve(
    p: &mut OpParser<'_, '_>,
    mut fields: Vec<Field>,
    types: &TailTypes,
    tail: Span,
) -> Result<(), Reported> {
    fields.sort_by_key(|field| field.number);
    let mut memory = types.memory.iter().copied();
    for Field { kind, values, .. } in &fields {
        if *kind == ArgKind::Sizes {
            p.resolve_all(values, &types.many)?;
        } else {
            for value in values {
                match fixed(p.cx(), *kind).or_else(|| memory.next()) {
                    Some(ty) => p.resolve(value, ty)?,
                    None => return Err(p.error_at(value, "expected a type for each buffer")),
                }
            }
        }
        p.segment();
    }
    match memory.next() {
        Some(_) => Err(p.error_in(tail, "expected a type for each buffer")),
        None => Ok(()),
    }
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
            ArgKind::Memory | ArgKind::Buffers => memory.extend(values),
            ArgKind::Sizes => sizes.extend(values),
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
