//! `sched`: scheduled loop nests, between values and upstream's loops.
//!
//! Nine ops: `kernel for yield alloc copy read write contract rotate`. A loop carries extent *and* tile; its variable is an offset, and a
//! coordinate is the sum of its dimension's variables. Bodies yield contributions and loops combine them; the position of
//! an alloc says who shares it, its memory space which levels may. There is no barrier op: joins of parallel loops and
//! collective (`per block`) ops are the points of synchronisation.
//!
//! Invariants: maps of accesses have no symbols; their dimensions are, for copies, first the variables of the domain and
//! then the index operands. Levels, kinds and words are strings in properties, so that the generic form is upstream's.

pub mod access;
mod as_op;
mod bodies;
pub mod check;
pub mod codes;
pub mod combine;
mod indices;
mod interp;
mod names;
pub mod open;
mod ops;
mod read;
pub mod space;

pub use bodies::{bodies, is_counted, nests, of_values};
pub use combine::{Algebra, Builtin, Operator};
pub use ops::*;
pub use read::{Ops, read, read_with};
pub use terrace_devices::{Axis, Level, Levels, Mechanism, Per, Space};
pub use terrace_schedule_model::nest_combine::{Combination, Order, Tail};

use terrace_macros::dialect;

dialect! {
    /// Scheduled loop nests
    pub SCHED = "sched" { ops: [Alloc, Contract, Copy, For, Kernel, Read, Rotate, Write, Yield], verify_attr: operator::verify }
}

/// All dialects of this crate
pub static ALL: &[&terrace_ir::Dialect] = &[&SCHED];
