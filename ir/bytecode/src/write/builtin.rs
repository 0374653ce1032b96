//! Attributes and types of the builtin dialect.

use super::tables::Tables;
use crate::emitter::Emitter;
use crate::numbers::{attr as kind, ty as type_kind};
use terrace_ir::attrs::{DenseData, LocKind};
use terrace_ir::make::elem_bytes;
use terrace_ir::types::{FloatKind, Sign};
use terrace_ir::{Attr, AttrKind, Context, Str, Type, TypeKind};
use terrace_support::affine::AffineMap;

/// Write an attribute; false if the builtin dialect has no encoding of it
pub fn attr(tables: &mut Tables<'_>, attr: Attr, out: &mut Emitter) -> bool {
    let cx = tables.cx;
    match cx.attr_kind(attr) {
        AttrKind::Unit => out.number(kind::UNIT),
        AttrKind::Array(items) => {
            out.number(kind::ARRAY);
            list(out, items, |out, item| out.number(tables.attr(*item)));
        }
        AttrKind::Dict(entries) => {
            out.number(kind::DICT);
            list(out, entries, |out, (name, value)| {
                name_attr(tables, *name, out);
                out.number(tables.attr(*value));
            });
        }
        AttrKind::Str { text, ty } => {
            out.number(if ty.is_some() { kind::TYPED_STR } else { kind::STR });
            out.number(tables.string(cx.str(*text)));
            if let Some(ty) = ty {
                out.number(tables.ty(*ty));
            }
        }
        AttrKind::Symbol { root, nested } => symbol(tables, *root, nested, out),
        AttrKind::Type(ty) => {
            out.number(kind::TYPE);
            out.number(tables.ty(*ty));
        }
        AttrKind::Int { ty, .. } | AttrKind::Wide { ty, .. } => {
            out.number(kind::INT);
            out.number(tables.ty(*ty));
            match cx.attr_kind(attr) {
                AttrKind::Wide { limbs, .. } => words(limbs, ty.bit_width(cx).unwrap_or(64), out),
                _ => integer(cx, attr.as_int(cx).map_or(0, |(value, _)| value), *ty, out),
            }
        }
        AttrKind::Float { bits, ty } => {
            let width = ty.bit_width(cx).unwrap_or(64);
            if width > 64 {
                return false;
            }
            out.number(kind::FLOAT);
            out.number(tables.ty(*ty));
            if width <= 8 { out.byte(*bits as u8) } else { out.signed(bits.cast_signed()) }
        }
        AttrKind::DenseArray { elem, values } => dense_array(tables, *elem, values, out),
        AttrKind::Dense { ty, data } => dense(tables, *ty, data, out),
        AttrKind::Sparse { ty, indices, values } => {
            out.number(kind::SPARSE);
            out.number(tables.ty(*ty));
            out.number(tables.attr(*indices));
            out.number(tables.attr(*values));
        }
        AttrKind::Resource { ty, key } => {
            out.number(kind::RESOURCE);
            out.number(tables.ty(*ty));
            out.number(tables.resource(cx.str(*key)));
        }
        AttrKind::Distinct { inner, .. } => {
            out.number(kind::DISTINCT);
            out.number(tables.attr(*inner));
        }
        AttrKind::Loc(location) => loc(tables, location, out),
        AttrKind::AffineMap(_)
        | AttrKind::IntegerSet(_)
        | AttrKind::Strided { .. }
        | AttrKind::Enum { .. }
        | AttrKind::Dialect { .. }
        | AttrKind::Opaque { .. } => return false,
    }
    true
}

/// A symbol: its root, and names below it as symbols
fn symbol(tables: &mut Tables<'_>, root: Str, nested: &[Str], out: &mut Emitter) {
    out.number(if nested.is_empty() { kind::FLAT_SYMBOL } else { kind::SYMBOL });
    name_attr(tables, root, out);
    if !nested.is_empty() {
        list(out, nested, |out, name| {
            let leaf = tables.cx.attr(AttrKind::Symbol { root: *name, nested: Box::default() });
            out.number(tables.attr(leaf));
        });
    }
}

/// A list: its length, and each element
fn list<T>(out: &mut Emitter, items: &[T], mut each: impl FnMut(&mut Emitter, &T)) {
    out.number(items.len() as u64);
    items.iter().for_each(|item| each(out, item));
}

