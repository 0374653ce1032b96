//! Why an op does not fit: a message with its code.

use crate::codes;
use std::fmt;
use terrace_analysis::nat::NatError;
use terrace_diag::Code;

/// What does not fit
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MisfitKind {
    Size,
    Type,
}

/// Sizes or types that an op cannot work on
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    kind: MisfitKind,
    why: String,
}

impl Misfit {
    /// A condition on sizes fails
    pub fn size(why: impl Into<String>) -> Misfit {
        Misfit { kind: MisfitKind::Size, why: why.into() }
    }

    /// The types are wrong
    pub fn ty(why: impl Into<String>) -> Misfit {
        Misfit { kind: MisfitKind::Type, why: why.into() }
    }

    /// The code of the diagnostic
    pub fn code(&self) -> Code {
        match self.kind {
            MisfitKind::Size => &codes::SIZE,
            MisfitKind::Type => &codes::TYPE,
        }
    }
}

/// The message of the diagnostic
impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.kind {
            MisfitKind::Size => "SIZE",
            MisfitKind::Type => "TYPE",
        };
        write!(f, "{word}: {}", self.why)
    }
}

impl std::error::Error for Misfit {}

/// A size that is too large, or no number
impl From<NatError> for Misfit {
    fn from(error: NatError) -> Misfit {
        Misfit::size(error.to_string())
    }
}
