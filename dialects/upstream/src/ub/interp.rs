//! Poison is a value; unreachable places trap.

use super::{Poison, Unreachable};
use terrace_interp::{Interpret, Machine, RtValue, Step, Trap, codes};

impl Interpret for Poison {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        m.set_result(0, RtValue::Poison);
        Step::Next
    }
}

impl Interpret for Unreachable {
    fn interpret(self, _: &mut Machine<'_>) -> Step {
        Step::Trap(Trap::new(&codes::UNREACHABLE, "a place that is never reached was reached"))
    }
}
