//! Computations by value: interpreted as they are, and interpreted after being scheduled and lowered.
//!
//! Inputs are small integers, also where they are floats: sums and products are exact, so that any order that a schedule
//! takes gives the same.

use crate::common;

use common::*;
use std::fmt::Write;
use terrace_dialect_test::values::verify;
use terrace_support::Random;

fn float(elem: &str) -> char {
    if elem.starts_with('f') { 'f' } else { 'i' }
}

fn product(elem: &str, sizes: [i64; 3], a: &str, b: &str, shapes: [String; 3], out: &str) -> String {
    let [i, j, k] = sizes;
    let (f, [sa, sb, sc]) = (float(elem), shapes);
    format!(
        "func.func @f(%A: tensor<{sa}x{elem}>, %B: tensor<{sb}x{elem}>) -> tensor<{sc}x{elem}> {{
  %c = mdh.compute (i in {i}, j in {j}, k in {k} pw add) ins(%a = %A[{a}], %b = %B[{b}]) outs([{out}]) {{
    %p = arith.mul{f} %a, %b : {elem}
    mdh.yield %p : {elem}
  }} : (tensor<{sa}x{elem}>, tensor<{sb}x{elem}>) -> tensor<{sc}x{elem}>
  return %c : tensor<{sc}x{elem}>
}}"
    )
}

#[test]
fn products_of_matrices() {
    for (elem, sizes) in [
        ("f32", [16, 100, 20]),
        ("f32", [13, 71, 17]),
        ("f32", [1, 1, 1]),
        ("f32", [1, 48, 7]),
        ("f32", [50, 3, 4]),
        ("f32", [32, 64, 1]),
        ("f32", [64, 128, 4]),
        ("f64", [17, 33, 9]),
        ("i32", [29, 65, 5]),
    ] {
        let [i, j, k] = sizes;
        let text = product(
            elem,
            sizes,
            "i, k",
            "k, j",
            [format!("{i}x{k}"), format!("{k}x{j}"), format!("{i}x{j}")],
            "i, j",
        );
        agree(&text);
    }
}

