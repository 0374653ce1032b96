//! Attributes: interned, immutable constants, compared by handle.
//!
//! Strings inside of attributes and types are interned too (`Str`). Locations are attributes when they are written in
//! text (`loc(...)`); those of parsed ops are source offsets instead (`crate::loc`).

use super::Context;
use super::defs::{AttrDef, EnumDef};
use crate::handles::Type;
pub use crate::handles::{Attr, Str};
use terrace_support::affine::{AffineMap, IntegerSet};

/// Elements of a dense attribute
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DenseData {
    /// One value for every element, as in `dense<0.0>`: one element's bytes
    Splat(Box<[u8]>),
    /// Row-major, little-endian, each element in `elem_bytes` of its type; `i1` one byte each
    Raw(Box<[u8]>),
    /// Strings, in row-major order; one only means splat
    Strs(Box<[Str]>),
}

/// A location written as an attribute
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum LocKind {
    /// `loc(unknown)`
    Unknown,
    /// `loc("file":line:col)` and `loc("file":line:col to [line]:col)`; the end is `(line, col)` or zero
    File { file: Str, line: u32, col: u32, end_line: u32, end_col: u32 },
    /// `loc("name")`, `loc("name"(child))`; child is a location
    Name { name: Str, child: Option<Attr> },
    /// `loc(callsite(callee at caller))`
    CallSite { callee: Attr, caller: Attr },
    /// `loc(fused<metadata>[a, b])`
    Fused { metadata: Option<Attr>, locs: Box<[Attr]> },
}

