//! Schedules against the rules of legality (`schedule/rules`): the first claim that is false is an error with its place.

use crate::codes;
use crate::ops::{Copy, For, Kernel, is_outermost};
use crate::read::{Ops, read_with};
use terrace_diag::{Code, Diagnostic, Reported};
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Ir, OpId, Verify, VerifyCx};
use terrace_schedule_rules::{Cx, Subject, first_broken};

/// The code of a rule's error
pub fn code(rule: &str) -> Option<Code> {
    Some(match rule {
        "STEP" => &codes::STEP,
        "COVER" => &codes::COVER,
        "NEST" => &codes::NEST,
        "HW" => &codes::HW,
        "GRID" => &codes::GRID,
        "TAIL" => &codes::TAIL,
        "HOME" => &codes::HOME,
        "MEM" => &codes::MEM,
        "MECH" => &codes::MECH,
        "ORDER" => &codes::ORDER,
        "BITS" => &codes::BITS,
        "RACE" => &codes::RACE,
        "SYNC" => &codes::SYNC,
        "VEC" => &codes::VEC,
        "CAP" => &codes::CAP,
        _ => return None,
    })
}

impl Ops {
    /// The op of what a claim is about
    pub fn of(&self, ir: &Ir, subject: Subject) -> Option<OpId> {
        match subject {
            Subject::Loop(id) => Some(self.loops[id]),
            Subject::Access(id) => Some(self.accesses[id]),
            Subject::Buffer(id) => ir.defining_op(self.buffers[id]),
            Subject::Launch(id) => Some(self.launches[id]),
            Subject::Branch(id) => Some(self.branches[id]),
        }
    }
}

/// Evaluate all rules on an outermost op of the dialect and all inside: the first thing that is wrong
pub fn wrong(v: &VerifyCx<'_>, top: OpId) -> Option<Diagnostic> {
    let (nest, ops) = read_with(v, top);
    let (rule, reason) = first_broken(&Cx::new(&nest))?;
    let at = ops.of(v.ir, reason.about).unwrap_or(top);
    let code = code(rule.name).unwrap_or(&terrace_ir::codes::OP_RULE);
    let mut error = v.error(at, code, format!("{}: {}", rule.name, reason.text));
    // The same place for who wrote steps, and has seen no loops yet.
    if let Subject::Loop(id) = reason.about
        && let (Some((layer, label)), Some(dim)) = (nest.loops[id].step, nest.loops[id].dim)
    {
        error = error.note(format!("this is step {layer}, label {label}, dimension {}", dim + 1));
    }
    for (other, what) in reason.others {
        error = match ops.of(v.ir, other).and_then(|op| v.ir.span(op)) {
            Some(span) => error.note_at(span, what),
            None => error.note(what),
        };
    }
    Some(if reason.help.is_empty() { error } else { error.help(reason.help) })
}

/// Evaluate all rules on an outermost op of the dialect and all inside
pub fn verify(v: &VerifyCx<'_>, top: OpId) -> Result<(), Reported> {
    wrong(v, top).map_or(Ok(()), |error| Err(v.emit(error)))
}

/// Nests of a unit against the rules, for passes that rely on them: a pipeline need not verify between its passes
pub fn first_wrong(ir: &Ir, symbols: &Symbols, scope: ScopeId) -> Option<Diagnostic> {
    let v = VerifyCx::new(ir, symbols, scope);
    let tops = ir.walk().filter(|op| {
        (For::cast(ir, *op).is_some() || Kernel::cast(ir, *op).is_some() || Copy::cast(ir, *op).is_some())
            && is_outermost(ir, *op)
    });
    tops.into_iter().find_map(|op| wrong(&v, op))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_rule_has_a_code() {
        for rule in terrace_schedule_rules::RULES {
            assert!(super::code(rule.name).is_some(), "{}", rule.name);
        }
    }
}

/// Each op alone, then all rules where it is the outermost
macro_rules! verified {
    ($($op:ty),*) => {$(
        impl Verify for $op {
            fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
                self.verify_alone(v)?;
                if is_outermost(v.ir, self.0) { verify(v, self.0) } else { Ok(()) }
            }
        }
    )*};
}
verified!(For, Kernel, Copy);
