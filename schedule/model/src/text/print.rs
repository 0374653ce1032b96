//! Printing: values and fields of a schedule, entries, steps.

use super::field::Spelled;
use crate::buffer_words::Word;
use crate::open::{Entry, Field, Holes};
use crate::schedule::{Schedule, Step};
use crate::values::{Core, CoreAt, Part, Placement, Size};
use std::fmt;

/// A list with commas between
fn list<T: fmt::Display>(all: &[T]) -> String {
    all.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

/// A word as a field, `stages=2`, in a line of text, `stages 2`
pub(crate) fn spaced(word: &Field<Word>) -> String {
    word.to_string().replacen('=', " ", 1)
}

/// The text of a value none of whose parts is open
fn closed<T: Spelled>(value: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&value.spell(&|_| None))
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        closed(self, f)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        closed(self, f)
    }
}

impl fmt::Display for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        closed(&Some(*self), f)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        closed(self, f)
    }
}

impl fmt::Display for CoreAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreAt::Axis(axis) => f.write_str(axis.name()),
            CoreAt::Number(number) => write!(f, "{number}"),
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.region.fmt(f)?;
        if !self.layout.is_empty() {
            write!(f, "[{}]", list(&self.layout))?;
        }
        self.words.iter().try_for_each(|word| write!(f, " {}", spaced(word)))
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Entry::from(&Some(self.clone())).fmt(f)
    }
}

impl fmt::Display for Step<Holes> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step { label, sizes, ins, outs, cores } = self;
        write!(f, "{label}: ({}) ({} ; {}) ({})", list(sizes), list(ins), list(outs), list(cores))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Step::<Holes>::from(self).fmt(f)
    }
}

impl fmt::Display for Schedule<Holes> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}
