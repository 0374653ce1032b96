//! C with OpenMP, OpenCL C, CUDA C and C++ for high-level synthesis as text, printed from structured IR (`func scf arith math memref gpu`).
//!
//! One printer for all languages. C and C++ come from the functions of a module, OpenCL C and CUDA C from its `gpu.module`s. What
//! differs is in `language`, one file each. An op without a spelling is reported with a code and the pass that would lower it,
//! and then there is no text at all. Same IR, same text.
//!
//! The layers, each of which uses only those before it: expressions, types and buffers; languages; helper functions and
//! values; the printer of a function (`emit`), which has the table; families of ops; the table; whole modules.
//!
//! What the text means is what the interpreter says, in every bit but those of a math library: integers wrap (through unsigned arithmetic, unless the
//! ranges of operands show that they cannot), floats are rounded after every op. For the latter the compilers need
//! [`Flavor::compile_flags`]: they contract `a * b + c` otherwise. What `fastmath<contract>` permits is spelled out. Functions of reals are the
//! library's; functions of vectors of floats in C are those that LLVM gets (`terrace_dialect_math::polynomial_approximation`).
//!
//! Not here: choosing what runs in parallel (that is in the IR), building and running the text (`runtime/*`).
//! Loops of 64 bits whose bound is within one step of 2^63 are not exact.

mod arith;
mod atomics;
mod buffer;
mod casts;
mod declared;
mod descriptor;
mod dot;
mod emit;
mod expr;
mod extrema;
mod floats;
mod frame;
mod func;
mod functions;
mod globals;
mod gpu;
mod hardware;
mod header;
mod helpers;
mod ints;
mod lanes;
mod language;
mod linker;
mod literals;
mod math;
mod memref;
mod module;
mod names;
mod parallel;
mod products;
mod rearrange;
mod refusal;
mod scf;
mod shapes;
mod soft;
mod subgroup;
mod switch;
mod table;
mod text;
mod transfer;
mod types;
mod undefined;
pub mod updates;
mod values;
mod vector;
mod vector_helpers;
mod vector_math;
mod vector_memory;
mod vector_type;
mod views;
mod walk;
mod wrapper;

pub mod codes;
mod signature;

pub use header::header;
pub use language::Flavor;
pub use linker::{defined_name, host_name, linker_name};
pub use module::{Printed, print};
pub use signature::{Param, Part, Signature};
pub use table::table_faults;
pub use types::Scalar;
pub use wrapper::INVOKE;

/// What may be chosen
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Add to C, for each public function, one that takes its arguments packed: see [`INVOKE`]
    pub packed: bool,
}
