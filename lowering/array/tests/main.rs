//! Patterns become loops: by value, step by step, at random

mod common;

mod folds;
mod layers;
mod memory;
mod random;
mod term_by_term;
mod trace;
mod values;
