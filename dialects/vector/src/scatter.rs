//! Elements of a vector anywhere in memory: `gather scatter expandload compressstore`.

use super::memory::{check_indices, check_pass_thru};
use super::{AlignmentAttr, Mask, RankedVector, vector_of, vector_shape};
use terrace_diag::Reported;
use terrace_ir::rules::{AnyMemRef, AnyRankedTensor, Index};
use terrace_ir::{Effects, EffectsOf, Ir, OpId, Type, TypeKind, Value, Verify, VerifyCx, codes};
use terrace_macros::op;

terrace_ir::type_rules! {
    /// Memory, or a ranked tensor
    Base "tensor or memref of any type values",
        |cx, ty| matches!(ty.kind(cx), TypeKind::MemRef { .. } | TypeKind::Tensor { .. });
    /// Vector of integers or indices, with a dimension
    Indices "vector of integer or index values",
        |cx, ty| vector_of(cx, ty, |elem| elem.is_int(cx) || elem.is_index(cx)) && vector_shape(cx, ty) != Some(&[]);
}

/// Read, for each index whose mask is set, the element that far along the last dimension
///
/// ```mlir
/// func.func @f(%m: memref<?xf32>, %i: index, %n: vector<8xi32>, %mask: vector<8xi1>, %v: vector<8xf32>) -> vector<8xf32> {
///   %r = vector.gather %m[%i] [%n], %mask, %v : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
///   return %r : vector<8xf32>
/// }
/// ```
#[op(
    "vector.gather",
    interfaces(terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify, effects)
)]
#[asm(
    "$base `[` $offsets `]` ` ` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($indices) `,` type($mask) `,` type($pass_thru) `into` type($result)"
)]
pub struct Gather {
    base: Base,
    offsets: Variadic<Index>,
    indices: Indices,
    mask: Mask,
    pass_thru: RankedVector,
    #[attr(optional)]
    alignment: AlignmentAttr,
    #[result]
    result: RankedVector,
}

/// Write, for each index whose mask is set, the element that far along the last dimension; later ones win
///
/// ```mlir
/// func.func @f(%m: memref<?xf32>, %i: index, %n: vector<8xi32>, %mask: vector<8xi1>, %v: vector<8xf32>) {
///   vector.scatter %m[%i] [%n], %mask, %v : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
///   return
/// }
/// ```
#[op(
    "vector.scatter",
    interfaces(terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify, effects)
)]
#[asm(
    "$base `[` $offsets `]` ` ` `[` $indices `]` `,` $mask `,` $value attr-dict `:` type($base) `,` type($indices) `,` type($mask) `,` type($value) (`->` type($result)^)?"
)]
pub struct Scatter {
    base: Base,
    offsets: Variadic<Index>,
    indices: Indices,
    mask: Mask,
    value: RankedVector,
    #[attr(optional)]
    alignment: AlignmentAttr,
    #[result]
    result: Optional<AnyRankedTensor>,
}

/// Read neighbors in memory into the elements whose mask is set
///
/// ```mlir
/// func.func @f(%m: memref<?xf32>, %i: index, %mask: vector<8xi1>, %v: vector<8xf32>) -> vector<8xf32> {
///   %r = vector.expandload %m[%i], %mask, %v : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
///   return %r : vector<8xf32>
/// }
/// ```
#[op(
    "vector.expandload",
    effects(read),
    interfaces(terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify)
)]
#[asm(
    "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)"
)]
pub struct ExpandLoad {
    base: AnyMemRef,
    indices: Variadic<Index>,
    mask: Mask,
    pass_thru: RankedVector,
    #[attr(optional)]
    alignment: AlignmentAttr,
    #[result]
    result: RankedVector,
}

