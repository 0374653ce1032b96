//! `sched.contract` on this processor: dot products in lanes and tiles, by the instructions that there are, against the interpreter.
//!
//! Rows that are no multiple of 16 have no tiles, so they are computed in lanes; columns that are no multiple of 16 are for
//! lanes of 256 bits, and those that are no multiple of 8 for none.

use crate::common::backends::agree_on;
use terrace_devices::{Device, MatrixUnit, Products};
use terrace_opt::{Tool, run_on};

/// Rows and columns of the sums, groups of the left and of the right panel
type Sizes = [i64; 4];

/// A contraction of parts of two panels
fn contraction([m, n, left, right]: Sizes, [from, to]: [&str; 2], attributes: &str) -> String {
    let bytes = if from == "i8" { 1 } else { 2 };
    let lhs = format!("memref<{left}x{}x{}x{from}>", m + 3, 64 / bytes);
    let rhs = format!("memref<{right}x{}x{}x{from}>", n + 5, 4 / bytes);
    let acc = format!("memref<{m}x{n}x{to}>");
    format!(
        "func.func @f(%A: {lhs} {{terrace.name = \"A\"}}, %B: {rhs} {{terrace.name = \"B\"}}, %C: {acc} {{terrace.name = \"C\"}}) {{
  %r = arith.constant 2 : index
  %c = arith.constant 3 : index
  sched.contract %A[%r], %B[%c] into %C {attributes} : {lhs}, {rhs} into {acc}
  return
}}"
    )
}

/// Sums of sizes with and without remainders, for each unit
const SIZES: [Sizes; 5] = [[13, 48, 2, 21], [37, 16, 3, 33], [5, 24, 1, 3], [32, 32, 2, 17], [7, 19, 2, 18]];

/// Inputs are any bits of integers, and small floats
fn compare(test: &str, sizes: Sizes, types: [&str; 2], attributes: &str) {
    if terrace_targets::find("host").is_none_or(|host| host.missing().is_some()) {
        return println!("skipped: {test} (needs llvm)");
    }
    let text = contraction(sizes, types, attributes);
    let name = format!("{test}-{}-{}", types[0], sizes.map(|size| size.to_string()).join("x"));
    agree_on(
        "interp,host",
        &name,
        &text,
        &["--in", "A=random:1", "--in", "B=random:2", "--in", "C=random:3"],
        "C",
    );
}

/// States which unit computes sums here, so that a test of another one is no silent success
fn announce(test: &str, products: Products) {
    let units = Device::host().matrix_units;
    for unit in MatrixUnit::ALL.iter().filter(|unit| unit.adds(products) && !units.contains(unit)) {
        println!("skipped: {test} on {} (needs a processor that has it)", unit.word());
    }
}

#[test]
fn bytes_of_any_sign() {
    announce("bytes_of_any_sign", Products::Bytes);
    for sizes in SIZES {
        for attributes in ["", "{lhs_unsigned}", "{rhs_unsigned}", "{lhs_unsigned, rhs_unsigned}"] {
            compare("bytes_of_any_sign", sizes, ["i8", "i32"], attributes);
        }
    }
}

#[test]
fn words_and_sums_that_begin_at_zero() {
    announce("words_and_sums_that_begin_at_zero", Products::Words);
    for sizes in SIZES {
        for attributes in ["", "{overwrite}", "{lhs_unsigned, overwrite}"] {
            compare("words_and_sums_that_begin_at_zero", sizes, ["i16", "i32"], attributes);
        }
    }
}

#[test]
fn floats_that_may_differ() {
    announce("floats_that_may_differ", Products::FreeBf16);
    for sizes in SIZES {
        for attributes in ["", "{free}", "{free, overwrite}"] {
            compare("floats_that_may_differ", sizes, ["bf16", "f32"], attributes);
        }
    }
}

