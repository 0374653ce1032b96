//! Reductions with the order `invariant`: one pattern of bits for every schedule, target, batch and order of blocks.
//!
//! Values have random exponents. The same programs with the order `fixed` give several patterns, or these tests would show nothing.

use crate::common::{self, HARNESS, lower, parse, same};
use crate::in_order::{TARGETS, as_it_is, in_this_order, on_buffers, rough};
use std::collections::BTreeSet;
use terrace_dialect_test::Numbers;
use terrace_dialect_test::values::{numbers, shown, types};
use terrace_interp::{Order, RtValue};
use terrace_support::Random;

const FIX: &str = "func.func(mdh-fix-bits)";

/// What a program means when its brackets are written
fn meaning(text: &str) -> Numbers {
    let mut ir = parse(text);
    lower(&mut ir, FIX, text);
    as_it_is(&ir).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// Bits of each target's schedules, at the level of schedules and below
fn patterns(text: &str, results: usize) -> Vec<(String, Numbers)> {
    let mut all = Vec::new();
    for target in TARGETS {
        let mut ir = parse(text);
        let first = match *target {
            "" => String::new(),
            _ => format!("func.func(mdh-phases,mdh-inline,mdh-hoist,mdh-schedule{{target={target}}}),"),
        };
        lower(&mut ir, FIX, text);
        for step in [format!("{first}func.func(mdh-to-sched)"), common::DOWN.to_string()] {
            lower(&mut ir, &step, text);
            let found = on_buffers(&ir, results).unwrap_or_else(|why| panic!("{target}: {why}\n{text}"));
            all.push((format!("`{target}`, {step}\n{text}"), found));
        }
    }
    all
}

/// Every level of every target gives the bits of the mathematics; how many patterns the order `fixed` gives
fn keeps_bits(text: &str) -> usize {
    let wanted = meaning(text);
    for (what, found) in patterns(text, wanted.len()) {
        same(&wanted, &found, &what);
    }
    let fixed = text.replace(" invariant", "");
    let found = patterns(&fixed, wanted.len()).into_iter().map(|(_, found)| format!("{found:?}"));
    found.collect::<BTreeSet<_>>().len()
}

fn sum(dims: &str, read: &str, out: &str, [shape, result]: [&str; 2]) -> String {
    format!(
        "func.func @f(%A: tensor<{shape}>) -> tensor<{result}> {{
  %c = mdh.compute \"y\" ({dims}) ins(%a = %A[{read}]) outs([{out}]) {{
    mdh.yield %a : f32
  }} : (tensor<{shape}>) -> tensor<{result}>
  return %c : tensor<{result}>
}}"
    )
}

fn product(dims: &str, reads: [&str; 2], out: &str, shapes: [&str; 3]) -> String {
    let ([ra, rb], [sa, sb, result]) = (reads, shapes);
    format!(
        "func.func @f(%A: tensor<{sa}>, %B: tensor<{sb}>) -> tensor<{result}> {{
  %c = mdh.compute \"y\" ({dims}) ins(%a = %A[{ra}], %b = %B[{rb}]) outs([{out}]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<{sa}>, tensor<{sb}>) -> tensor<{result}>
  return %c : tensor<{result}>
}}"
    )
}

fn rows(m: i64, n: i64) -> String {
    sum(
        &format!("i in {m}, j in {n} pw add invariant"),
        "i, j",
        "i",
        [&format!("{m}x{n}xf32"), &format!("{m}xf32")],
    )
}

fn columns(m: i64, n: i64) -> String {
    sum(
        &format!("i in {n}, j in {m} pw add invariant"),
        "j, i",
        "i",
        [&format!("{m}x{n}xf32"), &format!("{n}xf32")],
    )
}

fn whole(m: i64, n: i64) -> String {
    let dims = format!("i in {m} pw add invariant, j in {n} pw add invariant");
    sum(&dims, "i, j", "", [&format!("{m}x{n}xf32"), "f32"])
}

