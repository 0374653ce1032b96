//! Floats as integers in the same order, where the largest or smallest of them is on the critical path.
//!
//! `maximumf` and `minimumf` keep NaN and order zeros, which takes a processor five instructions one after the other. Of integers it
//! takes one. So what a loop over prefixes carries, and the tree that joins the lanes of a vector, are integers: the bits of a
//! float, turned over below the sign where that is set. NaN is the last of them on the side that wins.

use crate::emit::Emit;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_sched::{Builtin, Operator};
use terrace_ir::{FloatKind, Type, TypeKind, Value};

/// The largest or smallest of floats, as one of integers
#[derive(Clone, Copy)]
pub(crate) struct FloatOrder {
    /// Is it the largest?
    max: bool,
    /// Bits of an element
    width: u32,
    /// Bits of infinity
    infinity: i64,
}

impl FloatOrder {
    /// Every bit but the sign
    fn below_sign(self) -> i64 {
        i64::MAX >> (64 - self.width)
    }

    /// The integer that stands for NaN
    fn nan(self) -> i64 {
        if self.max { self.below_sign() } else { -self.below_sign() - 1 }
    }
}

impl Emit<'_> {
    /// Of an operator on values of a type
    pub fn float_order(&self, f: &Operator, ty: Type) -> Option<FloatOrder> {
        let Operator::Builtin(builtin) = f else { return None };
        let TypeKind::Float(kind) = ty.scalar(&self.cx).kind(&self.cx) else { return None };
        let infinity = match kind {
            FloatKind::F16 => 0x7C00,
            FloatKind::BF16 => 0x7F80,
            FloatKind::F32 => 0x7F80_0000,
            FloatKind::F64 => 0x7FF0_0000_0000_0000,
            _ => return None,
        };
        let max = match builtin {
            Builtin::Max => true,
            Builtin::Min => false,
            _ => return None,
        };
        self.grid.is_none().then_some(FloatOrder { max, width: kind.width(), infinity })
    }

    /// The op on integers in place of the operator
    pub fn ordered_merge(&mut self, order: FloatOrder, a: Value, b: Value) -> Value {
        let def = if order.max { arith::MaxSI::DEF } else { arith::MinSI::DEF };
        let ty = self.ir.ty(a);
        self.value(def, &[a, b], ty, &[])
    }

    /// The integer that stands for a float
    pub fn integer_of(&mut self, order: FloatOrder, value: Value) -> Value {
        let ty = self.integers(order, self.ir.ty(value));
        let bits = self.value(arith::Bitcast::DEF, &[value], ty, &[]);
        let below = self.same(ty, order.below_sign());
        let magnitude = self.value(arith::AndI::DEF, &[bits, below], ty, &[]);
        let infinity = self.same(ty, order.infinity);
        let is_nan = self.compare(CmpIPredicate::Sgt, magnitude, infinity);
        let (turned, nan) = (self.turned(order, bits), self.same(ty, order.nan()));
        self.value(arith::Select::DEF, &[is_nan, nan, turned], ty, &[])
    }

    /// The float that an integer stands for
    pub fn float_of(&mut self, order: FloatOrder, value: Value, ty: Type) -> Value {
        let bits = self.turned(order, value);
        self.value(arith::Bitcast::DEF, &[bits], ty, &[])
    }

    /// Bits below the sign turned over where that is set; twice is the same as never
    fn turned(&mut self, order: FloatOrder, bits: Value) -> Value {
        let ty = self.ir.ty(bits);
        let (last, below) = (self.same(ty, i64::from(order.width) - 1), self.same(ty, order.below_sign()));
        let sign = self.value(arith::ShRSI::DEF, &[bits, last], ty, &[]);
        let mask = self.value(arith::AndI::DEF, &[sign, below], ty, &[]);
        self.value(arith::XOrI::DEF, &[bits, mask], ty, &[])
    }

    /// A type with integers in place of floats
    fn integers(&self, order: FloatOrder, ty: Type) -> Type {
        ty.with_element(&self.cx, self.cx.int(order.width))
    }

    /// A constant of a type of integers
    fn same(&mut self, ty: Type, value: i64) -> Value {
        let attr = self.cx.int_attr(value.into(), ty.scalar(&self.cx));
        match ty.num_elements(&self.cx) {
            Some(width) if ty.shape(&self.cx).is_some() => self.splat(attr, width),
            _ => self.constant(attr),
        }
    }
}
