//! Reductions with the order `invariant`: the same bits on every back end and for every width of vectors.

use crate::common::backends::with_devices;
use crate::common::{place, run, stdout};
use std::fmt::Write;
use std::path::PathBuf;
use terrace_support::Random;

/// Rows, columns, all elements, a matrix product and a dot product; tails everywhere
const TEXT: &str = "func.func @f(%A: tensor<5x770xf32>, %B: tensor<601x97xf32>, %C: tensor<33989xf32>) -> (tensor<5xf32>, tensor<f32>, tensor<97xf32>, tensor<2x33xf32>, tensor<f32>) {
  %rows = mdh.compute \"rows\" (i in 5, j in 770 pw add ORDER) ins(%a = %A[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<5x770xf32>) -> tensor<5xf32>
  %all = mdh.compute \"all\" (i in 601 pw add ORDER, j in 97 pw add ORDER) ins(%a = %B[i, j]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<601x97xf32>) -> tensor<f32>
  %columns = mdh.compute \"columns\" (i in 97, j in 601 pw add ORDER) ins(%a = %B[j, i]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<601x97xf32>) -> tensor<97xf32>
  %product = mdh.compute \"product\" (m in 2, i in 33, j in 601 pw add ORDER) ins(%a = %A[m, j], %b = %B[j, i]) outs([m, i]) {
    %c = arith.mulf %a, %b : f32
    mdh.yield %c : f32
  } : (tensor<5x770xf32>, tensor<601x97xf32>) -> tensor<2x33xf32>
  %dot = mdh.compute \"dot\" (j in 33989 pw add ORDER) ins(%a = %C[j], %b = %C[33988 - j]) outs([]) {
    %c = arith.mulf %a, %b : f32
    mdh.yield %c : f32
  } : (tensor<33989xf32>, tensor<33989xf32>) -> tensor<f32>
  return %rows, %all, %columns, %product, %dot : tensor<5xf32>, tensor<f32>, tensor<97xf32>, tensor<2x33xf32>, tensor<f32>
}
";

/// A file of f32 with random signs, exponents and digits
pub fn rough(name: &str, shape: &str, count: usize, seed: u64) -> PathBuf {
    let mut r = Random::new(seed);
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    let _ = writeln!(header, "{:1$}", "", (64 - (10 + header.len() + 1) % 64) % 64);
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    for _ in 0..count {
        let bits = (r.below(2) << 31 | (115 + r.below(24)) << 23 | r.below(1 << 23)) as u32;
        bytes.extend(bits.to_le_bytes());
    }
    let path = place(&format!("{name}.npy"));
    std::fs::write(&path, bytes).expect("the folder for temporary files of tests can be written");
    path
}

/// Arguments that give the inputs
fn inputs(test: &str) -> Vec<String> {
    let shapes = [("A", "(5, 770)", 5 * 770), ("B", "(601, 97)", 601 * 97), ("C", "(33989,)", 33989)];
    let given = shapes.iter().zip(1..).map(|((name, shape, count), seed)| {
        format!("--in={name}={}", rough(&format!("{test}-{name}"), shape, *count, seed).display())
    });
    given.collect()
}

pub fn removed(inputs: &[String]) {
    for path in inputs.iter().filter_map(|input| input.splitn(3, '=').nth(2)) {
        let _ = std::fs::remove_file(path);
    }
}

fn text(order: &str) -> String {
    TEXT.replace("ORDER", order)
}

#[test]
fn all_back_ends_give_one_pattern() {
    let given = inputs("back-ends");
    let mut args: Vec<&str> = given.iter().map(String::as_str).collect();
    let compare = format!("--compare={}", with_devices("bits"));
    args.extend(["--pipeline=func.func(mdh-fix-bits)", "--tolerance=exact", &compare]);
    let shown = stdout(&run("bits", &text("invariant"), &args));
    assert!(!shown.contains("elements differ") && shown.contains("without any difference"), "{shown}");
    let fixed = run("bits-fixed", &text("fixed"), &args);
    let shown = String::from_utf8_lossy(&fixed.stdout).into_owned();
    assert!(
        shown.contains("elements differ"),
        "the order `fixed` has the same bits, which shows nothing: {shown}"
    );
    removed(&given);
}

/// Vectors of 128, 256 and 512 bits on the host
#[test]
fn all_widths_of_vectors_give_one_pattern() {
    let given = inputs("widths");
    for device in ["x86-64-v2", "x86-64-v3", "x86-64-v4"] {
        let pipeline =
            format!("--pipeline=func.func(mdh-fix-bits,mdh-inline,mdh-schedule{{target={device}}})");
        let mut args: Vec<&str> = given.iter().map(String::as_str).collect();
        args.extend([pipeline.as_str(), "--tolerance=exact", "--compare=interp,host"]);
        if terrace_native_client::client::find().is_err() {
            return println!("skipped: widths of vectors (needs llvm)");
        }
        let shown = stdout(&run(&format!("widths-{device}"), &text("invariant"), &args));
        let same = shown.matches("without any difference").count();
        assert!(same == 5 && !shown.contains("elements differ"), "{device}: {shown}");
    }
    removed(&given);
}
