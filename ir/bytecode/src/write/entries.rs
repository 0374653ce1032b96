//! Attributes and types as bytes.

use super::builtin;
use super::tables::{Numbered, Tables};
use crate::emitter::Emitter;
use terrace_ir::show::{attr_text, type_text};
use terrace_ir::{Attr, AttrKind, Type, TypeKind};

/// Where each attribute and type is, and what they are; more get numbers on the way
pub fn write(tables: &mut Tables<'_>) -> (Emitter, Emitter) {
    // Types name attributes and the other way round, and those come first.
    let (mut attrs, mut types) = (Vec::new(), Vec::new());
    loop {
        if let Some(next) = tables.numbered_attr(attrs.len()) {
            attrs.push(match next {
                Numbered::Handle(raw) => {
                    Attr::from_raw(raw).map_or_else(Encoded::default, |attr| of_attr(tables, attr))
                }
                Numbered::Place { file, line, col } => of_place(tables, file, line, col),
            });
        } else if let Some(next) = tables.numbered_type(types.len()) {
            let ty = if let Numbered::Handle(raw) = next { Type::from_raw(raw) } else { None };
            types.push(ty.map_or_else(Encoded::default, |ty| of_type(tables, ty)));
        } else {
            break;
        }
    }
    let (mut places, mut content) = (Emitter::default(), Emitter::default());
    places.number(attrs.len() as u64);
    places.number(types.len() as u64);
    for entries in [&attrs, &types] {
        for group in entries.chunk_by(|a, b| a.dialect == b.dialect) {
            places.number(group[0].dialect);
            places.number(group.len() as u64);
            for entry in group {
                places.flagged(entry.bytes.len() as u64, entry.own);
                content.bytes.extend_from_slice(&entry.bytes);
            }
        }
    }
    (places, content)
}

/// An attribute or type as bytes
#[derive(Default)]
struct Encoded {
    dialect: u64,
    /// In the dialect's own encoding, not as text
    own: bool,
    bytes: Vec<u8>,
}

fn of_attr(tables: &mut Tables<'_>, attr: Attr) -> Encoded {
    let cx = tables.cx;
    let dialect = match cx.attr_kind(attr) {
        AttrKind::Enum { def, .. } => dialect_of(def.name),
        AttrKind::Dialect { def, .. } => dialect_of(def.name),
        AttrKind::Opaque { dialect, .. } => cx.str(*dialect),
        _ => "builtin",
    };
    let own = |tables: &mut Tables<'_>, out: &mut Emitter| builtin::attr(tables, attr, out);
    encoded(tables, dialect, own, || attr_text(cx, attr))
}

fn of_place(tables: &mut Tables<'_>, file: u64, line: u32, col: u32) -> Encoded {
    let own = |_: &mut Tables<'_>, out: &mut Emitter| {
        builtin::place(file, line, col, out);
        true
    };
    encoded(tables, "builtin", own, String::new)
}

fn of_type(tables: &mut Tables<'_>, ty: Type) -> Encoded {
    let cx = tables.cx;
    let dialect = match cx.type_kind(ty) {
        TypeKind::Dialect { def, .. } => dialect_of(def.name),
        TypeKind::Opaque { dialect, .. } => cx.str(*dialect),
        _ => "builtin",
    };
    let own = |tables: &mut Tables<'_>, out: &mut Emitter| builtin::ty(tables, ty, out);
    encoded(tables, dialect, own, || type_text(cx, ty))
}

/// In the dialect's own encoding, or as text if it has none
fn encoded<'a>(
    tables: &mut Tables<'a>,
    dialect: &str,
    own: impl FnOnce(&mut Tables<'a>, &mut Emitter) -> bool,
    text: impl FnOnce() -> String,
) -> Encoded {
    let dialect = tables.dialect(dialect);
    let mut out = Emitter::default();
    let own = own(tables, &mut out);
    if !own {
        out.bytes.clear();
        out.text(&text());
    }
    Encoded { dialect, own, bytes: out.bytes }
}

/// Dialect of a definition's name
fn dialect_of(name: &'static str) -> &'static str {
    name.split_once('.').map_or("builtin", |(dialect, _)| dialect)
}
