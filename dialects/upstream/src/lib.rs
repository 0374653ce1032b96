//! MLIR 22's dialects in one list; each is a crate.
//!
//! Names of op structs are upstream's without `Op`; ops, attributes and messages are upstream's.

use terrace_ir::Dialect;

pub use terrace_dialect_affine as affine;
pub use terrace_dialect_arith as arith;
pub use terrace_dialect_bufferization as bufferization;
pub use terrace_dialect_builtin as builtin;
pub use terrace_dialect_builtin::{conversion, marks};
pub use terrace_dialect_cf as cf;
pub use terrace_dialect_func as func;
pub use terrace_dialect_gpu as gpu;
pub use terrace_dialect_linalg as linalg;
pub use terrace_dialect_math as math;
pub use terrace_dialect_math::polynomial_approximation as rows;
pub use terrace_dialect_memref as memref;
pub use terrace_dialect_scf as scf;
pub use terrace_dialect_tensor as tensor;
pub use terrace_dialect_ub as ub;
pub use terrace_dialect_vector as vector;

/// All dialects of MLIR that Terrace has
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
