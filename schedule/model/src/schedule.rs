//! Schedules: (de/re)-composition steps (paper: Rasch and others, CC 2023).
//!
//! Order of the steps is from coarse to fine, labels are the order of loops in code. What a step means to a computation is the
//! business of whoever carries it out. Invariant: every field is a value; how a word is spelled is the business of [`crate::text`].

use crate::buffer_words::{Words, spaced};
use std::fmt;
use terrace_devices::{Axis, Layer, Mechanism, Region};

/// What happens where a size does not divide
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// Loops end early
    Limit,
    /// Lanes are masked
    Mask,
    /// The rest gets loops of its own
    Peel,
    /// Tiles are whole: reads outside give zero, writes outside are dropped
    Pad,
}

impl Tail {
    /// The words
    pub const WORDS: [(&'static str, Tail); 4] =
        [("limit", Tail::Limit), ("mask", Tail::Mask), ("peel", Tail::Peel), ("pad", Tail::Pad)];

    /// The word
    pub fn word(self) -> &'static str {
        Tail::WORDS.iter().find(|(_, tail)| *tail == self).map_or("", |(word, _)| word)
    }
}

/// Size of a tile
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Elements; `None` for `^`
    pub value: Option<i64>,
    /// Need not divide
    pub tail: Option<Tail>,
}

/// A dimension of a buffer in storage
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of it
    Whole(usize),
    /// Which panel
    Div(usize, i64),
    /// Where in the panel
    Mod(usize, i64),
}

impl Part {
    /// Dimension of the buffer, from 0
    pub fn dim(self) -> usize {
        match self {
            Part::Whole(dim) | Part::Div(dim, _) | Part::Mod(dim, _) => dim,
        }
    }
}

/// Where a buffer lies, and how
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Region, such as `L2`
    pub region: Region,
    /// Storage order; empty: as given
    pub layout: Vec<Part>,
    /// Further words
    pub words: Words,
}

impl Placement {
    /// In a region, in this storage order
    pub fn new(region: Region, layout: Vec<Part>) -> Placement {
        Placement { region, layout, words: Words::default() }
    }
}

/// Which loop of a layer
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CoreAt {
    /// The axis of a parallel layer
    Axis(Axis),
    /// The loop's number in the step, of sequential layers
    Number(u32),
}

/// Who runs the loop of a dimension
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Core {
    /// Layer, such as `THR`
    pub layer: Layer,
    /// Axis, or the loop's number in the step
    pub at: CoreAt,
    /// How a reduced dimension is combined
    pub mechanism: Option<Mechanism>,
}

impl Core {
    /// A parallel loop along an axis
    pub const fn along(layer: Layer, axis: Axis) -> Core {
        Core { layer, at: CoreAt::Axis(axis), mechanism: None }
    }

    /// A sequential loop by its number in the step
    pub fn numbered(layer: Layer, number: usize) -> Core {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        Core { layer, at: CoreAt::Number(number), mechanism: None }
    }

    /// The axis, if it has one
    pub const fn axis(self) -> Option<Axis> {
        match self.at {
            CoreAt::Axis(axis) => Some(axis),
            CoreAt::Number(_) => None,
        }
    }

    /// The loop's number, if it has one
    pub const fn number(self) -> Option<u32> {
        match self.at {
            CoreAt::Axis(_) => None,
            CoreAt::Number(number) => Some(number),
        }
    }
}

/// One (de/re)-composition
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Position in code, from 1; 0: the first step says how things are before any other
    pub label: usize,
    /// A size per dimension
    pub sizes: Vec<Size>,
    /// Per input buffer in order of first access
    pub ins: Vec<Option<Placement>>,
    /// Per output
    pub outs: Vec<Option<Placement>>,
    /// Per dimension; `None` for `^`
    pub cores: Vec<Option<Core>>,
}

/// Steps from coarse to fine
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    /// The steps
    pub steps: Vec<Step>,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Some(value) => write!(f, "{value}")?,
            None => f.write_str("^")?,
        }
        match self.tail {
            Some(tail) => write!(f, "~{}", tail.word()),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.dim() + 1)?;
        match self {
            Part::Whole(_) => Ok(()),
            Part::Div(_, by) => write!(f, "/{by}"),
            Part::Mod(_, by) => write!(f, "%{by}"),
        }
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.region)?;
        if !self.layout.is_empty() {
            let parts: Vec<String> = self.layout.iter().map(Part::to_string).collect();
            write!(f, "[{}]", parts.join(","))?;
        }
        self.words.tokens().iter().try_for_each(|word| write!(f, " {}", spaced(word)))
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

impl fmt::Display for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.layer, self.at)?;
        match self.mechanism {
            Some(mechanism) => write!(f, "({mechanism})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T: fmt::Display>(all: &[Option<T>]) -> String {
            let words = all.iter().map(|one| one.as_ref().map_or("^".into(), T::to_string));
            words.collect::<Vec<_>>().join(",")
        }
        let sizes: Vec<String> = self.sizes.iter().map(Size::to_string).collect();
        write!(
            f,
            "{}: ({}) ({} ; {}) ({})",
            self.label,
            sizes.join(","),
            list(&self.ins),
            list(&self.outs),
            list(&self.cores)
        )
    }
}
