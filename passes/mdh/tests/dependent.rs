//! Dependent reductions as one: found however they are spelled, never without permission, and with values within the stated bounds.

use crate::common::*;
use terrace_dialect_mdh::Compute;
use terrace_dialect_test::values::{fill, interpreter, numbers, read, shown, types};
use terrace_interp::RtValue;
use terrace_ir::{Ir, Value};

const RULES: &str = r#"["online_softmax", "welford", "one_pass_norm"]"#;

/// A reduction and a sum that depends on it, both returned
struct Two {
    /// Sizes of `i` and `j`
    sizes: [i64; 2],
    /// Dimensions of the first and of the second: `i in $m, j in $n pw max`
    dims: [&'static str; 2],
    /// What the first folds of `%a`, as `%x`
    x: &'static str,
    /// What the second adds of `%a` and `%c`, as `%t`
    t: &'static str,
    permitted: &'static str,
}

const MAX: [&str; 2] = ["i in $m, j in $n pw max", "i in $m, j in $n pw add"];
const SUM: [&str; 2] = ["i in $m, j in $n pw add", "i in $m, j in $n pw add"];

impl Two {
    fn text(&self) -> String {
        let [m, n] = self.sizes;
        let of = |dims: &str| dims.replace("$m", &m.to_string()).replace("$n", &n.to_string());
        let (first, second) = (of(self.dims[0]), of(self.dims[1]));
        let Two { x, t, permitted, .. } = self;
        format!(
            r#"func.func @f(%X: tensor<{m}x{n}xf32>) -> (tensor<{m}xf32>, tensor<{m}xf32>) attributes {{mdh.approximate = {permitted}}} {{
  %m = mdh.compute ({first}) ins(%a = %X[i, j]) outs([i]) {{
    {x}
    mdh.yield %x : f32
  }} : (tensor<{m}x{n}xf32>) -> tensor<{m}xf32>
  %s = mdh.compute ({second}) ins(%a = %X[i, j], %c = %m[i]) outs([i]) {{
    {t}
    mdh.yield %t : f32
  }} : (tensor<{m}x{n}xf32>, tensor<{m}xf32>) -> tensor<{m}xf32>
  return %m, %s : tensor<{m}xf32>, tensor<{m}xf32>
}}"#
        )
    }
}

const SAME: &str = "%z = arith.constant 0.0 : f32
    %x = arith.addf %a, %z : f32";
const EXP: &str = "%z = arith.constant 0.0 : f32
    %x = arith.addf %a, %z : f32
    %d = arith.subf %x, %c : f32
    %t = math.exp %d : f32";

/// The program after the pass
fn rewritten(text: &str) -> Box<Ir> {
    let mut ir = parse(text);
    lower(&mut ir, "mdh-dependent,func.func(mdh-inline)", text);
    ir
}

/// Reductions that are left
fn reductions(ir: &Ir) -> usize {
    shown(ir).lines().filter(|line| line.contains("mdh.compute") && line.contains(" pw ")).count()
}

#[track_caller]
fn fires(text: &str) -> Box<Ir> {
    let ir = rewritten(text);
    assert_eq!(reductions(&ir), 1, "{text}\nbecame\n{}", shown(&ir));
    ir
}

#[track_caller]
fn stays(text: &str) {
    let ir = rewritten(text);
    assert_eq!(reductions(&ir), 2, "{text}\nbecame\n{}", shown(&ir));
}

/// Results of a function on tensors
fn on_tensors(ir: &Ir, inputs: &[Vec<f32>]) -> Vec<Vec<f64>> {
    let args = inputs.iter().map(|all| RtValue::Vector(all.iter().map(|x| RtValue::f32(*x)).collect()));
    let found = interpreter(ir).call("f", args.collect()).unwrap_or_else(|trap| panic!("{}", trap.message));
    found.iter().map(|one| numbers(one).into_iter().map(|n| n.expect("no poison")).collect()).collect()
}

/// The same on buffers
fn on_buffers(ir: &Ir, inputs: &[Vec<f32>]) -> Vec<Vec<f64>> {
    let (parameters, _) = types(ir, "f");
    let mut machine = interpreter(ir);
    let mut args = Vec::new();
    let mut results = Vec::new();
    for (n, ty) in parameters.iter().enumerate() {
        let shape = ty.shape(ir.cx()).expect("a buffer");
        let values: Vec<RtValue> = inputs.get(n).into_iter().flatten().map(|x| RtValue::f32(*x)).collect();
        let view = fill(&mut machine, shape, &values);
        if n >= inputs.len() {
            results.push((shape, view.clone()));
        }
        args.push(RtValue::MemRef(view));
    }
    machine.call("f", args).unwrap_or_else(|trap| panic!("{}\n{}", trap.message, shown(ir)));
    let all = results.into_iter().map(|(shape, view)| read(&mut machine, shape, &view));
    all.map(|all| all.into_iter().map(|n| n.expect("written")).collect()).collect()
}

