//! Host buffers, .npy files, deterministic random data, comparison
//!
//! What the tools feed to a program and get back from it. A [`Buffer`] is a dense row-major array
//! in host memory; [`Source`] says where its content comes from (`NAME=FILE.npy`, `random:SEED`,
//! `iota`, `fill:V`); [`compare`](fn@compare) says how far two buffers are apart.
//!
//! **Invariant:** the same request gives the same bytes on every machine, at every thread count.
//! **Invariant:** no input, file or text makes this crate panic.
//!
//! It does not know IR types (callers translate), devices, or strided layouts.

mod aligned;
mod arg;
mod buffer;
mod compare;
mod elem;
mod error;
mod float;
mod generate;
mod npy;
mod npy_error;
mod npy_records;
mod source;

pub use arg::Arg;
pub use buffer::{Buffer, Scalar, Value};
pub use compare::{Comparison, Mismatch, Tolerance, compare};
pub use elem::ElemType;
pub use error::BufferError;
pub use float::{bf16_to_f64, f16_to_f64, f64_to_bf16, f64_to_f16, f64_to_f32};
pub use generate::random_bits;
pub use npy_records::RecordField;
pub use source::{Binding, Source};
