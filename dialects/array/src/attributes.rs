//! The discardable attributes of this dialect, checked on the ops that have them.

use crate::{size, threads};
use terrace_diag::Reported;
use terrace_ir::{Attr, OpId, VerifyCx};

/// Check `array.bind`, `array.block` and `array.grid`
pub(crate) fn verify(v: &VerifyCx<'_>, op: OpId, name: &str, attr: Attr) -> Result<(), Reported> {
    match name {
        size::BIND => size::verify_bind(v, op, attr),
        name => threads::verify(v, op, name, attr),
    }
}
