//! What is wrong with a model, and where in its listing.

use crate::codes;
use terrace_diag::Code;
use terrace_frontend_graph::NotRegistered;

/// Bytes of the listing: a line, most often
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub start: u32,
    pub end: u32,
}

/// A mistake
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    /// What is meant; the whole model without one
    pub at: Option<Place>,
    pub code: Code,
    pub message: String,
    pub notes: Vec<String>,
    pub help: Option<String>,
}

pub(crate) type Done<T> = Result<T, Wrong>;

impl Wrong {
    pub fn new(code: Code, message: impl Into<String>) -> Wrong {
        Wrong { at: None, code, message: message.into(), notes: Vec::new(), help: None }
    }

    pub fn at(mut self, at: Place) -> Wrong {
        self.at = Some(at);
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Wrong {
        self.help = Some(help.into());
        self
    }
}

impl From<NotRegistered> for Wrong {
    fn from(why: NotRegistered) -> Wrong {
        Wrong::new(&codes::FORMAT, why.to_string())
    }
}
