//! Reductions of what the last cache does not hold: memory is read in order, and results are written by non-temporal stores.

use crate::common::*;
use terrace_devices::Device;
use terrace_dialect_test::values::shown;

/// The sum of an array of these extents, along those that `+` marks
fn sum(elem: &str, op: &str, extents: &[(i64, bool)]) -> String {
    let name = |n: usize| ["a", "b", "c", "d"][n];
    let list = |test: &dyn Fn(bool) -> bool, text: &dyn Fn(usize, i64) -> String| {
        let found = extents.iter().enumerate().filter(|(_, (_, reduced))| test(*reduced));
        found.map(|(n, (size, _))| text(n, *size)).collect::<Vec<_>>()
    };
    let shape = |test: &dyn Fn(bool) -> bool| list(test, &|_, size| format!("{size}x")).concat() + elem;
    let kept = list(&|reduced| !reduced, &|n, size| format!("{} in {size}", name(n)));
    let reduced = list(&|reduced| reduced, &|n, size| format!("{} in {size} pw {op}", name(n)));
    let (given, result) = (shape(&|_| true), shape(&|reduced| !reduced));
    let (read, written) =
        (list(&|_| true, &|n, _| name(n).into()), list(&|reduced| !reduced, &|n, _| name(n).into()));
    format!(
        "func.func @f(%A: tensor<{given}>) -> tensor<{result}> {{
  %y = mdh.compute ({}) ins(%a = %A[{}]) outs([{}]) {{
    mdh.yield %a : {elem}
  }} : (tensor<{given}>) -> tensor<{result}>
  return %y : tensor<{result}>
}}",
        [kept, reduced].concat().join(", "),
        read.join(", "),
        written.join(", ")
    )
}

fn chosen(text: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4})", text);
    shown(&ir)
}

const KEPT: bool = false;
const REDUCED: bool = true;

#[test]
fn short_rows_are_read_one_after_the_other() {
    let at_once = |extents: &[(i64, bool)]| chosen(&sum("f32", "add", extents)).contains("(^,4~peel)");
    assert!(!at_once(&[(86_528, REDUCED), (255, KEPT)]));
    assert!(!at_once(&[(12_289, REDUCED), (1024, KEPT)]));
    // Rows of many pages, and what a cache holds.
    assert!(at_once(&[(1280, REDUCED), (21_128, KEPT)]));
    assert!(at_once(&[(1000, REDUCED), (1024, KEPT)]));
}

#[test]
fn tasks_read_one_stretch_of_memory_each() {
    let text = chosen(&sum("f32", "add", &[(300, REDUCED), (144, KEPT), (784, REDUCED)]));
    assert!(text.contains("(^,75,^) (^ ; ^) (^,THR.x,^)"), "{text}");
}

#[test]
fn rows_of_a_large_result_are_put_together_in_the_first_cache() {
    // The result has another shape when it is returned.
    let text = chosen(&sum("f32", "add", &[(751, KEPT), (20, KEPT), (2, REDUCED), (1024, KEPT)]));
    assert!(text.contains("L1 nt") && text.contains("(3755,^,^)"), "{text}");
    // A cache holds this one.
    let text = chosen(&sum("f32", "add", &[(3001, KEPT), (7, REDUCED), (1024, KEPT)]));
    assert!(!text.contains("L1"), "{text}");
}

#[test]
fn the_last_vector_of_short_rows_is_masked() {
    let text = chosen(&sum("f16", "max", &[(50_000, KEPT), (60, REDUCED)]));
    assert!(text.contains("32~limit"), "{text}");
    // One vector of four lanes is left.
    let text = chosen(&sum("f16", "max", &[(50_000, KEPT), (68, REDUCED)]));
    assert!(!text.contains("~limit"), "{text}");
}

/// A device whose caches are so small that all is far, as a file
fn small(units: i64) -> String {
    let mut device = Device { units, ..Device::find("x86-64-v4").expect("built in") };
    for (memory, bytes) in device.memories.iter_mut().zip([4096, 8192, 16_384]) {
        (memory.bytes, memory.opt_in, memory.ways) = (bytes, bytes, 2);
    }
    let file = std::env::temp_dir().join(format!("terrace-far-{}-{units}.toml", std::process::id()));
    std::fs::write(&file, device.text("small caches")).expect("temporary files can be written");
    file.display().to_string()
}

#[test]
fn values_are_the_same_where_no_cache_holds_anything() {
    let all: [(&str, &str, &[(i64, bool)]); 10] = [
        ("f32", "add", &[(37, KEPT), (5, KEPT), (3, REDUCED), (64, KEPT)]),
        ("f32", "add", &[(37, KEPT), (5, REDUCED), (3, REDUCED), (259, KEPT)]),
        ("f32", "add", &[(613, REDUCED), (61, KEPT)]),
        ("f32", "max", &[(13, REDUCED), (29, REDUCED), (255, KEPT)]),
        ("f32", "add", &[(7, REDUCED), (31, KEPT), (11, REDUCED), (48, KEPT)]),
        ("f64", "add", &[(41, KEPT), (2, REDUCED), (256, KEPT)]),
        ("f32", "add", &[(31, REDUCED), (13, KEPT), (83, REDUCED)]),
        ("f16", "max", &[(571, KEPT), (60, REDUCED)]),
        ("f32", "add", &[(571, KEPT), (47, REDUCED)]),
        ("i32", "add", &[(33, KEPT), (17, KEPT), (31, REDUCED)]),
    ];
    for units in 1..=4 {
        let file = small(units);
        for (elem, op, extents) in &all {
            agree_chosen(&sum(elem, op, extents), &format!("func.func(mdh-schedule{{target={file}}})"));
        }
        let _ = std::fs::remove_file(file);
    }
}
