//! Casts between scalar types and, element by element, between vectors and tensors of one shape.

use super::fold::{map, signed, unsigned, width};
use super::{FastMathFlags, RoundingMode};
use terrace_diag::Reported;
use terrace_ir::rules::{FixedIntLike, FixedNumberLike, FloatLike, IntLike};
use terrace_ir::show::{round_to_bits, value_of_bits};
use terrace_ir::{Fold, FoldCx, Folded, OpDef, OpId, TypeKind, Verify, VerifyCx};
use terrace_macros::op;

macro_rules! cast {
    ($(#[$doc:meta])* $name:ident $text:tt $from:ident $to:ident $asm:tt {$($field:tt)*} $($interface:path),*) => {
        $(#[$doc])*
        #[op($text, traits(Pure, Elementwise), relations(same_shape(input, out)), hooks(fold, verify),
             interfaces(terrace_interp::Interpret $(, $interface)*))]
        #[asm($asm)]
        pub struct $name {
            input: $from,
            $($field)*
            #[result]
            out: $to,
        }
    };
}

macro_rules! plain {
    ($(#[$doc:meta])* $name:ident $text:tt $from:ident $to:ident $($interface:path),*) => {
        cast! { $(#[$doc])* $name $text $from $to "$input attr-dict `:` type($input) `to` type($out)" {} $($interface),* }
    };
}

plain! {
    /// Widen, repeating the sign bit
    ///
    /// ```mlir
    /// func.func @f(%a: i8) -> i32 {
    ///   %b = arith.extsi %a : i8 to i32
    ///   return %b : i32
    /// }
    /// ```
    ExtSI "arith.extsi" FixedIntLike FixedIntLike terrace_rewrite::Canonicalize, terrace_dataflow::InferInts
}
plain! {
    /// Widen with zeros
    ///
    /// ```mlir
    /// func.func @f(%a: i8) -> i32 {
    ///   %b = arith.extui %a : i8 to i32
    ///   return %b : i32
    /// }
    /// ```
    ExtUI "arith.extui" FixedIntLike FixedIntLike terrace_rewrite::Canonicalize, terrace_dataflow::InferInts
}
cast! {
    /// Drop high bits
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i8 {
    ///   %b = arith.trunci %a : i32 to i8
    ///   return %b : i8
    /// }
    /// ```
    TruncI "arith.trunci" FixedIntLike FixedIntLike
    "$input (`overflow` `` $overflowFlags^)? attr-dict `:` type($input) `to` type($out)" {
        #[attr(name = "overflowFlags", default = super::OverflowFlags::none)]
        overflow: super::OverflowFlags,
    } terrace_rewrite::Canonicalize, terrace_dataflow::InferInts
}
cast! {
    /// Widen a float
    ///
    /// ```mlir
    /// func.func @f(%a: f32) -> f64 {
    ///   %b = arith.extf %a : f32 to f64
    ///   return %b : f64
    /// }
    /// ```
    ExtF "arith.extf" FloatLike FloatLike
    "$input (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `to` type($out)" {
        #[attr(optional)]
        fastmath: FastMathFlags,
    }
}
cast! {
    /// Narrow a float, rounding to nearest even unless said otherwise
    ///
    /// ```mlir
    /// func.func @f(%a: f64) -> f32 {
    ///   %b = arith.truncf %a : f64 to f32
    ///   return %b : f32
    /// }
    /// ```
    TruncF "arith.truncf" FloatLike FloatLike
    "$input ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `to` type($out)" {
        #[attr(optional)]
        roundingmode: RoundingMode,
        #[attr(optional)]
        fastmath: FastMathFlags,
    }
}
plain! {
    /// Signed integer to float, rounding to nearest even
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> f32 {
    ///   %b = arith.sitofp %a : i32 to f32
    ///   return %b : f32
    /// }
    /// ```
    SIToFP "arith.sitofp" FixedIntLike FloatLike
}
plain! {
    /// Unsigned integer to float, rounding to nearest even
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> f32 {
    ///   %b = arith.uitofp %a : i32 to f32
    ///   return %b : f32
    /// }
    /// ```
    UIToFP "arith.uitofp" FixedIntLike FloatLike
}
plain! {
    /// Float to signed integer, toward zero; what does not fit is poison
    ///
    /// ```mlir
    /// func.func @f(%a: f32) -> i32 {
    ///   %b = arith.fptosi %a : f32 to i32
    ///   return %b : i32
    /// }
    /// ```
    FPToSI "arith.fptosi" FloatLike FixedIntLike
}
plain! {
    /// Float to unsigned integer, toward zero; what does not fit is poison
    ///
    /// ```mlir
    /// func.func @f(%a: f32) -> i32 {
    ///   %b = arith.fptoui %a : f32 to i32
    ///   return %b : i32
    /// }
    /// ```
    FPToUI "arith.fptoui" FloatLike FixedIntLike
}
plain! {
    /// Between index and integers, repeating the sign bit
    ///
    /// ```mlir
    /// func.func @f(%a: index) -> i64 {
    ///   %b = arith.index_cast %a : index to i64
    ///   return %b : i64
    /// }
    /// ```
    IndexCast "arith.index_cast" IntLike IntLike terrace_rewrite::Canonicalize, terrace_dataflow::InferInts
}
plain! {
    /// Between index and integers, with zeros
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> index {
    ///   %b = arith.index_castui %a : i32 to index
    ///   return %b : index
    /// }
    /// ```
    IndexCastUI "arith.index_castui" IntLike IntLike terrace_rewrite::Canonicalize, terrace_dataflow::InferInts
}
plain! {
    /// The same bits read as another type of the same width
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> f32 {
    ///   %b = arith.bitcast %a : i32 to f32
    ///   return %b : f32
    /// }
    /// ```
    Bitcast "arith.bitcast" FixedNumberLike FixedNumberLike
}

pub(super) fn verify_widths(
    v: &VerifyCx<'_>,
    op: OpId,
    ok: impl Fn(u32, u32) -> bool,
    what: &str,
) -> Result<(), Reported> {
    let (ir, cx) = (v.ir, v.ir.cx());
    let (from, to) = (ir.ty(ir.operand(op, 0)), ir.ty(ir.result(op, 0)));
    let (Some(a), Some(b)) = (from.scalar(cx).bit_width(cx), to.scalar(cx).bit_width(cx)) else {
        return Ok(());
    };
    if ok(a, b) {
        return Ok(());
    }
    let error = v.error(
        op,
        &terrace_ir::codes::OP_RULE,
        format!("result type '{}' must be {what} operand type '{}'", v.show(to), v.show(from)),
    );
    Err(v.emit(error))
}

macro_rules! verify_cast {
    ($($name:ident: $ok:expr, $what:literal;)*) => {$(
        impl Verify for $name {
            fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
                verify_widths(v, self.0, $ok, $what)
            }
        }
    )*};
}

verify_cast! {
    ExtSI: |a, b| a < b, "wider than";
    ExtUI: |a, b| a < b, "wider than";
    ExtF: |a, b| a < b, "wider than";
    TruncI: |a, b| a > b, "shorter than";
    TruncF: |a, b| a > b, "shorter than";
    SIToFP: |_, _| true, "";
    UIToFP: |_, _| true, "";
    FPToSI: |_, _| true, "";
    FPToUI: |_, _| true, "";
    Bitcast: |a, b| a == b, "as wide as";
}

macro_rules! verify_index {
    ($($name:ident)*) => {$(
        impl Verify for $name {
            fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
                let (ir, cx) = (v.ir, v.ir.cx());
                let (from, to) = (ir.ty(self.input(ir)), ir.ty(self.out(ir)));
                if from.scalar(cx).is_index(cx) != to.scalar(cx).is_index(cx) {
                    return Ok(());
                }
                let message = format!("operand type '{}' and result type '{}' are cast incompatible: one must be index",
                    v.show(from), v.show(to));
                v.fail(self.0, &terrace_ir::codes::OP_RULE, message)
            }
        }
    )*};
}
verify_index!(IndexCast IndexCastUI);

/// Apply a function on bits and widths of integers to a constant operand
fn fold_ints(cx: &FoldCx<'_>, f: impl Fn(u128, u32, u32) -> u128) -> Folded {
    let (context, to) = (cx.cx(), cx.ir.ty(cx.ir.result(cx.op, 0)));
    let from = width(context, cx.ir.ty(cx.operand(0)));
    let (Some(a), Some(from), Some(into)) = (cx.constant(0), from, width(context, to)) else {
        return Folded::No;
    };
    Folded::maybe(map(context, &[a], to, |bits| Some(unsigned(f(bits[0], from, into) as i128, into))))
}

/// `cast(inverse(x))` where the types come back to x's
fn undo(cx: &FoldCx<'_>, inverses: &[&'static OpDef]) -> Option<Folded> {
    let inner = cx.ir.defining_op(cx.operand(0))?;
    if !inverses.iter().any(|def| cx.ir.is(inner, def)) {
        return None;
    }
    let value = cx.ir.operand(inner, 0);
    (cx.ir.ty(value) == cx.ir.ty(cx.ir.result(cx.op, 0))).then(|| Folded::value(value))
}

impl Fold for ExtSI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        fold_ints(cx, |bits, from, _| signed(bits as i128, from) as u128)
    }
}

impl Fold for ExtUI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        fold_ints(cx, |bits, from, _| unsigned(bits as i128, from))
    }
}

impl Fold for TruncI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        undo(cx, &[ExtSI::DEF, ExtUI::DEF]).unwrap_or_else(|| fold_ints(cx, |bits, _, _| bits))
    }
}

