//! Bodies that are copied many times: the time grows as the number of copies does.

use crate::common;

use common::{parse, run_pipeline};
use std::time::{Duration, Instant};

fn copied(side: i64) -> String {
    format!(
        "func.func @f(%A: memref<{side}x{side}xf32>, %B: memref<{side}x{side}xf32>) {{
  sched.for (%i in {side} by 1 dim 0 : unroll, %j in {side} by 1 dim 1 : unroll) {{
    %a = sched.read %A[%i, %j] : memref<{side}x{side}xf32>
    sched.write %a, %B[%i, %j] : memref<{side}x{side}xf32>
  }}
  return
}}"
    )
}

fn time(side: i64, times: usize) -> Duration {
    let once = |_| {
        let text = copied(side);
        let mut ir = parse(&text).unwrap_or_else(|why| panic!("{why}"));
        let start = Instant::now();
        run_pipeline(&mut ir, "func.func(sched-to-scf)", &text);
        start.elapsed()
    };
    (0..times).map(once).min().unwrap_or_default()
}

/// Sixteen times the copies: about as many times the time, where it was 200
#[test]
fn time_is_linear() {
    let (small, large) = (time(48, 4), time(192, 2));
    assert!(large < small * 70, "{small:?} for 2304 copies, {large:?} for 36864");
}
