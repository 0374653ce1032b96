//! Types of operands and results: constraints on tensors by their elements, and the types of this dialect.

use terrace_ir::rules::AnyAttr;
use terrace_ir::{Context, FloatKind, Sign, Type, TypeKind};
use terrace_macros::dialect_type;

/// Orders ops with effects, of which it carries no value
#[dialect_type("stablehlo.token")]
pub struct Token {}

/// Result of an op that may still run
#[dialect_type("stablehlo.future")]
pub struct Future {
    /// What will be there
    #[param]
    content: AnyAttr,
}

/// `i1`
pub fn is_pred(cx: &Context, ty: Type) -> bool {
    ty.is_signless(cx, 1)
}

/// Integers, signless or unsigned, of the widths that StableHLO has
pub fn is_int(cx: &Context, ty: Type) -> bool {
    matches!(
        ty.kind(cx),
        TypeKind::Int { width: 2 | 4 | 8 | 16 | 32 | 64, sign: Sign::Signless | Sign::Unsigned }
    )
}

fn is_signless(cx: &Context, ty: Type) -> bool {
    is_int(cx, ty) && ty.is_signless_int(cx)
}

/// Is it read as an unsigned integer? Booleans are
pub fn is_unsigned(cx: &Context, ty: Type) -> bool {
    matches!(ty.kind(cx), TypeKind::Int { sign: Sign::Unsigned, .. }) || is_pred(cx, ty)
}

/// Floats of the formats that StableHLO has
pub fn is_float(cx: &Context, ty: Type) -> bool {
    use FloatKind::{F80, F128, TF32};
    matches!(ty.kind(cx), TypeKind::Float(kind) if !matches!(kind, F80 | F128 | TF32))
}

fn is_wide_float(cx: &Context, ty: Type) -> bool {
    matches!(ty.kind(cx), TypeKind::Float(FloatKind::F32 | FloatKind::F64))
}

/// Complex numbers of `f32` and `f64`
pub fn is_complex(cx: &Context, ty: Type) -> bool {
    matches!(ty.kind(cx), TypeKind::Complex(part) if is_wide_float(cx, *part))
}

/// Quantized integers: a type of the dialect `quant`, kept as it is
fn is_quantized(cx: &Context, ty: Type) -> bool {
    matches!(ty.kind(cx), TypeKind::Opaque { dialect, .. } if cx.str(*dialect) == "quant")
}

fn is_any(cx: &Context, ty: Type) -> bool {
    is_pred(cx, ty) || is_int(cx, ty) || is_float(cx, ty) || is_complex(cx, ty) || is_quantized(cx, ty)
}

/// The elements of a ranked tensor, if it is one
fn elem(cx: &Context, ty: Type) -> Option<Type> {
    match ty.kind(cx) {
        TypeKind::Tensor { elem, .. } => Some(*elem),
        _ => None,
    }
}

fn ranked(cx: &Context, ty: Type, test: impl Fn(&Context, Type) -> bool) -> bool {
    elem(cx, ty).is_some_and(|elem| test(cx, elem))
}

fn of_rank(cx: &Context, ty: Type, rank: usize) -> bool {
    elem(cx, ty).is_some() && ty.shape(cx).is_some_and(|shape| shape.len() == rank)
}

fn is_token(cx: &Context, ty: Type) -> bool {
    Token::cast(cx, ty).is_some()
}

fn is_buffer(cx: &Context, ty: Type) -> bool {
    matches!(ty.kind(cx), TypeKind::MemRef { elem, .. } if is_any(cx, *elem))
}

/// Tensors, tokens, buffers, futures, and tuples of these, which nest
fn is_value(cx: &Context, ty: Type) -> bool {
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        match ty.kind(cx) {
            TypeKind::Tuple(types) => pending.extend(types.iter()),
            TypeKind::UnrankedTensor(elem) if is_any(cx, *elem) => {}
            _ if ranked(cx, ty, is_any) || is_token(cx, ty) || is_buffer(cx, ty) => {}
            _ if Future::cast(cx, ty).is_some() => {}
            _ => return false,
        }
    }
    true
}

