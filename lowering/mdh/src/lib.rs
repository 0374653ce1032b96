//! The edge `mdh` → `sched`: computations on values become scheduled loops on buffers.
//!
//! - [`mdh_to_sched`]: the pass; signatures and buffers (the one bufferization of the house);
//! - [`linalg_to_mdh`]: upstream's computations on tensors as ours; `linalg_form` by their form; `linalg_memory` those in memory, `linalg_parts` parts at places
//!   that are values, `linalg_operators` how several values are combined at once;
//! - `by_place`: operators on tuples that choose by order as ones that choose by place;
//! - `stablehlo`: graphs of StableHLO as computations, loops and conditions on tensors;
//! - `tensors_to_memory`: what loops and conditions carry, and what is put into tensors step by step, lives in memory;
//! - [`nest`]: the loops; `tails` where tiles do not divide, `tile` and `buffers` what steps hold, `point` the body at a point,
//!   `epilogue` element-wise computations in the nest in front, `prologue` those in the nest behind, `placed` their bodies, `carry` reductions that carry tuples, `carry_lanes` those whose lanes do, `prefix` prefixes that are tiled.
//!
//! Nothing is chosen here: what a schedule does not say is one sequential loop per dimension.

mod buffers;
mod by_place;
mod carry;
mod carry_lanes;
pub mod codes;
mod copies;
mod empty;
mod epilogue;
mod extents;
mod fills;
mod linalg_fold;
mod linalg_form;
mod linalg_memory;
mod linalg_operators;
mod linalg_parts;
pub mod linalg_to_mdh;
pub mod mdh_to_sched;
pub mod nest;
mod no_form;
mod order;
mod placed;
mod point;
mod prefix;
mod prologue;
mod scalar;
pub mod stablehlo;
mod symmetric;
mod tensors;
pub mod tensors_to_memory;
mod tile;
mod views;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[
    linalg_operators::LinalgOperators::INFO,
    linalg_to_mdh::LinalgToMdh::INFO,
    by_place::OperatorsByPlace::INFO,
    mdh_to_sched::MdhToSched::INFO,
    tensors_to_memory::TensorsToMemory::INFO,
];
