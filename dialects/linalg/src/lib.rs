//! `linalg`: computations over indexed spaces, on tensors or in memory.
//!
//! Every op has a [`Form`] (maps, iterators, a body); named ops have those that upstream gives them ([`spec`]). The interpreter
//! takes the points in row order. Operands are tensors, of which new ones are made, or memrefs, of which the outputs are written;
//! not both. Not here: windows without kernel.

mod bodies;
mod contractions;
mod convolutions;
mod elementwise;
pub mod form;
mod interp;
mod named;
mod no_form;
mod poolings;
pub mod spec;
mod syntax;
mod verify;

pub use contractions::*;
pub use convolutions::*;
pub use elementwise::*;
pub use form::Form;
pub use poolings::*;

use terrace_ir::AttrForm;
use terrace_ir::rules::{
    AnyRankedTensor, AnyShaped, AnyType, ArrayAttr, DenseI64Array, I64Attr, Index as IndexType, StrAttr,
};
use terrace_macros::{dialect, op};

terrace_ir::attr_enums! {
    /// What an iterator of a generic op is
    pub IteratorType = "linalg.iterator_type", "Iterator type should be an enum.", keyword {
        Parallel "parallel" 0, Reduction "reduction" 1, Window "window" 2,
    }
}

impl IteratorType {
    /// Of an iterator that reduces, or not
    pub fn of_reduction(reduces: bool) -> Self {
        if reduces { IteratorType::Reduction } else { IteratorType::Parallel }
    }
}

terrace_ir::attr_rules! {
    /// `[#linalg.iterator_type<parallel>]`
    Iterators "Iterator type should be an enum.", AttrForm::Full, |cx, attr| attr.as_array(cx).is_some_and(|all| {
        all.iter().all(|item| IteratorType::of(cx, *item).is_some())
    });
}

/// Any computation over an indexed space: maps from iterations into operands, and a body on elements
///
/// ```mlir
/// #id = affine_map<(d0, d1) -> (d0, d1)>
/// #row = affine_map<(d0, d1) -> (d0)>
/// func.func @f(%a: tensor<4x5xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
///   %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x5xf32>) outs(%o : tensor<4xf32>) {
///   ^bb0(%x: f32, %s: f32):
///     %0 = arith.addf %s, %x : f32
///     linalg.yield %0 : f32
///   } -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op(
    "linalg.generic",
    hooks(verify, effects),
    interfaces(terrace_text::CustomAsm, terrace_interp::Interpret)
)]
pub struct Generic {
    inputs: Variadic<AnyType>,
    outputs: Variadic<AnyShaped>,
    #[attr]
    indexing_maps: ArrayAttr,
    #[attr]
    iterator_types: Iterators,
    #[attr(optional)]
    doc: StrAttr,
    #[attr(optional)]
    library_call: StrAttr,
    #[result]
    results: Variadic<AnyRankedTensor>,
    #[region(single_block)]
    body: Region,
}

/// An op whose meaning and rules are those of its form
macro_rules! structured {
    ($name:ident) => {
        impl terrace_ir::hooks::Verify for $name {
            fn verify(self, v: &terrace_ir::verify::VerifyCx<'_>) -> Result<(), terrace_diag::Reported> {
                super::verify::verify(v, self.0)
            }
        }

        impl terrace_ir::hooks::EffectsOf for $name {
            fn effects(self, ir: &terrace_ir::Ir) -> terrace_ir::Effects {
                super::verify::effects(ir, self.0)
            }
        }

        impl terrace_interp::Interpret for $name {
            fn interpret(self, m: &mut terrace_interp::Machine<'_>) -> terrace_interp::Step {
                super::interp::start(m)
            }

            fn resume(
                self,
                m: &mut terrace_interp::Machine<'_>,
                values: Vec<terrace_interp::RtValue>,
            ) -> terrace_interp::Step {
                super::interp::resumed(m, values)
            }
        }
    };
}
use structured;

mod here {
    use super::{Broadcast, Contract, Fill, Generic, Map, Reduce, Transpose};

    structured!(Broadcast);
    structured!(Contract);
    structured!(Fill);
    structured!(Generic);
    structured!(Map);
    structured!(Reduce);
    structured!(Transpose);
}

