//! Rows of floats and of integers as values with operators: formulas read as on paper, and each back end writes the ops down.

use super::rows::{FloatOp, Format, IntOp, Pred, Rows};
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};

/// A row of something
pub(super) struct Row<'r, R: Rows, K> {
    pub(super) rows: &'r R,
    pub(super) format: Format,
    pub(super) v: R::V,
    kind: std::marker::PhantomData<K>,
}

impl<R: Rows, K> Clone for Row<'_, R, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Rows, K> Copy for Row<'_, R, K> {}

/// Marks rows of floats
pub(super) struct Float;
/// Marks rows of integers
pub(super) struct Int;
/// Marks rows of truth values
pub(super) struct Truth;

/// Coefficients of polynomials that are computed as two
const LONG: usize = 8;

/// A row of floats
pub(super) type X<'r, R> = Row<'r, R, Float>;
/// A row of integers as wide as the floats
pub(super) type N<'r, R> = Row<'r, R, Int>;
/// Lanes in which something holds
pub(super) type Mask<'r, R> = Row<'r, R, Truth>;

/// A row, or the number in each of its lanes
pub(super) trait Operand<'r, R: Rows> {
    /// The row, next to another
    fn row(self, next_to: X<'r, R>) -> X<'r, R>;
}

impl<'r, R: Rows> Operand<'r, R> for X<'r, R> {
    fn row(self, _: X<'r, R>) -> X<'r, R> {
        self
    }
}

impl<'r, R: Rows> Operand<'r, R> for f64 {
    fn row(self, next_to: X<'r, R>) -> X<'r, R> {
        next_to.make(next_to.rows.real(next_to.format, self))
    }
}

impl<'r, R: Rows, K> Row<'r, R, K> {
    pub(super) fn new(rows: &'r R, format: Format, v: R::V) -> Self {
        Row { rows, format, v, kind: std::marker::PhantomData }
    }

    fn make<L>(self, v: R::V) -> Row<'r, R, L> {
        Row::new(self.rows, self.format, v)
    }
}

impl<'r, R: Rows> X<'r, R> {
    fn op(self, op: FloatOp, other: impl Operand<'r, R>) -> Self {
        self.make(self.rows.float_op(self.format, op, self.v, other.row(self).v))
    }

    /// A number in each lane
    pub(super) fn number(self, value: f64) -> Self {
        value.row(self)
    }

    /// `self * b + c`
    pub(super) fn fma(self, b: impl Operand<'r, R>, c: impl Operand<'r, R>) -> Self {
        self.make(self.rows.fma(self.format, self.v, b.row(self).v, c.row(self).v))
    }

    /// `self * b + c`, rounded once, where that is an op
    pub(super) fn fused(self, b: Self, c: Self) -> Option<Self> {
        self.rows.fused(self.format, self.v, b.v, c.v).map(|v| self.make(v))
    }

    /// Times 2 to the power of the integers `n`, rounded once, where that is an op; zero in lanes that are not wanted, whatever is there
    pub(super) fn scaled(self, n: Self, zero: Option<Mask<'r, R>>) -> Option<Self> {
        self.rows.scaled(self.format, self.v, n.v, zero.map(|zero| zero.v)).map(|v| self.make(v))
    }

    /// Is there an op for that?
    pub(super) fn scales(self) -> bool {
        self.rows.scales(self.format)
    }

    /// The exponent and the significand, where there are ops for them
    pub(super) fn exponent_and_significand(self) -> Option<(Self, Self)> {
        let (exponent, significand) = self.rows.exponent_and_significand(self.format, self.v)?;
        Some((self.make(exponent), self.make(significand)))
    }

    /// Between bounds; NaN stays
    pub(super) fn clamped(self, [least, most]: [f64; 2]) -> Self {
        let x = self.replace(self.gt(most), most);
        x.replace(x.lt(least), least)
    }

    /// Powers of it by coefficients of the format, highest first
    pub(super) fn polynomial(self, coefficients: &Coefficients) -> Self {
        self.polynomial_of(self.format.pick(coefficients.single, coefficients.double))
    }

    /// Powers of it by coefficients, highest first: of long polynomials the even ones and the odd ones at once, which wait for fewer
    /// products
    pub(super) fn polynomial_of(self, coefficients: &[f64]) -> Self {
        if coefficients.len() < LONG {
            return self.powers(coefficients.iter());
        }
        self.even_and_odd(self * self, coefficients)
    }

    /// Powers of it by coefficients, highest first, where its square is there
    pub(super) fn even_and_odd(self, square: Self, coefficients: &[f64]) -> Self {
        let odd = coefficients.len() % 2;
        let every_second = |from: usize| square.powers(coefficients[from..].iter().step_by(2));
        every_second(odd).fma(self, every_second(1 - odd))
    }