/// Results of the rewritten program: on tensors, and with the schedules of each device
fn all_results(text: &str, inputs: &[Vec<f32>]) -> Vec<(String, Vec<Vec<f64>>)> {
    let mut all = vec![("tensors".into(), on_tensors(&rewritten(text), inputs))];
    for target in ["x86-64-v4", "x86-64-v3", "openmp", "cuda", "opencl"] {
        let mut ir = rewritten(text);
        let first = format!(
            "func.func(mdh-phases,mdh-inline,mdh-hoist,mdh-schedule{{target={target}}},mdh-to-sched)"
        );
        for step in ["func.func(mdh-operators)", &first, DOWN] {
            lower(&mut ir, step, text);
        }
        all.push((target.into(), on_buffers(&ir, inputs)));
    }
    all
}

/// Numbers that are not all alike: a mean and some spread
fn values(count: i64, mean: f32, spread: f32) -> Vec<f32> {
    let mut state = 12345u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        mean + spread * ((state >> 8) as f32 / (1u32 << 23) as f32 - 1.0)
    };
    (0..count).map(next).collect()
}

#[track_caller]
fn near(found: f64, wanted: f64, bound: f64, what: &str) {
    let same = found.is_nan() && wanted.is_nan() || found == wanted || (found - wanted).abs() <= bound;
    assert!(same, "{found} for {wanted}, which may be {bound} apart: {what}");
}

const EPS: f64 = f32::EPSILON as f64;

const SPELLINGS: [(&str, &str, &str); 12] = [
    ("plain", SAME, EXP),
    (
        "negated",
        "%x = arith.negf %a : f32",
        "%x = arith.negf %a : f32\n    %k = arith.negf %c : f32\n    %d = arith.addf %k, %x : f32\n    %t = math.exp %d : f32",
    ),
    (
        "turned",
        "%x = arith.mulf %a, %a : f32",
        "%x = arith.mulf %a, %a : f32\n    %k = arith.subf %c, %x : f32\n    %d = arith.negf %k : f32\n    %t = math.exp %d : f32",
    ),
    (
        "powers of 2",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %z, %a : f32\n    %d = arith.subf %x, %c : f32\n    %l = arith.constant 1.4426950408889634 : f32\n    %e = arith.mulf %l, %d : f32\n    %t = math.exp2 %e : f32",
    ),
    (
        "scaled before",
        "%k = arith.constant 0.125 : f32\n    %x = arith.mulf %a, %k : f32",
        "%k = arith.constant 0.125 : f32\n    %x = arith.mulf %k, %a : f32\n    %d = arith.subf %x, %c : f32\n    %t = math.exp %d : f32",
    ),
    (
        "scaled behind",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    %k = arith.constant 2.0 : f32\n    %e = arith.mulf %x, %k : f32\n    %l = arith.mulf %c, %k : f32\n    %d = arith.subf %e, %l : f32\n    %t = math.exp %d : f32",
    ),
    (
        "divided",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    %k = arith.constant 4.0 : f32\n    %e = arith.subf %x, %c : f32\n    %d = arith.divf %e, %k : f32\n    %t = math.exp %d : f32",
    ),
    (
        "masked",
        "%z = arith.constant 0.0 : f32\n    %l = arith.constant -1.0e9 : f32\n    %p = arith.cmpf ogt, %a, %z : f32\n    %x = arith.select %p, %a, %l : f32",
        "%z = arith.constant 0.0 : f32\n    %l = arith.constant -1.0e9 : f32\n    %p = arith.cmpf ogt, %a, %z : f32\n    %x = arith.select %p, %a, %l : f32\n    %d = arith.subf %x, %c : f32\n    %t = math.exp %d : f32",
    ),
    (
        "masked by place",
        "%j = mdh.index 1\n    %i = mdh.index 0\n    %l = arith.constant 0xFF800000 : f32\n    %p = arith.cmpi ule, %j, %i : index\n    %x = arith.select %p, %a, %l : f32",
        "%j = mdh.index 1\n    %i = mdh.index 0\n    %l = arith.constant 0xFF800000 : f32\n    %p = arith.cmpi ule, %j, %i : index\n    %x = arith.select %p, %a, %l : f32\n    %d = arith.subf %x, %c : f32\n    %t = math.exp %d : f32",
    ),
    (
        "another constant",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    %k = arith.constant 1.5 : f32\n    %e = arith.addf %c, %k : f32\n    %d = arith.subf %x, %e : f32\n    %t = math.exp %d : f32",
    ),
    (
        "finite constant",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    %b = math.absf %c : f32\n    %l = arith.constant 0x7F800000 : f32\n    %p = arith.cmpf one, %b, %l : f32\n    %e = arith.select %p, %c, %z : f32\n    %d = arith.subf %x, %e : f32\n    %t = math.exp %d : f32",
    ),
    (
        "weighted",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    %d = arith.subf %x, %c : f32\n    %e = math.exp %d : f32\n    %k = arith.constant -3.0 : f32\n    %w = arith.divf %e, %k : f32\n    %t = arith.mulf %c, %w : f32",
    ),
];