#[test]
fn products_of_transposed_matrices() {
    for sizes in [[10, 50, 8], [7, 31, 13], [32, 20, 3]] {
        let [i, j, k] = sizes;
        for (a, sa) in [("i, k", format!("{i}x{k}")), ("k, i", format!("{k}x{i}"))] {
            for (b, sb) in [("j, k", format!("{j}x{k}")), ("k, j", format!("{k}x{j}"))] {
                for (out, sc) in [("j, i", format!("{j}x{i}")), ("i, j", format!("{i}x{j}"))] {
                    agree(&product("f32", sizes, a, b, [sa.clone(), sb.clone(), sc], out));
                }
            }
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn reduction(
    elem: &str,
    dims: &str,
    shape: &str,
    read: &str,
    ops: &str,
    outs: usize,
    out: &str,
    result: &str,
) -> String {
    let list = |one: &str| vec![one; outs].join(", ");
    let mut text = String::new();
    let ty = format!("tensor<{result}{elem}>");
    let _ = write!(
        text,
        "func.func @f(%A: tensor<{shape}x{elem}>) -> ({types}) {{
  %c:{outs} = mdh.compute ({dims} pw {ops}) ins(%a = %A[{read}]) outs({places}) {{
    mdh.yield {values} : {elems}
  }} : (tensor<{shape}x{elem}>) -> ({types})
  return {returned} : {types}
}}",
        types = list(&ty),
        places = list(out),
        values = list("%a"),
        elems = list(elem),
        returned = (0..outs).map(|n| format!("%c#{n}")).collect::<Vec<_>>().join(", "),
    );
    text
}

#[test]
fn reductions() {
    for n in [1, 2, 15, 16, 17, 128, 131, 17001] {
        agree(&reduction("f32", &format!("k in {n}"), &n.to_string(), "k", "add", 1, "[]", ""));
    }
    for (m, n) in [(1, 1), (7, 200), (200, 7), (13, 33)] {
        let shape = format!("{m}x{n}");
        agree(&reduction(
            "f32",
            &format!("i in {m}, k in {n}"),
            &shape,
            "i, k",
            "add",
            1,
            "[i]",
            &format!("{m}x"),
        ));
        agree(&reduction(
            "i32",
            &format!("j in {n}, k in {m}"),
            &shape,
            "k, j",
            "max",
            1,
            "[j]",
            &format!("{n}x"),
        ));
        agree(&reduction(
            "f64",
            &format!("i in {m}, k in {n}"),
            &shape,
            "i, k",
            "(add, max)",
            2,
            "[i]",
            &format!("{m}x"),
        ));
        agree(&reduction(
            "f32",
            &format!("i in {m}, k in {n}"),
            &shape,
            "i, k",
            "add source",
            1,
            "[i]",
            &format!("{m}x"),
        ));
    }
}

#[test]
fn stencils() {
    for (m, n) in [(1, 1), (5, 16), (9, 61), (40, 70)] {
        agree(&format!(
            "func.func @f(%A: tensor<{h}x{w}xf32>) -> tensor<{m}x{n}xf32> {{
  %s = mdh.compute (i in {m}, j in {n}) ins(%c = %A[i + 1, j + 1], %u = %A[i, j + 1], %d = %A[i + 2, j + 1], %l = %A[i + 1, j], %r = %A[i + 1, j + 2]) outs([i, j]) {{
    %0 = arith.addf %u, %d : f32
    %1 = arith.addf %l, %r : f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.addf %2, %c : f32
    mdh.yield %3 : f32
  }} : (tensor<{h}x{w}xf32>, tensor<{h}x{w}xf32>, tensor<{h}x{w}xf32>, tensor<{h}x{w}xf32>, tensor<{h}x{w}xf32>) -> tensor<{m}x{n}xf32>
  return %s : tensor<{m}x{n}xf32>
}}",
            h = m + 2,
            w = n + 2
        ));
    }
}

#[test]
fn convolutions() {
    for (p, q, c, k) in [(1, 1, 1, 1), (5, 7, 3, 16), (3, 6, 2, 37), (3, 8, 1, 70)] {
        // Padding by conditions, with a bias; weights with the output's dimension outermost or innermost.
        for (weights, shape) in
            [("k, r, s, c", format!("{k}x3x3x{c}")), ("r, s, c, k", format!("3x3x{c}x{k}"))]
        {
            agree(&format!(
                "func.func @f(%I: tensor<{p}x{q}x{c}xf32>, %F: tensor<{shape}xf32>, %bias: tensor<{k}xf32>) -> tensor<{p}x{q}x{k}xf32> {{
  %m = mdh.compute (p in {p}, q in {q}, k in {k}, r in 3 pw add, s in 3 pw add, c in {c} pw add)
       where 0 <= p + r - 1 < {p}, 0 <= q + s - 1 < {q}
       ins(%x = %I[p + r - 1, q + s - 1, c], %w = %F[{weights}]) outs([p, q, k] into %bias[k]) {{
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  }} : (tensor<{p}x{q}x{c}xf32>, tensor<{shape}xf32>, tensor<{k}xf32>) -> tensor<{p}x{q}x{k}xf32>
  return %m : tensor<{p}x{q}x{k}xf32>
}}"
            ));
        }
        // Without padding, one channel: rows move with the window.
        agree(&format!(
            "func.func @f(%I: tensor<{h}x{w}xf32>, %F: tensor<3x3xf32>) -> tensor<{p}x{q}xf32> {{
  %m = mdh.compute (p in {p}, q in {q}, r in 3 pw add, s in 3 pw add) ins(%x = %I[p + r, q + s], %w = %F[r, s]) outs([p, q]) {{
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  }} : (tensor<{h}x{w}xf32>, tensor<3x3xf32>) -> tensor<{p}x{q}xf32>
  return %m : tensor<{p}x{q}xf32>
}}",
            h = p + 2,
            w = q + 2
        ));
    }
}

