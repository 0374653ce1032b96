//! What `arith` does, scalar by scalar; vectors element by element.
//!
//! Poison in, poison out, but for `select`, which looks at the chosen value only, and divisors, which must be known.
//! Flags that do not hold make poison. Written apart from the folds, so that each checks the other.

mod casts;
pub mod floats;
mod ints;
pub mod quick;

use super::{Constant, FastMathFlags, OverflowFlags, Select};
use terrace_interp::{Interpret, Machine, Quick, RtValue, Step, Trap, codes};
use terrace_ir::{Ir, OpId, Type};

/// Apply a function on scalars, element by element where operands are vectors
///
/// The function sees no poison.
pub fn each(m: &mut Machine<'_>, f: impl Fn(&[RtValue]) -> Result<RtValue, Trap>) -> Result<Step, Trap> {
    let value = lifted(m, &|scalars| {
        if scalars.iter().any(RtValue::has_poison) { Ok(RtValue::Poison) } else { f(scalars) }
    })?;
    m.set_result(0, value);
    Ok(Step::Next)
}

/// [`lift`] on the operands of the current op; the usual numbers of them need no list
fn lifted(m: &Machine<'_>, f: &dyn Fn(&[RtValue]) -> Result<RtValue, Trap>) -> Result<RtValue, Trap> {
    match m.ir().num_operands(m.op()) {
        1 => lift(&[m.operand(0)], f),
        2 => lift(&[m.operand(0), m.operand(1)], f),
        _ => lift(&m.operands(), f),
    }
}

/// Apply a function to whole operands or to their elements; a poison vector is one of poison elements
pub fn lift(operands: &[RtValue], f: &dyn Fn(&[RtValue]) -> Result<RtValue, Trap>) -> Result<RtValue, Trap> {
    let count = operands.iter().find_map(|value| match value {
        RtValue::Vector(all) => Some(all.len()),
        _ => None,
    });
    let Some(count) = count else { return f(operands) };
    let mut all = Vec::with_capacity(count);
    for n in 0..count {
        let scalars: Vec<RtValue> = operands
            .iter()
            .map(|value| match value {
                RtValue::Vector(each) => each.get(n).cloned().unwrap_or(RtValue::Poison),
                other => other.clone(),
            })
            .collect();
        all.push(f(&scalars)?);
    }
    Ok(RtValue::Vector(all.into()))
}

/// The type of one element of the n-th result
pub fn scalar_type(m: &Machine<'_>, n: usize) -> Type {
    let ir = m.ir();
    ir.ty(ir.result(m.op(), n)).scalar(m.cx())
}

/// The trap of ops on types that the interpreter does not know
pub fn unsupported() -> Trap {
    Trap::new(&codes::UNSUPPORTED, "the interpreter does not know this type")
}

/// Bits of the integers of the first result
pub fn int_width(m: &Machine<'_>) -> Result<u32, Trap> {
    let cx = m.cx();
    let ty = scalar_type(m, 0);
    ty.bit_width(cx).filter(|width| !ty.is_float(cx) && *width <= 128).ok_or_else(unsupported)
}

/// Fast-math flags of an op that may have some
pub(crate) fn fast_math(ir: &Ir, op: OpId) -> FastMathFlags {
    ir.attr(op, "fastmath").and_then(|attr| FastMathFlags::of(ir.cx(), attr)).unwrap_or_default()
}

/// Overflow flags of an op that may have some
fn overflow(ir: &Ir, op: OpId) -> OverflowFlags {
    ir.attr(op, "overflowFlags").and_then(|attr| OverflowFlags::of(ir.cx(), attr)).unwrap_or_default()
}

/// `nnan` and `ninf` promise something of operands and result; broken, the result is poison
pub fn keep_promises(m: &Machine<'_>, operands: &[RtValue], result: RtValue) -> RtValue {
    let fast = fast_math(m.ir(), m.op());
    let bad = |value: &RtValue| {
        let value = value.as_f64();
        fast.has(FastMathFlags::NNAN) && value.is_some_and(f64::is_nan)
            || fast.has(FastMathFlags::NINF) && value.is_some_and(f64::is_infinite)
    };
    if operands.iter().any(bad) || bad(&result) { RtValue::Poison } else { result }
}

impl Interpret for Constant {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        match RtValue::of_attr(m.cx(), self.value(m.ir())) {
            Some(value) => {
                m.set_result(0, value);
                Step::Next
            }
            None => Step::Trap(unsupported()),
        }
    }

    fn quick(self, ir: &Ir) -> Option<Quick> {
        RtValue::of_attr(ir.cx(), self.value(ir))?.as_scalar().map(Quick::Constant)
    }
}

impl Interpret for Select {
    fn quick(self, _: &Ir) -> Option<Quick> {
        Some(Quick::Select)
    }

    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let (condition, yes, no) = (m.operand(0), m.operand(1), m.operand(2));
        let pick = |scalars: &[RtValue]| {
            Ok(match scalars[0].as_unsigned() {
                Some(1) => scalars[1].clone(),
                Some(_) => scalars[2].clone(),
                None => RtValue::Poison,
            })
        };
        // One condition chooses whole values.
        let value = match condition {
            RtValue::Vector(_) => lift(&[condition, yes, no], &pick),
            _ => pick(&[condition, yes, no]),
        };
        match value {
            Ok(value) => {
                m.set_result(0, value);
                Step::Next
            }
            Err(trap) => Step::Trap(trap),
        }
    }
}

/// An attribute that is there or not
fn is_set(m: &Machine<'_>, op: OpId, name: &str) -> bool {
    m.ir().attr(op, name).is_some()
}
