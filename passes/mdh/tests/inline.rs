//! `mdh-inline`: elements computed where they are read, computations over the same points as one, with the same values.

use crate::common::*;
use terrace_dialect_test::values::shown;
use terrace_support::Random;

/// The function after the pass
fn inlined(text: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, "func.func(mdh-inline)", text);
    let found = shown(&ir);
    same(&as_it_is(&parse(text), "f"), &as_it_is(&ir, "f"), &format!("{text}\n{found}"));
    found
}

#[track_caller]
fn computes(text: &str, count: usize) -> String {
    let found = inlined(text);
    assert_eq!(found.matches("mdh.compute").count(), count, "{found}");
    found
}

/// The same down to buffers
#[track_caller]
fn down(text: &str, count: usize) {
    let wanted = as_it_is(&parse(text), "f");
    let mut ir = parse(&computes(text, count));
    lower(&mut ir, "func.func(mdh-operators,mdh-schedule{target=x86-64-v4},mdh-to-sched)", text);
    lower(&mut ir, DOWN, text);
    same(&wanted, &lowered(&ir, "f", text, wanted.len()), text);
}

/// An element-wise computation `NAME[i, j] = BODY` of inputs with their index functions
fn each(name: &str, ins: &[(&str, &str)], outs: &str, body: &str) -> String {
    let args: Vec<String> =
        ins.iter().enumerate().map(|(n, (of, at))| format!("%a{n} = %{of}[{at}]")).collect();
    let types = vec!["tensor<5x7xf32>"; ins.len()].join(", ");
    format!(
        "  %{name} = mdh.compute (i in 5, j in 7) ins({}) outs([{outs}]) {{
    {body}
  }} : ({types}) -> tensor<5x7xf32>\n",
        args.join(", "),
    )
}

fn function(body: &str, result: &str, ty: &str) -> String {
    format!(
        "func.func @f(%A: tensor<5x7xf32>, %B: tensor<5x7xf32>) -> {ty} {{\n{body}  return {result} : {ty}\n}}"
    )
}

const EXP: &str = "%p = math.exp %a0 : f32\n    mdh.yield %p : f32";
const ADD: &str = "%p = arith.addf %a0, %a1 : f32\n    mdh.yield %p : f32";
const AT: &str = "i, j";

#[test]
fn a_chain_is_one_computation() {
    let body = each("x", &[("A", AT)], AT, EXP)
        + &each("y", &[("x", AT), ("B", AT)], AT, ADD)
        + &each("z", &[("y", AT), ("y", AT)], AT, ADD);
    let found = computes(&function(&body, "%z", "tensor<5x7xf32>"), 1);
    // What is read twice at one place is computed once.
    assert_eq!(found.matches("math.exp").count(), 1, "{found}");
}

#[test]
fn a_value_with_several_readers_is_computed_once() {
    let body = each("x", &[("A", AT)], AT, EXP)
        + &each("y", &[("x", AT), ("B", AT)], AT, ADD)
        + &each("z", &[("x", AT), ("A", AT)], AT, ADD);
    let results = "%y, %z : tensor<5x7xf32>, tensor<5x7xf32>";
    let text = function(&body, "%y", "tensor<5x7xf32>")
        .replace("-> tensor<5x7xf32> {\n", "-> (tensor<5x7xf32>, tensor<5x7xf32>) {\n")
        .replace("return %y : tensor<5x7xf32>", &format!("return {results}"));
    let found = computes(&text, 1);
    assert_eq!(found.matches("math.exp").count(), 1, "{found}");
    assert!(found.contains("outs([i, j], [i, j])"), "{found}");
}