/// Filters of several sizes and steps: tiles at the edges are copies in which taps outside are left out
#[test]
fn convolutions_with_steps() {
    for (size, filter, step, c, k) in
        [(14, 3, 1, 9, 32), (13, 3, 2, 3, 16), (30, 7, 2, 1, 32), (9, 5, 3, 2, 20), (7, 3, 1, 40, 48)]
    {
        let (pad, out) = (filter / 2, (size - 1) / step + 1);
        agree(&format!(
            "func.func @f(%I: tensor<{size}x{size}x{c}xf32>, %F: tensor<{filter}x{filter}x{c}x{k}xf32>) -> tensor<{out}x{out}x{k}xf32> {{
  %m = mdh.compute (p in {out}, q in {out}, k in {k}, r in {filter} pw add, s in {filter} pw add, c in {c} pw add)
       where 0 <= {step} * p + r - {pad} < {size}, 0 <= {step} * q + s - {pad} < {size}
       ins(%x = %I[{step} * p + r - {pad}, {step} * q + s - {pad}, c], %w = %F[r, s, c, k]) outs([p, q, k]) {{
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  }} : (tensor<{size}x{size}x{c}xf32>, tensor<{filter}x{filter}x{c}x{k}xf32>) -> tensor<{out}x{out}x{k}xf32>
  return %m : tensor<{out}x{out}x{k}xf32>
}}"
        ));
    }
}

/// Images that are stored channel by channel, results that are not: panels of windows, with edges and steps
#[test]
fn windows_of_channels_that_are_apart() {
    for (size, channels, filter, step) in [(9, 16, 3, 1), (13, 35, 3, 2), (7, 17, 5, 1), (20, 32, 3, 1)] {
        let (pad, out) = (filter / 2, (size - 1) / step + 1);
        for (image, shape) in [
            ("c, ROW, COLUMN", format!("{channels}x{size}x{size}")),
            ("c, COLUMN, ROW, 0 * c", format!("{channels}x{size}x{size}x1")),
        ] {
            let image = image.replace("ROW", &format!("{step} * p + r - {pad}"));
            let image = image.replace("COLUMN", &format!("{step} * q + s - {pad}")).replace("0 * c", "0");
            agree(&format!(
                "func.func @f(%I: tensor<{shape}xf32>, %F: tensor<{channels}x{filter}x{filter}xf32>) -> tensor<{out}x{out}x{channels}xf32> {{
  %m = mdh.compute (p in {out}, q in {out}, c in {channels}, r in {filter} pw add, s in {filter} pw add)
       where 0 <= {step} * p + r - {pad} < {size}, 0 <= {step} * q + s - {pad} < {size}
       ins(%x = %I[{image}], %w = %F[c, r, s]) outs([p, q, c]) {{
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  }} : (tensor<{shape}xf32>, tensor<{channels}x{filter}x{filter}xf32>) -> tensor<{out}x{out}x{channels}xf32>
  return %m : tensor<{out}x{out}x{channels}xf32>
}}"
            ));
        }
    }
}

/// The best partner of each: lanes carry tuples, rests of lanes too
#[test]
fn tuples_in_lanes() {
    for points in [45, 32, 7] {
        // As two arrays, and as records of two numbers.
        for (shape, at) in
            [(format!("2x{points}"), ["0, i", "1, i"]), (format!("{points}x2"), ["i, 0", "i, 1"])]
        {
            best_partner(points, &shape, at);
        }
    }
}

