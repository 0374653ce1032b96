//! The tool as a process of its own, started in the root of the repository.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub const LISTING5: &str = "test-files/lowering/mdh/listing5.mlir";
/// Which of its computations
pub const MATMUL: &str = "--compute=matmul";

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn view(args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_terrace-view")).current_dir(root()).args(args).output();
    output.expect("the tool runs")
}

/// Standard output of a run that went well
pub fn text(output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}
