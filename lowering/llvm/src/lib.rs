//! From cf-level IR to LLVM.
//!
//! Input is a module of `func arith math cf memref vector ub`, and `gpu.func` for PTX; what else there is, is refused by
//! [`check`](mod@check) before anything is emitted. LLVM IR is built straight from the ops: there is no dialect in between.
//!
//! Only with the feature `llvm` does this crate link LLVM, and only the worker `terrace-native` switches it on
//! (design.md §8.9). Without it there are the coverage check, the [`protocol`] of the worker, and the [`client`] that
//! starts it, which is what tools use.

pub mod client;
pub mod codes;
pub mod protocol;
