//! Passes on scheduled loops.
//!
//! - [`decide`]: values for open parameters.
//! - [`legalize`]: partial buffers for tasks that merge (`partials`), copies as loops.
//! - [`join_kernels`], [`fuse_loops`], [`fill_in_tasks`], [`prefetch`]: `sched-fuse` runs the four.
//! - [`hoist_invariants`]: quotients, roots and functions in front of loops that do not change their operands.
//! - [`pack_ahead`]: packed copies of constant arguments, made before the call.
//! - [`skip_zeros`]: loops without the iterations that only add zeros of a border.
//! - [`contract`]: sums of products of panels as one op, for matrix units.
//!
//! **Invariant:** what leaves a pass is `sched` again; the edge downwards is in `lowering/sched`. Codes: E0537, E0539.

pub mod codes;
pub mod contract;
pub mod decide;
pub mod fill_in_tasks;
pub mod fuse_loops;
pub mod hoist_invariants;
pub mod join_kernels;
mod layers;
pub mod legalize;
pub mod pack_ahead;
mod partials;
pub mod prefetch;
pub mod skip_zeros;

use terrace_pass::{NamedPipeline, PassInfo};

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[
    contract::SchedContract::INFO,
    decide::SchedDecide::INFO,
    fill_in_tasks::SchedFillInTasks::INFO,
    fuse_loops::SchedFuseLoops::INFO,
    hoist_invariants::SchedHoistInvariants::INFO,
    join_kernels::SchedJoinKernels::INFO,
    legalize::SchedLegalize::INFO,
    pack_ahead::SchedPackAhead::INFO,
    prefetch::SchedPrefetch::INFO,
    skip_zeros::SchedSkipZeros::INFO,
];

/// Named pipelines of this crate
pub static PIPELINES: &[NamedPipeline] = &[NamedPipeline {
    name: "sched-fuse",
    text: "sched-join-kernels,sched-fuse-loops,sched-fill-in-tasks,sched-prefetch",
    summary: "Fuse nests that hand values to each other, and hide the latency of memory around them",
}];
