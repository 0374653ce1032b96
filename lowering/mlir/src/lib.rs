//! Upstream MLIR in process, as the other opinion on a module: its verifier, its lowering, its values.
//!
//! Input is the text that `terrace-opt` prints for upstream's dialects; everything below that text is upstream's own, up to
//! the machine code. Only with the feature `mlir` is there anything here, and only the worker `terrace-upstream` switches it
//! on; tools talk to it through `terrace-native-client`.

#[cfg(feature = "mlir")]
mod answer;
#[cfg(feature = "mlir")]
mod call;
#[cfg(feature = "mlir")]
mod lower;

#[cfg(feature = "mlir")]
pub use answer::answer;
