//! Random values of open parameters: what is accepted means the same, what is refused says why.

use crate::common;

use common::{meaning, outputs, parse, try_pipeline};
use terrace_support::Random;

/// out[i] = Σ_k A[i + 1, k − 1] · v[k], with an open order of four loops and two buffers that may be there
fn program(r: &mut Random) -> (String, i64, i64, String) {
    let (ti, tk) = (1 + r.below(4), 1 + r.below(4));
    let (m, n) = (ti * (1 + r.below(3)), tk * (1 + r.below(3)) + r.below(2) * (tk > 1) as i64);
    let cut = if n % tk == 0 { String::new() } else { format!(" limit {n} - %k0") };
    let mut loops = [
        format!("%i0 in {m} by {ti} dim 0"),
        format!("%i1 in {ti} by 1 dim 0"),
        format!("%k0 in {n} by {tk} dim 1 pw add"),
        format!("%k1 in {tk} by 1{cut} dim 1 pw add"),
    ];
    loops[0] += " perm @p";
    let mut order: Vec<usize> = (0..4).collect();
    for at in (1..4).rev() {
        order.swap(at, r.below(at as i64 + 1) as usize);
    }
    let words: Vec<String> = order.iter().map(usize::to_string).collect();
    let values = format!("p={},a={},b={}", words.join("."), r.below(2), r.below(2));
    let text = format!(
        "func.func @f(%A: memref<{m}x{n}xi32>, %v: memref<{n}xi32>, %out: memref<{m}xi32>) {{\n\
         %z = arith.constant 0 : i32\n\
         sched.copy (%x) in ({m}) %z to %out[%x] : i32 to memref<{m}xi32>\n\
         %T = sched.alloc when @a : memref<{n}x{m}xi32>\n\
         sched.copy (%x, %y) in ({m}, {n}) %A[%x + 1, %y - 1] else %z to %T[%y, %x] when @a : memref<{m}x{n}xi32> to memref<{n}x{m}xi32>\n\
         %w = sched.alloc when @b : memref<{n}xi32>\n\
         sched.copy (%x) in ({n}) %v[%x] to %w[%x] when @b : memref<{n}xi32> to memref<{n}xi32>\n\
         sched.for ({}) {{\n\
         %a = sched.read %T[%k0 + %k1, %i0 + %i1] : memref<{n}x{m}xi32>\n\
         %b = sched.read %w[%k0 + %k1] : memref<{n}xi32>\n\
         %q = arith.muli %a, %b : i32\n\
         sched.write %q, %out[%i0 + %i1] combine add : memref<{m}xi32>\n}}\nreturn\n}}\n",
        loops.join(", ")
    );
    (text, m, n, values)
}

#[test]
fn decided_schedules_mean_the_same() {
    let (mut refused, mut accepted) = (0, 0);
    for seed in 1..=400u64 {
        let mut r = Random::new(seed.wrapping_mul(0x94D0_49BB_1331_11EB) | 1);
        let (text, m, n, values) = program(&mut r);
        let mut ir = parse(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let wanted = meaning(m, n);
        assert_eq!(outputs(&ir, m, n, "i32", &text, "open"), wanted, "open\n{text}");
        let decide = format!("func.func(sched-decide{{values={values}}})");
        if let Err(why) = try_pipeline(&mut ir, &decide) {
            assert!(why.contains("E0536"), "{why}\n{values}\n{text}");
            refused += 1;
            continue;
        }
        accepted += 1;
        assert!(!common::shown(&ir).contains('@') || !common::shown(&ir).contains("perm"), "{text}");
        assert_eq!(outputs(&ir, m, n, "i32", &text, "decided"), wanted, "decided {values}\n{text}");
        common::run_pipeline(&mut ir, "sched-legalize,sched-to-scf", &text);
        assert_eq!(outputs(&ir, m, n, "i32", &text, "scf"), wanted, "scf {values}\n{text}");
    }
    assert!(accepted > 150 && refused > 20, "{accepted} accepted, {refused} refused");
}
