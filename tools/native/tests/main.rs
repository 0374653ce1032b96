//! The worker with LLVM: values, code, small floats

#[path = "../../../lowering/upstream/tests/common/mod.rs"]
mod programs;

mod common;

mod code;
mod objects;
mod small_floats;
mod stray;
mod values;
mod versions;
