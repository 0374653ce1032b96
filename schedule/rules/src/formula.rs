//! Formulas over the fields of a nest: ∧ ∨ ¬ over comparisons of terms, levels of loops, and questions to analysis.

use crate::question::Question;
use std::cmp::Ordering;
use terrace_devices::{Axis, Level, Levels};
use terrace_schedule_model::nest::{BufferId, LaunchId, LoopId};

/// A number
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    /// Itself
    Int(i64),
    /// Extent of a loop
    Extent(LoopId),
    /// Tile of a loop
    Tile(LoopId),
    /// Iterations of a loop
    Trip(LoopId),
    /// Blocks of a kernel
    Grid(LaunchId, Axis),
    /// Threads of a block of a kernel
    Block(LaunchId, Axis),
    /// Bytes of a buffer
    Bytes(BufferId),
    /// Product
    Mul(Box<Term>, Box<Term>),
    /// Remainder
    Rem(Box<Term>, Box<Term>),
    /// Sum
    Sum(Vec<Term>),
    /// The first if the formula holds, else the second
    If(Box<Formula>, Box<Term>, Box<Term>),
}

/// How two numbers compare
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cmp {
    /// Equal
    Equal,
    /// Less or equal
    AtMost,
    /// Less
    Less,
}

/// How the levels of two loops relate
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// The first is narrower: it may stand inside of the second
    Narrower,
    /// Both are as wide
    SameRank,
    /// Both have an axis, the same one
    SameAxis,
}

impl Relation {
    /// Does it hold of two levels? Levels without a rank are neither narrower nor as wide
    pub fn holds(self, a: Level, b: Level) -> bool {
        let ranks = || Some(a.rank()?.cmp(&b.rank()?));
        match self {
            Relation::Narrower => ranks() == Some(Ordering::Less),
            Relation::SameRank => ranks() == Some(Ordering::Equal),
            Relation::SameAxis => a.axis().is_some() && a.axis() == b.axis(),
        }
    }
}

/// A statement about a nest
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// True or false, whatever is decided later
    Known(bool),
    /// Two numbers compare
    Cmp(Cmp, Term, Term),
    /// The loop is at one of these levels
    At(LoopId, Levels),
    /// The levels of two loops relate
    Pair(Relation, LoopId, LoopId),
    /// What only analysis can tell
    Query(Question),
    /// All of them
    And(Vec<Formula>),
    /// One of them
    Or(Vec<Formula>),
    /// The contrary
    Not(Box<Formula>),
}

/// The contrary
impl std::ops::Not for Formula {
    type Output = Formula;

    fn not(self) -> Formula {
        match self {
            Formula::Known(known) => Formula::Known(!known),
            Formula::At(id, levels) => Formula::At(id, levels.not()),
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }
}

impl Formula {
    /// All of them; what is known already is left out
    pub fn all(all: impl IntoIterator<Item = Formula>) -> Formula {
        let mut kept = Vec::new();
        for each in all {
            match each {
                Formula::Known(true) => {}
                Formula::Known(false) => return Formula::Known(false),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Formula::Known(true),
            1 => kept.swap_remove(0),
            _ => Formula::And(kept),
        }
    }

    /// One of them; what is known already is left out
    pub fn any(all: impl IntoIterator<Item = Formula>) -> Formula {
        let mut kept = Vec::new();
        for each in all {
            match each {
                Formula::Known(false) => {}
                Formula::Known(true) => return Formula::Known(true),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Formula::Known(false),
            1 => kept.swap_remove(0),
            _ => Formula::Or(kept),
        }
    }

    /// If `self` holds, so does `then`
    pub fn implies(self, then: Formula) -> Formula {
        Formula::any([!self, then])
    }

    /// Both numbers are the same
    pub fn equal(a: Term, b: Term) -> Formula {
        Formula::Cmp(Cmp::Equal, a, b)
    }

    /// The first number is not greater
    pub fn at_most(a: Term, b: Term) -> Formula {
        Formula::Cmp(Cmp::AtMost, a, b)
    }

    /// The first number is less
    pub fn less(a: Term, b: Term) -> Formula {
        Formula::Cmp(Cmp::Less, a, b)
    }
}

impl Term {
    /// Product
    pub fn times(a: Term, b: Term) -> Term {
        match (a, b) {
            (Term::Int(1), other) | (other, Term::Int(1)) => other,
            (a, b) => Term::Mul(Box::new(a), Box::new(b)),
        }
    }

    /// Remainder of a division
    pub fn remainder(a: Term, b: Term) -> Term {
        Term::Rem(Box::new(a), Box::new(b))
    }

    /// The number if the formula holds, else 1
    pub fn factor(condition: Formula, then: Term) -> Term {
        match condition {
            Formula::Known(true) => then,
            Formula::Known(false) => Term::Int(1),
            other => Term::If(Box::new(other), Box::new(then), Box::new(Term::Int(1))),
        }
    }
}

impl Formula {
    /// The loops whose levels it mentions, each once
    pub fn loops(&self) -> Vec<LoopId> {
        let (mut out, mut pending) = (Vec::new(), vec![self]);
        while let Some(each) = pending.pop() {
            match each {
                Formula::Known(_) | Formula::Cmp(..) | Formula::Query(_) => {}
                Formula::At(id, _) => out.push(*id),
                Formula::Pair(_, a, b) => out.extend([*a, *b]),
                Formula::And(all) | Formula::Or(all) => pending.extend(all),
                Formula::Not(inner) => pending.push(inner),
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }
}
