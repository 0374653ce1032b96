//! What `--reproducer` writes is a test file: it fails as long as the pass does, and passes when that is mended.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use terrace_opt::{Tool, run_on};

const TOOL: Tool = Tool::OPT;

/// 4 does not divide 10: refused by the pass
const REFUSED: &str = "\
// check: what the input itself expects is not the reproducer's business
func.func @f(%A: tensor<10xf32>) -> tensor<10xf32> {
  %c = mdh.compute (i in 10) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = [\"1: (4) (^ ; ^) (FOR.1)\", \"2: (1) (^ ; ^) (FOR.1)\"]} {
    mdh.yield %a : f32
  } : (tensor<10xf32>) -> tensor<10xf32>
  return %c : tensor<10xf32>
}
";

/// Whether the runner, as a user starts it, is content with the folder
fn passes(folder: &Path) -> bool {
    let out = Command::new(env!("CARGO_BIN_EXE_terrace-filetest")).arg(folder).output();
    out.expect("cargo built the tool").status.success()
}

#[test]
fn is_a_test_that_can_be_run() {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("reproducer-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder for temporary files of tests can be written");
    let file = folder.join("found.mlir");
    let args = [
        "--pipeline=func.func(mdh-to-sched,canonicalize)".to_string(),
        "--disable-rule=some_rule".to_string(),
        format!("--reproducer={}", file.display()),
    ];
    let finished = run_on(TOOL, &args, "input.mlir", REFUSED).expect("the arguments are right");
    assert!(finished.failed && finished.messages.contains("reproducer written"), "{}", finished.messages);
    let text = fs::read_to_string(&file).expect("it was written");
    assert!(!passes(&folder));
    // The mistake is in the input here; a mended pass would do as well.
    fs::write(&file, text.replace("(4)", "(5)")).expect("it can be written");
    let mended = passes(&folder);
    let _ = fs::remove_dir_all(&folder);
    assert!(text.contains("--disable-rule=some_rule") && text.contains("// was check:"), "{text}");
    assert!(mended, "{text}");
}
