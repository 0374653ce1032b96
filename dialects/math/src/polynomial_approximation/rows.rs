//! What back ends write down: formats, ops, and the trait of rows.

/// Format of floats
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// f32
    Single,
    /// f64
    Double,
}

impl Format {
    /// Bits of a float
    pub fn bits(self) -> u32 {
        self.pick(32, 64)
    }

    /// Bits of the fraction
    pub(super) fn fraction(self) -> u32 {
        self.pick(23, 52)
    }

    /// Exponent field of one
    pub(super) fn bias(self) -> i64 {
        self.pick(127, 1023)
    }

    /// Bits of a number in this format
    pub fn encode(self, value: f64) -> i64 {
        self.pick(i64::from((value as f32).to_bits()), value.to_bits() as i64)
    }

    /// What belongs to the format
    pub fn pick<T>(self, single: T, double: T) -> T {
        match self {
            Format::Single => single,
            Format::Double => double,
        }
    }
}

/// An op of floats
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatOp {
    /// Sum
    Add,
    /// Difference
    Sub,
    /// Product
    Mul,
    /// Quotient
    Div,
}

/// An op of integers as wide as the format
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntOp {
    /// Sum
    Add,
    /// Difference
    Sub,
    /// Exclusive or
    Xor,
    /// Shift up
    Up,
    /// Shift down, the sign kept
    Down,
}

/// How a row compares with another; with NaN none of these holds
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pred {
    /// Greater
    Greater,
    /// Greater or equal
    GreaterOrEqual,
    /// Less
    Less,
    /// Equal
    Equal,
}

/// A way to write down what happens to rows of floats, of integers as wide, and of truth values, all of one length
///
/// Each method gets the format of its operands.
pub trait Rows {
    /// A row
    type V: Copy;
    /// The same float in each lane
    fn real(&self, format: Format, value: f64) -> Self::V;
    /// The same integer in each lane
    fn int(&self, format: Format, value: i64) -> Self::V;
    /// An op of floats
    fn float_op(&self, format: Format, op: FloatOp, a: Self::V, b: Self::V) -> Self::V;
    /// An op of integers
    fn int_op(&self, format: Format, op: IntOp, a: Self::V, b: Self::V) -> Self::V;
    /// `a * b + c`, rounded once where that is fast
    fn fma(&self, format: Format, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a * b + c`, rounded once; `None` where that is no op of the processor
    fn fused(&self, format: Format, a: Self::V, b: Self::V, c: Self::V) -> Option<Self::V>;
    /// Square root
    fn sqrt(&self, format: Format, x: Self::V) -> Self::V;
    /// One over the square root, to 14 bits, at its ends too; `None` where that is no op of the processor
    fn rsqrt_estimate(&self, format: Format, x: Self::V) -> Option<Self::V>;
    /// Floats of this format in the other
    fn convert(&self, from: Format, x: Self::V) -> Self::V;
    /// Bits of floats
    fn bits(&self, format: Format, x: Self::V) -> Self::V;
    /// Floats of these bits
    fn of_bits(&self, format: Format, x: Self::V) -> Self::V;
    /// Without sign
    fn abs(&self, format: Format, x: Self::V) -> Self::V;
    /// With the sign of another
    fn copysign(&self, format: Format, x: Self::V, sign: Self::V) -> Self::V;
    /// Lanes in which floats compare so
    fn compare(&self, format: Format, pred: Pred, a: Self::V, b: Self::V) -> Self::V;
    /// Lanes in which both hold
    fn both(&self, format: Format, a: Self::V, b: Self::V) -> Self::V;
    /// Lanes in which one holds
    fn either(&self, format: Format, a: Self::V, b: Self::V) -> Self::V;
    /// `yes` in the lanes where `mask` holds, else `no`
    fn select(&self, format: Format, mask: Self::V, yes: Self::V, no: Self::V) -> Self::V;
    /// `x` times 2 to the power of the integers `n`, rounded once, and 0 without rounding where `zero` holds; `None` where that is no op
    /// of the processor
    fn scaled(&self, format: Format, x: Self::V, n: Self::V, zero: Option<Self::V>) -> Option<Self::V>;
    /// Is there such an op?
    fn scales(&self, format: Format) -> bool;
    /// `e` and `m` between ¾ and 1½ of x = m · 2^e; `None` where that is no op of the processor
    ///
    /// `m` is NaN below zero, and one of zero and infinity, whose `e` are infinite.
    fn exponent_and_significand(&self, format: Format, x: Self::V) -> Option<(Self::V, Self::V)>;
    /// The library's function of `x` in the lanes where `mask` holds, which is rare, else `no`
    fn library(&self, format: Format, mask: Self::V, name: &str, x: Self::V, no: Self::V) -> Self::V;
}
