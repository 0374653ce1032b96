//! Types: interned, immutable, compared by handle.
//!
//! A `Type` means something only with the `Context` it came from. Builtin types are variants here, since every crate
//! looks at them; a dialect's own types are a definition plus parameters (`TypeKind::Dialect`).

use super::Context;
use super::defs::TypeDef;
pub use crate::handles::Type;
use crate::handles::{Attr, Str};

/// A dimension whose size is known at run time only, `?` in text
pub const DYNAMIC: i64 = i64::MIN;

/// How an integer type reads its bits
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// `i32`: the op decides
    Signless,
    /// `si32`
    Signed,
    /// `ui32`
    Unsigned,
}

terrace_support::words! {
    /// Floating-point formats of upstream
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[allow(missing_docs)]
    pub enum FloatKind {
        F4E2M1FN = "f4E2M1FN", F6E2M3FN = "f6E2M3FN", F6E3M2FN = "f6E3M2FN",
        F8E5M2 = "f8E5M2", F8E4M3 = "f8E4M3", F8E4M3FN = "f8E4M3FN",
        F8E5M2FNUZ = "f8E5M2FNUZ", F8E4M3FNUZ = "f8E4M3FNUZ", F8E4M3B11FNUZ = "f8E4M3B11FNUZ",
        F8E3M4 = "f8E3M4", F8E8M0FNU = "f8E8M0FNU", BF16 = "bf16",
        F16 = "f16", TF32 = "tf32", F32 = "f32",
        F64 = "f64", F80 = "f80", F128 = "f128",
    }
}

impl FloatKind {
    /// Width in bits
    pub fn width(self) -> u32 {
        use FloatKind::*;
        match self {
            F4E2M1FN => 4,
            F6E2M3FN | F6E3M2FN => 6,
            F8E5M2 | F8E4M3 | F8E4M3FN | F8E5M2FNUZ | F8E4M3FNUZ | F8E4M3B11FNUZ | F8E3M4 | F8E8M0FNU => 8,
            BF16 | F16 => 16,
            TF32 => 19,
            F32 => 32,
            F64 => 64,
            F80 => 80,
            F128 => 128,
        }
    }
}

