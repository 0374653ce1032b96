//! Why something cannot be lowered: a diagnostic with its code and place.

use terrace_diag::{Code, Diagnostic, Span};

/// Why something cannot be made; boxed, since it is rare and large
pub type Done<T> = Result<T, Box<Diagnostic>>;

/// A refusal at a place
pub fn refuse<T>(code: Code, span: Span, message: impl Into<String>) -> Done<T> {
    Err(Box::new(Diagnostic::error(code, message).at(span)))
}
