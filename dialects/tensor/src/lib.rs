//! `tensor`: making tensors, their elements and parts of them.
//!
//! The interpreter needs sizes in the types: a tensor is its elements row by row. Files: here definitions, `syntax` their text,
//! `verify` their rules and folds, `interp` what they mean.

mod interp;
mod parallel;
mod syntax;
mod verify;

pub use parallel::ParallelInsertSlice;
use terrace_dataflow::Ints;
use terrace_dialect_arith::materialize;
use terrace_dialect_shapes::reassociation::Reassociation;
use terrace_interp::Interpret;
use terrace_ir::rules::{AnyRankedTensor, AnyType, DenseI64Array, I64Attr, Index, UnitAttr};
use terrace_macros::{dialect, op};
use terrace_text::CustomAsm;

/// A tensor whose elements do not matter
///
/// ```mlir
/// func.func @f(%n: index) -> (tensor<4x5xf32>, tensor<?x5xf32>) {
///   %e = tensor.empty() : tensor<4x5xf32>
///   %d = tensor.empty(%n) : tensor<?x5xf32>
///   return %e, %d : tensor<4x5xf32>, tensor<?x5xf32>
/// }
/// ```
#[op("tensor.empty", traits(Pure), hooks(verify), interfaces(Interpret))]
#[asm("`(` $dynamic_sizes `)` attr-dict `:` type($result)")]
pub struct Empty {
    dynamic_sizes: Variadic<Index>,
    #[result]
    result: AnyRankedTensor,
}

/// The same tensor by another type
///
/// ```mlir
/// func.func @f(%t: tensor<4x5xf32>) -> tensor<?x5xf32> {
///   %r = tensor.cast %t : tensor<4x5xf32> to tensor<?x5xf32>
///   return %r : tensor<?x5xf32>
/// }
/// ```
#[op("tensor.cast", traits(Pure), hooks(verify, fold), interfaces(Interpret))]
#[asm("$source attr-dict `:` type($source) `to` type($dest)")]
pub struct Cast {
    source: AnyRankedTensor,
    #[result]
    dest: AnyRankedTensor,
}

/// Size of a dimension
///
/// ```mlir
/// func.func @f(%t: tensor<4x?xf32>) -> index {
///   %c1 = arith.constant 1 : index
///   %n = tensor.dim %t, %c1 : tensor<4x?xf32>
///   return %n : index
/// }
/// ```
#[op("tensor.dim", traits(NoEffect), hooks(fold, verify), interfaces(Interpret, terrace_dataflow::InferInts))]
#[asm("attr-dict $source `,` $index `:` type($source)")]
pub struct Dim {
    source: AnyRankedTensor,
    index: Index,
    #[result]
    result: Index,
}

impl terrace_dataflow::InferInts for Dim {
    fn infer_ints(_: &terrace_ir::Ir, _: terrace_ir::OpId, _: &[Option<Ints>]) -> Vec<Option<Ints>> {
        vec![Some(Ints::from_unsigned(64, 0, i64::MAX.into()))]
    }
}

/// One element
///
/// ```mlir
/// func.func @f(%t: tensor<4x5xf32>, %i: index) -> f32 {
///   %x = tensor.extract %t[%i, %i] : tensor<4x5xf32>
///   return %x : f32
/// }
/// ```
#[op("tensor.extract", traits(NoEffect), relations(element_of(tensor => result)), hooks(verify),
     interfaces(Interpret))]
#[asm("$tensor `[` $indices `]` attr-dict `:` type($tensor)")]
pub struct Extract {
    tensor: AnyRankedTensor,
    indices: Variadic<Index>,
    #[result]
    result: AnyType,
}

/// A tensor with one element replaced
///
/// ```mlir
/// func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
///   %r = tensor.insert %x into %t[%i] : tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("tensor.insert", traits(NoEffect), relations(element_of(dest => scalar), same(dest, result)),
     hooks(verify), interfaces(Interpret))]
#[asm("$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)")]
pub struct Insert {
    scalar: AnyType,
    dest: AnyRankedTensor,
    indices: Variadic<Index>,
    #[result]
    result: AnyRankedTensor,
}

/// A tensor of these elements, row by row
///
/// ```mlir
/// func.func @f(%x: f32, %y: f32) -> tensor<2xf32> {
///   %r = tensor.from_elements %x, %y : tensor<2xf32>
///   return %r : tensor<2xf32>
/// }
/// ```
#[op("tensor.from_elements", traits(Pure), hooks(verify), interfaces(CustomAsm, Interpret))]
pub struct FromElements {
    elements: Variadic<AnyType>,
    #[result]
    result: AnyRankedTensor,
}

/// A tensor of one element everywhere
///
/// ```mlir
/// func.func @f(%x: f32) -> tensor<2x3xf32> {
///   %r = tensor.splat %x : tensor<2x3xf32>
///   return %r : tensor<2x3xf32>
/// }
/// ```
#[op(
    "tensor.splat",
    traits(Pure),
    relations(element_of(aggregate => input)),
    hooks(verify),
    interfaces(Interpret, CustomAsm)
)]
pub struct Splat {
    input: AnyType,
    dynamic_sizes: Variadic<Index>,
    #[result]
    aggregate: AnyRankedTensor,
}

/// Tensors one behind the other along a dimension
///
/// ```mlir
/// func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<6x3xf32> {
///   %r = tensor.concat dim(0) %a, %b : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
///   return %r : tensor<6x3xf32>
/// }
/// ```
#[op("tensor.concat", traits(Pure), hooks(verify), interfaces(Interpret))]
#[asm("`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)")]
pub struct Concat {
    #[attr]
    dim: I64Attr,
    inputs: Variadic<AnyRankedTensor>,
    #[result]
    result: AnyRankedTensor,
}

