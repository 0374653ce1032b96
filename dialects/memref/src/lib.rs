//! `memref`: buffers.
//!
//! A memref is a descriptor: storage, offset, sizes, strides. Loads and stores take one index per dimension.
//! Files: here allocation and access; `views`, `shapes`, `hints`, `globals`, `atomics`, `scopes`, `dma`; `layout` knows
//! where elements lie.

mod address;
mod allocation;
mod atomics;
mod dma;
mod globals;
mod hints;
mod interp;
pub mod layout;
mod patterns;
mod rules;
mod scopes;
mod shapes;
mod views;

pub use address::{Address, address};
pub use allocation::{Allocation, AllocationTable};
pub use atomics::*;
pub use dma::*;
pub use globals::*;
pub use hints::*;
pub use scopes::*;
pub use shapes::*;
pub use views::*;

use layout::strided;
pub use patterns::CastInto;
use rules::{AlignmentAttr, NonScalarMemRef, off};
use terrace_dataflow::Ints;
use terrace_diag::Reported;
use terrace_dialect_shapes::casts;
use terrace_ir::rules::{AnyMemRef, AnyRankedOrUnrankedMemRef, AnyType, BoolAttr, Index};
use terrace_ir::{
    Context, DYNAMIC, Fold, FoldCx, Folded, Ir, OpId, Traits, Type, TypeKind, Value, Verify, VerifyCx, codes,
};
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
    interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize, Allocation),
    hooks(verify)
)]
#[asm("`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)")]
pub struct Alloc {
    dynamic_sizes: Variadic<Index>,
    symbol_operands: Variadic<Index>,
    #[attr(optional)]
    alignment: AlignmentAttr,
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
    interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize, Allocation),
    hooks(verify)
)]
#[asm("`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)")]
pub struct Alloca {
    dynamic_sizes: Variadic<Index>,
    symbol_operands: Variadic<Index>,
    #[attr(optional)]
    alignment: AlignmentAttr,
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
#[op("memref.dealloc", effects(free), interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize))]
#[asm("$memref attr-dict `:` type($memref)")]
pub struct Dealloc {
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
#[op("memref.load", effects(read), interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize),
     relations(element_of(memref => result)), hooks(verify))]
#[asm("$memref `` `[` $indices `]` attr-dict `:` type($memref)")]
pub struct Load {
    memref: AnyMemRef,
    indices: Variadic<Index>,
    #[attr(default = off)]
    nontemporal: BoolAttr,
    #[attr(optional)]
    alignment: AlignmentAttr,
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
#[op("memref.store", effects(write), interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize),
     relations(element_of(memref => value)), hooks(verify))]
#[asm("$value `,` $memref `` `[` $indices `]` attr-dict `:` type($memref)")]
pub struct Store {
    value: AnyType,
    memref: AnyMemRef,
    indices: Variadic<Index>,
    #[attr(default = off)]
    nontemporal: BoolAttr,
    #[attr(optional)]
    alignment: AlignmentAttr,
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
    interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize, terrace_dataflow::InferInts)
)]
#[asm("attr-dict $source `,` $index `:` type($source)")]
pub struct Dim {
    source: NonScalarMemRef,
    index: Index,
    #[result]
    result: Index,
}

impl terrace_dataflow::InferInts for Dim {
    fn infer_ints(_: &Ir, _: OpId, _: &[Option<Ints>]) -> Vec<Option<Ints>> {
        vec![Some(Ints::from_unsigned(64, 0, i64::MAX.into()))]
    }
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
    traits(Pure, ViewLike),
    interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize),
    hooks(fold, verify)
)]
#[asm("$source attr-dict `:` type($source) `to` type($dest)")]
pub struct Cast {
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
    interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize),
    hooks(verify)
)]
#[asm("$source `,` $target attr-dict `:` type($source) `to` type($target)")]
pub struct Copy {
    source: AnyRankedOrUnrankedMemRef,
    target: AnyRankedOrUnrankedMemRef,
}

/// The buffer that a view is of, through all views
pub fn root(ir: &Ir, mut value: Value) -> Value {
    while let Some(op) = ir.defining_op(value).filter(|op| ir.has(*op, Traits::ViewLike)) {
        value = ir.operand(op, 0);
    }
    value
}