#[test]
fn a_view_is_read_through() {
    // Broadcast to all rows, and reduced over them: no element of the larger tensor is stored.
    let text = "func.func @f(%v: tensor<7xf32>, %A: tensor<5x7xf32>) -> tensor<7xf32> {
  %b = mdh.compute (i in 5, j in 7) ins(%a = %v[j]) outs([i, j]) {
    mdh.yield %a : f32
  } : (tensor<7xf32>) -> tensor<5x7xf32>
  %s = mdh.compute (j in 7, i in 5 pw add) ins(%a = %A[i, j], %c = %b[i, j]) outs([j]) {
    %p = arith.mulf %a, %c : f32
    mdh.yield %p : f32
  } : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<7xf32>
  return %s : tensor<7xf32>
}";
    let found = computes(text, 1);
    assert!(found.contains("%v[j]"), "{found}");
}

#[test]
fn a_window_reads_a_view_but_not_a_function() {
    let text = |body: &str| {
        format!(
            "func.func @f(%A: tensor<9xf32>) -> tensor<7xf32> {{
  %x = mdh.compute (i in 9) ins(%a = %A[-i + 8]) outs([i]) {{
    {body}
  }} : (tensor<9xf32>) -> tensor<9xf32>
  %y = mdh.compute (i in 7) ins(%a = %x[i], %b = %x[i + 1], %c = %x[i + 2]) outs([i]) {{
    %p = arith.addf %a, %b : f32
    %q = arith.addf %p, %c : f32
    mdh.yield %q : f32
  }} : (tensor<9xf32>, tensor<9xf32>, tensor<9xf32>) -> tensor<7xf32>
  return %y : tensor<7xf32>
}}"
        )
    };
    computes(&text("%p = math.exp %a : f32\n    mdh.yield %p : f32"), 2);
    computes(&text("mdh.yield %a : f32"), 1);
}

#[test]
fn coordinates_follow_the_place_of_the_access() {
    let text = "func.func @f(%A: tensor<5x7xi64>) -> tensor<7x5xi64> {
  %x = mdh.compute (i in 5, j in 7) ins(%a = %A[i, j]) outs([i, j]) {
    %r = mdh.index 1
    %n = arith.index_cast %r : index to i64
    %p = arith.addi %a, %n : i64
    mdh.yield %p : i64
  } : (tensor<5x7xi64>) -> tensor<5x7xi64>
  %y = mdh.compute (k in 7, l in 5) ins(%a = %x[l, k]) outs([k, l]) {
    mdh.yield %a : i64
  } : (tensor<5x7xi64>) -> tensor<7x5xi64>
  return %y : tensor<7x5xi64>
}";
    let found = computes(text, 1);
    assert!(found.contains("mdh.index 0"), "{found}");
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
    for (dims, reads, outs, result, count) in [
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
        down(&with_reader(dims, reads, outs, result), count);
    }
}

#[test]
fn results_that_stay_stored() {
    let text = with_reader("i in 13, j in 13", "%g = %p[i, j], %h = %y[i, j]", "i, j", "tensor<13x13xi32>");
    computes(&text, 1);
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
        computes(&other, 2);
    }
}

#[test]
fn a_start_value_stays_stored() {
    let starts =
        "  %y = mdh.compute (i in 5, j in 7, k in 3 pw add) ins(%a = %B[i, j]) outs([i, j] into %x) {
    mdh.yield %a : f32
  } : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>\n";
    let body = each("x", &[("A", AT)], AT, EXP) + starts;
    computes(&function(&body, "%y", "tensor<5x7xf32>"), 2);
}

