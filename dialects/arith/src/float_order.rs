//! Floats as integers in the same order.
//!
//! `maximumf` and `minimumf` keep NaN and order zeros, which takes a processor half a dozen instructions one after the other. Of integers
//! it takes one. The bits of a float, turned over below the sign where that is set, are in the order of the floats: −0 before +0, and
//! NaN beyond infinity on the side of its own sign.

use crate::{AndI, Bitcast, CmpI, CmpIPredicate, Constant, MaxSI, MaxUI, MinSI, Select, ShRSI, XOrI};
use terrace_ir::{Builder, Context, FloatKind, Type, TypeKind, Value};

/// The largest or smallest of floats, as one of integers
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatOrder {
    /// Is it the largest?
    max: bool,
    /// Bits of an element
    width: u32,
    /// Bits of infinity
    infinity: i64,
}

impl FloatOrder {
    /// The order of the largest, or of the smallest, of floats of a type or of vectors of them; `None` where elements are no floats of
    /// 16, 32 or 64 bits in IEEE's layout
    pub fn of(cx: &Context, ty: Type, max: bool) -> Option<FloatOrder> {
        let TypeKind::Float(kind) = ty.scalar(cx).kind(cx) else { return None };
        let infinity = match kind {
            FloatKind::F16 => 0x7C00,
            FloatKind::BF16 => 0x7F80,
            FloatKind::F32 => 0x7F80_0000,
            FloatKind::F64 => 0x7FF0_0000_0000_0000,
            _ => return None,
        };
        Some(FloatOrder { max, width: kind.width(), infinity })
    }

    /// Bits of an element
    pub fn width(self) -> u32 {
        self.width
    }

    /// Every bit but the sign
    fn below_sign(self) -> i64 {
        i64::MAX >> (64 - self.width)
    }

    /// The integer that stands for NaN
    fn nan(self) -> i64 {
        if self.max { self.below_sign() } else { -self.below_sign() - 1 }
    }

    /// The op on integers in place of the operator
    pub fn merge(self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        match self.max {
            true => MaxSI::build(b, x, y).result(b.read()),
            false => MinSI::build(b, x, y).result(b.read()),
        }
    }

    /// The integer that stands for a float, whatever the sign of NaN
    pub fn integer_of(self, b: &mut Builder<'_>, value: Value) -> Value {
        let bits = self.bits(b, value);
        let ty = b.read().ty(bits);
        let (below, infinity) = (same(b, ty, self.below_sign()), same(b, ty, self.infinity));
        let magnitude = AndI::build(b, bits, below).result(b.read());
        let is_nan = CmpI::build(b, magnitude, infinity, CmpIPredicate::Sgt).result(b.read());
        let turned = self.turned(b, bits);
        self.or_nan(b, is_nan, turned)
    }

    /// The float that an integer stands for
    pub fn float_of(self, b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
        let bits = self.turned(b, value);
        Bitcast::build(b, bits, ty).out(b.read())
    }

    /// The bits of a float
    pub fn bits(self, b: &mut Builder<'_>, value: Value) -> Value {
        let ty = b.read().ty(value);
        let ty = ty.with_element(b.cx(), b.cx().int(self.width));
        Bitcast::build(b, value, ty).out(b.read())
    }

    /// Bits below the sign turned over where that is set; twice is the same as never. NaN is last on the side of its own sign
    pub fn turned(self, b: &mut Builder<'_>, bits: Value) -> Value {
        let ty = b.read().ty(bits);
        let (last, below) = (same(b, ty, i64::from(self.width) - 1), same(b, ty, self.below_sign()));
        let sign = ShRSI::build(b, bits, last).result(b.read());
        let mask = AndI::build(b, sign, below).result(b.read());
        XOrI::build(b, bits, mask).result(b.read())
    }

    /// What shows NaN of the sign that loses when it is merged: the largest of bits, unsigned for the largest of floats
    pub fn merge_bits(self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        match self.max {
            true => MaxUI::build(b, x, y).result(b.read()),
            false => MaxSI::build(b, x, y).result(b.read()),
        }
    }

    /// The integer that stands for all floats together, from their [turned](FloatOrder::turned) bits and their
    /// [bits](FloatOrder::merge_bits) merged
    pub fn settled(self, b: &mut Builder<'_>, turned: Value, bits: Value) -> Value {
        let ty = b.read().ty(bits);
        let (predicate, limit) = match self.max {
            // The sign is set: as an unsigned number, above all that have it not.
            true => (CmpIPredicate::Ugt, self.infinity - self.below_sign() - 1),
            false => (CmpIPredicate::Sgt, self.infinity),
        };
        let limit = same(b, ty, limit);
        let is_nan = CmpI::build(b, bits, limit, predicate).result(b.read());
        self.or_nan(b, is_nan, turned)
    }

    fn or_nan(self, b: &mut Builder<'_>, is_nan: Value, other: Value) -> Value {
        let ty = b.read().ty(other);
        let nan = same(b, ty, self.nan());
        Select::build(b, is_nan, nan, other).result(b.read())
    }
}

/// A constant of a type of integers
fn same(b: &mut Builder<'_>, ty: Type, value: i64) -> Value {
    let attr = b.cx().int_attr(value.into(), ty.scalar(b.cx()));
    let attr = match ty.shape(b.cx()) {
        Some(_) => b.cx().splat_attr(ty, attr).unwrap_or(attr),
        None => attr,
    };
    Constant::build(b, attr).result(b.read())
}
