//! Values as text: `7`, `true`, `1.5`, `0x7FC00000`, `poison`, `[1, 2]`.

use crate::value::RtValue;
use terrace_ir::interface::Interface;
use terrace_ir::make::wrap_int;
use terrace_ir::show::{float_text, parse_float};
use terrace_ir::{Attr, Context, Type, TypeKind};

/// Interface of a dialect's type: its values are lists of any length, nested where the element's are
pub struct ListType {
    /// Type of the elements, from the parameters
    pub element: fn(&Context, &[Attr]) -> Option<Type>,
}

/// Interface of a dialect's type whose values are its own: how one is read, as its `Display` writes it
pub struct OwnType {
    /// Read a value of the type with these parameters
    pub parse: fn(&Context, &[Attr], &str) -> Option<RtValue>,
}

/// `interfaces(terrace_interp::ReadValue)` of a type: how a value of it is read in tests and on command lines
pub trait ReadValue {
    /// Read a value of the type with these parameters
    fn read(cx: &Context, params: &[Attr], text: &str) -> Option<RtValue>;
    /// Entry for the type's definition
    const ENTRY: Interface = Interface::new(const { &OwnType { parse: Self::read } });
}

/// Text of a value; memory and functions by what they are, not by their contents
pub fn value_text(value: &RtValue) -> String {
    match value {
        RtValue::Int { bits, width: 1 } => if *bits == 1 { "true" } else { "false" }.into(),
        RtValue::Int { bits, width } => wrap_int(*bits as i128, *width, false).to_string(),
        RtValue::Float { bits, kind } => float_text(*bits, *kind),
        RtValue::Vector(all) => {
            format!("[{}]", all.iter().map(value_text).collect::<Vec<_>>().join(", "))
        }
        RtValue::MemRef(_) => "memref".into(),
        RtValue::Function(name) => format!("@{name}"),
        RtValue::Own(own) => own.to_string(),
        RtValue::Poison => "poison".into(),
    }
}

/// Text of results: one value alone, several in parentheses
pub fn results_text(values: &[RtValue]) -> String {
    match values {
        [value] => value_text(value),
        _ => format!("({})", values.iter().map(value_text).collect::<Vec<_>>().join(", ")),
    }
}

/// Cut at the commas outside of brackets; nothing for blanks
pub fn split(text: &str) -> Vec<&str> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let (mut depth, mut start, mut parts) = (0i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// Read a value of a type; elements of a vector in one list whatever its rank, tuples as lists
pub fn parse_value(cx: &Context, text: &str, ty: Type) -> Option<RtValue> {
    let text = text.trim();
    if text == "poison" {
        return Some(RtValue::Poison);
    }
    match ty.kind(cx) {
        TypeKind::Int { width, .. } if *width <= 128 => parse_int(text, *width),
        TypeKind::Index => parse_int(text, 64),
        TypeKind::Float(kind) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let bits = match digits.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16).ok()?,
                None => parse_float(digits, *kind)?,
            };
            let sign = if digits.len() < text.len() { 1u64 << (kind.width() - 1) } else { 0 };
            Some(RtValue::float(bits ^ sign, *kind))
        }
        TypeKind::Vector { .. } | TypeKind::Tensor { .. } => {
            let inner = text.strip_prefix('[')?.strip_suffix(']')?;
            let elem = ty.scalar(cx);
            let all: Vec<RtValue> =
                split(inner).into_iter().map(|part| parse_value(cx, part, elem)).collect::<Option<_>>()?;
            (i64::try_from(all.len()).ok() == ty.num_elements(cx)).then(|| RtValue::Vector(all.into()))
        }
        TypeKind::Tuple(types) => {
            let parts = split(text.strip_prefix('[')?.strip_suffix(']')?);
            let all = parts.iter().zip(types).map(|(part, ty)| parse_value(cx, part, *ty));
            let all: Vec<RtValue> = all.collect::<Option<_>>()?;
            (parts.len() == types.len()).then(|| RtValue::Vector(all.into()))
        }
        TypeKind::Dialect { def, params } => {
            if let Some(own) = def.interfaces.iter().find_map(|entry| entry.get::<OwnType>()) {
                return (own.parse)(cx, params, text);
            }
            let list = def.interfaces.iter().find_map(|entry| entry.get::<ListType>())?;
            let elem = (list.element)(cx, params)?;
            let parts = split(text.strip_prefix('[')?.strip_suffix(']')?);
            let all: Vec<RtValue> =
                parts.into_iter().map(|part| parse_value(cx, part, elem)).collect::<Option<_>>()?;
            Some(RtValue::Vector(all.into()))
        }
        _ => None,
    }
}

fn parse_int(text: &str, width: u32) -> Option<RtValue> {
    let value: i128 = match text {
        "true" => 1,
        "false" => 0,
        _ => text.parse().ok()?,
    };
    let fits = width == 128 || value >= -(1i128 << (width - 1)) && (width == 127 || value < 1i128 << width);
    fits.then(|| RtValue::int(value, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_from_their_text() {
        let cx = Context::new(&[]);
        let common = cx.common();
        let vector = cx.vector(&[2], common.i8);
        for (text, ty) in
            [("-7", common.i8), ("true", common.i1), ("poison", common.i32), ("[1, poison]", vector)]
        {
            let value = parse_value(&cx, text, ty).expect("well formed");
            assert_eq!(value_text(&value), text);
        }
        assert!(parse_value(&cx, "256", common.i8).is_none());
        assert!(parse_value(&cx, "[1]", vector).is_none());
        assert_eq!(parse_value(&cx, "-1.5", common.f32), Some(RtValue::f32(-1.5)));
    }
}
