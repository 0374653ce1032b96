//! The ops: a computation, its yield, the coordinate of a point.

use terrace_dialect_arith as arith;
use terrace_ir::rules::{
    AnyRankedTensor, AnyType, ArrayAttr, DenseI64Array, I64Attr, Index as IndexType, StrAttr,
};
use terrace_ir::{Ir, Value};
use terrace_macros::op;
use terrace_text::CustomAsm;

/// A computation over a box of points
///
/// Each point gives a contribution to each output; contributions of points with equal places are combined by the operator
/// of the dimensions in which they differ. A dimension is `cc` (kept: every coordinate has places of its own), `pw f`
/// (combined by `f`) or `ps f` (kept, and each place has all contributions up to its coordinate).
///
/// Behind the operators of `pw` stands what bracketing of a fold is allowed: `fixed` (any, the same in every run, and the default), `free` (any),
/// `source` (a left fold), `fused` (the same, where a product and its addition are rounded once), `tree` (by halves: coordinates `k`
/// and `k + n/2` of `n`), `invariant` (a bracket that does not depend on schedule or device; `mdh-fix-bits` writes it), `exact` (the sum
/// as numbers, rounded once). An operator may say what partial results are: `add acc f32` (another type than that of the result),
/// `add compensated` (a sum and its error). `mdh-accumulators` writes these out. Integers wrap, floats overflow to infinity.
///
/// Contributions exist only where `where` holds. Its conditions may mention numbers that are known at run time only, with the greatest that each may be:
/// `extents(%n <= 4096) where i < %n`. What is behind such an end of a kept dimension is in no result.
///
/// ```mlir
/// func.func @f(%A: tensor<16x2048xf32>, %B: tensor<2048x1000xf32>) -> tensor<16x1000xf32> {
///   %c = mdh.compute "matmul" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
///     %p = arith.mulf %a, %b : f32
///     mdh.yield %p : f32
///   } : (tensor<16x2048xf32>, tensor<2048x1000xf32>) -> tensor<16x1000xf32>
///   return %c : tensor<16x1000xf32>
/// }
/// ```
#[op(
    "mdh.compute",
    traits(IsolatedFromAbove, Pure, SingleBlock),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct Compute {
    ins: Variadic<AnyType>,
    inits: Variadic<AnyRankedTensor>,
    others: Variadic<AnyType>,
    extents: Variadic<IndexType>,
    #[attr(optional)]
    name: StrAttr,
    #[attr]
    sizes: DenseI64Array,
    #[attr]
    combine: ArrayAttr,
    #[attr]
    maps: ArrayAttr,
    #[attr]
    outs: ArrayAttr,
    #[attr(optional)]
    intos: ArrayAttr,
    #[attr(optional)]
    elses: ArrayAttr,
    #[attr(optional)]
    guards: ArrayAttr,
    #[attr(name = "where", optional)]
    conditions: ArrayAttr,
    #[attr(optional)]
    most: DenseI64Array,
    #[attr(optional)]
    dim_names: ArrayAttr,
    #[result]
    results: Variadic<AnyRankedTensor>,
    #[region(single_block)]
    body: Region,
}

impl Compute {
    /// The factors of a product that the body yields as its n-th value
    pub fn factors(self, ir: &Ir, n: usize) -> Option<[Value; 2]> {
        let end = ir.entry(self.body(ir)).and_then(|block| ir.last_op(block))?;
        let product = arith::MulF::cast(ir, ir.defining_op(ir.operands(end).nth(n)?)?)?;
        Some([product.lhs(ir), product.rhs(ir)])
    }
}

/// Ends the body: one contribution for each access of each output
///
/// ```mlir
/// func.func @f(%A: tensor<8xf32>) -> tensor<8xf32> {
///   %c = mdh.compute (i in 8) ins(%a = %A[i]) outs([i]) {
///     mdh.yield %a : f32
///   } : (tensor<8xf32>) -> tensor<8xf32>
///   return %c : tensor<8xf32>
/// }
/// ```
#[op(
    "mdh.yield",
    traits(Pure, Terminator, ReturnLike),
    parents("mdh.compute"),
    interfaces(terrace_interp::Interpret)
)]
#[asm("attr-dict ($values^ `:` type($values))?")]
pub struct Yield {
    values: Variadic<AnyType>,
}

/// Coordinate of the point in a dimension, counted from 0
///
/// ```mlir
/// func.func @f(%A: tensor<8xi1>) -> tensor<8xindex> {
///   %c = mdh.compute (i in 8) ins(%a = %A[i]) outs([i]) {
///     %i = mdh.index 0
///     mdh.yield %i : index
///   } : (tensor<8xi1>) -> tensor<8xindex>
///   return %c : tensor<8xindex>
/// }
/// ```
#[op("mdh.index", traits(Pure), parents("mdh.compute"), interfaces(terrace_interp::Interpret))]
#[asm("$dim attr-dict")]
pub struct Index {
    #[attr]
    dim: I64Attr,
    #[result]
    result: IndexType,
}
