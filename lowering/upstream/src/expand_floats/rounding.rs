//! Narrowing in a rounding mode: to nearest even, then one step where the mode wants the neighbor.
//!
//! Bits of a magnitude are in the order of the numbers, so the neighbor is one more or one less. No rounding mode of the
//! machine is touched, so programs may run on any thread and any device.

use super::numbers::Emit;
use super::types::layout;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_ir::{Type, Value};

/// Modes of `arith.truncf`
const DOWNWARD: i64 = 1;
const UPWARD: i64 = 2;
const TOWARD_ZERO: i64 = 3;

impl Emit<'_> {
    /// A float in a narrower format, neither of them small
    pub(super) fn directed(&mut self, value: Value, from: Type, to: Type, mode: i64) -> Value {
        let cx = self.ir.cx_arc().clone();
        let nearest = self.cast(value, from, to);
        let back = self.cast(nearest, to, from);
        let (wide, narrow) = (layout(&cx, from), layout(&cx, to));
        let (wide_bits, narrow_bits) =
            (wide.exponent + wide.mantissa + 1, narrow.exponent + narrow.mantissa + 1);
        let exact_bits = self.value(arith::Bitcast::DEF, &[value], cx.int(wide_bits));
        let back_bits = self.value(arith::Bitcast::DEF, &[back], cx.int(wide_bits));
        let most = i64::MAX >> (64 - wide_bits);
        let exact = self.with(arith::AndI::DEF, exact_bits, most, wide_bits);
        let rounded = self.with(arith::AndI::DEF, back_bits, most, wide_bits);
        let near = self.compare_values(CmpIPredicate::Ult, rounded, exact);
        let far = self.compare_values(CmpIPredicate::Ugt, rounded, exact);
        let negative = self.compare(CmpIPredicate::Ugt, exact_bits, most, wide_bits);
        let positive = self.not(negative);
        let bits = self.value(arith::Bitcast::DEF, &[nearest], cx.int(narrow_bits));
        let up = self.with(arith::AddI::DEF, bits, 1, narrow_bits);
        let down = self.with(arith::SubI::DEF, bits, 1, narrow_bits);
        // Where the magnitude is to grow or to shrink; what was rounded the other way moves one step.
        let (grow, shrink) = match mode {
            DOWNWARD => (self.both(near, negative), self.both(far, positive)),
            UPWARD => (self.both(near, positive), self.both(far, negative)),
            TOWARD_ZERO => (None, Some(far)),
            // Away from zero, but from halfway only: the neighbor is as far as the nearest.
            _ => {
                let next = self.value(arith::Bitcast::DEF, &[up], to.scalar(&cx));
                let next = self.cast(next, to, from);
                let float = from.scalar(&cx);
                let above = self.value(arith::SubF::DEF, &[next, value], float);
                let below = self.value(arith::SubF::DEF, &[value, back], float);
                let above = self.value(arith::Bitcast::DEF, &[above], cx.int(wide_bits));
                let below = self.value(arith::Bitcast::DEF, &[below], cx.int(wide_bits));
                let tie = self.compare_values(CmpIPredicate::Eq, above, below);
                (self.both(near, tie), None)
            }
        };
        let mut result = bits;
        let int = cx.int(narrow_bits);
        for (condition, moved) in [(grow, up), (shrink, down)] {
            if let Some(condition) = condition {
                result = self.value(arith::Select::DEF, &[condition, moved, result], int);
            }
        }
        // NaN has no neighbors.
        let infinity = ((1i64 << wide.exponent) - 1) << wide.mantissa;
        let nan = self.compare(CmpIPredicate::Ugt, exact, infinity, wide_bits);
        let result = self.value(arith::Select::DEF, &[nan, bits, result], int);
        self.value(arith::Bitcast::DEF, &[result], to.scalar(&cx))
    }

    fn both(&mut self, a: Value, b: Value) -> Option<Value> {
        let i1 = self.ir.cx().common().i1;
        Some(self.value(arith::AndI::DEF, &[a, b], i1))
    }

    fn not(&mut self, a: Value) -> Value {
        let i1 = self.ir.cx().common().i1;
        let one = self.constant(-1, 1);
        self.value(arith::XOrI::DEF, &[a, one], i1)
    }
}
