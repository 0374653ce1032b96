//! Does what a pass made refine what was there before?
//!
//! Where the original traps, or gives poison, anything goes; elsewhere results are equal bit for bit, except that one NaN
//! is as good as another. A result that cannot be had within the fuel decides nothing.

use terrace_interp::{Interpreter, Options, RtValue, codes, text::value_text};
use terrace_ir::Ir;

/// How one call of the original and of its result after a pass compare
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// The results agree
    Same,
    /// The original traps, for the reason given as a code: anything goes
    Undefined(&'static str),
    /// They differ: how
    Broken(String),
}

fn agrees(before: &RtValue, after: &RtValue) -> bool {
    match (before, after) {
        (RtValue::Poison, _) => true,
        (RtValue::Float { kind, .. }, RtValue::Float { kind: other, .. }) if kind == other => {
            let nan = |value: &RtValue| value.as_f64().is_some_and(f64::is_nan);
            before == after || nan(before) && nan(after)
        }
        (RtValue::Vector(a), RtValue::Vector(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| agrees(a, b))
        }
        _ => before == after,
    }
}

/// Call `name` in both with the same arguments, which hold no memory
pub fn refines(before: &Ir, after: &Ir, name: &str, args: &[RtValue]) -> Refinement {
    let run = |ir| Interpreter::new(ir, Options::default()).call(name, args.to_vec());
    let expected = match run(before) {
        Ok(values) => values,
        // An op without meaning says nothing of the pass: a broken test, not a broken pass.
        Err(trap) if trap.code.id == codes::NO_MEANING.id => return Refinement::Broken(trap.message),
        Err(trap) => return Refinement::Undefined(trap.code.id),
    };
    let found = match run(after) {
        Ok(values) => values,
        Err(trap) => return Refinement::Broken(format!("traps now: {}", trap.message)),
    };
    if expected.len() != found.len() {
        return Refinement::Broken("another number of results".into());
    }
    for (n, (expected, found)) in expected.iter().zip(&found).enumerate() {
        if !agrees(expected, found) {
            let (expected, found) = (value_text(expected), value_text(found));
            return Refinement::Broken(format!("result {n} was {expected} and is {found}"));
        }
    }
    Refinement::Same
}
