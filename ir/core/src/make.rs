//! Short ways to make types and attributes.

use crate::attrs::{Attr, AttrKind, DenseData, Str};
use crate::context::Context;
use crate::defs::EnumDef;
use crate::types::{Sign, Type, TypeKind};
use terrace_support::affine::AffineMap;

/// Wrap a value to `width` bits; signed reading unless `unsigned`
pub fn wrap_int(value: i128, width: u32, unsigned: bool) -> i128 {
    if width >= 128 {
        return value;
    }
    let shift = 128 - width;
    if unsigned { ((value as u128) << shift >> shift) as i128 } else { value << shift >> shift }
}

/// Bytes one element takes in a dense attribute: its bits rounded up to bytes (index 8, complex twice its part)
pub fn elem_bytes(cx: &Context, elem: Type) -> usize {
    match cx.type_kind(elem) {
        TypeKind::Complex(part) => 2 * elem_bytes(cx, *part),
        _ => elem.bit_width(cx).map_or(0, |bits| bits.div_ceil(8) as usize),
    }
}

impl Context {
    /// `iN`
    pub fn int(&self, width: u32) -> Type {
        self.ty(TypeKind::Int { width, sign: Sign::Signless })
    }

    /// `(inputs) -> results`
    pub fn function(&self, inputs: &[Type], results: &[Type]) -> Type {
        self.ty(TypeKind::Function { inputs: inputs.into(), results: results.into() })
    }

    /// `vector<shape x elem>` without scalable dimensions
    pub fn vector(&self, shape: &[i64], elem: Type) -> Type {
        self.ty(TypeKind::Vector { shape: shape.into(), scalable: 0, elem })
    }

    /// `memref<shape x elem>` with identity layout in the default space
    pub fn memref(&self, shape: &[i64], elem: Type) -> Type {
        self.ty(TypeKind::MemRef { shape: shape.into(), elem, layout: None, space: None })
    }

    /// `tensor<shape x elem>`
    pub fn tensor(&self, shape: &[i64], elem: Type) -> Type {
        self.ty(TypeKind::Tensor { shape: shape.into(), elem, encoding: None })
    }

    /// Integer attribute of an integer or index type; the value is wrapped to the width
    pub fn int_attr(&self, value: i128, ty: Type) -> Attr {
        let value = match self.type_kind(ty) {
            TypeKind::Int { width, sign } => wrap_int(value, *width, *width == 1 || *sign == Sign::Unsigned),
            _ => wrap_int(value, 64, false),
        };
        self.attr(AttrKind::Int { value, ty })
    }

    /// Integer attribute of limbs as `crate::wide` has them, as many as the type's width needs
    pub fn wide_attr(&self, limbs: &[u64], ty: Type) -> Attr {
        let (width, signed) = match self.type_kind(ty) {
            TypeKind::Int { width, sign } => (*width, *sign != Sign::Unsigned),
            _ => (64, true),
        };
        let limbs = crate::wide::extended(limbs, width, signed);
        match crate::wide::as_i128(&limbs, signed) {
            Some(value) => self.int_attr(value, ty),
            None => self.attr(AttrKind::Wide { limbs, ty }),
        }
    }

    /// `index` attribute
    pub fn index_attr(&self, value: i64) -> Attr {
        self.int_attr(value.into(), self.common().index)
    }

    /// `true` or `false`
    pub fn bool_attr(&self, value: bool) -> Attr {
        if value { self.common().true_ } else { self.common().false_ }
    }

    /// Float attribute from bits in the type's format
    pub fn float_attr(&self, bits: u64, ty: Type) -> Attr {
        self.attr(AttrKind::Float { bits, ty })
    }

    /// Untyped string attribute
    pub fn str_attr(&self, text: &str) -> Attr {
        self.attr(AttrKind::Str { text: self.intern(text), ty: None })
    }

    /// Type attribute
    pub fn type_attr(&self, ty: Type) -> Attr {
        self.attr(AttrKind::Type(ty))
    }

    /// `@name`
    pub fn symbol_attr(&self, name: &str) -> Attr {
        self.attr(AttrKind::Symbol { root: self.intern(name), nested: Box::default() })
    }

    /// `dense<value>`: a shaped type whose every element is this number; `None` if the shape is not static or the value
    /// is no number
    pub fn splat_attr(&self, ty: Type, value: Attr) -> Option<Attr> {
        let bits = match self.attr_kind(value) {
            AttrKind::Int { value, .. } => *value as u128,
            AttrKind::Float { bits, .. } => u128::from(*bits),
            _ => return None,
        };
        ty.num_elements(self)?;
        let bytes = elem_bytes(self, ty.scalar(self));
        let raw = bits.to_le_bytes().get(..bytes)?.into();
        Some(self.attr(AttrKind::Dense { ty, data: crate::attrs::DenseData::Splat(raw) }))
    }

    /// `[items]`
    pub fn array_attr(&self, items: &[Attr]) -> Attr {
        self.attr(AttrKind::Array(items.into()))
    }

    /// `array<i64: …>`
    pub fn i64_array(&self, values: &[i64]) -> Attr {
        self.attr(AttrKind::DenseArray { elem: self.common().i64, values: values.into() })
    }

    /// `dense<…>` from the bytes of all elements; equal ones make a splat
    pub fn dense_attr(&self, ty: Type, mut raw: Vec<u8>) -> Attr {
        let one = elem_bytes(self, ty.scalar(self));
        let splat = one > 0 && raw.len() >= one && raw.chunks(one).all(|chunk| chunk == &raw[..one]);
        let data = if splat {
            raw.truncate(one);
            DenseData::Splat(raw.into())
        } else {
            DenseData::Raw(raw.into())
        };
        self.attr(AttrKind::Dense { ty, data })
    }

    /// Dictionary; sorts by name. The caller has seen to it that no name comes twice
    pub fn dict_attr(&self, mut entries: Vec<(Str, Attr)>) -> Attr {
        entries.sort_by(|(a, _), (b, _)| self.str(*a).cmp(self.str(*b)));
        self.attr(AttrKind::Dict(entries.into()))
    }

    /// `affine_map<…>`
    pub fn map_attr(&self, map: AffineMap) -> Attr {
        self.attr(AttrKind::AffineMap(map))
    }

    /// `#dialect.enum<…>`
    pub fn enum_attr(&self, def: &'static EnumDef, value: u64) -> Attr {
        self.attr(AttrKind::Enum { def, value })
    }
}
