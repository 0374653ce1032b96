//! Schedules: (de/re)-composition steps (paper: Rasch and others, CC 2023).
//!
//! Order of the steps is from coarse to fine, labels are the order of loops in code. What a step means to a computation is the
//! business of whoever carries it out. There is one [`Schedule`]; its [`State`] says whether its fields are values, or values
//! with open parts ([`crate::open`]). How a word is spelled is the business of [`crate::text`].

use crate::decision::Value;
use crate::values::{Core, Placement, Size};
use std::fmt;

/// What the fields of a schedule are
pub trait State: Clone + PartialEq + Eq + fmt::Debug {
    /// A field
    type Of<T: Value>: Clone + PartialEq + Eq + fmt::Debug;
    /// The entry of a buffer
    type Entry: Clone + PartialEq + Eq + fmt::Debug;
}

/// Every field is a value
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Decided;

impl State for Decided {
    type Of<T: Value> = T;
    type Entry = Option<Placement>;
}

/// One (de/re)-composition
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<S: State = Decided> {
    /// Position in code, from 1; 0: the first step says how things are before any other
    pub label: S::Of<usize>,
    /// A size per dimension
    pub sizes: Vec<S::Of<Size>>,
    /// Per input buffer in order of first access
    pub ins: Vec<S::Entry>,
    /// Per output
    pub outs: Vec<S::Entry>,
    /// Per dimension; nothing for `^`
    pub cores: Vec<S::Of<Option<Core>>>,
}

/// Steps from coarse to fine
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedule<S: State = Decided> {
    /// The steps
    pub steps: Vec<Step<S>>,
}
