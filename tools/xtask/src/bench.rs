//! `cargo xtask bench`: build the benchmarks in release, run the named ones

use crate::workspace::Workspace;
use crate::{Fallible, process, test};
use std::process::Command;

/// `cargo xtask bench NAME…`
pub fn command(ws: &Workspace, names: &[String]) -> Fallible {
    let features = test::prepare(ws, false)?;
    // The workspace's tools too: benchmarks start them beside their peers.
    process::run(
        process::cargo(&ws.root).args(["build", "--release", "--workspace", "--bins"]).args(features),
    )?;
    let program = ws.target.join("release/terrace-benches");
    if !program.is_file() {
        return Err("`benches` has no program `terrace-benches` yet".into());
    }
    process::run(Command::new(program).current_dir(&ws.root).args(names))
}
