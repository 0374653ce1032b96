//! Traits of ops that a dialect defines, as types.

use super::OpId;
use super::verify_cx::VerifyCx;
use std::any::TypeId;
use terrace_diag::Reported;

/// A trait of ops that a dialect defines: `traits(crate::Sorted)`, with its path
///
/// What passes ask is [`OpDef::has_own`](crate::OpDef::has_own) or [`Ir::has_own`](crate::Ir::has_own).
///
/// ```
/// use terrace_ir::{OpId, OpTrait, VerifyCx, codes};
///
/// /// As many results as operands
/// pub struct Balanced;
///
/// impl OpTrait for Balanced {
///     fn verify(v: &VerifyCx<'_>, op: OpId) -> Result<(), terrace_diag::Reported> {
///         match v.ir().num_operands(op) == v.ir().num_results(op) {
///             true => Ok(()),
///             false => v.fail(op, &codes::OP_RULE, "needs as many results as operands"),
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no trait of ops",
    label = "not a `terrace_ir::OpTrait`",
    note = "`traits(…)` takes names of `terrace_ir::Traits`, such as `Pure`, and paths of types that implement `OpTrait`"
)]
pub trait OpTrait: Sized + 'static {
    /// What every op with the trait keeps to; asked before the op's own rules, when its table holds
    fn verify(v: &VerifyCx<'_>, op: OpId) -> Result<(), Reported> {
        let _ = (v, op);
        Ok(())
    }

    /// Entry for the op's definition
    const ENTRY: OwnTrait = OwnTrait { id: TypeId::of::<Self>, verify: Self::verify };
}

/// Entry of an op's definition for a trait of a dialect
pub struct OwnTrait {
    id: fn() -> TypeId,
    pub(crate) verify: fn(&VerifyCx<'_>, OpId) -> Result<(), Reported>,
}

impl OwnTrait {
    /// Is it this one?
    pub fn is<T: OpTrait>(&self) -> bool {
        (self.id)() == TypeId::of::<T>()
    }
}