/// Channels of images, `[0, 2, 3]` reduced: of each image a row of `h · w` elements
fn channels([n, c, h, w]: [i64; 4]) -> String {
    let dims =
        format!("i in {c}, a in {n} pw add invariant, y in {h} pw add invariant, x in {w} pw add invariant");
    sum(&dims, "a, i, y, x", "i", [&format!("{n}x{c}x{h}x{w}xf32"), &format!("{c}xf32")])
}

/// The same with rows of images as one dimension
fn channels_of_rows([n, c, r]: [i64; 3]) -> String {
    let dims = format!("i in {c}, a in {n} pw add invariant, x in {r} pw add invariant");
    sum(&dims, "a, i, x", "i", [&format!("{n}x{c}x{r}xf32"), &format!("{c}xf32")])
}

fn matmul(m: i64, n: i64, k: i64) -> String {
    product(
        &format!("i in {m}, j in {n}, k in {k} pw add invariant"),
        ["i, k", "k, j"],
        "i, j",
        [&format!("{m}x{k}xf32"), &format!("{k}x{n}xf32"), &format!("{m}x{n}xf32")],
    )
}

/// `y = x · x'`, which has lanes, parts and what is left over
fn dot(n: i64) -> String {
    let shape = format!("{n}xf32");
    product(&format!("k in {n} pw add invariant"), ["k", "k"], "", [&shape, &shape, "f32"])
}

#[test]
fn schedules_of_all_targets_give_one_pattern() {
    let mut several = 0;
    let texts = [
        rows(3, 16),
        rows(5, 17),
        rows(7, 131),
        rows(2, 450),
        columns(67, 19),
        columns(601, 3),
        columns(700, 37),
        columns(530, 300),
        channels([3, 2, 7, 7]),
        channels([2, 3, 17, 17]),
        channels([5, 2, 1, 48]),
        whole(31, 97),
        whole(67, 40),
        matmul(7, 33, 131),
        dot(33991),
    ];
    for text in &texts {
        several += usize::from(keeps_bits(text) > 1);
    }
    assert!(several >= texts.len() / 2, "only {several} programs have bits that a schedule could change");
}

/// The first element of the result
fn first(numbers: &Numbers) -> String {
    format!("{:?}", numbers[0].first())
}

#[test]
fn the_batch_changes_no_bit() {
    for (one, many) in
        [(rows(1, 150), rows(64, 150)), (rows(1, 45), rows(64, 45)), (matmul(1, 5, 67), matmul(64, 5, 67))]
    {
        let wanted = meaning(&one);
        for text in [&one, &many] {
            for (what, found) in patterns(text, 1) {
                assert_eq!(first(&found), first(&wanted), "{what}");
            }
        }
    }
}

/// Rows that are written as several dimensions have the bits of one dimension, and a kept dimension of one coordinate is no neighbor
#[test]
fn the_spelling_of_rows_changes_no_bit() {
    for (one, other) in [
        (channels_of_rows([3, 2, 289]), channels([3, 2, 17, 17])),
        (channels_of_rows([3, 2, 384]), channels([3, 2, 384, 1])),
        (channels_of_rows([4, 2, 64]), channels([4, 2, 8, 8])),
        (whole(1, 300), whole(300, 1)),
    ] {
        let wanted = meaning(&one);
        for text in [&one, &other] {
            for (what, found) in patterns(text, 1) {
                assert_eq!(first(&found), first(&wanted), "{what}");
            }
        }
    }
    // Columns are columns where there is one of them.
    for (m, kept) in [(16, 1), (16, 5), (100, 1), (100, 5)] {
        let text = columns(m, kept);
        let mut ir = parse(&text);
        lower(&mut ir, FIX, &text);
        assert!(!shown(&ir).contains("tree"), "{}", shown(&ir));
    }
    for kept in [1, 5] {
        let text = channels([6, kept, 17, 3]);
        let mut ir = parse(&text);
        lower(&mut ir, FIX, &text);
        let shown = shown(&ir);
        assert!(shown.contains("y_x in ") && !shown.contains("a_y_x"), "{shown}");
    }
}

