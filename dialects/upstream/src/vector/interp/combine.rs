//! Two scalars combined by a kind.

pub use terrace_interp::combine::{combine, number};
