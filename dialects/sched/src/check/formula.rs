//! Formulas over the attributes of a nest: ∧ ∨ ¬ over comparisons of terms and facts about levels.
//!
//! Evaluation is three-valued: what hangs on a decision that has not been made is neither true nor false. The levels of
//! loops may be asked of someone else than the attributes, so that a search can ask for each choice.

use super::nest::{LoopId, Nest};
use terrace_devices::{Axis, Level, Levels};

/// A number that attributes of the nest give
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
    /// Rank of a loop's level; not known for those that have none
    Rank(LoopId),
    /// Size of the grid of the kernel around a loop, in blocks
    Grid(LoopId, Axis),
    /// Size of a block of the kernel around a loop, in threads
    Block(LoopId, Axis),
    /// Product
    Times(Box<Term>, Box<Term>),
    /// Remainder
    Rest(Box<Term>, Box<Term>),
}

/// A statement about a nest
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// Known from analysis
    Fact(bool),
    /// Both numbers are the same
    Equal(Term, Term),
    /// Less or the same
    AtMost(Term, Term),
    /// Less
    Less(Term, Term),
    /// The level is one of these
    Level(LoopId, Levels),
    /// Both loops' levels have an axis, the same one
    SameAxis(LoopId, LoopId),
    /// All of them
    And(Vec<Formula>),
    /// One of them
    Or(Vec<Formula>),
    /// The contrary
    Not(Box<Formula>),
}

impl Formula {
    /// If `self` holds, so does `then`
    pub fn implies(self, then: Formula) -> Formula {
        Formula::Or(vec![Formula::Not(Box::new(self)), then])
    }

    /// The loops whose levels it speaks of, each once
    pub fn loops(&self) -> Vec<LoopId> {
        let (mut out, mut pending) = (Vec::new(), vec![self]);
        let mut term = |term: &Term| {
            let mut pending = vec![term];
            while let Some(term) = pending.pop() {
                match term {
                    Term::Rank(id) => out.push(*id),
                    Term::Times(a, b) | Term::Rest(a, b) => pending.extend([&**a, &**b]),
                    _ => {}
                }
            }
        };
        let mut levels = Vec::new();
        while let Some(each) = pending.pop() {
            match each {
                Formula::Fact(_) => {}
                Formula::Equal(a, b) | Formula::AtMost(a, b) | Formula::Less(a, b) => {
                    term(a);
                    term(b);
                }
                Formula::Level(id, _) => levels.push(*id),
                Formula::SameAxis(a, b) => levels.extend([*a, *b]),
                Formula::And(all) | Formula::Or(all) => pending.extend(all),
                Formula::Not(inner) => pending.push(inner),
            }
        }
        out.extend(levels);
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The loop's iterations may run at the same time, and there are several
    pub fn parallel(id: LoopId) -> Formula {
        Formula::And(vec![
            Formula::Not(Box::new(Formula::Level(id, Levels::SEQUENTIAL))),
            Formula::Less(Term::Int(1), Term::Trip(id)),
        ])
    }
}

impl Term {
    /// Remainder of a division
    pub fn rest(a: Term, b: Term) -> Term {
        Term::Rest(Box::new(a), Box::new(b))
    }

    /// Product
    pub fn times(a: Term, b: Term) -> Term {
        Term::Times(Box::new(a), Box::new(b))
    }
}

impl Nest<'_> {
    /// The number, if all it hangs on is decided
    pub fn number(&self, term: &Term) -> Option<i64> {
        self.number_at(term, &|id| Some(self.info(id).level))
    }

    fn number_at(&self, term: &Term, level: &dyn Fn(LoopId) -> Option<Level>) -> Option<i64> {
        Some(match term {
            Term::Int(value) => *value,
            Term::Extent(id) => self.info(*id).extent,
            Term::Tile(id) => self.info(*id).tile,
            Term::Trip(id) => self.info(*id).trip(),
            Term::Rank(id) => level(*id)?.rank()?.into(),
            Term::Grid(id, axis) => self.kernel_sizes(*id)?.0[axis.number()],
            Term::Block(id, axis) => self.kernel_sizes(*id)?.1[axis.number()],
            Term::Times(a, b) => self.number_at(a, level)?.checked_mul(self.number_at(b, level)?)?,
            Term::Rest(a, b) => self.number_at(a, level)?.checked_rem(self.number_at(b, level)?)?,
        })
    }

    /// Whether it holds, if all it hangs on is decided
    pub fn eval(&self, formula: &Formula) -> Option<bool> {
        self.eval_at(formula, &|id| Some(self.info(id).level))
    }

    /// Whether it holds with these levels, if they and the rest that it hangs on are decided
    pub fn eval_at(&self, formula: &Formula, level: &dyn Fn(LoopId) -> Option<Level>) -> Option<bool> {
        let number = |term: &Term| self.number_at(term, level);
        match formula {
            Formula::Fact(known) => Some(*known),
            Formula::Equal(a, b) => Some(number(a)? == number(b)?),
            Formula::AtMost(a, b) => Some(number(a)? <= number(b)?),
            Formula::Less(a, b) => Some(number(a)? < number(b)?),
            Formula::Level(id, levels) => Some(levels.contains(level(*id)?)),
            Formula::SameAxis(a, b) => {
                let (a, b) = (level(*a)?.axis(), level(*b)?.axis());
                Some(a.is_some() && a == b)
            }
            Formula::And(all) => {
                let all: Vec<_> = all.iter().map(|each| self.eval_at(each, level)).collect();
                if all.contains(&Some(false)) {
                    Some(false)
                } else {
                    all.iter().all(Option::is_some).then_some(true)
                }
            }
            Formula::Or(all) => {
                let all: Vec<_> = all.iter().map(|each| self.eval_at(each, level)).collect();
                if all.contains(&Some(true)) {
                    Some(true)
                } else {
                    all.iter().all(Option::is_some).then_some(false)
                }
            }
            Formula::Not(other) => self.eval_at(other, level).map(|holds| !holds),
        }
    }
}