fn best_partner(points: i64, shape: &str, [first, second]: [&str; 2]) {
    agree(&format!(
        "func.func private @better(%w1: i32, %i1: i32, %w2: i32, %i2: i32) -> (i32, i32)
    attributes {{sched.operator = {{associative, commutative, exact, identity = [-2147483648 : i32, 2147483647 : i32]}}}} {{
  %more = arith.cmpi sgt, %w2, %w1 : i32
  %same = arith.cmpi eq, %w1, %w2 : i32
  %first = arith.cmpi slt, %i2, %i1 : i32
  %tie = arith.andi %same, %first : i1
  %right = arith.ori %more, %tie : i1
  %w = arith.select %right, %w2, %w1 : i32
  %i = arith.select %right, %i2, %i1 : i32
  return %w, %i : i32, i32
}}
func.func @f(%N: tensor<{shape}xi32>, %E: tensor<9xi32>) -> (tensor<{points}xi32>, tensor<{points}xi32>) {{
  %w, %id = mdh.compute (i in {points}, j in 9 pw @better) ins(%n = %N[{first}], %o = %N[{second}], %e = %E[j]) outs([i], [i]) {{
    %jx = mdh.index 1
    %j = arith.index_cast %jx : index to i32
    %c = arith.subi %n, %e : i32
    %d = arith.addi %c, %o : i32
    %p = arith.muli %d, %d : i32
    mdh.yield %p, %j : i32, i32
  }} : (tensor<{shape}xi32>, tensor<{shape}xi32>, tensor<9xi32>) -> (tensor<{points}xi32>, tensor<{points}xi32>)
  return %w, %id : tensor<{points}xi32>, tensor<{points}xi32>
}}"
    ));
}

/// Short lanes: the vectors of a tile are of another dimension, both operands are copied
#[test]
fn contractions() {
    let operands = [("g, d, a, b", "e, f, g, c"), ("g, d, b, c", "e, f, g, a"), ("g, f, a, c", "d, e, g, b")];
    for ((x, y), last) in operands.into_iter().flat_map(|all| [16, 17, 21].map(|last| (all, last))) {
        let sizes = [("a", 5), ("b", 5), ("c", 2), ("d", 7), ("e", 6), ("f", last), ("g", 3)];
        let shape = |indices: &str| {
            let size =
                |index: &str| sizes.iter().find(|(name, _)| *name == index).map_or(1, |(_, size)| *size);
            indices.split(", ").map(|index| size(index).to_string() + "x").collect::<String>()
        };
        let (xs, ys, zs) = (shape(x), shape(y), shape("a, b, c, d, e, f"));
        agree(&format!(
            "func.func @f(%X: tensor<{xs}f32>, %Y: tensor<{ys}f32>) -> tensor<{zs}f32> {{
  %m = mdh.compute (a in 5, b in 5, c in 2, d in 7, e in 6, f in {last}, g in 3 pw add) ins(%x = %X[{x}], %y = %Y[{y}]) outs([a, b, c, d, e, f]) {{
    %v = arith.mulf %x, %y : f32
    mdh.yield %v : f32
  }} : (tensor<{xs}f32>, tensor<{ys}f32>) -> tensor<{zs}f32>
  return %m : tensor<{zs}f32>
}}"
        ));
    }
}