/// What a type is
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum TypeKind {
    /// `i32`, `si8`, `ui64`; width 1 to 2^24 − 1
    Int { width: u32, sign: Sign },
    /// `index`: 64 bits here
    Index,
    /// `f32` and its kin
    Float(FloatKind),
    /// `none`
    None,
    /// `(i32, f32) -> i32`
    Function { inputs: Box<[Type]>, results: Box<[Type]> },
    /// `tuple<i32, f32>`
    Tuple(Box<[Type]>),
    /// `complex<f32>`
    Complex(Type),
    /// `vector<4x[8]xf32>`; bit d of `scalable` marks `[8]`-like dimensions
    Vector { shape: Box<[i64]>, scalable: u64, elem: Type },
    /// `tensor<4x?xf32, #encoding>`
    Tensor { shape: Box<[i64]>, elem: Type, encoding: Option<Attr> },
    /// `tensor<*xf32>`
    UnrankedTensor(Type),
    /// `memref<4x?xf32, layout, space>`; the identity layout and the default space are `None`
    MemRef { shape: Box<[i64]>, elem: Type, layout: Option<Attr>, space: Option<Attr> },
    /// `memref<*xf32, space>`
    UnrankedMemRef { elem: Type, space: Option<Attr> },
    /// A registered dialect's type with its parameters in order of definition
    Dialect { def: &'static TypeDef, params: Box<[Attr]> },
    /// `!dialect<text>` of a dialect that is not registered, kept byte for byte
    Opaque { dialect: Str, text: Str },
}

/// Interface of a dialect's type that stands for a vector, of a length that is not a number: arithmetic works on it
pub struct VectorLike {
    /// Type of the elements
    pub element: fn(&Context, &[Attr]) -> Option<Type>,
    /// The same with other elements
    pub with_element: fn(&Context, &[Attr], Type) -> Type,
}

impl Type {
    /// What this type is
    #[inline]
    pub fn kind(self, cx: &Context) -> &TypeKind {
        cx.type_kind(self)
    }

    /// True for signless, signed and unsigned integers of any width
    pub fn is_int(self, cx: &Context) -> bool {
        matches!(self.kind(cx), TypeKind::Int { .. })
    }

    /// True for `iN`
    pub fn is_signless_int(self, cx: &Context) -> bool {
        matches!(self.kind(cx), TypeKind::Int { sign: Sign::Signless, .. })
    }

    /// True for the signless integer of this width
    pub fn is_signless(self, cx: &Context, bits: u32) -> bool {
        matches!(self.kind(cx), TypeKind::Int { sign: Sign::Signless, width } if *width == bits)
    }

    /// True for `index`
    pub fn is_index(self, cx: &Context) -> bool {
        matches!(self.kind(cx), TypeKind::Index)
    }

    /// True for every floating-point format
    pub fn is_float(self, cx: &Context) -> bool {
        matches!(self.kind(cx), TypeKind::Float(_))
    }

    /// Bits of an integer, index (64) or float
    pub fn bit_width(self, cx: &Context) -> Option<u32> {
        match self.kind(cx) {
            TypeKind::Int { width, .. } => Some(*width),
            TypeKind::Index => Some(64),
            TypeKind::Float(kind) => Some(kind.width()),
            _ => None,
        }
    }

    /// Shape of a ranked vector, tensor or memref
    pub fn shape(self, cx: &Context) -> Option<&[i64]> {
        match self.kind(cx) {
            TypeKind::Vector { shape, .. }
            | TypeKind::Tensor { shape, .. }
            | TypeKind::MemRef { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// Element type of a shaped type, ranked or not
    pub fn element(self, cx: &Context) -> Option<Type> {
        match self.kind(cx) {
            TypeKind::Vector { elem, .. }
            | TypeKind::Tensor { elem, .. }
            | TypeKind::UnrankedTensor(elem)
            | TypeKind::MemRef { elem, .. }
            | TypeKind::UnrankedMemRef { elem, .. } => Some(*elem),
            TypeKind::Dialect { def, params } => (def.interface::<VectorLike>()?.element)(cx, params),
            _ => None,
        }
    }

    /// Is it a vector, or a dialect's type that stands for one?
    pub fn is_vector_like(self, cx: &Context) -> bool {
        match self.kind(cx) {
            TypeKind::Vector { .. } => true,
            TypeKind::Dialect { def, .. } => def.interface::<VectorLike>().is_some(),
            _ => false,
        }
    }

    /// The element type of a shaped type, the type itself otherwise
    pub fn scalar(self, cx: &Context) -> Type {
        self.element(cx).unwrap_or(self)
    }

    /// The same vector or tensor shape with another element; another scalar for a scalar
    ///
    /// Used for `i1`-like results of comparisons and for casts.
    pub fn with_element(self, cx: &Context, elem: Type) -> Type {
        match self.kind(cx) {
            TypeKind::Vector { shape, scalable, .. } => {
                cx.ty(TypeKind::Vector { shape: shape.clone(), scalable: *scalable, elem })
            }
            TypeKind::Tensor { shape, encoding, .. } => {
                cx.ty(TypeKind::Tensor { shape: shape.clone(), elem, encoding: *encoding })
            }
            TypeKind::UnrankedTensor(_) => cx.ty(TypeKind::UnrankedTensor(elem)),
            TypeKind::MemRef { shape, layout, space, .. } => {
                cx.ty(TypeKind::MemRef { shape: shape.clone(), elem, layout: *layout, space: *space })
            }
            TypeKind::UnrankedMemRef { space, .. } => cx.ty(TypeKind::UnrankedMemRef { elem, space: *space }),
            TypeKind::Dialect { def, params } => match def.interface::<VectorLike>() {
                Some(like) => (like.with_element)(cx, params, elem),
                None => elem,
            },
            _ => elem,
        }
    }

    /// Number of elements of a static shape; `None` if dynamic, unranked or beyond i64
    pub fn num_elements(self, cx: &Context) -> Option<i64> {
        let mut count = 1i64;
        for &size in self.shape(cx)? {
            if size == DYNAMIC {
                return None;
            }
            count = count.checked_mul(size)?;
        }
        Some(count)
    }

    /// Inputs and results of a function type
    pub fn as_function(self, cx: &Context) -> Option<(&[Type], &[Type])> {
        match self.kind(cx) {
            TypeKind::Function { inputs, results } => Some((inputs, results)),
            _ => None,
        }
    }
}
