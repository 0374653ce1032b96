//! Random kernels over warps and lanes: rows over blocks and warps, a row's elements over lanes, merged by exchanges or in
//! shared memory; against what the computation means, as schedule and as launch.

use crate::common;

use common::{meaning, outputs, parse, run_pipeline};
use terrace_support::Random;

/// The last number that is not zero: associative, and order matters
const LAST: &str = "\
func.func private @last(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative, exact, identity = 0 : i32}} {
  %z = arith.constant 0 : i32
  %none = arith.cmpi eq, %b, %z : i32
  %r = arith.select %none, %a, %b : i32
  return %r : i32
}
";

/// What that gives for the harness' numbers
fn last(m: i64, n: i64) -> Vec<i64> {
    let term = |i: i64, k: i64| common::element(i + 1, k - 1) * common::element(3, k);
    let there = |i: i64, k: &i64| i + 1 < m && *k > 0 && term(i, *k) != 0;
    (0..m).map(|i| (0..n).rev().find(|k| there(i, k)).map_or(0, |k| term(i, k))).collect()
}

/// out[i] = Σ_k A[i + 1, k − 1] · v[k], or the last term of that which is not zero
fn warps(seed: u64) -> (String, i64, i64, &'static str) {
    let mut r = Random::new(seed.wrapping_mul(0xA24B_AED4_963E_E407) | 1);
    let subgroup = [4, 8, 16, 32][r.below(4) as usize];
    let elem = r.pick(&["f32", "i32", "f64", "i64"]);
    let add = if elem == "i32" && r.coin() { "@last" } else { "add" };
    let float = elem.starts_with('f');
    let (mul, zero) = if float { ("arith.mulf", "0.0") } else { ("arith.muli", "0") };
    // Warps along x, and y sometimes; one more in the block than loops use, or a rest.
    let (wx, wy) = (1 + r.below(3), 1 + r.below(2));
    let lanes = if r.coin() { subgroup } else { 1 + r.below(subgroup) };
    let divisors: Vec<i64> = (1..=lanes).filter(|d| lanes % d == 0).collect();
    let ly =
        if lanes == subgroup && r.coin() { divisors[r.below(divisors.len() as i64) as usize] } else { 1 };
    let lx = lanes / ly;
    let idle = [0, 0, 0, subgroup, 1][r.below(5) as usize];
    let (y, x) = if r.coin() { (1, wx * wy * subgroup + idle) } else { (wy, wx * subgroup) };
    let rows = wx * wy;
    let m = rows + r.below(9);
    let blocks = (m + rows - 1) / rows;
    let each = 1 + r.below(3);
    let part = lanes * each;
    let n = part + r.below(part);
    let per_warp = r.coin();
    let via = r.pick(&["", " via shuffle", " via shared"]);
    let sm = "#gpu.address_space<workgroup>";
    let pad = if m % rows == 0 { "" } else { " tail pad" };
    let cut = if n % part == 0 { "" } else { " tail pad" };
    let mut text = if add == "@last" { LAST.to_string() } else { String::new() };
    text += &format!(
        "func.func @f(%A: memref<{m}x{n}x{elem}>, %v: memref<{n}x{elem}>, %out: memref<{m}x{elem}>) {{\n\
         %z = arith.constant {zero} : {elem}\n\
         sched.kernel @k grid [{blocks}, 1, 1] block [{x}, {y}, 1] subgroup {subgroup} {{\n\
         sched.for (%i0 in {m} by {rows} dim 0 : block.x{pad}) {{\n\
         sched.for (%i1 in {rows} by {wx} dim 0 : warp.y, %i2 in {wx} by 1 dim 0 : warp.x) {{\n"
    );
    let source = if per_warp {
        // Each warp brings its part of v into memory of its own.
        text += &format!("%w = sched.alloc per warp : memref<{n}x{elem}, {sm}>\n");
        text += &format!(
            "sched.copy per warp (%x) in ({n}) by linear %v[%x] to %w[%x] : memref<{n}x{elem}> to memref<{n}x{elem}, {sm}>\n"
        );
        ("%w", format!("memref<{n}x{elem}, {sm}>"))
    } else {
        ("%v", format!("memref<{n}x{elem}>"))
    };
    text += &format!("%s = sched.for (%k0 in {n} by {part} dim 1 pw {add}{cut}) -> {elem} {{\n");
    text += &format!(
        "%p = sched.for (%k1 in {part} by {} dim 1 : lane.y pw {add}{via}) -> {elem} {{\n\
         %q = sched.for (%k2 in {} by {each} dim 1 : lane.x pw {add}{via}) -> {elem} {{\n\
         %t = sched.for (%k3 in {each} by 1 dim 1 pw {add}) -> {elem} {{\n",
        lx * each,
        lx * each,
    );
    text += &format!(
        "%a = sched.read %A[%i0 + %i1 + %i2 + 1, %k0 + %k1 + %k2 + %k3 - 1] else %z : memref<{m}x{n}x{elem}>\n\
         %b = sched.read {}[%k0 + %k1 + %k2 + %k3] else %z : {}\n\
         %c = {mul} %a, %b : {elem}\nsched.yield %c : {elem}\n}}\n",
        source.0, source.1
    );
    text +=
        &format!("sched.yield %t : {elem}\n}}\nsched.yield %q : {elem}\n}}\nsched.yield %p : {elem}\n}}\n");
    text +=
        &format!("sched.write %s, %out[%i0 + %i1 + %i2] clip : memref<{m}x{elem}>\n}}\n}}\n}}\nreturn\n}}\n");
    (text, m, n, elem)
}

#[test]
fn warps_keep_their_meaning() {
    let (mut refused, mut shuffles, mut waits) = (0, 0, 0);
    for seed in 1..=200 {
        let (text, m, n, elem) = warps(seed);
        let mut ir = parse(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let wanted = if text.contains("@last") { last(m, n) } else { meaning(m, n) };
        assert_eq!(outputs(&ir, m, n, elem, &text, "schedule"), wanted, "schedule\n{text}");
        if let Err(why) = common::try_pipeline(&mut ir, "sched-legalize,sched-to-scf") {
            // Warps or lanes without an iteration where all threads must come.
            assert!(why.contains("E0530") && why.contains("leaves threads idle"), "{why}\n{text}");
            refused += 1;
            continue;
        }
        let shown = common::shown(&ir);
        shuffles += usize::from(shown.contains("gpu.shuffle"));
        waits += usize::from(shown.contains("gpu.barrier"));
        assert_eq!(outputs(&ir, m, n, elem, &text, "launch"), wanted, "launch\n{text}");
        run_pipeline(&mut ir, "canonicalize,cse,promote-buffers,canonicalize,cse,licm", &text);
        assert_eq!(outputs(&ir, m, n, elem, &text, "optimised"), wanted, "optimised\n{text}");
        run_pipeline(&mut ir, "gpu-launch-to-parallel", &text);
        assert_eq!(outputs(&ir, m, n, elem, &text, "on the host"), wanted, "on the host\n{text}");
    }
    assert!(refused < 80 && shuffles > 33 && waits > 33, "{refused} refused, {shuffles} {waits}");
}
