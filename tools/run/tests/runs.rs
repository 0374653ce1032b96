//! The real binary on files: what is given, what comes out, what is refused.

use crate::common;

use common::{place, refused, run, stdout};
use terrace_runtime_buffers::{Buffer, ElemType};

const SCALE: &str = "\
func.func @scale(%x: memref<4xf32>, %y: memref<4xf32> {terrace.name = \"out\"}, %a: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %x[%i] : memref<4xf32>
    %p = arith.mulf %v, %a : f32
    memref.store %p, %y[%i] : memref<4xf32>
  }
  return
}
";

const SUM: &str = "\
func.func @sum(%x: tensor<4xi32>, %n: i32) -> (tensor<4xi32>, i32) {
  %s = arith.addi %x, %x : tensor<4xi32>
  %t = arith.addi %n, %n : i32
  return %s, %t : tensor<4xi32>, i32
}
func.func private @helper(%a: i32) -> i32 {
  return %a : i32
}
";

#[test]
fn memory_is_input_and_output() {
    let file = place("scaled.npy");
    let out = format!("--out=out={}", file.display());
    stdout(&run("memory", SCALE, &["--in=x=iota", "--in=a=fill:0.5", &out]));
    let found = Buffer::read_npy(&file).expect("written");
    let _ = std::fs::remove_file(&file);
    assert_eq!(found.view::<f32>(), Some(&[0.0, 0.5, 1.0, 1.5][..]));
}

#[test]
fn results_have_names_and_are_shown() {
    let shown = stdout(&run("results", SUM, &["--in=0=iota", "--in=%n=fill:-4"]));
    assert_eq!(shown, "s : 4xi32 = 0, 2, 4, 6\nt : i32 = -8\n");
}

#[test]
fn an_unknown_name_is_refused_with_those_there_are() {
    refused(&run("unknown", SUM, &["--in=y=iota"]), 1, "it has x, n");
    refused(&run("entry", SUM, &["--entry=@sun"]), 1, "did you mean @sum?");
    refused(&run("output", SUM, &["--in=x=iota", "--in=n=fill:1", "--out=x=y.npy"]), 1, "is a value");
}

#[test]
fn a_value_must_be_given() {
    refused(&run("missing", SUM, &["--in=x=iota"]), 1, "argument `n` is not given");
}

#[test]
fn misuse_is_2() {
    refused(&run("misuse", SUM, &["--in=x=ioat"]), 2, "expected FILE.npy");
    refused(&run("backend", SUM, &["--on=abacus"]), 2, "abacus");
    refused(&run("tolerance", SUM, &["--tolerance=-1"]), 2, "at least 0");
}

#[test]
fn an_array_of_another_shape_is_refused() {
    let file = place("shape.npy");
    Buffer::zeros(ElemType::I32, &[2, 2]).and_then(|b| b.write_npy(&file)).expect("can be written");
    let input = format!("--in=x={}", file.display());
    let out = run("shape", SUM, &[&input, "--in=n=fill:1"]);
    let _ = std::fs::remove_file(&file);
    refused(&out, 1, "has shape [2, 2], but [4] is expected");
}

#[test]
fn an_array_of_other_elements_is_refused() {
    let file = place("elements.npy");
    Buffer::zeros(ElemType::F64, &[4]).and_then(|b| b.write_npy(&file)).expect("can be written");
    let input = format!("--in=x={}", file.display());
    let out = run("elements", SUM, &[&input, "--in=n=fill:1"]);
    let _ = std::fs::remove_file(&file);
    refused(&out, 1, "i32 is expected");
}

#[test]
fn a_missing_or_broken_file_is_refused() {
    refused(&run("absent", SUM, &["--in=x=absent.npy", "--in=n=fill:1"]), 1, "absent.npy");
    let file = place("broken.npy");
    std::fs::write(&file, b"\x93NUMPY\x01\x00\x10").expect("can be written");
    let out = run("broken", SUM, &[&format!("--in=x={}", file.display()), "--in=n=fill:1"]);
    let _ = std::fs::remove_file(&file);
    refused(&out, 1, "broken.npy");
}

