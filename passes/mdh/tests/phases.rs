//! `mdh-phases`: windows over spaced elements become a dense computation for each phase, with the same values.

use crate::common::*;
use terrace_dialect_test::values::shown;

/// The function after the pass, and how many computations it has
fn divided(text: &str) -> (String, usize) {
    let mut ir = parse(text);
    lower(&mut ir, "func.func(mdh-phases)", text);
    let found = shown(&ir);
    let computes = found.matches("mdh.compute").count();
    (found, computes)
}

/// A window of `taps` over `count` elements that are `stride` places apart, the first at `from` among `places`; elements of channels `c`
struct Line {
    elem: &'static str,
    plus: &'static str,
    times: &'static str,
    constant: &'static str,
    count: i64,
    stride: i64,
    from: i64,
    places: i64,
    taps: i64,
    /// Factors of the result's and of the window's coordinate
    steps: [i64; 2],
}

const LINE: Line = Line {
    elem: "f32",
    plus: "add",
    times: "mulf",
    constant: "0.0",
    count: 23,
    stride: 2,
    from: 2,
    places: 49,
    taps: 3,
    steps: [1, 1],
};

impl Line {
    fn text(&self) -> String {
        let Line { elem, plus, times, constant, count, stride, from, places, taps, steps: [a, b] } = self;
        let results = (places - 1 - b * (taps - 1)) / a + 1;
        format!(
            "func.func @f(%X: tensor<{count}x5x{elem}>, %W: tensor<{taps}x5x7x{elem}>) -> tensor<{results}x7x{elem}> {{
  %c = arith.constant {constant} : {elem}
  %0 = mdh.compute (i in {places}, c in 5) ins(%a = %c) outs([i, c]) {{
    mdh.yield %a : {elem}
  }} : ({elem}) -> tensor<{places}x5x{elem}>
  %1 = mdh.compute (i in {count}, c in 5) ins(%a = %X[i, c]) outs([{stride} * i + {from}, c] into %0) {{
    mdh.yield %a : {elem}
  }} : (tensor<{count}x5x{elem}>, tensor<{places}x5x{elem}>) -> tensor<{places}x5x{elem}>
  %2 = mdh.compute \"sums\" (y in {results}, f in 7, k in {taps} pw {plus}, c in 5 pw {plus}) ins(%a = %1[{a} * y + {b} * k, c], %b = %W[k, c, f]) outs([y, f]) {{
    %p = arith.{times} %a, %b : {elem}
    mdh.yield %p : {elem}
  }} : (tensor<{places}x5x{elem}>, tensor<{taps}x5x7x{elem}>) -> tensor<{results}x7x{elem}>
  return %2 : tensor<{results}x7x{elem}>
}}"
        )
    }
}

#[test]
fn strides_windows_and_margins() {
    for (stride, from, taps) in [(2, 2, 3), (2, 0, 4), (2, 1, 2), (3, 1, 2), (3, 5, 7), (4, 0, 5), (5, 3, 3)]
    {
        let places = from + stride * 22 + 3;
        let text = Line { stride, from, places, taps, ..LINE }.text();
        let (found, computes) = divided(&text);
        assert!(computes > stride.min(taps) as usize, "{stride}, {from}, {taps}\n{found}");
        assert!(!found.contains(&format!("{stride} * i")), "spaces remain\n{found}");
        agree(&text);
    }
}

#[test]
fn steps_of_results_and_windows() {
    // A step that the stride divides meets one remainder only; one with a common divisor meets elements at some places of the result.
    for (steps, stride, taps) in
        [([3, 1], 2, 4), ([2, 1], 2, 4), ([1, 2], 4, 5), ([2, 1], 4, 6), ([1, 3], 2, 3)]
    {
        let text = Line { steps, stride, places: 2 + 22 * stride + 5, taps, ..LINE }.text();
        let (found, computes) = divided(&text);
        assert!(computes > 3, "{steps:?}, {stride}\n{found}");
        agree(&text);
    }
}

#[test]
fn operators_and_constants() {
    for (elem, plus, times, constant) in [
        ("i32", "add", "muli", "3"),
        ("i64", "max", "addi", "-2"),
        ("i16", "xor", "andi", "5"),
        ("f64", "min", "addf", "1.5"),
        ("f32", "add free", "mulf", "-0.5"),
        ("i32", "add source", "muli", "1"),
    ] {
        let text = Line { elem, plus, times, constant, ..LINE }.text();
        let (found, computes) = divided(&text);
        assert_eq!(computes, 7, "{plus}, {times}\n{found}");
        agree(&text);
    }
}

#[test]
fn infinite_operands_meet_the_constant() {
    // Zero times infinity is no number, wherever the window covers a place between elements.
    let text = LINE.text().replace(
        "%p = arith.mulf %a, %b : f32",
        "%inf = arith.constant 0x7F800000 : f32\n%p = arith.mulf %a, %inf : f32",
    );
    let (found, computes) = divided(&text);
    assert_eq!(computes, 7, "{found}");
    let mut ir = parse(&text);
    let before = as_it_is(&ir, "f");
    lower(&mut ir, "func.func(mdh-phases)", &text);
    same(&before, &as_it_is(&ir, "f"), &text);
    assert!(before[0].iter().any(|number| format!("{number:?}").contains("NaN")), "{before:?}");
}