/// Sums in front of which there is a start value, products of floats and integers next to each other, and operators that are exact
#[test]
fn start_values_and_exact_operators() {
    let text = "func.func @f(%A: tensor<5x300xf32>, %S: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<f32>) {
  %c = mdh.compute (i in 5, j in 300 pw add invariant) ins(%a = %A[i, j]) outs([i] into %S) {
    mdh.yield %a : f32
  } : (tensor<5x300xf32>, tensor<5xf32>) -> tensor<5xf32>
  %m = mdh.compute (i in 5, j in 300 pw max invariant) ins(%a = %A[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<5x300xf32>) -> tensor<5xf32>
  %p = mdh.compute (i in 5 pw mul invariant, j in 40 pw mul invariant) ins(%a = %A[i, j]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<5x300xf32>) -> tensor<f32>
  return %c, %m, %p : tensor<5xf32>, tensor<5xf32>, tensor<f32>
}";
    keeps_bits(text);
    let mut ir = parse(text);
    lower(&mut ir, FIX, text);
    let shown = shown(&ir);
    assert!(shown.contains("j in 300 pw max)"), "an exact operator has no bracket:\n{shown}");
}

/// Rows that are written as two dimensions, with start values that are no neutral elements
fn started(c: i64, [h, w]: [i64; 2], one: bool) -> String {
    let (dims, read, shape) = match one {
        true => (format!("x in {} pw add invariant", h * w), "i, x", format!("{c}x{}xf32", h * w)),
        false => (
            format!("y in {h} pw add invariant, x in {w} pw add invariant"),
            "i, y, x",
            format!("{c}x{h}x{w}xf32"),
        ),
    };
    format!(
        "func.func @f(%A: tensor<{shape}>, %S: tensor<{c}xf32>) -> tensor<{c}xf32> {{
  %c = mdh.compute \"y\" (i in {c}, {dims}) ins(%a = %A[{read}]) outs([i] into %S) {{
    mdh.yield %a : f32
  }} : (tensor<{shape}>, tensor<{c}xf32>) -> tensor<{c}xf32>
  return %c : tensor<{c}xf32>
}}"
    )
}

#[test]
fn start_values_change_no_bracket() {
    for [h, w] in [[17, 17], [3, 100], [40, 7]] {
        let wanted = meaning(&started(3, [h, w], true));
        for one in [true, false] {
            for (what, found) in patterns(&started(3, [h, w], one), 1) {
                same(&wanted, &found, &what);
            }
        }
    }
}

/// Rows or columns that end where only the call knows, below a bound; of several dimensions, and with start values
fn ending(m: i64, bound: i64, n: i64, columns: bool, start: bool) -> String {
    let (shape, read) =
        if columns { (format!("{bound}x{m}"), "j, i") } else { (format!("{m}x{bound}"), "i, j") };
    let (arg, into, ty) = match start {
        true => (format!(", %S: tensor<{m}xf32>"), " into %S", format!("tensor<{m}xf32>, ")),
        false => (String::new(), "", String::new()),
    };
    format!(
        "func.func @f(%A: tensor<{shape}xf32>{arg}) -> tensor<{m}xf32> {{
  %n = arith.constant {n} : index
  %c = mdh.compute \"y\" (i in {m}, j in {bound} pw add invariant) extents(%n <= {bound}) where j < %n ins(%a = %A[{read}]) outs([i]{into}) {{
    mdh.yield %a : f32
  }} : (tensor<{shape}xf32>, {ty}index) -> tensor<{m}xf32>
  return %c : tensor<{m}xf32>
}}"
    )
}

#[test]
fn extents_that_are_known_at_run_time_have_brackets() {
    let mut several = 0;
    for (m, bound, columns, start) in [
        (3, 300, false, false),
        (2, 131, false, true),
        (5, 1030, true, false),
        (1, 5000, false, false),
        (3, 601, true, true),
    ] {
        for n in [0, 1, 16, 65, bound / 2, bound - 1, bound] {
            let text = ending(m, bound, n, columns, start);
            several += usize::from(keeps_bits(&text) > 1);
        }
        let text = ending(m, bound, 7, columns, start);
        let mut ir = parse(&text);
        lower(&mut ir, FIX, &text);
        let shown = shown(&ir);
        assert!(shown.contains("lanes in ") != columns && shown.contains("part in ") == columns, "{shown}");
    }
    assert!(several > 5, "only {several} programs have bits that a schedule could change");
}

