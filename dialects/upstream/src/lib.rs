//! The upstream MLIR vocabulary, spelled and meant as in MLIR 22.
//!
//! One module per dialect, each with one list of what it registers. Names of op structs are upstream's without `Op`.
//! Folds read only; rules that make new ops are in each dialect's `rules.rs`.

pub mod affine;
pub mod arith;
pub mod bufferization;
pub mod builtin;
pub mod cf;
pub mod conversion;
pub mod func;
pub mod gpu;
pub mod linalg;
pub mod marks;
pub mod math;
pub mod memref;
pub mod rows;
pub mod scf;
mod slices;
pub mod tensor;
pub mod ub;
pub mod vector;

use terrace_ir::Dialect;

/// All dialects of this crate
pub static ALL: &[&Dialect] = &[
    &builtin::BUILTIN,
    &affine::AFFINE,
    &arith::ARITH,
    &bufferization::BUFFERIZATION,
    &cf::CF,
    &func::FUNC,
    &gpu::GPU,
    &linalg::LINALG,
    &math::MATH,
    &memref::MEMREF,
    &scf::SCF,
    &tensor::TENSOR,
    &ub::UB,
    &vector::VECTOR,
];