#[test]
fn nothing_is_written_where_a_value_is_missing() {
    let text = SCALE.replace("%c4 = arith.constant 4", "%c4 = arith.constant 3");
    let file = place("partial.npy");
    let out = format!("--out=out={}", file.display());
    let out = run("partial", &text, &["--in=x=iota", "--in=a=fill:1", &out]);
    assert!(!file.exists());
    refused(&out, 1, "no value at [3] (1 of 4 elements)");
}

#[test]
fn a_read_only_output_is_refused_before_the_run() {
    let file = place("read-only.npy");
    std::fs::write(&file, "old").expect("can be written");
    let mut permissions = std::fs::metadata(&file).expect("it is there").permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&file, permissions).expect("it is ours");
    let out =
        run("read-only", SCALE, &["--in=x=iota", "--in=a=fill:1", &format!("--out=out={}", file.display())]);
    assert_eq!(std::fs::read(&file).ok().as_deref(), Some(&b"old"[..]));
    let _ = std::fs::remove_file(&file);
    refused(&out, 1, "it is read-only");
}

#[test]
fn open_sizes_come_from_shape_or_file() {
    let text = SCALE
        .replace("%x: memref<4xf32>", "%x: memref<?xf32>")
        .replace("%x[%i] : memref<4xf32>", "%x[%i] : memref<?xf32>");
    refused(&run("open", &text, &["--in=x=iota", "--in=a=fill:1"]), 1, "leaves sizes open");
    let shown = stdout(&run("open2", &text, &["--in=x=iota", "--shape=x=5", "--in=a=fill:1"]));
    assert_eq!(shown, "x : 5xf32 = 0, 1, 2, 3, 4\nout : 4xf32 = 0, 1, 2, 3\n");
}

#[test]
fn a_trap_is_an_error() {
    let text = SCALE.replace("%c4 = arith.constant 4", "%c4 = arith.constant 5");
    refused(&run("trap", &text, &["--in=x=iota", "--in=a=fill:1"]), 1, "outside of the memory");
}

#[test]
fn times_are_one_line_of_json() {
    let shown = stdout(&run("bench", SUM, &["--in=x=iota", "--in=n=fill:1", "--bench=3"]));
    assert_eq!(shown.lines().count(), 1);
    assert!(
        shown.starts_with("{\"") && shown.contains("\"median_ns\":") && shown.contains("\"runs\":3"),
        "{shown}"
    );
}

#[test]
fn measuring_may_go_on_until_the_mean_is_known() {
    let shown = stdout(&run("bench-ci", SUM, &["--in=x=iota", "--in=n=fill:1", "--bench=ci"]));
    let line: serde_json::Value = serde_json::from_str(&shown).expect("a line of JSON");
    let number = |name: &str| line[name].as_f64().expect("a number");
    assert!(number("runs") >= 10.0);
    assert!(number("ci99_ns") <= 0.05 * number("mean_ns") + 1.0 || number("runs") >= 20_000.0, "{shown}");
    refused(&run("bench-none", SUM, &["--bench=0"]), 2, "expected 1 to 1000000, or `ci`");
}

/// A device's memory holds a number where the interpreter has none; a result of one byte may be that number
#[test]
fn every_number_of_few_bits_is_a_result_of_a_device() {
    if terrace_runtime_opencl::Device::open(&terrace_runtime_opencl::Preference::Any).is_err() {
        println!("skipped: every_number_of_few_bits_is_a_result_of_a_device (needs pocl)");
        return;
    }
    for (elem, number) in [("i8", -59), ("i16", -14907), ("i8", 58)] {
        let text = format!(
            "func.func @f(%x: tensor<37x{elem}>) -> tensor<37x{elem}> {{
  %y = mdh.compute (i in 37) ins(%a = %x[i]) outs([i]) {{
    %b = arith.addi %a, %a : {elem}
    %c = arith.subi %b, %a : {elem}
    mdh.yield %c : {elem}
  }} : (tensor<37x{elem}>) -> tensor<37x{elem}>
  return %y : tensor<37x{elem}>
}}"
        );
        let out = run("few", &text, &["--compare=interp,opencl", &format!("--in=x=fill:{number}")]);
        assert!(stdout(&out).contains("all 37 elements agree"), "{elem}: {}", stdout(&out));
    }
}
