//! `memref`: buffers. So far those ops that loops over arrays need: `alloc alloca cast copy dealloc dim load store`.
//!
//! A memref is a descriptor: storage, offset, sizes, strides. Loads and stores take one index per dimension.

mod interp;

use terrace_diag::Reported;
use terrace_ir::rules::{AnyMemRef, AnyRankedOrUnrankedMemRef, AnyType, BoolAttr, I64Attr, Index};
use terrace_ir::{Context, DYNAMIC, Fold, FoldCx, Folded, OpId, Type, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::{dialect, op};

/// Allocate a buffer; dynamic sizes are operands
///
/// ```mlir
/// func.func @f(%n: index) -> memref<?x4xf32> {
///   %m = memref.alloc(%n) : memref<?x4xf32>
///   return %m : memref<?x4xf32>
/// }
/// ```
#[op(
    "memref.alloc",
    effects(alloc),
    interfaces(terrace_interp::Interpret),
    hooks(verify),
    asm = "`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)"
)]
pub struct Alloc {
    #[operand]
    dynamic_sizes: Variadic<Index>,
    #[operand]
    symbol_operands: Variadic<Index>,
    #[attr(optional)]
    alignment: I64Attr,
    #[result]
    memref: AnyMemRef,
}

/// Allocate a buffer that lives until the function returns
///
/// ```mlir
/// func.func @f() {
///   %m = memref.alloca() : memref<4xf32>
///   return
/// }
/// ```
#[op(
    "memref.alloca",
    effects(alloc),
    interfaces(terrace_interp::Interpret),
    hooks(verify),
    asm = "`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)"
)]
pub struct Alloca {
    #[operand]
    dynamic_sizes: Variadic<Index>,
    #[operand]
    symbol_operands: Variadic<Index>,
    #[attr(optional)]
    alignment: I64Attr,
    #[result]
    memref: AnyMemRef,
}

/// Free a buffer
///
/// ```mlir
/// func.func @f(%m: memref<4xf32>) {
///   memref.dealloc %m : memref<4xf32>
///   return
/// }
/// ```
#[op(
    "memref.dealloc",
    effects(free),
    interfaces(terrace_interp::Interpret),
    asm = "$memref attr-dict `:` type($memref)"
)]
pub struct Dealloc {
    #[operand]
    memref: AnyRankedOrUnrankedMemRef,
}

/// Read an element
///
/// ```mlir
/// func.func @f(%m: memref<4x4xf32>, %i: index) -> f32 {
///   %x = memref.load %m[%i, %i] : memref<4x4xf32>
///   return %x : f32
/// }
/// ```
#[op("memref.load", effects(read), interfaces(terrace_interp::Interpret), relations(element_of(memref => result)), hooks(verify),
     asm = "$memref `` `[` $indices `]` attr-dict `:` type($memref)")]
pub struct Load {
    #[operand]
    memref: AnyMemRef,
    #[operand]
    indices: Variadic<Index>,
    #[attr(optional)]
    nontemporal: BoolAttr,
    #[result]
    result: AnyType,
}

/// Write an element
///
/// ```mlir
/// func.func @f(%m: memref<4x4xf32>, %i: index, %x: f32) {
///   memref.store %x, %m[%i, %i] : memref<4x4xf32>
///   return
/// }
/// ```
#[op("memref.store", effects(write), interfaces(terrace_interp::Interpret), relations(element_of(memref => value)), hooks(verify),
     asm = "$value `,` $memref `` `[` $indices `]` attr-dict `:` type($memref)")]
pub struct Store {
    #[operand]
    value: AnyType,
    #[operand]
    memref: AnyMemRef,
    #[operand]
    indices: Variadic<Index>,
    #[attr(optional)]
    nontemporal: BoolAttr,
}

/// Size of a dimension
///
/// ```mlir
/// func.func @f(%m: memref<4x?xf32>) -> index {
///   %c1 = arith.constant 1 : index
///   %n = memref.dim %m, %c1 : memref<4x?xf32>
///   return %n : index
/// }
/// ```
#[op(
    "memref.dim",
    traits(NoEffect),
    hooks(fold),
    interfaces(terrace_interp::Interpret),
    asm = "attr-dict $source `,` $index `:` type($source)"
)]
pub struct Dim {
    #[operand]
    source: AnyRankedOrUnrankedMemRef,
    #[operand]
    index: Index,
    #[result]
    result: Index,
}