/// Conditions of several dimensions, and of kept ones: a triangle, and rows of which some are left out
#[test]
fn conditions_have_brackets() {
    for (condition, extents, ty) in [
        ("j < i + 1", "", ""),
        ("j + i < 150", "", ""),
        ("i < %n", " extents(%n <= 7)", ", index"),
        ("i < 5, j < %n", " extents(%n <= 200)", ", index"),
    ] {
        let text = format!(
            "func.func @f(%A: tensor<7x200xf32>, %S: tensor<7xf32>) -> tensor<7xf32> {{
  %n = arith.constant 6 : index
  %c = mdh.compute \"y\" (i in 7, j in 200 pw add invariant){extents} where {condition} ins(%a = %A[i, j]) outs([i] into %S) {{
    mdh.yield %a : f32
  }} : (tensor<7x200xf32>, tensor<7xf32>{ty}) -> tensor<7xf32>
  return %c : tensor<7xf32>
}}"
        );
        keeps_bits(&text);
    }
}

/// One rounding of each product with its addition, as `libm` does it, in the order of the points
#[test]
fn the_fused_bracket_is_what_it_says() {
    let text = matmul(2, 3, 131);
    let ir = parse(&text);
    let mut fixed = parse(&text);
    lower(&mut fixed, FIX, &text);
    assert!(shown(&fixed).contains("k in 131 pw add fused"), "{}", shown(&fixed));
    let inputs = types(&ir, "f").0;
    let [a, b] = [0, 1].map(|n| {
        let given = numbers(&RtValue::Vector(rough(ir.cx(), inputs[n], n).into()));
        given.into_iter().map(|value| value.unwrap_or(f64::NAN) as f32).collect::<Vec<f32>>()
    });
    let found = as_it_is(&fixed).expect("it runs");
    for i in 0..2 {
        for j in 0..3 {
            let mut sum = a[i * 131] * b[j];
            for k in 1..131 {
                sum = a[i * 131 + k].mul_add(b[k * 3 + j], sum);
            }
            assert_eq!(found[0][i * 3 + j], Some(f64::from(sum)), "{i}, {j}");
        }
    }
}

/// On processors what folds lanes joins the loops of their sums: nothing of the size of all sums is in memory
#[test]
fn lanes_are_folded_where_they_are_summed() {
    for text in [rows(300, 768), rows(300, 770), rows(64, 40)] {
        let mut ir = parse(&text);
        lower(&mut ir, FIX, &text);
        lower(
            &mut ir,
            "func.func(mdh-inline,mdh-schedule{target=x86-64-v4},mdh-to-sched,sched-fuse-loops)",
            &text,
        );
        let shown = shown(&ir);
        let buffers =
            shown.lines().filter(|line| line.contains("sched.alloc") && !line.contains("memref<1x"));
        assert_eq!(buffers.collect::<Vec<_>>(), Vec::<&str>::new(), "{shown}");
        assert!(shown.contains(": vector pw add tree"), "{shown}");
    }
}

/// What has no bracket that is the same everywhere is refused, and so is a schedule of the whole
#[test]
fn what_depends_on_the_machine_is_refused() {
    // Its largest arguments need the library.
    let sine = rows(3, 64).replace("mdh.yield %a", "%e = math.sin %a : f32\n    mdh.yield %e");
    let prefixes = "func.func @f(%A: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %c = mdh.compute (i in 8, j in 64 ps add) ins(%a = %A[i, j]) outs([i, j]) {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8x64xf32>
  return %c : tensor<8x64xf32>
}";
    let given = rows(3, 64)
        .replace("outs([i])", "outs([i]) attributes {mdh.schedule = [\"1: (1,1) (^ ; ^) (FOR.1,FOR.2)\"]}");
    let level = "func.func(mdh-fix-bits{level=invariant})";
    for (text, pipeline, why) in [
        (sine.as_str(), FIX, "'math.sin' has other last bits in another library"),
        (prefixes, level, "prefixes that round have no bracket that is the same everywhere"),
        (
            given.as_str(),
            FIX,
            "the reduction has a schedule, and its bracket makes several computations of it",
        ),
    ] {
        let refused = HARNESS.run(&mut parse(text), pipeline);
        let shown = refused.expect_err("it depends on the machine");
        assert!(shown.contains("E0675") && shown.contains(why), "{shown}");
    }
    // Without its bracket the order `invariant` is not run.
    let text = rows(3, 64);
    let trap = as_it_is(&parse(&text)).expect_err("it has no bracket yet");
    assert!(trap.contains("run `mdh-fix-bits` first"), "{trap}");
}