/// Coordinates as values, guards and values in place of elements outside go with an input
#[test]
fn inputs_keep_what_they_have() {
    down(
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

#[test]
fn coordinates_are_constant_where_the_access_is() {
    let text = "func.func @f(%A: tensor<5x7xi64>) -> tensor<7xi64> {
  %x = mdh.compute (i in 5, j in 7) ins(%a = %A[i, j]) outs([i, j]) {
    %r = mdh.index 0
    %c = mdh.index 1
    %s = arith.addi %r, %c : index
    %n = arith.index_cast %s : index to i64
    %p = arith.addi %a, %n : i64
    mdh.yield %p : i64
  } : (tensor<5x7xi64>) -> tensor<5x7xi64>
  %y = mdh.compute (k in 7) ins(%a = %x[3, k]) outs([k]) {
    mdh.yield %a : i64
  } : (tensor<5x7xi64>) -> tensor<7xi64>
  return %y : tensor<7xi64>
}";
    down(text, 1);
}

#[test]
fn gathered_rows_are_moved_once() {
    let text = |dims: &str, outs: &str, result: &str| {
        format!(
            "func.func @f(%A: tensor<19x17xi32>, %n: tensor<5xi32>) -> {result} {{
  %x = mdh.compute (i in 5, j in 17) ins(%m = %n[i], %a = %A) outs([i, j]) {{
    %c3 = arith.constant 3 : i32
    %q = arith.andi %m, %c3 : i32
    %r = arith.index_cast %q : i32 to index
    %c = mdh.index 1
    %e = tensor.extract %a[%r, %c] : tensor<19x17xi32>
    mdh.yield %e : i32
  }} : (tensor<5xi32>, tensor<19x17xi32>) -> tensor<5x17xi32>
  %y = mdh.compute ({dims}) ins(%a = %x[i, j]) outs([{outs}]) {{
    %p = arith.addi %a, %a : i32
    mdh.yield %p : i32
  }} : (tensor<5x17xi32>) -> {result}
  return %y : {result}
}}"
        )
    };
    down(&text("i in 5, k in 1, j in 17", "i, k, j", "tensor<5x1x17xi32>"), 1);
    // Lanes along the rows find neighbors.
    let moved = text("i in 5, k in 1, j in 17", "i, k, j", "tensor<5x1x17xi32>");
    let mut ir = parse(&moved);
    lower(
        &mut ir,
        "func.func(mdh-inline,mdh-schedule{target=x86-64-v4},mdh-to-sched,sched-legalize)",
        &moved,
    );
    lower(&mut ir, "sched-to-scf,canonicalize", &moved);
    let found = shown(&ir);
    assert!(found.contains("vector.load %A["), "{found}");
    // Lanes of a sum follow rows, which a computed place does not show.
    down(&text("i in 5, j in 17 pw add", "i", "tensor<5xi32>"), 2);
}

/// A random program of computations that read earlier ones: chains, views, windows, sums, several readers
fn program(random: &mut Random) -> String {
    let (mut body, mut full): (String, Vec<String>) = (String::new(), vec!["A".into(), "B".into()]);
    let mut rows: Vec<String> = Vec::new();
    for n in 0..3 + random.below(8) {
        let pick = |random: &mut Random, all: &[String]| all[random.below(all.len() as u64) as usize].clone();
        let (a, b) = (pick(random, &full), pick(random, &full));
        match random.below(7) {
            0 => {
                let row = pick(random, &full);
                body += &format!(
                    "  %r{n} = mdh.compute (i in 5, j in 5 pw {}) ins(%a = %{row}[i, j]) outs([i]) {{
    %p = arith.mulf %a, %a : f32
    mdh.yield %p : f32
  }} : (tensor<5x5xf32>) -> tensor<5xf32>\n",
                    ["add", "max", "add source"][random.below(3) as usize],
                );
                rows.push(format!("r{n}"));
            }
            1 if !rows.is_empty() => {
                let row = pick(random, &rows);
                body += &format!(
                    "  %x{n} = mdh.compute (i in 5, j in 5) ins(%a = %{row}[{}], %b = %{a}[i, j]) outs([i, j]) {{
    %p = arith.subf %b, %a : f32
    mdh.yield %p : f32
  }} : (tensor<5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>\n",
                    ["i", "j", "-j + 4"][random.below(3) as usize],
                );
                full.push(format!("x{n}"));
            }
            kind => {
                let places = ["i, j", "i, j", "j, i", "-i + 4, j", "i, 2", "i floordiv 2, j mod 3"];
                let place = |random: &mut Random| places[random.below(places.len() as u64) as usize];
                let (at, to) = (place(random), place(random));
                let outs = ["i, j", "i, j", "j, i"][random.below(3) as usize];
                let ops = match kind {
                    2 => "mdh.yield %a : f32",
                    3 => "%p = math.exp %a : f32\n    %q = arith.addf %p, %b : f32\n    mdh.yield %q : f32",
                    4 => {
                        "%n = mdh.index 1\n    %m = arith.index_cast %n : index to i32\n    %t = arith.sitofp %m : i32 to f32\n    %p = arith.addf %a, %t : f32\n    mdh.yield %p : f32"
                    }
                    5 => "%p = arith.divf %a, %b : f32\n    mdh.yield %p : f32",
                    _ => "%p = arith.maximumf %a, %b : f32\n    mdh.yield %p : f32",
                };
                body += &format!(
                    "  %x{n} = mdh.compute (i in 5, j in 5) ins(%a = %{a}[{at}], %b = %{b}[{to}]) outs([{outs}]) {{
    {ops}
  }} : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>\n"
                );
                full.push(format!("x{n}"));
            }
        }
    }
    let results: Vec<String> =
        (0..1 + random.below(3)).map(|n| full[full.len().saturating_sub(1 + n as usize)].clone()).collect();
    let names: Vec<String> = results.iter().map(|name| format!("%{name}")).collect();
    let types = vec!["tensor<5x5xf32>"; names.len()].join(", ");
    format!(
        "func.func @f(%A: tensor<5x5xf32>, %B: tensor<5x5xf32>) -> ({types}) {{\n{body}  return {} : {types}\n}}",
        names.join(", ")
    )
}

