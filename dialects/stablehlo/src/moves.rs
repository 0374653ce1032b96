//! Ops that make tensors or move their elements.

use super::types::{AnyHlo, IntTensor, NumberTensor, PredIntFloatTensor, Scalar, ScalarInt, SizesTensor};
use super::{GatherDimensions, RngAlgorithm, RngDistribution};

use terrace_interp::Interpret;
use terrace_ir::rules::{BoolAttr, DenseI64Array, ElementsAttr, I64Attr};
use terrace_ir::{Attr, Context};
use terrace_macros::op;
use terrace_text::{CustomAsm, SuggestNames};

/// The default of flags
pub(crate) fn no(cx: &Context) -> Attr {
    cx.bool_attr(false)
}

/// A tensor of elements that are known
///
/// ```mlir
/// func.func @f() -> (tensor<2x2xi32>, tensor<f32>) {
///   %c = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi32>
///   %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
///   return %c, %cst : tensor<2x2xi32>, tensor<f32>
/// }
/// ```
#[op("stablehlo.constant", traits(Pure, ConstantLike), relations(type_of_attr(value => output)), hooks(fold, verify), interfaces(Interpret, CustomAsm, SuggestNames))]
pub struct Constant {
    #[attr]
    value: ElementsAttr,
    #[result]
    output: AnyHlo,
}

/// Numbers from zero along a dimension
///
/// ```mlir
/// func.func @f() -> tensor<4x5xi32> {
///   %r = stablehlo.iota dim = 0 : tensor<4x5xi32>
///   return %r : tensor<4x5xi32>
/// }
/// ```
#[op("stablehlo.iota", traits(Pure), hooks(verify), interfaces(Interpret))]
#[asm("`dim` `=` $iota_dimension attr-dict `:` type($output)")]
pub struct Iota {
    #[attr]
    iota_dimension: I64Attr,
    #[result]
    output: NumberTensor,
}

/// The same elements, row by row, in another shape
///
/// ```mlir
/// func.func @f(%x: tensor<2x3xf32>) -> tensor<6xf32> {
///   %r = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
///   return %r : tensor<6xf32>
/// }
/// ```
#[op("stablehlo.reshape", traits(Pure), hooks(verify), interfaces(Interpret))]
#[asm("operands attr-dict `:` functional-type(operands, results)")]
pub struct Reshape {
    operand: AnyHlo,
    #[result]
    result: AnyHlo,
}

/// The dimensions in another order: dimension n of the result is `permutation[n]` of the operand
///
/// ```mlir
/// func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
///   %r = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
///   return %r : tensor<3x2xf32>
/// }
/// ```
#[op("stablehlo.transpose", traits(Pure), hooks(verify), interfaces(Interpret))]
#[asm("$operand `,` `dims` `=` $permutation attr-dict `:` functional-type(operands, results)")]
pub struct Transpose {
    operand: AnyHlo,
    #[attr]
    permutation: DenseI64Array,
    #[result]
    result: AnyHlo,
}

/// Elements again along dimensions of size one and new dimensions; dimension n becomes `broadcast_dimensions[n]`
///
/// ```mlir
/// func.func @f(%x: tensor<1x3xf32>) -> tensor<2x4x3xf32> {
///   %r = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<1x3xf32>) -> tensor<2x4x3xf32>
///   return %r : tensor<2x4x3xf32>
/// }
/// ```
#[op("stablehlo.broadcast_in_dim", traits(Pure), hooks(verify), interfaces(Interpret))]
#[asm("$operand `,` `dims` `=` $broadcast_dimensions attr-dict `:` functional-type(operands, results)")]
pub struct BroadcastInDim {
    operand: AnyHlo,
    #[attr]
    broadcast_dimensions: DenseI64Array,
    #[result]
    result: AnyHlo,
}