    /// Powers of it by Horner's rule
    fn powers<'c>(self, mut coefficients: impl Iterator<Item = &'c f64>) -> Self {
        let highest = coefficients.next().copied().unwrap_or_default();
        coefficients.fold(highest.row(self), |sum, c| sum.fma(self, *c))
    }

    pub(super) fn sqrt(self) -> Self {
        self.make(self.rows.sqrt(self.format, self.v))
    }

    /// One over the square root to 14 bits, where that is an op
    pub(super) fn rsqrt_estimate(self) -> Option<Self> {
        self.rows.rsqrt_estimate(self.format, self.v).map(|v| self.make(v))
    }

    pub(super) fn abs(self) -> Self {
        self.make(self.rows.abs(self.format, self.v))
    }

    pub(super) fn copysign(self, sign: Self) -> Self {
        self.make(self.rows.copysign(self.format, self.v, sign.v))
    }

    /// In f64
    pub(super) fn widened(self) -> Self {
        match self.format {
            Format::Single => Row::new(self.rows, Format::Double, self.rows.convert(self.format, self.v)),
            Format::Double => self,
        }
    }

    /// Rounded into a format
    pub(super) fn rounded_to(self, format: Format) -> Self {
        if self.format == format {
            return self;
        }
        Row::new(self.rows, format, self.rows.convert(self.format, self.v))
    }

    pub(super) fn bits(self) -> N<'r, R> {
        self.make(self.rows.bits(self.format, self.v))
    }

    fn compare(self, pred: Pred, other: impl Operand<'r, R>) -> Mask<'r, R> {
        self.make(self.rows.compare(self.format, pred, self.v, other.row(self).v))
    }

    /// Where it is less
    pub(super) fn lt(self, other: impl Operand<'r, R>) -> Mask<'r, R> {
        self.compare(Pred::Less, other)
    }

    /// Where it is greater
    pub(super) fn gt(self, other: impl Operand<'r, R>) -> Mask<'r, R> {
        self.compare(Pred::Greater, other)
    }

    /// Where it is greater or equal
    pub(super) fn ge(self, other: impl Operand<'r, R>) -> Mask<'r, R> {
        self.compare(Pred::GreaterOrEqual, other)
    }

    /// Where it is equal
    pub(super) fn eq(self, other: impl Operand<'r, R>) -> Mask<'r, R> {
        self.compare(Pred::Equal, other)
    }

    /// Another value where something holds
    pub(super) fn replace(self, mask: Mask<'r, R>, with: impl Operand<'r, R>) -> Self {
        self.make(self.rows.select(self.format, mask.v, with.row(self).v, self.v))
    }

    /// The library's function of `x` where something holds, which is rare
    pub(super) fn by_library(self, mask: Mask<'r, R>, name: &str, x: Self) -> Self {
        self.make(self.rows.library(self.format, mask.v, name, x.v, self.v))
    }

    /// A number that rounds sums with it to integers, which are then the low bits: 1.5 · 2^(bits of the fraction)
    pub(super) fn rounder(self) -> f64 {
        self.format.pick(12_582_912.0, 6_755_399_441_055_744.0)
    }
}

impl<'r, R: Rows> N<'r, R> {
    fn op(self, op: IntOp, other: R::V) -> Self {
        self.make(self.rows.int_op(self.format, op, self.v, other))
    }

    fn lanes(self, value: i64) -> R::V {
        self.rows.int(self.format, value)
    }

    /// A number in each lane
    pub(super) fn number(self, value: i64) -> Self {
        self.make(self.lanes(value))
    }

    /// Floats of these bits
    pub(super) fn float(self) -> X<'r, R> {
        self.make(self.rows.of_bits(self.format, self.v))
    }

    /// Shifted up
    pub(super) fn up(self, bits: u32) -> Self {
        self.op(IntOp::Up, self.lanes(bits.into()))
    }

    /// Shifted down, the sign kept
    pub(super) fn down(self, bits: u32) -> Self {
        self.op(IntOp::Down, self.lanes(bits.into()))
    }

    /// More by a number
    pub(super) fn plus(self, value: i64) -> Self {
        self.op(IntOp::Add, self.lanes(value))
    }

    /// Less by a number
    pub(super) fn minus(self, value: i64) -> Self {
        self.op(IntOp::Sub, self.lanes(value))
    }

    /// 2 to this power, which is normal
    pub(super) fn power_of_two(self) -> X<'r, R> {
        self.plus(self.format.bias()).up(self.format.fraction()).float()
    }

    /// The small integers as floats
    pub(super) fn value(self) -> X<'r, R> {
        let rounder = self.format.pick(12_582_912.0, 6_755_399_441_055_744.0);
        self.plus(self.format.encode(rounder)).float() - rounder
    }
}

impl<'r, R: Rows> Sub for N<'r, R> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.op(IntOp::Sub, other.v)
    }
}

impl<'r, R: Rows> BitXor for N<'r, R> {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        self.op(IntOp::Xor, other.v)
    }
}

impl<'r, R: Rows> BitAnd for Mask<'r, R> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        self.make(self.rows.both(self.format, self.v, other.v))
    }
}

impl<'r, R: Rows> BitOr for Mask<'r, R> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.make(self.rows.either(self.format, self.v, other.v))
    }
}

impl<'r, R: Rows, O: Operand<'r, R>> Add<O> for X<'r, R> {
    type Output = Self;
    fn add(self, other: O) -> Self {
        self.op(FloatOp::Add, other)
    }
}

impl<'r, R: Rows, O: Operand<'r, R>> Sub<O> for X<'r, R> {
    type Output = Self;
    fn sub(self, other: O) -> Self {
        self.op(FloatOp::Sub, other)
    }
}

impl<'r, R: Rows, O: Operand<'r, R>> Mul<O> for X<'r, R> {
    type Output = Self;
    fn mul(self, other: O) -> Self {
        self.op(FloatOp::Mul, other)
    }
}

impl<'r, R: Rows, O: Operand<'r, R>> Div<O> for X<'r, R> {
    type Output = Self;
    fn div(self, other: O) -> Self {
        self.op(FloatOp::Div, other)
    }
}

impl<'r, R: Rows> Neg for X<'r, R> {
    type Output = Self;
    fn neg(self) -> Self {
        (-0.0).row(self) - self
    }
}

/// Coefficients of a polynomial for each format, highest power first
pub(super) struct Coefficients {
    pub(super) single: &'static [f64],
    pub(super) double: &'static [f64],
}
