//! Schedules for computations, chosen from how their inputs and outputs move with each dimension.
//!
//! - [`access`]: all that is known of a computation here; what it is called, and which program it comes from, does not matter;
//! - [`generator`]: who proposes schedules, each for one structure; [`choice`]: which of them is taken, and [why](explain);
//! - [`host`]: threads, caches, registers, lanes; [`grid`]: blocks, threads, staged tiles;
//! - [`loops`]: what these have in common; [`steps`]: steps written dimension by dimension.

pub mod access;
pub mod choice;
pub mod explain;
pub mod generator;
pub mod grid;
pub mod host;
pub mod loops;
pub mod steps;
