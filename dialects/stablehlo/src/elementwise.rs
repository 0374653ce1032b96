//! Ops that work on each element: of one, two or three tensors.
//!
//! Their text is one type where all operands and results have it, and a function type otherwise.

use super::types::{
    AnyHlo, ComplexTensor, FloatComplexTensor, FloatTensor, IntTensor, NumberTensor, PredOrIntTensor,
    PredTensor, SignedTensor, WideFloatTensor,
};
use super::{ComparisonDirection, ComparisonType, ResultAccuracyRule};

use terrace_interp::Interpret;
use terrace_ir::rules::I32Attr;
use terrace_macros::op;
use terrace_text::CustomAsm;

macro_rules! unary {
    ($(#[$doc:meta])* $name:ident $text:tt $rule:ident [$($cost:ident)?]) => {
        $(#[$doc])*
        #[op($text, traits(Pure, Elementwise, $($cost)?), hooks(verify), interfaces(CustomAsm, Interpret))]
        pub struct $name {
            operand: $rule,
            #[result]
            result: $rule,
        }
    };
}

macro_rules! function {
    ($(#[$doc:meta])* $name:ident $text:tt [$($cost:ident)?]) => {
        $(#[$doc])*
        #[op($text, traits(Pure, Elementwise, $($cost)?), hooks(verify), interfaces(CustomAsm, Interpret))]
        pub struct $name {
            operand: FloatComplexTensor,
            #[attr(optional)]
            result_accuracy: ResultAccuracyRule,
            #[result]
            result: FloatComplexTensor,
        }
    };
}

macro_rules! binary {
    ($(#[$doc:meta])* $name:ident $text:tt $rule:ident [$($word:ident)?]) => {
        $(#[$doc])*
        #[op($text, traits(Pure, Elementwise, $($word)?), hooks(verify), interfaces(CustomAsm, Interpret))]
        pub struct $name {
            lhs: $rule,
            rhs: $rule,
            #[result]
            result: $rule,
        }
    };
}

unary! {
    /// Absolute value; of a complex number its distance from zero
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.abs %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Abs "stablehlo.abs" SignedTensor []
}
unary! {
    /// Next integer above or equal
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.ceil %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Ceil "stablehlo.ceil" FloatTensor []
}
unary! {
    /// Number of leading zero bits
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xi32>) -> tensor<4x5xi32> {
    ///   %r = stablehlo.count_leading_zeros %x : tensor<4x5xi32>
    ///   return %r : tensor<4x5xi32>
    /// }
    /// ```
    CountLeadingZeros "stablehlo.count_leading_zeros" IntTensor []
}
unary! {
    /// Next integer below or equal
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.floor %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Floor "stablehlo.floor" FloatTensor []
}
unary! {
    /// The number with the other sign; integers wrap
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.negate %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Negate "stablehlo.negate" NumberTensor []
}
unary! {
    /// Logical not of booleans, bit by bit of integers
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xi32>) -> tensor<4x5xi32> {
    ///   %r = stablehlo.not %x : tensor<4x5xi32>
    ///   return %r : tensor<4x5xi32>
    /// }
    /// ```
    Not "stablehlo.not" PredOrIntTensor []
}
unary! {
    /// Number of bits that are set
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xi32>) -> tensor<4x5xi32> {
    ///   %r = stablehlo.popcnt %x : tensor<4x5xi32>
    ///   return %r : tensor<4x5xi32>
    /// }
    /// ```
    PopulationCount "stablehlo.popcnt" IntTensor []
}
unary! {
    /// Nearest integer, halves away from zero
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.round_nearest_afz %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    RoundNearestAfz "stablehlo.round_nearest_afz" FloatTensor []
}
unary! {
    /// Nearest integer, halves to the even one
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.round_nearest_even %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    RoundNearestEven "stablehlo.round_nearest_even" FloatTensor []
}
unary! {
    /// -1, 0 or 1; zeros and NaN stay what they are
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.sign %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Sign "stablehlo.sign" SignedTensor []
}
function! {
    /// Cube root
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.cbrt %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Cbrt "stablehlo.cbrt" [LibraryCall]
}
function! {
    /// Cosine
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.cosine %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Cosine "stablehlo.cosine" [LibraryCall]
}
function! {
    /// e to the operand
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.exponential %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Exponential "stablehlo.exponential" [LibraryCall]
}
function! {
    /// e to the operand, less one, exact near zero
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.exponential_minus_one %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    ExponentialMinusOne "stablehlo.exponential_minus_one" [LibraryCall]
}
function! {
    /// Natural logarithm
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.log %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Log "stablehlo.log" [LibraryCall]
}
function! {
    /// Natural logarithm of the operand and one, exact near zero
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.log_plus_one %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    LogPlusOne "stablehlo.log_plus_one" [LibraryCall]
}
function! {
    /// The sigmoid: 1 / (1 + e to the negated operand)
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.logistic %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Logistic "stablehlo.logistic" [LibraryCall]
}
function! {
    /// One over the square root
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.rsqrt %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Rsqrt "stablehlo.rsqrt" [Divides]
}
function! {
    /// Sine
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.sine %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Sine "stablehlo.sine" [LibraryCall]
}
function! {
    /// Square root
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.sqrt %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Sqrt "stablehlo.sqrt" [Divides]
}
function! {
    /// Tangent
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.tan %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Tan "stablehlo.tan" [LibraryCall]
}
function! {
    /// Hyperbolic tangent
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.tanh %x : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Tanh "stablehlo.tanh" [LibraryCall]
}
binary! {
    /// Sum; of booleans the logical or. Integers wrap
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.add %x, %y : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Add "stablehlo.add" AnyHlo [Commutative]
}
binary! {
    /// Logical and of booleans, bit by bit of integers
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xi32>, %y: tensor<4x5xi32>) -> tensor<4x5xi32> {
    ///   %r = stablehlo.and %x, %y : tensor<4x5xi32>
    ///   return %r : tensor<4x5xi32>
    /// }
    /// ```
    And "stablehlo.and" PredOrIntTensor [Commutative]
}
binary! {
    /// Angle of the point (rhs, lhs)
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.atan2 %x, %y : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Atan2 "stablehlo.atan2" FloatComplexTensor [LibraryCall]
}
binary! {
    /// Quotient; of integers towards zero, -1 for a divisor of zero
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.divide %x, %y : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Divide "stablehlo.divide" NumberTensor [Divides]
}
binary! {
    /// The larger; NaN if one is. Of booleans the logical or
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.maximum %x, %y : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Maximum "stablehlo.maximum" AnyHlo [Commutative]
}
binary! {
    /// The smaller; NaN if one is. Of booleans the logical and
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.minimum %x, %y : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Minimum "stablehlo.minimum" AnyHlo [Commutative]
}
binary! {
    /// Product; of booleans the logical and. Integers wrap
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.multiply %x, %y : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Multiply "stablehlo.multiply" AnyHlo [Commutative]
}
binary! {
    /// Logical or of booleans, bit by bit of integers
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xi32>, %y: tensor<4x5xi32>) -> tensor<4x5xi32> {
    ///   %r = stablehlo.or %x, %y : tensor<4x5xi32>
    ///   return %r : tensor<4x5xi32>
    /// }
    /// ```
    Or "stablehlo.or" PredOrIntTensor [Commutative]
}
binary! {
    /// lhs to the rhs
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.power %x, %y : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Power "stablehlo.power" NumberTensor [LibraryCall]
}
binary! {
    /// Remainder of the division, with the sign of the dividend
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.remainder %x, %y : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Remainder "stablehlo.remainder" NumberTensor [Divides]
}
binary! {
    /// Bits to the left; zero if it is by the width or more
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xi32>, %y: tensor<4x5xi32>) -> tensor<4x5xi32> {
    ///   %r = stablehlo.shift_left %x, %y : tensor<4x5xi32>
    ///   return %r : tensor<4x5xi32>
    /// }
    /// ```
    ShiftLeft "stablehlo.shift_left" IntTensor []
}
binary! {
    /// Bits to the right, the sign from the left
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xi32>, %y: tensor<4x5xi32>) -> tensor<4x5xi32> {
    ///   %r = stablehlo.shift_right_arithmetic %x, %y : tensor<4x5xi32>
    ///   return %r : tensor<4x5xi32>
    /// }
    /// ```
    ShiftRightArithmetic "stablehlo.shift_right_arithmetic" IntTensor []
}
binary! {
    /// Bits to the right, zeros from the left
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xi32>, %y: tensor<4x5xi32>) -> tensor<4x5xi32> {
    ///   %r = stablehlo.shift_right_logical %x, %y : tensor<4x5xi32>
    ///   return %r : tensor<4x5xi32>
    /// }
    /// ```
    ShiftRightLogical "stablehlo.shift_right_logical" IntTensor []
}
binary! {
    /// Difference; integers wrap
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = stablehlo.subtract %x, %y : tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Subtract "stablehlo.subtract" NumberTensor []
}
binary! {
    /// Exclusive or of booleans, bit by bit of integers
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4x5xi32>, %y: tensor<4x5xi32>) -> tensor<4x5xi32> {
    ///   %r = stablehlo.xor %x, %y : tensor<4x5xi32>
    ///   return %r : tensor<4x5xi32>
    /// }
    /// ```
    Xor "stablehlo.xor" PredOrIntTensor [Commutative]
}

/// The number in another element type
///
/// Floats become integers towards zero, and integers floats rounded to nearest; booleans are 0 and 1.
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
///   %r = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
///   %s = stablehlo.convert %x : tensor<4xf32>
///   return %r, %s : tensor<4xi32>, tensor<4xf32>
/// }
/// ```
#[op("stablehlo.convert", traits(Pure, Elementwise), hooks(verify), interfaces(Interpret, CustomAsm))]
pub struct Convert {
    operand: AnyHlo,
    #[result]
    result: AnyHlo,
}

/// The same float with fewer bits of exponent and mantissa
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
///   %r = stablehlo.reduce_precision %x, format = e5m10 : tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.reduce_precision", traits(Pure, Elementwise), hooks(verify), interfaces(CustomAsm))]
pub struct ReducePrecision {
    operand: FloatTensor,
    #[attr]
    exponent_bits: I32Attr,
    #[attr]
    mantissa_bits: I32Attr,
    #[result]
    output: FloatTensor,
}

/// Is the number neither infinite nor NaN?
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> tensor<4xi1> {
///   %r = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
///   return %r : tensor<4xi1>
/// }
/// ```
#[op("stablehlo.is_finite", traits(Pure, Elementwise), hooks(verify), interfaces(Interpret))]
#[asm("operands attr-dict `:` functional-type(operands, results)")]
pub struct IsFinite {
    x: FloatTensor,
    #[result]
    y: PredTensor,
}

/// Comparison in a direction; `TOTALORDER` orders all floats, also zeros and NaN
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
///   %r = stablehlo.compare LT, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
///   return %r : tensor<4xi1>
/// }
/// ```
#[op("stablehlo.compare", traits(Pure, Elementwise), hooks(verify), interfaces(Interpret))]
#[asm(
    "$comparison_direction `,` $lhs `,` $rhs (`,` $compare_type^)? attr-dict `:` functional-type(operands, results)"
)]
pub struct Compare {
    lhs: AnyHlo,
    rhs: AnyHlo,
    #[attr]
    comparison_direction: ComparisonDirection,
    #[attr(optional)]
    compare_type: ComparisonType,
    #[result]
    result: PredTensor,
}

/// Elements of one tensor where a predicate holds, of the other where not; a predicate of no dimensions chooses the whole
///
/// ```mlir
/// func.func @f(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
///   %r = stablehlo.select %p, %x, %y : tensor<4xi1>, tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.select", traits(Pure, Elementwise), hooks(verify), interfaces(Interpret, CustomAsm))]
pub struct Select {
    pred: PredTensor,
    on_true: AnyHlo,
    on_false: AnyHlo,
    #[result]
    result: AnyHlo,
}

/// The number, but not below a least and not above a largest one
///
/// ```mlir
/// func.func @f(%l: tensor<f32>, %x: tensor<4xf32>, %h: tensor<f32>) -> tensor<4xf32> {
///   %r = stablehlo.clamp %l, %x, %h : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.clamp", traits(Pure), hooks(verify), interfaces(Interpret, CustomAsm))]
pub struct Clamp {
    min: AnyHlo,
    operand: AnyHlo,
    max: AnyHlo,
    #[result]
    result: AnyHlo,
}

/// A complex number of its parts
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xcomplex<f32>> {
///   %r = stablehlo.complex %x, %y : tensor<4xcomplex<f32>>
///   return %r : tensor<4xcomplex<f32>>
/// }
/// ```
#[op("stablehlo.complex", traits(Pure, Elementwise), hooks(verify), interfaces(CustomAsm))]
pub struct Complex {
    lhs: WideFloatTensor,
    rhs: WideFloatTensor,
    #[result]
    result: ComplexTensor,
}

/// The real part
///
/// ```mlir
/// func.func @f(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
///   %r = stablehlo.real %x : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.real", traits(Pure, Elementwise), hooks(verify), interfaces(CustomAsm))]
pub struct Real {
    operand: FloatComplexTensor,
    #[result]
    result: FloatTensor,
}

/// The imaginary part
///
/// ```mlir
/// func.func @f(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
///   %r = stablehlo.imag %x : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.imag", traits(Pure, Elementwise), hooks(verify), interfaces(CustomAsm))]
pub struct Imag {
    operand: FloatComplexTensor,
    #[result]
    result: FloatTensor,
}
