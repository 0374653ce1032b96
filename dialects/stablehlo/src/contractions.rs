//! Products, convolutions and what is like them: solvers, norms over batches, Fourier transforms.

use super::types::{AnyHlo, FloatComplexTensor, FloatTensor, FloatVector};
use super::{
    ConvDimensions, DotAlgorithmRule, DotDimensions, F32Attr, FftType, I64Elements, PrecisionConfig, Text,
    Transposition,
};

use terrace_interp::Interpret;
use terrace_ir::rules::{BoolAttr, DenseBoolArray, DenseI64Array, I64Attr};
use terrace_macros::op;
use terrace_text::CustomAsm;

/// Product of tensors: sums over contracting dimensions, for each element of the shared ones and of those that are left
///
/// ```mlir
/// func.func @f(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
///   %r = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
///   return %r : tensor<2x3x5xf32>
/// }
/// ```
#[op("stablehlo.dot_general", traits(Pure), hooks(verify), interfaces(Interpret, CustomAsm))]
pub struct DotGeneral {
    lhs: AnyHlo,
    rhs: AnyHlo,
    #[attr]
    dot_dimension_numbers: DotDimensions,
    #[attr(optional)]
    precision_config: PrecisionConfig,
    #[attr(optional)]
    algorithm: DotAlgorithmRule,
    #[result]
    result: AnyHlo,
}

/// Product of vectors and matrices
///
/// ```mlir
/// func.func @f(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
///   %r = stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
///   return %r : tensor<2xf32>
/// }
/// ```
#[op("stablehlo.dot", traits(Pure), hooks(verify), interfaces(Interpret, CustomAsm))]
pub struct Dot {
    lhs: AnyHlo,
    rhs: AnyHlo,
    #[attr(optional)]
    precision_config: PrecisionConfig,
    #[result]
    result: AnyHlo,
}

/// Sums of products of windows of one tensor with another
///
/// ```mlir
/// func.func @f(%x: tensor<1x6x6x2xf32>, %w: tensor<3x3x2x3xf32>) -> tensor<1x6x6x3xf32> {
///   %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x6x2xf32>, tensor<3x3x2x3xf32>) -> tensor<1x6x6x3xf32>
///   return %r : tensor<1x6x6x3xf32>
/// }
/// ```
#[op("stablehlo.convolution", traits(Pure), hooks(verify), interfaces(Interpret, CustomAsm))]
pub struct Convolution {
    lhs: AnyHlo,
    rhs: AnyHlo,
    #[attr(optional)]
    window_strides: DenseI64Array,
    #[attr(optional)]
    padding: I64Elements,
    #[attr(optional)]
    lhs_dilation: DenseI64Array,
    #[attr(optional)]
    rhs_dilation: DenseI64Array,
    #[attr(optional)]
    window_reversal: DenseBoolArray,
    #[attr]
    dimension_numbers: ConvDimensions,
    #[attr]
    feature_group_count: I64Attr,
    #[attr]
    batch_group_count: I64Attr,
    #[attr(optional)]
    precision_config: PrecisionConfig,
    #[result]
    result: AnyHlo,
}

/// A product in the notation of Einstein
///
/// ```mlir
/// func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
///   %r = stablehlo.einsum %x, %y, config = "ij,jk->ik" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
///   return %r : tensor<2x4xf32>
/// }
/// ```
#[op("stablehlo.einsum", traits(Pure))]
#[asm("$lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict `:` functional-type(operands, results)")]
pub struct Einsum {
    lhs: AnyHlo,
    rhs: AnyHlo,
    #[attr]
    einsum_config: Text,
    #[result]
    result: AnyHlo,
}

/// Sums and moves of one tensor in the notation of Einstein
///
/// ```mlir
/// func.func @f(%x: tensor<2x3xf32>) -> tensor<3xf32> {
///   %r = stablehlo.unary_einsum %x, config = "ij->j" : (tensor<2x3xf32>) -> tensor<3xf32>
///   return %r : tensor<3xf32>
/// }
/// ```
#[op("stablehlo.unary_einsum", traits(Pure))]
#[asm("$operand `,` `config` `=` $einsum_config attr-dict `:` functional-type(operands, results)")]
pub struct UnaryEinsum {
    operand: AnyHlo,
    #[attr]
    einsum_config: Text,
    #[result]
    result: AnyHlo,
}