/// A window over rows of an image and a batch of products, with panels that have dimensions in front; sizes leave remainders everywhere
#[test]
fn windows_and_batches() {
    let window = |ty: &str, group: i64, sum: &str| {
        let (small, large) = (4 / group, 64 / group);
        format!(
            "A : {ty} [2, 3, 18, 5];  F : {ty} [2, 2, 5, 17];
C[n, h, w, o] = {sum}{{r in 2, s in 2, c}} A[n, h + r, w + s, c] * F[r, s, c, o]
schedule( 1: (^,^,^,^,^,^,^) (^,L2[1,2,3/{small},4,3%{small}] ; ^) (^,^,^,^,^,^,^)
  2: (1,1,^,^,^,^,^) (L2[1,2,4/{large},3,4%{large}],^ ; ^) (FOR.2,THR.x,^,^,^,^,^)
  3: (^,^,16~pad,^,^,^,^) (^,^ ; ^) (^,^,FOR.1,^,^,^,^)
  4: (^,^,^,16~pad,^,^,^) (^,^ ; REG) (^,^,^,FOR.1,^,^,^)
  5: (^,^,^,^,1,1,^) (^,^ ; ^) (^,^,^,^,FOR.1,FOR.2,^)
  6: (^,^,1,1,^,^,1) (^,^ ; ^) (^,^,FOR.2,FOR.3,^,^,FOR.1));"
        )
    };
    let batch = "A : i8 [3, 19, 6];  B : i8 [3, 6, 17];
C[b, i, j] = sum{k} A[b, i, k] * B[b, k, j]
schedule( 1: (1,^,^,^) (L2[1,3/64,2,3%64],L2[1,2/4,3,2%4] ; ^) (THR.x,^,^,^)
  2: (^,16~pad,^,^) (^,^ ; ^) (^,FOR.1,^,^)
  3: (^,^,16~pad,^) (^,^ ; REG) (^,^,FOR.1,^)
  4: (^,1,1,1) (^,^ ; ^) (^,FOR.2,FOR.3,FOR.1));"
        .to_owned();
    let tensors = [
        ("window", window("i8", 1, "sum"), "F"),
        ("lanes", window("i8", 1, "sum").replace("16~pad,^,^,^,^)", "13~pad,^,^,^,^)"), "F"),
        ("floats", window("bf16", 2, "sum<f32>"), "F"),
        ("batch", batch, "B"),
    ];
    for (name, text, right) in tensors {
        let pipeline = "--pipeline=func.func(tensors-to-memory,mdh-to-sched,sched-contract)".to_owned();
        let args = ["--input=tensor".to_owned(), pipeline];
        let finished = run_on(Tool::OPT, &args, name, &text).expect("the arguments are right");
        let shown = String::from_utf8(finished.out.unwrap_or_default()).expect("it is text");
        assert_eq!(shown.matches("sched.contract").count(), 1, "{name}: {}{shown}", finished.messages);
        if terrace_targets::find("host").is_none_or(|host| host.missing().is_some()) {
            println!("skipped: windows_and_batches on host (needs llvm)");
            continue;
        }
        let right = format!("{right}=random:2");
        let args = ["--input=tensor", "--in", "A=random:1", "--in", &right];
        agree_on("interp,host", &format!("windows_and_batches-{name}"), &text, &args, "C");
    }
}

/// Instructions in the code for a processor, which need not be this one
fn count(name: &str, text: &str, processor: &str, instruction: &str) -> usize {
    let args = ["--pipeline=to-host", "--emit=asm", &format!("--target-cpu={processor}")].map(String::from);
    let finished = run_on(Tool::OPT, &args, name, text).expect("the arguments are right");
    assert!(!finished.failed, "{name}:\n{}", finished.messages);
    let code = String::from_utf8(finished.out.expect("it did not fail")).expect("it is text");
    code.lines().filter(|line| line.split_whitespace().any(|word| word == instruction)).count()
}

#[test]
fn processors_have_their_instructions() {
    if terrace_targets::find("host").is_none_or(|host| host.missing().is_some()) {
        return println!("skipped: processors_have_their_instructions (needs llvm)");
    }
    let sizes = [13, 32, 2, 21];
    let bytes = contraction(sizes, ["i8", "i32"], "");
    let words = contraction(sizes, ["i16", "i32"], "");
    let floats = contraction(sizes, ["bf16", "f32"], "");
    let free = contraction(sizes, ["bf16", "f32"], "{free}");
    for processor in ["icelake-server", "alderlake", "znver5"] {
        assert!(count("bytes", &bytes, processor, "vpdpbusd") > 0, "{processor}");
        assert!(count("words", &words, processor, "vpdpwssd") > 0, "{processor}");
    }
    for processor in ["haswell", "skylake-avx512", "x86-64-v4"] {
        assert_eq!(count("bytes", &bytes, processor, "vpdpbusd"), 0, "{processor}");
        assert!(count("bytes", &bytes, processor, "vpmaddwd") > 0, "{processor}");
        assert!(count("words", &words, processor, "vpmaddwd") > 0, "{processor}");
    }
    // Dot products of bf16 flush subnormal numbers, so values have to be free.
    assert!(count("free", &free, "cooperlake", "vdpbf16ps") > 0);
    assert_eq!(count("floats", &floats, "cooperlake", "vdpbf16ps"), 0);
    assert_eq!(count("free", &free, "icelake-server", "vdpbf16ps"), 0);
}
