//! Fields of a schedule by their names, `step.2.size.1`.
//!
//! Forms that are lists of names and texts (pictures, pages, logs) find fields with these.

use crate::buffer_words::Word;
use crate::decision::{Decision, Slot, Value};
use crate::open::{Entry, Field, Holes, Set};
use crate::schedule::{Schedule, Step};
use crate::values::{Core, Part, Size};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use terrace_devices::Region;

/// Which field of an entry
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InEntry {
    /// The region
    Region,
    /// A part of the layout
    Layout(usize),
    /// A word
    Word(usize),
}

/// Which field of a schedule; steps, dimensions and entries from 0
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Label of a step
    Label(usize),
    /// Size of the tile of a step in a dimension
    Size(usize, usize),
    /// Core of the loop of a step in a dimension
    Core(usize, usize),
    /// A field of a buffer's entry
    Entry(EntryPlace, InEntry),
}

/// Which entry of a schedule
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryPlace {
    /// The step
    pub step: usize,
    /// Is the buffer an output?
    pub out: bool,
    /// Which input or output
    pub number: usize,
}

impl Place {
    /// The step
    pub fn step(self) -> usize {
        match self {
            Place::Label(step) | Place::Size(step, _) | Place::Core(step, _) => step,
            Place::Entry(entry, _) => entry.step,
        }
    }

    /// What the field is called in messages: `size 2 of step 3`
    pub fn spoken(self) -> String {
        spoken(&self.to_string())
    }
}

impl fmt::Display for EntryPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step.{}.{}.{}", self.step + 1, if self.out { "out" } else { "in" }, self.number + 1)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Label(step) => write!(f, "step.{}.label", step + 1),
            Place::Size(step, dim) => write!(f, "step.{}.size.{}", step + 1, dim + 1),
            Place::Core(step, dim) => write!(f, "step.{}.core.{}", step + 1, dim + 1),
            Place::Entry(entry, InEntry::Region) => write!(f, "{entry}.region"),
            Place::Entry(entry, InEntry::Layout(part)) => write!(f, "{entry}.layout.{}", part + 1),
            Place::Entry(entry, InEntry::Word(word)) => write!(f, "{entry}.words.{}", word + 1),
        }
    }
}

fn number(word: &str) -> Option<usize> {
    word.parse::<usize>().ok()?.checked_sub(1)
}

impl FromStr for EntryPlace {
    type Err = ();

    fn from_str(name: &str) -> Result<EntryPlace, ()> {
        let read = || {
            let words: Vec<&str> = name.split('.').collect();
            let ["step", step, side @ ("in" | "out"), entry] = words.as_slice() else { return None };
            Some(EntryPlace { step: number(step)?, out: *side == "out", number: number(entry)? })
        };
        read().ok_or(())
    }
}

impl FromStr for Place {
    type Err = ();

    fn from_str(name: &str) -> Result<Place, ()> {
        let read = || {
            let words: Vec<&str> = name.split('.').collect();
            let entry = || words.get(..4)?.join(".").parse::<EntryPlace>().ok();
            Some(match words.as_slice() {
                ["step", step, "label"] => Place::Label(number(step)?),
                ["step", step, "size", dim] => Place::Size(number(step)?, number(dim)?),
                ["step", step, "core", dim] => Place::Core(number(step)?, number(dim)?),
                [_, _, _, _, "region"] => Place::Entry(entry()?, InEntry::Region),
                [_, _, _, _, "layout", part] => Place::Entry(entry()?, InEntry::Layout(number(part)?)),
                [_, _, _, _, "words", word] => Place::Entry(entry()?, InEntry::Word(number(word)?)),
                _ => return None,
            })
        };
        read().ok_or(())
    }
}

