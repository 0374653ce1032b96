//! Ops on shapes that are known at run time only: they are read, verified and printed, and nothing goes down from them.

use super::types::{AnyHlo, I32Tensor, IntMatrix, IntTensor, Scalar, SizesTensor};
use super::{ConvDimensions, GatherDimensions, PrecisionConfig};
use terrace_ir::rules::{BoolAttr, DenseBoolArray, DenseI64Array, I64Attr};
use terrace_macros::op;

/// Numbers from zero along a dimension of a shape that is data
///
/// ```mlir
/// func.func @f(%s: tensor<2xi64>) -> tensor<?x?xi32> {
///   %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi32>
///   return %r : tensor<?x?xi32>
/// }
/// ```
#[op("stablehlo.dynamic_iota", traits(NoEffect))]
#[asm("$output_shape `,` `dim` `=` $iota_dimension attr-dict `:` functional-type(operands, results)")]
pub struct DynamicIota {
    output_shape: SizesTensor,
    #[attr]
    iota_dimension: I64Attr,
    #[result]
    result: AnyHlo,
}

/// The same elements in a shape that is data
///
/// ```mlir
/// func.func @f(%x: tensor<6xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
///   %r = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
///   return %r : tensor<?x?xf32>
/// }
/// ```
#[op("stablehlo.dynamic_reshape", traits(NoEffect))]
#[asm("operands attr-dict `:` functional-type(operands, results)")]
pub struct DynamicReshape {
    operand: AnyHlo,
    output_shape: SizesTensor,
    #[result]
    result: AnyHlo,
}

/// `broadcast_in_dim` to a shape that is data
///
/// ```mlir
/// func.func @f(%x: tensor<1x3xf32>, %s: tensor<3xi64>) -> tensor<?x?x?xf32> {
///   %r = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] : (tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
///   return %r : tensor<?x?x?xf32>
/// }
/// ```
#[op("stablehlo.dynamic_broadcast_in_dim", traits(NoEffect))]
#[asm(
    "$operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions attr-dict `:` functional-type(operands, results)"
)]
pub struct DynamicBroadcastInDim {
    operand: AnyHlo,
    output_dimensions: SizesTensor,
    #[attr]
    broadcast_dimensions: DenseI64Array,
    #[attr(optional)]
    known_expanding_dimensions: DenseI64Array,
    #[attr(optional)]
    known_nonexpanding_dimensions: DenseI64Array,
    #[result]
    result: AnyHlo,
}

/// `pad` by numbers that are data
///
/// ```mlir
/// func.func @f(%x: tensor<2x3xf32>, %v: tensor<f32>, %n: tensor<2xi64>) -> tensor<?x?xf32> {
///   %r = stablehlo.dynamic_pad %x, %v, %n, %n, %n : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
///   return %r : tensor<?x?xf32>
/// }
/// ```
#[op("stablehlo.dynamic_pad", traits(NoEffect))]
#[asm("operands attr-dict `:` functional-type(operands, results)")]
pub struct DynamicPad {
    operand: AnyHlo,
    padding_value: Scalar,
    edge_padding_low: SizesTensor,
    edge_padding_high: SizesTensor,
    interior_padding: SizesTensor,
    #[result]
    result: AnyHlo,
}

/// `slice` by numbers that are data
///
/// ```mlir
/// func.func @f(%x: tensor<4x8xf32>, %n: tensor<2xi64>) -> tensor<?x?xf32> {
///   %r = stablehlo.real_dynamic_slice %x, %n, %n, %n : (tensor<4x8xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
///   return %r : tensor<?x?xf32>
/// }
/// ```
#[op("stablehlo.real_dynamic_slice", traits(NoEffect))]
#[asm("operands attr-dict `:` functional-type(operands, results)")]
pub struct RealDynamicSlice {
    operand: AnyHlo,
    start_indices: SizesTensor,
    limit_indices: SizesTensor,
    strides: SizesTensor,
    #[result]
    result: AnyHlo,
}

/// `gather` of slices whose sizes are data
///
/// ```mlir
/// func.func @f(%x: tensor<9x4xf32>, %i: tensor<3x1xi32>, %s: tensor<2xi32>) -> tensor<3x?xf32> {
///   %r = "stablehlo.dynamic_gather"(%x, %i, %s) <{
///     dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
///   }> : (tensor<9x4xf32>, tensor<3x1xi32>, tensor<2xi32>) -> tensor<3x?xf32>
///   return %r : tensor<3x?xf32>
/// }
/// ```
#[op("stablehlo.dynamic_gather", traits(NoEffect))]
pub struct DynamicGather {
    operand: AnyHlo,
    start_indices: IntTensor,
    slice_sizes: SizesTensor,
    #[attr]
    dimension_numbers: GatherDimensions,
    #[attr(optional)]
    indices_are_sorted: BoolAttr,
    #[result]
    result: AnyHlo,
}

/// `convolution` with a border that is data
///
/// ```mlir
/// func.func @f(%x: tensor<1x6x6x2xf32>, %w: tensor<3x3x2x3xf32>, %p: tensor<2x2xi64>) -> tensor<1x?x?x3xf32> {
///   %r = "stablehlo.dynamic_conv"(%x, %w, %p) <{
///     batch_group_count = 1 : i64,
///     dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
///     feature_group_count = 1 : i64
///   }> : (tensor<1x6x6x2xf32>, tensor<3x3x2x3xf32>, tensor<2x2xi64>) -> tensor<1x?x?x3xf32>
///   return %r : tensor<1x?x?x3xf32>
/// }
/// ```
#[op("stablehlo.dynamic_conv", traits(NoEffect))]
pub struct DynamicConv {
    lhs: AnyHlo,
    rhs: AnyHlo,
    padding: IntMatrix,
    #[attr(optional)]
    window_strides: DenseI64Array,
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

/// Size of a dimension
///
/// ```mlir
/// func.func @f(%x: tensor<4x?xf32>) -> tensor<i32> {
///   %r = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x?xf32>) -> tensor<i32>
///   return %r : tensor<i32>
/// }
/// ```
#[op("stablehlo.get_dimension_size", traits(Pure))]
#[asm("$operand `,` `dim` `=` $dimension attr-dict `:` functional-type(operands, results)")]
pub struct GetDimensionSize {
    operand: AnyHlo,
    #[attr]
    dimension: I64Attr,
    #[result]
    result: I32Tensor,
}

/// The same tensor of which a dimension has a smaller size
///
/// ```mlir
/// func.func @f(%x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>> {
///   %r = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
///   return %r : tensor<4x?xf32, #stablehlo.bounds<?, 8>>
/// }
/// ```
#[op("stablehlo.set_dimension_size", traits(NoEffect))]
#[asm("$operand `,` $size `,` `dim` `=` $dimension attr-dict `:` functional-type(operands, results)")]
pub struct SetDimensionSize {
    operand: AnyHlo,
    size: I32Tensor,
    #[attr]
    dimension: I64Attr,
    #[result]
    result: AnyHlo,
}
