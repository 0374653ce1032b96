//! Forms of a convolution as choices of a search.

use crate::search::{fresh, scratch, text, tune};

const CONV: &str = "\
func.func @conv(%X: tensor<2x5x6x7xf32>, %F: tensor<9x5x3x3xf32>) -> tensor<2x9x6x7xf32> {
  %0 = mdh.compute \"conv\" (b in 2, k in 9, y in 6, x in 7, c in 5 pw add, r in 3 pw add, s in 3 pw add) ins(%a = %X[b, c, y + r - 1, x + s - 1] else 0.0, %w = %F[k, c, r, s]) outs([b, k, y, x]) {
    %p = arith.mulf %a, %w : f32
    mdh.yield %p : f32
  } : (tensor<2x5x6x7xf32>, tensor<9x5x3x3xf32>) -> tensor<2x9x6x7xf32>
  return %0 : tensor<2x9x6x7xf32>
}
";

#[test]
fn d24_every_form_is_measured_and_named_in_the_log() {
    let (program, log, best) = (scratch("forms.mlir", CONV), fresh("forms.jsonl"), fresh("forms_best.mlir"));
    let log_arg = format!("--log={log}");
    let output = tune(&[
        &program,
        "--target=x86-64-v3",
        "--forms",
        "--approximate=winograd",
        "--technique=exhaustive",
        "--budget=50",
        "--bench=1",
        &log_arg,
        "-o",
        &best,
    ]);
    let (out, err) = text(&output);
    assert!(output.status.success(), "{err}");
    assert!(out.starts_with("7 points: 7 ran\n"), "{out}");
    let log = std::fs::read_to_string(log).expect("the log is there");
    for form in ["direct", "implicit-gemm", "im2col", "nchwc-8", "nchwc-16", "winograd-2", "winograd-4"] {
        assert!(log.contains(&format!("\"point\":[\"{form}\"]")), "{form}\n{log}");
    }
    let estimates = log.lines().filter(|line| line.contains("\"estimate\"")).count();
    assert!(estimates >= 6, "the model estimates each form\n{log}");
    assert!(std::fs::read_to_string(best).expect("the program is there").contains("mdh.schedule"), "{out}");
}

#[test]
fn forms_that_there_are_not_say_why() {
    let program = scratch("forms_dry.mlir", CONV);
    let output = tune(&[&program, "--target=x86-64-v3", "--forms", "--free=size", "--dry-run"]);
    let (out, err) = text(&output);
    assert!(output.status.success(), "{err}");
    assert!(out.contains("form is one of direct implicit-gemm im2col nchwc-8 nchwc-16\n"), "{out}");
    assert!(out.contains("no winograd-2: ") && out.contains("mdh.approximate"), "{out}");
    assert!(out.contains("// form: "), "{out}");
    let output = tune(&[&program, "--forms", "--approximate=winogard", "--dry-run"]);
    assert!(text(&output).0.contains("permits"), "a name that permits nothing");
}
