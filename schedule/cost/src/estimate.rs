//! An estimate and its terms, as values, text and JSON.

use serde_json::{Value, json};
use std::fmt;
use terrace_schedule_model::nest::LoopId;
use terrace_schedule_model::nest_arena::Id;

terrace_support::words! {
    /// What takes time
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Name {
        /// Instructions of bodies
        Issue = "issue",
        /// Values that have no register
        Spills = "spills",
        /// Sums that wait for each other
        Latency = "latency",
        /// Loops themselves
        Loops = "loops",
        /// Beginnings and ends of inner loops
        Ends = "ends",
        /// Long bodies
        Length = "length",
        /// Instructions of copies
        Copies = "copies",
        /// Bytes from the second cache
        SecondCache = "second-cache",
        /// Bytes from the third cache
        ThirdCache = "third-cache",
        /// Bytes from memory
        Memory = "memory",
        /// Products of tiles
        MatrixUnits = "matrix-units",
        /// Traffic while instructions run; less than nothing
        Hidden = "hidden",
        /// Starting tasks
        Threads = "threads",
    }
}

/// One reason for an estimate
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Term {
    /// What takes time
    pub name: Name,
    /// How much: cycles of the thread that has most to do
    pub cycles: f64,
    /// In which of the nests, from 0
    pub nest: usize,
    /// The innermost loop that repeats it; none: it happens once
    pub at: Option<LoopId>,
}

impl Term {
    pub(crate) fn new(name: Name, cycles: f64, at: Option<LoopId>) -> Term {
        Term { name, cycles, nest: 0, at }
    }
}

/// How long nests take, term by term
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Estimate {
    /// Its terms, by nest
    pub terms: Vec<Term>,
    /// Cycles in all
    pub total: f64,
}

impl Estimate {
    /// Followed by another
    pub(crate) fn add(&mut self, other: Estimate) {
        self.terms.extend(other.terms.into_iter().filter(|term| term.cycles != 0.0));
        self.total += other.total;
    }

    /// Cycles of all terms of a name
    pub fn of(&self, name: Name) -> f64 {
        self.terms.iter().filter(|term| term.name == name).fold(0.0, |all, term| all + term.cycles)
    }

    /// As JSON: `{"total": …, "terms": [{"name": …, "cycles": …, "nest": …, "loop": …}]}`; loops count from 0 in the order of the text
    pub fn to_json(&self) -> Value {
        let term = |term: &Term| {
            json!({
                "name": term.name.to_string(),
                "cycles": term.cycles,
                "nest": term.nest,
                "loop": term.at.map(LoopId::index),
            })
        };
        json!({ "total": self.total, "terms": self.terms.iter().map(term).collect::<Vec<_>>() })
    }
}

/// A line per term, the total first
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>12.0} cycles", self.total)?;
        for term in &self.terms {
            write!(f, "\n{:>12.0} {:<12} nest {}", term.cycles, term.name.to_string(), term.nest)?;
            if let Some(at) = term.at {
                write!(f, ", loop {}", at.index())?;
            }
        }
        Ok(())
    }
}