/// All elements of the outputs are one value
///
/// ```mlir
/// func.func @f(%x: f32, %o: tensor<4xf32>) -> tensor<4xf32> {
///   %r = linalg.fill ins(%x : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("linalg.fill", hooks(verify, effects), interfaces(terrace_text::CustomAsm, terrace_interp::Interpret))]
pub struct Fill {
    inputs: Variadic<AnyType>,
    outputs: Variadic<AnyShaped>,
    #[result]
    results: Variadic<AnyRankedTensor>,
    #[region(single_block)]
    body: Region,
}

/// Sums of products of two tensors: what the last map does not have is summed up
///
/// ```mlir
/// #a = affine_map<(d0, d1, d2) -> (d2, d0)>
/// #b = affine_map<(d0, d1, d2) -> (d2, d1)>
/// #c = affine_map<(d0, d1, d2) -> (d0, d1)>
/// func.func @f(%a: tensor<6x4xf32>, %b: tensor<6x5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
///   %r = linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<6x4xf32>, tensor<6x5xf32>) outs(%o : tensor<4x5xf32>) -> tensor<4x5xf32>
///   return %r : tensor<4x5xf32>
/// }
/// ```
#[op(
    "linalg.contract",
    hooks(verify, effects),
    interfaces(terrace_text::CustomAsm, terrace_interp::Interpret)
)]
pub struct Contract {
    inputs: Variadic<AnyType>,
    outputs: Variadic<AnyShaped>,
    #[attr]
    indexing_maps: ArrayAttr,
    #[result]
    results: Variadic<AnyRankedTensor>,
    #[region(single_block)]
    body: Region,
}

/// A function of elements at the same place
///
/// ```mlir
/// func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
///   %r = linalg.map { arith.addf } ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>)
///   %s = linalg.map ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>)
///     (%in: f32, %init: f32) {
///       %0 = arith.mulf %in, %in : f32
///       %1 = arith.addf %0, %in : f32
///       linalg.yield %1 : f32
///     }
///   return %r, %s : tensor<4xf32>, tensor<4xf32>
/// }
/// ```
#[op("linalg.map", hooks(verify, effects), interfaces(terrace_text::CustomAsm, terrace_interp::Interpret))]
pub struct Map {
    inputs: Variadic<AnyShaped>,
    init: AnyShaped,
    #[result]
    results: Variadic<AnyRankedTensor>,
    #[region(single_block)]
    mapper: Region,
}

/// Another order of dimensions
///
/// ```mlir
/// func.func @f(%a: tensor<4x5xf32>, %o: tensor<5x4xf32>) -> tensor<5x4xf32> {
///   %r = linalg.transpose ins(%a : tensor<4x5xf32>) outs(%o : tensor<5x4xf32>) permutation = [1, 0]
///   return %r : tensor<5x4xf32>
/// }
/// ```
#[op(
    "linalg.transpose",
    hooks(verify, effects),
    interfaces(terrace_text::CustomAsm, terrace_interp::Interpret)
)]
pub struct Transpose {
    input: AnyShaped,
    init: AnyShaped,
    #[attr]
    permutation: DenseI64Array,
    #[result]
    results: Variadic<AnyRankedTensor>,
    #[region(single_block)]
    body: Region,
}

/// The same elements along more dimensions
///
/// ```mlir
/// func.func @f(%a: tensor<5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
///   %r = linalg.broadcast ins(%a : tensor<5xf32>) outs(%o : tensor<4x5xf32>) dimensions = [0]
///   return %r : tensor<4x5xf32>
/// }
/// ```
#[op(
    "linalg.broadcast",
    hooks(verify, effects),
    interfaces(terrace_text::CustomAsm, terrace_interp::Interpret)
)]
pub struct Broadcast {
    input: AnyShaped,
    init: AnyShaped,
    #[attr]
    dimensions: DenseI64Array,
    #[result]
    results: Variadic<AnyRankedTensor>,
    #[region(single_block)]
    body: Region,
}