/// What the name of a field says to people: `size 2 of step 3`
pub fn spoken(field: &str) -> String {
    let words: Vec<&str> = field.split('.').collect();
    match words.as_slice() {
        ["step", n, "label"] => format!("label of step {n}"),
        ["step", n, what @ ("size" | "core"), k] => format!("{what} {k} of step {n}"),
        ["step", n, side, k, what @ ("layout" | "words")] => format!("{what} of {side}put {k} of step {n}"),
        ["step", n, side, k, "region"] => format!("region of {side}put {k} of step {n}"),
        ["step", n, side, k, "layout", part] => format!("layout {part} of {side}put {k} of step {n}"),
        ["step", n, side, k, "words", word] => format!("word {word} of {side}put {k} of step {n}"),
        _ => field.to_owned(),
    }
}

/// A field of any type
#[derive(Clone, Copy, Debug)]
pub enum AnyField<'a> {
    /// A label
    Label(&'a Field<usize>),
    /// A size
    Size(&'a Field<Size>),
    /// A core
    Core(&'a Field<Option<Core>>),
    /// A region
    Region(&'a Field<Option<Region>>),
    /// A part of a layout
    Part(&'a Field<Part>),
    /// A word
    Word(&'a Field<Word>),
}

/// The same of each type of fields
macro_rules! each {
    ($field:expr, $own:pat => $then:expr) => {
        match $field {
            AnyField::Label($own) => $then,
            AnyField::Size($own) => $then,
            AnyField::Core($own) => $then,
            AnyField::Region($own) => $then,
            AnyField::Part($own) => $then,
            AnyField::Word($own) => $then,
        }
    };
}

impl<'a> AnyField<'a> {
    /// Is something of it open?
    pub fn is_open(self) -> bool {
        !self.sets().is_empty()
    }

    /// Its open parts in order of text
    pub fn sets(self) -> &'a [(Slot, Set)] {
        each!(self, field => field.sets())
    }

    /// Where it stands in the source
    pub fn at(self) -> Range<usize> {
        each!(self, field => field.at.clone())
    }
}

impl fmt::Display for AnyField<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        each!(self, field => field.fmt(f))
    }
}

/// What a decided field says for an open part of another
fn said<T: Value>(open: &Field<T>, decided: &Field<T>, slot: Slot) -> Option<Decision> {
    decided.known()?.part(slot, open.frame())
}

impl Schedule<Holes> {
    /// Every field with its place, in order of text
    pub fn fields(&self) -> Vec<(Place, AnyField<'_>)> {
        let mut all = Vec::new();
        for (n, step) in self.steps.iter().enumerate() {
            all.push((Place::Label(n), AnyField::Label(&step.label)));
            all.extend(
                step.sizes.iter().enumerate().map(|(k, own)| (Place::Size(n, k), AnyField::Size(own))),
            );
            for (out, entries) in [(false, &step.ins), (true, &step.outs)] {
                for (number, entry) in entries.iter().enumerate() {
                    let at = EntryPlace { step: n, out, number };
                    all.extend(entry.fields().into_iter().map(|(own, field)| (Place::Entry(at, own), field)));
                }
            }
            all.extend(
                step.cores.iter().enumerate().map(|(k, own)| (Place::Core(n, k), AnyField::Core(own))),
            );
        }
        all
    }

    /// Is no field open?
    pub fn is_decided(&self) -> bool {
        self.fields().iter().all(|(_, field)| !field.is_open())
    }

    /// The entry of a buffer
    pub fn entry(&self, at: EntryPlace) -> Option<&Entry> {
        let step = self.steps.get(at.step)?;
        if at.out { step.outs.get(at.number) } else { step.ins.get(at.number) }
    }

    /// The entry of a buffer
    pub fn entry_mut(&mut self, at: EntryPlace) -> Option<&mut Entry> {
        let step = self.steps.get_mut(at.step)?;
        if at.out { step.outs.get_mut(at.number) } else { step.ins.get_mut(at.number) }
    }

    /// A field
    pub fn field(&self, place: Place) -> Option<AnyField<'_>> {
        let step = |step: usize| self.steps.get(step);
        Some(match place {
            Place::Label(n) => AnyField::Label(&step(n)?.label),
            Place::Size(n, dim) => AnyField::Size(step(n)?.sizes.get(dim)?),
            Place::Core(n, dim) => AnyField::Core(step(n)?.cores.get(dim)?),
            Place::Entry(entry, own) => {
                let entry = self.entry(entry)?;
                match own {
                    InEntry::Region => AnyField::Region(&entry.region),
                    InEntry::Layout(part) => AnyField::Part(entry.layout.get(part)?),
                    InEntry::Word(word) => AnyField::Word(entry.words.get(word)?),
                }
            }
        })
    }

    /// Decide an open part of a field
    pub fn decide_at(&mut self, place: Place, slot: Slot, decision: &Decision) {
        fn put<T: Value>(field: Option<&mut Field<T>>, slot: Slot, decision: &Decision) {
            if let Some(field) = field {
                field.decide(slot, decision);
            }
        }
        let step = self.steps.get_mut(place.step());
        match place {
            Place::Label(_) => put(step.map(|step| &mut step.label), slot, decision),
            Place::Size(_, dim) => put(step.and_then(|step| step.sizes.get_mut(dim)), slot, decision),
            Place::Core(_, dim) => put(step.and_then(|step| step.cores.get_mut(dim)), slot, decision),
            Place::Entry(entry, own) => {
                let Some(entry) = self.entry_mut(entry) else { return };
                match own {
                    InEntry::Region => put(Some(&mut entry.region), slot, decision),
                    InEntry::Layout(part) => put(entry.layout.get_mut(part), slot, decision),
                    InEntry::Word(word) => put(entry.words.get_mut(word), slot, decision),
                }
            }
        }
    }

    /// What another schedule, which is decided, says for an open part of a field
    pub fn decision(&self, decided: &Schedule<Holes>, place: Place, slot: Slot) -> Option<Decision> {
        match (self.field(place)?, decided.field(place)?) {
            (AnyField::Label(own), AnyField::Label(other)) => said(own, other, slot),
            (AnyField::Size(own), AnyField::Size(other)) => said(own, other, slot),
            (AnyField::Core(own), AnyField::Core(other)) => said(own, other, slot),
            (AnyField::Region(own), AnyField::Region(other)) => said(own, other, slot),
            (AnyField::Part(own), AnyField::Part(other)) => said(own, other, slot),
            (AnyField::Word(own), AnyField::Word(other)) => said(own, other, slot),
            _ => None,
        }
    }
}

impl Entry {
    fn fields(&self) -> Vec<(InEntry, AnyField<'_>)> {
        let mut all = vec![(InEntry::Region, AnyField::Region(&self.region))];
        let parts = self.layout.iter().enumerate();
        all.extend(parts.map(|(k, part)| (InEntry::Layout(k), AnyField::Part(part))));
        let words = self.words.iter().enumerate();
        all.extend(words.map(|(k, word)| (InEntry::Word(k), AnyField::Word(word))));
        all
    }
}

impl Step<Holes> {
    /// Everything as above, for so many dimensions, inputs and outputs
    pub fn above(label: usize, dims: usize, ins: usize, outs: usize) -> Step<Holes> {
        Step {
            label: label.into(),
            sizes: vec![Size { value: None, tail: None }.into(); dims],
            ins: vec![Entry::above(); ins],
            outs: vec![Entry::above(); outs],
            cores: vec![None.into(); dims],
        }
    }

    /// Everything open, for so many dimensions, inputs and outputs
    pub fn open(dims: usize, ins: usize, outs: usize) -> Step<Holes> {
        let entry = Entry::new(Field::open(None, Slot::Region));
        Step {
            label: Field::open(0, Slot::Label),
            sizes: vec![Field::open(Size { value: None, tail: None }, Slot::Tile); dims],
            ins: vec![entry.clone(); ins],
            outs: vec![entry; outs],
            cores: vec![Field::open(None, Slot::Core); dims],
        }
    }
}