/// A Fourier transform over the last dimensions
///
/// ```mlir
/// func.func @f(%x: tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>> {
///   %r = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
///   return %r : tensor<3x5xcomplex<f32>>
/// }
/// ```
#[op("stablehlo.fft", traits(Pure), hooks(verify))]
#[asm(
    "$operand `,` `type` `=` $fft_type `,` `length` `=` $fft_length attr-dict `:` functional-type(operands, results)"
)]
pub struct Fft {
    operand: FloatComplexTensor,
    #[attr]
    fft_type: FftType,
    #[attr]
    fft_length: DenseI64Array,
    #[result]
    result: FloatComplexTensor,
}

/// The factor of Cholesky of symmetric matrices
///
/// ```mlir
/// func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
///   %r = stablehlo.cholesky %x, lower = true : tensor<4x4xf32>
///   return %r : tensor<4x4xf32>
/// }
/// ```
#[op("stablehlo.cholesky", traits(NoEffect), hooks(verify), interfaces(CustomAsm))]
pub struct Cholesky {
    a: FloatComplexTensor,
    #[attr(default = super::no)]
    lower: BoolAttr,
    #[result]
    result: FloatComplexTensor,
}

/// Solutions of linear systems whose matrices are triangular
///
/// ```mlir
/// func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x2xf32>) -> tensor<4x2xf32> {
///   %r = "stablehlo.triangular_solve"(%a, %b) <{
///     left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false
///   }> : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
///   return %r : tensor<4x2xf32>
/// }
/// ```
#[op("stablehlo.triangular_solve", traits(NoEffect))]
pub struct TriangularSolve {
    a: FloatComplexTensor,
    b: FloatComplexTensor,
    #[attr]
    left_side: BoolAttr,
    #[attr]
    lower: BoolAttr,
    #[attr]
    unit_diagonal: BoolAttr,
    #[attr]
    transpose_a: Transposition,
    #[result]
    result: FloatComplexTensor,
}

/// A norm over the batch with mean and variance that are known
///
/// ```mlir
/// func.func @f(%x: tensor<2x3xf32>, %v: tensor<3xf32>) -> tensor<2x3xf32> {
///   %r = "stablehlo.batch_norm_inference"(%x, %v, %v, %v, %v) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
///   return %r : tensor<2x3xf32>
/// }
/// ```
#[op("stablehlo.batch_norm_inference", traits(Pure))]
pub struct BatchNormInference {
    operand: FloatTensor,
    scale: FloatVector,
    offset: FloatVector,
    mean: FloatVector,
    variance: FloatVector,
    #[attr]
    epsilon: F32Attr,
    #[attr]
    feature_index: I64Attr,
    #[result]
    result: FloatTensor,
}

/// A norm over the batch, with the mean and the variance that it has
///
/// ```mlir
/// func.func @f(%x: tensor<2x3xf32>, %v: tensor<3xf32>) -> tensor<2x3xf32> {
///   %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%x, %v, %v) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
///   return %output : tensor<2x3xf32>
/// }
/// ```
#[op("stablehlo.batch_norm_training", traits(Pure))]
pub struct BatchNormTraining {
    operand: FloatTensor,
    scale: FloatVector,
    offset: FloatVector,
    #[attr]
    epsilon: F32Attr,
    #[attr]
    feature_index: I64Attr,
    #[result]
    output: FloatTensor,
    #[result]
    batch_mean: FloatVector,
    #[result]
    batch_var: FloatVector,
}

/// Gradients of a norm over the batch
///
/// ```mlir
/// func.func @f(%x: tensor<2x3xf32>, %v: tensor<3xf32>) -> tensor<2x3xf32> {
///   %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%x, %v, %v, %v, %x) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
///   return %grad_operand : tensor<2x3xf32>
/// }
/// ```
#[op("stablehlo.batch_norm_grad", traits(Pure))]
pub struct BatchNormGrad {
    operand: FloatTensor,
    scale: FloatVector,
    mean: FloatVector,
    variance: FloatVector,
    grad_output: FloatTensor,
    #[attr]
    epsilon: F32Attr,
    #[attr]
    feature_index: I64Attr,
    #[result]
    grad_operand: FloatTensor,
    #[result]
    grad_scale: FloatVector,
    #[result]
    grad_offset: FloatVector,
}
