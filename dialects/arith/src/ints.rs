//! Integer ops.

use super::OverflowFlags;
use super::fold::{int_binary, int_constant, map, uniform_int};
use super::scalars::IntBinary;
use terrace_ir::fold::constant_of;
use terrace_ir::rules::{BoolLike, IntLike, UnitAttr};
use terrace_ir::{Attr, Fold, FoldCx, FoldResult, Folded, OpDef, Type, Value};
use terrace_macros::op;

/// An op of two integers and one result of their type
macro_rules! int_op {
    ($(#[$doc:meta])* $name:ident $text:tt [$($tr:ident)*] $asm:tt {$($field:tt)*} interfaces($($interface:path),*)) => {
        $(#[$doc])*
        #[op($text, traits(Elementwise, $($tr),*), relations(same(lhs, rhs, result)), hooks(fold),
             interfaces(terrace_interp::Interpret, terrace_dataflow::InferInts $(, $interface)*))]
        #[asm($asm)]
        pub struct $name {
            lhs: IntLike,
            rhs: IntLike,
            $($field)*
            #[result]
            result: IntLike,
        }
    };
}

macro_rules! plain {
    ($(#[$doc:meta])* $name:ident $text:tt [$($tr:ident)*] $($interface:path),*) => {
        int_op! { $(#[$doc])* $name $text [$($tr)*] "$lhs `,` $rhs attr-dict `:` type($result)" {} interfaces($($interface),*) }
    };
}

macro_rules! overflowing {
    ($(#[$doc:meta])* $name:ident $text:tt [$($tr:ident)*] $($interface:path),*) => {
        int_op! { $(#[$doc])* $name $text [$($tr)*]
            "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)" {
                #[attr(name = "overflowFlags", default = OverflowFlags::none)]
                overflow: OverflowFlags,
            } interfaces($($interface),*) }
    };
}

macro_rules! exact {
    ($(#[$doc:meta])* $name:ident $text:tt [$($tr:ident)*]) => {
        int_op! { $(#[$doc])* $name $text [$($tr)*]
            "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)" {
                #[attr(name = "isExact", optional)]
                exact: UnitAttr,
            } interfaces() }
    };
}

overflowing! {
    /// Integer addition modulo 2^width
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.addi %a, %b overflow<nsw> : i32
    ///   return %c : i32
    /// }
    /// ```
    AddI "arith.addi" [Pure Commutative] terrace_rewrite::Canonicalize
}
overflowing! {
    /// Integer subtraction modulo 2^width
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.subi %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    SubI "arith.subi" [Pure] terrace_rewrite::Canonicalize
}
overflowing! {
    /// Integer multiplication modulo 2^width
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.muli %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    MulI "arith.muli" [Pure Commutative] terrace_rewrite::Canonicalize
}
overflowing! {
    /// Shift left; by the width or more is poison
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.shli %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    ShLI "arith.shli" [Pure]
}
exact! {
    /// Signed division rounding toward zero; by zero, and overflow, are undefined
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.divsi %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    DivSI "arith.divsi" [NoEffect Divides]
}
exact! {
    /// Unsigned division; by zero is undefined
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.divui %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    DivUI "arith.divui" [NoEffect Divides]
}
exact! {
    /// Arithmetic shift right; by the width or more is poison
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.shrsi %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    ShRSI "arith.shrsi" [Pure]
}
exact! {
    /// Logical shift right; by the width or more is poison
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.shrui %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    ShRUI "arith.shrui" [Pure]
}
plain! {
    /// Signed division rounding up
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.ceildivsi %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    CeilDivSI "arith.ceildivsi" [NoEffect Divides]
}
plain! {
    /// Unsigned division rounding up
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.ceildivui %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    CeilDivUI "arith.ceildivui" [NoEffect Divides]
}
plain! {
    /// Signed division rounding down
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.floordivsi %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    FloorDivSI "arith.floordivsi" [NoEffect Divides]
}
plain! {
    /// Remainder of signed division; the sign is the dividend's
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.remsi %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    RemSI "arith.remsi" [NoEffect Divides]
}
plain! {
    /// Remainder of unsigned division
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.remui %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    RemUI "arith.remui" [NoEffect Divides]
}
plain! {
    /// Bitwise and
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.andi %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    AndI "arith.andi" [Pure Commutative Idempotent] terrace_rewrite::Canonicalize
}
plain! {
    /// Bitwise or
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.ori %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    OrI "arith.ori" [Pure Commutative Idempotent] terrace_rewrite::Canonicalize
}
plain! {
    /// Bitwise exclusive or
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.xori %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    XOrI "arith.xori" [Pure Commutative] terrace_rewrite::Canonicalize
}
plain! {
    /// Larger of two, signed
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.maxsi %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    MaxSI "arith.maxsi" [Pure Commutative]
}
plain! {
    /// Larger of two, unsigned
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.maxui %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    MaxUI "arith.maxui" [Pure Commutative]
}
plain! {
    /// Smaller of two, signed
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.minsi %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    MinSI "arith.minsi" [Pure Commutative]
}
plain! {
    /// Smaller of two, unsigned
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = arith.minui %a, %b : i32
    ///   return %c : i32
    /// }
    /// ```
    MinUI "arith.minui" [Pure Commutative]
}

/// Sum and carry of an unsigned addition
///
/// ```mlir
/// func.func @f(%a: i32, %b: i32) -> (i32, i1) {
///   %sum, %overflow = arith.addui_extended %a, %b : i32, i1
///   return %sum, %overflow : i32, i1
/// }
/// ```
#[op("arith.addui_extended", traits(Pure, Commutative, Elementwise),
     interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize), hooks(fold),
     relations(same(lhs, rhs, sum), bool_like(sum => overflow)))]
#[asm("$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)")]
pub struct AddUIExtended {
    lhs: IntLike,
    rhs: IntLike,
    #[result]
    sum: IntLike,
    #[result]
    overflow: BoolLike,
}

/// Both halves of a product
macro_rules! extended_products {
    ($($(#[$doc:meta])* $name:ident $text:literal)*) => {$(
        $(#[$doc])*
        #[op($text, traits(Pure, Commutative, Elementwise),
             interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize), hooks(fold),
             relations(same(lhs, rhs, low, high)))]
        #[asm("$lhs `,` $rhs attr-dict `:` type($lhs)")]
        pub struct $name {
            lhs: IntLike,
            rhs: IntLike,
            #[result]
            low: IntLike,
            #[result]
            high: IntLike,
        }
    )*};
}

extended_products! {
    /// Low and high half of a signed product
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> (i32, i32) {
    ///   %low, %high = arith.mulsi_extended %a, %b : i32
    ///   return %low, %high : i32, i32
    /// }
    /// ```
    MulSIExtended "arith.mulsi_extended"
    /// Low and high half of an unsigned product
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> (i32, i32) {
    ///   %low, %high = arith.mului_extended %a, %b : i32
    ///   return %low, %high : i32, i32
    /// }
    /// ```
    MulUIExtended "arith.mului_extended"
}

fn right(cx: &FoldCx<'_>) -> Option<i128> {
    uniform_int(cx.cx(), cx.constant(1)?)
}

fn both(cx: &FoldCx<'_>) -> Option<(Attr, Attr)> {
    Some((cx.constant(0)?, cx.constant(1)?))
}

fn left(cx: &FoldCx<'_>) -> Folded {
    Folded::value(cx.operand(0))
}

fn filled(cx: &FoldCx<'_>, value: i128) -> Folded {
    Folded::maybe(int_constant(cx.cx(), value, cx.ir.ty(cx.operand(0))))
}

/// Operands of the op that defines a value, if it is one of these
fn through(cx: &FoldCx<'_>, value: Value, def: &'static OpDef) -> Option<(Value, Value)> {
    let op = cx.ir.defining_op(value).filter(|op| cx.ir.is(*op, def))?;
    Some((cx.ir.operand(op, 0), cx.ir.operand(op, 1)))
}

/// Is one of them the other with all bits inverted?
fn is_inverse(cx: &FoldCx<'_>, a: Value, b: Value) -> bool {
    [(a, b), (b, a)].into_iter().any(|(x, y)| {
        through(cx, y, XOrI::DEF).is_some_and(|(inner, mask)| inner == x && constant(cx.ir, mask) == Some(-1))
    })
}

impl Fold for AddI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        if right(cx) == Some(0) {
            return left(cx);
        }
        let (a, b) = (cx.operand(0), cx.operand(1));
        // (x − b) + b, b + (x − b)
        for (sum, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = through(cx, sum, SubI::DEF)
                && y == other
            {
                return Folded::value(x);
            }
        }
        computed::<AddI>(cx)
    }
}

impl Fold for SubI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (a, b) = (cx.operand(0), cx.operand(1));
        if a == b {
            return filled(cx, 0);
        }
        if right(cx) == Some(0) {
            return left(cx);
        }
        if let Some((x, y)) = through(cx, a, AddI::DEF) {
            if y == b {
                return Folded::value(x);
            }
            if x == b {
                return Folded::value(y);
            }
        }
        computed::<SubI>(cx)
    }
}

impl Fold for MulI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        match right(cx) {
            Some(0) => return filled(cx, 0),
            Some(1) => return left(cx),
            _ => {}
        }
        computed::<MulI>(cx)
    }
}

