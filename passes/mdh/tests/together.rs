//! Reductions over the same points as one computation: which are, which are not, and values.

use crate::common::*;
use terrace_dialect_test::values::shown;
use terrace_support::Random;

/// A reduction of a tensor by an operator: dimensions, index functions, and what it keeps
struct One<'a> {
    of: &'a str,
    dims: &'a str,
    at: &'a str,
    out: &'a str,
    kept: &'a str,
}

fn text(args: &str, all: &[One<'_>]) -> String {
    let types: Vec<String> = all.iter().map(|one| format!("tensor<{}f32>", one.kept)).collect();
    let names: Vec<String> = (0..all.len()).map(|n| format!("%r{n}")).collect();
    let bodies: String = all
        .iter()
        .zip(&types)
        .enumerate()
        .map(|(n, (One { of, dims, at, out, .. }, ty))| {
            let of_type = args.split(", ").find_map(|arg| arg.strip_prefix(&format!("{of}: "))).unwrap_or("");
            format!(
                "  %r{n} = mdh.compute \"r{n}\" ({dims}) ins(%a = {of}[{at}]) outs([{out}]) {{
    mdh.yield %a : f32
  }} : ({of_type}) -> {ty}\n"
            )
        })
        .collect();
    let (names, types) = (names.join(", "), types.join(", "));
    format!("func.func @f({args}) -> ({types}) {{\n{bodies}  return {names} : {types}\n}}")
}

fn count(text: &str, pipeline: &str) -> usize {
    let mut ir = parse(text);
    lower(&mut ir, pipeline, text);
    shown(&ir).matches("mdh.compute").count()
}

const INLINE: &str = "func.func(mdh-inline)";

fn rows<'a>(of: &'a str, kind: &'a str, kept: &'a str) -> One<'a> {
    One { of, dims: kind, at: "i, j", out: "i", kept }
}

#[test]
fn what_shares_an_operand_is_one() {
    let args = "%A: tensor<37x61xf32>";
    let sum = || rows("%A", "i in 37, j in 61 pw add", "37x");
    let max = || rows("%A", "i in 37, j in 61 pw max", "37x");
    let both = text(args, &[sum(), max()]);
    assert_eq!(count(&both, INLINE), 1);
    agree(&both);
    // The second has its dimensions in another order.
    let turned = || One { of: "%A", dims: "p in 61 pw min, q in 37", at: "q, p", out: "q", kept: "37x" };
    let three = text(args, &[sum(), max(), turned()]);
    assert_eq!(count(&three, INLINE), 1);
    agree(&three);
    // Of a square, operands say which dimension is which.
    let square = "%A: tensor<19x19xf32>";
    let across = One { of: "%A", dims: "p in 19 pw max, q in 19", at: "q, p", out: "q", kept: "19x" };
    let two = text(square, &[rows("%A", "i in 19, j in 19 pw add", "19x"), across]);
    assert_eq!(count(&two, INLINE), 1);
    agree(&two);
}

#[test]
fn others_stay() {
    let args = "%A: tensor<19x19xf32>, %B: tensor<19x19xf32>";
    let sum = || rows("%A", "i in 19, j in 19 pw add", "19x");
    let columns = One { of: "%A", dims: "i in 19 pw add, j in 19", at: "i, j", out: "j", kept: "19x" };
    // Rows and columns; another operand; parts of it; an order of its own.
    for other in [
        columns,
        rows("%B", "i in 19, j in 19 pw add", "19x"),
        One { of: "%A", dims: "i in 19, j in 18 pw add", at: "i, j + 1", out: "i", kept: "19x" },
        rows("%A", "i in 19, j in 19 pw add source", "19x"),
    ] {
        let text = text(args, &[sum(), other]);
        assert_eq!(count(&text, INLINE), 2, "{text}");
        agree(&text);
    }
    // The second needs the first.
    let needs = text(args, &[sum(), sum()])
        .replacen(
            "\"r1\" (i in 19, j in 19 pw add) ins(%a = %A[i, j])",
            "\"r1\" (i in 19, j in 19 pw add) ins(%a = %A[i, j], %b = %r0[i])",
            1,
        )
        .replacen(
            "  } : (tensor<19x19xf32>) -> tensor<19xf32>\n  return",
            "  } : (tensor<19x19xf32>, tensor<19xf32>) -> tensor<19xf32>\n  return",
            1,
        );
    assert_eq!(count(&needs, INLINE), 2, "{needs}");
    agree(&needs);
    // Operands that are used again at other points: a product has its own tiles.
    let product = "func.func @f(%A: tensor<17x23xf32>, %B: tensor<23x19xf32>, %C: tensor<23x19xf32>) -> (tensor<17x19xf32>, tensor<17x19xf32>) {
  %r = mdh.compute (i in 17, j in 19, k in 23 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<17x23xf32>, tensor<23x19xf32>) -> tensor<17x19xf32>
  %s = mdh.compute (i in 17, j in 19, k in 23 pw add) ins(%a = %A[i, k], %b = %C[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<17x23xf32>, tensor<23x19xf32>) -> tensor<17x19xf32>
  return %r, %s : tensor<17x19xf32>, tensor<17x19xf32>
}";
    assert_eq!(count(product, INLINE), 2);
    agree(product);
}