#[test]
fn random_programs_keep_their_values() {
    let mut random = Random::new(7);
    let (mut before, mut after) = (0, 0);
    for _ in 0..150 {
        let text = program(&mut random);
        let mut ir = parse(&text);
        lower(&mut ir, "canonicalize", &text);
        let text = shown(&ir);
        let found = inlined(&text);
        before += text.matches("mdh.compute").count();
        after += found.matches("mdh.compute").count();
    }
    assert!(after * 5 < before * 4, "{before} computations became {after}");
}

#[test]
fn random_programs_keep_their_values_below() {
    let mut random = Random::new(11);
    for _ in 0..24 {
        let text = program(&mut random);
        let count = inlined(&text).matches("mdh.compute").count();
        down(&text, count);
    }
}

/// Groups of channels: what is read at quotients and remainders of the contiguous dimension is read along two dimensions
#[test]
fn dimensions_that_subscripts_divide() {
    for (size, by, elem, divided) in [
        (48, 16, "f32", true),
        (21, 7, "i32", true),
        (34, 17, "f64", true),
        (22, 4, "f32", false),
        (16, 16, "f32", false),
        (24, 2, "f32", false),
        (64, 16, "i8", true),
    ] {
        let (count, op) = ((size + by - 1) / by, if elem.starts_with('f') { "subf" } else { "subi" });
        let text = format!(
            "func.func @f(%X: tensor<5x{size}x{elem}>, %m: tensor<5x{count}x{elem}>, %s: tensor<{by}x{elem}>) -> tensor<5x{size}x{elem}> {{
  %0 = mdh.compute (i in 5, c in {size}) ins(%x = %X[i, c], %a = %m[i, c floordiv {by}], %b = %s[c mod {by}]) outs([i, c]) {{
    %p = arith.{op} %x, %a : {elem}
    %q = arith.{op} %p, %b : {elem}
    mdh.yield %q : {elem}
  }} : (tensor<5x{size}x{elem}>, tensor<5x{count}x{elem}>, tensor<{by}x{elem}>) -> tensor<5x{size}x{elem}>
  return %0 : tensor<5x{size}x{elem}>
}}"
        );
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-inline)", &text);
        let found = shown(&ir);
        assert_eq!(
            !found.contains("floordiv") && found.contains("c_ in"),
            divided,
            "{size} by {by}\n{found}"
        );
        agree(&text);
    }
}

