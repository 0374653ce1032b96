//! Floats as integers in the same order, in what a loop over prefixes carries: the largest or smallest so far is on its critical path.

use crate::emit::Emit;
use terrace_dialect_arith::FloatOrder;
use terrace_dialect_sched::{Builtin, Operator};
use terrace_ir::Type;

impl Emit<'_> {
    /// Of an operator on values of a type
    pub fn float_order(&self, f: &Operator, ty: Type) -> Option<FloatOrder> {
        let max = match f {
            Operator::Builtin(Builtin::Max) => true,
            Operator::Builtin(Builtin::Min) => false,
            _ => return None,
        };
        FloatOrder::of(&self.cx, ty, max).filter(|_| self.grid.is_none())
    }
}
