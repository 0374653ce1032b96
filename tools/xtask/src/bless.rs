//! `cargo xtask bless`: rewrite the expectations of tests to what they print now
//!
//! Never in CI: a run there must compare, not agree with itself.

use crate::workspace::Workspace;
use crate::{Fallible, process, test};
use std::process::Command;

/// `cargo xtask bless [filter]`
pub fn command(ws: &Workspace, filter: Option<&str>) -> Fallible {
    if std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false") {
        return Err("bless does not run in CI: expectations are compared there, not rewritten".into());
    }
    let features = test::prepare(ws, true)?;
    let mut cargo = process::cargo(&ws.root);
    cargo.env("TERRACE_BLESS", "1").env("INSTA_UPDATE", "always");
    cargo.args(["test", "--workspace", "--no-fail-fast"]).args(features).arg("--").args(filter);
    let outcome = process::run(&mut cargo);
    // Shown even when a test failed for another reason than its expectation.
    process::run(Command::new("git").current_dir(&ws.root).args(["--no-pager", "diff", "--stat"]))?;
    outcome
}
