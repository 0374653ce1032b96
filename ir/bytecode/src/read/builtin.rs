//! Attributes and types of the builtin dialect.

use super::tables::Tables;
use crate::bytes::{Bytes, Read, Wrong};
use crate::codes;
use crate::numbers::{DYNAMIC, attr as kind, ty as type_kind, unzigzag};
use terrace_ir::attrs::{DenseData, LocKind};
use terrace_ir::make::elem_bytes;
use terrace_ir::types::{FloatKind, Sign};
use terrace_ir::valid;
use terrace_ir::{Attr, AttrKind, Context, Str, Type, TypeKind};

/// Read an attribute
pub fn attr(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<Attr> {
    let (cx, at) = (tables.cx, bytes.at());
    Ok(match bytes.number()? {
        kind::ARRAY => cx.array_attr(&list(bytes, |bytes| tables.attr(bytes))?),
        kind::DICT => dict(tables, bytes)?,
        kind::STR => cx.str_attr(tables.string(bytes)?),
        kind::TYPED_STR => {
            let text = cx.intern(tables.string(bytes)?);
            let ty = Some(tables.ty(bytes)?);
            cx.attr(AttrKind::Str { text, ty })
        }
        kind::FLAT_SYMBOL => {
            let root = name(tables, bytes)?;
            cx.attr(AttrKind::Symbol { root, nested: Box::default() })
        }
        kind::SYMBOL => {
            let root = name(tables, bytes)?;
            let nested = list(bytes, |bytes| leaf(tables, bytes))?;
            cx.attr(AttrKind::Symbol { root, nested: nested.into() })
        }
        kind::TYPE => cx.type_attr(tables.ty(bytes)?),
        kind::UNIT => cx.common().unit,
        kind::INT => {
            let ty = tables.ty(bytes)?;
            integer(cx, bytes, ty)?
        }
        kind::FLOAT => {
            let ty = tables.ty(bytes)?;
            float(cx, bytes, ty)?
        }
        kind::RESOURCE => {
            let ty = shaped(tables, bytes)?;
            let key = bytes.index(tables.resources.len(), "resource")?;
            cx.attr(AttrKind::Resource { ty, key: cx.intern(tables.resources[key]) })
        }
        kind::DENSE_ARRAY => dense_array(tables, bytes)?,
        kind::DENSE => dense(tables, bytes)?,
        kind::DENSE_STRS => dense_strings(tables, bytes)?,
        kind::SPARSE => {
            let ty = shaped(tables, bytes)?;
            let (indices, values) = (tables.attr(bytes)?, tables.attr(bytes)?);
            let dense = |attr: Attr| matches!(cx.attr_kind(attr), AttrKind::Dense { .. });
            if !dense(indices) || !dense(values) {
                return bytes.wrong("indices and values of sparse elements are dense elements");
            }
            cx.attr(AttrKind::Sparse { ty, indices, values })
        }
        kind::DISTINCT => {
            let inner = tables.attr(bytes)?;
            cx.attr(AttrKind::Distinct { id: tables.next_distinct(), inner })
        }
        number => match location(tables, bytes, number)? {
            Some(location) => cx.attr(AttrKind::Loc(location)),
            None => {
                let message = format!("builtin attribute of kind {number} is not known");
                return Err(Wrong::with(at, &codes::ENCODING, message));
            }
        },
    })
}

/// Read a list: its length, and each element
fn list<T>(bytes: &mut Bytes<'_>, mut read: impl FnMut(&mut Bytes<'_>) -> Read<T>) -> Read<Vec<T>> {
    let count = bytes.count()?;
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.push(read(bytes)?);
    }
    Ok(items)
}

