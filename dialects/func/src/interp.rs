//! Calls and returns.

use super::{Call, CallIndirect, Constant, Return};
use std::sync::Arc;
use terrace_interp::{Interpret, Machine, RtValue, Step, Trap, codes};
use terrace_ir::Attr;

fn name(m: &Machine<'_>, symbol: Attr) -> Arc<str> {
    let cx = m.cx();
    symbol.as_symbol(cx).map_or("", |(root, _)| cx.str(root)).into()
}

impl Interpret for Return {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Return(m.operands())
    }
}

impl Interpret for Call {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Call { symbol: name(m, self.callee(m.ir())), args: m.operands() }
    }
}

impl Interpret for CallIndirect {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        match m.operand(0) {
            RtValue::Function(symbol) => Step::Call { symbol, args: m.operands().split_off(1) },
            _ => Step::Trap(Trap::new(&codes::POISON, "the function to call is poison")),
        }
    }
}

impl Interpret for Constant {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let symbol = name(m, self.value(m.ir()));
        m.set_result(0, RtValue::Function(symbol));
        Step::Next
    }
}