/// Write the elements whose mask is set as neighbors in memory
///
/// ```mlir
/// func.func @f(%m: memref<?xf32>, %i: index, %mask: vector<8xi1>, %v: vector<8xf32>) {
///   vector.compressstore %m[%i], %mask, %v : memref<?xf32>, vector<8xi1>, vector<8xf32>
///   return
/// }
/// ```
#[op(
    "vector.compressstore",
    effects(write),
    interfaces(terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify)
)]
#[asm(
    "$base `[` $indices `]` `,` $mask `,` $value attr-dict `:` type($base) `,` type($mask) `,` type($value)"
)]
pub struct CompressStore {
    base: AnyMemRef,
    indices: Variadic<Index>,
    mask: Mask,
    value: RankedVector,
    #[attr(optional)]
    alignment: AlignmentAttr,
}

fn is_memory(ir: &Ir, base: Value) -> bool {
    matches!(ir.ty(base).kind(ir.cx()), TypeKind::MemRef { .. })
}

impl EffectsOf for Gather {
    fn effects(self, ir: &Ir) -> Effects {
        if is_memory(ir, self.base(ir)) { Effects::READ } else { Effects::NONE }
    }
}

impl EffectsOf for Scatter {
    fn effects(self, ir: &Ir) -> Effects {
        if is_memory(ir, self.base(ir)) { Effects::WRITE } else { Effects::NONE }
    }
}

/// What all four have
struct Parts {
    base: Value,
    at: usize,
    indices: Option<Value>,
    mask: Value,
    vector: Type,
}

/// The base's elements, one index per dimension, and shapes that agree; `whose` is upstream's word for the vector
fn check(v: &VerifyCx<'_>, op: OpId, parts: &Parts, whose: &str) -> Result<(), Reported> {
    let (ir, cx) = (v.ir, v.ir.cx());
    let fail = |message: String| v.fail(op, &codes::OP_RULE, message);
    let base = ir.ty(parts.base);
    if base.scalar(cx) != parts.vector.scalar(cx) {
        return fail(format!("base and {whose} element type should match"));
    }
    check_indices(v, op, base.shape(cx).map_or(0, <[i64]>::len), parts.at)?;
    let i1 = cx.common().i1;
    let shape_of = |ty: Type| ty.with_element(cx, i1);
    if parts.indices.is_some_and(|indices| shape_of(ir.ty(indices)) != shape_of(parts.vector)) {
        return fail(format!("expected {whose} dim to match indices dim"));
    }
    if ir.ty(parts.mask) != shape_of(parts.vector) {
        return fail(format!("expected {whose} dim to match mask dim"));
    }
    Ok(())
}

impl Verify for Gather {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let parts = Parts {
            base: self.base(ir),
            at: self.offsets(ir).len(),
            indices: Some(self.indices(ir)),
            mask: self.mask(ir),
            vector: ir.ty(self.result(ir)),
        };
        check(v, self.0, &parts, "result")?;
        check_pass_thru(v, self.0, self.pass_thru(ir), self.result(ir))
    }
}

impl Verify for Scatter {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let parts = Parts {
            base: self.base(ir),
            at: self.offsets(ir).len(),
            indices: Some(self.indices(ir)),
            mask: self.mask(ir),
            vector: ir.ty(self.value(ir)),
        };
        check(v, self.0, &parts, "valueToStore")?;
        let wanted = (!is_memory(ir, parts.base)).then_some(ir.ty(parts.base));
        if self.result(ir).map(|result| ir.ty(result)) != wanted {
            let message = "has a result of the tensor's type exactly if it writes into a tensor";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}

impl Verify for ExpandLoad {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let parts = Parts {
            base: self.base(ir),
            at: self.indices(ir).len(),
            indices: None,
            mask: self.mask(ir),
            vector: ir.ty(self.result(ir)),
        };
        check(v, self.0, &parts, "result")?;
        check_pass_thru(v, self.0, self.pass_thru(ir), self.result(ir))
    }
}

impl Verify for CompressStore {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let parts = Parts {
            base: self.base(ir),
            at: self.indices(ir).len(),
            indices: None,
            mask: self.mask(ir),
            vector: ir.ty(self.value(ir)),
        };
        check(v, self.0, &parts, "valueToStore")
    }
}