impl Fold for IndexCast {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        // There and back, if nothing was cut off in between.
        let (middle, to) = (cx.ir.ty(cx.operand(0)), cx.ir.ty(self.out(cx.ir)));
        if let Some(folded) = undo(cx, &[IndexCast::DEF])
            && width(cx.cx(), middle) >= width(cx.cx(), to)
        {
            return folded;
        }
        fold_ints(cx, |bits, from, _| signed(bits as i128, from) as u128)
    }
}

impl Fold for IndexCastUI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        // There and back, if nothing was cut off in between.
        let (middle, to) = (cx.ir.ty(cx.operand(0)), cx.ir.ty(self.out(cx.ir)));
        if let Some(folded) = undo(cx, &[IndexCastUI::DEF])
            && width(cx.cx(), middle) >= width(cx.cx(), to)
        {
            return folded;
        }
        fold_ints(cx, |bits, from, _| unsigned(bits as i128, from))
    }
}

fn fold_floats(cx: &FoldCx<'_>, exact: bool) -> Folded {
    let context = cx.cx();
    let to = cx.ir.ty(cx.ir.result(cx.op, 0));
    let kinds = (cx.ir.ty(cx.operand(0)).scalar(context).kind(context), to.scalar(context).kind(context));
    let (TypeKind::Float(from), TypeKind::Float(into)) = kinds else { return Folded::No };
    let Some(a) = cx.constant(0) else { return Folded::No };
    Folded::maybe(map(context, &[a], to, |bits| {
        let value = value_of_bits(bits[0] as u64, *from)?;
        let rounded = round_to_bits(value, *into)?;
        let back = value_of_bits(rounded, *into)?;
        (!exact || back == value).then_some(u128::from(rounded))
    }))
}

