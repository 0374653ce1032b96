//! The common constraints on types and attributes, as the marker types that fields of `#[op]` structs name.
//!
//! Words are upstream's, since users know its messages. A dialect adds its own with `type_rules!` and `attr_rules!`.

use crate::attrs::{Attr, AttrKind};
use crate::context::Context;
use crate::defs::{AttrConstraint, AttrForm, TypeConstraint};
use crate::types::{FloatKind, Type, TypeKind};

/// A marker type that stands for a constraint on types
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no rule for the types of operands and results",
    label = "not a rule for types",
    note = "accepted are the type rules of `terrace_ir::rules` (`AnyType`, `IntLike`, `F32`, …), those that a dialect makes with `type_rules!`, and `Optional<Rule>` and `Variadic<Rule>` of them",
    note = "a rule for attributes (`StrAttr`, `I64Attr`, …) belongs to a field with `#[attr]`"
)]
pub trait TypeRule {
    /// The constraint
    const RULE: TypeConstraint;
}

/// A marker type that stands for a constraint on attributes
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no rule for attributes",
    label = "not a rule for attributes",
    note = "accepted are the attribute rules of `terrace_ir::rules` (`StrAttr`, `I64Attr`, `UnitAttr`, …) and those that a dialect makes with `attr_rules!`, `attr_enums!` and `attr_flags!`",
    note = "a rule for types (`IntLike`, `F32`, …) belongs to an operand (a field without a mark) or to a field with `#[result]`"
)]
pub trait AttrRule {
    /// The constraint
    const RULE: AttrConstraint;
    /// What accessors of the field return and `build` takes: the attribute, or the enum that `attr_enums!` makes
    type Value;

    /// The value of an attribute that satisfies the constraint
    fn read(cx: &Context, attr: Attr) -> Option<Self::Value>;

    /// The attribute of a value
    fn write(cx: &Context, value: Self::Value) -> Attr;
}

