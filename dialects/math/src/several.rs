//! Ops of two or three floats, and of a float and an integer.

use terrace_dialect_arith::FastMathFlags;
use terrace_ir::rules::{FloatLike, IntLike};
use terrace_macros::op;

/// An op of floats of one type; the names of operands and the syntax vary
macro_rules! floats {
    ($(#[$doc:meta])* $name:ident $text:tt [$($operand:ident),*] [$($cost:ident)?] hooks($($hook:ident)?) $asm:tt) => {
        $(#[$doc])*
        #[op($text, traits(Pure, Elementwise, $($cost)?), relations(same($($operand),*, result)),
             hooks($($hook)?), interfaces(terrace_interp::Interpret))]
        #[asm($asm)]
        pub struct $name {
            $($operand: FloatLike,)*
            #[attr(default = FastMathFlags::none)]
            fastmath: FastMathFlags,
            #[result]
            result: FloatLike,
        }
    };
}

floats! {
    /// Arc tangent of a quotient, by the quadrant of the point
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.atan2 %x, %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Atan2 "math.atan2" [lhs, rhs] [LibraryCall] hooks(fold)
    "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
}
floats! {
    /// A value kept between two bounds
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.clampf %x to [%x, %x] : f32
    ///   return %r : f32
    /// }
    /// ```
    ClampF "math.clampf" [value, min, max] [LibraryCall] hooks()
    "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
}
floats! {
    /// Magnitude of the first, sign of the second
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.copysign %x, %x : f32
    ///   return %r : f32
    /// }
    /// ```
    CopySign "math.copysign" [lhs, rhs] [LibraryCall] hooks(fold)
    "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
}
floats! {
    /// Product and sum, rounded once
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.fma %x, %x, %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Fma "math.fma" [a, b, c] [] hooks(fold)
    "$a `,` $b `,` $c (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
}
floats! {
    /// A float to a float power
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.powf %x, %x : f32
    ///   return %r : f32
    /// }
    /// ```
    PowF "math.powf" [lhs, rhs] [LibraryCall] hooks(fold)
    "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
}

/// A float to a signed integer power
///
/// ```mlir
/// func.func @f(%x: f32, %n: i32) -> f32 {
///   %r = math.fpowi %x, %n : f32, i32
///   return %r : f32
/// }
/// ```
#[op(
    "math.fpowi",
    traits(Pure, Elementwise, LibraryCall),
    relations(same(lhs, result), same_shape(lhs, rhs)),
    interfaces(terrace_interp::Interpret)
)]
#[asm("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs)")]
pub struct FPowI {
    lhs: FloatLike,
    rhs: IntLike,
    #[attr(default = FastMathFlags::none)]
    fastmath: FastMathFlags,
    #[result]
    result: FloatLike,
}

/// Sine and cosine together
///
/// ```mlir
/// func.func @f(%x: f32) -> (f32, f32) {
///   %s, %c = math.sincos %x : f32
///   return %s, %c : f32, f32
/// }
/// ```
#[op(
    "math.sincos",
    traits(Pure, Elementwise, LibraryCall),
    relations(same(operand, sin, cos)),
    interfaces(terrace_interp::Interpret)
)]
#[asm("$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)")]
pub struct Sincos {
    operand: FloatLike,
    #[attr(default = FastMathFlags::none)]
    fastmath: FastMathFlags,
    #[result]
    sin: FloatLike,
    #[result]
    cos: FloatLike,
}
