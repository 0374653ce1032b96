//! What structured loops and conditions do: each is asked at entry and after each region.
//!
//! State between regions: `for` its induction variable; `while` whether the condition ran; `parallel` its point and what
//! was reduced so far, in row order (one order of those that are allowed); `reduce` what it has combined.

use super::{Condition, ExecuteRegion, For, If, Parallel, Reduce, ReduceReturn, While, Yield};
use terrace_interp::{Interpret, Machine, RtValue, Step, Trap, codes};

impl Interpret for Yield {
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
        let mut point = Vec::new();
        let mut empty = false;
        for ((low, high), step) in self.lower(ir).into_iter().zip(self.upper(ir)).zip(self.steps(ir)) {
            let low = m.decide_i64(low, "a lower bound")?;
            empty |= low >= m.decide_i64(high, "an upper bound")?;
            if m.decide_i64(step, "a step")? <= 0 {
                return Err(Trap::new(&codes::STEP, "a step of the loop is not positive"));
            }
            point.push(RtValue::index(low));
        }
        let inits = m.values(self.inits(ir));
        if empty {
            m.set_results(inits);
            return Ok(Step::Next);
        }
        *m.state() = point.iter().cloned().chain(inits).collect();
        Ok(Step::Enter { region: self.region(ir), args: point })
    }

    fn next(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Result<Step, Trap> {
        let ir = m.ir();
        let (lower, upper, steps) = (self.lower(ir), self.upper(ir), self.steps(ir));
        let rank = steps.len();
        let mut point = m.state()[..rank].to_vec();
        for n in (0..rank).rev() {
            let at = point[n].as_i64().unwrap_or(i64::MAX);
            let next = at.checked_add(m.decide_i64(steps[n], "a step")?);
            if let Some(next) =
                next.filter(|next| m.decide_i64(upper[n], "").is_ok_and(|upper| *next < upper))
            {
                point[n] = RtValue::index(next);
                *m.state() = point.iter().cloned().chain(values).collect();
                return Ok(Step::Enter { region: self.region(ir), args: point });
            }
            point[n] = m.value(lower[n]);
        }
        m.set_results(values);
        Ok(Step::Next)
    }
}

impl Interpret for Parallel {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        self.next(m, values).into()
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