/// A string attribute as a name
fn name(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<Str> {
    match tables.attr(bytes)?.as_str_id(tables.cx) {
        Some(name) => Ok(name),
        None => bytes.wrong("a name is a string attribute"),
    }
}

/// A name below the root of a symbol
fn leaf(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<Str> {
    match tables.attr(bytes)?.as_symbol(tables.cx) {
        Some((name, [])) => Ok(name),
        _ => bytes.wrong("what is below a symbol is a symbol of one name"),
    }
}

fn dict(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<Attr> {
    let entries = list(bytes, |bytes| Ok((name(tables, bytes)?, tables.attr(bytes)?)))?;
    let mut names: Vec<Str> = entries.iter().map(|(name, _)| *name).collect();
    names.sort_unstable_by_key(|name| name.raw());
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return bytes.wrong("a dictionary has a name twice");
    }
    Ok(tables.cx.dict_attr(entries))
}

/// The bits of a number of this width, as many words as it needs
fn bits(bytes: &mut Bytes<'_>, width: u32) -> Read<Vec<u64>> {
    if width <= 8 {
        return Ok(vec![u64::from(bytes.byte()?)]);
    }
    if width <= 64 {
        return Ok(vec![bytes.signed()?.cast_unsigned()]);
    }
    let words = list(bytes, |bytes| Ok(unzigzag(bytes.number()?).cast_unsigned()))?;
    if words.len() as u32 > width.div_ceil(64) {
        return bytes.wrong(format!("{} words for {width} bits", words.len()));
    }
    Ok(words)
}

fn integer(cx: &Context, bytes: &mut Bytes<'_>, ty: Type) -> Read<Attr> {
    let width = match cx.type_kind(ty) {
        TypeKind::Int { width, .. } => *width,
        TypeKind::Index => 64,
        _ => return bytes.wrong("an integer's type is an integer or `index`"),
    };
    let mut words = bits(bytes, width)?;
    words.resize(width.div_ceil(64).max(1) as usize, 0);
    Ok(cx.wide_attr(&words, ty))
}

fn float(cx: &Context, bytes: &mut Bytes<'_>, ty: Type) -> Read<Attr> {
    let TypeKind::Float(format) = cx.type_kind(ty) else {
        return bytes.wrong("a float's type is a floating-point format");
    };
    let words = bits(bytes, format.width())?;
    match (format.width(), words[..].split_first()) {
        (width, Some((first, []))) if width <= 64 => {
            let mask = u64::MAX >> (64 - width);
            Ok(cx.float_attr(first & mask, ty))
        }
        _ => {
            let message = "numbers of f80 and f128 are not kept here";
            Err(Wrong::with(bytes.at(), &codes::ENCODING, message).help("hand them over as text"))
        }
    }
}

fn shaped(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<Type> {
    let ty = tables.ty(bytes)?;
    let shaped = ty.shape(tables.cx).is_some();
    if shaped { Ok(ty) } else { bytes.wrong("elements need a vector or ranked tensor type") }
}

/// The same with as many elements as bytes may be counted for
fn counted(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<(Type, usize)> {
    let ty = shaped(tables, bytes)?;
    match ty.num_elements(tables.cx).and_then(|count| usize::try_from(count).ok()) {
        Some(count) => Ok((ty, count)),
        None => bytes.wrong("dense elements have a static shape"),
    }
}

fn blob<'a>(bytes: &mut Bytes<'a>) -> Read<&'a [u8]> {
    let len = bytes.count()?;
    bytes.take(len)
}

fn dense(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<Attr> {
    let cx = tables.cx;
    let (ty, count) = counted(tables, bytes)?;
    let raw = blob(bytes)?;
    let elem = ty.scalar(cx);
    let one = elem_bytes(cx, elem);
    let numbers = valid::is_number(cx, elem) || matches!(cx.type_kind(elem), TypeKind::Complex(_));
    if !numbers || one > 32 {
        return bytes.wrong("dense elements are numbers of at most 128 bits");
    }
    let packed = elem == cx.common().i1;
    let data = if packed && raw.len() == 1 && matches!(raw[0], 0 | 0xff) {
        DenseData::Splat([raw[0] & 1].into())
    } else if packed && raw.len() == count.div_ceil(8) {
        DenseData::Raw((0..count).map(|n| raw[n / 8] >> (n % 8) & 1).collect())
    } else if one == 0 || packed || one != raw.len() && count.checked_mul(one) != Some(raw.len()) {
        return bytes.wrong(format!("{} bytes do not fit {count} elements", raw.len()));
    } else if raw.len() == one {
        DenseData::Splat(raw.into())
    } else {
        DenseData::Raw(raw.into())
    };
    Ok(match data {
        // Equal elements are a splat here.
        DenseData::Raw(raw) if count > 0 => cx.dense_attr(ty, raw.into()),
        data => cx.attr(AttrKind::Dense { ty, data }),
    })
}

fn dense_strings(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<Attr> {
    let (ty, count) = counted(tables, bytes)?;
    let count = if bytes.number()? != 0 { 1 } else { count };
    if valid::is_number(tables.cx, ty.scalar(tables.cx)) {
        return bytes.wrong("strings can't be elements of a number type");
    }
    if count > bytes.left() {
        return bytes.wrong(format!("{count} strings, and {} bytes are left", bytes.left()));
    }
    let mut strings = Vec::with_capacity(count);
    for _ in 0..count {
        strings.push(tables.cx.intern(tables.string(bytes)?));
    }
    Ok(tables.cx.attr(AttrKind::Dense { ty, data: DenseData::Strs(strings.into()) }))
}

fn dense_array(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<Attr> {
    let cx = tables.cx;
    let elem = tables.ty(bytes)?;
    let count = bytes.number()?;
    let raw = blob(bytes)?;
    let (is_float, width) = (elem.is_float(cx), elem.bit_width(cx).unwrap_or(0));
    let one = if valid::is_number(cx, elem) { elem_bytes(cx, elem) } else { 0 };
    if !matches!(one, 1 | 2 | 4 | 8) || (one as u64).checked_mul(count) != Some(raw.len() as u64) {
        return bytes.wrong(format!("{} bytes do not fit an array of {count}", raw.len()));
    }
    let value = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..one].copy_from_slice(chunk);
        let word = u64::from_le_bytes(word);
        let unused = 64 - width.clamp(1, 64);
        if is_float || width == 1 {
            (word << unused >> unused).cast_signed()
        } else {
            word.cast_signed() << unused >> unused
        }
    };
    Ok(cx.attr(AttrKind::DenseArray { elem, values: raw.chunks(one).map(value).collect() }))
}

/// A location of this kind, if it is one
fn location(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>, number: u64) -> Read<Option<LocKind>> {
    Ok(Some(match number {
        kind::CALL_SITE => LocKind::CallSite { callee: inner(tables, bytes)?, caller: inner(tables, bytes)? },
        kind::FILE => {
            let file = name(tables, bytes)?;
            let (line, col) = (word(bytes)?, word(bytes)?);
            LocKind::File { file, line, col, end_line: 0, end_col: 0 }
        }
        kind::FILE_RANGE => {
            let file = name(tables, bytes)?;
            let places = list(bytes, word)?;
            let (line, col, end_line, end_col) = match places[..] {
                [] => (0, 0, 0, 0),
                [line] => (line, 0, 0, 0),
                [line, col] => (line, col, 0, 0),
                [line, col, end_col] => (line, col, line, end_col),
                [line, col, end_line, end_col] => (line, col, end_line, end_col),
                _ => return bytes.wrong("a range of a file has at most four numbers"),
            };
            LocKind::File { file, line, col, end_line, end_col }
        }
        kind::FUSED | kind::FUSED_WITH_METADATA => {
            let locs = list(bytes, |bytes| inner(tables, bytes))?;
            let metadata = if number == kind::FUSED { None } else { Some(tables.attr(bytes)?) };
            LocKind::Fused { metadata, locs: locs.into() }
        }
        kind::NAME => {
            let name = name(tables, bytes)?;
            let child = inner(tables, bytes)?;
            let unknown = matches!(tables.cx.attr_kind(child), AttrKind::Loc(LocKind::Unknown));
            LocKind::Name { name, child: (!unknown).then_some(child) }
        }
        kind::UNKNOWN => LocKind::Unknown,
        _ => return Ok(None),
    }))
}

fn inner(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<Attr> {
    let attr = tables.attr(bytes)?;
    match tables.cx.attr_kind(attr) {
        AttrKind::Loc(_) => Ok(attr),
        _ => bytes.wrong("a location is made of locations"),
    }
}

fn word(bytes: &mut Bytes<'_>) -> Read<u32> {
    let number = bytes.number()?;
    match u32::try_from(number) {
        Ok(word) => Ok(word),
        Err(_) => bytes.wrong(format!("line or column {number}")),
    }
}

/// Read a type
pub fn ty(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<Type> {
    let (cx, at) = (tables.cx, bytes.at());
    let float = |kind| cx.ty(TypeKind::Float(kind));
    Ok(match bytes.number()? {
        type_kind::INT => {
            let packed = bytes.number()?;
            let sign = match packed & 3 {
                0 => Sign::Signless,
                1 => Sign::Signed,
                2 => Sign::Unsigned,
                _ => return bytes.wrong("an integer is signless, signed or unsigned"),
            };
            match u32::try_from(packed >> 2) {
                Ok(width @ 1..=WIDEST) => cx.ty(TypeKind::Int { width, sign }),
                _ => return bytes.wrong(format!("an integer of {} bits", packed >> 2)),
            }
        }
        type_kind::INDEX => cx.common().index,
        type_kind::FUNCTION => {
            let inputs = list(bytes, |bytes| tables.ty(bytes))?;
            let results = list(bytes, |bytes| tables.ty(bytes))?;
            cx.function(&inputs, &results)
        }
        type_kind::BF16 => float(FloatKind::BF16),
        type_kind::F16 => float(FloatKind::F16),
        type_kind::F32 => float(FloatKind::F32),
        type_kind::F64 => float(FloatKind::F64),
        type_kind::F80 => float(FloatKind::F80),
        type_kind::F128 => float(FloatKind::F128),
        type_kind::NONE => cx.common().none,
        type_kind::COMPLEX => {
            let part = tables.ty(bytes)?;
            check(bytes, valid::complex_part(cx, part))?;
            cx.ty(TypeKind::Complex(part))
        }
        type_kind::TUPLE => {
            let types = list(bytes, |bytes| tables.ty(bytes))?;
            cx.ty(TypeKind::Tuple(types.into()))
        }
        number => match with_shape(tables, bytes, number)? {
            Some(kind) => cx.ty(kind),
            None => {
                let message = format!("builtin type of kind {number} is not known");
                return Err(Wrong::with(at, &codes::ENCODING, message));
            }
        },
    })
}

/// Bits of an integer at most, as upstream has it
const WIDEST: u32 = (1 << 24) - 1;

/// What a check of a type's part says
fn check<T>(bytes: &Bytes<'_>, checked: Result<T, impl Into<String>>) -> Read<T> {
    checked.or_else(|why| bytes.wrong(why))
}

/// Type of elements of tensors or memrefs
fn element(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>, what: &str) -> Read<Type> {
    let elem = tables.ty(bytes)?;
    check(bytes, valid::element(tables.cx, elem, what))?;
    Ok(elem)
}

/// Type of elements of vectors
fn lane(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>) -> Read<Type> {
    let elem = tables.ty(bytes)?;
    check(bytes, valid::vector_element(tables.cx, elem))?;
    Ok(elem)
}

fn vector_shape(bytes: &mut Bytes<'_>) -> Read<Box<[i64]>> {
    let shape = shape(bytes)?;
    shape.iter().try_for_each(|size| check(bytes, valid::vector_size(*size)))?;
    Ok(shape)
}

fn shape(bytes: &mut Bytes<'_>) -> Read<Box<[i64]>> {
    let shape = list(bytes, |bytes| bytes.signed())?;
    if shape.iter().any(|size| *size < 0 && *size != DYNAMIC) {
        return bytes.wrong("a dimension has a negative size");
    }
    Ok(shape.into())
}

/// A type of this kind, if it has a shape
fn with_shape(tables: &mut Tables<'_>, bytes: &mut Bytes<'_>, number: u64) -> Read<Option<TypeKind>> {
    Ok(Some(match number {
        type_kind::TENSOR | type_kind::TENSOR_WITH_ENCODING => {
            let encoding = if number == type_kind::TENSOR { None } else { Some(tables.attr(bytes)?) };
            TypeKind::Tensor { shape: shape(bytes)?, elem: element(tables, bytes, "tensor")?, encoding }
        }
        type_kind::MEMREF | type_kind::MEMREF_IN_SPACE => {
            let space = if number == type_kind::MEMREF { None } else { Some(tables.attr(bytes)?) };
            let (shape, elem) = (shape(bytes)?, element(tables, bytes, "memref")?);
            let layout = tables.attr(bytes)?;
            let layout = check(bytes, valid::layout(tables.cx, layout, shape.len()))?;
            TypeKind::MemRef {
                shape,
                elem,
                layout,
                space: space.and_then(|space| valid::space(tables.cx, space)),
            }
        }
        type_kind::UNRANKED_MEMREF => {
            TypeKind::UnrankedMemRef { elem: element(tables, bytes, "memref")?, space: None }
        }
        type_kind::UNRANKED_MEMREF_IN_SPACE => {
            let space = valid::space(tables.cx, tables.attr(bytes)?);
            TypeKind::UnrankedMemRef { elem: element(tables, bytes, "memref")?, space }
        }
        type_kind::UNRANKED_TENSOR => TypeKind::UnrankedTensor(element(tables, bytes, "tensor")?),
        type_kind::VECTOR => {
            TypeKind::Vector { shape: vector_shape(bytes)?, scalable: 0, elem: lane(tables, bytes)? }
        }
        type_kind::SCALABLE_VECTOR => {
            let flags = list(bytes, |bytes| Ok(bytes.byte()? != 0))?;
            let shape = vector_shape(bytes)?;
            if flags.len() != shape.len() || flags.len() > 64 {
                return bytes.wrong("a vector says for each of at most 64 dimensions whether it is scalable");
            }
            let scalable = flags.iter().enumerate().fold(0, |bits, (n, flag)| bits | u64::from(*flag) << n);
            TypeKind::Vector { shape, scalable, elem: lane(tables, bytes)? }
        }
        _ => return Ok(None),
    }))
}
