//! Operators of a name as ops on two values.

use crate::combine::Builtin;
use terrace_dialect_arith::{self as arith, FastMathFlags};
use terrace_ir::{Builder, Value};

impl Builtin {
    /// `left ⊕ right`, on integers or floats of one type
    pub fn as_op(self, b: &mut Builder<'_>, left: Value, right: Value) -> Value {
        use Builtin::{Add, And, Max, MaxU, Min, MinU, Mul, Or, Xor};
        let float = b.read().ty(left).is_float(b.cx());
        let op = match (self, float) {
            (Add, true) => arith::AddF::build(b, left, right).id(),
            (Mul, true) => arith::MulF::build(b, left, right).id(),
            (Min, true) => arith::MinimumF::build(b, left, right).id(),
            (Max, true) => arith::MaximumF::build(b, left, right).id(),
            (Add, false) => arith::AddI::build(b, left, right).id(),
            (Mul, false) => arith::MulI::build(b, left, right).id(),
            (Min, false) => arith::MinSI::build(b, left, right).id(),
            (Max, false) => arith::MaxSI::build(b, left, right).id(),
            (And, _) => arith::AndI::build(b, left, right).id(),
            (Or, _) => arith::OrI::build(b, left, right).id(),
            (Xor, _) => arith::XOrI::build(b, left, right).id(),
            (MinU, _) => arith::MinUI::build(b, left, right).id(),
            (MaxU, _) => arith::MaxUI::build(b, left, right).id(),
        };
        b.read().result(op, 0)
    }

    /// The same, of operands that may be merged in any order with others: what rounds says so
    pub fn as_op_in_any_order(self, b: &mut Builder<'_>, left: Value, right: Value) -> Value {
        let value = self.as_op(b, left, right);
        let float = b.read().ty(value).is_float(b.cx());
        if float && matches!(self, Builtin::Add | Builtin::Mul) {
            let free = FastMathFlags::REASSOC.and(FastMathFlags::CONTRACT).attr(b.cx());
            let op = b.read().defining_op(value);
            if let Some(op) = op {
                b.ir().set_attr(op, "fastmath", Some(free));
            }
        }
        value
    }
}
