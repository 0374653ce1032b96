//! Traits behind `hooks(…)` of `#[op]`: behaviour of one op that the core itself asks for.
//!
//! The macro makes the function pointers of `OpDef` from them. Hooks of crates above the core are interfaces instead.

use crate::defs::InferCx;
use crate::fold::{FoldCx, Folded};
use crate::ir::Ir;
use crate::traits::Effects;
use crate::types::Type;
use crate::verify::VerifyCx;
use terrace_diag::Reported;

/// `hooks(fold)`: constants and identities that need no new op
pub trait Fold: Sized {
    /// A simpler form of the results, if there is one
    fn fold(self, cx: &FoldCx<'_>) -> Folded;
}

/// `hooks(verify)`: rules that tables can't say; run only when the tables hold
pub trait Verify: Sized {
    /// Report what is wrong
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported>;
}

/// `hooks(infer)`: result types that relations can't say
pub trait Infer: Sized {
    /// Types of all results, `None` if the operands do not allow to tell
    fn infer(cx: &InferCx<'_>) -> Option<Vec<Type>>;
}

/// `hooks(effects)`: effects that depend on the instance
pub trait EffectsOf: Sized {
    /// What this op does to memory
    fn effects(self, ir: &Ir) -> Effects;
}