/// A name as the number of a string attribute
fn name_attr(tables: &mut Tables<'_>, name: Str, out: &mut Emitter) {
    let name = tables.cx.attr(AttrKind::Str { text: name, ty: None });
    out.number(tables.attr(name));
}

fn integer(cx: &Context, value: i128, ty: Type, out: &mut Emitter) {
    let width = ty.bit_width(cx).unwrap_or(64);
    // Bits beyond the width are zero, whatever the sign.
    let bits = value.cast_unsigned() & (u128::MAX >> (128 - width.clamp(1, 128)));
    if width <= 8 {
        out.byte(bits as u8);
    } else if width <= 64 {
        out.signed((bits as u64).cast_signed());
    } else {
        let rest = if value < 0 { u64::MAX } else { 0 };
        let mut limbs = vec![rest; width.div_ceil(64) as usize];
        (limbs[0], limbs[1]) = (bits as u64, (bits >> 64) as u64);
        words(&limbs, width, out);
    }
}

/// Words up to the last one that is not zero
fn words(limbs: &[u64], width: u32, out: &mut Emitter) {
    let mut limbs = limbs.to_vec();
    limbs.truncate(width.div_ceil(64) as usize);
    if let Some(last) = limbs.last_mut().filter(|_| !width.is_multiple_of(64)) {
        *last &= (1 << (width % 64)) - 1;
    }
    let active = limbs.iter().rposition(|word| *word != 0).map_or(1, |last| last + 1);
    list(out, &limbs[..active], |out, word| out.signed(word.cast_signed()));
}

fn dense_array(tables: &mut Tables<'_>, elem: Type, values: &[i64], out: &mut Emitter) {
    let one = elem_bytes(tables.cx, elem).min(8);
    out.number(kind::DENSE_ARRAY);
    out.number(tables.ty(elem));
    out.number(values.len() as u64);
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(one)).collect();
    out.blob(&bytes);
}

fn dense(tables: &mut Tables<'_>, ty: Type, data: &DenseData, out: &mut Emitter) {
    let truth = ty.scalar(tables.cx) == tables.cx.common().i1;
    out.number(if matches!(data, DenseData::Strs(_)) { kind::DENSE_STRS } else { kind::DENSE });
    out.number(tables.ty(ty));
    match data {
        DenseData::Strs(strings) => {
            let splat = strings.len() == 1;
            out.number(u64::from(splat));
            strings.iter().for_each(|string| out.number(tables.string(tables.cx.str(*string))));
        }
        DenseData::Splat(one) if truth => out.blob(&[if one.first() == Some(&0) { 0 } else { 0xff }]),
        DenseData::Raw(raw) if truth => {
            let pack = |bits: &[u8]| {
                bits.iter().enumerate().fold(0, |byte, (n, bit)| byte | u8::from(*bit != 0) << n)
            };
            let packed: Vec<u8> = raw.chunks(8).map(pack).collect();
            out.blob(&packed);
        }
        DenseData::Splat(bytes) | DenseData::Raw(bytes) => out.blob(bytes),
    }
}

/// Write a place in a file, whose name is the attribute of this number
pub fn place(file: u64, line: u32, col: u32, out: &mut Emitter) {
    out.number(kind::FILE);
    out.number(file);
    out.number(line.into());
    out.number(col.into());
}

fn loc(tables: &mut Tables<'_>, location: &LocKind, out: &mut Emitter) {
    let cx = tables.cx;
    match location {
        LocKind::Unknown => out.number(kind::UNKNOWN),
        LocKind::File { file, line, col, end_line: 0, end_col: 0 } => {
            let file = tables.attr(cx.attr(AttrKind::Str { text: *file, ty: None }));
            place(file, *line, *col, out);
        }
        LocKind::File { file, line, col, end_line, end_col } => {
            out.number(kind::FILE_RANGE);
            name_attr(tables, *file, out);
            let places = if end_line == line {
                vec![*line, *col, *end_col]
            } else {
                vec![*line, *col, *end_line, *end_col]
            };
            list(out, &places, |out, number| out.number((*number).into()));
        }
        LocKind::Name { name, child } => {
            out.number(kind::NAME);
            name_attr(tables, *name, out);
            let child = child.unwrap_or_else(|| cx.attr(AttrKind::Loc(LocKind::Unknown)));
            out.number(tables.attr(child));
        }
        LocKind::CallSite { callee, caller } => {
            out.number(kind::CALL_SITE);
            [callee, caller].into_iter().for_each(|loc| out.number(tables.attr(*loc)));
        }
        LocKind::Fused { metadata, locs } => {
            out.number(if metadata.is_some() { kind::FUSED_WITH_METADATA } else { kind::FUSED });
            list(out, locs, |out, loc| out.number(tables.attr(*loc)));
            if let Some(metadata) = metadata {
                out.number(tables.attr(*metadata));
            }
        }
    }
}

