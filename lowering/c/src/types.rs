//! Types as the languages spell them.

use terrace_ir::{Context, FloatKind, Sign, Type, TypeKind};

/// A type of numbers that the languages have, or whose bits they keep
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// `i1`
    Bool,
    /// `i8 i16 i32 i64`, and `index` as 64 bits
    Int(u32),
    /// `f16`
    F16,
    /// `bf16`
    Bf16,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Scalar {
    /// The scalar that a type is
    pub fn of(cx: &Context, ty: Type) -> Option<Scalar> {
        match ty.kind(cx) {
            TypeKind::Index => Some(Scalar::Int(64)),
            TypeKind::Int { width: 1, sign: Sign::Signless } => Some(Scalar::Bool),
            TypeKind::Int { width: width @ (8 | 16 | 32 | 64), sign: Sign::Signless } => {
                Some(Scalar::Int(*width))
            }
            TypeKind::Float(FloatKind::F16) => Some(Scalar::F16),
            TypeKind::Float(FloatKind::BF16) => Some(Scalar::Bf16),
            TypeKind::Float(FloatKind::F32) => Some(Scalar::F32),
            TypeKind::Float(FloatKind::F64) => Some(Scalar::F64),
            _ => None,
        }
    }

    /// Bytes in memory
    pub fn bytes(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int(width) => width / 8,
            Scalar::F16 | Scalar::Bf16 => 2,
            Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }

    /// Bits that integers have; `i1` has one
    pub fn width(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            other => other.bytes() * 8,
        }
    }

    /// Suffix of names of helper functions
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Scalar::Bool => "i1",
            Scalar::Int(8) => "i8",
            Scalar::Int(16) => "i16",
            Scalar::Int(32) => "i32",
            Scalar::Int(_) => "i64",
            Scalar::F16 => "f16",
            Scalar::Bf16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64)
    }

    /// Least and greatest value as a signed integer
    pub(crate) fn bounds(self) -> (i128, i128) {
        let top = 1i128 << (self.width() - 1);
        if self == Scalar::Bool { (0, 1) } else { (-top, top - 1) }
    }
}