#[test]
fn exponentials_however_they_are_spelled() {
    for (name, x, t) in SPELLINGS {
        for [m, n] in [[3, 7], [2, 37], [1, 1]] {
            let text = Two { sizes: [m, n], dims: MAX, x, t, permitted: RULES }.text();
            if n > 1 {
                assert!(shown(&fires(&text)).contains("@online_softmax_f32"), "{name}");
            }
            let inputs = [values(m * n, 0.5, 4.0)];
            let wanted = on_tensors(&parse(&text), &inputs);
            for (target, found) in all_results(&text, &inputs) {
                for (found, wanted) in found[0].iter().zip(&wanted[0]) {
                    assert_eq!(found, wanted, "{name}, {target}");
                }
                for (found, wanted) in found[1].iter().zip(&wanted[1]) {
                    // Exponents of up to 32 are rounded to 24 bits, in both forms.
                    let bound = wanted.abs() * EPS * (2.0 * n as f64 + 64.0);
                    near(*found, *wanted, bound, &format!("{name}, {m}x{n}, {target}"));
                }
            }
        }
    }
}

/// Rows whose numbers are no plain ones give what two passes give
#[test]
fn rows_with_infinities_and_nans() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let rows: [[f32; 6]; 9] = [
        [-inf; 6],
        [inf; 6],
        [2.5; 6],
        [-inf, 1.0, -inf, 2.0, -inf, -inf],
        [1.0, inf, 2.0, -inf, 3.0, 4.0],
        [1.0, 2.0, nan, 3.0, -inf, inf],
        [nan; 6],
        [3.0e38, -3.0e38, 0.0, 3.0e38, 1.0, -1.0],
        [-0.0, 0.0, -0.0, 0.0, -0.0, 0.0],
    ];
    let input: Vec<f32> = rows.concat();
    for spelling in ["plain", "another constant", "finite constant"] {
        let (_, x, t) = SPELLINGS.into_iter().find(|(name, ..)| *name == spelling).expect("of the list");
        let text = Two { sizes: [9, 6], dims: MAX, x, t, permitted: RULES }.text();
        let inputs = [input.clone()];
        let wanted = on_tensors(&parse(&text), &inputs);
        for (target, found) in all_results(&text, &inputs) {
            for out in 0..2 {
                for (row, (found, wanted)) in found[out].iter().zip(&wanted[out]).enumerate() {
                    near(
                        *found,
                        *wanted,
                        wanted.abs() * EPS * 32.0,
                        &format!("{spelling}, {target}, result {out}, row {row}"),
                    );
                }
            }
        }
    }
}

const SQUARES: [(&str, &str, &str); 8] = [
    (
        "product",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    %n = arith.constant $n : f32\n    %u = arith.divf %c, %n : f32\n    %d = arith.subf %x, %u : f32\n    %t = arith.mulf %d, %d : f32",
    ),
    (
        "power",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    %n = arith.constant $n : f32\n    %u = arith.divf %c, %n : f32\n    %d = arith.subf %x, %u : f32\n    %k = arith.constant 2.0 : f32\n    %t = math.powf %d, %k : f32",
    ),
    (
        "integer power",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    %n = arith.constant $n : f32\n    %u = arith.divf %c, %n : f32\n    %d = arith.subf %u, %x : f32\n    %k = arith.constant 2 : i32\n    %t = math.fpowi %d, %k : f32, i32",
    ),
    (
        "absolute",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    %n = arith.constant $n : f32\n    %u = arith.divf %c, %n : f32\n    %d = arith.subf %x, %u : f32\n    %b = math.absf %d : f32\n    %t = arith.mulf %b, %b : f32",
    ),
    (
        "scaled",
        "%k = arith.constant 3.0 : f32\n    %x = arith.mulf %a, %k : f32",
        "%k = arith.constant 3.0 : f32\n    %x = arith.mulf %a, %k : f32\n    %n = arith.constant $n : f32\n    %u = arith.divf %c, %n : f32\n    %d = arith.subf %x, %u : f32\n    %h = arith.constant 0.5 : f32\n    %e = arith.mulf %d, %h : f32\n    %t = arith.mulf %e, %e : f32",
    ),
    (
        "divided inside",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    %n = arith.constant $n : f32\n    %u = arith.divf %c, %n : f32\n    %d = arith.subf %x, %u : f32\n    %e = arith.mulf %d, %d : f32\n    %t = arith.divf %e, %n : f32",
    ),
    (
        "another constant",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    %n = arith.constant $n : f32\n    %u = arith.divf %c, %n : f32\n    %k = arith.constant 1.25 : f32\n    %v = arith.addf %u, %k : f32\n    %d = arith.subf %x, %v : f32\n    %t = arith.mulf %d, %d : f32",
    ),
    (
        "from a sum of one less",
        SAME,
        "%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    %n = arith.constant $n : f32\n    %o = arith.constant 0.9 : f32\n    %w = arith.divf %c, %n : f32\n    %u = arith.mulf %w, %o : f32\n    %d = arith.subf %x, %u : f32\n    %t = arith.mulf %d, %d : f32",
    ),
];