/// The same elements with neighboring dimensions joined
///
/// ```mlir
/// func.func @f(%t: tensor<?x4x32xf32>) -> tensor<?x32xf32> {
///   %r = tensor.collapse_shape %t [[0, 1], [2]] : tensor<?x4x32xf32> into tensor<?x32xf32>
///   return %r : tensor<?x32xf32>
/// }
/// ```
#[op("tensor.collapse_shape", traits(Pure), hooks(verify), interfaces(Interpret))]
#[asm("$src $reassociation attr-dict `:` type($src) `into` type($result)")]
pub struct CollapseShape {
    src: AnyRankedTensor,
    #[attr]
    reassociation: Reassociation,
    #[result]
    result: AnyRankedTensor,
}

/// The same elements with dimensions cut in parts
///
/// ```mlir
/// func.func @f(%t: tensor<?x32xf32>, %n: index) -> tensor<?x4x32xf32> {
///   %r = tensor.expand_shape %t [[0, 1], [2]] output_shape [%n, 4, 32] : tensor<?x32xf32> into tensor<?x4x32xf32>
///   return %r : tensor<?x4x32xf32>
/// }
/// ```
#[op("tensor.expand_shape", traits(Pure), hooks(verify), interfaces(CustomAsm, Interpret))]
pub struct ExpandShape {
    src: AnyRankedTensor,
    output_shape: Variadic<Index>,
    #[attr]
    reassociation: Reassociation,
    #[attr]
    static_output_shape: DenseI64Array,
    #[result]
    result: AnyRankedTensor,
}

terrace_dialect_shapes::sliced! {
    /// A rectangular part of a tensor
    ///
    /// ```mlir
    /// func.func @f(%t: tensor<8x8xf32>, %i: index) -> (tensor<4x2xf32>, tensor<?x2xf32>) {
    ///   %r = tensor.extract_slice %t[0, 1] [4, 2] [2, 1] : tensor<8x8xf32> to tensor<4x2xf32>
    ///   %s = tensor.extract_slice %t[0, %i] [%i, 2] [2, 1] : tensor<8x8xf32> to tensor<?x2xf32>
    ///   return %r, %s : tensor<4x2xf32>, tensor<?x2xf32>
    /// }
    /// ```
    #[op("tensor.extract_slice", traits(Pure), hooks(verify, fold), interfaces(CustomAsm, Interpret))]
    pub struct ExtractSlice {
        source: AnyRankedTensor,
        ..slice,
        #[result]
        result: AnyRankedTensor
    }
}

terrace_dialect_shapes::sliced! {
    /// A tensor with a rectangular part replaced
    ///
    /// ```mlir
    /// func.func @f(%p: tensor<4x2xf32>, %t: tensor<8x8xf32>) -> tensor<8x8xf32> {
    ///   %r = tensor.insert_slice %p into %t[0, 1] [4, 2] [2, 1] : tensor<4x2xf32> into tensor<8x8xf32>
    ///   return %r : tensor<8x8xf32>
    /// }
    /// ```
    #[op(
        "tensor.insert_slice",
        traits(Pure),
        relations(same(dest, result)),
        hooks(verify),
        interfaces(CustomAsm, Interpret)
    )]
    pub struct InsertSlice {
        source: AnyRankedTensor,
        dest: AnyRankedTensor,
        ..slice,
        #[result]
        result: AnyRankedTensor
    }
}

/// A tensor with elements around it
///
/// ```mlir
/// func.func @f(%t: tensor<4x5xf32>, %x: f32, %n: index) -> (tensor<6x8xf32>, tensor<?x5xf32>) {
///   %r = tensor.pad %t low[1, 1] high[1, 2] {
///   ^bb0(%i: index, %j: index):
///     tensor.yield %x : f32
///   } : tensor<4x5xf32> to tensor<6x8xf32>
///   %s = tensor.pad %t nofold low[%n, 0] high[0, 0] {
///   ^bb0(%i: index, %j: index):
///     tensor.yield %x : f32
///   } : tensor<4x5xf32> to tensor<?x5xf32>
///   return %r, %s : tensor<6x8xf32>, tensor<?x5xf32>
/// }
/// ```
#[op("tensor.pad", traits(Pure), hooks(verify), interfaces(CustomAsm, Interpret))]
pub struct Pad {
    source: AnyRankedTensor,
    low: Variadic<Index>,
    high: Variadic<Index>,
    #[attr]
    static_low: DenseI64Array,
    #[attr]
    static_high: DenseI64Array,
    #[attr(optional)]
    nofold: UnitAttr,
    #[result]
    result: AnyRankedTensor,
    #[region(single_block)]
    region: Region,
}

/// Ends the body of `pad`: the element
///
/// ```mlir
/// func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<6xf32> {
///   %r = tensor.pad %t low[1] high[1] {
///   ^bb0(%i: index):
///     tensor.yield %x : f32
///   } : tensor<4xf32> to tensor<6xf32>
///   return %r : tensor<6xf32>
/// }
/// ```
#[op("tensor.yield", traits(Pure, Terminator, ReturnLike), parents("tensor.pad"), interfaces(Interpret))]
#[asm("$value attr-dict `:` type($value)")]
pub struct Yield {
    value: AnyType,
}

dialect! {
    /// Making tensors, their elements and parts of them
    pub TENSOR = "tensor" {
        ops: [
            Cast, CollapseShape, Concat, Dim, Empty, ExpandShape, Extract, ExtractSlice, FromElements, Insert,
            InsertSlice, Pad, ParallelInsertSlice, Splat, Yield,
        ],
        materialize: materialize,
    }
}
