//! Searches that learn: which direction leads from a schedule to a better one (paper: Zheng and others, FlexTensor, ASPLOS 2020,
//! §5.1).
//!
//! The network library is a large dependency. It stands in this crate alone.

mod method;
mod network;

pub use method::{Learning, QMethod};
pub use network::{Network, NetworkError, Sample};
