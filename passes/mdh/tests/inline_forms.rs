//! `mdh-inline`: readers of each form, what stays stored, and values down to buffers.

use crate::common::*;
use terrace_dialect_test::values::shown;
use terrace_support::Random;

const PASS: &str = "func.func(mdh-inline)";

/// The function after the pass, and how many computations it has
fn inlined(text: &str) -> (String, usize) {
    let mut ir = parse(text);
    lower(&mut ir, PASS, text);
    let found = shown(&ir);
    let computes = found.matches("mdh.compute").count();
    (found, computes)
}

/// Bit for bit what the function gave, in the interpreter and on buffers
fn equal(text: &str, computes: usize) {
    let wanted = as_it_is(&parse(text), "f");
    let (found, after) = inlined(text);
    assert_eq!(after, computes, "{found}");
    let mut ir = parse(text);
    for step in [PASS, "func.func(mdh-operators,mdh-schedule{target=x86-64-v4},mdh-to-sched)", DOWN] {
        lower(&mut ir, step, text);
        let found = match step {
            PASS => as_it_is(&ir, "f"),
            _ => lowered(&ir, "f", text, wanted.len()),
        };
        same(&wanted, &found, &format!("{step}\n{text}"));
    }
}

/// `p = (x + 1) · x`, element by element, and a reader of it
fn with_reader(dims: &str, reads: &str, outs: &str, result: &str) -> String {
    format!(
        "func.func @f(%x: tensor<13x17xi32>, %y: tensor<13x17xi32>) -> {result} {{
  %p = mdh.compute \"p\" (a in 13, b in 17) ins(%e = %x[a, b]) outs([a, b]) {{
    %one = arith.constant 1 : i32
    %s = arith.addi %e, %one : i32
    %m = arith.muli %s, %e : i32
    mdh.yield %m : i32
  }} : (tensor<13x17xi32>) -> tensor<13x17xi32>
  %q = mdh.compute \"q\" ({dims}) ins({reads}) outs([{outs}]) {{
    %s = arith.subi %g, %h : i32
    mdh.yield %s : i32
  }} : (tensor<13x17xi32>, tensor<13x17xi32>) -> {result}
  return %q : {result}
}}"
    )
}

#[test]
fn readers_of_each_form() {
    // The same points, shifted ones, some of them, other orders, sums and extrema.
    for (dims, reads, outs, result, computes) in [
        ("i in 13, j in 17", "%g = %p[i, j], %h = %y[i, j]", "i, j", "tensor<13x17xi32>", 1),
        ("j in 17, i in 13", "%g = %p[i, j], %h = %y[i, j]", "j, i", "tensor<17x13xi32>", 1),
        ("i in 11, j in 17", "%g = %p[i + 2, j], %h = %y[i, -j + 16]", "i, j", "tensor<11x17xi32>", 1),
        ("i in 6, j in 5", "%g = %p[2 * i, 3 * j + 1], %h = %p[i, j]", "i, j", "tensor<6x5xi32>", 1),
        ("i in 13, j in 17 pw add", "%g = %p[i, j], %h = %y[i, j]", "i", "tensor<13xi32>", 1),
        ("i in 13 pw max, j in 17", "%g = %y[i, j], %h = %p[i, j]", "j", "tensor<17xi32>", 1),
        ("j in 17, i in 13 pw add source", "%g = %y[i, j], %h = %p[i, j]", "j", "tensor<17xi32>", 1),
        // Each element would be computed 13 times, or twice where it is read twice at all points.
        ("i in 13, k in 13, j in 17 pw add", "%g = %p[i, j], %h = %y[k, j]", "i, k", "tensor<13x13xi32>", 2),
        // Readers whose form depends on what they read.
        ("i in 13, j in 17 ps add", "%g = %p[i, j], %h = %y[i, j]", "i, j", "tensor<13x17xi32>", 2),
    ] {
        equal(&with_reader(dims, reads, outs, result), computes);
    }
}

