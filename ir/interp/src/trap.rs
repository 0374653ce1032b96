//! Why a run stopped.

use crate::codes;
use std::fmt;
use terrace_diag::{Code, Diagnostic, Span};

/// Why an access failed
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Outside of the view or the allocation
    Bounds,
    /// Never written
    Uninitialized,
    /// Freed
    Freed,
    /// Beyond the limit
    Limit,
    /// Not ordered with a use by another member of a team
    Race,
    /// Memory of another block or thread, or of a device
    Scope,
}

/// Why a run stopped
#[derive(Clone, Debug)]
pub struct Trap {
    /// What kind
    pub code: Code,
    /// One sentence
    pub message: String,
    /// The op
    pub span: Option<Span>,
    /// More about it: in which thread, what the other party is
    pub notes: Vec<(Option<Span>, String)>,
}

impl Trap {
    /// A trap without a place; the machine adds the op's
    pub fn new(code: Code, message: impl fmt::Display) -> Trap {
        Trap { code, message: message.to_string(), span: None, notes: Vec::new() }
    }

    /// As an error to show
    pub fn diagnostic(&self) -> Diagnostic {
        let error = Diagnostic::error(self.code, self.message.clone()).at(self.span);
        self.notes.iter().fold(error, |error, (span, text)| match span {
            Some(span) => error.note_at(*span, text.as_str()),
            None => error.note(text.as_str()),
        })
    }
}

impl From<Fault> for Trap {
    fn from(fault: Fault) -> Trap {
        match fault {
            Fault::Bounds => Trap::new(&codes::BOUNDS, "access outside of the memory"),
            Fault::Uninitialized => Trap::new(&codes::UNINITIALIZED, "the element was never written"),
            Fault::Freed => Trap::new(&codes::FREED, "the memory was freed before"),
            Fault::Race => Trap::new(&codes::RACE, "uses of one element are not ordered"),
            Fault::Scope => Trap::new(&codes::SCOPE, "the memory belongs to another block, thread or device"),
            Fault::Limit => Trap::new(&codes::LIMIT, "more memory than allowed"),
        }
    }
}
