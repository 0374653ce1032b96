//! Whole vectors between memory and registers: `load store`.

use super::{AlignmentAttr, off, vector_shape};
use terrace_diag::Reported;
use terrace_dialect_memref::CastInto;
use terrace_ir::rules::{AnyMemRef, AnyVector, BoolAttr, Index};
use terrace_ir::{AttrKind, OpId, Type, TypeKind, Value, Verify, VerifyCx, codes};
use terrace_macros::op;

/// Read a slice of memory into a vector
///
/// ```mlir
/// func.func @f(%m: memref<8x16xf32>, %i: index) -> vector<4xf32> {
///   %v = vector.load %m[%i, %i] : memref<8x16xf32>, vector<4xf32>
///   return %v : vector<4xf32>
/// }
/// ```
#[op(
    "vector.load",
    effects(read),
    interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize),
    hooks(verify)
)]
#[asm("$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)")]
pub struct Load {
    base: AnyMemRef,
    indices: Variadic<Index>,
    #[attr(default = off)]
    nontemporal: BoolAttr,
    #[attr(optional)]
    alignment: AlignmentAttr,
    #[result]
    result: AnyVector,
}

/// Write a vector to a slice of memory
///
/// ```mlir
/// func.func @f(%m: memref<8xvector<4xf32>>, %i: index, %v: vector<4xf32>) {
///   vector.store %v, %m[%i] : memref<8xvector<4xf32>>, vector<4xf32>
///   return
/// }
/// ```
#[op(
    "vector.store",
    effects(write),
    interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize),
    hooks(verify)
)]
#[asm("$value_to_store `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($value_to_store)")]
pub struct Store {
    value_to_store: AnyVector,
    base: AnyMemRef,
    indices: Variadic<Index>,
    #[attr(default = off)]
    nontemporal: BoolAttr,
    #[attr(optional)]
    alignment: AlignmentAttr,
}

/// Are neighbours of the last dimension neighbours in memory?
pub(super) fn last_stride_is_one(v: &VerifyCx<'_>, ty: Type) -> bool {
    unit_stride(v.ir.cx(), ty)
}

/// The same of a context's type
pub(super) fn unit_stride(cx: &terrace_ir::Context, ty: Type) -> bool {
    let TypeKind::MemRef { shape, layout: Some(layout), .. } = ty.kind(cx) else { return true };
    match layout.kind(cx) {
        AttrKind::Strided { strides, .. } => strides.last().is_none_or(|stride| *stride == 1),
        AttrKind::AffineMap(map) => {
            let Some(last) = shape.len().checked_sub(1) else { return true };
            let linear = map.as_linear();
            linear.is_some_and(|forms| forms.len() == 1 && forms[0].dim(last) == 1)
        }
        _ => true,
    }
}

/// Rules that loads and stores share; `words` are upstream's for each
struct Words {
    rank: &'static str,
    vectors: &'static str,
    elements: &'static str,
}

fn check(
    v: &VerifyCx<'_>,
    op: terrace_ir::OpId,
    base: Type,
    vector: Type,
    indices: usize,
    words: &Words,
) -> Result<(), Reported> {
    let cx = v.ir.cx();
    let (memory, shape) = (base.shape(cx).unwrap_or(&[]), vector_shape(cx, vector).unwrap_or(&[]));
    let one =
        vector.num_elements(cx) == Some(1) && matches!(vector.kind(cx), TypeKind::Vector { scalable: 0, .. });
    if !one && !last_stride_is_one(v, base) {
        return v.fail(op, &codes::OP_RULE, "most minor memref dim must have unit stride");
    }
    if memory.len() < shape.len() {
        return v.fail(op, &codes::OP_RULE, words.rank);
    }
    let mut elem = base.scalar(cx);
    if vector_shape(cx, elem).is_some() {
        if elem != vector {
            return v.fail(op, &codes::OP_RULE, words.vectors);
        }
        elem = elem.scalar(cx);
    }
    if elem != vector.scalar(cx) {
        return v.fail(op, &codes::OP_RULE, words.elements);
    }
    check_indices(v, op, memory.len(), indices)
}

/// One index for each dimension
pub(super) fn check_indices(
    v: &VerifyCx<'_>,
    op: terrace_ir::OpId,
    rank: usize,
    indices: usize,
) -> Result<(), Reported> {
    if indices == rank {
        return Ok(());
    }
    v.fail(op, &codes::OP_RULE, format!("requires {rank} indices"))
}

impl terrace_rewrite::Canonicalize for Load {
    const RULES: &'static [&'static dyn terrace_rewrite::Rule] =
        &[&CastInto { root: Load::DEF, operands: &[0], forgetting: true, takes: CastInto::ANY }];
}

impl terrace_rewrite::Canonicalize for Store {
    const RULES: &'static [&'static dyn terrace_rewrite::Rule] =
        &[&CastInto { root: Store::DEF, operands: &[1], forgetting: true, takes: CastInto::ANY }];
}

/// Elements that are not read come from a vector of the same type
pub(super) fn check_pass_thru(
    v: &VerifyCx<'_>,
    op: OpId,
    pass_thru: Value,
    result: Value,
) -> Result<(), Reported> {
    if v.ir.ty(pass_thru) == v.ir.ty(result) {
        return Ok(());
    }
    v.fail(op, &codes::OP_RULE, "expected pass_thru of same type as result type")
}

impl Verify for Load {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let words = Words {
            rank: "destination memref has lower rank than the result vector",
            vectors: "base memref and result vector types should match",
            elements: "base and result element types should match",
        };
        let indices = self.indices(ir).len();
        check(v, self.0, ir.ty(self.base(ir)), ir.ty(self.result(ir)), indices, &words)
    }
}

impl Verify for Store {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let words = Words {
            rank: "source memref has lower rank than the vector to store",
            vectors: "base memref and valueToStore vector types should match",
            elements: "base and valueToStore element type should match",
        };
        let indices = self.indices(ir).len();
        check(v, self.0, ir.ty(self.base(ir)), ir.ty(self.value_to_store(ir)), indices, &words)
    }
}