/// `x` of `(x * y) / y`, where the product is known not to overflow so (a flag of the multiplication)
fn divided_product(cx: &FoldCx<'_>, flag: OverflowFlags) -> Option<Value> {
    let mul = cx.ir.defining_op(cx.operand(0)).and_then(|op| MulI::cast(cx.ir, op))?;
    let (x, y, by) = (mul.lhs(cx.ir), mul.rhs(cx.ir), cx.operand(1));
    let found = if y == by { Some(x) } else { (x == by).then_some(y) };
    found.filter(|_| mul.overflow(cx.ir).has(flag))
}

/// What the op's row gives for two constants
fn computed<T: IntBinary>(cx: &FoldCx<'_>) -> Folded {
    Folded::maybe(both(cx).and_then(|(a, b)| int_binary::<T>(cx.cx(), a, b)))
}

macro_rules! fold_division {
    ($($name:ident: one $one:expr, product $product:expr;)*) => {$(
        impl Fold for $name {
            fn fold(self, cx: &FoldCx<'_>) -> Folded {
                let product: fn(&FoldCx<'_>) -> Option<Value> = $product;
                if let Some(value) = product(cx) {
                    return Folded::value(value);
                }
                if right(cx) == Some(1) {
                    let one: fn(&FoldCx<'_>) -> Folded = $one;
                    return one(cx);
                }
                computed::<$name>(cx)
            }
        }
    )*};
}

fold_division! {
    DivSI: one left, product |cx| divided_product(cx, OverflowFlags::NSW);
    RemSI: one |cx| filled(cx, 0), product |_| None;
    CeilDivSI: one left, product |_| None;
    FloorDivSI: one left, product |_| None;
    DivUI: one left, product |cx| divided_product(cx, OverflowFlags::NUW);
    RemUI: one |cx| filled(cx, 0), product |_| None;
    CeilDivUI: one left, product |_| None;
}

macro_rules! fold_shift {
    ($($name:ident)*) => {$(
        impl Fold for $name {
            fn fold(self, cx: &FoldCx<'_>) -> Folded {
                if right(cx) == Some(0) { left(cx) } else { computed::<$name>(cx) }
            }
        }
    )*};
}

fold_shift! { ShLI ShRUI ShRSI }

impl Fold for AndI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        match right(cx) {
            Some(0) => return filled(cx, 0),
            Some(-1) => return left(cx),
            _ => {}
        }
        let (a, b) = (cx.operand(0), cx.operand(1));
        if a == b {
            return left(cx);
        }
        if is_inverse(cx, a, b) {
            return filled(cx, 0);
        }
        // x & (x & y), (x & y) & y
        for (inner, other) in [(b, a), (a, b)] {
            if through(cx, inner, AndI::DEF).is_some_and(|(x, y)| x == other || y == other) {
                return Folded::value(inner);
            }
        }
        computed::<AndI>(cx)
    }
}

