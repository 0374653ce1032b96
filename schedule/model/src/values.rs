//! What the fields of a schedule hold: sizes, cores, parts of layouts, places of buffers.

use crate::buffer_words::Words;
use terrace_devices::{Axis, Layer, Mechanism, Region};

terrace_support::words! {
    /// What happens where a size does not divide
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Tail {
        /// Loops end early
        Limit = "limit",
        /// Lanes are masked
        Mask = "mask",
        /// The rest gets loops of its own
        Peel = "peel",
        /// Tiles are whole: reads outside give zero, writes outside are dropped
        Pad = "pad",
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CoreAt {
    /// The axis of a parallel layer
    Axis(Axis),
    /// The loop's number in the step, of sequential layers
    Number(u32),
}

/// Who runs the loop of a dimension
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