#[test]
fn other_operators() {
    for n in [1, 7, 40] {
        let m = n + 3;
        // (max, +), an operator without commutativity, prefixes, padding by a constant, results in a larger tensor.
        agree(&format!(
            "func.func @f(%A: tensor<{n}x5xf32>, %B: tensor<5x{m}xf32>) -> tensor<{n}x{m}xf32> {{
  %c = mdh.compute (i in {n}, j in {m}, k in 5 pw max) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {{
    %p = arith.addf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<{n}x5xf32>, tensor<5x{m}xf32>) -> tensor<{n}x{m}xf32>
  return %c : tensor<{n}x{m}xf32>
}}"
        ));
        agree(&format!(
            "func.func private @first(%a: i32, %b: i32) -> i32 attributes {{sched.operator = {{associative, exact, identity = [0 : i32]}}}} {{
  %zero = arith.constant 0 : i32
  %none = arith.cmpi eq, %a, %zero : i32
  %r = arith.select %none, %b, %a : i32
  return %r : i32
}}
func.func @f(%A: tensor<{n}x{m}xi32>) -> tensor<{m}xi32> {{
  %c = mdh.compute (j in {m}, k in {n} pw @first) ins(%a = %A[k, j]) outs([j]) {{
    mdh.yield %a : i32
  }} : (tensor<{n}x{m}xi32>) -> tensor<{m}xi32>
  return %c : tensor<{m}xi32>
}}"
        ));
        agree(&format!(
            "func.func @f(%X: tensor<{n}x{m}xi32>) -> tensor<{n}xi32> {{
  %z = mdh.compute (i in {n} ps add, j in {m} pw add) ins(%x = %X[i, j]) outs([i]) {{
    mdh.yield %x : i32
  }} : (tensor<{n}x{m}xi32>) -> tensor<{n}xi32>
  return %z : tensor<{n}xi32>
}}"
        ));
        agree(&format!(
            "func.func @f(%A: tensor<{n}xf32>, %I: tensor<{out}xf32>) -> tensor<{out}xf32> {{
  %z = mdh.compute (i in {m}) ins(%x = %A[i - 2] else 1.5) outs([2 * i] into %I) {{
    mdh.yield %x : f32
  }} : (tensor<{n}xf32>, tensor<{out}xf32>) -> tensor<{out}xf32>
  return %z : tensor<{out}xf32>
}}",
            out = 2 * m + 1
        ));
        agree(&format!(
            "func.func @f(%A: tensor<{n}x20xf32>, %B: tensor<20x{m}xf32>, %C: tensor<{big}x{wide}xf32>) -> tensor<{big}x{wide}xf32> {{
  %c = mdh.compute (i in {n}, j in {m}, k in 20 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i + 1, j] into %C) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<{n}x20xf32>, tensor<20x{m}xf32>, tensor<{big}x{wide}xf32>) -> tensor<{big}x{wide}xf32>
  return %c : tensor<{big}x{wide}xf32>
}}",
            big = n + 2,
            wide = m + 19
        ));
    }
}

/// Every computation of the dialect's own test of meaning
#[test]
fn a_graph_of_computations() {
    agree(
        "func.func @f(%X: tensor<9x40xf32>) -> (tensor<9x40xf32>, tensor<9xf32>) {
  %m = mdh.compute \"max\" (i in 9, j in 40 pw max) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<9x40xf32>) -> tensor<9xf32>
  %e = mdh.compute \"shift\" (i in 9, j in 40) ins(%x = %X[i, j], %y = %m[i]) outs([i, j]) {
    %d = arith.subf %x, %y : f32
    mdh.yield %d : f32
  } : (tensor<9x40xf32>, tensor<9xf32>) -> tensor<9x40xf32>
  %s = mdh.compute \"sum\" (i in 9, j in 40 pw add) ins(%x = %e[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<9x40xf32>) -> tensor<9xf32>
  return %e, %s : tensor<9x40xf32>, tensor<9xf32>
}",
    );
}

/// Functions of a file that take tensors
fn programs(text: &str) -> Vec<&str> {
    let heads = text.lines().filter_map(|line| line.strip_prefix("func.func @"));
    heads.filter_map(|head| head.split_once('(')).map(|(name, _)| name).collect()
}

#[test]
fn case_studies() {
    let text = include_str!("../../../test-files/mdh/cases.mlir");
    agree_on(text, &programs(text));
}

#[test]
fn computations_of_the_dialects_own_test() {
    let text = include_str!("../../../test-files/dialects/mdh/eval.mlir");
    agree_on(text, &programs(text));
}

