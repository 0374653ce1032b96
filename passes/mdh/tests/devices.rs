//! Several devices share a kept dimension of a reduction; what reduces everything stays on one.

use crate::common::*;

use terrace_dialect_test::values::shown;

fn sums(shape: [i64; 2], reduced: [bool; 2]) -> String {
    let [m, n] = shape;
    let kind = |dim: usize| if reduced[dim] { " pw add" } else { "" };
    let names = ["i", "j"];
    let kept: Vec<usize> = (0..2).filter(|dim| !reduced[*dim]).collect();
    let place = kept.iter().map(|dim| names[*dim]).collect::<Vec<_>>().join(", ");
    let result: String = kept.iter().map(|dim| format!("{}x", shape[*dim])).collect();
    format!(
        "func.func @f(%A: tensor<{m}x{n}xf32>) -> tensor<{result}f32> {{
  %c = mdh.compute \"sums\" (i in {m}{}, j in {n}{}) ins(%a = %A[i, j]) outs([{place}]) {{
    mdh.yield %a : f32
  }} : (tensor<{m}x{n}xf32>) -> tensor<{result}f32>
  return %c : tensor<{result}f32>
}}",
        kind(0),
        kind(1)
    )
}

#[test]
fn rows_and_columns_are_shared() {
    for target in ["cuda", "opencl"] {
        for (shape, reduced) in
            [([37, 50], [false, true]), ([50, 37], [true, false]), ([64, 33], [false, true])]
        {
            for devices in [2, 3] {
                let text = sums(shape, reduced);
                let choose = format!("func.func(mdh-schedule{{target={target} devices={devices}}})");
                let mut ir = parse(&text);
                lower(&mut ir, &format!("{choose},func.func(mdh-to-sched)"), &text);
                let nest = shown(&ir);
                assert!(nest.contains(": device.x") && nest.contains("sched.kernel"), "{nest}");
                agree_chosen(&text, &choose);
            }
        }
    }
}

#[test]
fn sums_of_everything_stay_on_one_device() {
    let text = sums([300, 257], [true, true]);
    let choose = "func.func(mdh-schedule{target=cuda devices=2})";
    let mut ir = parse(&text);
    lower(&mut ir, &format!("{choose},func.func(mdh-to-sched)"), &text);
    assert!(!shown(&ir).contains("device.x"), "{}", shown(&ir));
    agree_chosen(&text, choose);
}
