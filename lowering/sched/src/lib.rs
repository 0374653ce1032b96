//! Edges of `sched`: scheduled loops become structured control flow over memory, vectors and scalars.
//!
//! Five passes. [`decide`] gives open parameters their values. [`legalize`] stays inside of `sched`: tasks that merge get partial buffers
//! (`partials`), copies become loops. [`pack_ahead`], where it is asked for, takes copies of constant arguments out, and [`skip_zeros`]
//! cuts loops that add zeros of a border. [`to_scf`] then decides nothing: each loop is lowered by its level. Files of the last: [`emit`]
//! holds what stands for what, `nest` sequential, unrolled and vector loops with their accumulators, `peel` loops whose last tiles are
//! apart, `tasks` loops over a pool, `uneven` those that are of different length, `grid` kernels, `spread` their loops, `stages` those
//! whose copies run ahead, `sync` their barriers, `trees` what their threads merge, `collective` what these copy together, `memory` reads and
//! writes, `operators` combine operators, `place` index expressions, `straight` ops without loops, `last` copies of a body that write after all have read, `carry` rows that iterations hand on. Codes: E053x.

mod ahead;
mod carry;
pub mod codes;
mod collective;
pub mod decide;
mod emit;
mod grid;
mod last;
pub mod legalize;
mod memory;
mod nest;
mod operators;
pub mod pack_ahead;
mod partials;
mod peel;
mod place;
pub mod skip_zeros;
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
pub static PASSES: &[&PassInfo] = &[
    decide::SchedDecide::INFO,
    legalize::SchedLegalize::INFO,
    pack_ahead::SchedPackAhead::INFO,
    skip_zeros::SchedSkipZeros::INFO,
    to_scf::SchedToScf::INFO,
];
