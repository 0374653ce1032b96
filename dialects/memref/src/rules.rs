//! Constraints on types and attributes that only memref ops have.

use super::layout::strided;
use terrace_ir::{AttrForm, Context, DYNAMIC, Type, TypeKind};

fn is_memref(cx: &Context, ty: Type) -> bool {
    matches!(ty.kind(cx), TypeKind::MemRef { .. })
}

fn element(cx: &Context, ty: Type, test: fn(&Context, Type) -> bool) -> bool {
    matches!(ty.kind(cx), TypeKind::MemRef { elem, .. } if test(cx, *elem))
}

terrace_ir::type_rules! {
    /// Integer or float
    IntOrFloat "signless integer or floating-point", |cx, ty| ty.is_signless_int(cx) || ty.is_float(cx);
    /// Memref of integers or floats
    NumberMemRef "memref of signless integer or floating-point values",
        |cx, ty| element(cx, ty, |cx, elem| elem.is_signless_int(cx) || elem.is_float(cx));
    /// Memref whose layout has strides
    StridedMemRef "strided memref of any type values", |cx, ty| strided(cx, ty).is_some();
    /// Memref with sizes known
    StaticMemRef "statically shaped memref of any type values",
        |cx, ty| is_memref(cx, ty) && ty.shape(cx).is_some_and(|shape| !shape.contains(&DYNAMIC));
    /// Memref with dimensions, or of unknown rank
    NonScalarMemRef "unranked.memref of any type values or non-0-ranked.memref of any type values",
        |cx, ty| match ty.kind(cx) {
            TypeKind::MemRef { shape, .. } => !shape.is_empty(),
            TypeKind::UnrankedMemRef { .. } => true,
            _ => false,
        };
}

terrace_ir::attr_rules! {
    /// Bytes of an alignment
    AlignmentAttr "64-bit signless integer attribute whose value is positive and whose value is a power of two > 0",
        AttrForm::Bare(|cx| cx.common().i64),
        |cx, attr| attr.as_int(cx).is_some_and(|(value, ty)| {
            ty == cx.common().i64 && u64::try_from(value).is_ok_and(u64::is_power_of_two)
        });
    /// A memref type
    MemRefTypeAttr "memref type attribute", AttrForm::Type, |cx, attr| attr.as_type(cx).is_some_and(|ty| is_memref(cx, ty));
}

/// Default of attributes that are off
pub(crate) fn off(cx: &Context) -> terrace_ir::Attr {
    cx.bool_attr(false)
}
