//! The C-ABI runtime that compiled programs call: parallel regions and scratch memory
//!
//! Generated CPU code knows six symbols, declared once here. The JIT looks them up in [`symbols`];
//! object files link the static library of this crate (with `-lpthread -ldl -lm`, as Rust's
//! standard library wants).
//!
//! ```c
//! void    terrace_parallel_for(int64_t n, int64_t grain,
//!                              void (*body)(void *ctx, int64_t begin, int64_t end, int64_t worker),
//!                              void *ctx);
//! void    terrace_set_threads(int64_t n);
//! int64_t terrace_num_threads(void);
//! void   *terrace_alloc(int64_t bytes, int64_t align);
//! void    terrace_free(void *block, int64_t bytes, int64_t align);
//! int64_t terrace_cpu_level(void);
//! ```
//!
//! **Invariant:** no panic leaves this crate: each entry point is `extern "C"`, where unwinding ends
//! the process, and none panics by its own doing.
//! **Invariant:** it knows nothing of IR and has no dependency but the C library.
//!
//! The thread pool is the one global mutable state of the project: a C symbol has no handle to pass.

mod level;
mod place;
mod pool;
mod scratch;

pub use level::terrace_cpu_level;
pub use pool::{Body, MAX_THREADS, terrace_num_threads, terrace_parallel_for, terrace_set_threads};
pub use scratch::{terrace_alloc, terrace_free};

/// Address of an entry point, for a JIT's symbol table
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// Name as generated code spells it
    pub name: &'static str,
    /// Where it is
    pub address: *const (),
}

/// All entry points, in the order of the module's text
pub fn symbols() -> [Symbol; 6] {
    let symbol = |name, address| Symbol { name, address };
    [
        symbol("terrace_parallel_for", terrace_parallel_for as *const ()),
        symbol("terrace_set_threads", terrace_set_threads as *const ()),
        symbol("terrace_num_threads", terrace_num_threads as *const ()),
        symbol("terrace_alloc", terrace_alloc as *const ()),
        symbol("terrace_free", terrace_free as *const ()),
        symbol("terrace_cpu_level", terrace_cpu_level as *const ()),
    ]
}