/// A schedule that need not make sense
fn random_schedule(r: &mut Random, sizes: [i64; 3]) -> String {
    let steps = 2 + r.below(3);
    let mut labels: Vec<usize> = (1..=steps).collect();
    for n in (1..steps).rev() {
        if r.below(3) == 0 {
            labels.swap(n, r.below(n + 1));
        }
    }
    let mut left = sizes;
    let mut texts = Vec::new();
    for (n, label) in labels.iter().enumerate() {
        let last = n + 1 == steps;
        let mut tokens: [Vec<String>; 3] = Default::default();
        for (dim, left) in left.iter_mut().enumerate() {
            let mut size = if last { 1 } else { 1 + r.below(*left as usize) as i64 };
            if r.below(3) > 0 {
                size = (1..=size).rev().find(|size| *left % size == 0).unwrap_or(1);
            }
            let tail = if *left % size == 0 { "" } else { r.pick(&["~limit", "~peel", "~pad", "~limit"]) };
            tokens[0].push(format!("{size}{tail}"));
            *left = size;
            let layer = r.pick(&["FOR", "FOR", "FOR", "UNR", if last { "VEC" } else { "FOR" }]);
            let axis = if layer == "VEC" { ["x", "y", "z"][dim].into() } else { (dim + 1).to_string() };
            tokens[2].push(format!("{layer}.{axis}"));
        }
        let a = r.pick(&["^", "^", "L2", "L1[2,1]"]);
        let b = r.pick(&["^", "^", "L2", "L2[2/4,1,2%4]"]);
        let c = if last { "^" } else { r.pick(&["^", "REG", "L1"]) };
        tokens[1].push(format!("{a},{b} ; {c}"));
        texts.push(format!(
            "\"{label}: ({}) ({}) ({})\"",
            tokens[0].join(","),
            tokens[1].join(","),
            tokens[2].join(",")
        ));
    }
    texts.join(", ")
}

/// Random schedules; about half of them are refused
const TRIALS: usize = 150;

/// Whatever a schedule says: it is refused, or the values are right
#[test]
fn random_schedules() {
    let mut r = Random::new(7);
    let (mut carried_out, mut refused) = (0, Vec::new());
    for _ in 0..TRIALS {
        let sizes = [1 + r.below(9) as i64, 1 + r.below(14) as i64, 1 + r.below(9) as i64];
        let [i, j, k] = sizes;
        let text = product(
            "i32",
            sizes,
            "i, k",
            "k, j",
            [format!("{i}x{k}"), format!("{k}x{j}"), format!("{i}x{j}")],
            "i, j",
        );
        let schedule = random_schedule(&mut r, sizes);
        let text =
            text.replace("outs([i, j])", &format!("outs([i, j]) attributes {{mdh.schedule = [{schedule}]}}"));
        let wanted = as_it_is(&parse(&text), "f");
        let mut ir = parse(&text);
        if let Err(why) = HARNESS.transform(&mut ir, "func.func(mdh-to-sched)") {
            refused.push(format!("{schedule}\n{why}"));
            continue;
        }
        let shown = verify(&ir).err().unwrap_or_default();
        let in_order = (1..5).all(|n| {
            schedule.find(&format!("\"{n}:")) <= schedule.find(&format!("\"{}:", n + 1)).or(Some(usize::MAX))
        });
        if shown.contains("E0661") || shown.contains("E0651") && !in_order {
            // Lanes that are not neighbours, limits of loops out of order: refused by the rules of the level below.
            refused.push(format!("{schedule}\n{shown}"));
            continue;
        }
        assert!(shown.is_empty(), "{shown}\n{text}");
        lower(&mut ir, DOWN, &text);
        same(&wanted, &lowered(&ir, "f", &text, 1), &text);
        carried_out += 1;
    }
    assert!(carried_out >= TRIALS / 3, "only {carried_out} were carried out: {}", refused.join("\n"));
}

