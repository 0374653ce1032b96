//! Schedules and loop nests as plain typed values, open fields included
//!
//! **Invariant:** nothing here knows IR or a dialect. Only the modules that read and write text know how a word is spelled.

pub mod apply;
pub mod broken;
mod buffer_words;
pub mod computation;
mod decided;
mod decision;
mod error;
pub mod groups;
pub mod nest;
pub mod nest_arena;
pub mod nest_combine;
pub mod nest_decided;
pub mod nest_parts;
pub mod open;
mod place;
mod point;
mod prune;
mod schedule;
mod sink;
mod text;
mod values;

pub use broken::{Broken, Rule};
pub use buffer_words::{Word, Words};
pub use decided::{OpenSchedule, OpenStep};
pub use decision::{Decision, Slot, Value};
pub use error::ScheduleError;
pub use open::{Entry, Field, Holes};
pub use place::{AnyField, EntryPlace, InEntry, Place, spoken};
pub use point::Point;
pub use prune::Facts;
pub use schedule::{Decided, Schedule, State, Step};
pub use text::field::Spelled;
pub use values::{Core, CoreAt, Part, Placement, Size, Tail};
