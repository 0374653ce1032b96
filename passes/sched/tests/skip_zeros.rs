//! Random sums over windows of padded strips: products with the padding are left out, where it is zero and nothing else writes it.

use crate::common;

use common::{parse, run_pipeline, shown};
use terrace_support::Random;

struct Sums {
    text: String,
    /// Elements, results, taps, and elements of padding before
    sizes: [i64; 4],
    step: i64,
    padding: i64,
    /// No strip: elements outside of the input are padding
    direct: bool,
    /// A number that is written over the first element of each strip
    written: bool,
}

/// out[i] = Σ_s strip[step · i + s] · w[s], strips with a border of padding on both sides
fn sums(seed: u64) -> Sums {
    let mut r = Random::new(seed.wrapping_mul(0x9FB2_1C65_1E98_DF25) | 1);
    let (taps, step) = (1 + r.below(4), if r.below(4) == 0 { 2 } else { 1 });
    let (rows, strips) = (1 + r.below(4), 1 + r.below(3));
    let results = rows * strips;
    let all = (results - 1) * step + taps;
    let low = r.below(taps + 1).min(all - 1);
    let high = r.below(taps + 1).min(all - 1 - low);
    let n = all - low - high;
    let strip = (rows - 1) * step + taps;
    let padding = if r.below(4) == 0 { 7 } else { 0 };
    let direct = r.below(3) == 0;
    let written = !direct && r.below(5) == 0;
    let start = format!("%i * {step} - {low}");
    let mut text = format!(
        "func.func @f(%A: memref<{n}xi32>, %w: memref<{taps}xi32>, %out: memref<{results}xi32>) {{\n\
         %z = arith.constant 0 : i32\n%pad = arith.constant {padding} : i32\n\
         sched.copy (%x) in ({results}) %z to %out[%x] : i32 to memref<{results}xi32>\n\
         sched.for (%i in {results} by {rows} dim 0) {{\n"
    );
    if !direct {
        text += &format!("%strip = sched.alloc : memref<{strip}xi32>\n");
    }
    if direct {
        // Nothing is copied.
    } else if r.coin() {
        text += &format!(
            "sched.copy (%x) in ({strip}) %A[%x + {start}] else %pad to %strip[%x] : memref<{n}xi32> to memref<{strip}xi32>\n"
        );
    } else {
        text += &format!(
            "sched.for (%j in {strip} by 1) {{\n\
             %one = sched.alloc : memref<1xi32>\n\
             sched.copy (%x) in (1) %A[%x + %j + {start}] else %pad to %one[%x] : memref<{n}xi32> to memref<1xi32>\n\
             sched.copy (%x) in (1) %one[%x] to %strip[%j + %x] : memref<1xi32> to memref<{strip}xi32>\n}}\n"
        );
    }
    if written {
        text +=
            &format!("%five = arith.constant 5 : i32\nsched.write %five, %strip[0] : memref<{strip}xi32>\n");
    }
    let factors = if r.coin() { "%a, %b" } else { "%b, %a" };
    let registers = r.coin();
    let loops = match registers {
        true => format!("%s in {taps} by 1 dim 1 pw add, %k in {rows} by 1 dim 0"),
        false => format!("%k in {rows} by 1 dim 0, %s in {taps} by 1 dim 1 pw add"),
    };
    let sums = match registers {
        true => format!("%acc[%k] combine add : memref<{rows}xi32, \"reg\">"),
        false => format!("%out[%i + %k] combine add : memref<{results}xi32>"),
    };
    if registers {
        text += &format!(
            "%acc = sched.alloc : memref<{rows}xi32, \"reg\">\n\
             sched.copy (%x) in ({rows}) by (unroll) %z to %acc[%x] : i32 to memref<{rows}xi32, \"reg\">\n"
        );
    }
    let read = match direct {
        true => format!("%A[%k * {step} + %s + {start}] else %pad : memref<{n}xi32>"),
        false => format!("%strip[%k * {step} + %s] : memref<{strip}xi32>"),
    };
    text += &format!(
        "sched.for ({loops}) {{\n\
         %a = sched.read {read}\n\
         %b = sched.read %w[%s] : memref<{taps}xi32>\n\
         %p = arith.muli {factors} : i32\n\
         sched.write %p, {sums}\n}}\n"
    );
    if registers {
        text += &format!(
            "sched.copy (%x) in ({rows}) by (unroll) %acc[%x] to %out[%i + %x] : memref<{rows}xi32, \"reg\"> to memref<{results}xi32>\n"
        );
    }
    text += "}\nreturn\n}\n";
    Sums { text, sizes: [n, results, taps, low], step: step * 100 + rows, padding, direct, written }
}

#[test]
fn what_is_left_out_adds_nothing() {
    let (mut cut, mut kept, mut written_out, mut unguarded) = (0, 0, 0, 0);
    for seed in 1..=300 {
        let Sums { text, sizes: [n, results, taps, low], step, padding, direct, written } = sums(seed);
        let (step, rows) = (step / 100, step % 100);
        let mut ir = parse(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let (input, weights): (Vec<i64>, Vec<i64>) =
            ((0..n).map(|i| i * 7 % 5 - 2).collect(), (0..taps).map(|s| 1 + s * 3 % 4).collect());
        let wanted: Vec<i64> = (0..results)
            .map(|i| {
                let at = |s: i64| {
                    let first = written && i % rows == 0 && s == 0;
                    let read = usize::try_from(i * step + s - low).ok().and_then(|at| input.get(at));
                    if first { 5 } else { read.copied().unwrap_or(padding) }
                };
                (0..taps).map(|s| at(s) * weights[s as usize]).sum()
            })
            .collect();
        let given = [input.clone(), weights.clone()];
        assert_eq!(common::lines(&ir, &given, results, &text, "before"), wanted, "before\n{text}");
        run_pipeline(&mut ir, "sched-skip-zeros", &text);
        let bounded = shown(&ir).contains(" from ") || shown(&ir).contains(" limit ");
        assert!(!bounded || padding == 0 && !written, "cut\n{text}");
        unguarded += usize::from(direct && bounded && !shown(&ir).contains("else"));
        written_out += usize::from(bounded && shown(&ir).contains(": unroll pw"));
        (cut, kept) = (cut + usize::from(bounded), kept + usize::from(!bounded));
        assert_eq!(common::lines(&ir, &given, results, &text, "cut"), wanted, "cut\n{}\n{text}", shown(&ir));
        run_pipeline(&mut ir, "sched-legalize,sched-to-scf", &text);
        assert_eq!(common::lines(&ir, &given, results, &text, "scf"), wanted, "scf\n{text}");
    }
    assert!(cut > 50 && written_out > 10 && kept > 60, "{cut} {written_out} {kept}");
    assert!(unguarded > 10, "{unguarded}");
}
