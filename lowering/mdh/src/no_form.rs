//! Why an op on tensors becomes no computation, by the codes of messages (L-…).

use std::fmt;

/// What an op must have
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// What is read and written in memory does not overlap
    Alias,
    /// The body is a scalar function
    Body,
    /// Sizes are numbers
    Dyn,
    /// Index functions say each iterator
    Map,
}

impl Rule {
    /// The code in messages
    pub fn code(self) -> &'static str {
        match self {
            Rule::Alias => "L-ALIAS",
            Rule::Body => "L-BODY",
            Rule::Dyn => "L-DYN",
            Rule::Map => "L-MAP",
        }
    }

    /// It does not hold, for this reason
    pub(crate) fn because(self, why: impl fmt::Display) -> NoForm {
        NoForm { rule: Some(self), why: why.to_string() }
    }
}

/// Why an op on tensors has no form here
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoForm {
    /// The rule that does not hold; none where the op has no form on buffers yet
    pub rule: Option<Rule>,
    why: String,
}

impl From<&'static str> for NoForm {
    fn from(why: &'static str) -> NoForm {
        NoForm { rule: None, why: why.into() }
    }
}

impl fmt::Display for NoForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule {
            Some(rule) => write!(f, "{}: {}", rule.code(), self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl std::error::Error for NoForm {}