/// A reduction of groups: each is a computation of its own, whose rows have tiles
#[test]
fn kept_dimensions_of_reductions_that_subscripts_divide() {
    for (rows, by, divided) in [(6, 2, true), (15, 5, true), (48, 16, true), (7, 7, false), (10, 4, false)] {
        let groups = (rows + by - 1) / by;
        let depth = 11;
        let all = groups * depth;
        let text = format!(
            "func.func @f(%X: tensor<{all}x37xf32>, %F: tensor<{rows}x{depth}xf32>) -> tensor<{rows}x37xf32> {{
  %0 = mdh.compute (k in {rows}, x in 37, c in {depth} pw add) ins(%a = %X[{depth} * (k floordiv {by}) + c, x], %b = %F[k, c]) outs([k, x]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<{all}x37xf32>, tensor<{rows}x{depth}xf32>) -> tensor<{rows}x37xf32>
  return %0 : tensor<{rows}x37xf32>
}}"
        );
        let found = inlined(&text);
        assert_eq!(
            !found.contains("floordiv") && found.contains("k_ in"),
            divided,
            "{rows} by {by}\n{found}"
        );
        down(&text, 1);
        agree(&text);
        let mut ir = parse(&found);
        lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4})", &text);
        let chosen = shown(&ir);
        let tile = chosen.contains("; REG") && chosen.contains("VEC");
        assert!(tile || !divided, "{rows} by {by}\n{chosen}");
    }
}

/// A border of no elements: nothing stands for elements outside, so a convolution of one tap is a product of matrices
#[test]
fn borders_of_no_elements() {
    for (taps, border, kept) in [(1, 0, false), (3, 0, false), (1, 1, true), (3, 1, true)] {
        let size = 5 + 2 * border - taps + 1;
        let text = format!(
            "func.func @f(%X: tensor<7x5x5xf32>, %F: tensor<3x7x{taps}xf32>) -> tensor<3x{size}x5xf32> {{
  %z = mdh.compute (c in 7, y in {padded}, x in 5) ins(%a = %X[c, y - {border}, x] else 0.0) outs([c, y, x]) {{
    mdh.yield %a : f32
  }} : (tensor<7x5x5xf32>) -> tensor<7x{padded}x5xf32>
  %0 = mdh.compute (k in 3, y in {size}, x in 5, c in 7 pw add, r in {taps} pw add) ins(%a = %z[c, y + r, x], %b = %F[k, c, r]) outs([k, y, x]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<7x{padded}x5xf32>, tensor<3x7x{taps}xf32>) -> tensor<3x{size}x5xf32>
  return %0 : tensor<3x{size}x5xf32>
}}",
            padded = 5 + 2 * border
        );
        let found = computes(&text, 1);
        assert_eq!(found.contains("else"), kept, "{taps} taps, {border} around\n{found}");
        down(&text, 1);
    }
}

/// Elements of a row that change places by runs, as in rotary embeddings
#[test]
fn rows_that_are_turned_by_runs() {
    for (size, shift, run) in [
        (64, 32, Some(32)),
        (48, 16, Some(16)),
        (48, -16, Some(16)),
        (40, 8, Some(8)),
        (40, 6, None),
        (35, 17, None),
    ] {
        let text = format!(
            "func.func @f(%X: tensor<3x{size}xf32>, %m: tensor<{size}xf32>) -> tensor<3x{size}xf32> {{
  %0 = mdh.compute (i in 3, d in {size}) ins(%x = %X[i, d], %y = %X[i, (d + {shift}) mod {size}], %a = %m[d]) outs([i, d]) {{
    %d = mdh.index 1
    %half = arith.constant {shift} : index
    %low = arith.cmpi slt, %d, %half : index
    %n = arith.negf %y : f32
    %t = arith.select %low, %n, %y : f32
    %p = arith.mulf %t, %a : f32
    %q = arith.addf %x, %p : f32
    mdh.yield %q : f32
  }} : (tensor<3x{size}xf32>, tensor<3x{size}xf32>, tensor<{size}xf32>) -> tensor<3x{size}xf32>
  return %0 : tensor<3x{size}xf32>
}}"
        );
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-inline)", &text);
        let found = shown(&ir);
        assert_eq!(found.contains("d_ in"), run.is_some(), "{size} {shift}\n{found}");
        if let Some(run) = run {
            assert!(found.contains(&format!("d_ in {run})")), "{found}");
        }
        agree(&text);
    }
}

