//! Parts of builtin types: what every reader of IR checks, whichever form it reads.

use crate::attrs::AttrKind;
use crate::context::Context;
use crate::handles::{Attr, Type};
use crate::types::TypeKind;

/// Is it an integer, `index` or a float, as dense elements have?
pub fn is_number(cx: &Context, ty: Type) -> bool {
    matches!(cx.type_kind(ty), TypeKind::Int { .. } | TypeKind::Index | TypeKind::Float(_))
}

/// Can complex numbers have such parts?
pub fn complex_part(cx: &Context, part: Type) -> Result<(), &'static str> {
    match part.is_int(cx) || part.is_float(cx) {
        true => Ok(()),
        false => Err("parts of a complex number are integers or floats"),
    }
}

/// Can vectors have such elements?
pub fn vector_element(cx: &Context, elem: Type) -> Result<(), &'static str> {
    let of_dialect = matches!(cx.type_kind(elem), TypeKind::Dialect { .. } | TypeKind::Opaque { .. });
    match of_dialect || elem.bit_width(cx).is_some() {
        true => Ok(()),
        false => Err("vector elements must be int/index/float type"),
    }
}

/// Can a vector's dimension have this size?
pub fn vector_size(size: i64) -> Result<(), &'static str> {
    if size > 0 { Ok(()) } else { Err("vector types must have positive constant sizes") }
}

/// Can tensors (memrefs, as `what` says) have such elements?
pub fn element(cx: &Context, elem: Type, what: &str) -> Result<(), String> {
    match cx.type_kind(elem) {
        TypeKind::None
        | TypeKind::Function { .. }
        | TypeKind::Tuple(_)
        | TypeKind::Tensor { .. }
        | TypeKind::UnrankedTensor(_) => Err(format!("invalid {what} element type")),
        _ => Ok(()),
    }
}

/// Is the attribute a layout of memrefs?
pub fn is_layout(cx: &Context, attr: Attr) -> bool {
    matches!(cx.attr_kind(attr), AttrKind::AffineMap(_) | AttrKind::Strided { .. })
}

/// The layout of a memref with so many dimensions as its type has it: none where it is the identity
pub fn layout(cx: &Context, attr: Attr, rank: usize) -> Result<Option<Attr>, String> {
    let dims = match cx.attr_kind(attr) {
        AttrKind::AffineMap(map) => map.dims as usize,
        AttrKind::Strided { strides, .. } => strides.len(),
        _ => rank,
    };
    if dims != rank {
        return Err(format!("memref layout mismatch between rank and affine map: {rank} != {dims}"));
    }
    let identity = attr.as_affine_map(cx).is_some_and(|map| map.is_identity());
    Ok((!identity).then_some(attr))
}

/// The memory space as a memref's type has it: none where it is the integer 0
pub fn space(cx: &Context, attr: Attr) -> Option<Attr> {
    let default = attr.as_int(cx).is_some_and(|(value, _)| value == 0);
    (!default).then_some(attr)
}
