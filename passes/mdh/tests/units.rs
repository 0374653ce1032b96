//! Schedules for so many threads as a program runs with: the option `units`.

use crate::common::*;
use terrace_dialect_test::values::shown;

/// The steps that are chosen
fn steps(text: &str, options: &str) -> Vec<String> {
    let mut ir = parse(text);
    lower(&mut ir, &format!("func.func(mdh-schedule{{{options}}})"), text);
    shown(&ir).split('"').filter(|part| part.contains(": (")).map(str::to_string).collect()
}

/// `y[i, j] = x[i, j] * x[i, j]`
fn squared([m, n]: [i64; 2]) -> String {
    format!(
        "func.func @f(%x: tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %y = mdh.compute (i in {m}, j in {n}) ins(%a = %x[i, j]) outs([i, j]) {{
    %p = arith.mulf %a, %a : f32
    mdh.yield %p : f32
  }} : (tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %y : tensor<{m}x{n}xf32>
}}"
    )
}

/// `y[b, c] = sum{n} x[b, c, n]`
fn sums([b, c, n]: [i64; 3]) -> String {
    format!(
        "func.func @f(%x: tensor<{b}x{c}x{n}xf32>) -> tensor<{b}x{c}xf32> {{
  %y = mdh.compute (b in {b}, c in {c}, n in {n} pw add) ins(%a = %x[b, c, n]) outs([b, c]) {{
    mdh.yield %a : f32
  }} : (tensor<{b}x{c}x{n}xf32>) -> tensor<{b}x{c}xf32>
  return %y : tensor<{b}x{c}xf32>
}}"
    )
}

/// Sums of three neighboring rows, of which each row is read for three
fn stencil([m, n]: [i64; 2]) -> String {
    let of = format!("tensor<{}x{n}xf32>", m + 2);
    format!(
        "func.func @f(%x: {of}) -> tensor<{m}x{n}xf32> {{
  %y = mdh.compute (i in {m}, j in {n}) ins(%a = %x[i, j], %b = %x[i + 1, j], %c = %x[i + 2, j]) outs([i, j]) {{
    %p = arith.addf %a, %b : f32
    %q = arith.addf %p, %c : f32
    mdh.yield %q : f32
  }} : ({of}, {of}, {of}) -> tensor<{m}x{n}xf32>
  return %y : tensor<{m}x{n}xf32>
}}"
    )
}

/// `C[i, j] = sum{k} A[i, k] * A[j, k]` with few rows
fn gram([m, k]: [i64; 2]) -> String {
    let of = format!("tensor<{m}x{k}xf32>");
    format!(
        "func.func @f(%A: {of}) -> tensor<{m}x{m}xf32> {{
  %c = mdh.compute (i in {m}, j in {m}, k in {k} pw add) ins(%a = %A[i, k], %b = %A[j, k]) outs([i, j]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : ({of}, {of}) -> tensor<{m}x{m}xf32>
  return %c : tensor<{m}x{m}xf32>
}}"
    )
}

const TARGET: &str = "target=x86-64-v4";

#[test]
fn tasks_are_as_many_as_threads() {
    let text = squared([1200, 1201]);
    let first = |units: i64| steps(&text, &format!("{TARGET} units={units} collapse=false"))[0].clone();
    for (units, part) in [(2, "(600,"), (3, "(400,"), (8, "(150,")] {
        let step = first(units);
        assert!(step.contains(part) && step.contains("THR"), "{units}: {step}");
    }
    // 0 are those of the device's file; one thread starts no others.
    assert!(first(0).contains("(300,"), "{}", first(0));
    assert!(!first(1).contains("THR"), "{}", first(1));
}

#[test]
fn functions_for_a_processor_have_as_many_too() {
    let text =
        squared([1200, 1201]).replace("32> {\n", "32> attributes {terrace.target = \"x86-64-v3\"} {\n");
    let steps = steps(&text, &format!("{TARGET} units=2 collapse=false"));
    assert!(steps[0].contains("(600,") && steps.iter().any(|step| step.contains("VEC")), "{steps:?}");
}

#[test]
fn a_grid_is_used_as_a_whole() {
    let text = squared([1200, 1201]);
    assert_eq!(steps(&text, "target=cuda units=2"), steps(&text, "target=cuda"));
}

/// Two threads have two thirds of three coordinates, and half of 31
#[test]
fn threads_divide_what_they_divide_evenly() {
    for (sizes, units, part) in
        [([3, 31, 3000], 2, "(^,16~limit,^)"), ([5, 64, 3000], 4, "(^,16,^)"), ([6, 31, 3000], 2, "(3")]
    {
        let step = steps(&sums(sizes), &format!("{TARGET} units={units} collapse=false"))[0].clone();
        assert!(step.contains(part), "{sizes:?} on {units}: {step}");
    }
}

/// Rows that are written a line at a time are read first where a cache keeps them: each row alone then. What goes past all caches is
/// written from several rows
#[test]
fn rows_that_stay_are_written_one_after_another() {
    let lanes = |sizes: [i64; 2], units: i64| {
        let steps = steps(&stencil(sizes), &format!("{TARGET} units={units} collapse=false"));
        steps.into_iter().find(|step| step.contains("16~peel")).expect("lanes")
    };
    for units in [1, 2, 4] {
        let step = lanes([1007, 1011], units);
        assert!(step.contains("(1,16~peel)"), "{units}: {step}");
    }
    let step = lanes([4096, 4099], 1);
    assert!(step.contains("(8~peel,16~peel)"), "{step}");
}

/// One thread takes long reductions with few results in short blocks, as each of several does
#[test]
fn one_thread_has_blocks_of_long_reductions() {
    let steps = steps(&gram([61, 10_007]), &format!("{TARGET} units=1"));
    let block = steps.iter().find(|step| step.contains("L2")).expect("a copy");
    assert!(block.contains("256~limit"), "{steps:?}");
}

#[test]
fn values_are_those_of_the_mathematics() {
    for units in [1, 2, 3, 7] {
        let choose = format!("func.func(mdh-schedule{{{TARGET} units={units}}})");
        for text in [squared([37, 901]), sums([3, 11, 1009]), stencil([35, 947]), gram([9, 907])] {
            agree_chosen(&text, &choose);
        }
    }
}

/// `y[h, w, c] = sum{r, s} x[h + r, w + s, c] * g[r, s, c]`
fn depthwise([h, w, c]: [i64; 3]) -> String {
    let (of, filter) = (format!("tensor<{}x{}x{c}xf32>", h + 2, w + 2), format!("tensor<3x3x{c}xf32>"));
    format!(
        "func.func @f(%x: {of}, %g: {filter}) -> tensor<{h}x{w}x{c}xf32> {{
  %y = mdh.compute (h in {h}, w in {w}, c in {c}, r in 3 pw add, s in 3 pw add)
       ins(%a = %x[h + r, w + s, c], %b = %g[r, s, c]) outs([h, w, c]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : ({of}, {filter}) -> tensor<{h}x{w}x{c}xf32>
  return %y : tensor<{h}x{w}x{c}xf32>
}}"
    )
}

/// Tasks of neighboring channels would write the same lines
#[test]
fn tasks_do_not_write_the_same_lines() {
    for units in [2, 4] {
        let options = format!("{TARGET} units={units} collapse=false");
        let step = steps(&depthwise([113, 111, 31]), &options)[0].clone();
        assert!(step.contains("THR.x") && step.contains(",^,^,^) (^,^ ; ^)"), "{units}: {step}");
    }
}
