//! Terrace as one crate: parse, build, rewrite, run passes, interpret, compile.
//!
//! ```
//! # #[cfg(feature = "upstream")] {
//! let cx = terrace::Context::standard();
//! let text = "func.func @f(%x: i32) -> i32 {
//!   %zero = arith.constant 0 : i32
//!   %y = arith.addi %x, %zero : i32
//!   return %y : i32
//! }";
//! let mut module = terrace::parse(&cx, "f.mlir", text)?;
//! terrace::passes("func.func(canonicalize,cse)")?.run(&mut module)?;
//! assert!(!module.to_string().contains("arith"));
//! assert_eq!(terrace::interp(&module).call("f", &[7.into()])?, [7.into()]);
//! # }
//! # Ok::<(), terrace::Report>(())
//! ```
//!
//! Errors are a [`Report`], whose `Display` shows code, place and help. What a part offers beyond these functions is in the module
//! of its name: [`ir`], `text`, `rewrite`, `pass`, `interp`, `dialects`. Dialects, ops and passes of your own are structs under the
//! macros [`op`], [`dialect!`] and `pass`; [`Context::with`] and [`Passes::parse`] take them.
//!
//! # Features
//!
//! | Feature | What |
//! |---|---|
//! | `text`, `rewrite`, `pass`, `interp` | parser and printer, rules, pipelines, the interpreter |
//! | `upstream` | MLIR's dialects with their passes; needs the four above, and is on by default as they are |
//! | `bytecode` | MLIR's bytecode |
//! | `sched`, `mdh`, `array` | Terrace's own dialects with their passes |
//! | `c`, `graphs` | C, and graphs of tensors, as input |
//! | `jit` | machine code for this CPU, made and run by the worker `terrace-native` |
//! | `targets` | every back end; `full` is everything |
//!
//! No feature links a system library.

mod context;
#[cfg(feature = "interp")]
mod interpret;
#[cfg(feature = "jit")]
mod jit;
#[cfg(feature = "text")]
mod language;
#[cfg(feature = "text")]
mod module;
#[cfg(feature = "pass")]
mod passes;
mod registry;
mod report;

pub use context::Context;
pub use registry::{codes, standard_dialects};
pub use report::Report;
pub use terrace_diag as diag;
pub use terrace_ir as ir;
pub use terrace_macros::{
    facade_attr as dialect_attr, facade_dialect as dialect, facade_op as op, facade_type as dialect_type,
};

#[cfg(feature = "interp")]
pub use interpret::{Interp, interp};
#[cfg(feature = "jit")]
pub use jit::{Arg, Function, Jit, jit};
#[cfg(feature = "text")]
pub use language::{LANGUAGES, Language, Read};
#[cfg(feature = "text")]
pub use module::{Module, parse};
#[cfg(feature = "pass")]
pub use passes::{Passes, passes, rules};
#[cfg(feature = "pass")]
pub use registry::REGISTRY;
#[cfg(feature = "bytecode")]
pub use terrace_bytecode as bytecode;
#[cfg(feature = "interp")]
pub use terrace_interp as interp;
#[cfg(feature = "interp")]
pub use terrace_interp::RtValue as Value;
#[cfg(feature = "pass")]
pub use terrace_macros::facade_pass as pass;
#[cfg(feature = "pass")]
pub use terrace_pass as pass;
#[cfg(feature = "rewrite")]
pub use terrace_rewrite as rewrite;
#[cfg(feature = "jit")]
pub use terrace_runtime_buffers as buffers;
#[cfg(feature = "jit")]
pub use terrace_target_api as target;
#[cfg(feature = "targets")]
pub use terrace_targets as targets;
#[cfg(feature = "text")]
pub use terrace_text as text;

/// Dialects, a module each
#[cfg(feature = "text")]
pub mod dialects {
    #[cfg(feature = "array")]
    pub use terrace_dialect_array as array;
    #[cfg(not(feature = "upstream"))]
    pub use terrace_dialect_builtin as builtin;
    #[cfg(feature = "mdh")]
    pub use terrace_dialect_mdh as mdh;
    #[cfg(feature = "sched")]
    pub use terrace_dialect_sched as sched;
    #[cfg(feature = "mdh")]
    pub use terrace_dialect_stablehlo as stablehlo;
    #[cfg(any(feature = "array", feature = "mdh"))]
    pub use terrace_dialect_tune as tune;
    #[cfg(feature = "upstream")]
    pub use terrace_dialect_upstream::{
        affine, arith, bufferization, builtin, cf, func, gpu, linalg, llvm, math, memref, scf, tensor, ub,
        vector,
    };
}
