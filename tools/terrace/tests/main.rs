//! What a stranger does with the crate, one module for each thing.

mod build;
mod errors;
mod extend;
#[cfg(feature = "jit")]
mod jit;
mod page;
mod read;
