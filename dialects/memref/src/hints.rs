//! What is known or wished about a buffer, and what its descriptor holds: `prefetch assume_alignment distinct_objects
//! memory_space_cast rank extract_aligned_pointer_as_index extract_strided_metadata`.

use super::rules::StridedMemRef;
use terrace_diag::Reported;
use terrace_ir::rules::{AnyMemRef, AnyRankedOrUnrankedMemRef, BoolAttr, Index};
use terrace_ir::{Attr, AttrForm, Fold, FoldCx, Folded, Infer, Ir, Type, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter};

terrace_ir::attr_rules! {
    /// 0 to 3
    Locality "32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
        AttrForm::Bare(|cx| cx.common().i32), |cx, attr| attr.as_int(cx).is_some_and(|(value, ty)| {
            ty == cx.common().i32 && (0..=3).contains(&value)
        });
    /// A positive `i32`
    PositiveI32 "32-bit signless integer attribute whose value is positive", AttrForm::Bare(|cx| cx.common().i32),
        |cx, attr| attr.as_int(cx).is_some_and(|(value, ty)| ty == cx.common().i32 && value > 0);
}

terrace_ir::type_rules! {
    /// Memref without dimensions
    PointMemRef "strided memref of any type values of rank 0", |cx, ty| {
        matches!(ty.kind(cx), TypeKind::MemRef { .. }) && ty.shape(cx).is_some_and(<[i64]>::is_empty)
    };
}

/// Say that memory will be read or written soon
///
/// ```mlir
/// func.func @f(%m: memref<400x400xi32>, %i: index) {
///   memref.prefetch %m[%i, %i], read, locality<3>, data : memref<400x400xi32>
///   return
/// }
/// ```
#[op("memref.prefetch", effects(write), interfaces(CustomAsm, terrace_interp::Interpret), hooks(verify))]
pub struct Prefetch {
    memref: AnyMemRef,
    indices: Variadic<Index>,
    #[attr(name = "isWrite")]
    is_write: BoolAttr,
    #[attr(name = "localityHint")]
    locality: Locality,
    #[attr(name = "isDataCache")]
    is_data: BoolAttr,
}

/// `, read, locality<3>, data`
pub fn parse_hints(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let cx = p.cx();
    p.punct(",")?;
    let is_write = p.one_of(&["read", "write"])? == 1;
    p.punct(",")?;
    p.keyword("locality")?;
    p.punct("<")?;
    let hint = p.int64()?;
    p.punct(">")?;
    p.punct(",")?;
    let is_data = p.one_of(&["instr", "data"])? == 1;
    p.set_attr("isWrite", cx.bool_attr(is_write));
    p.set_attr("localityHint", cx.int_attr(hint.into(), cx.common().i32));
    p.set_attr("isDataCache", cx.bool_attr(is_data));
    Ok(())
}

/// The same as text
pub fn print_hints(p: &mut OpPrinter<'_>, is_write: Attr, locality: Attr, is_data: Attr) {
    let cx = p.cx();
    let on = |attr: Attr| attr.as_int(cx).is_some_and(|(value, _)| value != 0);
    p.text(if on(is_write) { ", write" } else { ", read" });
    p.text(", locality<");
    p.attr_value(locality);
    p.text(if on(is_data) { ">, data" } else { ">, instr" });
}

/// Attributes that [`print_hints`] has printed
pub const HINTS: [&str; 3] = ["localityHint", "isDataCache", "isWrite"];

impl CustomAsm for Prefetch {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let memref = p.operand()?;
        let indices = p.operands(Delim::Square)?;
        parse_hints(p)?;
        p.attr_dict()?;
        let ty = p.colon_type()?;
        p.resolve(&memref, ty)?;
        let index = p.cx().common().index;
        indices.iter().try_for_each(|each| p.resolve(each, index))
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.memref(ir));
        p.text("[");
        p.operands(self.indices(ir));
        p.text("]");
        print_hints(p, self.is_write(ir), self.locality(ir), self.is_data(ir));
        p.attr_dict(&HINTS);
        p.text(" : ");
        p.ty(ir.ty(self.memref(ir)));
    }
}

