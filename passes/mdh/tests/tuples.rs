//! Tuples of which some components are in tiles: each is combined where it is, and all hold what there is so far.

use crate::common;

use common::*;

const BETTER: &str = "func.func private @better(%a: i32, %i: i32, %b: i32, %j: i32) -> (i32, i32) attributes {sched.operator = {associative, commutative, exact, identity = [-2147483648 : i32, 2147483647 : i32]}} {
  %more = arith.cmpi sgt, %b, %a : i32
  %same = arith.cmpi eq, %a, %b : i32
  %first = arith.minsi %i, %j : i32
  %v = arith.select %more, %b, %a : i32
  %p = arith.select %same, %first, %i : i32
  %q = arith.select %more, %j, %p : i32
  return %v, %q : i32, i32
}
";

/// As it is, with the nest unchanged, and fully lowered
fn agrees(text: &str) {
    let wanted = as_it_is(&parse(text), "f");
    let mut ir = parse(text);
    lower(&mut ir, "func.func(mdh-operators)", text);
    for step in ["func.func(mdh-to-sched)", DOWN] {
        lower(&mut ir, step, text);
        same(&wanted, &lowered(&ir, "f", text, wanted.len()), &format!("{step}\n{text}"));
    }
}

fn argmax(i: i64, j: i64, cut: &str, steps: &[&str]) {
    let steps: Vec<String> = steps.iter().map(|step| format!("\"{step}\"")).collect();
    agrees(&format!(
        "{BETTER}func.func @f(%X: tensor<{i}x{j}xi32>) -> (tensor<{i}xi32>, tensor<{i}xi32>) {{
  %v, %p = mdh.compute (i in {i}, j in {j} pw @better) {cut} ins(%x = %X[i, j]) outs([i], [i])
       attributes {{mdh.schedule = [{}]}} {{
    %n = mdh.index 1
    %m = arith.index_cast %n : index to i32
    mdh.yield %x, %m : i32, i32
  }} : (tensor<{i}x{j}xi32>) -> (tensor<{i}xi32>, tensor<{i}xi32>)
  return %v, %p : tensor<{i}xi32>, tensor<{i}xi32>
}}",
        steps.join(", ")
    ));
}

#[test]
fn one_component_in_registers_or_all() {
    for place in ["REG,^", "^,REG", "REG,REG", "L1,REG", "^,^"] {
        let tile = format!("2: (1,13) (^ ; {place}) (FOR.1,FOR.2)");
        argmax(14, 26, "", &["1: (7,^) (^ ; ^,^) (THR.x,^)", &tile, "3: (1,1) (^ ; ^,^) (FOR.1,FOR.2)"]);
        let tile = format!("1: (3~limit,4~limit) (^ ; {place}) (FOR.1,FOR.2)");
        argmax(7, 13, "", &[&tile, "2: (1,1) (^ ; ^,^) (FOR.1,FOR.2)"]);
        let tile = format!("1: (2~peel,5~peel) (^ ; {place}) (FOR.1,FOR.2)");
        argmax(5, 11, "", &[&tile, "2: (1,1) (^ ; ^,^) (FOR.2,FOR.1)"]);
        let tile = format!("1: (^,5~limit) (^ ; {place}) (FOR.1,FOR.2)");
        argmax(6, 17, "where j < 2 * i - 2", &[&tile, "2: (1,1) (^ ; ^,^) (FOR.1,FOR.2)"]);
    }
}

/// A tile inside of another one's tile, or of the other component's
#[test]
fn tiles_inside_of_tiles() {
    for (outer, inner) in [("L2,^", "REG,REG"), ("L2,L2", "REG,^"), ("L2,^", "^,REG"), ("^,L2", "^,REG")] {
        let steps = [
            format!("1: (4~limit,9~limit) (^ ; {outer}) (FOR.1,FOR.2)"),
            format!("2: (2~limit,3) (^ ; {inner}) (FOR.1,FOR.2)"),
            "3: (1,1) (^ ; ^,^) (FOR.1,FOR.2)".to_string(),
        ];
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        argmax(7, 19, "", &steps);
    }
}

/// In a kernel registers are a thread's own
#[test]
fn in_a_kernel() {
    for place in ["RM,^", "^,RM", "RM,RM"] {
        let tile = format!("2: (1,5~limit) (^ ; {place}) (THR.x,FOR.2)");
        argmax(12, 13, "", &["1: (4,^) (^ ; ^,^) (BLK.x,^)", &tile, "3: (1,1) (^ ; ^,^) (FOR.1,FOR.2)"]);
    }
}

