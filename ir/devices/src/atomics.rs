//! Atomic updates of memory: which operators a device has on which types, in each of its memories.
//!
//! A device's file has one table for each memory, `[atomics.DEV]`: a row for a type, a word for an operator. MECH, the choice of
//! mechanisms, and the printers read this table and nothing else. Bool has no row: its byte holds 0 or 1, and no target updates
//! single bytes of device memory.

use crate::DeviceKind;
use crate::costs::Source;
use crate::level::{Level, Levels};
use crate::space::Space;

terrace_support::words! {
    /// Operators of updates, by the words of combine operators; `min` and `max` compare integers as signed ones
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
    pub enum Update {
        /// Sum
        Add = "add",
        /// Product
        Mul = "mul",
        /// Minimum; of floats the one that propagates NaN
        Min = "min",
        /// Maximum; of floats the one that propagates NaN
        Max = "max",
        /// Minimum of unsigned integers
        MinU = "minui",
        /// Maximum of unsigned integers
        MaxU = "maxui",
        /// Conjunction
        And = "and",
        /// Disjunction
        Or = "or",
        /// Exclusive or
        Xor = "xor",
    }
}

terrace_support::words! {
    /// Types of elements that may be updated
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
    pub enum Element {
        /// Integer of 8 bits
        I8 = "i8",
        /// Integer of 16 bits
        I16 = "i16",
        /// Integer of 32 bits
        I32 = "i32",
        /// Integer of 64 bits
        I64 = "i64",
        /// IEEE half precision
        F16 = "f16",
        /// Upper half of a single precision float
        Bf16 = "bf16",
        /// Single precision
        F32 = "f32",
        /// Double precision
        F64 = "f64",
    }
}

terrace_support::words! {
    /// How a device updates an element
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
    pub enum Support {
        /// Not at all
        None = "none",
        /// In a loop that compares and exchanges it, or the word that contains it
        Cas = "cas",
        /// By one instruction
        Native = "native",
    }
}

terrace_support::words! {
    /// Memories that have tables of their own, by their words in files
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
    pub enum Updated {
        /// Main memory, by tasks of a host
        Main = "MM",
        /// Memory of a device with a grid
        Device = "DEV",
        /// Shared memory of a block
        Shared = "SM",
    }
}

impl Element {
    /// Is it a float?
    pub const fn is_float(self) -> bool {
        matches!(self, Element::F16 | Element::Bf16 | Element::F32 | Element::F64)
    }

    /// Its size
    pub const fn bits(self) -> u32 {
        match self {
            Element::I8 => 8,
            Element::I16 | Element::F16 | Element::Bf16 => 16,
            Element::I32 | Element::F32 => 32,
            Element::I64 | Element::F64 => 64,
        }
    }

    /// Its operators, in order
    pub fn updates(self) -> impl Iterator<Item = Update> {
        Update::ALL.iter().copied().filter(move |update| update.is_of(self))
    }
}

impl Update {
    /// Has the type this operator?
    pub const fn is_of(self, element: Element) -> bool {
        matches!(self, Update::Add | Update::Mul | Update::Min | Update::Max) || !element.is_float()
    }
}

impl Updated {
    /// Those of a kind of device
    pub const fn of(kind: DeviceKind) -> &'static [Updated] {
        match kind {
            DeviceKind::Host => &[Updated::Main],
            DeviceKind::Grid => &[Updated::Device, Updated::Shared],
        }
    }

    /// What iterations of a level update in a buffer of a space. A buffer without a space is in a device's memory where a kernel
    /// updates it.
    pub const fn by(level: Level, space: Space) -> Updated {
        match space {
            Space::Shared | Space::Cluster => Updated::Shared,
            Space::Device => Updated::Device,
            _ if Levels::ON_GRID.contains(level) => Updated::Device,
            _ => Updated::Main,
        }
    }
}

/// The updates of one memory
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Table([[Support; Update::ALL.len()]; Element::ALL.len()]);

impl Table {
    const NONE: Table = Table([[Support::None; Update::ALL.len()]; Element::ALL.len()]);

    /// Every operator of types that have at least so many bits
    const fn from_bits(bits: u32) -> Table {
        let mut table = Table::NONE;
        let mut row = 0;
        while row < Element::ALL.len() {
            let mut column = 0;
            while column < Update::ALL.len() {
                let element = Element::ALL[row];
                if element.bits() >= bits && Update::ALL[column].is_of(element) {
                    table.0[row][column] = Support::Cas;
                }
                column += 1;
            }
            row += 1;
        }
        table
    }
}

/// The updates of a device
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atomics {
    /// Where the tables come from
    pub source: Source,
    updates: Updates,
}

/// Tables by memory
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Updates([Table; Updated::ALL.len()]);

impl Updates {
    /// All that any device has: the limits of the verifier, and of files without tables
    pub const ANY: Updates = Updates([Table::from_bits(8), Table::from_bits(16), Table::from_bits(16)]);

    /// How elements are updated
    pub const fn of(&self, memory: Updated, update: Update, element: Element) -> Support {
        self.0[memory as usize].0[element as usize][update as usize]
    }

    /// Are all of these elements updated?
    pub const fn has(&self, memory: Updated, update: Update, element: Element) -> bool {
        !matches!(self.of(memory, update, element), Support::None)
    }
}

impl Default for Atomics {
    fn default() -> Atomics {
        Atomics { source: Source::Missing, updates: Updates::ANY }
    }
}

impl Atomics {
    /// No memory updates anything
    pub(crate) fn none(source: Source) -> Atomics {
        Atomics { source, updates: Updates([Table::NONE; Updated::ALL.len()]) }
    }

    pub(crate) fn set(&mut self, memory: Updated, update: Update, element: Element, how: Support) {
        self.updates.0[memory as usize].0[element as usize][update as usize] = how;
    }

    /// The tables
    pub const fn updates(&self) -> Updates {
        self.updates
    }

    /// How elements are updated
    pub const fn of(&self, memory: Updated, update: Update, element: Element) -> Support {
        self.updates.of(memory, update, element)
    }
}
