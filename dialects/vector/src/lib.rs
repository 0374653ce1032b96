//! `vector`: values of several elements with static shapes, and how they move between memory and registers.
//!
//! Dimensions are row-major; a position names leading dimensions, so what it leaves is a vector of the trailing ones. A
//! static position may be a constant or [`DYNAMIC`](terrace_ir::DYNAMIC), which means the next operand. Files by what
//! ops do: memory, transfers, arranging elements, computing, masks.
//!
//! Interpreted ops know fixed lengths only: scalable dimensions trap.

pub mod arrange;
pub mod compute;
pub mod contract;
mod fold;
pub mod interp;
pub mod masks;
pub mod memory;
pub mod regions;
pub mod rules;
pub mod scatter;
pub mod shapes;
pub mod slices;
mod through;
pub mod transfer;

pub use arrange::*;
pub use compute::*;
pub use contract::*;
pub use masks::*;
pub use memory::*;
pub use regions::*;
pub use scatter::*;
pub use shapes::*;
pub use slices::{
    BitCast, Deinterleave, ExtractStridedSlice, FromElements, InsertStridedSlice, Interleave,
    ScalableExtract, ScalableInsert, ToElements, VScale,
};
pub use transfer::{TransferRead, TransferWrite};

use terrace_ir::{Attr, AttrForm, Context, Type, TypeKind};
use terrace_macros::dialect;

terrace_ir::attr_enums! {
    /// How elements are combined
    pub CombiningKind = "vector.kind", "Kind of combining function for contractions and reductions", keyword {
        Add "add" 0, Mul "mul" 1, MinUI "minui" 2, MinSI "minsi" 3, MinNumF "minnumf" 4, MaxUI "maxui" 5, MaxSI "maxsi" 6,
        MaxNumF "maxnumf" 7, And "and" 8, Or "or" 9, Xor "xor" 10, MinimumF "minimumf" 11, MaximumF "maximumf" 12,
    }
}

terrace_dialect_arith::combining!(CombiningKind);

/// Shape of a vector type; none for another type
fn vector_shape(cx: &Context, ty: Type) -> Option<&[i64]> {
    match ty.kind(cx) {
        TypeKind::Vector { shape, .. } => Some(shape),
        _ => None,
    }
}

fn vector_of(cx: &Context, ty: Type, elem: impl Fn(Type) -> bool) -> bool {
    matches!(ty.kind(cx), TypeKind::Vector { elem: each, .. } if elem(*each))
}

fn has_rank(cx: &Context, ty: Type) -> bool {
    vector_shape(cx, ty).is_some_and(|shape| !shape.is_empty())
}

fn is_fixed(cx: &Context, ty: Type) -> bool {
    matches!(ty.kind(cx), TypeKind::Vector { scalable: 0, .. })
}

terrace_ir::type_rules! {
    /// Vector with at least one dimension
    RankedVector "vector of any type values", has_rank;
    /// Vector without scalable dimensions
    FixedVector "fixed-length vector of any type values", is_fixed;
    /// Vector of floats
    FloatVector "vector of floating-point values", |cx, ty| vector_of(cx, ty, |elem| elem.is_float(cx));
    /// Vector of `i1`
    AnyMask "vector of 1-bit signless integer values", |cx, ty| vector_of(cx, ty, |elem| elem == cx.common().i1);
    /// Vector of indices with one dimension
    IndexVector "vector of index values of ranks 1", |cx, ty| vector_shape(cx, ty).is_some_and(|shape| shape.len() == 1)
        && vector_of(cx, ty, |elem| elem.is_index(cx));
    /// Vector of `i1` with at least one dimension
    Mask "vector of 1-bit signless integer values",
        |cx, ty| has_rank(cx, ty) && vector_of(cx, ty, |elem| elem == cx.common().i1);
}

fn is_alignment(cx: &Context, attr: Attr) -> bool {
    let (value, ty) = attr.as_int(cx).unwrap_or((0, cx.common().none));
    ty == cx.common().i64 && value > 0 && value & (value - 1) == 0
}

terrace_ir::attr_rules! {
    /// Bytes of an alignment
    AlignmentAttr "64-bit signless integer attribute whose value is positive and whose value is a power of two > 0",
        AttrForm::Bare(|cx| cx.common().i64), is_alignment;
}

/// Default of attributes that are off
fn off(cx: &Context) -> Attr {
    cx.bool_attr(false)
}

/// Default way of combining: sum
fn add_kind(cx: &Context) -> Attr {
    CombiningKind::Add.attr(cx)
}

dialect! {
    /// Vectors: elements in registers
    pub VECTOR = "vector" {
        ops: [
            BitCast, Broadcast, CompressStore, ConstantMask, Contract, CreateMask, Deinterleave, ExpandLoad, Extract,
            ExtractStridedSlice, Fma, FromElements, Gather, Insert, InsertStridedSlice, Interleave, Load, MaskOp,
            MaskedLoad, MaskedStore, MultiReduction, OuterProduct, Print, Reduction, ScalableExtract, ScalableInsert, Scan,
            Scatter, ShapeCast, Shuffle, Step, Store, ToElements, TransferRead, TransferWrite, Transpose, TypeCast, VScale,
            Yield,
        ],
        enums: [CombiningKind::DEF, IteratorType::DEF, PrintPunctuation::DEF],
        materialize: terrace_dialect_arith::materialize,
    }
}