impl Fold for OrI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        match right(cx) {
            Some(0) => return left(cx),
            Some(-1) => return Folded::value(cx.operand(1)),
            _ => {}
        }
        let (a, b) = (cx.operand(0), cx.operand(1));
        if a == b {
            return left(cx);
        }
        if is_inverse(cx, a, b) {
            return filled(cx, -1);
        }
        for (inner, other) in [(b, a), (a, b)] {
            if through(cx, inner, OrI::DEF).is_some_and(|(x, y)| x == other || y == other) {
                return Folded::value(inner);
            }
        }
        computed::<OrI>(cx)
    }
}

impl Fold for XOrI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (a, b) = (cx.operand(0), cx.operand(1));
        if right(cx) == Some(0) {
            return left(cx);
        }
        if a == b {
            return filled(cx, 0);
        }
        // (x ^ b) ^ b
        if let Some((x, y)) = through(cx, a, XOrI::DEF) {
            if y == b {
                return Folded::value(x);
            }
            if x == b {
                return Folded::value(y);
            }
        }
        computed::<XOrI>(cx)
    }
}

macro_rules! fold_extreme {
    ($($name:ident: absorbs $absorb:expr, keeps $keep:expr;)*) => {$(
        impl Fold for $name {
            fn fold(self, cx: &FoldCx<'_>) -> Folded {
                if cx.operand(0) == cx.operand(1) {
                    return left(cx);
                }
                let width = super::fold::width(cx.cx(), cx.ir.ty(cx.operand(0)));
                if let (Some(c), Some(width)) = (right(cx), width.filter(|width| *width <= 64)) {
                    let (absorb, keep): (fn(u32) -> i128, fn(u32) -> i128) = ($absorb, $keep);
                    if c == super::fold::signed(absorb(width), width) {
                        return Folded::value(cx.operand(1));
                    }
                    if c == super::fold::signed(keep(width), width) {
                        return left(cx);
                    }
                }
                computed::<$name>(cx)
            }
        }
    )*};
}

