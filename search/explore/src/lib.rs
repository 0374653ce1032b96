//! Exploring spaces of decisions: walk, sample, improve; with logs that can be resumed and replayed.
//!
//! A [`Space`] is a list of parameters in an order in which the values of each follow from the earlier choices. So points are
//! made, never filtered: a walk meets a dead end only where a space cannot look ahead, and then goes back. What a point is
//! worth is measured elsewhere; techniques only see costs.

mod choices;
mod direction;
mod explorer;
pub mod log;
pub mod rank;
pub mod share;
mod space;
pub mod technique;
mod trial;
mod walk;

pub use direction::{Direction, Directions, Step, factorizations};
pub use explorer::{Explorer, Next, Plan, Prior};
pub use space::{Blind, Coordinate, NoPoint, Space, check, fingerprint, fingerprint_of_files};
pub use technique::Technique;
pub use trial::{Feedback, Origin, Proposal, Trial};
pub use walk::{Walk, complete, sample};
