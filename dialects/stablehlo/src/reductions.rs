//! Ops with a computation on elements in a region: reductions, windows, scatter, sort, map.

use super::types::AnyHlo;
use super::{I64Elements, ScatterDimensions};

use terrace_interp::Interpret;
use terrace_ir::rules::{BoolAttr, DenseI64Array, I64Attr};
use terrace_ir::{Attr, Context, Ir, Value};
use terrace_macros::op;
use terrace_text::CustomAsm;

/// The default dimension of `sort`: the last
fn last(cx: &Context) -> Attr {
    cx.int_attr(-1, cx.common().i64)
}

/// Folds along dimensions, of one or several tensors together; the starts are folded in first
///
/// ```mlir
/// func.func @f(%x: tensor<4x5xf32>, %i: tensor<4x5xi32>, %s: tensor<f32>, %t: tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>) {
///   %q = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
///   %r:2 = stablehlo.reduce(%x init: %s), (%i init: %t) across dimensions = [1] : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
///    reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>)  {
///     %p = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
///     %v = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f32>
///     %w = stablehlo.select %p, %c, %d : tensor<i1>, tensor<i32>
///     stablehlo.return %v, %w : tensor<f32>, tensor<i32>
///   }
///   return %q, %r#1 : tensor<4xf32>, tensor<4xi32>
/// }
/// ```
#[op(
    "stablehlo.reduce",
    traits(SingleBlock, RecursiveEffects),
    hooks(verify),
    interfaces(Interpret, CustomAsm)
)]
pub struct Reduce {
    operands: Variadic<AnyHlo>,
    #[attr]
    dimensions: DenseI64Array,
    #[result]
    results: Variadic<AnyHlo>,
    #[region(single_block)]
    body: Region,
}

/// Folds of windows
///
/// ```mlir
/// func.func @f(%x: tensor<6x6xf32>, %s: tensor<f32>) -> tensor<3x3xf32> {
///   %r = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
///   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
///     %m = stablehlo.maximum %a, %b : tensor<f32>
///     stablehlo.return %m : tensor<f32>
///   }) : (tensor<6x6xf32>, tensor<f32>) -> tensor<3x3xf32>
///   return %r : tensor<3x3xf32>
/// }
/// ```
#[op("stablehlo.reduce_window", traits(SingleBlock, RecursiveEffects), hooks(verify), interfaces(Interpret))]
pub struct ReduceWindow {
    operands: Variadic<AnyHlo>,
    #[attr]
    window_dimensions: DenseI64Array,
    #[attr(optional)]
    window_strides: DenseI64Array,
    #[attr(optional)]
    base_dilations: DenseI64Array,
    #[attr(optional)]
    window_dilations: DenseI64Array,
    #[attr(optional)]
    padding: I64Elements,
    #[result]
    results: Variadic<AnyHlo>,
    #[region(single_block)]
    body: Region,
}

macro_rules! halves {
    ($($name:ident)*) => {$(
        impl $name {
            /// The tensors that are folded
            pub fn inputs(self, ir: &Ir) -> Vec<Value> {
                let mut all = self.operands(ir);
                all.truncate(all.len() / 2);
                all
            }

            /// What each fold starts from
            pub fn init_values(self, ir: &Ir) -> Vec<Value> {
                let mut all = self.operands(ir);
                all.split_off(all.len() / 2)
            }
        }
    )*};
}

halves! { Reduce ReduceWindow }