/// Elements again along new dimensions in front
///
/// ```mlir
/// func.func @f(%x: tensor<3xf32>) -> tensor<2x3xf32> {
///   %r = stablehlo.broadcast %x, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf32>
///   return %r : tensor<2x3xf32>
/// }
/// ```
#[op("stablehlo.broadcast", traits(Pure), hooks(verify), interfaces(Interpret))]
#[asm("$operand `,` `sizes` `=` $broadcast_sizes attr-dict `:` functional-type(operands, results)")]
pub struct Broadcast {
    operand: AnyHlo,
    #[attr]
    broadcast_sizes: DenseI64Array,
    #[result]
    result: AnyHlo,
}

/// A part of a tensor: from a start to before a limit, every so many elements
///
/// ```mlir
/// func.func @f(%x: tensor<4x8xf32>) -> tensor<2x4xf32> {
///   %r = stablehlo.slice %x [1:3, 0:8:2] : (tensor<4x8xf32>) -> tensor<2x4xf32>
///   return %r : tensor<2x4xf32>
/// }
/// ```
#[op("stablehlo.slice", traits(Pure), hooks(verify), interfaces(Interpret, CustomAsm))]
pub struct Slice {
    operand: AnyHlo,
    #[attr]
    start_indices: DenseI64Array,
    #[attr]
    limit_indices: DenseI64Array,
    #[attr]
    strides: DenseI64Array,
    #[result]
    result: AnyHlo,
}

/// A part of a tensor from a start that is data; the start is clamped so that the part fits
///
/// ```mlir
/// func.func @f(%x: tensor<4x8xf32>, %i: tensor<i32>) -> tensor<2x3xf32> {
///   %r = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
///   return %r : tensor<2x3xf32>
/// }
/// ```
#[op("stablehlo.dynamic_slice", traits(Pure), hooks(verify), interfaces(Interpret, CustomAsm))]
pub struct DynamicSlice {
    operand: AnyHlo,
    start_indices: Variadic<ScalarInt>,
    #[attr]
    slice_sizes: DenseI64Array,
    #[result]
    result: AnyHlo,
}

/// A tensor with a part replaced from a start that is data; the start is clamped so that the part fits
///
/// ```mlir
/// func.func @f(%x: tensor<4x8xf32>, %y: tensor<2x3xf32>, %i: tensor<i32>) -> tensor<4x8xf32> {
///   %r = stablehlo.dynamic_update_slice %x, %y, %i, %i : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
///   return %r : tensor<4x8xf32>
/// }
/// ```
#[op("stablehlo.dynamic_update_slice", traits(Pure), hooks(verify), interfaces(Interpret))]
#[asm("operands attr-dict `:` functional-type(operands, results)")]
pub struct DynamicUpdateSlice {
    operand: AnyHlo,
    update: AnyHlo,
    start_indices: Variadic<ScalarInt>,
    #[result]
    result: AnyHlo,
}

/// Tensors one behind the other along a dimension
///
/// ```mlir
/// func.func @f(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> tensor<6x3xf32> {
///   %r = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
///   return %r : tensor<6x3xf32>
/// }
/// ```
#[op("stablehlo.concatenate", traits(Pure), hooks(verify), interfaces(Interpret, CustomAsm))]
pub struct Concatenate {
    inputs: Variadic<AnyHlo>,
    #[attr]
    dimension: I64Attr,
    #[result]
    result: AnyHlo,
}

/// A value before, behind and between the elements; a negative number of it cuts elements off
///
/// ```mlir
/// func.func @f(%x: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<3x6xf32> {
///   %r = stablehlo.pad %x, %v, low = [0, 1], high = [1, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
///   return %r : tensor<3x6xf32>
/// }
/// ```
#[op("stablehlo.pad", traits(Pure), hooks(verify), interfaces(Interpret))]
#[asm(
    "$operand `,` $padding_value `,` `low` `=` $edge_padding_low `,` `high` `=` $edge_padding_high `,` \
     `interior` `=` $interior_padding attr-dict `:` functional-type(operands, results)"
)]
pub struct Pad {
    operand: AnyHlo,
    padding_value: Scalar,
    #[attr]
    edge_padding_low: DenseI64Array,
    #[attr]
    edge_padding_high: DenseI64Array,
    #[attr]
    interior_padding: DenseI64Array,
    #[result]
    result: AnyHlo,
}

