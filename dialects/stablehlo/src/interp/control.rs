//! Control flow. State of `while`: whether its body runs, then what is carried.

use super::*;
use crate::*;
use terrace_interp::{Interpret, Step};

impl Interpret for Return {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}

impl Interpret for While {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let args = m.operands();
        self.decide(m, args)
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        // The state holds what is carried, and before it whether the body runs.
        let mut carried = std::mem::take(m.state());
        if carried.is_empty() || carried.remove(0) == RtValue::bool(true) {
            return self.decide(m, values);
        }
        match values.first().map(single) {
            Some(RtValue::Poison) | None => Step::Trap(Trap::new(&codes::POISON, "the condition is poison")),
            Some(value) if value.as_unsigned() == Some(1) => {
                *m.state() = vec![RtValue::bool(true)];
                Step::Enter { region: self.body(m.ir()), args: carried }
            }
            Some(_) => {
                m.set_results(carried);
                Step::Next
            }
        }
    }
}

impl While {
    /// Run the condition on what is carried
    fn decide(self, m: &mut Machine<'_>, carried: Vec<RtValue>) -> Step {
        *m.state() = [vec![RtValue::bool(false)], carried.clone()].concat();
        Step::Enter { region: self.cond(m.ir()), args: carried }
    }
}

impl Interpret for If {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let ir = m.ir();
        let chosen = decide(m, self.pred(ir));
        let region = |which| if which == 1 { self.true_branch(ir) } else { self.false_branch(ir) };
        chosen.map(|which| Step::Enter { region: region(which), args: Vec::new() }).into()
    }
}

impl Interpret for Case {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let branches = self.branches(m.ir());
        let chosen = decide(m, self.index(m.ir()));
        let enter = |index: i128| {
            let inside = usize::try_from(index).ok().and_then(|index| branches.get(index));
            match inside.or(branches.last()) {
                Some(region) => Ok(Step::Enter { region: *region, args: Vec::new() }),
                None => Err(Trap::new(&codes::INVALID, "there is no branch")),
            }
        };
        chosen.and_then(enter).into()
    }
}

impl Interpret for Composite {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let cx = m.cx();
        let symbol = self.decomposition(m.ir()).as_symbol(cx).map_or("", |(root, _)| cx.str(root));
        Step::Call { symbol: symbol.into(), args: m.operands() }
    }
}
