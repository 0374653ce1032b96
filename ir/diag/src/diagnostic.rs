//! One message to the user, as data.
//!
//! Nothing here knows how it is shown ([`render`](crate::render)) or gathered ([`Diags`](crate::Diags)).

use crate::{Code, Span};

/// How bad it is
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input or request is refused
    Error,
    /// Accepted, but probably not meant
    Warning,
    /// What a pass did or refused to do, for those who asked
    Remark,
}

impl Severity {
    /// The lower-case word shown to users
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
        }
    }
}

/// A further place, shown in the same excerpt as the primary one
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where
    pub span: Span,
    /// What is there; may be empty
    pub text: String,
}

/// A remark on the side, with or without a place of its own
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where, if anywhere
    pub span: Option<Span>,
    /// What
    pub text: String,
}

/// One message: what is wrong, where, and what would make it right
///
/// ```
/// use terrace_diag::{Diagnostic, SourceId, Span};
/// terrace_diag::codes! {
///     /// Both operands have one type.
///     pub OPERAND_TYPES: "E0103" Verifier "operand types differ";
/// }
/// let d = Diagnostic::error(&OPERAND_TYPES, "operands `lhs` and `rhs` must have the same type")
///     .at(Span::new(SourceId(0), 7, 17))
///     .label("`lhs` is i32, `rhs` is i64")
///     .help("convert with `arith.extsi` or `arith.trunci`");
/// assert_eq!(d.headline(), "[E0103]: operands `lhs` and `rhs` must have the same type");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a diagnostic says nothing until it is emitted"]
pub struct Diagnostic {
    /// How bad
    pub severity: Severity,
    /// Its stable code; errors always have one
    pub code: Option<Code>,
    /// One sentence without a full stop
    pub message: String,
    /// The primary place
    pub span: Option<Span>,
    /// What is at the primary place; may be empty
    pub label: String,
    /// Further places
    pub labels: Vec<Label>,
    /// Remarks on the side, in order
    pub notes: Vec<Note>,
    /// What the user can do, in order
    pub help: Vec<String>,
}

impl Diagnostic {
    fn new(severity: Severity, code: Option<Code>, message: String) -> Self {
        Self {
            severity,
            code,
            message,
            span: None,
            label: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// An error
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, Some(code), message.into())
    }

    /// A warning; `None` for the code where it has none
    pub fn warning(code: impl Into<Option<Code>>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code.into(), message.into())
    }

    /// A remark; `None` for the code where it has none
    pub fn remark(code: impl Into<Option<Code>>, message: impl Into<String>) -> Self {
        Self::new(Severity::Remark, code.into(), message.into())
    }

    /// Set the primary place; `None` leaves it as it is
    pub fn at(mut self, span: impl Into<Option<Span>>) -> Self {
        self.span = span.into().or(self.span);
        self
    }

    /// Say what is at the primary place
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Point at a further place
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Add a remark without a place
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(Note { span: None, text: text.into() });
        self
    }

    /// Add a remark with a place; `None` makes it one without
    pub fn note_at(mut self, span: impl Into<Option<Span>>, text: impl Into<String>) -> Self {
        self.notes.push(Note { span: span.into(), text: text.into() });
        self
    }

    /// Say what the user can do
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// `[CODE]: message`, or the message alone
    pub fn headline(&self) -> String {
        match self.code {
            Some(code) => format!("[{}]: {}", code.id, self.message),
            None => self.message.clone(),
        }
    }
}
