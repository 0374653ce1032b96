//! `cargo xtask demo`: a matrix product from mathematics to machine code
//!
//! Sets up, builds the tools in release, then drives them over
//! `test-files/demo/matmul.mlir`, as a user would: it calls no crate of the framework.

use crate::workspace::Workspace;
use crate::{Fallible, process, test};
use std::path::{Path, PathBuf};

const PROGRAM: &str = "test-files/demo/matmul.mlir";

/// `cargo xtask demo`
pub fn command(ws: &Workspace) -> Fallible {
    let features = test::prepare(ws)?;
    // `terrace-run` and `terrace-native` join here with the program they are needed for.
    process::run(process::cargo(&ws.root).args(["build", "--release", "-p", "terrace-opt"]).args(features))?;
    let demo = Demo { root: &ws.root, tools: ws.target.join("release") };
    demo.show()
}

/// The demo proper, on built tools
struct Demo<'a> {
    root: &'a Path,
    tools: PathBuf,
}

impl Demo<'_> {
    fn show(&self) -> Fallible {
        if !self.root.join(PROGRAM).is_file() {
            println!("demo: the program {PROGRAM} is not there yet; nothing to show");
            return Ok(());
        }
        Err(format!("the demo of {PROGRAM} is not written yet (tools: {})", self.tools.display()))
    }
}
