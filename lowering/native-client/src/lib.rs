//! The way to LLVM for tools: a worker process and how to talk to it.
//!
//! `terrace-native` holds the vendor libraries (design.md §8.9): with them in it a tool starts 20 ms later, and what crashes
//! or hangs there does not take the tool along. The [`protocol`] is frames over the worker's standard streams, the
//! [`client`] starts the worker and turns its end into a diagnostic.
//!
//! This crate links nothing of a vendor's and never will: tools depend on it where they must not depend on
//! `terrace-lowering-llvm`, whose feature `llvm` a build of the whole workspace switches on.

pub mod client;
pub mod codes;
pub mod protocol;

pub use client::Worker;
pub use protocol::{Arg, EmitKind, EmitOptions, RunReply, RunRequest};