#[test]
fn results_that_stay_stored() {
    let text = with_reader("i in 13, j in 13", "%g = %p[i, j], %h = %y[i, j]", "i, j", "tensor<13x13xi32>");
    assert_eq!(inlined(&text).1, 1);
    for (from, to) in [
        // A schedule of either, elements outside, and prefixes.
        ("outs([a, b]) {", "outs([a, b]) attributes {mdh.schedule = [\"1: (1,^) (^ ; ^) (FOR.1,^)\"]} {"),
        ("outs([i, j]) {", "outs([i, j]) attributes {mdh.schedule = [\"1: (1,^) (^,^ ; ^) (FOR.1,^)\"]} {"),
        ("%g = %p[i, j]", "%g = %p[i + 1, j] else 7 : i32"),
        ("b in 17)", "b in 17 ps add)"),
        // Another reader: the function.
        (
            "return %q :",
            "%z = tensor.empty() : tensor<2xi32>\n  %s = tensor.extract_slice %p[0, 0] [1, 1] [1, 1] : tensor<13x17xi32> to tensor<1x1xi32>\n  return %q :",
        ),
    ] {
        let other = text.replace(from, to);
        assert_ne!(text, other);
        let (found, computes) = inlined(&other);
        assert_eq!(computes, 2, "{from} as {to}\n{found}");
    }
}

/// Coordinates as values, guards and values in place of elements outside go with an input
#[test]
fn inputs_keep_what_they_have() {
    equal(
        "func.func @f(%x: tensor<19xi32>, %z: i32) -> tensor<9xi32> {
  %p = mdh.compute (a in 19) ins(%e = %x[a - 3] else %z, %g = %x[a + 2] else 5 : i32) outs([a]) {
    %n = mdh.index 0
    %i = arith.index_cast %n : index to i32
    %s = arith.addi %e, %i : i32
    %t = arith.addi %g, %s : i32
    mdh.yield %t : i32
  } : (tensor<19xi32>, tensor<19xi32>, i32) -> tensor<19xi32>
  %q = mdh.compute (i in 9) ins(%g = %p[i]) outs([i]) {
    mdh.yield %g : i32
  } : (tensor<19xi32>) -> tensor<9xi32>
  return %q : tensor<9xi32>
}",
        1,
    );
}

/// Chains of results, each of which reads some before it: what is left is what does not pay
#[test]
fn random_chains() {
    let mut random = Random::new(7);
    let mut fewer = 0;
    for _ in 0..60 {
        let count = 2 + random.below(5) as usize;
        let mut text = "func.func @f(%v0: tensor<11x23xf32>, %v1: tensor<11x23xf32>) -> (tensor<11x23xf32>, tensor<11xf32>) {\n".to_string();
        let ops = ["addf", "subf", "mulf", "divf", "maximumf"];
        for n in 2..2 + count {
            let (a, b) = (random.below(n as u64), random.below(n as u64));
            // Now and then an element of the row above.
            let row = if random.below(3) == 0 { "(-r + 10)" } else { "r" };
            let op = ops[random.below(5) as usize];
            text += &format!(
                "  %v{n} = mdh.compute (r in 11, c in 23) ins(%a = %v{a}[{row}, c], %b = %v{b}[r, c]) outs([r, c]) {{
    %t = arith.{op} %a, %b : f32
    mdh.yield %t : f32
  }} : (tensor<11x23xf32>, tensor<11x23xf32>) -> tensor<11x23xf32>\n"
            );
        }
        let (last, other) = (count + 1, 2 + random.below(count as u64));
        text += &format!(
            "  %s = mdh.compute (r in 11, c in 23 pw max) ins(%a = %v{other}[r, c]) outs([r]) {{
    mdh.yield %a : f32
  }} : (tensor<11x23xf32>) -> tensor<11xf32>
  return %v{last}, %s : tensor<11x23xf32>, tensor<11xf32>\n}}\n"
        );
        let left = inlined(&text).1;
        fewer += usize::from(left < count + 1);
        equal(&text, left);
    }
    assert!(fewer > 40, "{fewer} of 60 have fewer computations");
}
