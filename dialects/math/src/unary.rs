//! Ops of one float: the same macro for all, since they differ in meaning only.

use terrace_dialect_arith::FastMathFlags;
use terrace_ir::rules::FloatLike;
use terrace_macros::op;

macro_rules! unary {
    ($(#[$doc:meta])* $name:ident $text:tt [$($cost:ident)?] hooks($($hook:ident)?)) => {
        $(#[$doc])*
        #[op($text, traits(Pure, Elementwise, $($cost)?), relations(same(operand, result)), hooks($($hook)?),
             interfaces(terrace_interp::Interpret))]
        #[asm("$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")]
        pub struct $name {
            operand: FloatLike,
            #[attr(default = FastMathFlags::none)]
            fastmath: FastMathFlags,
            #[result]
            result: FloatLike,
        }
    };
}

unary! {
    /// Absolute value
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.absf %x : f32
    ///   return %r : f32
    /// }
    /// ```
    AbsF "math.absf" [] hooks(fold)
}
unary! {
    /// Arc cosine
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.acos %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Acos "math.acos" [LibraryCall] hooks(fold)
}
unary! {
    /// Inverse hyperbolic cosine
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.acosh %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Acosh "math.acosh" [LibraryCall] hooks(fold)
}
unary! {
    /// Arc sine
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.asin %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Asin "math.asin" [LibraryCall] hooks(fold)
}
unary! {
    /// Inverse hyperbolic sine
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.asinh %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Asinh "math.asinh" [LibraryCall] hooks(fold)
}
unary! {
    /// Arc tangent
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.atan %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Atan "math.atan" [LibraryCall] hooks(fold)
}
unary! {
    /// Inverse hyperbolic tangent
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.atanh %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Atanh "math.atanh" [LibraryCall] hooks(fold)
}
unary! {
    /// Cube root
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.cbrt %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Cbrt "math.cbrt" [LibraryCall] hooks(fold)
}
unary! {
    /// Next integer above or equal
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.ceil %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Ceil "math.ceil" [LibraryCall] hooks(fold)
}
unary! {
    /// Cosine
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.cos %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Cos "math.cos" [LibraryCall] hooks(fold)
}
unary! {
    /// Hyperbolic cosine
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.cosh %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Cosh "math.cosh" [LibraryCall] hooks(fold)
}
unary! {
    /// Error function
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.erf %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Erf "math.erf" [LibraryCall] hooks(fold)
}
unary! {
    /// One less the error function
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.erfc %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Erfc "math.erfc" [LibraryCall] hooks(fold)
}
unary! {
    /// e to a power
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.exp %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Exp "math.exp" [LibraryCall] hooks(fold)
}
unary! {
    /// 2 to a power
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.exp2 %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Exp2 "math.exp2" [LibraryCall] hooks(fold)
}
unary! {
    /// e to a power, less one
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.expm1 %x : f32
    ///   return %r : f32
    /// }
    /// ```
    ExpM1 "math.expm1" [LibraryCall] hooks(fold)
}
unary! {
    /// Next integer below or equal
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.floor %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Floor "math.floor" [LibraryCall] hooks(fold)
}
unary! {
    /// Natural logarithm
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.log %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Log "math.log" [LibraryCall] hooks(fold)
}
unary! {
    /// Logarithm to base 10
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.log10 %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Log10 "math.log10" [LibraryCall] hooks(fold)
}
unary! {
    /// Natural logarithm of one more than the operand
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.log1p %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Log1p "math.log1p" [LibraryCall] hooks(fold)
}
unary! {
    /// Logarithm to base 2
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.log2 %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Log2 "math.log2" [LibraryCall] hooks(fold)
}
unary! {
    /// Nearest integer, halves away from zero
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.round %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Round "math.round" [LibraryCall] hooks(fold)
}
unary! {
    /// Nearest integer, halves to even
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.roundeven %x : f32
    ///   return %r : f32
    /// }
    /// ```
    RoundEven "math.roundeven" [LibraryCall] hooks(fold)
}
unary! {
    /// One over the square root
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.rsqrt %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Rsqrt "math.rsqrt" [LibraryCall] hooks(fold)
}
unary! {
    /// Sine
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.sin %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Sin "math.sin" [LibraryCall] hooks(fold)
}
unary! {
    /// Hyperbolic sine
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.sinh %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Sinh "math.sinh" [LibraryCall] hooks(fold)
}
unary! {
    /// Square root
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.sqrt %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Sqrt "math.sqrt" [Divides] hooks(fold)
}
unary! {
    /// Tangent
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.tan %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Tan "math.tan" [LibraryCall] hooks(fold)
}
unary! {
    /// Hyperbolic tangent
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.tanh %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Tanh "math.tanh" [LibraryCall] hooks(fold)
}
unary! {
    /// Nearest integer toward zero
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = math.trunc %x : f32
    ///   return %r : f32
    /// }
    /// ```
    Trunc "math.trunc" [LibraryCall] hooks(fold)
}
