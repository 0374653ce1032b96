//! Passes on scheduled loops, by value and at random

#[path = "../../../lowering/sched/tests/common/mod.rs"]
mod common;

mod decide;
mod exchange;
mod hoist_invariants;
mod merged;
mod skip_zeros;