/// Start values of one component: the other one begins with its neutral element
#[test]
fn start_values_of_one_component() {
    for (place, operator) in
        [("^,L1", "compose"), ("L1,^", "compose"), ("^,^", "compose"), ("L1,L1", "compose")]
    {
        for tile in ["1: (1,7)", "1: (1,3~limit)"] {
            agrees(&format!(
                "func.func private @compose(%a1: i32, %b1: i32, %a2: i32, %b2: i32) -> (i32, i32) attributes {{sched.operator = {{associative, exact, identity = [1 : i32, 0 : i32]}}}} {{
  %a = arith.muli %a1, %a2 : i32
  %t = arith.muli %a1, %b2 : i32
  %b = arith.addi %t, %b1 : i32
  return %a, %b : i32, i32
}}
func.func @f(%A: tensor<7xi32>, %I: tensor<3xi32>) -> (tensor<1xi32>, tensor<3xi32>) {{
  %r:2 = mdh.compute (i in 1, j in 7 pw @{operator}) ins(%a = %A[j]) outs([i], [i + 1] into %I)
       attributes {{mdh.schedule = [\"{tile} (^ ; {place}) (FOR.1,FOR.2)\", \"2: (1,1) (^ ; ^,^) (FOR.1,FOR.2)\"]}} {{
    mdh.yield %a, %a : i32, i32
  }} : (tensor<7xi32>, tensor<3xi32>) -> (tensor<1xi32>, tensor<3xi32>)
  return %r#0, %r#1 : tensor<1xi32>, tensor<3xi32>
}}"
            ));
        }
    }
}

/// Each lane carries a tuple of its own along a reduced dimension: whole rounds, vectors behind them, powers of two behind those
#[test]
fn lanes_along_what_is_reduced() {
    for (extent, lanes, copies) in [
        (64, 8, 4),
        (71, 8, 2),
        (7, 4, 1),
        (23, 16, 1),
        (40, 8, 4),
        (37, 4, 3),
        (2, 2, 1),
        (131, 16, 4),
        (300, 16, 8),
    ] {
        let round = format!("2: (1,{}~peel) (^ ; ^,^) (FOR.1,FOR.2)", lanes * copies);
        let vectors = format!("3: (^,{lanes}~peel) (^ ; ^,^) (^,UNR.1)");
        argmax(
            5,
            extent,
            "",
            &["1: (2~limit,^) (^ ; ^,^) (THR.x,^)", &round, &vectors, "4: (^,1) (^ ; ^,^) (^,VEC.x)"],
        );
        let lanes = format!("1: (1,{lanes}~peel) (^ ; ^,^) (FOR.1,FOR.2)");
        argmax(3, extent, "", &[&lanes, "2: (^,1) (^ ; ^,^) (^,VEC.x)"]);
    }
}

/// Equal values: the least place wins, whichever lane has it
#[test]
fn lanes_agree_on_the_first_of_equals() {
    let text = |cut: &str, schedule: &str| {
        format!(
            "{BETTER}func.func @f(%X: tensor<4x6x37xi32>) -> (tensor<4xi32>, tensor<4xi32>) {{
  %v, %p = mdh.compute (i in 4, k in 6 pw @better, j in 37 pw @better) {cut} ins(%x = %X[i, k, j]) outs([i], [i]){schedule} {{
    %n = mdh.index 2
    %k = mdh.index 1
    %3 = arith.constant 3 : i32
    %least = arith.minsi %x, %3 : i32
    %m = arith.index_cast %n : index to i32
    %l = arith.index_cast %k : index to i32
    %37 = arith.constant 37 : i32
    %row = arith.muli %l, %37 : i32
    %at = arith.addi %row, %m : i32
    mdh.yield %least, %at : i32, i32
  }} : (tensor<4x6x37xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  return %v, %p : tensor<4xi32>, tensor<4xi32>
}}"
        )
    };
    let steps = "[\"1: (1,1,16~peel) (^ ; ^,^) (FOR.1,FOR.2,FOR.3)\", \"2: (^,^,8~peel) (^ ; ^,^) (^,^,UNR.1)\", \"3: (^,^,1) (^ ; ^,^) (^,^,VEC.x)\"]";
    agrees(&text("", &format!(" attributes {{mdh.schedule = {steps}}}")));
}