terrace_ir::type_rules! {
    /// Any tensor
    AnyHlo "ranked tensor of floats, booleans, integers, complex numbers or quantized integers", |cx, ty| ranked(cx, ty, is_any);
    /// Integers
    IntTensor "ranked tensor of 2/4/8/16/32/64-bit integer values", |cx, ty| ranked(cx, ty, is_int);
    /// Booleans
    PredTensor "ranked tensor of bool values", |cx, ty| ranked(cx, ty, is_pred);
    /// Booleans and integers
    PredOrIntTensor "ranked tensor of bool or 2/4/8/16/32/64-bit integer values",
        |cx, ty| ranked(cx, ty, |cx, ty| is_pred(cx, ty) || is_int(cx, ty));
    /// Floats
    FloatTensor "ranked tensor of floating-point values", |cx, ty| ranked(cx, ty, |cx, ty| is_float(cx, ty) || is_quantized(cx, ty));
    /// `f32` and `f64`
    WideFloatTensor "ranked tensor of 32/64-bit float values", |cx, ty| ranked(cx, ty, is_wide_float);
    /// Complex numbers
    ComplexTensor "ranked tensor of complex values", |cx, ty| ranked(cx, ty, is_complex);
    /// Floats and complex numbers
    FloatComplexTensor "ranked tensor of floating-point or complex values",
        |cx, ty| ranked(cx, ty, |cx, ty| is_float(cx, ty) || is_complex(cx, ty) || is_quantized(cx, ty));
    /// Integers and floats
    IntFloatTensor "ranked tensor of integer or floating-point values",
        |cx, ty| ranked(cx, ty, |cx, ty| is_int(cx, ty) || is_float(cx, ty));
    /// Booleans, integers and floats
    PredIntFloatTensor "ranked tensor of bool, integer or floating-point values",
        |cx, ty| ranked(cx, ty, |cx, ty| is_pred(cx, ty) || is_int(cx, ty) || is_float(cx, ty));
    /// Numbers: no booleans
    NumberTensor "ranked tensor of integer, floating-point or complex values",
        |cx, ty| ranked(cx, ty, |cx, ty| is_any(cx, ty) && !is_pred(cx, ty));
    /// Numbers that have a sign
    SignedTensor "ranked tensor of signed integer, floating-point or complex values",
        |cx, ty| ranked(cx, ty, |cx, ty| is_signless(cx, ty) || is_float(cx, ty) || is_complex(cx, ty) || is_quantized(cx, ty));
    /// An integer
    ScalarInt "0D tensor of 2/4/8/16/32/64-bit integer values", |cx, ty| of_rank(cx, ty, 0) && ranked(cx, ty, is_int);
    /// One element
    Scalar "0D tensor of floats, booleans, integers, complex numbers or quantized integers",
        |cx, ty| of_rank(cx, ty, 0) && ranked(cx, ty, is_any);
    /// `i32`
    I32Tensor "ranked tensor of 32-bit signless integer values", |cx, ty| ranked(cx, ty, |cx, ty| ty.is_signless(cx, 32));
    /// `ui32`
    Ui32Tensor "ranked tensor of 32-bit unsigned integer values",
        |cx, ty| ranked(cx, ty, |cx, ty| matches!(ty.kind(cx), TypeKind::Int { width: 32, sign: Sign::Unsigned }));
    /// Floats in one dimension
    FloatVector "1D tensor of floating-point values", |cx, ty| of_rank(cx, ty, 1) && ranked(cx, ty, is_float);
    /// Sizes
    SizesTensor "1D tensor of index or integer values",
        |cx, ty| of_rank(cx, ty, 1) && ranked(cx, ty, |cx, ty| is_int(cx, ty) || ty.is_index(cx));
    /// Any tensor, or indices
    IndexTensorOrAny "ranked tensor of numbers or index values",
        |cx, ty| ranked(cx, ty, |cx, ty| is_any(cx, ty) || ty.is_index(cx));
    /// Integers in two dimensions
    IntMatrix "2D tensor of integer values", |cx, ty| of_rank(cx, ty, 2) && ranked(cx, ty, is_int);
    /// A token
    AnyToken "token", is_token;
    /// A future
    AnyFuture "future", |cx, ty| Future::cast(cx, ty).is_some();
    /// A tensor or a token
    TensorOrToken "ranked tensor or token", |cx, ty| ranked(cx, ty, is_any) || is_token(cx, ty);
    /// What control flow carries
    Carried "ranked tensor, token or buffer", |cx, ty| ranked(cx, ty, is_any) || is_token(cx, ty) || is_buffer(cx, ty);
    /// A tuple of values
    AnyTuple "nested tuple of tensors, buffers and tokens", |cx, ty| matches!(ty.kind(cx), TypeKind::Tuple(_)) && is_value(cx, ty);
    /// Anything a call may take or give
    AnyValue "tensor, buffer, token, future or nested tuple of these", is_value;
}