/// NaN with other bits in it, and one that an addition makes, become one
#[test]
fn nan_has_one_form_on_request() {
    for operator in ["add", "max"] {
        let text = rows(2, 33).replace("pw add", &format!("pw {operator}"));
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-fix-bits{nan=canonical})", &text);
        let mut values = vec![RtValue::f32(1.0); 66];
        values[3] = RtValue::f32(f32::from_bits(0xffc1_2345));
        values[40] = RtValue::f32(f32::INFINITY);
        values[50] = RtValue::f32(f32::NEG_INFINITY);
        let found = terrace_dialect_test::values::interpreter(&ir)
            .call("f", vec![RtValue::Vector(values.into())])
            .unwrap_or_else(|trap| panic!("{}", trap.message));
        let RtValue::Vector(all) = &found[0] else { panic!("a tensor") };
        let nan = RtValue::f32(f32::from_bits(0x7fc0_0000));
        assert_eq!(all[0], nan, "{operator}");
        assert_eq!(all[1], if operator == "add" { nan } else { RtValue::f32(f32::INFINITY) }, "{operator}");
    }
}

/// Functions of `math` have one form: the values of the interpreter's library up to a few units, and one pattern of bits
#[test]
fn functions_have_one_form() {
    for (function, least) in [("exp", -9.0), ("log", 0.001), ("tanh", -2.0), ("rsqrt", 0.01), ("erf", -1.0)] {
        let text = "func.func @f(%A: tensor<8xf32>) -> tensor<8xf32> {
  %c = mdh.compute (i in 8) ins(%a = %A[i]) outs([i]) {
    %e = math.FUN %a : f32
    mdh.yield %e : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}"
        .replace("FUN", function);
        let values: Vec<RtValue> = (0..8).map(|n| RtValue::f32(least + n as f32 * 0.73)).collect();
        let run = |ir: &terrace_ir::Ir| {
            let found = terrace_dialect_test::values::interpreter(ir)
                .call("f", vec![RtValue::Vector(values.clone().into())])
                .unwrap_or_else(|trap| panic!("{}", trap.message));
            numbers(&found[0])
        };
        let wanted = run(&parse(&text));
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-fix-bits{level=invariant})", &text);
        assert!(!shown(&ir).contains(&format!("math.{function}")), "{}", shown(&ir));
        for (a, b) in wanted.into_iter().zip(run(&ir)) {
            let (a, b) = (a.expect("it is written"), b.expect("it is written"));
            assert!(
                (a - b).abs() <= 4.0 * f64::from(f32::EPSILON) * a.abs().max(1e-3),
                "{function}: {a} and {b}"
            );
        }
        let sum =
            rows(3, 70).replace("mdh.yield %a", &format!("%e = math.{function} %a : f32\n    mdh.yield %e"));
        keeps_bits(&sum);
    }
}

