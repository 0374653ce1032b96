//! Numbers of a strategy, searched like sizes: the convolution for a processor, on the interpreter.

use std::path::Path;
use std::process::Command;

#[test]
fn numbers_of_a_strategy_are_searched_with_levels() {
    let tool = Path::new(env!("CARGO_BIN_EXE_terrace-tune"));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-files/programs/conv_host.mlir");
    let mut command = Command::new(tool);
    command.args([file, "--space=@host", "--on=interp", "--bench=1", "--technique=random", "--budget=6"]);
    command.args(["H=4", "W=4", "C=2", "M=16", "K=3", "p=1", "s=1"].map(|size| format!("--set={size}")));
    command.arg("--pipeline=func.func(array-rewrite{strategy=\"convHost(@h, @q, @o, @v)\"})");
    let output = command.output().expect("cargo built the tool");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    // Values of all are those of the plain program, else they would not count as run.
    assert!(output.status.success() && out.contains("6 points: 6 ran"), "{out}{err}");
    assert!(out.contains("blocks=") && out.contains("panels=") && out.contains("q="), "{out}");
}
