//! Schedules for computations, chosen from their accesses.
//!
//! - [`check_operators`]: what operators declare, tried on values;
//! - [`schedule`]: the pass `mdh-schedule`; [`script`]: the pass `mdh-script`;
//! - [`access`]: how inputs and outputs move with each dimension: all that is known of a computation here. What it is
//!   called, and which program it comes from, does not matter;
//! - [`parts`]: a reduction in two computations, for grids; [`mechanism`]: how blocks of a given schedule meet; [`fits`]: does it fit its device;
//! - [`host`]: threads, caches, registers, lanes: `tiled` with `register`, `panels` and `threads`; `contraction` and `streams` for
//!   kinds of their own; `loops`: what these have in common;
//!   [`operators`]: functions that lanes can take;
//! - `implied`: what follows from a schedule, whoever wrote it; `scatter`: points that name their places; `prefixes`: what prefixes are of, before them;
//! - [`grid`]: blocks, threads, staged tiles; [`steps`]: steps written dimension by dimension.

pub mod access;
pub mod check_operators;
pub mod codes;
mod contraction;
pub mod fits;
mod grid;
pub mod host;
mod implied;
mod loops;
pub mod mechanism;
pub mod operators;
mod panels;
mod parts;
mod prefixes;
mod register;
mod scatter;
pub mod schedule;
pub mod script;
pub mod steps;
mod streams;
mod threads;
mod tiled;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] =
    &[check_operators::CheckOperators::INFO, operators::Operators::INFO, &schedule::INFO, &script::INFO];
