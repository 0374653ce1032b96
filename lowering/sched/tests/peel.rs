//! Random padded sums whose loops are peeled: where tiles or taps are cut off, at numbers that are known or computed.

use crate::common;

use common::{parse, run_pipeline};
use terrace_support::Random;

/// out[i] = Σ_s in[i + s − p] · w[s], nothing outside; as m = 1 of the common harness: A is 1 x n, v the weights
fn padded(seed: u64) -> (String, i64, i64, i64) {
    let mut r = Random::new(seed.wrapping_mul(0x9FB2_1C65_1E98_DF25) | 1);
    let taps = 1 + r.below(5);
    let pad = r.below(taps);
    let inner = 1 + r.below(4);
    let middle = inner * (1 + r.below(4));
    // Tiles that divide, with taps cut; or a rest, with tiles cut.
    let cut = r.coin();
    let n = if cut { middle + r.below(3 * middle) } else { middle * (1 + r.below(4)) };
    let level = r.pick(&[" : task", ""]);
    let last = r.pick(&["", " : unroll"]);
    let tap = r.pick(&["", " : unroll"]);
    let (p1, p2) = (r.pick(&["", " tail peel"]), r.pick(&["", " tail peel", " tail peel"]));
    let (low, high) = (format!("{pad} - %i0 - %i1"), format!("{} - %i0 - %i1", n + pad));
    let (ilimit, rest) = if cut {
        (format!(" limit {n} - %i0"), format!(" limit {n} - %i0 - %i1"))
    } else {
        (String::new(), String::new())
    };
    let p1 = if level.is_empty() { p1 } else { "" };
    let mut text = format!(
        "func.func @f(%A: memref<{n}xi32>, %w: memref<{taps}xi32>, %out: memref<{n}xi32>) {{\n\
         %z = arith.constant 0 : i32\n\
         sched.copy (%x) in ({n}) %z to %out[%x] : i32 to memref<{n}xi32>\n\
         sched.for (%i0 in {n} by {middle} dim 0{level}{p1}) {{\n\
         sched.for (%i1 in {middle} by {inner}{ilimit} dim 0{p2}) {{\n"
    );
    if cut || r.coin() {
        // Taps inside.
        text += &format!(
            "sched.for (%i2 in {inner} by 1{rest} dim 0{last}) {{\n\
             sched.for (%s in {taps} by 1 from {low} - %i2 limit {high} - %i2 dim 1{tap} pw add) {{\n"
        );
    } else {
        text += &format!(
            "sched.for (%s in {taps} by 1 dim 1{tap} pw add) {{\n\
             sched.for (%i2 in {inner} by 1 from {low} - %s limit {high} - %s dim 0{last}) {{\n"
        );
    }
    text += &format!(
        "%a = sched.read %A[%i0 + %i1 + %i2 + %s - {pad}] : memref<{n}xi32>\n\
         %b = sched.read %w[%s] : memref<{taps}xi32>\n\
         %p = arith.muli %a, %b : i32\n\
         sched.write %p, %out[%i0 + %i1 + %i2] combine add : memref<{n}xi32>\n\
         }}\n}}\n}}\n}}\nreturn\n}}\n"
    );
    (text, n, taps, pad)
}

#[test]
fn peeled_loops_keep_their_meaning() {
    let mut peeled = 0;
    for seed in 1..=400 {
        let (text, n, taps, pad) = padded(seed);
        let mut ir = parse(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let (input, weights): (Vec<i64>, Vec<i64>) =
            ((0..n).map(|i| i * 7 % 5 - 2).collect(), (0..taps).map(|s| 1 + s * 3 % 4).collect());
        let wanted: Vec<i64> = (0..n)
            .map(|i| {
                let at = |s: i64| usize::try_from(i + s - pad).ok().and_then(|at| input.get(at));
                (0..taps).filter_map(|s| Some(at(s)? * weights[s as usize])).sum()
            })
            .collect();
        let given = [input.clone(), weights.clone()];
        assert_eq!(common::lines(&ir, &given, n, &text, "schedule"), wanted, "schedule\n{text}");
        run_pipeline(&mut ir, "sched-legalize,sched-to-scf", &text);
        peeled += usize::from(text.contains("peel"));
        assert_eq!(common::lines(&ir, &given, n, &text, "scf"), wanted, "scf\n{text}");
        run_pipeline(&mut ir, "canonicalize,cse,licm", &text);
        assert_eq!(common::lines(&ir, &given, n, &text, "optimised"), wanted, "optimised\n{text}");
    }
    assert!(peeled > 200, "{peeled}");
}
