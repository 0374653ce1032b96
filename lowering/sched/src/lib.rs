//! Edges of `sched`: scheduled loops become structured control flow over memory, vectors and scalars.
//!
//! One pass, [`to_scf`], which decides nothing: each loop is lowered by its level. Passes that stay on `sched` are in
//! `passes/sched`. Codes: E053x. Files, from the ones that use no other to the ones that use most:
//!
//! - `pipelined_copies`, `uneven`: what the IR says of copies that run ahead, and of loops of different length.
//! - `walk`, `requests`: how threads that copy together visit elements; `waits`, `state`, `emit`: accesses since the last barrier, what stands around an op, what stands for its values.
//! - `indices`, `memory`, `strided`, `interleave`, `operators`, `float_order`, `join`, `views`, `straight`: index expressions, reads and writes,
//!   reads of lanes that are a few elements apart, writes of groups of neighbors, combine operators, floats as integers in the same order,
//!   lanes of several vectors merged as those of one, views of buffers, ops without loops.
//! - `nest`, `peel`, `carry`, `deferred_writes`: sequential, unrolled and vector loops; peeled remainders; rows that iterations
//!   hand on; copies of a body that write after all have read.
//! - `tasks`, `grid`, `spread`, `stages`, `sync`, `trees`, `collective`: loops over a pool; kernels, their loops, copies that run
//!   ahead, barriers, merges of threads, copies that threads run together.

mod ahead;
mod carry;
mod carrying;
pub mod codes;
mod collective;
mod deferred_writes;
mod emit;
mod float_order;
mod grid;
mod indices;
mod interleave;
mod join;
mod memory;
mod nest;
mod operators;
mod peel;
mod pipelined_copies;
mod requests;
mod shuffles;
mod spread;
mod stages;
mod state;
mod straight;
mod strided;
mod sync;
mod task_tuples;
mod tasks;
pub mod to_scf;
mod trees;
pub mod uneven;
mod views;
mod waits;
mod walk;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[to_scf::SchedToScf::INFO];
