//! Element types of host buffers
//!
//! Spelled as in MLIR. Integers are signless: the bits of an `i8` may mean −1 or 255, printing and
//! generating take the signed reading.

use std::fmt;

/// The element types a buffer can hold
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElemType {
    /// One truth value, one byte in memory, 0 or 1
    I1,
    /// 8-bit integer
    I8,
    /// 16-bit integer
    I16,
    /// 32-bit integer
    I32,
    /// 64-bit integer
    I64,
    /// `index`: 64 bits on every target of ours
    Index,
    /// IEEE half precision
    F16,
    /// The upper half of an `f32`
    BF16,
    /// IEEE single precision
    F32,
    /// IEEE double precision
    F64,
}

impl ElemType {
    /// Every element type, from narrow to wide
    pub const ALL: [ElemType; 10] = [
        Self::I1,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::Index,
        Self::F16,
        Self::BF16,
        Self::F32,
        Self::F64,
    ];

    /// Bytes of one element in memory
    pub const fn size(self) -> usize {
        match self {
            Self::I1 | Self::I8 => 1,
            Self::I16 | Self::F16 | Self::BF16 => 2,
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::Index | Self::F64 => 8,
        }
    }

    /// The type's name as MLIR spells it
    pub const fn name(self) -> &'static str {
        match self {
            Self::I1 => "i1",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::Index => "index",
            Self::F16 => "f16",
            Self::BF16 => "bf16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// The type that MLIR spells `name`
    pub fn from_name(name: &str) -> Option<ElemType> {
        Self::ALL.into_iter().find(|e| e.name() == name)
    }

    /// The type string this element is written with in a `.npy` file
    ///
    /// NumPy has no `bf16`: its bits are written as `<u2`, and reading gives `bf16` back only where
    /// the reader asks for it.
    pub const fn npy_descr(self) -> &'static str {
        match self {
            Self::I1 => "|b1",
            Self::I8 => "|i1",
            Self::I16 => "<i2",
            Self::I32 => "<i4",
            Self::I64 | Self::Index => "<i8",
            Self::F16 => "<f2",
            Self::BF16 => "<u2",
            Self::F32 => "<f4",
            Self::F64 => "<f8",
        }
    }

    /// Whether this is one of the floating-point types
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::BF16 | Self::F32 | Self::F64)
    }

    /// Bits of the significand with the hidden one, 0 for integers
    pub(crate) const fn precision(self) -> u32 {
        match self {
            Self::BF16 => 8,
            Self::F16 => 11,
            Self::F32 => 24,
            Self::F64 => 53,
            _ => 0,
        }
    }

    /// Width in bits of an integer type, 0 for floats
    pub(crate) const fn int_bits(self) -> u32 {
        match self {
            Self::I1 => 1,
            Self::I8 => 8,
            Self::I16 => 16,
            Self::I32 => 32,
            Self::I64 | Self::Index => 64,
            _ => 0,
        }
    }
}

impl fmt::Display for ElemType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for elem in ElemType::ALL {
            assert_eq!(ElemType::from_name(elem.name()), Some(elem));
        }
        assert_eq!(ElemType::from_name("f128"), None);
    }
}
