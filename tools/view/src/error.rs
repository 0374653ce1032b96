//! Why a form is not read, or not written.

use std::fmt;
use terrace_dialect_mdh::Misfit;
use terrace_dialect_mdh::schedule::{Broken, ScheduleError};
use terrace_frontend_tvm::NoScript;

/// What is wrong with a form that is read back; the codes of messages
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// A field is unknown, missing, or of another kind
    Field,
    /// It is of another computation
    Stale,
    /// It is of another version
    Version,
    /// The two sides of a picture differ
    Swap,
}

impl Code {
    /// The code in messages
    pub fn word(self) -> &'static str {
        match self {
            Code::Field => "V-FIELD",
            Code::Stale => "V-STALE",
            Code::Version => "V-VERSION",
            Code::Swap => "S-SWAP",
        }
    }

    /// Refused, for this reason
    pub(crate) fn because(self, why: impl Into<String>) -> ViewError {
        ViewError::Form(self, why.into())
    }
}

/// Why a form is not read, or not written
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ViewError {
    /// The form is not one of the computation
    Form(Code, String),
    /// A field of the schedule cannot be read
    Schedule(ScheduleError),
    /// The schedule is of another computation
    Broken(Broken),
    /// It is no computation
    Computation(Misfit),
    /// Scripts cannot say it
    Script(NoScript),
}

impl From<ScheduleError> for ViewError {
    fn from(error: ScheduleError) -> ViewError {
        ViewError::Schedule(error)
    }
}

impl From<Broken> for ViewError {
    fn from(broken: Broken) -> ViewError {
        ViewError::Broken(broken)
    }
}

impl From<Misfit> for ViewError {
    fn from(misfit: Misfit) -> ViewError {
        ViewError::Computation(misfit)
    }
}

impl From<NoScript> for ViewError {
    fn from(why: NoScript) -> ViewError {
        ViewError::Script(why)
    }
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViewError::Form(code, why) => write!(f, "{}: {why}", code.word()),
            ViewError::Schedule(error) => error.fmt(f),
            ViewError::Broken(broken) => broken.fmt(f),
            ViewError::Computation(misfit) => misfit.fmt(f),
            ViewError::Script(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for ViewError {}
