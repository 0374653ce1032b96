//! Computations as their authors write them: MDH text, tensor expressions, Rust.
//!
//! - [`text`]: the form of the paper's listings (`out_view … o md_hom … o inp_view`);
//! - [`tensor`]: `C[i,j] += A[i,k] * B[k,j]`, `einsum("ij,jk->ik", A, B)`;
//! - [`builder`]: the same from Rust.
//!
//! All of them make a [`model::Program`], and that one makes IR: functions on tensors, results named by `terrace.name`.
//! [`from_ir`] is the way back: MDH text of a computation, whatever it was written in.
//! `syntax` has words and expressions, `index` their reading as index functions and scalar functions, `operators` what authors
//! define, `values` scalar functions as ops.
//!
//! **Invariants.** No input panics; every refusal of a text has a code and a place. Shapes follow from index functions.
//! **Not done here.** Whether operators fit together and index functions stay inside is the dialect's to check.

pub mod builder;
pub mod codes;
mod cursor;
mod emit;
pub mod from_ir;
mod index;
pub mod model;
mod operators;
mod print;
mod syntax;
pub mod tensor;
pub mod text;
mod values;

pub use syntax::{Expr, ExprKind};
