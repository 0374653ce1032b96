//! Element-wise computations that are stored where the reduction behind reads them (`mdh.prologue`): places, refusals, values.

use crate::common::*;
use terrace_dialect_test::values::shown;
use terrace_support::Random;

/// `%o`, which is returned, and a reduction of it: how both read, and what is kept
fn stored(sizes: [i64; 3], at: &str, read: &str, kinds: [&str; 3], out: &str) -> String {
    let [l, m, n] = sizes;
    let kept: Vec<String> = out
        .split(", ")
        .filter_map(|name| {
            Some(["i", "j", "k"].iter().position(|own| *own == name).map(|dim| sizes[dim])?.to_string())
        })
        .collect();
    let shape: String = kept.iter().map(|size| format!("{size}x")).collect();
    let [a, b, c] = kinds;
    let t = format!("tensor<{l}x{m}x{n}xf32>");
    format!(
        "func.func @f(%A: {t}, %B: {t}, %C: {t}) -> ({t}, tensor<{shape}f32>) {{
  %o = mdh.compute \"o\" (i in {l}, j in {m}, k in {n}) ins(%a = %A[i, j, k], %b = %B[{at}]) outs([i, j, k]) {{
    %r = arith.addf %a, %b : f32
    mdh.yield %r : f32
  }} : ({t}, {t}) -> {t}
  %s = mdh.compute \"s\" (i in {l}{a}, j in {m}{b}, k in {n}{c}) ins(%a = %o[{read}], %c = %C[i, j, k]) outs([{out}]) {{
    %r = arith.mulf %a, %c : f32
    mdh.yield %r : f32
  }} : ({t}, {t}) -> tensor<{shape}f32>
  return %o, %s : {t}, tensor<{shape}f32>
}}"
    )
}

const FORMS: [([&str; 3], &str); 4] = [
    ([" pw add", "", ""], "j, k"),
    ([" pw add", " pw add", ""], "k"),
    (["", "", " pw add"], "i, j"),
    ([" pw add", " pw add", " pw add"], ""),
];

const AT: &str = "i, j, k";

fn nests(text: &str, options: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, &format!("func.func(mdh-schedule{{{options}}},mdh-to-sched)"), text);
    shown(&ir)
}

/// Is the stored result read again?
fn read_again(nests: &str) -> bool {
    nests.contains("sched.read %o[")
}

#[test]
fn what_is_stored_is_not_read_again() {
    for target in ["cuda", "opencl", "x86-64-v4", "x86-64-v2", "openmp"] {
        for sizes in [[64, 12, 96], [7, 13, 61], [5, 37, 41], [3, 1, 2]] {
            // Short runs have no lanes.
            let short = sizes[2] < 16 && target != "cuda" && target != "opencl";
            for (kinds, out) in FORMS.into_iter().filter(|_| !short) {
                let text = stored(sizes, AT, AT, kinds, out);
                let found = nests(&text, &format!("target={target} join=false"));
                assert!(!read_again(&found), "{target} {sizes:?} {out}\n{found}");
                let without = nests(&text, &format!("target={target} join=false prologues=false"));
                assert!(read_again(&without), "{target} {sizes:?} {out}\n{without}");
            }
        }
    }
}

#[test]
fn a_kernel_for_both() {
    let text = stored([61, 127, 769], AT, AT, FORMS[0].0, FORMS[0].1);
    assert_eq!(nests(&text, "target=cuda").matches("sched.kernel").count(), 1);
}

/// Parts of a reduction that several blocks share, whose last one ends early
#[test]
fn parts_store_it() {
    for sizes in [[1, 8192, 37], [1, 8191, 37]] {
        let text = stored(sizes, AT, AT, FORMS[1].0, FORMS[1].1);
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-schedule{target=cuda join=false})", &text);
        assert!(shown(&ir).contains("s_parts") && shown(&ir).contains("mdh.prologue"), "{}", shown(&ir));
        lower(&mut ir, "func.func(mdh-to-sched)", &text);
        assert!(!read_again(&shown(&ir)), "{}", shown(&ir));
    }
    for sizes in [[1, 1024, 3], [1, 1021, 3]] {
        agree(&stored(sizes, AT, AT, FORMS[1].0, FORMS[1].1));
    }
}

