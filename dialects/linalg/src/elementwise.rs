//! Ops on elements: all operands have one shape.

use super::named::named;
use super::spec::{Binary, Unary};
use terrace_ir::rules::{AnyRankedTensor, AnyShaped, AnyType};
use terrace_macros::op;

named! {
    /// Absolute value of each element
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.abs ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Abs "linalg.abs" "*" ["*", "*"] Body::Unary(Unary::Abs) {}
    /// Sums of elements
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.add ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Add "linalg.add" "*" ["*", "*", "*"] Body::Binary(Binary::Add) {}
    /// Each element rounded up
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.ceil ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Ceil "linalg.ceil" "*" ["*", "*"] Body::Unary(Unary::Ceil) {}
    /// The same elements
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.copy ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Copy "linalg.copy" "*" ["*", "*"] Body::Copy {}
    /// Quotients of elements
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.div ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Div "linalg.div" "*" ["*", "*", "*"] Body::Binary(Binary::Div) {}
    /// Quotients of elements without sign
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xi32>, %b: tensor<2x3xi32>, %o: tensor<2x3xi32>) -> tensor<2x3xi32> {
    ///   %r = linalg.div_unsigned ins(%a, %b : tensor<2x3xi32>, tensor<2x3xi32>) outs(%o : tensor<2x3xi32>) -> tensor<2x3xi32>
    ///   return %r : tensor<2x3xi32>
    /// }
    /// ```
    DivUnsigned "linalg.div_unsigned" "*" ["*", "*", "*"] Body::Binary(Binary::DivUnsigned) {}
    /// Error function of each element
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.erf ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Erf "linalg.erf" "*" ["*", "*"] Body::Unary(Unary::Erf) {}
    /// e to the power of each element
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.exp ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Exp "linalg.exp" "*" ["*", "*"] Body::Unary(Unary::Exp) {}
    /// Each element rounded down
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.floor ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Floor "linalg.floor" "*" ["*", "*"] Body::Unary(Unary::Floor) {}
    /// Natural logarithm of each element
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.log ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Log "linalg.log" "*" ["*", "*"] Body::Unary(Unary::Log) {}
    /// The larger of two elements
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.max ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Max "linalg.max" "*" ["*", "*", "*"] Body::Binary(Binary::MaxSigned) {}
    /// The smaller of two elements
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.min ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Min "linalg.min" "*" ["*", "*", "*"] Body::Binary(Binary::MinSigned) {}
    /// Products of elements
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.mul ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Mul "linalg.mul" "*" ["*", "*", "*"] Body::Binary(Binary::Mul) {}
    /// Each element with the other sign
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.negf ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    NegF "linalg.negf" "*" ["*", "*"] Body::Unary(Unary::NegF) {}
    /// Elements to the power of elements
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.powf ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    PowF "linalg.powf" "*" ["*", "*", "*"] Body::Binary(Binary::PowF) {}
    /// 1 over each element
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.reciprocal ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Reciprocal "linalg.reciprocal" "*" ["*", "*"] Body::Unary(Unary::Reciprocal) {}
    /// Each element rounded, halves away from 0
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.round ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Round "linalg.round" "*" ["*", "*"] Body::Unary(Unary::Round) {}
    /// 1 over the square root of each element
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.rsqrt ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Rsqrt "linalg.rsqrt" "*" ["*", "*"] Body::Unary(Unary::Rsqrt) {}
    /// One of two elements, as a third one says
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xi1>, %b: tensor<2x3xf32>, %c: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.select ins(%a, %b, %c : tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Select "linalg.select" "*" ["*", "*", "*", "*"] Body::Select {}
    /// Square root of each element
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.sqrt ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Sqrt "linalg.sqrt" "*" ["*", "*"] Body::Unary(Unary::Sqrt) {}
    /// Each element times itself
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.square ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Square "linalg.square" "*" ["*", "*"] Body::Unary(Unary::Square) {}
    /// Differences of elements
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.sub ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Sub "linalg.sub" "*" ["*", "*", "*"] Body::Binary(Binary::Sub) {}
    /// Hyperbolic tangent of each element
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.tanh ins(%a : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Tanh "linalg.tanh" "*" ["*", "*"] Body::Unary(Unary::Tanh) {}
}
