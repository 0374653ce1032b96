//! Tiles of symmetric results below the diagonal are copies, with the same values.

use crate::common::*;
use terrace_dialect_test::values::shown;

const CHOOSE: &str = "func.func(mdh-schedule{target=x86-64-v4})";

/// A computation of a square result, or of a batch of such, from one tensor
fn computation(kind: &str, n: i64, k: i64) -> String {
    let (maps, body, batch) = match kind {
        "rows" => ("%A[i, k], %A[j, k]", "", ""),
        "columns" => ("%A[k, i], %A[k, j]", "", ""),
        "batch" => ("%A[b, i, k], %A[b, j, k]", "", "b in 3, "),
        "distances" => ("%A[i, k], %A[j, k]", "distances", ""),
        // x·(x + y) is another value when x and y are exchanged.
        "skew" => ("%A[i, k], %A[j, k]", "skew", ""),
        // The exchange maps no read to another one.
        "shifted" => ("%A[i + 1, k], %A[j, k]", "", ""),
        other => panic!("{other}"),
    };
    let body = match body {
        "distances" => "%d = arith.subf %x, %y : f32\n    %p = arith.mulf %d, %d : f32",
        "skew" => "%d = arith.addf %x, %y : f32\n    %p = arith.mulf %x, %d : f32",
        _ => "%p = arith.mulf %x, %y : f32",
    };
    let (rows, columns) = match kind {
        "columns" => (k, n),
        "shifted" => (n + 1, k),
        _ => (n, k),
    };
    let (front, own, place) = if batch.is_empty() { ("", "", "i, j") } else { ("3x", "3x", "b, i, j") };
    let reads: Vec<&str> = maps.split("], ").collect();
    format!(
        "func.func @f(%A: tensor<{front}{rows}x{columns}xf32>) -> tensor<{own}{n}x{n}xf32> {{
  %c = mdh.compute ({batch}i in {n}, j in {n}, k in {k} pw add) ins(%x = {}], %y = {}) outs([{place}]) {{
    {body}
    mdh.yield %p : f32
  }} : (tensor<{front}{rows}x{columns}xf32>, tensor<{front}{rows}x{columns}xf32>) -> tensor<{own}{n}x{n}xf32>
  return %c : tensor<{own}{n}x{n}xf32>
}}",
        reads[0], reads[1]
    )
}

fn is_chosen(text: &str) -> bool {
    let mut ir = parse(text);
    lower(&mut ir, CHOOSE, text);
    shown(&ir).contains("mdh.symmetric")
}

#[test]
fn results_that_the_exchange_leaves_as_they_are_are_symmetric() {
    for (kind, wanted) in [
        ("rows", true),
        ("columns", true),
        ("batch", true),
        ("distances", true),
        ("skew", false),
        ("shifted", false),
    ] {
        assert_eq!(is_chosen(&computation(kind, 509, 503)), wanted, "{kind}");
    }
}

/// The text with an attribute next to its computation
fn with(text: &str, attribute: &str) -> String {
    // The body is the only thing in braces that starts in a new line.
    let at = text.rfind(" {\n    ").expect("a body");
    format!("{} attributes {{mdh.symmetric = {attribute}}}{}", &text[..at], &text[at..])
}

fn pair(kind: &str) -> &str {
    if kind == "batch" { "array<i64: 1, 2>" } else { "array<i64: 0, 1>" }
}

#[test]
fn copies_have_the_values_of_what_they_replace() {
    for kind in ["rows", "columns", "batch", "distances"] {
        for (n, k) in [(17, 5), (67, 3), (97, 4), (131, 2)] {
            let text = with(&computation(kind, n, k), pair(kind));
            assert!(is_chosen(&text), "{text}");
            agree_chosen(&text, CHOOSE);
        }
    }
}

/// What is stated goes before the model's choice: nothing, or dimensions that the result is symmetric in
#[test]
fn what_is_stated_is_carried_out() {
    let (small, large) = (computation("rows", 3, 3), computation("rows", 509, 503));
    assert!(!is_chosen(&small) && is_chosen(&large));
    assert!(is_chosen(&with(&small, "array<i64: 0, 1>")));
    let mut ir = parse(&with(&large, "array<i64>"));
    lower(&mut ir, CHOOSE, &large);
    assert!(shown(&ir).contains("mdh.symmetric = array<i64>}"), "{}", shown(&ir));
    let mut ir = parse(&with(&large, "array<i64: 0, 1>"));
    lower(&mut ir, "func.func(mdh-schedule{target=cuda},mdh-to-sched)", &large);
}

/// Given schedules: tiles in other orders, threads over rows, whole and peeled remainders
#[test]
fn schedules_that_are_given_have_the_values_too() {
    let schedules = [
        "\"1: (^,32~limit,^) (^ ; ^) (^,THR.x,^)\", \"2: (7~peel,^,^) (^ ; ^) (FOR.1,^,^)\", \"3: (1,1,1) (^ ; ^) (FOR.1,FOR.2,FOR.3)\"",
        "\"1: (^,32~limit,^) (^ ; ^) (^,THR.x,^)\", \"2: (^,16,^) (^ ; ^) (^,FOR.1,^)\", \"3: (1,1,1) (^ ; ^) (FOR.1,FOR.2,FOR.3)\"",
        // Squares of 4 columns: many tiles of rows, of which none may meet.
        "\"1: (^,12~limit,^) (^ ; ^) (^,THR.x,^)\", \"2: (8~limit,^,^) (^ ; ^) (FOR.1,^,^)\", \"3: (^,8~limit,^) (^ ; ^) (^,FOR.1,^)\", \"4: (1,1,1) (^ ; ^) (FOR.1,FOR.2,FOR.3)\"",
        "\"1: (24~limit,16~limit,^) (^ ; ^) (THR.y,THR.x,^)\", \"2: (1,1,1) (^ ; ^) (FOR.1,FOR.2,FOR.3)\"",
        "\"1: (^,16~peel,^) (^ ; ^) (^,FOR.1,^)\", \"2: (5~peel,^,^) (^ ; REG) (FOR.1,^,^)\", \"3: (^,^,1) (^ ; ^) (^,^,FOR.1)\", \"4: (1,1,^) (^ ; ^) (UNR.1,UNR.2,^)\"",
    ];
    for schedule in schedules {
        for n in [33, 35, 64, 67] {
            let text = computation("rows", n, 3);
            let attributes = format!(
                "attributes {{mdh.schedule = [{schedule}], mdh.symmetric = array<i64: 0, 1>}} {{\n    %p"
            );
            let text = text.replacen("{\n    %p", &attributes, 1);
            let wanted = as_it_is(&parse(&text), "f");
            let mut ir = parse(&text);
            for step in ["func.func(mdh-to-sched)", DOWN] {
                lower(&mut ir, step, &text);
            }
            same(&wanted, &lowered(&ir, "f", &text, wanted.len()), &text);
        }
    }
}
