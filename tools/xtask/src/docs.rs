//! `cargo xtask docs`: write the reference anew from the tables of dialects and passes

use crate::workspace::Workspace;
use crate::{Fallible, process};

/// `cargo xtask docs`
pub fn command(ws: &Workspace) -> Fallible {
    let mut cargo = process::cargo(&ws.root);
    // Through the test that holds it: the same code compares and writes.
    cargo.env("TERRACE_BLESS", "1").env_remove("CI");
    process::run(cargo.args(["test", "--quiet", "--package", "terrace-opt", "--test", "all", "reference::"]))
}
