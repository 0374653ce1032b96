//! Results that are written over what other computations read, through a view: what is done in another nest must keep the order of both.

use crate::common;

use common::{run, stdout};
use terrace_opt::{Tool, run_on};

/// A reduction of two arguments, what follows from it, and the last result written over the first argument
fn program(reduction: &str, shape: &str, then: &str, result: &str) -> String {
    format!(
        "func.func @f(%A: memref<4x64xf32>, %B: memref<{shape}xf32>) -> {result} {{
  %V = memref.collapse_shape %A [[0, 1]] : memref<4x64xf32> into memref<256xf32>
  %a = bufferization.to_tensor %A : memref<4x64xf32> to tensor<4x64xf32>
  %b = bufferization.to_tensor %B : memref<{shape}xf32> to tensor<{shape}xf32>
{reduction}
  %e2 = mdh.compute \"e2\" (i in 256) ins(%x = {then}[i]) outs([i]) {{
    %t = math.tanh %x : f32
    mdh.yield %t : f32
  }} : (tensor<256xf32>) -> tensor<256xf32>
  bufferization.materialize_in_destination %e2 in writable %V : (tensor<256xf32>, memref<256xf32>) -> ()
"
    )
}

/// The sum, and an element-wise result of it that is returned
fn chain(shape: &str, points: &str, access: &str) -> String {
    let sums = format!(
        "  %s = mdh.compute \"s\" ({points}) ins(%x = %a[j, k], %y = %b[{access}]) outs([i]) {{
    %r = arith.mulf %x, %y : f32
    mdh.yield %r : f32
  }} : (tensor<4x64xf32>, tensor<{shape}xf32>) -> tensor<256xf32>
  %e1 = mdh.compute \"e1\" (i in 256) ins(%x = %s[i]) outs([i]) {{
    %q = math.tanh %x : f32
    %r = math.exp %q : f32
    mdh.yield %r : f32
  }} : (tensor<256xf32>) -> tensor<256xf32>"
    );
    program(&sums, shape, "%e1", "tensor<256xf32>") + "  return %e1 : tensor<256xf32>\n}"
}

/// The products are returned, and their sums are not
fn products() -> String {
    let sums = "  %p = mdh.compute \"p\" (i in 256, j in 4, k in 64) ins(%x = %a[j, k], %y = %b[i, j, k]) outs([i, j, k]) {
    %r = arith.mulf %x, %y : f32
    mdh.yield %r : f32
  } : (tensor<4x64xf32>, tensor<256x4x64xf32>) -> tensor<256x4x64xf32>
  %s = mdh.compute \"s\" (i in 256, j in 4 pw add, k in 64 pw add) ins(%y = %p[i, j, k]) outs([i]) {
    mdh.yield %y : f32
  } : (tensor<256x4x64xf32>) -> tensor<256xf32>";
    program(sums, "256x4x64", "%s", "tensor<256x4x64xf32>") + "  return %p : tensor<256x4x64xf32>\n}"
}

fn programs() -> [(&'static str, String); 3] {
    let rows = "i in 256, j in 4 pw add, k in 64 pw add";
    [
        ("chain-rows", chain("256x4x64", rows, "i, j, k")),
        ("chain-columns", chain("4x64x256", "j in 4 pw add, k in 64 pw add, i in 256", "j, k, i")),
        ("products", products()),
    ]
}

const INPUTS: [&str; 2] = ["--in=A=random:1", "--in=B=random:2"];

#[test]
fn on_the_host_values_are_the_interpreters() {
    if terrace_native_client::client::find().is_err() {
        return println!("skipped: on_the_host_values_are_the_interpreters (needs the host)");
    }
    for (name, text) in programs() {
        let shown = stdout(&run(name, &text, &[&INPUTS[..], &["--compare=interp,host"]].concat()));
        assert!(shown.contains("host and interp: A: all 256 elements agree"), "{name}:\n{shown}");
    }
}

#[test]
fn kernels_have_no_races_and_the_same_values() {
    for (name, text) in programs() {
        let args = ["--pipeline=to-cuda".to_string()];
        let finished = run_on(Tool::OPT, &args, name, &text).expect("the arguments are right");
        assert!(!finished.failed, "{name}:\n{}", finished.messages);
        let kernels = String::from_utf8(finished.out.expect("it did not fail")).expect("it is text");
        let argument = |text: &str, order: &str| {
            let args = [&INPUTS[..], &["--on=interp", order]].concat();
            let shown = stdout(&run(name, text, &args));
            let line = shown.lines().find(|line| line.starts_with("A :")).expect("the argument is shown");
            let values = line.split(" = ").nth(1).unwrap_or_default().split(", ");
            values.filter_map(|value| value.parse().ok()).collect::<Vec<f64>>()
        };
        let wanted = argument(&text, "--order=forward");
        for order in ["--order=forward", "--order=reverse", "--order=1"] {
            let found = argument(&kernels, order);
            let near = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-5;
            assert!(wanted.len() > 8 && wanted.len() == found.len(), "{name}");
            assert!(wanted.iter().zip(&found).all(near), "{name}, {order}:\n{wanted:?}\n{found:?}");
        }
    }
}
