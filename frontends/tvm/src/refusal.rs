//! Why a script is refused, or cannot be written.

use std::fmt;
use terrace_dialect_mdh::Misfit;
use terrace_dialect_mdh::schedule::Broken;

/// What scripts and steps cannot both say; the codes of messages
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// The text is no Python, or more than assignments and calls
    Syntax,
    /// A name stands for nothing, or for something else
    Name,
    /// A primitive is not known, or its arguments do not fit
    Call,
    /// Primitives in an order that `tvm.te` refuses too
    Order,
    /// An axis is of another stage, is gone, or is named twice
    Axis,
    /// A fused loop is cut across its parts: no tile is a box
    Fuse,
    /// An axis of the grid is taken, or there is none of the name
    Bind,
    /// A tile is computed where it does not fit
    At,
    /// Loops in an order that no axis of a script can have
    Label,
    /// A reduction stands around the buffer of its results
    Reduce,
    /// A word of a step that scripts lack
    Word,
}

impl Code {
    /// The code in messages
    pub fn word(self) -> &'static str {
        match self {
            Code::Syntax => "T-SYNTAX",
            Code::Name => "T-NAME",
            Code::Call => "T-CALL",
            Code::Order => "T-ORDER",
            Code::Axis => "T-AXIS",
            Code::Fuse => "T-FUSE",
            Code::Bind => "T-BIND",
            Code::At => "T-AT",
            Code::Label => "T-LABEL",
            Code::Reduce => "T-REDUCE",
            Code::Word => "T-WORD",
        }
    }

    /// Refused, for this reason
    pub fn because(self, why: impl Into<String>) -> Refusal {
        Refusal { code: self, why: why.into() }
    }
}

/// What is wrong and what would be accepted
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What cannot be said
    pub code: Code,
    why: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.word(), self.why)
    }
}

impl std::error::Error for Refusal {}

/// Why there is no script of a computation and its schedule
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoScript {
    /// Scripts cannot say it
    Refused(Refusal),
    /// The schedule is not of this computation
    Schedule(Broken),
    /// It is no computation
    Computation(Misfit),
}

impl From<Refusal> for NoScript {
    fn from(refusal: Refusal) -> NoScript {
        NoScript::Refused(refusal)
    }
}

impl From<Broken> for NoScript {
    fn from(broken: Broken) -> NoScript {
        NoScript::Schedule(broken)
    }
}

impl From<Misfit> for NoScript {
    fn from(misfit: Misfit) -> NoScript {
        NoScript::Computation(misfit)
    }
}

impl fmt::Display for NoScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoScript::Refused(refusal) => refusal.fmt(f),
            NoScript::Schedule(broken) => broken.fmt(f),
            NoScript::Computation(misfit) => misfit.fmt(f),
        }
    }
}

impl std::error::Error for NoScript {}