/// Fold dimensions by a body; inputs, then as many values to start with
///
/// ```mlir
/// func.func @f(%a: tensor<4x5xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
///   %r = linalg.reduce ins(%a : tensor<4x5xf32>) outs(%o : tensor<4xf32>) dimensions = [1]
///     (%in: f32, %init: f32) {
///       %0 = arith.addf %in, %init : f32
///       linalg.yield %0 : f32
///     }
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("linalg.reduce", hooks(verify, effects), interfaces(terrace_text::CustomAsm, terrace_interp::Interpret))]
pub struct Reduce {
    tensors: Variadic<AnyShaped>,
    #[attr]
    dimensions: DenseI64Array,
    #[result]
    results: Variadic<AnyRankedTensor>,
    #[region(single_block)]
    body: Region,
}

/// Ends a body: the elements of the outputs
///
/// ```mlir
/// func.func @f(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
///   %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
///   ^bb0(%x: f32, %s: f32):
///     linalg.yield %x : f32
///   } -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("linalg.yield", traits(Pure, Terminator, ReturnLike), interfaces(terrace_interp::Interpret))]
#[asm("attr-dict ($values^ `:` type($values))?")]
pub struct Yield {
    values: Variadic<AnyType>,
}

/// Number of the iteration in a dimension
///
/// ```mlir
/// func.func @f(%o: tensor<4xindex>) -> tensor<4xindex> {
///   %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%o : tensor<4xindex>) {
///   ^bb0(%s: index):
///     %i = linalg.index 0 : index
///     linalg.yield %i : index
///   } -> tensor<4xindex>
///   return %r : tensor<4xindex>
/// }
/// ```
#[op("linalg.index", traits(Pure), hooks(verify), interfaces(terrace_interp::Interpret))]
#[asm("$dim attr-dict `:` type($result)")]
pub struct Index {
    #[attr]
    dim: I64Attr,
    #[result]
    result: IndexType,
}

dialect! {
    /// Computations over indexed spaces, on tensors or in memory
    pub LINALG = "linalg" {
        ops: [Abs, Add, BatchMatmul, BatchMatvec, BatchMmt4D, BatchReduceMatmul, BatchVecmat, Broadcast, Ceil, Contract, Conv1D, Conv1DNcwFcw, Conv1DNwcWcf, Conv2D, Conv2DNchwFchw, Conv2DNchwFchwQ, Conv2DNgchwFgchw, Conv2DNgchwGfchw, Conv2DNgchwGfchwQ, Conv2DNhwcFhwc, Conv2DNhwcFhwcQ, Conv2DNhwcHwcf, Conv2DNhwcHwcfQ, Conv2DNhwgcGfhwc, Conv2DNhwgcGfhwcQ, Conv3D, Conv3DNcdhwFcdhw, Conv3DNdhwcDhwcf, Conv3DNdhwcDhwcfQ, Copy, DepthwiseConv1DNcwCw, DepthwiseConv1DNwcWc, DepthwiseConv1DNwcWcm, DepthwiseConv2DNchwChw, DepthwiseConv2DNhwcHwc, DepthwiseConv2DNhwcHwcQ, DepthwiseConv2DNhwcHwcm, DepthwiseConv2DNhwcHwcmQ, DepthwiseConv3DNcdhwCdhw, DepthwiseConv3DNdhwcDhwc, DepthwiseConv3DNdhwcDhwcm, Div, DivUnsigned, Dot, Erf, Exp, Fill, Floor, Generic, Index, Log, Map, Matmul, Matvec, Max, Min, Mmt4D, Mul, NegF, PoolingNchwMax, PoolingNchwSum, PoolingNcwMax, PoolingNcwSum, PoolingNdhwcMax, PoolingNdhwcMin, PoolingNdhwcSum, PoolingNhwcMax, PoolingNhwcMaxUnsigned, PoolingNhwcMin, PoolingNhwcMinUnsigned, PoolingNhwcSum, PoolingNwcMax, PoolingNwcMaxUnsigned, PoolingNwcMin, PoolingNwcMinUnsigned, PoolingNwcSum, PowF, QuantizedBatchMatmul, QuantizedMatmul, Reciprocal, Reduce, Round, Rsqrt, Select, Sqrt, Square, Sub, Tanh, Transpose, Vecmat, Yield],
        enums: [IteratorType::DEF],
    }
}