/// Define marker types: `/// doc  Name "what" |cx, ty| test` or `… only |cx| type`
#[macro_export]
macro_rules! type_rules {
    ($($(#[$doc:meta])* $name:ident $what:literal, $test:expr $(, only $only:expr)?;)*) => {$(
        $(#[$doc])*
        pub struct $name;
        impl $crate::rules::TypeRule for $name {
            const RULE: $crate::defs::TypeConstraint = $crate::defs::TypeConstraint {
                what: $what,
                test: $test,
                only: $crate::type_rules!(@only $($only)?),
            };
        }
    )*};
    (@only) => { None };
    (@only $only:expr) => { Some(&$only) };
}

/// Define marker types: `/// doc  Name "what", form, |cx, attr| test;`
#[macro_export]
macro_rules! attr_rules {
    ($($(#[$doc:meta])* $name:ident $what:literal, $form:expr, $test:expr;)*) => {$(
        $(#[$doc])*
        pub struct $name;
        impl $crate::rules::AttrRule for $name {
            const RULE: $crate::defs::AttrConstraint =
                $crate::defs::AttrConstraint { what: $what, form: $form, test: $test };
            type Value = $crate::Attr;

            #[inline]
            fn read(_: &$crate::Context, attr: $crate::Attr) -> ::core::option::Option<$crate::Attr> {
                ::core::option::Option::Some(attr)
            }

            #[inline]
            fn write(_: &$crate::Context, value: $crate::Attr) -> $crate::Attr {
                value
            }
        }
    )*};
}

fn is_like(cx: &Context, ty: Type, scalar: fn(&Context, Type) -> bool) -> bool {
    match ty.kind(cx) {
        TypeKind::Vector { elem, .. } | TypeKind::Tensor { elem, .. } | TypeKind::UnrankedTensor(elem) => {
            scalar(cx, *elem)
        }
        TypeKind::Dialect { .. } if ty.is_vector_like(cx) => {
            ty.element(cx).is_some_and(|elem| scalar(cx, elem))
        }
        _ => scalar(cx, ty),
    }
}

fn int_or_index(cx: &Context, ty: Type) -> bool {
    ty.is_signless_int(cx) || ty.is_index(cx)
}

fn is_kind(cx: &Context, ty: Type, kind: FloatKind) -> bool {
    matches!(ty.kind(cx), TypeKind::Float(other) if *other == kind)
}

type_rules! {
    /// Anything
    AnyType "any type", |_, _| true;
    /// `i1`
    I1 "1-bit signless integer", |cx, ty| ty == cx.common().i1, only |cx| cx.common().i1;
    /// `i8`
    I8 "8-bit signless integer", |cx, ty| ty == cx.common().i8, only |cx| cx.common().i8;
    /// `i32`
    I32 "32-bit signless integer", |cx, ty| ty == cx.common().i32, only |cx| cx.common().i32;
    /// `i64`
    I64 "64-bit signless integer", |cx, ty| ty == cx.common().i64, only |cx| cx.common().i64;
    /// `index`
    Index "index", |cx, ty| ty == cx.common().index, only |cx| cx.common().index;
    /// Any integer
    AnyInt "integer", |cx, ty| ty.is_int(cx);
    /// `iN`
    SignlessInt "signless integer", |cx, ty| ty.is_signless_int(cx);
    /// `iN` or `index`
    SignlessIntOrIndex "signless integer or index", int_or_index;
    /// `iN`, `index`, and vectors and tensors of them
    IntLike "signless-integer-like", |cx, ty| is_like(cx, ty, int_or_index);
    /// `iN` (no index), and vectors and tensors of them
    FixedIntLike "signless-fixed-width-integer-like", |cx, ty| is_like(cx, ty, |cx, ty| ty.is_signless_int(cx));
    /// `i1`, and vectors and tensors of it
    BoolLike "bool-like", |cx, ty| is_like(cx, ty, |cx, ty| ty == cx.common().i1);
    /// Any float
    AnyFloat "floating-point", |cx, ty| ty.is_float(cx);
    /// Floats, and vectors and tensors of them
    FloatLike "floating-point-like", |cx, ty| is_like(cx, ty, |cx, ty| ty.is_float(cx));
    /// Integers, index, floats, and vectors and tensors of them
    NumberLike "integer-, index- or float-like", |cx, ty| is_like(cx, ty, |cx, ty| int_or_index(cx, ty) || ty.is_float(cx));
    /// Integers and floats (no index), and vectors and tensors of them
    FixedNumberLike "signless-integer-or-float-like",
        |cx, ty| is_like(cx, ty, |cx, ty| ty.is_signless_int(cx) || ty.is_float(cx));
    /// Integer, index or float scalar
    Number "signless integer, index or float", |cx, ty| int_or_index(cx, ty) || ty.is_float(cx);
    /// `f32`
    F32 "32-bit float", |cx, ty| is_kind(cx, ty, FloatKind::F32), only |cx| cx.common().f32;
    /// `f64`
    F64 "64-bit float", |cx, ty| is_kind(cx, ty, FloatKind::F64), only |cx| cx.common().f64;
    /// Any vector
    AnyVector "vector of any type values", |cx, ty| matches!(ty.kind(cx), TypeKind::Vector { .. });
    /// Any vector, and types of dialects that stand for one
    AnyVectorLike "vector of any type values", |cx, ty| ty.is_vector_like(cx);
    /// Any ranked tensor
    AnyRankedTensor "ranked tensor of any type values", |cx, ty| matches!(ty.kind(cx), TypeKind::Tensor { .. });
    /// Any tensor
    AnyTensor "tensor of any type values", |cx, ty| matches!(ty.kind(cx), TypeKind::Tensor { .. } | TypeKind::UnrankedTensor(_));
    /// Ranked memref
    AnyMemRef "memref of any type values", |cx, ty| matches!(ty.kind(cx), TypeKind::MemRef { .. });
    /// Ranked or unranked memref
    AnyRankedOrUnrankedMemRef "ranked or unranked memref of any type values",
        |cx, ty| matches!(ty.kind(cx), TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. });
    /// Vector, tensor or memref
    AnyShaped "shaped of any type values", |cx, ty| ty.element(cx).is_some();
}

fn dense_array_of(cx: &Context, attr: Attr, elem: Type) -> bool {
    matches!(attr.kind(cx), AttrKind::DenseArray { elem: other, .. } if *other == elem)
}

fn int_of(cx: &Context, attr: Attr, ty: Type) -> bool {
    attr.as_int(cx).is_some_and(|(_, other)| other == ty)
}

attr_rules! {
    /// Anything
    AnyAttr "any attribute", AttrForm::Full, |_, _| true;
    /// An attribute with a type: a number or dense elements
    TypedAttr "TypedAttr instance", AttrForm::Full, |cx, attr| attr.ty(cx).is_some();
    /// String
    StrAttr "string attribute", AttrForm::Full, |cx, attr| attr.as_str(cx).is_some();
    /// Name of a symbol that the op defines
    SymbolName "string attribute", AttrForm::SymbolName, |cx, attr| attr.as_str(cx).is_some();
    /// `@a::@b`
    SymbolRef "symbol reference attribute", AttrForm::Full, |cx, attr| attr.as_symbol(cx).is_some();
    /// `@a`
    FlatSymbolRef "flat symbol reference attribute", AttrForm::Full,
        |cx, attr| attr.as_symbol(cx).is_some_and(|(_, nested)| nested.is_empty());
    /// Present or not
    UnitAttr "unit attribute", AttrForm::Unit, |cx, attr| attr == cx.common().unit;
    /// `true` or `false`
    BoolAttr "bool attribute", AttrForm::Full, |cx, attr| int_of(cx, attr, cx.common().i1);
    /// `1 : index`, spelled `1`
    IndexAttr "index attribute", AttrForm::Bare(|cx| cx.common().index), |cx, attr| int_of(cx, attr, cx.common().index);
    /// `1 : i32`, spelled `1`
    I32Attr "32-bit signless integer attribute", AttrForm::Bare(|cx| cx.common().i32), |cx, attr| int_of(cx, attr, cx.common().i32);
    /// `1 : i64`, spelled `1`
    I64Attr "64-bit signless integer attribute", AttrForm::Bare(|cx| cx.common().i64), |cx, attr| int_of(cx, attr, cx.common().i64);
    /// A type
    TypeAttr "type attribute", AttrForm::Type, |cx, attr| attr.as_type(cx).is_some();
    /// A function type
    FunctionTypeAttr "type attribute of function type", AttrForm::Type,
        |cx, attr| attr.as_type(cx).is_some_and(|ty| ty.as_function(cx).is_some());
    /// `[…]`
    ArrayAttr "array attribute", AttrForm::Full, |cx, attr| attr.as_array(cx).is_some();
    /// `{…}`
    DictAttr "dictionary attribute", AttrForm::Full, |cx, attr| attr.as_dict(cx).is_some();
    /// `[{…}, …]`: one dictionary per argument or result
    DictArrayAttr "Array of dictionary attributes", AttrForm::Full,
        |cx, attr| attr.as_array(cx).is_some_and(|items| items.iter().all(|item| item.as_dict(cx).is_some()));
    /// `array<i64: …>`
    DenseI64Array "i64 dense array attribute", AttrForm::List(|cx| cx.common().i64), |cx, attr| dense_array_of(cx, attr, cx.common().i64);
    /// `array<i64: …>`, spelled `[…]`
    I64List "i64 dense array attribute", AttrForm::List(|cx| cx.common().i64),
        |cx, attr| dense_array_of(cx, attr, cx.common().i64);
    /// `array<i32: …>`
    DenseI32Array "i32 dense array attribute", AttrForm::List(|cx| cx.common().i32), |cx, attr| dense_array_of(cx, attr, cx.common().i32);
    /// `array<i1: …>`
    DenseBoolArray "i1 dense array attribute", AttrForm::List(|cx| cx.common().i1), |cx, attr| dense_array_of(cx, attr, cx.common().i1);
    /// `affine_map<…>`
    AffineMapAttr "AffineMap attribute", AttrForm::Full, |cx, attr| attr.as_affine_map(cx).is_some();
    /// `dense<…>`
    ElementsAttr "constant vector/tensor attribute", AttrForm::Full,
        |cx, attr| matches!(attr.kind(cx), AttrKind::Dense { .. } | AttrKind::Sparse { .. } | AttrKind::Resource { .. });
}