/// Iterations that split a reduction bring their values together, by each mechanism that a core can name
#[test]
fn reductions_that_are_split() {
    let sizes = [6, 8, 40];
    let shapes = || ["6x40".to_owned(), "40x8".to_owned(), "6x8".to_owned()];
    for (target, elem, schedule) in [
        // Chosen: atomics for integers, a second computation for floats; then said.
        (
            "cuda",
            "i32",
            r#""1: (3,4,8) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)", "2: (1,1,1) (^,^ ; RM) (THR.y,THR.x,FOR.1)""#,
        ),
        (
            "cuda",
            "f32",
            r#""1: (3,4,8) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)", "2: (1,1,1) (^,^ ; RM) (THR.y,THR.x,FOR.1)""#,
        ),
        (
            "cuda",
            "i32",
            r#""1: (3,4,8) (^,^ ; ^) (BLK.y,BLK.x,BLK.z(kernel))", "2: (1,1,1) (^,^ ; RM) (THR.y,THR.x,FOR.1)""#,
        ),
        (
            "cuda",
            "f32",
            r#""1: (6,8,7~limit) (^,^ ; ^) (^,^,BLK.z(kernel))", "2: (1,1,1) (^,^ ; ^) (THR.y,THR.x,FOR.1)""#,
        ),
        (
            "cuda",
            "f32",
            r#""1: (2,8,10) (A:SM,^ ; ^) (BLK.y,^,BLK.z(kernel))", "2: (1,1,1) (^,^ ; RM) (THR.y,THR.x,FOR.1)""#,
        ),
        // Threads copy their block's values to where blocks meet.
        (
            "cuda",
            "i32",
            r#""1: (6,8,10) (^,^ ; SM) (^,^,BLK.z(atomic))", "2: (1,1,^) (^,^ ; ^) (THR.y,THR.x,^)", "3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)""#,
        ),
        // Threads of a block: a tree in shared memory, or shuffles.
        (
            "cuda",
            "f32",
            r#""1: (1,1,^) (^,^ ; ^) (BLK.y,BLK.x,^)", "2: (^,^,5) (^,^ ; ^) (^,^,THR.x(shared))", "3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)""#,
        ),
        (
            "cuda",
            "f32",
            r#""1: (1,1,^) (^,^ ; ^) (BLK.y,BLK.x,^)", "2: (^,^,5) (^,^ ; ^) (^,^,THR.x(shuffle))", "3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)""#,
        ),
        // Tasks: partial results, in order.
        (
            "openmp",
            "f32",
            r#""1: (^,^,10) (^,^ ; L2) (FOR.1,FOR.2,THR.x(partials))", "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)""#,
        ),
        (
            "openmp",
            "i32",
            r#""1: (^,^,10) (^,^ ; ^) (FOR.1,FOR.2,THR.x(atomic))", "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)""#,
        ),
    ] {
        let text = product(elem, sizes, "i, k", "k, j", shapes(), "i, j");
        let text =
            text.replace("outs([i, j])", &format!("outs([i, j]) attributes {{mdh.schedule = [{schedule}]}}"));
        let wanted = as_it_is(&parse(&text), "f");
        let mut ir = parse(&text);
        let first = format!("func.func(mdh-schedule{{target={target}}},mdh-to-sched)");
        for step in [first.as_str(), DOWN] {
            lower(&mut ir, step, &text);
            same(&wanted, &lowered(&ir, "f", &text, 1), &format!("{step}\n{text}"));
        }
    }
}

/// Random programs: how often each is generated
const PROGRAMS: usize = 20;

