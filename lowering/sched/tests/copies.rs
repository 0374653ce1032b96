//! Collective copies of random sizes by random numbers of threads: a tile goes to shared memory as it lies, transposed, padded or
//! with swizzled columns, and back by another copy; against what that means, as schedule, as launch and on the host.

use crate::common;

use common::{element, outputs, parse, run_pipeline};
use terrace_support::Random;

/// How a tile lies in shared memory: its shape, and the place of (row, column)
fn layout(r: &mut Random, (rows, columns): (i64, i64)) -> (String, String) {
    match r.below(4) {
        0 => (format!("{rows}x{columns}"), "%r, %c".into()),
        1 => (format!("{columns}x{rows}"), "%c, %r".into()),
        2 => (format!("{columns}x{}", rows + 1), "%c, %r".into()),
        _ => (format!("{rows}x{columns}"), format!("%r, (%c + %r) mod {columns}")),
    }
}

/// out[i] = A[i, 0] + … + A[i, n − 1], each part of A through shared memory
fn program(seed: u64) -> (String, i64, i64, &'static str, bool) {
    let mut r = Random::new(seed.wrapping_mul(0x9E6C_63D0_876A_46DB) | 1);
    let (m, n) = (1 + r.below(40), 1 + r.below(40));
    let elem = r.pick(&["f32", "i32", "f64"]);
    let (zero, add) = if elem == "i32" { ("0", "add") } else { ("0.0", "add") };
    let (rows, columns) = (1 + r.below(m.min(20)), 1 + r.below(n.min(20)));
    // Fewer threads than elements, more, many times fewer.
    let threads = [rows, rows, rows * (1 + r.below(3))][r.below(3) as usize];
    let across = threads / rows;
    let columns = (columns + across - 1) / across * across;
    let (shape, place) = layout(&mut r, (rows, columns));
    let (sm, blocks) = ("#gpu.address_space<workgroup>", (m + rows - 1) / rows);
    let (pad_rows, pad_columns) =
        (if m % rows == 0 { "" } else { " tail pad" }, if n % columns == 0 { "" } else { " tail pad" });
    let stages = r.pick(&["", " stages 2", " stages 3"]);
    let read = place.replace("%r", "%i1").replace("%c", "(%k1 + %k2)");
    let each = columns / across;
    let text = format!(
        "func.func @f(%A: memref<{m}x{n}x{elem}>, %v: memref<{n}x{elem}>, %out: memref<{m}x{elem}>) {{\n\
         %z = arith.constant {zero} : {elem}\n\
         sched.kernel @k grid [{blocks}, 1, 1] block [{across}, {rows}, 1] {{\n\
         sched.for (%i0 in {m} by {rows} dim 0 : block.x{pad_rows}) {{\n\
         sched.for (%i1 in {rows} by 1 dim 0 : thread.y) {{\n\
         %s = sched.for (%k0 in {n} by {columns} dim 1 pw {add}{pad_columns}{stages}) -> {elem} {{\n\
         %w = sched.alloc per block : memref<{shape}x{elem}, {sm}>\n\
         sched.copy per block (%r, %c) in ({rows}, {columns}) by linear %A[%i0 + %r, %k0 + %c] else %z to %w[{place}] : \
         memref<{m}x{n}x{elem}> to memref<{shape}x{elem}, {sm}>\n\
         %q = sched.for (%k1 in {columns} by {each} dim 1 : thread.x pw {add}) -> {elem} {{\n\
         %t = sched.for (%k2 in {each} by 1 dim 1 pw {add}) -> {elem} {{\n\
         %a = sched.read %w[{read}] : memref<{shape}x{elem}, {sm}>\n\
         sched.yield %a : {elem}\n}}\nsched.yield %t : {elem}\n}}\nsched.yield %q : {elem}\n}}\n\
         sched.write %s, %out[%i0 + %i1] clip : memref<{m}x{elem}>\n}}\n}}\n}}\nreturn\n}}\n"
    );
    (text, m, n, elem, !stages.is_empty() && n > columns)
}

#[test]
fn copies_keep_their_meaning() {
    let (mut refused, mut staged) = (0, 0);
    for seed in 1..=200 {
        let (text, m, n, elem, ahead) = program(seed);
        let wanted: Vec<i64> = (0..m).map(|row| (0..n).map(|column| element(row, column)).sum()).collect();
        let mut ir = match parse(&text) {
            Ok(ir) => ir,
            Err(why) => {
                assert!(["TAIL", "COVER", "HW"].iter().any(|rule| why.contains(rule)), "{why}\n{text}");
                refused += 1;
                continue;
            }
        };
        staged += usize::from(ahead);
        assert_eq!(outputs(&ir, m, n, elem, &text, "schedule"), wanted, "schedule\n{text}");
        run_pipeline(&mut ir, "sched-legalize,sched-to-scf", &text);
        assert_eq!(outputs(&ir, m, n, elem, &text, "launch"), wanted, "launch\n{text}");
        run_pipeline(&mut ir, "canonicalize,cse,promote-buffers,canonicalize,cse,licm", &text);
        assert_eq!(outputs(&ir, m, n, elem, &text, "optimised"), wanted, "optimised\n{text}");
        run_pipeline(&mut ir, "gpu-launch-to-parallel", &text);
        assert_eq!(outputs(&ir, m, n, elem, &text, "on the host"), wanted, "on the host\n{text}");
    }
    assert!(refused < 60 && staged > 40, "{refused} refused, {staged} staged");
}
