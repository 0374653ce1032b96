//! MLIR 22's dialects in one list; each is a crate.
//!
//! Names of op structs are upstream's without `Op`; ops, attributes and messages are upstream's.

pub use {
    terrace_dialect_affine as affine, terrace_dialect_arith as arith,
    terrace_dialect_bufferization as bufferization, terrace_dialect_builtin as builtin,
    terrace_dialect_cf as cf, terrace_dialect_func as func, terrace_dialect_gpu as gpu,
    terrace_dialect_linalg as linalg, terrace_dialect_llvm as llvm, terrace_dialect_math as math,
    terrace_dialect_memref as memref, terrace_dialect_scf as scf, terrace_dialect_tensor as tensor,
    terrace_dialect_ub as ub, terrace_dialect_vector as vector,
};

use terrace_ir::Dialect;

/// All dialects of MLIR that Terrace has
pub static ALL: &[&Dialect] = &[
    &terrace_dialect_builtin::BUILTIN,
    &terrace_dialect_affine::AFFINE,
    &terrace_dialect_arith::ARITH,
    &terrace_dialect_bufferization::BUFFERIZATION,
    &terrace_dialect_cf::CF,
    &terrace_dialect_func::FUNC,
    &terrace_dialect_gpu::GPU,
    &terrace_dialect_linalg::LINALG,
    &terrace_dialect_llvm::LLVM,
    &terrace_dialect_math::MATH,
    &terrace_dialect_memref::MEMREF,
    &terrace_dialect_scf::SCF,
    &terrace_dialect_tensor::TENSOR,
    &terrace_dialect_ub::UB,
    &terrace_dialect_vector::VECTOR,
];
