//! From cf-level IR to LLVM, in process.
//!
//! Input is a module of `func arith math cf memref vector ub`, and `gpu.func` for PTX; what else there is, is refused before
//! anything is emitted. LLVM IR is built straight from the ops: there is no dialect in between.
//!
//! Only with the feature `llvm` is there anything here, and only the worker `terrace-native` switches it on (design.md §8.9);
//! tools talk to it through `terrace-native-client`.
