//! Straight-line arithmetic on words.

use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_math as math;
use terrace_ir::{Builder, Type, Value};

/// Ops on words of one type
pub struct Words<'a, 'b> {
    /// Where they go
    pub b: &'a mut Builder<'b>,
    /// The type of constants
    pub ty: Type,
}

macro_rules! ops {
    ($($name:ident $op:ident;)*) => {
        $(pub fn $name(&mut self, x: Value, y: Value) -> Value {
            arith::$op::build(self.b, x, y).result(self.b.read())
        })*
    };
}

#[allow(missing_docs)]
impl Words<'_, '_> {
    ops! {
        add AddI; sub SubI; and AndI; or OrI; xor XOrI; left ShLI; right ShRUI; signed_right ShRSI; max MaxSI; min MinSI;
    }

    pub fn number(&mut self, value: i64) -> Value {
        let attr = self.b.cx().int_attr(i128::from(value), self.ty);
        arith::Constant::build(self.b, attr).result(self.b.read())
    }

    pub fn is(&mut self, x: Value, predicate: CmpIPredicate, y: i64) -> Value {
        let y = self.number(y);
        arith::CmpI::build(self.b, x, y, predicate).result(self.b.read())
    }

    pub fn select(&mut self, test: Value, yes: Value, no: Value) -> Value {
        arith::Select::build(self.b, test, yes, no).result(self.b.read())
    }

    /// One constant or another
    pub fn choose(&mut self, test: Value, yes: i64, no: i64) -> Value {
        let (yes, no) = (self.number(yes), self.number(no));
        self.select(test, yes, no)
    }

    pub fn and_number(&mut self, x: Value, y: i64) -> Value {
        let y = self.number(y);
        self.and(x, y)
    }

    pub fn add_number(&mut self, x: Value, y: i64) -> Value {
        let y = self.number(y);
        self.add(x, y)
    }

    pub fn right_number(&mut self, x: Value, y: i64) -> Value {
        let y = self.number(y);
        self.right(x, y)
    }

    pub fn signed_right_number(&mut self, x: Value, y: i64) -> Value {
        let y = self.number(y);
        self.signed_right(x, y)
    }

    pub fn left_number(&mut self, x: Value, y: i64) -> Value {
        let y = self.number(y);
        self.left(x, y)
    }

    pub fn leading_zeros(&mut self, x: Value) -> Value {
        math::CountLeadingZeros::build(self.b, x).result(self.b.read())
    }

    /// `x`, or −`x` where a sign is −1 and not 0
    pub fn with_sign(&mut self, x: Value, sign: Value) -> Value {
        let flipped = self.xor(x, sign);
        self.sub(flipped, sign)
    }
}
