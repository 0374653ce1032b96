//! The worker: reads requests from standard input, writes replies to standard output (see
//! `terrace_lowering_llvm::protocol`).

fn main() {}
