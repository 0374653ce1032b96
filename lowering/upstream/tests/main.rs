//! Edges between upstream's dialects, by value and against upstream's own passes

mod common;

mod affine;
mod canonical;
mod expand_floats;
mod gpu_kernel_outlining;
mod linalg;
mod scf_parallel_to_calls;
mod scf_to_cf;
