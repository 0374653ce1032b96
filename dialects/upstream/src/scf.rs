//! `scf`: structured loops and conditions.

mod conditions;
mod interp;
mod loops;
mod rules;

pub use conditions::*;
pub use loops::*;

use terrace_ir::rules::AnyType;
use terrace_macros::{dialect, op};

/// Give values to the op around it
#[op(
    "scf.yield",
    traits(Pure, Terminator, ReturnLike),
    interfaces(terrace_interp::Interpret),
    parents("scf.for", "scf.if", "scf.while", "scf.execute_region", "scf.index_switch"),
    asm = "attr-dict ($results^ `:` type($results))?"
)]
pub struct Yield {
    #[operand]
    results: Variadic<AnyType>,
}

dialect! {
    /// Structured loops and conditions
    pub SCF = "scf" { ops: [Condition, ExecuteRegion, For, If, Parallel, Reduce, ReduceReturn, While, Yield] }
}
