//! Named ops mean what upstream says: written out by both, they are the same text.

use crate::common;

use std::io::Write;
use std::process::{Command, Stdio};
use terrace_dialect_linalg::LINALG;

/// What upstream prints after some passes, case by case
fn upstream(args: &[&str], text: &str) -> Option<Vec<String>> {
    let mut child = Command::new("mlir-opt-22")
        .args(args)
        .args(["--split-input-file", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("it reads all");
    let out = child.wait_with_output().expect("it ends");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    Some(String::from_utf8_lossy(&out.stdout).split("// -----").map(String::from).collect())
}

#[test]
fn named_ops_are_upstreams() {
    let mut cases: Vec<(&str, String)> = Vec::new();
    for op in LINALG.ops {
        for block in op.docs.split("```mlir\n").skip(1) {
            cases.push((op.name, block.split("```").next().unwrap_or("").to_string()));
        }
    }
    assert!(cases.len() > 80);
    // Other steps and types than those of the examples.
    for (name, text) in cases.clone() {
        if text.contains("strides = dense<2>") {
            cases.push((name, text.replace("strides = dense<2>", "strides = dense<1>")));
        }
        if text.contains("f32") && !text.contains("_q ") && !text.contains("arith.") {
            cases.push((name, text.replace("f32", "f64")));
        }
    }
    let maps =
        "affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>";
    let transposed = format!(
        "func.func @f(%a: tensor<6x4xf32>, %b: tensor<6xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {{
           %r = linalg.matmul indexing_maps = [{maps}] ins(%a, %b : tensor<6x4xf32>, tensor<6xf32>) outs(%o : tensor<4x5xf32>) -> tensor<4x5xf32>
           return %r : tensor<4x5xf32>
         }}"
    );
    cases.push(("linalg.matmul", transposed));
    let steps = "{dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 3]> : tensor<2xi64>}";
    cases.push((
        "linalg.conv_2d_nchw_fchw",
        format!(
            "func.func @f(%a: tensor<1x2x9x9xf32>, %b: tensor<3x2x2x3xf32>, %o: tensor<1x3x7x3xf32>) -> tensor<1x3x7x3xf32> {{
               %r = linalg.conv_2d_nchw_fchw {steps} ins(%a, %b : tensor<1x2x9x9xf32>, tensor<3x2x2x3xf32>) outs(%o : tensor<1x3x7x3xf32>) -> tensor<1x3x7x3xf32>
               return %r : tensor<1x3x7x3xf32>
             }}"
        ),
    ));
    for (from, to) in
        [("i8", "i32"), ("i32", "f32"), ("f32", "i32"), ("f64", "f16"), ("i1", "i1"), ("f16", "f32")]
    {
        cases.push(("linalg.dot", format!(
            "func.func @f(%a: tensor<6x{from}>, %b: tensor<6x{from}>, %o: tensor<{to}>) -> tensor<{to}> {{
               %r = linalg.dot ins(%a, %b : tensor<6x{from}>, tensor<6x{from}>) outs(%o : tensor<{to}>) -> tensor<{to}>
               return %r : tensor<{to}>
             }}"
        )));
    }
    let cx = common::context();
    let ours: Vec<String> = cases
        .iter()
        .map(|(_, text)| {
            let ir = common::transformed(&cx, text, "func.func(linalg-generalize-named-ops)");
            let mut out = String::new();
            terrace_text::print(&ir, &terrace_text::PrintOptions::default(), &mut out);
            out
        })
        .collect();
    let Some(ours) = upstream(&[], &ours.join("// -----\n")) else {
        return println!("skipped: named_ops_are_upstreams (needs mlir-opt-22)");
    };
    let text: Vec<String> = cases.iter().map(|(_, text)| text.clone()).collect();
    let theirs =
        upstream(&["--linalg-generalize-named-ops"], &text.join("\n// -----\n")).expect("it ran before");
    assert_eq!((ours.len(), theirs.len()), (cases.len(), cases.len()));
    for ((name, text), (ours, theirs)) in cases.iter().zip(ours.iter().zip(&theirs)) {
        // Upstream's driver moves constants out of the body.
        let lines = |text: &str| -> Vec<String> {
            text.lines()
                .filter(|line| !line.contains("%cst = ") && !line.is_empty())
                .map(String::from)
                .collect()
        };
        assert_eq!(lines(ours), lines(theirs), "{name}\n{text}");
    }
}