fold_extreme! {
    MaxSI: absorbs |w| (1 << (w - 1)) - 1, keeps |w| -(1 << (w - 1));
    MinSI: absorbs |w| -(1 << (w - 1)), keeps |w| (1 << (w - 1)) - 1;
    MaxUI: absorbs |_| -1, keeps |_| 0;
    MinUI: absorbs |_| 0, keeps |_| -1;
}

/// The constant an operand of another op is, for rules
pub fn constant(ir: &terrace_ir::Ir, value: Value) -> Option<i128> {
    uniform_int(ir.cx(), constant_of(ir, value)?)
}

/// Both results of an op on two halves
fn halves(low: FoldResult, high: Option<Attr>) -> Folded {
    high.map_or(Folded::No, |high| Folded::Many(vec![low, FoldResult::Attr(high)]))
}

/// Both results of constants, element by element on unsigned readings; up to 64 bits
fn constant_halves(cx: &FoldCx<'_>, high: Type, f: impl Fn(u128, u128, u32) -> (u128, u128)) -> Folded {
    let (context, low) = (cx.cx(), cx.ir.ty(cx.operand(0)));
    let width = super::fold::width(context, low).filter(|width| *width <= 64);
    let (Some((a, b)), Some(width)) = (both(cx), width) else { return Folded::No };
    let of = |to: Type, pick: fn((u128, u128)) -> u128| {
        map(context, &[a, b], to, |bits| {
            let [x, y] = [bits[0], bits[1]].map(|bits| super::fold::unsigned(bits as i128, width));
            let width = super::fold::width(context, to)?;
            Some(super::fold::unsigned(pick(f(x, y, width)) as i128, width))
        })
    };
    match (of(low, |(low, _)| low), of(high, |(_, high)| high)) {
        (Some(low), high) => halves(FoldResult::Attr(low), high),
        _ => Folded::No,
    }
}

impl Fold for AddUIExtended {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (sum, carry) = (cx.ir.ty(self.sum(cx.ir)), cx.ir.ty(self.overflow(cx.ir)));
        if right(cx) == Some(0) {
            return halves(FoldResult::Value(cx.operand(0)), int_constant(cx.cx(), 0, carry));
        }
        let width = super::fold::width(cx.cx(), sum).unwrap_or(64);
        constant_halves(cx, carry, |x, y, _| (x + y, (x + y) >> width))
    }
}

impl Fold for MulUIExtended {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let ty = cx.ir.ty(cx.operand(0));
        let zero = int_constant(cx.cx(), 0, ty);
        match right(cx) {
            Some(1) => return halves(FoldResult::Value(cx.operand(0)), zero),
            Some(0) => return halves(FoldResult::Value(cx.operand(1)), zero),
            _ => {}
        }
        constant_halves(cx, ty, |x, y, width| (x * y, (x * y) >> width))
    }
}

impl Fold for MulSIExtended {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let ty = cx.ir.ty(cx.operand(0));
        if right(cx) == Some(0) {
            return halves(FoldResult::Value(cx.operand(1)), int_constant(cx.cx(), 0, ty));
        }
        constant_halves(cx, ty, |x, y, width| {
            let [x, y] = [x, y].map(|value| super::fold::signed(value as i128, width));
            ((x * y) as u128, ((x * y) >> width) as u128)
        })
    }
}