/// Coordinates as values keep their meaning, in front of the divided dimension, of it and behind it
#[test]
fn coordinates_of_divided_dimensions() {
    for (outs, shape) in [("[i, c]", "3x40"), ("[c, i]", "40x3")] {
        for dims in ["i in 3, c in 40", "c in 40, i in 3"] {
            let (i, c) = if dims.starts_with('i') { (0, 1) } else { (1, 0) };
            let text = format!(
                "func.func @f(%m: tensor<3x5xi32>) -> tensor<{shape}xi32> {{
  %0 = mdh.compute ({dims}) ins(%a = %m[i, c floordiv 8]) outs({outs}) {{
    %i = mdh.index {i}
    %c = mdh.index {c}
    %p = arith.index_cast %i : index to i32
    %q = arith.index_cast %c : index to i32
    %r = arith.muli %p, %q : i32
    %s = arith.addi %r, %q : i32
    %t = arith.addi %s, %a : i32
    mdh.yield %t : i32
  }} : (tensor<3x5xi32>) -> tensor<{shape}xi32>
  return %0 : tensor<{shape}xi32>
}}"
            );
            agree(&text);
        }
    }
}

/// Behind a reshape, quotient and remainder of one coordinate are that coordinate in a view of the tensor
#[test]
fn coordinates_that_subscripts_take_apart() {
    for (shape, at, seen) in [
        ("4x3x2x8", "d floordiv 3, d mod 3, c floordiv 8, c mod 8", Some("[[0, 1], [2, 3]]")),
        ("12x1x2x1x8", "d, 0, c floordiv 8, 0, c mod 8", Some("[[0], [1], [2, 3, 4]]")),
        ("12x2x2x4", "d, c floordiv 8, (c floordiv 4) mod 2, c mod 4", Some("[[0], [1, 2, 3]]")),
        ("2x8x12", "c floordiv 8, c mod 8, d", Some("[[0, 1], [2]]")),
        // Longer rows than are read, the wrong quotient, and the other order are no neighbors in memory.
        ("12x2x9", "d, c floordiv 8, c mod 8", None),
        ("12x4x8", "d, c floordiv 4, c mod 8", None),
        ("12x8x2", "d, c mod 8, c floordiv 8", None),
        ("2x12x8", "c floordiv 8, d, c mod 8", None),
    ] {
        let text = format!(
            "func.func @f(%X: tensor<{shape}xf32>) -> tensor<16xf32> {{
  %0 = mdh.compute (d in 12 pw add, c in 16) ins(%x = %X[{at}]) outs([c]) {{
    %p = arith.mulf %x, %x : f32
    mdh.yield %p : f32
  }} : (tensor<{shape}xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}}"
        );
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-inline)", &text);
        let found = shown(&ir);
        match seen {
            Some(seen) => {
                assert!(found.contains(&format!("tensor.collapse_shape %X {seen}")), "{found}");
                assert!(!found.contains("floordiv") && !found.contains("c_ in"), "{found}");
            }
            None => assert!(!found.contains("tensor.collapse_shape"), "{found}"),
        }
        agree(&text);
    }
}

