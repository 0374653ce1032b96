//! Loops of copies that exchange rows and columns: those that find neighbors are innermost.

use crate::common;

use common::{parse, run_pipeline, shown};

/// The variables of the loops that a copy becomes, outermost first
fn loops(domain: &str, read: &str, written: &str, [a, b]: [&str; 2]) -> Vec<String> {
    let text = format!(
        "func.func @f(%A: memref<{a}>, %B: memref<{b}>) {{
  sched.copy (%x, %y, %z) in ({domain}) %A[{read}] to %B[{written}] : memref<{a}> to memref<{b}>
  return
}}
"
    );
    let mut ir = parse(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    run_pipeline(&mut ir, "sched-legalize", &text);
    let all = shown(&ir);
    // One op has several loops.
    let ends = all.split(" in ").map(|before| before.rsplit(['(', ' ']).next().unwrap_or_default());
    ends.filter_map(|name| name.strip_prefix('%')).map(String::from).collect()
}

#[test]
fn neighbors_are_found_by_the_innermost_loops() {
    let turned = |domain, shapes| loops(domain, "%z, %y, %x", "%x, %y, %z", shapes);
    assert_eq!(turned("13, 5, 9", ["9x5x13xf32", "13x5x9xf32"]), ["y", "x", "z"]);
    assert_eq!(turned("13, 5, 9", ["9x5x13xf64", "13x5x9xf64"]), ["y", "x", "z"]);
    // One of them is too short, or squares are not made of such elements: the order of the copy.
    assert_eq!(turned("3, 5, 9", ["9x5x3xf32", "3x5x9xf32"]), ["x", "y", "z"]);
    assert_eq!(turned("13, 5, 9", ["9x5x13xf16", "13x5x9xf16"]), ["x", "y", "z"]);
    // They stand there already, or what is between has one coordinate.
    let next = loops("5, 13, 9", "%x, %z, %y", "%x, %y, %z", ["5x9x13xf32", "5x13x9xf32"]);
    assert_eq!(next, ["x", "y", "z"]);
    assert_eq!(turned("13, 1, 9", ["9x1x13xf32", "13x1x9xf32"]), ["x", "y", "z"]);
}
