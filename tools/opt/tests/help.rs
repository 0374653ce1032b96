//! The examples of `--help` run unchanged.

use std::path::PathBuf;
use std::process::Command;

const INPUT: &str = "\
func.func @f(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (i32) {
    %t = arith.addi %s, %x : i32
    scf.yield %t : i32
  }
  return %s : i32
}
";

/// A nest of three maps, for levels
const MAPS: &str = "\
func.func @scale(%x: !array.of<8 x 4 x 2 x i32>) -> !array.of<8 x 4 x 2 x i32> {
  %o = array.map \"A\" %x as %a {
    %p = array.map \"B\" %a as %b {
      %q = array.map \"C\" %b as %c {
        %d = arith.addi %c, %c : i32
        array.yield %d
      }
      array.yield %q
    }
    array.yield %p
  }
  return %o : !array.of<8 x 4 x 2 x i32>
}
";

/// Loops that are a computation
const MATMUL: &str = include_str!("../../../test-files/frontends/c/matmul.c");

#[test]
fn examples_run() {
    let tool = env!("CARGO_BIN_EXE_terrace-opt");
    let help = Command::new(tool).arg("--help").output().expect("cargo built the tool");
    let help = String::from_utf8(help.stdout).expect("help is text");
    let lines: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Examples:")
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .collect();
    assert!(lines.len() >= 6, "{help}");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("help-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files of tests can be written");
    std::fs::write(folder.join("in.mlir"), INPUT).expect("it can be written");
    std::fs::write(folder.join("conv.mlir"), MAPS).expect("it can be written");
    std::fs::write(folder.join("matmul.c"), MATMUL).expect("it can be written");
    for line in lines {
        // PTX wants a kernel, code wants the worker: what they say instead is tested elsewhere.
        // A mapping is of a program with those loops. Dialects of C++ projects have tests of their own, `loaded.rs`.
        if ["--emit=ptx", "--emit=asm", "--emit=shared", "--explain-mapping", "--dialect=MyOps.json"]
            .iter()
            .any(|flag| line.contains(flag))
        {
            continue;
        }
        let line = line.replace("terrace-opt", tool).replace("generate |", "cat in.mlir |");
        let out =
            Command::new("sh").current_dir(&folder).args(["-c", &line]).output().expect("there is a shell");
        assert_eq!(out.status.code(), Some(0), "{line}\n{}", String::from_utf8_lossy(&out.stderr));
    }
    let _ = std::fs::remove_dir_all(&folder);
}