/// Filters as torch has them, mirrored: the terms with the constant are sums of long rows, not of rows of four
#[test]
fn filters_in_rows() {
    let text = "func.func @f(%X: tensor<5x7x9xf32>, %W: tensor<5x6x3x4xf32>) -> tensor<6x13x25xf32> {
  %c = arith.constant 0.5 : f32
  %0 = mdh.compute (c in 5, i in 15, j in 28) ins(%a = %c) outs([c, i, j]) {
    mdh.yield %a : f32
  } : (f32) -> tensor<5x15x28xf32>
  %1 = mdh.compute (c in 5, i in 7, j in 9) ins(%a = %X[c, i, j]) outs([c, 2 * i + 1, 3 * j + 2] into %0) {
    mdh.yield %a : f32
  } : (tensor<5x7x9xf32>, tensor<5x15x28xf32>) -> tensor<5x15x28xf32>
  %2 = mdh.compute (f in 6, y in 13, x in 25, c in 5 pw add, k in 3 pw add, l in 4 pw add) ins(%a = %1[c, y + k, x + l], %b = %W[c, f, 2 - k, 3 - l]) outs([f, y, x]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<5x15x28xf32>, tensor<5x6x3x4xf32>) -> tensor<6x13x25xf32>
  return %2 : tensor<6x13x25xf32>
}";
    let (found, _) = divided(text);
    assert!(found.contains("(f_k_l in 72, c in 5 pw add)"), "{found}");
    agree(text);
}

/// Two dimensions with other strides, in a batch
#[test]
fn planes() {
    let text = "func.func @f(%X: tensor<2x7x9x5xf32>, %W: tensor<3x4x5x6xf32>) -> tensor<2x13x25x6xf32> {
  %c = arith.constant 0.0 : f32
  %0 = mdh.compute (n in 2, i in 15, j in 28, c in 5) ins(%a = %c) outs([n, i, j, c]) {
    mdh.yield %a : f32
  } : (f32) -> tensor<2x15x28x5xf32>
  %1 = mdh.compute (n in 2, i in 7, j in 9, c in 5) ins(%a = %X[n, i, j, c]) outs([n, 2 * i + 1, 3 * j + 2, c] into %0) {
    mdh.yield %a : f32
  } : (tensor<2x7x9x5xf32>, tensor<2x15x28x5xf32>) -> tensor<2x15x28x5xf32>
  %2 = mdh.compute (n in 2, y in 13, x in 25, f in 6, k in 3 pw add, l in 4 pw add, c in 5 pw add) ins(%a = %1[n, y + k, x + l, c], %b = %W[k, l, c, f]) outs([n, y, x, f]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<2x15x28x5xf32>, tensor<3x4x5x6xf32>) -> tensor<2x13x25x6xf32>
  return %2 : tensor<2x13x25x6xf32>
}";
    let (found, computes) = divided(text);
    // Terms, two sums of them, starts, and six phases of the slice itself.
    assert_eq!(computes, 1 + 2 + 1 + 6, "{found}");
    agree(text);
}

/// The same as a guard: an element counts where the division leaves nothing
#[test]
fn guards() {
    let text = "func.func @f(%X: tensor<11x13xi32>, %W: tensor<3x5xi32>) -> tensor<24x29xi32> {
  %0 = mdh.compute (y in 24, x in 29, k in 3 pw add, l in 5 pw add) ins(%a = %X[(y - k) floordiv 2, (x - l + 1) floordiv 2] else 0 if (y - k) mod 2 + (x - l + 1) mod 2 = 0, %b = %W[k, l]) outs([y, x]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<11x13xi32>, tensor<3x5xi32>) -> tensor<24x29xi32>
  return %0 : tensor<24x29xi32>
}";
    let (found, computes) = divided(text);
    // Rows alternate: those of each phase are computed, then spread.
    assert_eq!(computes, 1 + 2 + 1 + 2 * 4, "{found}");
    assert!(!found.contains("floordiv"), "{found}");
    agree(text);
}

#[test]
fn others_stay() {
    let text = LINE.text();
    for (what, other) in [
        ("order", text.replace("pw add", "pw add source")),
        ("a dense slice", Line { stride: 1, ..LINE }.text()),
        ("a schedule", text.replace("outs([y, f]) {", "outs([y, f]) attributes {mdh.schedule = [\"1: (1,1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3,FOR.4)\"]} {")),
        ("coordinates as values", text.replace("%p = arith.mulf %a, %b : f32", "%n = mdh.index 2\n%m = arith.index_cast %n : index to i32\n%q = arith.sitofp %m : i32 to f32\n%p = arith.mulf %a, %q : f32")),
        ("conditions", text.replace("c in 5 pw add) ins", "c in 5 pw add) where k < y ins")),
    ] {
        let (found, computes) = divided(&other);
        assert_eq!(computes, 3, "{what}\n{found}");
    }
}