/// A schedule for the sums of 64 lanes of a few rows: tiles, levels and the place of accumulators at random
fn random_schedule(r: &mut Random, rows: i64) -> Vec<String> {
    let mut pick = |all: &[i64]| all[r.below(all.len() as u64) as usize];
    let (outer, wide, vector) = (pick(&[rows, 2, 1]), pick(&[64, 32, 16]), pick(&[16, 8, 4, 2]));
    let (threads, level, registers) = (pick(&[0, 1]), pick(&[0, 1, 2]) as usize, pick(&[0, 1, 2, 3]));
    let mut steps = Vec::new();
    let mut step = |sizes: [&str; 3], out: &str, cores: [&str; 3]| {
        let n = steps.len() + 1;
        steps.push(format!("{n}: ({}) (^ ; {out}) ({})", sizes.join(","), cores.join(",")));
    };
    let place = |here: i64| if registers == here { "REG" } else { "^" };
    if outer < rows {
        let core = if threads == 1 { "THR.x" } else { "FOR.1" };
        step([&outer.to_string(), "^", "^"], "^", [core, "^", "^"]);
    }
    if outer > 1 {
        step(["1", "^", "^"], place(1), ["FOR.1", "^", "^"]);
    }
    if wide < 64 {
        step(["^", &wide.to_string(), "^"], place(2), ["^", "FOR.1", "^"]);
    }
    if registers == 3 {
        step(["^", "^", "^"], "REG", ["^", "^", "^"]);
    }
    step(["^", "^", "1"], "^", ["^", "^", "FOR.1"]);
    step(["^", &vector.to_string(), "^"], "^", ["^", "UNR.1", "^"]);
    step(["^", "1", "^"], "^", ["^", ["VEC.x", "UNR.1", "FOR.1"][level], "^"]);
    steps
}

/// The rows of 450 elements with a schedule for the sums of their lanes
fn scheduled(schedule: &[String]) -> String {
    let text = rows(4, 450);
    let mut ir = parse(&text);
    lower(&mut ir, FIX, &text);
    let steps: Vec<String> = schedule.iter().map(|step| format!("\"{step}\"")).collect();
    let (from, to) = (
        "outs([i, lanes])",
        format!("outs([i, lanes]) attributes {{mdh.schedule = [{}]}}", steps.join(", ")),
    );
    let made = shown(&ir).replacen(from, &to, 1);
    assert!(made.contains("mdh.schedule"), "{made}");
    made
}

#[test]
fn random_schedules_give_one_pattern() {
    let wanted = meaning(&rows(4, 450));
    let mut accepted = BTreeSet::new();
    for seed in 0..80 {
        let schedule = random_schedule(&mut Random::new(seed), 4);
        if accepted.contains(&schedule) {
            continue;
        }
        let text = scheduled(&schedule);
        let mut ir = parse(&text);
        for step in ["func.func(mdh-to-sched)", common::DOWN] {
            // A rule of the level below may refuse a place of accumulators; bits never differ.
            if HARNESS.run(&mut ir, step).is_err() {
                break;
            }
            let found = on_buffers(&ir, 1).unwrap_or_else(|why| panic!("{why}\n{text}"));
            same(&wanted, &found, &text);
            if step == common::DOWN {
                accepted.insert(schedule.clone());
            }
        }
    }
    assert!(accepted.len() >= 20, "only {} schedules: {accepted:#?}", accepted.len());
}

/// How many patterns of bits 100 orders of blocks and threads give
fn orders(text: &str) -> usize {
    let mut ir = parse(text);
    lower(&mut ir, FIX, text);
    lower(&mut ir, "func.func(mdh-schedule{target=cuda},mdh-to-sched)", text);
    assert!(shown(&ir).contains("sched.kernel"), "nothing runs on blocks:\n{}", shown(&ir));
    let pattern = |seed: u64| {
        let order = if seed == 0 { Order::Reverse } else { Order::Seed(seed) };
        format!("{:?}", in_this_order(&ir, 1, order).unwrap_or_else(|why| panic!("{why}\n{text}")))
    };
    (0..100).map(pattern).collect::<BTreeSet<_>>().len()
}

#[test]
fn a_hundred_orders_of_blocks_give_one_pattern() {
    for order in ["invariant", "fixed"] {
        for text in [whole(1, 1024), rows(3, 300), columns(300, 3)] {
            assert_eq!(orders(&text.replace("invariant", order)), 1, "{order}\n{text}");
        }
    }
    let atomic = sum("j in 1024 pw add free", "j", "", ["1024xf32", "f32"]).replace(
        "outs([])",
        "outs([]) attributes {mdh.schedule = [\"1: (16) (^ ; ^) (BLK.x(atomic))\", \"2: (1) (^ ; ^) (FOR.1)\"]}",
    );
    assert!(orders(&atomic) > 1, "atomic updates in 100 orders have the same bits, which shows nothing");
}