/// Elements outside of a tensor are known by each subscript, and what a computation gives is handed over by its own coordinates
#[test]
fn coordinates_that_stay_apart() {
    let guarded = "func.func @f(%X: tensor<3x2x8xf32>, %z: f32) -> tensor<16xf32> {
  %0 = mdh.compute (d in 4 pw add, c in 16) ins(%x = %X[d, c floordiv 8, c mod 8] else %z) outs([c]) {
    mdh.yield %x : f32
  } : (tensor<3x2x8xf32>, f32) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}";
    let computed = "func.func @f(%X: tensor<5x2x8xf32>) -> tensor<16xf32> {
  %0 = mdh.compute (e in 5 pw add, a in 2, b in 8) ins(%x = %X[e, a, b]) outs([a, b]) {
    mdh.yield %x : f32
  } : (tensor<5x2x8xf32>) -> tensor<2x8xf32>
  %1 = mdh.compute (c in 16) ins(%x = %0[c floordiv 8, c mod 8]) outs([c]) {
    %p = math.exp %x : f32
    mdh.yield %p : f32
  } : (tensor<2x8xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}";
    for text in [guarded, computed] {
        let found = inlined(text);
        assert!(!found.contains("tensor.collapse_shape"), "{found}");
    }
    // A view of a buffer's content, or of what a loop carries, has no form on buffers.
    let buffer = "func.func @f(%m: memref<4x3xf32>) -> tensor<12xf32> {
  %X = bufferization.to_tensor %m restrict : memref<4x3xf32> to tensor<4x3xf32>
  %0 = mdh.compute (d in 12) ins(%x = %X[d floordiv 3, d mod 3]) outs([d]) {
    %p = math.exp %x : f32
    mdh.yield %p : f32
  } : (tensor<4x3xf32>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}";
    let carried = "func.func @f(%X: tensor<4x3xf32>, %o: tensor<12xf32>, %n: index) -> tensor<12xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%Y = %X, %l = %o) -> (tensor<4x3xf32>, tensor<12xf32>) {
    %0 = mdh.compute (d in 12) ins(%x = %Y[d floordiv 3, d mod 3]) outs([d]) {
      %p = math.exp %x : f32
      mdh.yield %p : f32
    } : (tensor<4x3xf32>) -> tensor<12xf32>
    scf.yield %Y, %0 : tensor<4x3xf32>, tensor<12xf32>
  }
  return %r#1 : tensor<12xf32>
}";
    for text in [buffer, carried] {
        let mut ir = parse(text);
        lower(&mut ir, "func.func(mdh-inline)", text);
        let found = shown(&ir);
        assert!(!found.contains("tensor.collapse_shape"), "{found}");
    }
}

/// A view of a buffer's content is read before the buffer changes, as the content itself is
#[test]
fn reads_of_views_stay_before_writes() {
    for (view, read) in [
        ("%Y = tensor.collapse_shape %X [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>", "d"),
        ("%Y = tensor.cast %X : tensor<4x3xf32> to tensor<4x3xf32>", "d floordiv 3, d mod 3"),
    ] {
        let ty = if read == "d" { "tensor<12xf32>" } else { "tensor<4x3xf32>" };
        let text = format!(
            "func.func @f(%m: memref<4x3xf32>, %z: tensor<4x3xf32>) -> tensor<12xf32> {{
  %X = bufferization.to_tensor %m restrict : memref<4x3xf32> to tensor<4x3xf32>
  {view}
  %0 = mdh.compute (d in 12) ins(%x = %Y[{read}]) outs([d]) {{
    mdh.yield %x : f32
  }} : ({ty}) -> tensor<12xf32>
  bufferization.materialize_in_destination %z in restrict writable %m : (tensor<4x3xf32>, memref<4x3xf32>) -> ()
  %1 = mdh.compute (d in 12) ins(%x = %0[d]) outs([d]) {{
    %p = math.exp %x : f32
    mdh.yield %p : f32
  }} : (tensor<12xf32>) -> tensor<12xf32>
  return %1 : tensor<12xf32>
}}"
        );
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-inline)", &text);
        let found = shown(&ir);
        assert_eq!(found.matches("mdh.compute").count(), 2, "{found}");
    }
}
