//! What can be decided: the parts of fields, and what is chosen for them.

use crate::buffer_words::Word;
use crate::values::{Core, CoreAt, Part, Size, Tail};
use terrace_devices::{Axis, Layer, Level, Mechanism, Region};

/// A part of a field that can be open by itself
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// The label of a step
    Label,
    /// The number of a size
    Tile,
    /// What happens where a size does not divide
    Tail,
    /// A core as a whole; a mechanism after it stays
    Core,
    /// The layer of a core
    Layer,
    /// The axis or number of a core
    At,
    /// The mechanism of a core
    Mechanism,
    /// The region of a buffer
    Region,
    /// The dimension of a part of a layout
    Dim,
    /// The width of a panel, or the number of a word
    Number,
}

/// What was chosen
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// As the step above
    Above,
    /// A label, tile, dimension, width or count
    Number(i64),
    /// What happens where a size does not divide
    Tail(Tail),
    /// A core
    Core(Core),
    /// The layer of a core
    Layer(Layer),
    /// The axis of a core
    Axis(Axis),
    /// How contributions are combined
    Mechanism(Mechanism),
    /// Where a buffer lies
    Region(Region),
    /// A panel of a layout
    Part(Part),
    /// Who runs a loop of a nest
    Level(Level),
    /// A loop is one with the loop around it
    Merged,
    /// The order of nested loops, outermost first
    Order(Vec<usize>),
    /// Whether a buffer is there
    There(bool),
    /// A word that a program defines for one of its numbers
    Word(String),
}

impl From<i64> for Decision {
    fn from(number: i64) -> Decision {
        Decision::Number(number)
    }
}

/// A type of fields
pub trait Value: Clone + PartialEq + Eq + std::fmt::Debug {
    /// What people call the field
    const WHAT: &'static str;

    /// The value with one part replaced; nothing where the decision is of another kind
    fn with(&self, slot: Slot, decision: &Decision) -> Option<Self>;

    /// What stands in a part of the value, where `frame` says what the other parts are
    fn part(&self, slot: Slot, frame: &Self) -> Option<Decision>;
}

impl Value for usize {
    const WHAT: &'static str = "label";

    fn with(&self, _: Slot, decision: &Decision) -> Option<usize> {
        match decision {
            Decision::Number(label) => usize::try_from(*label).ok(),
            _ => None,
        }
    }

    fn part(&self, _: Slot, _: &usize) -> Option<Decision> {
        i64::try_from(*self).ok().map(Decision::Number)
    }
}

impl Value for Size {
    const WHAT: &'static str = "size";

    fn with(&self, slot: Slot, decision: &Decision) -> Option<Size> {
        match (slot, decision) {
            (Slot::Tile, Decision::Above) => Some(Size { value: None, ..*self }),
            (Slot::Tile, Decision::Number(value)) => Some(Size { value: Some(*value), ..*self }),
            (Slot::Tail, Decision::Tail(tail)) => Some(Size { tail: Some(*tail), ..*self }),
            _ => None,
        }
    }

    fn part(&self, slot: Slot, _: &Size) -> Option<Decision> {
        match slot {
            Slot::Tail => self.tail.map(Decision::Tail),
            _ => Some(self.value.map_or(Decision::Above, Decision::Number)),
        }
    }
}

impl Value for Option<Core> {
    const WHAT: &'static str = "core";

    fn with(&self, slot: Slot, decision: &Decision) -> Option<Option<Core>> {
        let own = || *self;
        Some(match (slot, decision) {
            (Slot::Core, Decision::Above) => None,
            (Slot::Core, Decision::Core(core)) => {
                let mechanism = core.mechanism.or(self.and_then(|own| own.mechanism));
                Some(Core { mechanism, ..*core })
            }
            (Slot::Layer, Decision::Layer(layer)) => Some(Core { layer: *layer, ..own()? }),
            (Slot::At, Decision::Axis(axis)) => Some(Core { at: CoreAt::Axis(*axis), ..own()? }),
            (Slot::At, Decision::Number(number)) => {
                Some(Core { at: CoreAt::Number(u32::try_from(*number).ok()?), ..own()? })
            }
            (Slot::Mechanism, Decision::Mechanism(mechanism)) => {
                Some(Core { mechanism: Some(*mechanism), ..own()? })
            }
            _ => return None,
        })
    }

    fn part(&self, slot: Slot, frame: &Option<Core>) -> Option<Decision> {
        let Some(core) = *self else { return (slot == Slot::Core).then_some(Decision::Above) };
        match slot {
            Slot::Layer => Some(Decision::Layer(core.layer)),
            Slot::At => Some(match core.at {
                CoreAt::Axis(axis) => Decision::Axis(axis),
                CoreAt::Number(number) => Decision::Number(i64::from(number)),
            }),
            Slot::Mechanism => core.mechanism.map(Decision::Mechanism),
            _ => {
                let stays = frame.and_then(|frame| frame.mechanism);
                Some(Decision::Core(Core { mechanism: core.mechanism.filter(|_| stays.is_none()), ..core }))
            }
        }
    }
}

impl Value for Option<Region> {
    const WHAT: &'static str = "region";

    fn with(&self, _: Slot, decision: &Decision) -> Option<Option<Region>> {
        match decision {
            Decision::Above => Some(None),
            Decision::Region(region) => Some(Some(*region)),
            _ => None,
        }
    }

    fn part(&self, _: Slot, _: &Option<Region>) -> Option<Decision> {
        Some(self.map_or(Decision::Above, Decision::Region))
    }
}

impl Value for Part {
    const WHAT: &'static str = "layout";

    fn with(&self, slot: Slot, decision: &Decision) -> Option<Part> {
        let number = |number: &i64| usize::try_from(*number).ok()?.checked_sub(1);
        Some(match (slot, self, decision) {
            (Slot::Dim, Part::Whole(_), Decision::Part(part)) => *part,
            (Slot::Dim, Part::Whole(_), Decision::Number(dim)) => Part::Whole(number(dim)?),
            (Slot::Dim, Part::Div(_, by), Decision::Number(dim)) => Part::Div(number(dim)?, *by),
            (Slot::Dim, Part::Mod(_, by), Decision::Number(dim)) => Part::Mod(number(dim)?, *by),
            (Slot::Number, Part::Div(dim, _), Decision::Number(by)) => Part::Div(*dim, *by),
            (Slot::Number, Part::Mod(dim, _), Decision::Number(by)) => Part::Mod(*dim, *by),
            _ => return None,
        })
    }

    fn part(&self, slot: Slot, frame: &Part) -> Option<Decision> {
        let dim = i64::try_from(self.dim()).ok()?.checked_add(1).map(Decision::Number);
        match (slot, self, frame) {
            (Slot::Number, Part::Div(_, by) | Part::Mod(_, by), _) => Some(Decision::Number(*by)),
            (Slot::Dim, Part::Div(..) | Part::Mod(..), Part::Whole(_)) => Some(Decision::Part(*self)),
            (Slot::Dim, ..) => dim,
            _ => None,
        }
    }
}

impl Value for Word {
    const WHAT: &'static str = "word";

    fn with(&self, _: Slot, decision: &Decision) -> Option<Word> {
        match decision {
            Decision::Number(number) => self.counting(*number),
            _ => None,
        }
    }

    fn part(&self, _: Slot, _: &Word) -> Option<Decision> {
        self.number().map(Decision::Number)
    }
}
