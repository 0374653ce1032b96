//! What upstream numbers (`mlir/Bytecode/Encoding.h`, `BuiltinDialectBytecode.td`).

/// First bytes of a file
pub const MAGIC: &[u8] = b"ML\xefR";

/// The newest version that is read and written
pub const VERSION: u64 = 6;

/// From which version on something is so
pub mod since {
    /// Dialects may have versions
    pub const DIALECT_VERSIONS: u64 = 1;
    /// Isolated regions are sections
    pub const REGION_SECTIONS: u64 = 2;
    /// Orders of uses are written
    pub const USE_ORDERS: u64 = 3;
    /// Unknown locations of arguments are left out; ops are counted
    pub const SHORT_ARGUMENTS: u64 = 4;
    /// Properties are apart from attributes
    pub const PROPERTIES: u64 = 5;
    /// Sizes of segments are no attributes
    pub const SEGMENTS: u64 = 6;
}

/// Sections
pub mod section {
    pub const STRINGS: u8 = 0;
    pub const DIALECTS: u8 = 1;
    pub const ATTRS: u8 = 2;
    pub const ATTR_OFFSETS: u8 = 3;
    pub const IR: u8 = 4;
    pub const RESOURCES: u8 = 5;
    pub const RESOURCE_OFFSETS: u8 = 6;
    pub const DIALECT_VERSIONS: u8 = 7;
    pub const PROPERTIES: u8 = 8;
    /// Number of sections
    pub const COUNT: usize = 9;
}

/// Parts that an op has
pub mod part {
    pub const ATTRS: u8 = 1;
    pub const RESULTS: u8 = 2;
    pub const OPERANDS: u8 = 4;
    pub const SUCCESSORS: u8 = 8;
    pub const REGIONS: u8 = 16;
    pub const USE_ORDERS: u8 = 32;
    pub const PROPERTIES: u8 = 64;
}

/// Kinds of builtin attributes
pub mod attr {
    pub const ARRAY: u64 = 0;
    pub const DICT: u64 = 1;
    pub const STR: u64 = 2;
    pub const TYPED_STR: u64 = 3;
    pub const FLAT_SYMBOL: u64 = 4;
    pub const SYMBOL: u64 = 5;
    pub const TYPE: u64 = 6;
    pub const UNIT: u64 = 7;
    pub const INT: u64 = 8;
    pub const FLOAT: u64 = 9;
    pub const CALL_SITE: u64 = 10;
    pub const FILE: u64 = 11;
    pub const FUSED: u64 = 12;
    pub const FUSED_WITH_METADATA: u64 = 13;
    pub const NAME: u64 = 14;
    pub const UNKNOWN: u64 = 15;
    pub const RESOURCE: u64 = 16;
    pub const DENSE_ARRAY: u64 = 17;
    pub const DENSE: u64 = 18;
    pub const DENSE_STRS: u64 = 19;
    pub const SPARSE: u64 = 20;
    pub const DISTINCT: u64 = 21;
    pub const FILE_RANGE: u64 = 22;
}

/// Kinds of builtin types
pub mod ty {
    pub const INT: u64 = 0;
    pub const INDEX: u64 = 1;
    pub const FUNCTION: u64 = 2;
    pub const BF16: u64 = 3;
    pub const F16: u64 = 4;
    pub const F32: u64 = 5;
    pub const F64: u64 = 6;
    pub const F80: u64 = 7;
    pub const F128: u64 = 8;
    pub const COMPLEX: u64 = 9;
    pub const MEMREF: u64 = 10;
    pub const MEMREF_IN_SPACE: u64 = 11;
    pub const NONE: u64 = 12;
    pub const TENSOR: u64 = 13;
    pub const TENSOR_WITH_ENCODING: u64 = 14;
    pub const TUPLE: u64 = 15;
    pub const UNRANKED_MEMREF: u64 = 16;
    pub const UNRANKED_MEMREF_IN_SPACE: u64 = 17;
    pub const UNRANKED_TENSOR: u64 = 18;
    pub const VECTOR: u64 = 19;
    pub const SCALABLE_VECTOR: u64 = 20;
}

/// Fills up to where a section begins
pub const PADDING: u8 = 0xcb;

/// What a dimension of unknown size is as a number
pub const DYNAMIC: i64 = i64::MIN;

/// A signed number as an unsigned one whose lowest bit is the sign
pub fn zigzag(value: i64) -> u64 {
    (value.cast_unsigned() << 1) ^ (value >> 63).cast_unsigned()
}

/// The signed number again
pub fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_numbers_come_back() {
        for value in [0, 1, -1, 2, -2, i64::MAX, i64::MIN, i64::MIN + 1] {
            assert_eq!(unzigzag(zigzag(value)), value);
        }
        assert_eq!([zigzag(0), zigzag(-1), zigzag(1), zigzag(-2)], [0, 1, 2, 3]);
    }
}