/// Write a type; false if the builtin dialect has no encoding of it
pub fn ty(tables: &mut Tables<'_>, ty: Type, out: &mut Emitter) -> bool {
    let cx = tables.cx;
    match cx.type_kind(ty) {
        TypeKind::Int { width, sign } => {
            let sign = match sign {
                Sign::Signless => 0,
                Sign::Signed => 1,
                Sign::Unsigned => 2,
            };
            out.number(type_kind::INT);
            out.number(u64::from(*width) << 2 | sign);
        }
        TypeKind::Index => out.number(type_kind::INDEX),
        TypeKind::Float(format) => out.number(match format {
            FloatKind::BF16 => type_kind::BF16,
            FloatKind::F16 => type_kind::F16,
            FloatKind::F32 => type_kind::F32,
            FloatKind::F64 => type_kind::F64,
            FloatKind::F80 => type_kind::F80,
            FloatKind::F128 => type_kind::F128,
            _ => return false,
        }),
        TypeKind::None => out.number(type_kind::NONE),
        TypeKind::Function { inputs, results } => {
            out.number(type_kind::FUNCTION);
            list(out, inputs, |out, ty| out.number(tables.ty(*ty)));
            list(out, results, |out, ty| out.number(tables.ty(*ty)));
        }
        TypeKind::Tuple(types) => {
            out.number(type_kind::TUPLE);
            list(out, types, |out, ty| out.number(tables.ty(*ty)));
        }
        TypeKind::Complex(part) => {
            out.number(type_kind::COMPLEX);
            out.number(tables.ty(*part));
        }
        TypeKind::Dialect { .. } | TypeKind::Opaque { .. } => return false,
        shaped => with_shape(tables, shaped, out),
    }
    true
}

fn with_shape(tables: &mut Tables<'_>, kind: &TypeKind, out: &mut Emitter) {
    let cx = tables.cx;
    let sizes = |out: &mut Emitter, shape: &[i64]| list(out, shape, |out, size| out.signed(*size));
    match kind {
        TypeKind::Vector { shape, scalable, elem } => {
            out.number(if *scalable == 0 { type_kind::VECTOR } else { type_kind::SCALABLE_VECTOR });
            if *scalable != 0 {
                out.number(shape.len() as u64);
                (0..shape.len()).for_each(|n| out.byte((scalable >> n & 1) as u8));
            }
            sizes(out, shape);
            out.number(tables.ty(*elem));
        }
        TypeKind::Tensor { shape, elem, encoding } => {
            out.number(if encoding.is_some() { type_kind::TENSOR_WITH_ENCODING } else { type_kind::TENSOR });
            if let Some(encoding) = encoding {
                out.number(tables.attr(*encoding));
            }
            sizes(out, shape);
            out.number(tables.ty(*elem));
        }
        TypeKind::UnrankedTensor(elem) => {
            out.number(type_kind::UNRANKED_TENSOR);
            out.number(tables.ty(*elem));
        }
        TypeKind::MemRef { shape, elem, layout, space } => {
            out.number(if space.is_some() { type_kind::MEMREF_IN_SPACE } else { type_kind::MEMREF });
            if let Some(space) = space {
                out.number(tables.attr(*space));
            }
            sizes(out, shape);
            out.number(tables.ty(*elem));
            let layout = layout.unwrap_or_else(|| cx.map_attr(AffineMap::identity(shape.len() as u32)));
            out.number(tables.attr(layout));
        }
        TypeKind::UnrankedMemRef { elem, space } => {
            out.number(match space {
                Some(_) => type_kind::UNRANKED_MEMREF_IN_SPACE,
                None => type_kind::UNRANKED_MEMREF,
            });
            if let Some(space) = space {
                out.number(tables.attr(*space));
            }
            out.number(tables.ty(*elem));
        }
        _ => debug_assert!(false, "a type without a shape"),
    }
}