impl Verify for Prefetch {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        if ir.ty(self.memref(ir)).shape(ir.cx()).map(<[i64]>::len) != Some(self.indices(ir).len()) {
            return v.fail(self.0, &codes::OP_RULE, "too few indices");
        }
        Ok(())
    }
}

/// The same buffer, promised to begin at a multiple of so many bytes
///
/// ```mlir
/// func.func @f(%m: memref<4x4xf32>) -> memref<4x4xf32> {
///   %r = memref.assume_alignment %m, 16 : memref<4x4xf32>
///   return %r : memref<4x4xf32>
/// }
/// ```
#[op(
    "memref.assume_alignment",
    traits(Pure, ViewLike),
    relations(same(memref, result)),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm("$memref `,` $alignment attr-dict `:` type($memref)")]
pub struct AssumeAlignment {
    memref: AnyMemRef,
    #[attr]
    alignment: PositiveI32,
    #[result]
    result: AnyMemRef,
}

impl Verify for AssumeAlignment {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let bytes = self.alignment(v.ir).as_i64(v.ir.cx()).unwrap_or(0);
        if bytes <= 0 || bytes & (bytes - 1) != 0 {
            return v.fail(self.0, &codes::OP_RULE, "alignment must be power of 2");
        }
        Ok(())
    }
}

/// The same buffers, promised to have no element in common
///
/// ```mlir
/// func.func @f(%a: memref<4xf32>, %b: memref<?xf32>) -> (memref<4xf32>, memref<?xf32>) {
///   %c, %d = memref.distinct_objects %a, %b : memref<4xf32>, memref<?xf32>
///   return %c, %d : memref<4xf32>, memref<?xf32>
/// }
/// ```
#[op("memref.distinct_objects", traits(Pure), interfaces(terrace_interp::Interpret), hooks(infer, verify))]
#[asm("$operands attr-dict `:` type($operands)")]
pub struct DistinctObjects {
    operands: Variadic<AnyMemRef>,
    #[result]
    results: Variadic<AnyMemRef>,
}

impl Infer for DistinctObjects {
    fn infer(cx: &terrace_ir::defs::InferCx<'_>) -> Option<Vec<Type>> {
        Some(cx.operands.to_vec())
    }
}

impl Verify for DistinctObjects {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        if ir.num_operands(self.0) == 0 {
            return v.fail(self.0, &codes::OP_RULE, "expected at least one operand");
        }
        let same = ir.num_operands(self.0) == ir.num_results(self.0)
            && ir.operands(self.0).zip(ir.results(self.0)).all(|(a, b)| ir.ty(a) == ir.ty(b));
        if !same {
            let message = "operand types and result types must match";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}

/// The same memory seen from another memory space
///
/// ```mlir
/// func.func @f(%m: memref<5x4xi32>) -> memref<5x4xi32, 3> {
///   %r = memref.memory_space_cast %m : memref<5x4xi32> to memref<5x4xi32, 3>
///   return %r : memref<5x4xi32, 3>
/// }
/// ```
#[op(
    "memref.memory_space_cast",
    traits(Pure, ViewLike),
    interfaces(terrace_interp::Interpret),
    hooks(fold, verify)
)]
#[asm("$source attr-dict `:` type($source) `to` type($dest)")]
pub struct MemorySpaceCast {
    source: AnyRankedOrUnrankedMemRef,
    #[result]
    dest: AnyRankedOrUnrankedMemRef,
}

