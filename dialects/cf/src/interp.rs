//! What branches do.

use super::{Assert, Br, CondBr};
use terrace_interp::{Interpret, Machine, Quick, Step, Trap, codes};
use terrace_ir::Ir;

impl Interpret for Br {
    fn quick(self, ir: &Ir) -> Option<Quick> {
        Some(Quick::Branch(vec![(self.dest(ir), ir.operands(self.0).collect())]))
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Branch { block: self.dest(m.ir()), args: m.operands() }
    }
}

impl CondBr {
    fn choose(self, m: &Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let (block, args) = if m.decide_bool(self.condition(ir))? {
            (self.true_dest(ir), self.true_operands(ir))
        } else {
            (self.false_dest(ir), self.false_operands(ir))
        };
        Ok(Step::Branch { block, args: m.values(args) })
    }
}

impl Interpret for CondBr {
    fn quick(self, ir: &Ir) -> Option<Quick> {
        let yes = (self.true_dest(ir), self.true_operands(ir));
        Some(Quick::Branch(vec![yes, (self.false_dest(ir), self.false_operands(ir))]))
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.choose(m).into()
    }
}

impl Interpret for Assert {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let ir = m.ir();
        match m.decide_bool(self.arg(ir)) {
            Ok(true) => Step::Next,
            Ok(false) => {
                let message = self.msg(ir).as_str(ir.cx()).unwrap_or("").to_string();
                Step::Trap(Trap::new(&codes::UNREACHABLE, format!("assertion does not hold: {message}")))
            }
            Err(trap) => Step::Trap(trap),
        }
    }
}
