//! Functions in several versions: each is code for its level, and the processor chooses.

use crate::common;

use common::worker;
use terrace_native_client::{Arg, EmitKind, EmitOptions, RunRequest};

/// Versions that say which they are
const WHO: &str = "
func.func @who() -> i64 attributes {terrace.target = \"x86-64-v2\", terrace.versions = [@v4, @v3]} {
  %x = arith.constant 2 : i64
  return %x : i64
}
func.func private @v3() -> i64 attributes {terrace.target = \"x86-64-v3\"} {
  %x = arith.constant 3 : i64
  return %x : i64
}
func.func private @v4() -> i64 attributes {terrace.target = \"x86-64-v4\"} {
  %x = arith.constant 4 : i64
  return %x : i64
}
func.func @caller() -> i64 {
  %x = func.call @who() : () -> i64
  return %x : i64
}
";

fn run(entry: &str) -> u64 {
    let request = RunRequest { entry: entry.into(), ..RunRequest::default() };
    let reply = worker().run(WHO, &request).expect("it runs");
    match &reply.results[..] {
        [Arg::Scalar { bits, .. }] => *bits,
        other => panic!("one number, not {}", other.len()),
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn the_best_that_the_processor_has_is_called() {
    let level = terrace_runtime_abi::terrace_cpu_level().clamp(2, 4) as u64;
    assert_eq!(run("who"), level);
    assert_eq!(run("caller"), level);
    // The runtime's answer against what the standard library says of two extensions
    assert_eq!(level >= 3, std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma"));
    assert_eq!(level == 4, std::is_x86_feature_detected!("avx512vl"));
}

#[test]
#[cfg(target_arch = "x86_64")]
fn each_version_is_code_for_its_level() {
    let function = |name: &str, target: &str, more: &str| {
        format!(
            "func.func {name}(%p: memref<4x16xf32>) attributes {{terrace.target = \"{target}\"{more}}} {{
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %x = vector.load %p[%c0, %c0] : memref<4x16xf32>, vector<16xf32>
               %y = vector.load %p[%c1, %c0] : memref<4x16xf32>, vector<16xf32>
               %z = vector.fma %x, %y, %x : vector<16xf32>
               vector.store %z, %p[%c0, %c0] : memref<4x16xf32>, vector<16xf32>
               return
             }}\n"
        )
    };
    let text = function("@f", "x86-64-v2", ", terrace.versions = [@g, @h]")
        + &function("private @g", "x86-64-v4", "")
        + &function("private @h", "x86-64-v3", "");
    let options = EmitOptions { cpu: Some("x86-64-v2".into()), ..EmitOptions::default() };
    let code = worker().emit(&text, EmitKind::Asm, &options).expect("it is emitted");
    let code = String::from_utf8(code).expect("text");
    let part = |name: &str| function_in(&code, name);
    assert!(part("g.local").contains("vfmadd") && part("g.local").contains("zmm"), "{}", part("g.local"));
    assert!(part("h.local").contains("vfmadd") && !part("h.local").contains("zmm"), "{}", part("h.local"));
    // Without an instruction for both, a product and a sum: no call
    let base = part("f");
    assert!(base.contains("mulps") && base.contains("addps"), "{base}");
    assert!(!base.contains("ymm") && !base.contains("fma"), "{base}");
    assert!(base.contains("terrace_cpu_level"), "{base}");
}

/// A function's part of assembly
#[cfg(target_arch = "x86_64")]
fn function_in<'a>(code: &'a str, name: &str) -> &'a str {
    let from = code.find(&format!("\n{name}:")).unwrap_or_else(|| panic!("{name}\n{code}"));
    let end = code[from..].find(".Lfunc_end").expect("it ends");
    &code[from..from + end]
}

/// The program's processor has AVX-512, a function's level does not: neither its code nor what it calls for rare arguments may use it
#[test]
#[cfg(target_arch = "x86_64")]
fn functions_of_rows_are_code_for_the_level() {
    let function = |name: &str, attributes: &str| {
        format!(
            "func.func {name}(%p: memref<32xf32>) {attributes} {{
               %c0 = arith.constant 0 : index
               %x = vector.load %p[%c0] : memref<32xf32>, vector<8xf32>
               %y = math.exp %x : vector<8xf32>
               %z = math.sin %y : vector<8xf32>
               vector.store %z, %p[%c0] : memref<32xf32>, vector<8xf32>
               return
             }}\n"
        )
    };
    let text = function("@f", "") + &function("@g", "attributes {terrace.target = \"x86-64-v3\"}");
    let options = EmitOptions {
        cpu: Some("x86-64-v4".into()),
        features: Some("+avx2,+fma,+avx512f,+avx512vl,+avx512dq".into()),
        ..EmitOptions::default()
    };
    let code = worker().emit(&text, EmitKind::Asm, &options).expect("it is emitted");
    let code = String::from_utf8(code).expect("text");
    let part = |name: &str| function_in(&code, name);
    assert!(part("f").contains("vscalefps"), "{}", part("f"));
    assert!(!part("g").contains("vscalefps") && !part("g").contains("%k"), "{}", part("g"));
    let calls = |name: &str| {
        part(name).lines().filter(|line| line.contains("call")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(!calls("g").is_empty() && calls("f").iter().all(|call| !calls("g").contains(call)), "{code}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn what_is_no_version_is_refused() {
    let refused = |text: &str| {
        let errors = worker().emit(text, EmitKind::Asm, &EmitOptions::default()).expect_err("it is refused");
        errors[0].message.clone()
    };
    let with = |attr: &str, rest: &str| {
        format!("func.func @f(%x: i32) attributes {{terrace.versions = {attr}}} {{\n  return\n}}\n{rest}")
    };
    let other = |attrs: &str, ty: &str| format!("func.func private @g(%x: {ty}) {attrs} {{\n  return\n}}\n");
    let target = "attributes {terrace.target = \"x86-64-v4\"}";
    assert_eq!(refused(&with("7", "")), "`f` has a `terrace.versions` that is no list of functions");
    assert_eq!(refused(&with("[@g]", "")), "`f` has a version @g that is not here");
    let openmp = "attributes {terrace.target = \"openmp\"}";
    for attrs in ["", openmp] {
        assert_eq!(
            refused(&with("[@g]", &other(attrs, "i32"))),
            "`f` has a version @g without a `terrace.target` of x86-64-v2, x86-64-v3, x86-64-v4"
        );
    }
    assert_eq!(refused(&with("[@g]", &other(target, "i64"))), "`f` has a version @g of another type");
    let vectors =
        with("[@g]", &other(target, "vector<4xf32>")).replace("@f(%x: i32)", "@f(%x: vector<4xf32>)");
    assert_eq!(
        refused(&vectors),
        "`f` has versions, but takes or gives a vector, which levels pass in different registers"
    );
}
