//! Small data structures shared by every crate of the framework.
//!
//! Nothing here knows of ops, types or text. Everything is deterministic: no container offers hash-order iteration.

pub mod affine;
pub mod append;
pub mod graph;
pub mod handle;
pub mod hash;
pub mod intern;
pub mod number;
pub mod random;
pub mod read;
mod words;

pub use append::AppendVec;
pub use hash::{FastHasher, HashMap, HashSet, hash_one};
pub use intern::Interner;
pub use number::gcd;
pub use random::Random;
