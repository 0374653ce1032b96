//! Ops of integers, and questions about floats.

use terrace_dialect_arith::FastMathFlags;
use terrace_ir::rules::{BoolLike, FloatLike, IntLike};
use terrace_macros::op;

macro_rules! unary {
    ($(#[$doc:meta])* $name:ident $text:tt) => {
        $(#[$doc])*
        #[op($text, traits(Pure, Elementwise), relations(same(operand, result)), hooks(fold),
             interfaces(terrace_interp::Interpret))]
        #[asm("$operand attr-dict `:` type($result)")]
        pub struct $name {
            operand: IntLike,
            #[result]
            result: IntLike,
        }
    };
}

macro_rules! question {
    ($(#[$doc:meta])* $name:ident $text:tt) => {
        $(#[$doc])*
        #[op($text, traits(Pure, Elementwise), relations(bool_like(operand => result)), hooks(fold),
             interfaces(terrace_interp::Interpret))]
        #[asm("$operand attr-dict `:` type($operand)")]
        pub struct $name {
            operand: FloatLike,
            #[attr(default = FastMathFlags::none)]
            fastmath: FastMathFlags,
            #[result]
            result: BoolLike,
        }
    };
}

unary! {
    /// Absolute value; the least integer gives itself
    ///
    /// ```mlir
    /// func.func @f(%x: i32) -> i32 {
    ///   %r = math.absi %x : i32
    ///   return %r : i32
    /// }
    /// ```
    AbsI "math.absi"
}
unary! {
    /// Number of zero bits above the highest one
    ///
    /// ```mlir
    /// func.func @f(%x: i32) -> i32 {
    ///   %r = math.ctlz %x : i32
    ///   return %r : i32
    /// }
    /// ```
    CountLeadingZeros "math.ctlz"
}
unary! {
    /// Number of zero bits below the lowest one
    ///
    /// ```mlir
    /// func.func @f(%x: i32) -> i32 {
    ///   %r = math.cttz %x : i32
    ///   return %r : i32
    /// }
    /// ```
    CountTrailingZeros "math.cttz"
}
unary! {
    /// Number of bits that are one
    ///
    /// ```mlir
    /// func.func @f(%x: i32) -> i32 {
    ///   %r = math.ctpop %x : i32
    ///   return %r : i32
    /// }
    /// ```
    CtPop "math.ctpop"
}
question! {
    /// Neither infinite nor NaN?
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> i1 {
    ///   %r = math.isfinite %x : f32
    ///   return %r : i1
    /// }
    /// ```
    IsFinite "math.isfinite"
}
question! {
    /// Infinite?
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> i1 {
    ///   %r = math.isinf %x : f32
    ///   return %r : i1
    /// }
    /// ```
    IsInf "math.isinf"
}
question! {
    /// NaN?
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> i1 {
    ///   %r = math.isnan %x : f32
    ///   return %r : i1
    /// }
    /// ```
    IsNaN "math.isnan"
}
question! {
    /// Neither zero, subnormal, infinite nor NaN?
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> i1 {
    ///   %r = math.isnormal %x : f32
    ///   return %r : i1
    /// }
    /// ```
    IsNormal "math.isnormal"
}

/// An integer to a signed integer power, modulo 2^width
///
/// ```mlir
/// func.func @f(%x: i32) -> i32 {
///   %r = math.ipowi %x, %x : i32
///   return %r : i32
/// }
/// ```
#[op(
    "math.ipowi",
    traits(Pure, Elementwise),
    relations(same(lhs, rhs, result)),
    hooks(fold),
    interfaces(terrace_interp::Interpret)
)]
#[asm("$lhs `,` $rhs attr-dict `:` type($result)")]
pub struct IPowI {
    lhs: IntLike,
    rhs: IntLike,
    #[result]
    result: IntLike,
}
