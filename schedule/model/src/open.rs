//! Open fields: what a search or a later edit decides.
//!
//! A field is a value of its type, or a [`Hole`]: the value with some of its parts open. `8~{limit,peel}` is a size whose tail is
//! open, `FOR.?` a core whose number is. What a part may be is a [`Set`]; what was chosen for it is a [`Decision`].

use crate::buffer_words::Word;
use crate::decision::{Decision, Slot, Value};
use crate::schedule::State;
use crate::values::{Core, CoreAt, Part, Placement, Size, Tail};
use std::ops::Range;
use terrace_devices::{Layer, Mechanism, Region};

/// Schedules whose fields may be open
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Holes;

impl State for Holes {
    type Of<T: Value> = Field<T>;
    type Entry = Entry;
}

/// A member of a list, or several
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// This one
    One(Decision),
    /// Numbers from the first to the last
    Range(Option<i64>, Option<i64>),
    /// Divisors of the size above
    Divisors,
    /// Powers of two up to the size above
    Powers,
    /// Sizes that cut the size above into 1, 2, 4, … parts, up to as many as the device has use for
    Blocks,
}

/// What an open part may be
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Set {
    /// Parts of one name have one value
    pub name: Option<String>,
    /// Its members; none: anything
    pub among: Vec<Item>,
}

/// A value with open parts
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hole<T> {
    /// The value; what stands in its open parts has no meaning
    pub frame: T,
    /// The open parts in order of text, one at least
    pub open: Vec<(Slot, Set)>,
}

/// A value, or one with open parts
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Open<T> {
    /// Decided
    Is(T),
    /// Open
    Hole(Hole<T>),
}

/// A field, and the bytes of the source where it stands
#[derive(Clone, Debug)]
pub struct Field<T> {
    /// What it is
    pub value: Open<T>,
    /// Bytes of the source
    pub at: Range<usize>,
}

/// Where a field stands is no part of what it is
impl<T: PartialEq> PartialEq for Field<T> {
    fn eq(&self, other: &Field<T>) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Field<T> {}

impl<T> From<T> for Field<T> {
    fn from(value: T) -> Field<T> {
        Field { value: Open::Is(value), at: 0..0 }
    }
}

/// The entry of a buffer
#[derive(Clone, Debug)]
pub struct Entry {
    /// Name that was written, and where; for readers, the position of the entry says which buffer it is
    pub buffer: Option<(String, Range<usize>)>,
    /// Where the buffer lies; nothing for `^`
    pub region: Field<Option<Region>>,
    /// Storage order; empty: as given
    pub layout: Vec<Field<Part>>,
    /// Further words
    pub words: Vec<Field<Word>>,
}

/// The name of the buffer is not compared
impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        (&self.region, &self.layout, &self.words) == (&other.region, &other.layout, &other.words)
    }
}

impl Eq for Entry {}

impl Entry {
    /// Only a region
    pub fn new(region: Field<Option<Region>>) -> Entry {
        Entry { buffer: None, region, layout: Vec::new(), words: Vec::new() }
    }

    /// No new buffer
    pub fn above() -> Entry {
        Entry::new(None.into())
    }

    /// Does it say nothing?
    pub fn is_above(&self) -> bool {
        *self == Entry::above()
    }
}

impl From<&Option<Placement>> for Entry {
    fn from(place: &Option<Placement>) -> Entry {
        let Some(place) = place else { return Entry::above() };
        Entry {
            buffer: None,
            region: Some(place.region).into(),
            layout: place.layout.iter().map(|part| (*part).into()).collect(),
            words: place.words.list().into_iter().map(Field::from).collect(),
        }
    }
}

impl<T> Open<T> {
    /// With these open parts
    pub(crate) fn of(frame: T, open: Vec<(Slot, Set)>) -> Open<T> {
        if open.is_empty() { Open::Is(frame) } else { Open::Hole(Hole { frame, open }) }
    }

    /// The value; what stands in its open parts has no meaning
    pub fn frame(&self) -> &T {
        match self {
            Open::Is(value) => value,
            Open::Hole(hole) => &hole.frame,
        }
    }

    /// The open parts in order of text
    pub fn sets(&self) -> &[(Slot, Set)] {
        match self {
            Open::Is(_) => &[],
            Open::Hole(hole) => &hole.open,
        }
    }
}

impl<T> Field<T> {
    /// With one part open to anything
    pub fn open(frame: T, slot: Slot) -> Field<T> {
        Field { value: Open::of(frame, vec![(slot, Set::default())]), at: 0..0 }
    }

    /// With one more part open, behind those that are
    pub fn and_open(self, slot: Slot, set: Set) -> Field<T> {
        let (frame, mut open) = match self.value {
            Open::Is(frame) => (frame, Vec::new()),
            Open::Hole(hole) => (hole.frame, hole.open),
        };
        open.push((slot, set));
        Field { value: Open::of(frame, open), at: self.at }
    }

    /// The value, if nothing of it is open
    pub fn known(&self) -> Option<&T> {
        match &self.value {
            Open::Is(value) => Some(value),
            Open::Hole(_) => None,
        }
    }

    /// Is something of it open?
    pub fn is_open(&self) -> bool {
        self.known().is_none()
    }

    /// The value; what stands in its open parts has no meaning
    pub fn frame(&self) -> &T {
        self.value.frame()
    }

    /// What a part may be, if it is open
    pub fn set(&self, slot: Slot) -> Option<&Set> {
        self.sets().iter().find(|(own, _)| *own == slot).map(|(_, set)| set)
    }

    /// The open parts in order of text
    pub fn sets(&self) -> &[(Slot, Set)] {
        self.value.sets()
    }
}

impl<T: Value> Field<T> {
    /// Decide an open part; nothing happens where the decision is not of its kind
    pub fn decide(&mut self, slot: Slot, decision: &Decision) {
        let Open::Hole(hole) = &self.value else { return };
        let Some(frame) = hole.frame.with(slot, decision) else { return };
        let open = hole.open.iter().filter(|(own, _)| *own != slot).cloned().collect();
        self.value = Open::of(frame, open);
    }
}

impl Field<Size> {
    /// The number, if it is not open; nothing inside for `^`
    pub fn tile(&self) -> Option<Option<i64>> {
        self.set(Slot::Tile).is_none().then(|| self.frame().value)
    }

    /// What happens where it does not divide, if that is not open
    pub fn tail(&self) -> Option<Tail> {
        self.frame().tail.filter(|_| self.set(Slot::Tail).is_none())
    }
}

impl Field<Option<Core>> {
    fn has(&self, slot: Slot) -> Option<Core> {
        (*self.frame()).filter(|_| self.set(Slot::Core).is_none() && self.set(slot).is_none())
    }

    /// The layer, if it is not open
    pub fn layer(&self) -> Option<Layer> {
        self.has(Slot::Layer).map(|core| core.layer)
    }

    /// Layer, axis or number, if they are not open
    pub fn place(&self) -> Option<(Layer, CoreAt)> {
        self.layer().zip(self.has(Slot::At).map(|core| core.at))
    }

    /// The mechanism, if it has one that is not open
    pub fn mechanism(&self) -> Option<Mechanism> {
        (*self.frame()).and_then(|core| core.mechanism).filter(|_| self.set(Slot::Mechanism).is_none())
    }
}
