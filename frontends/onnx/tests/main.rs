//! All tests of this crate, in one program.

mod generated;
mod hostile;
mod models;
mod refusals;
