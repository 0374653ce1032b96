//! `scf`: structured loops and conditions.

mod conditions;
mod flow;
mod forall;
mod if_rules;
mod interp;
mod loops;
mod parallel_rules;
mod rules;
mod switch;
pub mod syntax;
mod while_rules;

pub use conditions::*;
pub use forall::*;
pub use interp::enter_next_point;
pub use loops::*;
pub use switch::*;

use terrace_ir::rules::AnyType;
use terrace_macros::{dialect, op};

/// Give values to the op around it
///
/// ```mlir
/// func.func @f(%c: i1, %a: i32, %b: i32) -> i32 {
///   %r = scf.if %c -> (i32) {
///     scf.yield %a : i32
///   } else {
///     scf.yield %b : i32
///   }
///   return %r : i32
/// }
/// ```
#[op(
    "scf.yield",
    traits(Pure, Terminator, ReturnLike),
    interfaces(terrace_interp::Interpret),
    parents("scf.for", "scf.if", "scf.while", "scf.execute_region", "scf.index_switch")
)]
#[asm("attr-dict ($results^ `:` type($results))?")]
pub struct Yield {
    results: Variadic<AnyType>,
}

dialect! {
    /// Structured loops and conditions
    pub SCF = "scf" { ops: [
            Condition, ExecuteRegion, For, Forall, If, InParallel, IndexSwitch, Parallel, Reduce, ReduceReturn, While,
            Yield,
        ],
    }
}
