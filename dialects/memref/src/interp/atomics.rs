//! Atomic updates: in the interpreter no access comes between, and they race with plain uses only.
//!
//! The state of `generic_atomic_rmw` while its region runs is the element before.

use super::super::{AtomicRmw, AtomicYield, GenericAtomicRmw};
use super::place;
use terrace_interp::combine::combine;
use terrace_interp::{Interpret, Machine, RtValue, Step, Trap, codes};

terrace_interp::interpret_by_run!(AtomicRmw);

impl AtomicRmw {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.memref(ir))?;
        let at = place(m, self.indices(ir))?;
        let value = m.value(self.value(ir));
        let before = m.memory().load_atomic(&view, &at)?;
        let after = match self.kind(ir).combining() {
            Some(kind) => combine(kind, &before, &value)?,
            None => value,
        };
        m.memory().store_atomic(&view, &at, after)?;
        m.set_result(0, before);
        Ok(())
    }
}

fn unsupported() -> Trap {
    Trap::new(&codes::UNSUPPORTED, "the interpreter does not know this update")
}

impl GenericAtomicRmw {
    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.memref(ir))?;
        let at = place(m, self.indices(ir))?;
        let before = m.memory().load_atomic(&view, &at)?;
        *m.state() = vec![before.clone()];
        Ok(Step::Enter { region: self.atomic_body(ir), args: vec![before] })
    }

    fn end(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Result<Step, Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.memref(ir))?;
        let at = place(m, self.indices(ir))?;
        let after = values.into_iter().next().ok_or_else(unsupported)?;
        m.memory().store_atomic(&view, &at, after)?;
        let before = m.state().pop().ok_or_else(unsupported)?;
        m.set_result(0, before);
        Ok(Step::Next)
    }
}

impl Interpret for GenericAtomicRmw {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        self.end(m, values).into()
    }
}

impl Interpret for AtomicYield {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}