#[test]
fn values_are_those_of_two_nests() {
    for sizes in [[7, 13, 61], [1, 5, 33], [3, 1, 1], [4, 8, 16]] {
        for (kinds, out) in FORMS {
            agree(&stored(sizes, AT, AT, kinds, out));
        }
    }
}

#[test]
fn where_there_is_no_place() {
    let whole = |text: &str| nests(text, "target=cuda join=false");
    let (kinds, out) = FORMS[0];
    let plain = stored([6, 6, 6], AT, AT, kinds, out);
    // Another point's element; what is read in another order; elements that are read twice.
    let neighbor = stored([6, 6, 6], AT, "i, j, 5 - k", kinds, out);
    let turned = stored([6, 6, 6], "i, k, j", AT, kinds, out);
    let twice = plain.replace("%c = %C[i, j, k]", "%c = %o[i, k, j]");
    for text in [neighbor, turned, twice] {
        let found = whole(&text);
        assert!(read_again(&found), "{found}");
        agree(&text);
    }
    // What stands between may need the result, or change what is read.
    let between = plain.replace(
        "  %s = mdh",
        "  %u = mdh.compute \"u\" (k in 6) ins(%a = %o[0, 0, k]) outs([k]) {
    mdh.yield %a : f32
  } : (tensor<6x6x6xf32>) -> tensor<6xf32>
  %s = mdh",
    );
    let between = between
        .replace("return %o, %s :", "return %o, %s, %u :")
        .replace("tensor<6x6xf32>\n}", "tensor<6x6xf32>, tensor<6xf32>\n}");
    let between = between.replace("tensor<6x6xf32>) {\n  %o", "tensor<6x6xf32>, tensor<6xf32>) {\n  %o");
    agree(&between);
}

/// Other computations behind read it from memory
#[test]
fn a_result_that_others_read_too() {
    let (kinds, out) = FORMS[2];
    let text = stored([5, 7, 33], AT, AT, kinds, out);
    let text = text.replace(
        "  return %o, %s :",
        "  %u = mdh.compute \"u\" (i in 5 pw max, j in 7, k in 33) ins(%a = %o[i, j, k]) outs([j, k]) {
    mdh.yield %a : f32
  } : (tensor<5x7x33xf32>) -> tensor<7x33xf32>
  return %o, %s, %u :",
    );
    let text = text.replace("tensor<5x7xf32>\n}", "tensor<5x7xf32>, tensor<7x33xf32>\n}");
    let text = text.replace("tensor<5x7xf32>) {\n  %o", "tensor<5x7xf32>, tensor<7x33xf32>) {\n  %o");
    let found = nests(&text, "target=cuda join=false");
    assert_eq!(found.matches("sched.read %o[").count(), 1, "{found}");
    assert_eq!(found.matches("sched.kernel").count(), 2, "{found}");
    agree(&text);
}

/// The mark alone gives no permission
#[test]
fn a_mark_where_nothing_permits_it() {
    for target in ["cuda", "x86-64-v4"] {
        for (at, read) in [
            ("i, j, k", "i, j, 5 - k"),
            ("i, j, k", "i, k, j"),
            ("j, k, i", "i, j, k"),
            ("i, j, k", "0, j, k"),
        ] {
            for (kinds, out) in FORMS {
                let text = stored([6, 6, 6], at, read, kinds, out);
                let mut ir = parse(&text);
                lower(&mut ir, &format!("func.func(mdh-schedule{{target={target} join=false}})"), &text);
                let chosen = shown(&ir).replace("mdh.prologue, ", "");
                agree_given(&chosen.replace("mdh.schedule = ", "mdh.prologue, mdh.schedule = "));
            }
        }
    }
}

#[test]
fn random_programs() {
    let mut random = Random::new(69);
    for _ in 0..24 {
        let mut size = || [1, 2, 3, 5, 8, 13, 17, 31, 64][random.below(9) as usize];
        let sizes = [size(), size(), size()];
        let (kinds, out) = FORMS[random.below(4) as usize];
        let at = ["i, j, k", "0, j, k", "i, 0, k", "i, j, 0"][random.below(4) as usize];
        agree(&stored(sizes, at, AT, kinds, out));
    }
}
