//! LLVM IR, host JIT, objects, assembly and PTX through inkwell
