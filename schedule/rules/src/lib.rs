//! The rules of legality, each one formula over a nest
//!
//! **Invariant:** a rule is stated once. An open answer is never taken for true or false.
