//! The way to LLVM for tools: a worker process and how to talk to it.
//!
//! `terrace-native` holds the vendor libraries: with them in it a tool starts 20 ms later, and what crashes
//! or hangs there does not take the tool along. The [`protocol`] is frames over the worker's standard streams, the
//! [`client`] starts the worker and turns its end into a diagnostic.
//!
//! This crate links nothing of a vendor's and never will: tools depend on it where they must not depend on
//! `terrace-lowering-llvm`, whose feature `llvm` a build of the whole workspace switches on.

pub mod client;
pub mod codes;
pub mod orphan;
pub mod protocol;
mod turn;
mod workers;

pub use client::{Limits, Worker};
pub use protocol::{Arg, EmitKind, EmitOptions, RunReply, RunRequest};
pub use turn::{Held, Turn};
pub use workers::{Holds, Workers};

/// The message for a user who starts a worker manually; none if a tool has started it
pub fn told_by_hand(program: &str, holds: &str, first: Option<&str>) -> Option<String> {
    let version = env!("CARGO_PKG_VERSION");
    match first {
        None => None,
        Some("--version" | "-V") => Some(format!("{program} {version}")),
        Some(_) => Some(format!(
            "{program} {version}: the worker that holds {holds}\n\nThe other tools start it and talk to it over its standard streams; \
             they look for it in their own folder, or where the environment says ({}).\nIt takes no arguments but --help and \
             --version.\n\nExit codes: 0 when its input ends; 1 when its output cannot be written.",
            program.replace('-', "_").to_uppercase()
        )),
    }
}