impl Fold for ExtF {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        fold_floats(cx, false)
    }
}

impl Fold for TruncF {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        if let Some(folded) = undo(cx, &[ExtF::DEF]) {
            return folded;
        }
        fold_floats(cx, self.roundingmode(cx.ir).is_some())
    }
}

fn int_to_float(cx: &FoldCx<'_>, is_signed: bool) -> Folded {
    let (context, to) = (cx.cx(), cx.ir.ty(cx.ir.result(cx.op, 0)));
    let TypeKind::Float(kind) = *to.scalar(context).kind(context) else { return Folded::No };
    let from = width(context, cx.ir.ty(cx.operand(0)));
    let (Some(a), Some(from)) = (cx.constant(0), from) else { return Folded::No };
    Folded::maybe(map(context, &[a], to, |bits| {
        let (low, high) = (signed(bits[0] as i128, from), unsigned(bits[0] as i128, from));
        let size = if is_signed { low.unsigned_abs() } else { high };
        let (single, double) = if is_signed { (low as f32, low as f64) } else { (high as f32, high as f64) };
        // Through f64 only where that is exact; f32 rounds once by itself.
        match kind {
            terrace_ir::FloatKind::F32 => Some(u128::from(single.to_bits())),
            _ if size <= 1 << 53 || kind == terrace_ir::FloatKind::F64 => {
                round_to_bits(double, kind).map(u128::from)
            }
            _ => None,
        }
    }))
}

impl Fold for SIToFP {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        int_to_float(cx, true)
    }
}

impl Fold for UIToFP {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        int_to_float(cx, false)
    }
}

fn float_to_int(cx: &FoldCx<'_>, is_signed: bool) -> Folded {
    let (context, to) = (cx.cx(), cx.ir.ty(cx.ir.result(cx.op, 0)));
    let TypeKind::Float(kind) = *cx.ir.ty(cx.operand(0)).scalar(context).kind(context) else {
        return Folded::No;
    };
    let (Some(a), Some(into)) = (cx.constant(0), width(context, to)) else { return Folded::No };
    if into > 64 {
        return Folded::No;
    }
    Folded::maybe(map(context, &[a], to, |bits| {
        let value = value_of_bits(bits[0] as u64, kind)?.trunc();
        let (low, high) = if is_signed {
            (-(2f64.powi(into as i32 - 1)), 2f64.powi(into as i32 - 1))
        } else {
            (0.0, 2f64.powi(into as i32))
        };
        // Out of range is poison: left to whoever runs it.
        (value >= low && value < high).then(|| unsigned(value as i128, into))
    }))
}

impl Fold for FPToSI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        float_to_int(cx, true)
    }
}

impl Fold for FPToUI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        float_to_int(cx, false)
    }
}

impl Fold for Bitcast {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        if cx.ir.ty(cx.operand(0)) == cx.ir.ty(self.out(cx.ir)) {
            return Folded::value(cx.operand(0));
        }
        if let Some(folded) = undo(cx, &[Bitcast::DEF]) {
            return folded;
        }
        Folded::maybe(
            cx.constant(0).and_then(|a| map(cx.cx(), &[a], cx.ir.ty(self.out(cx.ir)), |bits| Some(bits[0]))),
        )
    }
}
