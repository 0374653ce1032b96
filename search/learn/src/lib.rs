//! Searches that learn: which direction leads from a schedule to a better one (paper: Zheng and others, FlexTensor, ASPLOS 2020,
//! §5.1), and which of its children is likely to be fast.
//!
//! The libraries for networks and forests are large dependencies. They stand in this crate alone.

mod evolve;
mod forest;
mod method;
mod network;

pub use evolve::{Evolve, Evolving};
pub use forest::{Forest, ForestError};
pub use method::{Learning, QMethod};
pub use network::{Network, NetworkError, Sample};