/// Elements backwards along dimensions
///
/// ```mlir
/// func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
///   %r = stablehlo.reverse %x, dims = [1] : tensor<2x3xf32>
///   return %r : tensor<2x3xf32>
/// }
/// ```
#[op("stablehlo.reverse", traits(Pure), hooks(verify), interfaces(Interpret, CustomAsm))]
pub struct Reverse {
    operand: AnyHlo,
    #[attr]
    dimensions: DenseI64Array,
    #[result]
    result: AnyHlo,
}

/// Slices from starts that are data, clamped so that each fits
///
/// ```mlir
/// func.func @f(%x: tensor<9x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x4xf32> {
///   %r = "stablehlo.gather"(%x, %i) <{
///     dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
///     slice_sizes = array<i64: 1, 4>
///   }> : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
///   return %r : tensor<3x4xf32>
/// }
/// ```
#[op("stablehlo.gather", traits(Pure), hooks(verify), interfaces(Interpret))]
pub struct Gather {
    operand: AnyHlo,
    start_indices: IntTensor,
    #[attr]
    dimension_numbers: GatherDimensions,
    #[attr]
    slice_sizes: DenseI64Array,
    #[attr(optional)]
    indices_are_sorted: BoolAttr,
    #[result]
    result: AnyHlo,
}

/// The same bits as elements of another type; of other width, the innermost dimension has the parts
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> (tensor<4xi32>, tensor<4x2xi16>) {
///   %r = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
///   %s = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x2xi16>
///   return %r, %s : tensor<4xi32>, tensor<4x2xi16>
/// }
/// ```
#[op("stablehlo.bitcast_convert", traits(Pure), hooks(verify), interfaces(Interpret))]
#[asm("operands attr-dict `:` functional-type(operands, results)")]
pub struct BitcastConvert {
    operand: AnyHlo,
    #[result]
    result: AnyHlo,
}

/// Rows of a tensor at indices, as PyTorch has it
///
/// ```mlir
/// func.func @f(%x: tensor<8x4xf32>, %i: tensor<3xi32>) -> tensor<3x4xf32> {
///   %r = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<8x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
///   return %r : tensor<3x4xf32>
/// }
/// ```
#[op("stablehlo.torch_index_select", traits(Pure))]
pub struct TorchIndexSelect {
    operand: AnyHlo,
    index: AnyHlo,
    #[attr]
    dim: I64Attr,
    #[attr]
    batch_dims: I64Attr,
    #[result]
    result: AnyHlo,
}

/// Random numbers of a distribution
///
/// ```mlir
/// func.func @f(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<2xi64>) -> tensor<3x3xf32> {
///   %r = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x3xf32>
///   return %r : tensor<3x3xf32>
/// }
/// ```
#[op("stablehlo.rng", effects(unknown))]
#[asm(
    "$a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution attr-dict `:` functional-type(operands, results)"
)]
pub struct Rng {
    a: Scalar,
    b: Scalar,
    shape: SizesTensor,
    #[attr]
    rng_distribution: RngDistribution,
    #[result]
    result: PredIntFloatTensor,
}

/// Random bits and the next state, from a state
///
/// ```mlir
/// func.func @f(%s: tensor<2xui64>) -> tensor<4xui32> {
///   %output_state, %output = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
///   return %output : tensor<4xui32>
/// }
/// ```
#[op("stablehlo.rng_bit_generator", traits(Pure), hooks(verify))]
#[asm("$initial_state `,` `algorithm` `=` $rng_algorithm attr-dict `:` functional-type(operands, results)")]
pub struct RngBitGenerator {
    initial_state: NumberTensor,
    #[attr]
    rng_algorithm: RngAlgorithm,
    #[result]
    output_state: NumberTensor,
    #[result]
    output: NumberTensor,
}