dialect! {
    /// Buffers
    pub MEMREF = "memref" {
        ops: [
            Alloc, AllocaScope, AllocaScopeReturn, Alloca, AssumeAlignment, AtomicRmw, AtomicYield, Cast, CollapseShape,
            Copy, Dealloc, Dim, DistinctObjects, DmaStart, DmaWait, ExpandShape, ExtractAlignedPointerAsIndex,
            ExtractStridedMetadata, GenericAtomicRmw, GetGlobal, Global, Load, MemorySpaceCast, Prefetch, Rank, Realloc,
            ReinterpretCast, Reshape, Store, SubView, Transpose, View,
        ],
    }
}

fn check_sizes(v: &VerifyCx<'_>, op: OpId, sizes: usize, symbols: usize, ty: Type) -> Result<(), Reported> {
    let dynamic = ty.shape(v.ir.cx()).unwrap_or(&[]).iter().filter(|size| **size == DYNAMIC).count();
    if sizes != dynamic {
        let message = "dimension operand count does not equal memref dynamic dimension count";
        let note = format!("the type has {dynamic}, {sizes} are given");
        return Err(v.emit(v.error(op, &codes::OP_RULE, message).note(note)));
    }
    let wanted = layout::symbols(v.ir.cx(), ty);
    if symbols != wanted {
        let message = format!(
            "symbol operand count does not equal memref symbol count: expected {wanted}, got {symbols}"
        );
        return v.fail(op, &codes::OP_RULE, message);
    }
    Ok(())
}

impl Verify for Alloc {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let symbols = self.symbol_operands(v.ir).len();
        check_sizes(v, self.0, self.dynamic_sizes(v.ir).len(), symbols, v.ir.ty(self.memref(v.ir)))
    }
}

impl Verify for Alloca {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let symbols = self.symbol_operands(v.ir).len();
        check_sizes(v, self.0, self.dynamic_sizes(v.ir).len(), symbols, v.ir.ty(self.memref(v.ir)))
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
        let Ok(n) = usize::try_from(n) else { return Folded::No };
        patterns::size_of(ir, self.source(ir), n)
    }
}

/// Could a value of one type be one of the other at run time?
pub fn compatible(cx: &Context, a: Type, b: Type) -> bool {
    let parts = |ty: Type| match ty.kind(cx) {
        TypeKind::MemRef { elem, space, layout, .. } => Some((*elem, *space, *layout)),
        TypeKind::UnrankedMemRef { elem, space } => Some((*elem, *space, None)),
        _ => None,
    };
    let (Some((elem_a, space_a, layout_a)), Some((elem_b, space_b, layout_b))) = (parts(a), parts(b)) else {
        return false;
    };
    if elem_a != elem_b || space_a != space_b {
        return false;
    }
    let (shape_a, shape_b) = match (a.shape(cx), b.shape(cx)) {
        (Some(a), Some(b)) => (a, b),
        // From unranked to unranked there is nothing to say.
        (None, None) => return false,
        _ => return true,
    };
    let fits = |a: i64, b: i64| a == b || a == DYNAMIC || b == DYNAMIC;
    if shape_a.len() != shape_b.len() || !shape_a.iter().zip(shape_b).all(|(a, b)| fits(*a, *b)) {
        return false;
    }
    if layout_a == layout_b {
        return true;
    }
    let (Some(a), Some(b)) = (strided(cx, a), strided(cx, b)) else { return false };
    let strides = shape_a.iter().zip(a.strides.iter().zip(&b.strides));
    fits(a.offset, b.offset) && strides.into_iter().all(|(size, (a, b))| *size == 1 || fits(*a, *b))
}

impl Verify for Cast {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (a, b) = (v.ir.ty(self.source(v.ir)), v.ir.ty(self.dest(v.ir)));
        casts::check(v, self.0, compatible(v.ir.cx(), a, b))
    }
}

impl Fold for Cast {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        casts::fold(cx, self.0)
    }
}

/// Could buffers of these types have the same sizes at run time?
fn same_sizes(cx: &Context, a: Type, b: Type) -> bool {
    a.shape(cx).zip(b.shape(cx)).is_none_or(|(a, b)| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC)
    })
}

impl Verify for Copy {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (cx, a, b) = (v.ir.cx(), v.ir.ty(self.source(v.ir)), v.ir.ty(self.target(v.ir)));
        if a.element(cx) != b.element(cx) {
            return v.fail(self.0, &codes::OP_RULE, "requires the same element type for all operands");
        }
        if same_sizes(cx, a, b) {
            Ok(())
        } else {
            v.fail(self.0, &codes::OP_RULE, "requires the same shape for all operands")
        }
    }
}