/// Once two reductions are one, what only they read is computed there
#[test]
fn a_producer_of_both_is_computed_in_one() {
    let text = "func.func @f(%A: tensor<7x13x31xf32>, %B: tensor<7x13x31xf32>) -> (tensor<31xf32>, tensor<31xf32>) {
  %o = mdh.compute (i in 7, j in 13, k in 31) ins(%a = %A[i, j, k], %b = %B[i, j, k]) outs([i, j, k]) {
    %p = arith.addf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<7x13x31xf32>, tensor<7x13x31xf32>) -> tensor<7x13x31xf32>
  %r = mdh.compute (i in 7 pw add, j in 13 pw add, k in 31) ins(%a = %o[i, j, k]) outs([k]) {
    mdh.yield %a : f32
  } : (tensor<7x13x31xf32>) -> tensor<31xf32>
  %s = mdh.compute (i in 7 pw max, j in 13 pw max, k in 31) ins(%a = %o[i, j, k], %b = %B[i, j, k]) outs([k]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<7x13x31xf32>, tensor<7x13x31xf32>) -> tensor<31xf32>
  return %r, %s : tensor<31xf32>, tensor<31xf32>
}";
    assert_eq!(count(text, INLINE), 1);
    agree(text);
}

/// What both give is computed once
#[test]
fn the_same_twice() {
    let sum = || rows("%A", "i in 37, j in 61 pw add", "37x");
    let max = || rows("%A", "i in 37, j in 61 pw max", "37x");
    let text = text("%A: tensor<37x61xf32>", &[sum(), max(), sum()]);
    let mut ir = parse(&text);
    lower(&mut ir, INLINE, &text);
    assert!(shown(&ir).contains("outs([i], [i])"), "{}", shown(&ir));
    agree(&text);
}

/// A reader between two reductions: the second is computed at the first's place, if it needs nothing of what is between
#[test]
fn a_reader_between_them() {
    let text = |of: &str| {
        format!(
            "func.func @f(%A: tensor<7x31xf32>) -> (tensor<7xf32>, tensor<7xf32>) {{
  %r = mdh.compute (i in 7, j in 31 pw add) ins(%a = %A[i, j]) outs([i]) {{
    mdh.yield %a : f32
  }} : (tensor<7x31xf32>) -> tensor<7xf32>
  %m = mdh.compute (i in 7) ins(%a = %r[i]) outs([i]) {{
    %p = math.exp %a : f32
    mdh.yield %p : f32
  }} : (tensor<7xf32>) -> tensor<7xf32>
  %s = mdh.compute (i in 7, j in 31 pw max) ins(%a = %A[i, j], %b = {of}[i, j]) outs([i]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<7x31xf32>, tensor<7x31xf32>) -> tensor<7xf32>
  return %m, %s : tensor<7xf32>, tensor<7xf32>
}}"
        )
    };
    assert_eq!(count(&text("%A"), INLINE), 2);
    agree(&text("%A"));
    let needs = text("%m")
        .replace("%m[i, j]", "%m[i]")
        .replace("(tensor<7x31xf32>, tensor<7x31xf32>)", "(tensor<7x31xf32>, tensor<7xf32>)");
    assert_eq!(count(&needs, INLINE), 3);
    agree(&needs);
}

/// On grids those that share nothing are one launch
#[test]
fn on_grids_the_model_puts_others_together() {
    for (m, n) in [(8192, 768), (8191, 769), (1021, 67)] {
        let args = format!("%A: tensor<{m}x{n}xf32>, %B: tensor<{m}x{n}xf32>");
        let (kept, dims) =
            (format!("{n}x"), [format!("i in {m} pw add, j in {n}"), format!("i in {m} pw max, j in {n}")]);
        let of = |of, n: usize| One { of, dims: &dims[n], at: "i, j", out: "j", kept: &kept };
        let text = text(&args, &[of("%A", 0), of("%B", 1)]);
        let chosen = |options: &str| {
            let mut ir = parse(&text);
            lower(&mut ir, &format!("func.func(mdh-schedule{{target=cuda{options}}},mdh-to-sched)"), &text);
            shown(&ir).matches("sched.kernel").count()
        };
        let (one, apart) = (chosen(""), chosen(" join=false"));
        assert_eq!(2 * one, apart, "{m} by {n}: {one}, {apart}");
        if m == 1021 {
            agree(&text);
        }
    }
    assert_eq!(
        count(
            &text(
                "%A: tensor<19x19xf32>, %B: tensor<19x19xf32>",
                &[rows("%A", "i in 19, j in 19 pw add", "19x"), rows("%B", "i in 19, j in 19 pw add", "19x")]
            ),
            "func.func(mdh-schedule{target=x86-64-v4})"
        ),
        2
    );
}

#[test]
fn random_reductions() {
    let mut random = Random::new(70);
    for _ in 0..24 {
        let mut size = || [1, 2, 3, 5, 8, 17, 31, 64][random.below(8) as usize];
        let (m, n) = (size(), size());
        let args = format!("%A: tensor<{m}x{n}xf32>, %B: tensor<{m}x{n}xf32>");
        let count = 2 + random.below(3) as usize;
        let mut parts = Vec::new();
        for _ in 0..count {
            let op = ["add", "max", "min"][random.below(3) as usize];
            let (row, turned) = (random.below(2) == 0, random.below(2) == 0);
            let (i, j) =
                if row { (String::new(), format!(" pw {op}")) } else { (format!(" pw {op}"), String::new()) };
            let dims = if turned {
                format!("j in {n}{j}, i in {m}{i}")
            } else {
                format!("i in {m}{i}, j in {n}{j}")
            };
            let (out, kept) = if row { ("i", format!("{m}x")) } else { ("j", format!("{n}x")) };
            parts.push((["%A", "%B"][random.below(2) as usize], dims, out, kept));
        }
        let all: Vec<One<'_>> =
            parts.iter().map(|(of, dims, out, kept)| One { of, dims, at: "i, j", out, kept }).collect();
        agree(&text(&args, &all));
    }
}
