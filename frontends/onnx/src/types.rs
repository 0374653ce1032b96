//! Types of elements: their numbers in files, their names, and what they are here.

use terrace_ir::{Context, FloatKind, Sign, Type, TypeKind};

/// A type of elements
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Elem(&'static Row);

#[derive(PartialEq, Eq, Debug)]
struct Row {
    /// In files
    number: i32,
    /// In listings and messages, as ONNX's text has it
    name: &'static str,
    kind: TypeKind,
    /// Of an element in `raw_data`
    bytes: usize,
}

const fn float(number: i32, name: &'static str, kind: FloatKind, bytes: usize) -> Row {
    Row { number, name, kind: TypeKind::Float(kind), bytes }
}

const fn int(number: i32, name: &'static str, width: u32, sign: Sign) -> Row {
    Row { number, name, kind: TypeKind::Int { width, sign }, bytes: width.div_ceil(8) as usize }
}

const TABLE: &[Row] = &[
    float(1, "float", FloatKind::F32, 4),
    int(2, "uint8", 8, Sign::Unsigned),
    int(3, "int8", 8, Sign::Signless),
    int(4, "uint16", 16, Sign::Unsigned),
    int(5, "int16", 16, Sign::Signless),
    int(6, "int32", 32, Sign::Signless),
    int(7, "int64", 64, Sign::Signless),
    int(9, "bool", 1, Sign::Signless),
    float(10, "float16", FloatKind::F16, 2),
    float(11, "double", FloatKind::F64, 8),
    int(12, "uint32", 32, Sign::Unsigned),
    int(13, "uint64", 64, Sign::Unsigned),
    float(16, "bfloat16", FloatKind::BF16, 2),
];

/// Names of those that have no form here
const OTHERS: &[(i32, &str)] = &[
    (0, "undefined"),
    (8, "string"),
    (14, "complex64"),
    (15, "complex128"),
    (17, "float8e4m3fn"),
    (18, "float8e4m3fnuz"),
    (19, "float8e5m2"),
    (20, "float8e5m2fnuz"),
    (21, "uint4"),
    (22, "int4"),
    (23, "float4e2m1"),
    (24, "float8e8m0"),
    (25, "uint2"),
    (26, "int2"),
];

impl Elem {
    /// By its number in files; its name as an error if it has no form here
    pub fn of(number: i32) -> Result<Elem, String> {
        let other = || match OTHERS.iter().find(|(other, _)| *other == number) {
            Some((_, name)) => (*name).to_string(),
            None => format!("number {number}"),
        };
        TABLE.iter().find(|row| row.number == number).map(Elem).ok_or_else(other)
    }

    pub const FLOAT: Elem = Elem(&TABLE[0]);
    pub const INT64: Elem = Elem(&TABLE[6]);
    pub const BOOL: Elem = Elem(&TABLE[7]);

    pub fn number(self) -> i32 {
        self.0.number
    }

    pub fn name(self) -> &'static str {
        self.0.name
    }

    pub fn bytes(self) -> usize {
        self.0.bytes
    }

    pub fn kind(self) -> &'static TypeKind {
        &self.0.kind
    }

    /// What sums are computed in: those of many halves are beyond what halves hold
    pub fn wide(self) -> Elem {
        if self.is_float() && self.bytes() < 4 { Elem::FLOAT } else { self }
    }

    pub fn is_float(self) -> bool {
        matches!(self.0.kind, TypeKind::Float(_))
    }

    pub fn is_unsigned(self) -> bool {
        matches!(self.0.kind, TypeKind::Int { sign: Sign::Unsigned, .. })
    }

    pub fn ty(self, cx: &Context) -> Type {
        cx.ty(self.0.kind.clone())
    }
}
