//! Trials as lines of JSON: a line requests one measurement, a line answers it.
//!
//! A line holds all that a measurement needs, so that whatever moves lines between processes and machines can spread a search.
//! Nothing here may panic on text from the other side: what is no line has a [`Wrong`].

mod answer;
mod backoff;
mod desk;
mod executor;
mod read;
mod trial;

pub use answer::{About, Answer, Beat, Greeting, Said, Served, Spent, Status};
pub use backoff::Backoff;
pub use desk::Desk;
pub use executor::{Down, Executor};
pub use read::{Input, LONGEST_ANSWER, LONGEST_TRIAL, Wrong, lines};
pub use trial::{Call, Policy, Reference, Trial};

/// The form of lines
pub const VERSION: u32 = 2;
