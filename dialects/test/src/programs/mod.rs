//! Random programs as text, one family a file. Same numbers from [`terrace_support::Random`], same program.
//!
//! A generator writes what the grammar allows and mostly what the verifier accepts; a test counts what is refused. Nothing
//! here knows what a program means: that is the interpreter's.

pub mod layers;
pub mod mdh;
pub mod nests;
pub mod schedule;
pub mod structured;