/// Threads of a block bring tuples together, and so do tasks; in order, where the operator does not commute
#[test]
fn threads_and_tasks_bring_tuples_together() {
    let text = |extent: i64, rows: &str, part: &str| {
        format!(
            "func.func private @compose(%a1: i32, %b1: i32, %a2: i32, %b2: i32) -> (i32, i32) attributes {{sched.operator = {{associative, exact, identity = [1 : i32, 0 : i32]}}}} {{
  %a = arith.muli %a1, %a2 : i32
  %t = arith.muli %a1, %b2 : i32
  %b = arith.addi %t, %b1 : i32
  return %a, %b : i32, i32
}}
func.func @f(%A: tensor<3x{extent}xi32>) -> (tensor<3xi32>, tensor<3xi32>) {{
  %r:2 = mdh.compute (i in 3, j in {extent} pw @compose) ins(%a = %A[i, j]) outs([i], [i])
       attributes {{mdh.schedule = [\"1: (1,^) (^ ; ^,^) ({rows},^)\", \"2: (^,{part}) (^ ; ^,^) (^,THR.x)\", \"3: (1,1) (^ ; ^,^) (FOR.1,FOR.2)\"]}} {{
    %j = mdh.index 1
    %k = arith.index_cast %j : index to i32
    mdh.yield %a, %k : i32, i32
  }} : (tensor<3x{extent}xi32>) -> (tensor<3xi32>, tensor<3xi32>)
  return %r#0, %r#1 : tensor<3xi32>, tensor<3xi32>
}}"
        )
    };
    for (extent, part) in [(24, "6"), (35, "5"), (1, "1"), (7, "1"), (64, "2"), (26, "13"), (37, "5~limit")] {
        for rows in ["BLK.x", "FOR.1"] {
            agrees(&text(extent, rows, part));
        }
    }
}

/// Columns of the least place of the greatest number
fn columns(m: i64, n: i64) -> String {
    format!(
        "{BETTER}func.func @f(%X: tensor<{m}x{n}xi32>) -> (tensor<{n}xi32>, tensor<{n}xi32>) {{
  %v, %p = mdh.compute (j in {n}, i in {m} pw @better) ins(%x = %X[i, j]) outs([j], [j]) {{
    %k = mdh.index 1
    %l = arith.index_cast %k : index to i32
    mdh.yield %x, %l : i32, i32
  }} : (tensor<{m}x{n}xi32>) -> (tensor<{n}xi32>, tensor<{n}xi32>)
  return %v, %p : tensor<{n}xi32>, tensor<{n}xi32>
}}"
    )
}

/// One thread or lane for each of a few columns leaves most of a device without work
#[test]
fn few_columns_are_reduced_in_parts_and_by_rows_of_threads() {
    for (m, n) in [(20_011, 8), (9_001, 3), (30_000, 2)] {
        for (target, word) in [("x86-64-v4", "part in"), ("cuda", "THR.y")] {
            // Eight columns are work for each of four cores.
            let word = if n >= 4 && target != "cuda" { "THR.x" } else { word };
            let text = columns(m, n);
            let wanted = as_it_is(&parse(&text), "f");
            let mut ir = parse(&text);
            lower(&mut ir, "func.func(mdh-operators)", &text);
            lower(&mut ir, &format!("func.func(mdh-schedule{{target={target}}})"), &text);
            let shown = terrace_dialect_test::values::shown(&ir);
            assert!(shown.contains(word), "{target}: {shown}");
            for step in ["func.func(mdh-to-sched)", DOWN] {
                lower(&mut ir, step, &text);
                same(&wanted, &lowered(&ir, "f", &text, wanted.len()), &format!("{target}, {step}\n{shown}"));
            }
        }
    }
}

/// Many columns have a lane or a thread each, as before
#[test]
fn many_columns_have_a_lane_or_a_thread_each() {
    let cases = [("x86-64-v4", "VEC.x", [37, 600]), ("cuda", "THR.x", [37, 600])];
    let more = [[20_011, 31], [1009, 1000], [9001, 64]].map(|sizes| ("x86-64-v3", "VEC.x", sizes));
    for (target, word, [m, n]) in cases.into_iter().chain(more) {
        let text = columns(m, n);
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-operators)", &text);
        lower(&mut ir, &format!("func.func(mdh-schedule{{target={target}}})"), &text);
        let shown = terrace_dialect_test::values::shown(&ir);
        assert!(shown.contains(word) && !shown.contains("part in"), "{target}: {shown}");
    }
}
