//! The worker that holds vendor code: LLVM, PTX, upstream MLIR
fn main() {}