/// Sum of squares of the differences that the text names, by two passes over numbers of 64 bits
fn squares(name: &str, row: &[f32]) -> f64 {
    let scale = if name == "scaled" { 3.0 } else { 1.0 };
    let x: Vec<f64> = row.iter().map(|x| f64::from(*x) * scale).collect();
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let c = match name {
        "another constant" => mean + 1.25,
        "from a sum of one less" => mean * f64::from(0.9f32),
        _ => mean,
    };
    let all: f64 = x.iter().map(|x| (x - c) * (x - c)).sum();
    match name {
        "scaled" => all / 4.0,
        "divided inside" => all / n,
        _ => all,
    }
}

fn sums_of_squares(rule: &'static str, operator: &str, means: &[f32], bound: impl Fn(f64, f64, f64) -> f64) {
    for (name, x, t) in SQUARES {
        for [m, n] in [[3, 7], [2, 37]] {
            let t: &'static str = t.replace("$n", &format!("{n}.0")).leak();
            let text = Two { sizes: [m, n], dims: SUM, x, t, permitted: rule }.text();
            assert!(shown(&fires(&text)).contains(&operator.replace("$n", &n.to_string())), "{name}");
            for mean in means {
                let input = values(m * n, *mean, 2.0);
                for (target, found) in all_results(&text, std::slice::from_ref(&input)) {
                    for (row, found) in input.chunks(n as usize).zip(&found[1]) {
                        let wanted = squares(name, row);
                        let most = row.iter().map(|x| f64::from(x.abs())).fold(0.0, f64::max);
                        let scale = if name == "divided inside" { 1.0 } else { n as f64 };
                        let what = format!("{name}, {m}x{n}, mean {mean}, {target}");
                        near(*found, wanted, bound(wanted, scale * 9.0 * most * most, n as f64), &what);
                    }
                    for (row, found) in input.chunks(n as usize).zip(&found[0]) {
                        let scale = if name == "scaled" { 3.0 } else { 1.0 };
                        let wanted: f64 = row.iter().map(|x| f64::from(*x) * scale).sum();
                        let most: f64 = row.iter().map(|x| f64::from(x.abs()) * scale).sum();
                        near(*found, wanted, most * EPS * n as f64, name);
                    }
                }
            }
        }
    }
}

/// n ε √(1 + κ²) of the sum of squares, where κ² is the mean's square over the variance: also where the mean is large
#[test]
fn joined_numbers_sums_and_squares() {
    sums_of_squares(r#"["welford"]"#, "@welford_f32", &[0.0, 3.0, 1000.0], |wanted, of_squares, n| {
        EPS * (n + 16.0) * (wanted * (wanted + of_squares)).sqrt() + EPS * EPS * of_squares * n * n
    });
}

/// n ε of the sum of the squares themselves: digits are lost where the mean is large
#[test]
fn one_pass_over_sums_of_squares() {
    sums_of_squares(
        r#"["one_pass_norm"]"#,
        "j in $n pw (add, add)",
        &[0.0, 3.0, 100.0],
        |wanted, of_squares, n| EPS * (n + 16.0) * (wanted + of_squares),
    );
}

