//! Places without contributions: what they hold is seen.

use crate::nest::{Nest, State};
use crate::scalar::{self, Combine};
use terrace_dialect_sched as sched;
use terrace_ir::Value;

impl Nest<'_> {
    /// Values of places that may have no contributions, as they are seen: a sum of floats over nothing is +0, where loops start from
    /// −0. What is combined with what a buffer was filled with is that already
    pub(crate) fn seen(&mut self, st: &State, mut values: Vec<Value>) -> Vec<Value> {
        let yields = self.yields;
        let Combine::Each(operators) = &yields.combine else { return values };
        if self.scatter.is_some() {
            return values;
        }
        for (n, operator) in operators.iter().enumerate() {
            let (Some(front), sched::Operator::Builtin(builtin)) = (yields.identity[n], operator) else {
                continue;
            };
            let (out, _) = yields.place[n];
            let same = builtin.identity(self.ir.cx(), yields.types[n]) == Some(front);
            if same || self.starts[out].is_some() || st.sinks[out].combine {
                continue;
            }
            let mut b = self.b(st.at);
            let front = scalar::constant(&mut b, front);
            values[n] = builtin.as_op(&mut b, front, values[n]);
        }
        values
    }
}
