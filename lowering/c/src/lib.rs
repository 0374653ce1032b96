//! C with OpenMP, OpenCL C and CUDA C as text, printed from structured IR (`func scf arith math memref gpu`).
//!
//! One printer with a [`Flavor`]. C comes from the functions of a module, OpenCL C and CUDA C from its `gpu.module`s.
//! Every op is asked for first: one that has no spelling is reported with a code and the pass that would lower it, and then
//! there is no text at all. Same IR, same text.
//!
//! What the text means is what the interpreter says, in every bit but those of a math library: integers wrap (through unsigned arithmetic, unless the
//! ranges of operands show that they cannot), floats are rounded after every op. For the latter the compilers need
//! [`Flavor::compile_flags`]: they contract `a * b + c` otherwise. What `fastmath<contract>` permits is spelled out. Functions of reals are the
//! library's; `exp`, `log` and `tanh` of vectors in C are those that LLVM gets (`terrace_dialect_math::polynomial_approximation`).
//!
//! Not here: choosing what runs in parallel (that is in the IR), building and running the text (`runtime/*`).
//! Loops of 64 bits whose bound is within one step of 2^63 are not exact.

mod arith;
mod atomics;
mod casts;
mod declared;
mod dot;
mod emit;
mod expr;
mod extrema;
mod floats;
mod func;
mod globals;
mod gpu;
mod header;
mod helpers;
mod ints;
mod lanes;
mod linker;
mod math;
mod memref;
mod module;
mod names;
mod parallel;
mod products;
mod rearrange;
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
mod values;
mod vector;
mod vector_math;
mod vector_memory;
mod views;
mod wrapper;

pub mod codes;
mod signature;

pub use header::header;
pub use linker::{defined_name, host_name, linker_name};
pub use module::{Printed, print};
pub use signature::{Param, Part, Signature};
pub use table::table_faults;
pub use types::Scalar;
pub use wrapper::INVOKE;

/// The language to print
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavor {
    /// C11 with OpenMP pragmas and GNU extensions
    OpenMp,
    /// OpenCL C 1.2
    OpenCl,
    /// CUDA C++, as NVRTC takes it without headers
    Cuda,
}

/// What may be chosen
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Add to C, for each public function, one that takes its arguments packed: see [`INVOKE`]
    pub packed: bool,
}

impl Flavor {
    /// Name in messages and on the command line
    pub fn name(self) -> &'static str {
        match self {
            Flavor::OpenMp => "openmp",
            Flavor::OpenCl => "opencl",
            Flavor::Cuda => "cuda",
        }
    }

    /// The flavor of this name
    pub fn from_name(name: &str) -> Option<Flavor> {
        [Flavor::OpenMp, Flavor::OpenCl, Flavor::Cuda].into_iter().find(|flavor| flavor.name() == name)
    }

    /// Flags without which the compiler may change results: contraction is off, division and roots are rounded
    ///
    /// For OpenCL they ask for correct rounding; a device that has none refuses them.
    pub fn compile_flags(self) -> &'static [&'static str] {
        match self {
            Flavor::OpenMp => &["-std=gnu11", "-fopenmp", "-ffp-contract=off", "-Wno-psabi"],
            Flavor::OpenCl => &["-cl-std=CL1.2", "-cl-fp32-correctly-rounded-divide-sqrt"],
            Flavor::Cuda => &["--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false"],
        }
    }
}