/// The same buffer with more or less of its shape known
///
/// ```mlir
/// func.func @f(%m: memref<4xf32>) -> memref<?xf32> {
///   %n = memref.cast %m : memref<4xf32> to memref<?xf32>
///   return %n : memref<?xf32>
/// }
/// ```
#[op(
    "memref.cast",
    traits(Pure),
    interfaces(terrace_interp::Interpret),
    hooks(fold, verify),
    asm = "$source attr-dict `:` type($source) `to` type($dest)"
)]
pub struct Cast {
    #[operand]
    source: AnyRankedOrUnrankedMemRef,
    #[result]
    dest: AnyRankedOrUnrankedMemRef,
}

/// Copy all elements
///
/// ```mlir
/// func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
///   memref.copy %a, %b : memref<4xf32> to memref<4xf32>
///   return
/// }
/// ```
#[op(
    "memref.copy",
    effects(read, write),
    interfaces(terrace_interp::Interpret),
    asm = "$source `,` $target attr-dict `:` type($source) `to` type($target)"
)]
pub struct Copy {
    #[operand]
    source: AnyRankedOrUnrankedMemRef,
    #[operand]
    target: AnyRankedOrUnrankedMemRef,
}

dialect! {
    /// Buffers
    pub MEMREF = "memref" { ops: [Alloc, Alloca, Cast, Copy, Dealloc, Dim, Load, Store] }
}

fn check_sizes(v: &VerifyCx<'_>, op: OpId, sizes: usize, ty: Type) -> Result<(), Reported> {
    let dynamic = ty.shape(v.ir.cx()).unwrap_or(&[]).iter().filter(|size| **size == DYNAMIC).count();
    if sizes == dynamic {
        return Ok(());
    }
    let message = "dimension operand count does not equal memref dynamic dimension count";
    Err(v.emit(
        v.error(op, &codes::OP_RULE, message).note(format!("the type has {dynamic}, {sizes} are given")),
    ))
}

impl Verify for Alloc {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_sizes(v, self.0, self.dynamic_sizes(v.ir).len(), v.ir.ty(self.memref(v.ir)))
    }
}

impl Verify for Alloca {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_sizes(v, self.0, self.dynamic_sizes(v.ir).len(), v.ir.ty(self.memref(v.ir)))
    }
}

fn check_indices(v: &VerifyCx<'_>, op: OpId, indices: usize, ty: Type) -> Result<(), Reported> {
    let rank = ty.shape(v.ir.cx()).map_or(0, <[i64]>::len);
    if indices == rank {
        return Ok(());
    }
    let message = format!("expects as many indices as the rank of the memref, {rank}, but found {indices}");
    v.fail(op, &codes::OP_RULE, message)
}

impl Verify for Load {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_indices(v, self.0, self.indices(v.ir).len(), v.ir.ty(self.memref(v.ir)))
    }
}

impl Verify for Store {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_indices(v, self.0, self.indices(v.ir).len(), v.ir.ty(self.memref(v.ir)))
    }
}

impl Fold for Dim {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let Some(n) = cx.constant(1).and_then(|attr| attr.as_i64(context)) else { return Folded::No };
        let size =
            usize::try_from(n).ok().and_then(|n| ir.ty(self.source(ir)).shape(context)?.get(n).copied());
        Folded::maybe(size.filter(|size| *size != DYNAMIC).map(|size| context.index_attr(size)))
    }
}

/// Could a value of one type be one of the other at run time?
fn compatible(cx: &Context, a: Type, b: Type) -> bool {
    let parts = |ty: Type| match ty.kind(cx) {
        TypeKind::MemRef { elem, space, .. } | TypeKind::UnrankedMemRef { elem, space } => {
            Some((*elem, *space))
        }
        _ => None,
    };
    let (shape_a, shape_b): (Option<&[i64]>, Option<&[i64]>) = (a.shape(cx), b.shape(cx));
    let shapes = match (shape_a, shape_b) {
        (Some(a), Some(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC)
        }
        _ => true,
    };
    parts(a) == parts(b) && shapes
}

impl Verify for Cast {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (a, b) = (v.ir.ty(self.source(v.ir)), v.ir.ty(self.dest(v.ir)));
        if compatible(v.ir.cx(), a, b) {
            return Ok(());
        }
        let message =
            format!("operand type '{}' and result type '{}' are cast incompatible", v.show(a), v.show(b));
        v.fail(self.0, &codes::OP_RULE, message)
    }
}

impl Fold for Cast {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let source = self.source(cx.ir);
        if cx.ir.ty(source) == cx.ir.ty(self.dest(cx.ir)) { Folded::value(source) } else { Folded::No }
    }
}
