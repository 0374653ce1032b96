//! Random rows that are divided by what belongs to the row: quotients leave loops that do not change what they are of, with the same values.

use crate::common;

use common::{parse, run_pipeline, shown};
use terrace_support::Random;

#[test]
fn values_of_rows() {
    let (mut moved, mut kept) = (0, 0);
    for seed in 1..=200u64 {
        let mut r = Random::new(seed.wrapping_mul(0x9FB2_1C65_1E98_DF25) | 1);
        let (rows, row) = (1 + r.below(5), 1 + r.below(9));
        let (alone, own, short) = (r.coin(), r.below(4) == 0, r.below(4) == 0);
        let level = match r.below(3) {
            // What one iteration writes the others read.
            _ if own => " ordered",
            0 => " : vector",
            1 => " : unroll",
            _ => "",
        };
        let (mark, limit) = (if alone { " {llvm.noalias}" } else { "" }, format!(" limit -%i + {row}"));
        let limit = if short && level != " : vector" { limit.as_str() } else { "" };
        let of = if own { format!("%out[%i * {row}]") } else { "%w[%i]".into() };
        let (all, from) = (rows * row, if own { rows * row } else { rows });
        let text = format!(
            "func.func @f(%A: memref<{all}xi32>, %w: memref<{rows}xi32>, %out: memref<{all}xi32>{mark}) {{
  %zero = arith.constant 0 : i32
  sched.copy (%x) in ({all}) %zero to %out[%x] : i32 to memref<{all}xi32>
  sched.for (%i in {rows} by 1 dim 0) {{
    sched.for (%j in {row} by 1{limit} dim 1{level}) {{
      %s = sched.read {of} : memref<{from}xi32>
      %f = arith.sitofp %s : i32 to f32
      %two = arith.constant 2.0 : f32
      %q = arith.divf %f, %two : f32
      %n = arith.fptosi %q : f32 to i32
      %a = sched.read %A[%i * {row} + %j] : memref<{all}xi32>
      %t = arith.addi %a, %n : i32
      sched.write %t, %out[%i * {row} + %j] : memref<{all}xi32>
    }}
  }}
  return
}}
"
        );
        let mut ir = parse(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let given = [
            (0..all).map(|n| n * 7 % 5 - 2).collect::<Vec<i64>>(),
            (0..rows).map(|n| 4 + 2 * (n * 3 % 4)).collect(),
        ];
        let wanted = common::lines(&ir, &given, all, &text, "before");
        run_pipeline(&mut ir, "func.func(sched-hoist-invariants)", &text);
        let found = shown(&ir);
        let before = found.find("arith.divf") < found.find("sched.for (%j");
        assert_eq!(before, alone && !own && limit.is_empty(), "{text}\n{found}");
        (moved, kept) = (moved + usize::from(before), kept + usize::from(!before));
        assert_eq!(common::lines(&ir, &given, all, &text, "hoisted"), wanted, "hoisted\n{found}\n{text}");
        run_pipeline(&mut ir, "sched-legalize,sched-to-scf", &text);
        assert_eq!(common::lines(&ir, &given, all, &text, "scf"), wanted, "scf\n{text}");
    }
    assert!(moved > 30 && kept > 60, "{moved} {kept}");
}
