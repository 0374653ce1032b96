//! Random programs and the check that a pass refines

mod generate;
mod refine;
