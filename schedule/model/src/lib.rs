//! Schedules and loop nests as plain typed values, open fields included
//!
//! **Invariant:** nothing here knows IR or a dialect. Only the modules that read and write text know how a word is spelled.

pub mod apply;
pub mod broken;
mod buffer_words;
pub mod computation;
mod draft;
pub mod nest;
pub mod nest_arena;
pub mod nest_combine;
pub mod nest_decided;
mod prune;
mod schedule;
mod sink;
mod text;

pub use buffer_words::Words;
pub use draft::{Draft, DraftError, DraftStep, Memory, Token, spoken};
pub use prune::Facts;
pub use schedule::{Core, CoreAt, Part, Placement, Schedule, Size, Step, Tail};
