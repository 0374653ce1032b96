//! Code for FPGAs next to AMD's public headers: it compiles with them, and integers are theirs bit by bit.

use super::{CASES, Case, GEMM, TYPES, designed, designs, opt};
use crate::common::{installed, place};
use std::path::Path;
use std::process::Command;

/// Calls the text's function, and computes the same with AMD's integers
const BENCH: &str = r#"
#include <ap_fixed.h>
#include <ap_int.h>
#include <cstdio>
#include <hls_stream.h>

static const int I = 24, J = 36, K = 20;

int main() {
  static int8_t a[I * K], b[K * J];
  static int32_t c[I * J];
  hls::stream<ap_int<8> > random("random");
  for (int n = 0, seed = 1; n < I * K + K * J; n++, seed = seed * 48271 % 65521) random.write(ap_int<8>(seed));
  for (int8_t &x : a) x = random.read();
  for (int8_t &x : b) x = random.read();
  f(a, b, c);
  for (int i = 0; i < I; i++)
    for (int j = 0; j < J; j++) {
      ap_int<32> sum = 0;
      for (int k = 0; k < K; k++) sum += ap_int<8>(a[i * K + k]) * ap_int<8>(b[k * J + j]);
      if (sum != c[i * J + j]) return std::printf("%d %d: %d\n", i, j, c[i * J + j]), 1;
    }
  return 0;
}
"#;

/// Compile a text with the headers before and behind it
fn compile(headers: &Path, name: &str, text: &str, more: &str) -> std::path::PathBuf {
    let (source, program) = (place(&format!("{name}.cpp")), place(name));
    let text = format!("#include <ap_int.h>\n#include <ap_fixed.h>\n#include <hls_stream.h>\n{text}\n{more}");
    std::fs::write(&source, text).expect("the folder can be written");
    let mut compiler = Command::new("c++");
    compiler.args([
        "-std=c++17",
        "-ffp-contract=off",
        "-Wall",
        "-Werror",
        "-Wno-unknown-pragmas",
        "-Wno-unused-function",
    ]);
    compiler.arg("-isystem").arg(headers).arg("-o").arg(&program).arg(&source);
    if more.is_empty() {
        compiler.arg("-c");
    }
    let out = compiler.output().expect("a compiler is here");
    let _ = std::fs::remove_file(&source);
    assert!(out.status.success(), "{name}: {}", String::from_utf8_lossy(&out.stderr));
    program
}

fn headers(test: &str) -> Option<std::path::PathBuf> {
    let found = installed("ap_types");
    if found.is_none() {
        println!("skipped: {test} (needs ap-types)");
    }
    found
}

fn text(case: &Case, ty: (&str, &str, &str), nth: usize) -> String {
    let program = case.program(ty);
    let (chosen, ..) = designs(&program).swap_remove(nth);
    opt(&designed(&program, &chosen), &["--pipeline=to-hls", "--emit=hls"])
}

#[test]
fn d26_texts_compile_with_the_headers_of_the_tools() {
    let Some(headers) = headers("d26_texts_compile_with_the_headers_of_the_tools") else { return };
    for (n, case) in CASES.iter().enumerate() {
        let object = compile(&headers, case.name, &text(case, TYPES[n % 2], n % 5), "");
        let _ = std::fs::remove_file(object);
    }
}

#[test]
fn d26_bytes_are_those_of_the_tools() {
    let Some(headers) = headers("d26_bytes_are_those_of_the_tools") else { return };
    for nth in [1, 2] {
        let program = compile(&headers, "bench", &text(&GEMM, TYPES[1], nth), BENCH);
        let out = Command::new(&program).output().expect("it was compiled");
        let _ = std::fs::remove_file(program);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
    }
}