/// Adds values where a window has its chosen element: the gradient of pooling
///
/// ```mlir
/// func.func @f(%x: tensor<4x4xf32>, %y: tensor<2x2xf32>, %s: tensor<f32>) -> tensor<4x4xf32> {
///   %r = "stablehlo.select_and_scatter"(%x, %y, %s) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
///   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
///     %p = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
///     stablehlo.return %p : tensor<i1>
///   }, {
///   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
///     %t = stablehlo.add %a, %b : tensor<f32>
///     stablehlo.return %t : tensor<f32>
///   }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
///   return %r : tensor<4x4xf32>
/// }
/// ```
#[op(
    "stablehlo.select_and_scatter",
    traits(SingleBlock, RecursiveEffects),
    hooks(verify),
    interfaces(Interpret)
)]
pub struct SelectAndScatter {
    operand: AnyHlo,
    source: AnyHlo,
    init_value: AnyHlo,
    #[attr(optional)]
    window_dimensions: DenseI64Array,
    #[attr(optional)]
    window_strides: DenseI64Array,
    #[attr(optional)]
    padding: I64Elements,
    #[result]
    result: AnyHlo,
    #[region(single_block)]
    select: Region,
    #[region(single_block)]
    scatter: Region,
}

/// Combines slices of tensors with updates, at places that are data; updates out of the tensor are dropped
///
/// ```mlir
/// func.func @f(%x: tensor<8xf32>, %i: tensor<5x1xi32>, %y: tensor<5xf32>) -> tensor<8xf32> {
///   %r = "stablehlo.scatter"(%x, %i, %y) <{
///     scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
///   }> ({
///   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
///     %t = stablehlo.add %a, %b : tensor<f32>
///     stablehlo.return %t : tensor<f32>
///   }) : (tensor<8xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<8xf32>
///   return %r : tensor<8xf32>
/// }
/// ```
#[op("stablehlo.scatter", traits(SingleBlock, RecursiveEffects), hooks(verify), interfaces(Interpret))]
pub struct Scatter {
    operands: Variadic<super::types::IndexTensorOrAny>,
    #[attr]
    scatter_dimension_numbers: ScatterDimensions,
    #[attr(optional)]
    indices_are_sorted: BoolAttr,
    #[attr(optional)]
    unique_indices: BoolAttr,
    #[result]
    results: Variadic<AnyHlo>,
    #[region(single_block)]
    update_computation: Region,
}

impl Scatter {
    /// The tensors that are changed
    pub fn inputs(self, ir: &Ir) -> Vec<Value> {
        let mut all = self.operands(ir);
        all.truncate(all.len() / 2);
        all
    }

    /// The places
    pub fn scatter_indices(self, ir: &Ir) -> Value {
        ir.operand(self.0, ir.num_operands(self.0) / 2)
    }

    /// The updates of each tensor
    pub fn updates(self, ir: &Ir) -> Vec<Value> {
        let mut all = self.operands(ir);
        all.split_off(all.len() / 2 + 1)
    }
}

/// Sorts tensors together along a dimension, by a comparison of two places
///
/// ```mlir
/// func.func @f(%x: tensor<3x9xf32>) -> tensor<3x9xf32> {
///   %r = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
///   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
///     %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
///     stablehlo.return %p : tensor<i1>
///   }) : (tensor<3x9xf32>) -> tensor<3x9xf32>
///   return %r : tensor<3x9xf32>
/// }
/// ```
#[op("stablehlo.sort", traits(SingleBlock, RecursiveEffects), hooks(verify))]
pub struct Sort {
    inputs: Variadic<AnyHlo>,
    #[attr(default = last)]
    dimension: I64Attr,
    #[attr(default = super::no)]
    is_stable: BoolAttr,
    #[result]
    results: Variadic<AnyHlo>,
    #[region(single_block)]
    comparator: Region,
}

/// A computation on the elements of several tensors
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
///   %r = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
///   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
///     %m = stablehlo.multiply %a, %b : tensor<f32>
///     stablehlo.return %m : tensor<f32>
///   }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.map", traits(SingleBlock, RecursiveEffects), hooks(verify), interfaces(Interpret))]
pub struct Map {
    inputs: Variadic<AnyHlo>,
    #[attr]
    dimensions: DenseI64Array,
    #[result]
    result: AnyHlo,
    #[region(single_block)]
    computation: Region,
}
