//! Formulas against the interpreter, and refinement of functions.

mod common;

mod coverage;
mod meaning;
mod refinement;
