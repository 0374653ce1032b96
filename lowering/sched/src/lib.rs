//! Edges of `sched`: scheduled loops become structured control flow over memory, vectors and scalars.
//!
//! One pass, [`to_scf`], which decides nothing: each loop is lowered by its level. Passes that stay on `sched` are in
//! `passes/sched`. Files: [`emit`]
//! holds what stands for what, `nest` sequential, unrolled and vector loops with their accumulators, `peel` loops whose last tiles are
//! apart, `tasks` loops over a pool, `uneven` those that are of different length, `grid` kernels, `spread` their loops, `stages` those
//! whose copies run ahead, `sync` their barriers, `trees` what their threads merge, `collective` what these copy together, `memory` reads and
//! writes, `operators` combine operators, `place` index expressions, `straight` ops without loops, `last` copies of a body that write after all have read, `carry` rows that iterations hand on. Codes: E053x.

mod ahead;
mod carry;
pub mod codes;
mod collective;
mod emit;
mod grid;
mod last;
mod memory;
mod nest;
mod operators;
mod peel;
mod place;
mod spread;
mod stages;
mod straight;
mod sync;
mod tasks;
pub mod to_scf;
mod trees;
pub mod uneven;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[to_scf::SchedToScf::INFO];
