//! What structured loops and conditions do: each op runs at entry and after each of its regions.
//!
//! State between regions: `for` its induction variable; `while` whether the condition ran; `parallel` what was
//! reduced so far, in row order (one order of those that are allowed); `reduce` what it has combined.

use super::{Condition, ExecuteRegion, For, If, Parallel, Reduce, ReduceReturn, While, Yield};
use terrace_interp::{Interpret, Machine, Quick, RtValue, Step, Trap, codes};
use terrace_ir::{Ir, RegionId};

impl Interpret for Yield {
    fn quick(self, ir: &Ir) -> Option<Quick> {
        let parent = ir.parent(self.0)?;
        match (For::cast(ir, parent), If::cast(ir, parent)) {
            (Some(_), _) => Some(Quick::CountedYield),
            (_, Some(_)) => Some(Quick::Yield),
            _ => None,
        }
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}

impl Interpret for Condition {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}

impl Interpret for ReduceReturn {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}

impl Interpret for ExecuteRegion {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Enter { region: self.region(m.ir()), args: Vec::new() }
    }
}

impl Interpret for If {
    fn quick(self, _: &Ir) -> Option<Quick> {
        Some(Quick::If)
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let ir = m.ir();
        let region = match m.decide_bool(self.condition(ir)) {
            Ok(true) => self.then_region(ir),
            Ok(false) => self.else_region(ir),
            Err(trap) => return Step::Trap(trap),
        };
        match ir.entry(region) {
            Some(_) => Step::Enter { region, args: Vec::new() },
            None => Step::Next,
        }
    }
}

impl For {
    /// Run the body at `iv`, or end
    fn go(self, m: &mut Machine<'_>, iv: RtValue, mut carried: Vec<RtValue>) -> Result<Step, Trap> {
        let ir = m.ir();
        let upper = m.decide(self.upper_bound(ir), "the upper bound")?;
        let less = if self.unsigned(ir).is_some() {
            iv.as_unsigned() < upper.as_unsigned()
        } else {
            iv.as_signed() < upper.as_signed()
        };
        if !less {
            m.set_results(carried);
            return Ok(Step::Next);
        }
        *m.state() = vec![iv.clone()];
        carried.insert(0, iv);
        Ok(Step::Enter { region: self.region(ir), args: carried })
    }

    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let iv = m.decide(self.lower_bound(ir), "the lower bound")?;
        let step = m.decide(self.step(ir), "the step")?;
        let positive = if self.unsigned(ir).is_some() {
            step.as_unsigned() > Some(0)
        } else {
            step.as_signed() > Some(0)
        };
        if !positive {
            return Err(Trap::new(&codes::STEP, "the step of the loop is not positive"));
        }
        let inits = m.values(self.inits(ir));
        self.go(m, iv, inits)
    }

    /// The point after this one; `None` when it leaves the type, which is behind every bound
    fn next(self, m: &mut Machine<'_>) -> Option<RtValue> {
        let ir = m.ir();
        let RtValue::Int { width, .. } = m.state().first()?.clone() else { return None };
        let (iv, step) = (m.state().first()?.clone(), m.value(self.step(ir)));
        let next = if self.unsigned(ir).is_some() {
            let sum = iv.as_unsigned()?.checked_add(step.as_unsigned()?)?;
            RtValue::int(sum as i128, width)
        } else {
            RtValue::int(iv.as_signed()?.checked_add(step.as_signed()?)?, width)
        };
        let grew = if self.unsigned(ir).is_some() {
            next.as_unsigned() > iv.as_unsigned()
        } else {
            next.as_signed() > iv.as_signed()
        };
        grew.then_some(next)
    }
}

impl Interpret for For {
    fn quick(self, ir: &Ir) -> Option<Quick> {
        let index = ir.cx().common().index;
        (ir.ty(self.step(ir)) == index && self.unsigned(ir).is_none()).then_some(Quick::Counted)
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        match self.next(m) {
            Some(iv) => self.go(m, iv, values).into(),
            None => {
                m.set_results(values);
                Step::Next
            }
        }
    }
}

impl Interpret for While {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Enter { region: self.before(m.ir()), args: m.operands() }
    }

    fn resume(self, m: &mut Machine<'_>, mut values: Vec<RtValue>) -> Step {
        // The state has something while the second region runs.
        if m.state().pop().is_some() {
            return Step::Enter { region: self.before(m.ir()), args: values };
        }
        if values.is_empty() {
            return Step::Trap(Trap::new(&codes::INVALID, "the first region gives no condition"));
        }
        match values.remove(0) {
            RtValue::Poison => Step::Trap(Trap::new(&codes::POISON, "the condition is poison")),
            condition if condition.as_unsigned() == Some(1) => {
                m.state().push(RtValue::bool(true));
                Step::Enter { region: self.after(m.ir()), args: values }
            }
            _ => {
                m.set_results(values);
                Step::Next
            }
        }
    }
}

impl Parallel {
    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let mut bounds = Vec::new();
        for ((low, high), step) in self.lower(ir).into_iter().zip(self.upper(ir)).zip(self.steps(ir)) {
            let low = m.decide_i64(low, "a lower bound")?;
            let high = m.decide_i64(high, "an upper bound")?;
            bounds.push((low, high, m.decide_i64(step, "a step")?));
        }
        let inits = m.values(self.inits(ir));
        // Reductions are combined in row order; what is not reduced may run in any.
        m.open_points(&bounds, !inits.is_empty())?;
        *m.state() = inits;
        Ok(enter_next_point(m, self.region(ir)))
    }
}

/// The region at the next of the points that were opened; after the last, the state is the op's results
pub fn enter_next_point(m: &mut Machine<'_>, region: RegionId) -> Step {
    match m.next_point() {
        Some(point) => Step::Enter { region, args: point.into_iter().map(RtValue::index).collect() },
        None => {
            let reduced = std::mem::take(m.state());
            m.set_results(reduced);
            Step::Next
        }
    }
}

impl Interpret for Parallel {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        *m.state() = values;
        enter_next_point(m, self.region(m.ir()))
    }
}

impl Reduce {
    fn go(self, m: &mut Machine<'_>) -> Step {
        let done = m.state().clone();
        let n = done.len();
        match self.reductions(m.ir()).get(n) {
            None => Step::Yield(done),
            Some(&region) => {
                // What was reduced so far stands at the end of the loop's state.
                let outer = m.outer_state();
                let start = outer.len().saturating_sub(m.ir().num_operands(self.0));
                let so_far = outer.get(start + n).cloned().unwrap_or(RtValue::Poison);
                let args = vec![so_far, m.operand(n)];
                Step::Enter { region, args }
            }
        }
    }
}

impl Interpret for Reduce {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.go(m)
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        m.state().extend(values);
        self.go(m)
    }
}