/// The type in the memory space of another one
fn in_space(ir: &Ir, ty: Type, other: Type) -> Type {
    let cx = ir.cx();
    let space = match other.kind(cx) {
        TypeKind::MemRef { space, .. } | TypeKind::UnrankedMemRef { space, .. } => *space,
        _ => None,
    };
    match ty.kind(cx) {
        TypeKind::MemRef { shape, elem, layout, .. } => {
            cx.ty(TypeKind::MemRef { shape: shape.clone(), elem: *elem, layout: *layout, space })
        }
        TypeKind::UnrankedMemRef { elem, .. } => cx.ty(TypeKind::UnrankedMemRef { elem: *elem, space }),
        _ => ty,
    }
}

impl Verify for MemorySpaceCast {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.dest(ir)));
        if in_space(ir, from, to) == to {
            return Ok(());
        }
        let message =
            format!("operand type '{}' and result type '{}' are cast incompatible", v.show(from), v.show(to));
        v.fail(self.0, &codes::OP_RULE, message)
    }
}

impl Fold for MemorySpaceCast {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let ir = cx.ir;
        let (source, to) = (self.source(ir), ir.ty(self.dest(ir)));
        if ir.ty(source) == to {
            return Folded::value(source);
        }
        let inner = ir.defining_op(source).and_then(|op| MemorySpaceCast::cast(ir, op));
        match inner {
            Some(inner) if ir.ty(inner.source(ir)) == to => Folded::value(inner.source(ir)),
            _ => Folded::No,
        }
    }
}

/// Number of dimensions
///
/// ```mlir
/// func.func @f(%m: memref<*xf32>) -> index {
///   %r = memref.rank %m : memref<*xf32>
///   return %r : index
/// }
/// ```
#[op("memref.rank", traits(Pure), interfaces(terrace_interp::Interpret), hooks(fold))]
#[asm("$memref attr-dict `:` type($memref)")]
pub struct Rank {
    memref: AnyRankedOrUnrankedMemRef,
    #[result]
    result: Index,
}

impl Fold for Rank {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let shape = cx.ir.ty(self.memref(cx.ir)).shape(cx.cx());
        Folded::maybe(shape.map(|shape| cx.cx().index_attr(shape.len() as i64)))
    }
}

/// The address where a buffer's aligned storage begins
///
/// ```mlir
/// func.func @f(%m: memref<4x4xf32>) -> index {
///   %r = memref.extract_aligned_pointer_as_index %m : memref<4x4xf32> -> index
///   return %r : index
/// }
/// ```
#[op("memref.extract_aligned_pointer_as_index", traits(Pure), interfaces(terrace_interp::Interpret))]
#[asm("$source `:` type($source) `->` type(results) attr-dict")]
pub struct ExtractAlignedPointerAsIndex {
    source: AnyRankedOrUnrankedMemRef,
    #[result]
    aligned_pointer: Index,
}

/// What a descriptor holds: the buffer without shape, the offset, then sizes, then strides
///
/// ```mlir
/// func.func @f(%m: memref<10x?xf32>) -> (index, index) {
///   %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<10x?xf32> -> memref<f32>, index, index, index, index, index
///   return %sizes#1, %strides#0 : index, index
/// }
/// ```
#[op("memref.extract_strided_metadata", traits(Pure), interfaces(terrace_interp::Interpret), hooks(verify))]
#[asm("$source `:` type($source) `->` type(results) attr-dict")]
pub struct ExtractStridedMetadata {
    source: StridedMemRef,
    #[result]
    base_buffer: PointMemRef,
    #[result]
    offset: Index,
    // Sizes and strides are as many, so upstream needs no segment sizes; here they are one field.
    #[result]
    numbers: Variadic<Index>,
}

impl Verify for ExtractStridedMetadata {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let from = ir.ty(self.source(ir));
        let rank = from.shape(cx).map_or(0, <[i64]>::len);
        let point =
            cx.ty(TypeKind::MemRef { shape: [].into(), elem: from.scalar(cx), layout: None, space: None });
        if self.numbers(ir).len() != 2 * rank || ir.ty(self.base_buffer(ir)) != in_space(ir, point, from) {
            let message =
                "expects a buffer without shape, an offset, and a size and a stride for each dimension";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}
