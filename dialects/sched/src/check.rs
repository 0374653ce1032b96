//! Rules of schedules: each gives claims about a nest; a claim that is false is an error with its reason.
//!
//! A claim is a [`Formula`] over the attributes of the nest, so that what a schedule leaves open can become a constraint of
//! a search instead. What only analysis can tell (conflicts of accesses, footprints) is a fact in it. The files: `nest`
//! decodes the tree, `formula` the language, the others hold the rules by what they speak of.

mod blocks;
mod branches;
pub mod formula;
pub mod joins;
mod levels;
mod meet;
mod memory;
mod merge;
pub mod nest;
pub mod race;
mod shape;

pub use formula::{Formula, Term};
pub use levels::MOST_THREADS;
pub use memory::{MOST_SHARED, STRICTLY_HOME};
pub use nest::Nest;

use crate::ops::{Copy, For, Kernel};
use terrace_diag::{Code, Diagnostic, Reported};
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Ir, OpId, VerifyCx};

/// What a rule says of a nest
pub struct Claim {
    /// What has to hold
    pub formula: Formula,
    /// The op it is about
    pub op: OpId,
    /// What is wrong if it does not hold; follows the op's name
    pub reason: String,
    /// Other ops that take part, with what they are in this
    pub others: Vec<(OpId, &'static str)>,
    /// What would be accepted
    pub help: &'static str,
}

/// A rule: a name, a code, and what it claims of a nest
pub struct Rule {
    /// As in the design
    pub name: &'static str,
    /// Code of its error
    pub code: Code,
    /// Its claims
    pub claims: fn(&Nest<'_>, &mut Vec<Claim>),
}

/// All rules, in the order in which they are looked at: what a later one takes for granted an earlier one has shown
pub static RULES: &[Rule] = &[
    shape::STEP,
    shape::COVER,
    levels::NEST,
    levels::HW,
    levels::GRID,
    shape::TAIL,
    memory::HOME,
    memory::MEM,
    merge::MECH,
    merge::ORDER,
    race::RACE,
    meet::SYNC,
    meet::VEC,
    memory::CAP,
];

/// Look at an outermost op of the dialect and all inside: the first thing that is wrong
pub fn wrong(v: &VerifyCx<'_>, top: OpId) -> Option<Diagnostic> {
    let nest = Nest::new(v, top);
    for rule in RULES {
        let mut claims = Vec::new();
        (rule.claims)(&nest, &mut claims);
        let wrong = claims.into_iter().find(|claim| nest.eval(&claim.formula) == Some(false));
        let Some(claim) = wrong else { continue };
        let mut error = v.error(claim.op, rule.code, format!("{}: {}", rule.name, claim.reason));
        // The same place for who wrote steps, and has seen no loops yet.
        if let Some(info) = For::cast(v.ir, claim.op).and_then(|one| one.info(v.ir))
            && let (Some((layer, label)), Some(dim)) = (info.step, info.dim)
        {
            error = error.note(format!("this is step {layer}, label {label}, dimension {}", dim + 1));
        }
        for (op, what) in claim.others {
            error = match v.ir.span(op) {
                Some(span) => error.note_at(span, what),
                None => error.note(what),
            };
        }
        return Some(if claim.help.is_empty() { error } else { error.help(claim.help) });
    }
    None
}

/// Look at an outermost op of the dialect and all inside
pub fn verify(v: &VerifyCx<'_>, top: OpId) -> Result<(), Reported> {
    wrong(v, top).map_or(Ok(()), |error| Err(v.emit(error)))
}

/// Nests of a unit against the rules, for passes that rely on them: a pipeline need not verify between its passes
pub fn first_wrong(ir: &Ir, symbols: &Symbols, scope: ScopeId) -> Option<Diagnostic> {
    let v = VerifyCx::new(ir, symbols, scope);
    let tops = ir.walk().filter(|op| {
        (For::cast(ir, *op).is_some() || Kernel::cast(ir, *op).is_some() || Copy::cast(ir, *op).is_some())
            && crate::ops::is_outermost(ir, *op)
    });
    tops.into_iter().find_map(|op| wrong(&v, op))
}