/// Dimensions in two inputs and the output at random, in random order, some shifted against each other
fn random_program(r: &mut Random) -> String {
    let count = 2 + r.below(3);
    let mut used: [Vec<usize>; 3] = Default::default();
    for dim in 0..count {
        // In which of A, B and the output: at least in one input.
        let mask = r.pick(&[0b011, 0b101, 0b110, 0b111, 0b001, 0b110, 0b101]);
        for (n, list) in used.iter_mut().enumerate() {
            if mask >> n & 1 == 1 {
                let at = r.below(list.len() + 1);
                list.insert(at, dim);
            }
        }
    }
    let sizes: Vec<i64> = (0..count).map(|_| r.pick(&[1, 2, 3, 5, 8, 16, 17, 20])).collect();
    let operator = r.pick(&["add", "max", "min"]);
    let dims: Vec<String> = (0..count)
        .map(|n| match used[2].contains(&n) {
            true => format!("d{n} in {}", sizes[n]),
            false => format!("d{n} in {} pw {operator}", sizes[n]),
        })
        .collect();
    let mut access = |list: &[usize], shift: bool| {
        let (mut exprs, mut shape) = (Vec::new(), String::new());
        let mut rest: Vec<usize> = list.to_vec();
        while let Some(dim) = rest.first().copied() {
            rest.remove(0);
            // Two dimensions in one index, as windows have.
            if shift && !rest.is_empty() && r.below(4) == 0 {
                let other = rest.remove(0);
                let factor = r.pick(&[1, 2]);
                exprs.push(format!("{factor} * d{dim} + d{other}"));
                let _ = write!(shape, "{}x", factor * (sizes[dim] - 1) + sizes[other]);
            } else {
                exprs.push(format!("d{dim}"));
                let _ = write!(shape, "{}x", sizes[dim]);
            }
        }
        (exprs.join(", "), shape)
    };
    let ((a, sa), (b, sb), (out, sc)) =
        (access(&used[0], true), access(&used[1], true), access(&used[2], false));
    format!(
        "func.func @f(%A: tensor<{sa}i32>, %B: tensor<{sb}i32>) -> tensor<{sc}i32> {{
  %c = mdh.compute ({}) ins(%a = %A[{a}], %b = %B[{b}]) outs([{out}]) {{
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  }} : (tensor<{sa}i32>, tensor<{sb}i32>) -> tensor<{sc}i32>
  return %c : tensor<{sc}i32>
}}",
        dims.join(", ")
    )
}

#[test]
fn random_programs() {
    let mut r = Random::new(3);
    for _ in 0..PROGRAMS {
        let text = random_program(&mut r);
        agree(&text);
    }
}

#[test]
fn empty_dimensions() {
    for sizes in [[0, 3, 2], [3, 0, 2], [3, 2, 0], [20, 40, 0]] {
        let [i, j, k] = sizes;
        agree(&product(
            "f32",
            sizes,
            "i, k",
            "k, j",
            [format!("{i}x{k}"), format!("{k}x{j}"), format!("{i}x{j}")],
            "i, j",
        ));
    }
    agree(&reduction("i32", "k in 0", "0", "k", "max", 1, "[]", ""));
}

/// Rows at places that values name: lanes where neighbours in memory are read, else not
#[test]
fn rows_at_places_that_values_name() {
    let text = |places: &str, body: &str| {
        format!(
            "func.func @f(%E: tensor<37x37xf32>, %t: tensor<11xi32>) -> tensor<11x37xf32> {{
  %y = mdh.compute (n in 11, d in 37) ins(%e = %E, %p = %t[n]) outs([n, d]) {{
    %c7 = arith.constant 7 : i32
    %a = arith.andi %p, %c7 : i32
    %i = arith.index_cast %a : i32 to index
    %d = mdh.index 1
    %v = tensor.extract %e[{places}] : tensor<37x37xf32>
{body}
    mdh.yield %w : f32
  }} : (tensor<37x37xf32>, tensor<11xi32>) -> tensor<11x37xf32>
  return %y : tensor<11x37xf32>
}}"
        )
    };
    let plain = "    %w = arith.addf %v, %v : f32";
    let second = "    %j = arith.addi %i, %i : index
    %u = tensor.extract %e[%j, %i] : tensor<37x37xf32>
    %w = arith.mulf %u, %v : f32";
    let moved = "    %u = tensor.extract %e[%d, %i] : tensor<37x37xf32>
    %w = arith.mulf %u, %v : f32";
    for (places, body, lanes) in [
        ("%i, %d", plain, true),
        ("%i, %d", second, true),
        ("%d, %i", plain, false),
        ("%i, %d", moved, false),
    ] {
        let text = text(places, body);
        agree(&text);
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4})", &text);
        let mut schedule = String::new();
        terrace_text::print(&ir, &terrace_text::PrintOptions::default(), &mut schedule);
        assert_eq!(schedule.contains("VEC"), lanes, "{schedule}");
    }
}
