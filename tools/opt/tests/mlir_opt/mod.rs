//! The command line of `mlir-opt`: each option, what is refused, and the same bytes as MLIR's own tool where that is installed.

mod options;
mod peer;
mod refused;
mod reproducers;

use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of this test, emptied
pub fn folder(test: &str) -> PathBuf {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("mlir-opt-{}-{test}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder for temporary files of tests can be written");
    folder
}

/// Run the tool in a folder with these arguments
pub fn run(folder: &std::path::Path, args: &[&str]) -> Output {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_terrace-opt"));
    tool.arg("--as=mlir-opt").args(args).current_dir(folder).output().expect("cargo built the tool")
}

/// What a run printed and how it ended
pub struct Seen {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Seen {
    fn from(output: Output) -> Seen {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Seen { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

/// Run the tool on a text in `in.mlir`
pub fn on(test: &str, text: &str, args: &[&str]) -> Seen {
    let folder = folder(test);
    std::fs::write(folder.join("in.mlir"), text).expect("it can be written");
    let seen = run(&folder, &[&["in.mlir"], args].concat()).into();
    let _ = std::fs::remove_dir_all(&folder);
    seen
}

pub const SUMS: &str = "\
func.func @f(%a: i32) -> i32 {
  %c = arith.constant 1 : i32
  %x = arith.addi %c, %a : i32
  %y = arith.addi %c, %a : i32
  %z = arith.muli %x, %y : i32
  return %z : i32
}
";
