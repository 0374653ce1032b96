//! Types as the languages spell them.

use crate::Flavor;
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

impl Flavor {
    /// Is this computed as `float` and rounded after each op?
    pub(crate) fn widens(self, ty: Scalar) -> bool {
        self == Flavor::OpenMp && ty == Scalar::F16 || self.soft(ty)
    }

    /// Name of a type of variables
    pub(crate) fn scalar(self, ty: Scalar) -> &'static str {
        match (self, ty) {
            (_, Scalar::Bool) => "bool",
            (Flavor::OpenMp, Scalar::Bf16) => "uint16_t",
            (Flavor::OpenCl, Scalar::Bf16) => "ushort",
            (Flavor::Cuda, Scalar::F16 | Scalar::Bf16) => "unsigned short",
            (Flavor::OpenMp, Scalar::F16) => "_Float16",
            (_, Scalar::F16) => "half",
            (_, Scalar::F32) => "float",
            (_, Scalar::F64) => "double",
            (Flavor::OpenMp, Scalar::Int(8)) => "int8_t",
            (Flavor::OpenMp, Scalar::Int(16)) => "int16_t",
            (Flavor::OpenMp, Scalar::Int(32)) => "int32_t",
            (Flavor::OpenMp, Scalar::Int(_)) => "int64_t",
            (Flavor::OpenCl, Scalar::Int(8)) => "char",
            (Flavor::Cuda, Scalar::Int(8)) => "signed char",
            (_, Scalar::Int(16)) => "short",
            (_, Scalar::Int(32)) => "int",
            (Flavor::OpenCl, Scalar::Int(_)) => "long",
            (Flavor::Cuda, Scalar::Int(_)) => "long long",
        }
    }

    /// Name of a type in memory and of kernel arguments: `i1` is a byte
    pub(crate) fn stored(self, ty: Scalar) -> &'static str {
        match (self, ty) {
            (Flavor::OpenCl, Scalar::Bool) => "uchar",
            _ => self.scalar(ty),
        }
    }

    /// Name of an unsigned type
    pub(crate) fn unsigned(self, ty: Scalar) -> &'static str {
        match (self, ty.bytes()) {
            (Flavor::OpenMp, 1) => "uint8_t",
            (Flavor::OpenMp, 2) => "uint16_t",
            (Flavor::OpenMp, 4) => "uint32_t",
            (Flavor::OpenMp, _) => "uint64_t",
            (Flavor::OpenCl, 1) => "uchar",
            (Flavor::OpenCl, 2) => "ushort",
            (Flavor::OpenCl, 4) => "uint",
            (Flavor::OpenCl, _) => "ulong",
            (Flavor::Cuda, 1) => "unsigned char",
            (Flavor::Cuda, 2) => "unsigned short",
            (Flavor::Cuda, 4) => "unsigned int",
            (Flavor::Cuda, _) => "unsigned long long",
        }
    }
}
