//! Values that are the lanes of a vector merged: where two of them are merged, their vectors are instead, and the lanes of one are left.
//!
//! The remainder of a row is a vector of half as many lanes, then one of a quarter, and so on. Merging the lanes of each would
//! take as long as all else that a short row needs.

use crate::emit::{Emit, Val};
use crate::state::Joined;
use terrace_dialect_arith::FastMathFlags;
use terrace_dialect_sched::{Builtin, Operator};
use terrace_ir::{OpId, Value};

impl Emit<'_> {
    /// Remember what a value is, where something may be joined with it
    pub fn note_joined(&mut self, value: Value, joined: Joined) {
        if self.grid.is_none() && self.lanes.is_none() {
            self.joined.insert(value, joined);
        }
    }

    /// An op that merges two values, of which one at least is the lanes of a vector merged; `None` where it is to be copied as it is
    pub fn joined_op(&mut self, op: OpId) -> Option<Value> {
        if self.joined.is_empty() || self.lanes.is_some() || self.ir.num_operands(op) != 2 {
            return None;
        }
        let [a, b] = [0, 1].map(|n| self.get(self.ir.operand(op, n)));
        let (Val::One(a), Val::One(b)) = (a, b) else { return None };
        let (of_a, of_b) = (self.joined.get(&a).copied(), self.joined.get(&b).copied());
        let one = of_a.or(of_b).filter(|one| self.permits(op, one.operator))?;
        let Some((x, y)) = of_a.zip(of_b) else {
            let value = self.merge(&Operator::Builtin(one.operator), a, b, None);
            let scalar = if of_a.is_some() { b } else { a };
            let rest = self.merged_rest(one.operator, one.rest, Some(scalar));
            self.note_joined(value, Joined { rest, ..one });
            return Some(value);
        };
        if x.operator != y.operator {
            return None;
        }
        let lanes = self.joined_lanes(x, y)?;
        let rest = self.merged_rest(x.operator, x.rest, y.rest);
        Some(self.reduce_joined(Joined { lanes, rest, ..x }))
    }

    /// Is it the operator, and may it be applied in another order?
    fn permits(&self, op: OpId, operator: Builtin) -> bool {
        let Some(result) = self.ir.results(op).next() else { return false };
        let float = self.ir.ty(result).is_float(&self.cx);
        if !operator.op(float).is_some_and(|def| self.ir.is(op, def)) {
            return false;
        }
        let rounds = float && matches!(operator, Builtin::Add | Builtin::Mul);
        let flags = self.ir.attr(op, "fastmath").and_then(|attr| FastMathFlags::of(&self.cx, attr));
        !rounds || flags.is_some_and(|flags| flags.has(FastMathFlags::REASSOC))
    }

    fn merged_rest(&mut self, operator: Builtin, a: Option<Value>, b: Option<Value>) -> Option<Value> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.merge(&Operator::Builtin(operator), a, b, None)),
            (a, b) => a.or(b),
        }
    }

    /// Lanes of two vectors as those of one, as narrow as the narrower
    fn joined_lanes(&mut self, x: Joined, y: Joined) -> Option<Value> {
        let (widths, f) = ([self.width_of(x.lanes), self.width_of(y.lanes)], Operator::Builtin(x.operator));
        let (mut wide, narrow) = if widths[0] >= widths[1] { (x.lanes, y.lanes) } else { (y.lanes, x.lanes) };
        let (most, least) = (widths[0].max(widths[1]), widths[0].min(widths[1]).max(1));
        if self.ir.ty(wide).scalar(&self.cx) != self.ir.ty(narrow).scalar(&self.cx)
            || most % least != 0
            || !(most / least).cast_unsigned().is_power_of_two()
        {
            return None;
        }
        while self.width_of(wide) > least {
            let (low, high) = self.divided(wide);
            wide = self.merge(&f, low, high, None);
        }
        Some(self.merge(&f, wide, narrow, None))
    }
}