/// Cancellation is why the rule has a permission of its own: a variance of 1/3 next to a mean of 10 000
#[test]
fn large_means_cancel_in_one_pass_and_do_not_where_parts_are_joined() {
    let (name, x, t) = SQUARES[0];
    let t: &'static str = t.replace("$n", "257.0").leak();
    let input = values(257, 10_000.0, 1.0);
    let wanted = squares(name, &input);
    let error = |permitted: &'static str| {
        let text = Two { sizes: [1, 257], dims: SUM, x, t, permitted }.text();
        (on_tensors(&fires(&text), std::slice::from_ref(&input))[1][0] - wanted).abs() / wanted
    };
    assert!(error(r#"["one_pass_norm"]"#) > 0.01);
    assert!(error(r#"["welford"]"#) < 0.001);
}

#[test]
fn sums_of_equal_numbers_infinities_and_nans() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let rows: [[f32; 5]; 6] = [
        [7.0; 5],
        [inf; 5],
        [1.0, inf, 2.0, 3.0, 4.0],
        [1.0, nan, 2.0, 3.0, 4.0],
        [0.0; 5],
        [-inf, inf, 0.0, 1.0, 2.0],
    ];
    let (_, x, t) = SQUARES[0];
    let t: &'static str = t.replace("$n", "5.0").leak();
    for rule in [r#"["welford"]"#, r#"["one_pass_norm"]"#] {
        let text = Two { sizes: [6, 5], dims: SUM, x, t, permitted: rule }.text();
        let inputs = [rows.concat()];
        let wanted = on_tensors(&parse(&text), &inputs);
        for (target, found) in all_results(&text, &inputs) {
            for out in 0..2 {
                for (row, (found, wanted)) in found[out].iter().zip(&wanted[out]).enumerate() {
                    near(*found, *wanted, 0.0, &format!("{rule}, {target}, result {out}, row {row}"));
                }
            }
        }
    }
}

/// Several reduced dimensions in another order, a batch, a turned operand, and what is between as computations of their own
#[test]
fn other_dimensions_in_another_order() {
    let text = r#"func.func @f(%X: tensor<2x3x5x7xf32>) -> (tensor<2x5xf32>, tensor<5x2xf32>) attributes {mdh.approximate = ["online_softmax"]} {
  %t = mdh.compute (b in 2, k in 7, i in 5, j in 3) ins(%a = %X[b, j, i, k]) outs([k, b, i, j]) {
    mdh.yield %a : f32
  } : (tensor<2x3x5x7xf32>) -> tensor<7x2x5x3xf32>
  %m = mdh.compute (b in 2, j in 3 pw max, i in 5, k in 7 pw max) ins(%a = %X[b, j, i, k]) outs([b, i]) {
    mdh.yield %a : f32
  } : (tensor<2x3x5x7xf32>) -> tensor<2x5xf32>
  %w = mdh.compute (i in 5, b in 2, z in 1) ins(%c = %m[b, i]) outs([i, z, b]) {
    %n = arith.negf %c : f32
    mdh.yield %n : f32
  } : (tensor<2x5xf32>) -> tensor<5x1x2xf32>
  %e = mdh.compute (b in 2, j in 3, i in 5, k in 7) ins(%a = %t[k, b, i, j], %c = %w[i, 0, b]) outs([i, j, k, b]) {
    %d = arith.addf %a, %c : f32
    %e = math.exp %d : f32
    mdh.yield %e : f32
  } : (tensor<7x2x5x3xf32>, tensor<5x1x2xf32>) -> tensor<5x3x7x2xf32>
  %s = mdh.compute (k in 7 pw add, i in 5, j in 3 pw add, b in 2) ins(%a = %e[i, j, k, b]) outs([i, b]) {
    mdh.yield %a : f32
  } : (tensor<5x3x7x2xf32>) -> tensor<5x2xf32>
  return %m, %s : tensor<2x5xf32>, tensor<5x2xf32>
}"#;
    fires(text);
    let inputs = [values(210, 0.0, 3.0)];
    let wanted = on_tensors(&parse(text), &inputs);
    for (target, found) in all_results(text, &inputs) {
        assert_eq!(found[0], wanted[0], "{target}");
        for (found, wanted) in found[1].iter().zip(&wanted[1]) {
            near(*found, *wanted, wanted * EPS * 64.0, &target);
        }
    }
}

/// Two sums depend on one maximum, which is spelled twice: one pass
#[test]
fn sums_share_a_maximum() {
    let text = r#"func.func @f(%X: tensor<3x41xf32>) -> (tensor<3xf32>, tensor<3xf32>) attributes {mdh.approximate = ["online_softmax"]} {
  %m = mdh.compute (i in 3, j in 41 pw max) ins(%a = %X[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<3x41xf32>) -> tensor<3xf32>
  %s = mdh.compute (i in 3, j in 41 pw add) ins(%a = %X[i, j], %c = %m[i]) outs([i]) {
    %d = arith.subf %a, %c : f32
    %t = math.exp %d : f32
    mdh.yield %t : f32
  } : (tensor<3x41xf32>, tensor<3xf32>) -> tensor<3xf32>
  %n = mdh.compute (i in 3, j in 41 pw max) ins(%a = %X[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<3x41xf32>) -> tensor<3xf32>
  %r = mdh.compute (i in 3, j in 41 pw add) ins(%a = %X[i, j], %c = %n[i]) outs([i]) {
    %k = arith.constant 1.0 : f32
    %u = arith.addf %c, %k : f32
    %d = arith.subf %a, %u : f32
    %t = math.exp %d : f32
    mdh.yield %t : f32
  } : (tensor<3x41xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %s, %r : tensor<3xf32>, tensor<3xf32>
}"#;
    fires(text);
    let inputs = [values(123, 1.0, 3.0)];
    let wanted = on_tensors(&parse(text), &inputs);
    for (target, found) in all_results(text, &inputs) {
        for (found, wanted) in found.concat().iter().zip(&wanted.concat()) {
            near(*found, *wanted, wanted * EPS * 110.0, &target);
        }
    }
}

/// A maximum of 16 bits and a sum of 32, as frameworks have it: the maximum has the bits of two passes
#[test]
fn narrow_maxima_and_wide_sums() {
    let text = r#"func.func @f(%X: tensor<3x33xf32>) -> (tensor<3xf32>, tensor<3xf32>) attributes {mdh.approximate = ["online_softmax"]} {
  %m = mdh.compute (i in 3, j in 33 pw max) ins(%a = %X[i, j]) outs([i]) {
    %h = arith.truncf %a : f32 to f16
    mdh.yield %h : f16
  } : (tensor<3x33xf32>) -> tensor<3xf16>
  %s = mdh.compute (i in 3, j in 33 pw add) ins(%a = %X[i, j], %c = %m[i]) outs([i]) {
    %h = arith.truncf %a : f32 to f16
    %d = arith.subf %h, %c : f16
    %e = math.exp %d : f16
    %t = arith.extf %e : f16 to f32
    mdh.yield %t : f32
  } : (tensor<3x33xf32>, tensor<3xf16>) -> tensor<3xf32>
  %w = mdh.compute (i in 3) ins(%a = %m[i]) outs([i]) {
    %t = arith.extf %a : f16 to f32
    mdh.yield %t : f32
  } : (tensor<3xf16>) -> tensor<3xf32>
  return %w, %s : tensor<3xf32>, tensor<3xf32>
}"#;
    fires(text);
    let inputs = [values(99, 0.0, 4.0)];
    let wanted = on_tensors(&parse(text), &inputs);
    for (target, found) in all_results(text, &inputs) {
        assert_eq!(found[0], wanted[0], "{target}");
        for (found, wanted) in found[1].iter().zip(&wanted[1]) {
            // Two passes round differences and exponentials to 11 bits: up to 8 ulps of 2^-11 of a difference.
            near(*found, *wanted, wanted * 9.0 / 2048.0, &target);
        }
    }
}

#[test]
fn not_without_permission_or_where_something_else_is_meant() {
    let two = |dims, t| Two { sizes: [3, 17], dims, x: SAME, t, permitted: RULES }.text();
    let spelled = |t: &str| -> &'static str {
        format!("%z = arith.constant 0.0 : f32\n    %x = arith.addf %a, %z : f32\n    {t}").leak()
    };
    fires(&two(MAX, EXP));
    for permitted in ["[]", r#"["welford", "one_pass_norm"]"#] {
        stays(&Two { sizes: [3, 17], dims: MAX, x: SAME, t: EXP, permitted }.text());
    }
    for order in ["source", "tree", "invariant"] {
        let second: &'static str = format!("i in $m, j in $n pw add {order}").leak();
        stays(&Two { sizes: [3, 16], dims: [MAX[0], second], x: SAME, t: EXP, permitted: RULES }.text());
    }
    // A minimum grows without bound, other elements, another slope, more than an exponential.
    stays(&two(["i in $m, j in $n pw min", MAX[1]], EXP));
    stays(&two(
        MAX,
        "%d = arith.addf %a, %c : f32\n    %b = arith.mulf %d, %d : f32\n    %t = math.exp %b : f32",
    ));
    stays(&two(MAX, spelled("%d = arith.subf %c, %x : f32\n    %t = math.exp %d : f32")));
    stays(&two(
        MAX,
        spelled("%d = arith.subf %x, %c : f32\n    %e = math.exp %d : f32\n    %t = arith.addf %e, %e : f32"),
    ));
    stays(&two(
        MAX,
        spelled("%d = arith.subf %x, %c : f32\n    %e = math.exp %d : f32\n    %t = arith.mulf %e, %x : f32"),
    ));
    stays(&two(MAX, spelled("%d = arith.mulf %x, %c : f32\n    %t = math.exp %d : f32")));
    stays(&two(
        SUM,
        spelled(
            "%d = arith.subf %x, %c : f32\n    %e = arith.mulf %d, %d : f32\n    %t = arith.mulf %e, %d : f32",
        ),
    ));
    stays(&two(SUM, spelled("%d = arith.mulf %x, %c : f32\n    %t = arith.mulf %d, %x : f32")));
}

/// Sums of 16 bits are never of squares, and count up to 2^11
#[test]
fn narrow_accumulators() {
    let text = |ty: &str, n: i64, permitted: &str| {
        format!(
            r#"func.func @f(%X: tensor<3x{n}x{ty}>) -> tensor<3x{ty}> attributes {{mdh.approximate = {permitted}}} {{
  %m = mdh.compute (i in 3, j in {n} pw add) ins(%a = %X[i, j]) outs([i]) {{
    mdh.yield %a : {ty}
  }} : (tensor<3x{n}x{ty}>) -> tensor<3x{ty}>
  %s = mdh.compute (i in 3, j in {n} pw add) ins(%a = %X[i, j], %c = %m[i]) outs([i]) {{
    %n = arith.constant 17.0 : {ty}
    %u = arith.divf %c, %n : {ty}
    %d = arith.subf %a, %u : {ty}
    %t = arith.mulf %d, %d : {ty}
    mdh.yield %t : {ty}
  }} : (tensor<3x{n}x{ty}>, tensor<3x{ty}>) -> tensor<3x{ty}>
  return %s : tensor<3x{ty}>
}}"#
        )
    };
    for ty in ["f16", "bf16"] {
        stays(&text(ty, 17, r#"["one_pass_norm"]"#));
        fires(&text(ty, 17, r#"["welford"]"#));
    }
    fires(&text("f16", 2048, r#"["welford"]"#));
    stays(&text("f16", 2049, r#"["welford"]"#));
    stays(&text("bf16", 257, r#"["welford"]"#));
    fires(&text("f64", 17, r#"["one_pass_norm"]"#));
}

/// The joint operators are what they declare
#[test]
fn operators_are_what_they_declare() {
    let (_, x, t) = SQUARES[0];
    let t: &'static str = t.replace("$n", "17.0").leak();
    let mut texts = vec![Two { sizes: [3, 17], dims: SUM, x, t, permitted: r#"["welford"]"# }.text()];
    texts.extend(
        SPELLINGS.iter().map(|(_, x, t)| Two { sizes: [3, 17], dims: MAX, x, t, permitted: RULES }.text()),
    );
    for text in texts {
        let mut ir = fires(&text);
        lower(&mut ir, "check-operators", &text);
    }
}

/// A softmax of rows, a layer norm without scale, a log-sum-exp
const ROWS: [(&str, &str); 3] = [
    (
        "softmax",
        r#"  %m = mdh.compute "m" (i in $m, j in $n pw max) ins(%a = %X[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<$mx$nxf32>) -> tensor<$mxf32>
  %e = mdh.compute "e" (i in $m, j in $n) ins(%a = %X[i, j], %c = %m[i]) outs([i, j]) {
    %d = arith.subf %a, %c : f32
    %t = math.exp %d : f32
    mdh.yield %t : f32
  } : (tensor<$mx$nxf32>, tensor<$mxf32>) -> tensor<$mx$nxf32>
  %s = mdh.compute "s" (i in $m, j in $n pw add) ins(%a = %e[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<$mx$nxf32>) -> tensor<$mxf32>
  %y = mdh.compute "y" (i in $m, j in $n) ins(%a = %e[i, j], %b = %s[i]) outs([i, j]) {
    %q = arith.divf %a, %b : f32
    mdh.yield %q : f32
  } : (tensor<$mx$nxf32>, tensor<$mxf32>) -> tensor<$mx$nxf32>"#,
    ),
    (
        "layer norm",
        r#"  %m = mdh.compute "m" (i in $m, j in $n pw add) ins(%a = %X[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<$mx$nxf32>) -> tensor<$mxf32>
  %s = mdh.compute "s" (i in $m, j in $n pw add) ins(%a = %X[i, j], %c = %m[i]) outs([i]) {
    %n = arith.constant $n.0 : f32
    %u = arith.divf %c, %n : f32
    %d = arith.subf %a, %u : f32
    %t = arith.mulf %d, %d : f32
    mdh.yield %t : f32
  } : (tensor<$mx$nxf32>, tensor<$mxf32>) -> tensor<$mxf32>
  %y = mdh.compute "y" (i in $m, j in $n) ins(%a = %X[i, j], %c = %m[i], %b = %s[i]) outs([i, j]) {
    %n = arith.constant $n.0 : f32
    %u = arith.divf %c, %n : f32
    %d = arith.subf %a, %u : f32
    %r = math.rsqrt %b : f32
    %q = arith.mulf %d, %r : f32
    mdh.yield %q : f32
  } : (tensor<$mx$nxf32>, tensor<$mxf32>, tensor<$mxf32>) -> tensor<$mx$nxf32>"#,
    ),
    (
        "log-sum-exp",
        r#"  %m = mdh.compute "m" (i in $m, j in $n pw max) ins(%a = %X[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<$mx$nxf32>) -> tensor<$mxf32>
  %s = mdh.compute "s" (i in $m, j in $n pw add) ins(%a = %X[i, j], %c = %m[i]) outs([i]) {
    %d = arith.subf %a, %c : f32
    %t = math.exp %d : f32
    mdh.yield %t : f32
  } : (tensor<$mx$nxf32>, tensor<$mxf32>) -> tensor<$mxf32>
  %y = mdh.compute "y" (i in $m) ins(%c = %m[i], %b = %s[i]) outs([i]) {
    %l = math.log %b : f32
    %q = arith.addf %c, %l : f32
    mdh.yield %q : f32
  } : (tensor<$mxf32>, tensor<$mxf32>) -> tensor<$mxf32>"#,
    ),
];

fn rows(n: usize, sizes: [i64; 2], permitted: &str) -> String {
    let of = |text: &str| text.replace("$m", &sizes[0].to_string()).replace("$n", &sizes[1].to_string());
    let result = if n == 2 { "tensor<$mxf32>" } else { "tensor<$mx$nxf32>" };
    of(&format!(
        "func.func @f(%X: tensor<$mx$nxf32>) -> {result} attributes {{mdh.approximate = {permitted}}} {{\n{}\n  return %y : {result}\n}}",
        ROWS[n].1
    ))
}

/// Elements of matrices that computations read and write, each matrix once for each of them
fn traffic(ir: &Ir) -> i64 {
    let function = ir.walk().find_map(|op| {
        let child = ir.child(op)?;
        child.walk().find(|op| Compute::cast(child, *op).is_some()).map(|_| child)
    });
    let function = function.expect("a function with computations");
    let elements = |value: Value| -> i64 {
        let shape = function.ty(value).shape(function.cx()).unwrap_or(&[]);
        if shape.len() > 1 { shape.iter().product() } else { 0 }
    };
    let computes = function.walk().filter(|op| Compute::cast(function, *op).is_some());
    computes.flat_map(|op| function.operands(op).chain(function.results(op))).map(elements).sum()
}

/// Passes over a matrix of rows that no block's memory holds, and launches: with permission and without
#[test]
fn fewer_passes_over_memory_and_fewer_launches() {
    let sizes = [16, 200_003];
    let of = |n: usize, permitted: &str| {
        let text = rows(n, sizes, permitted);
        let mut ir = rewritten(&text);
        let passes = traffic(&ir) / (sizes[0] * sizes[1]);
        for step in [
            "func.func(mdh-operators)",
            "func.func(mdh-schedule{target=cuda},mdh-to-sched,sched-join-kernels)",
        ] {
            lower(&mut ir, step, &text);
        }
        (passes, shown(&ir).matches("sched.kernel").count())
    };
    let table = [
        ("softmax", r#"["online_softmax"]"#),
        ("layer norm", r#"["welford"]"#),
        ("layer norm", r#"["one_pass_norm"]"#),
        ("log-sum-exp", r#"["online_softmax"]"#),
    ];
    let found = table.map(|(name, permitted)| {
        let n = ROWS.iter().position(|(other, _)| *other == name).expect("of the list");
        (of(n, "[]"), of(n, permitted))
    });
    assert_eq!(found.map(|(apart, joint)| (apart.0, joint.0)), [(6, 3), (4, 3), (4, 3), (2, 1)]);
    assert!(
        found.iter().all(|(apart, joint)| joint.1 <= apart.1) && found[0].1.1 < found[0].0.1,
        "{found:?}"
    );
}

/// Rows of odd and prime lengths in one kernel for CUDA, with the values of two passes
#[test]
fn rows_in_one_kernel() {
    for (n, permitted) in [(0, r#"["online_softmax"]"#), (1, r#"["welford"]"#), (2, r#"["online_softmax"]"#)]
    {
        for sizes in [[3, 131], [7, 33]] {
            let text = rows(n, sizes, permitted);
            let inputs = [values(sizes[0] * sizes[1], 0.5, 3.0)];
            let wanted = on_tensors(&parse(&text), &inputs);
            for (target, found) in all_results(&text, &inputs) {
                for (found, wanted) in found[0].iter().zip(&wanted[0]) {
                    near(*found, *wanted, (wanted.abs() + 0.1) * EPS * 4.0 * sizes[1] as f64, &target);
                }
            }
        }
    }
}