/// What an attribute is
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum AttrKind {
    /// `unit`
    Unit,
    /// `3 : i32`, `true`; the value is sign-extended from the type's width (zero-extended for `ui` and `i1`), at most 128 bits
    Int { value: i128, ty: Type },
    /// An integer whose value does not fit 128 bits, its limbs as `crate::wide` has them, extended from the type's width
    Wide { limbs: Box<[u64]>, ty: Type },
    /// `1.0 : f32`: the bits in the type's own format, at most 64
    Float { bits: u64, ty: Type },
    /// `"text"`, `"text" : type`; bytes that are not UTF-8 are refused by the parser
    Str { text: Str, ty: Option<Type> },
    /// `i32` where an attribute is wanted
    Type(Type),
    /// `@root::@nested`
    Symbol { root: Str, nested: Box<[Str]> },
    /// `[a, b]`
    Array(Box<[Attr]>),
    /// `{a = 1, b}` sorted by name
    Dict(Box<[(Str, Attr)]>),
    /// `array<i32: 1, 2>`: integers sign-extended, floats as bits; `array<i1: true>` too
    DenseArray { elem: Type, values: Box<[i64]> },
    /// `dense<…> : type`
    Dense { ty: Type, data: DenseData },
    /// `sparse<indices, values> : type`
    Sparse { ty: Type, indices: Attr, values: Attr },
    /// `dense_resource<key> : type`: elements in the file's resources
    Resource { ty: Type, key: Str },
    /// `affine_map<…>`
    AffineMap(AffineMap),
    /// `affine_set<…>`
    IntegerSet(IntegerSet),
    /// `strided<[1, ?], offset: 2>`
    Strided { strides: Box<[i64]>, offset: i64 },
    /// `loc(…)`
    Loc(LocKind),
    /// `distinct[0]<attr>`
    Distinct { id: u64, inner: Attr },
    /// A registered dialect's enumeration, such as `#arith.fastmath<fast>`
    Enum { def: &'static EnumDef, value: u64 },
    /// A registered dialect's attribute with its parameters in order of definition
    Dialect { def: &'static AttrDef, params: Box<[Attr]> },
    /// `#dialect<text>` of a dialect that is not registered, kept byte for byte
    Opaque { dialect: Str, text: Str },
}

impl Attr {
    /// What this attribute is
    #[inline]
    pub fn kind(self, cx: &Context) -> &AttrKind {
        cx.attr_kind(self)
    }

    /// Value and type of an integer, index or boolean attribute
    pub fn as_int(self, cx: &Context) -> Option<(i128, Type)> {
        match self.kind(cx) {
            AttrKind::Int { value, ty } => Some((*value, *ty)),
            _ => None,
        }
    }

    /// An integer that fits 64 bits
    pub fn as_i64(self, cx: &Context) -> Option<i64> {
        i64::try_from(self.as_int(cx)?.0).ok()
    }

    /// Bits and type of a float attribute
    pub fn as_float(self, cx: &Context) -> Option<(u64, Type)> {
        match self.kind(cx) {
            AttrKind::Float { bits, ty } => Some((*bits, *ty)),
            _ => None,
        }
    }

    /// Text of a string attribute
    pub fn as_str(self, cx: &Context) -> Option<&str> {
        match self.kind(cx) {
            AttrKind::Str { text, .. } => Some(cx.str(*text)),
            _ => None,
        }
    }

    /// The interned text of a string attribute
    pub fn as_str_id(self, cx: &Context) -> Option<Str> {
        match self.kind(cx) {
            AttrKind::Str { text, .. } => Some(*text),
            _ => None,
        }
    }

    /// The type in a type attribute
    pub fn as_type(self, cx: &Context) -> Option<Type> {
        match self.kind(cx) {
            AttrKind::Type(ty) => Some(*ty),
            _ => None,
        }
    }

    /// Root and nested names of a symbol reference
    pub fn as_symbol(self, cx: &Context) -> Option<(Str, &[Str])> {
        match self.kind(cx) {
            AttrKind::Symbol { root, nested } => Some((*root, nested)),
            _ => None,
        }
    }

    /// Elements of an array attribute
    pub fn as_array(self, cx: &Context) -> Option<&[Attr]> {
        match self.kind(cx) {
            AttrKind::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Entries of a dictionary
    pub fn as_dict(self, cx: &Context) -> Option<&[(Str, Attr)]> {
        match self.kind(cx) {
            AttrKind::Dict(entries) => Some(entries),
            _ => None,
        }
    }

    /// The entry of this name, if it is a dictionary that has one
    pub fn entry(self, cx: &Context, name: &str) -> Option<Attr> {
        dict_get(cx, self.as_dict(cx)?, name)
    }

    /// Values of `array<iN: …>`
    pub fn as_dense_array(self, cx: &Context) -> Option<&[i64]> {
        match self.kind(cx) {
            AttrKind::DenseArray { values, .. } => Some(values),
            _ => None,
        }
    }

    /// The map of `affine_map<…>`
    pub fn as_affine_map(self, cx: &Context) -> Option<&AffineMap> {
        match self.kind(cx) {
            AttrKind::AffineMap(map) => Some(map),
            _ => None,
        }
    }

    /// Value of an enumeration attribute of this definition
    pub fn as_enum(self, cx: &Context, def: &'static EnumDef) -> Option<u64> {
        match self.kind(cx) {
            AttrKind::Enum { def: other, value } if std::ptr::eq(*other, def) => Some(*value),
            _ => None,
        }
    }

    /// Type of a typed attribute: integer, float, typed string, dense elements
    pub fn ty(self, cx: &Context) -> Option<Type> {
        match self.kind(cx) {
            AttrKind::Int { ty, .. }
            | AttrKind::Wide { ty, .. }
            | AttrKind::Float { ty, .. }
            | AttrKind::Dense { ty, .. }
            | AttrKind::Resource { ty, .. }
            | AttrKind::Sparse { ty, .. } => Some(*ty),
            AttrKind::Str { ty, .. } => *ty,
            _ => None,
        }
    }
}

/// Look a name up in dictionary entries
pub fn dict_get(cx: &Context, entries: &[(Str, Attr)], name: &str) -> Option<Attr> {
    entries.iter().find(|(key, _)| cx.str(*key) == name).map(|(_, value)| *value)
}
