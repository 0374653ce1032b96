//! Nests that compute the same, in the order of their times.

use terrace_devices::Device;
use terrace_dialect_test::Harness;
use terrace_pass::Registry;
use terrace_search_estimate::cycles;

const HARNESS: Harness = Harness {
    dialects: &[terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL],
    registry: Registry { passes: &[], pipelines: &[] },
};

/// Cycles on a processor with AVX-512
fn on_host(text: &str) -> f64 {
    let ir = HARNESS.parse(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    cycles(&ir, &Device::find("x86-64-v4").expect("built in")).expect("there are loops")
}

/// A product of 512×512 matrices: a loop over columns at `level`, lanes, sums in a tile of `rows` by `vectors`
fn product(level: &str, rows: i64, vectors: i64) -> String {
    let columns = 16 * vectors;
    format!(
        "func.func @f(%A: memref<512x512xf32>, %B: memref<512x512xf32>, %C: memref<512x512xf32>) {{
           sched.for (%j in 512 by {columns} dim 1 : {level}) {{
             sched.for (%i in 512 by {rows} dim 0) {{
               %t = sched.alloc : memref<{rows}x{columns}xf32, \"reg\">
               %z = arith.constant 0.0 : f32
               sched.copy (%r, %c) in ({rows}, {columns}) by (unroll, vector 16) %z to %t[%r, %c] : f32 to memref<{rows}x{columns}xf32, \"reg\">
               sched.for (%k in 512 by 1 dim 2 pw add) {{
                 sched.for (%r in {rows} by 1 dim 0 : unroll, %v in {columns} by 16 dim 1 : unroll) {{
                   sched.for (%l in 16 by 1 dim 1 : vector) {{
                     %a = sched.read %A[%i + %r, %k] : memref<512x512xf32>
                     %b = sched.read %B[%k, %j + %v + %l] : memref<512x512xf32>
                     %p = arith.mulf %a, %b : f32
                     sched.write %p, %t[%r, %v + %l] combine add : memref<{rows}x{columns}xf32, \"reg\">
                   }}
                 }}
               }}
               sched.copy (%r, %c) in ({rows}, {columns}) by (unroll, vector 16) %t[%r, %c] to %C[%r + %i, %c + %j] : memref<{rows}x{columns}xf32, \"reg\"> to memref<512x512xf32>
             }}
           }}
           return
         }}"
    )
}

/// Sums of rows or columns of a matrix that no cache holds, one element at a time
fn sums(at: &str) -> String {
    format!(
        "func.func @f(%A: memref<8192x8192xf32>, %y: memref<8192xf32>) {{
           sched.for (%i in 8192 by 1 dim 0) {{
             %s = sched.for (%j in 8192 by 1 dim 1 pw add) -> f32 {{
               %a = sched.read %A[{at}] : memref<8192x8192xf32>
               sched.yield %a : f32
             }}
             sched.write %s, %y[%i] : memref<8192xf32>
           }}
           return
         }}"
    )
}

#[test]
fn register_tiles() {
    let [one, good, wide] =
        [(1, 1), (8, 2), (16, 4)].map(|(rows, vectors)| on_host(&product("seq", rows, vectors)));
    // 512³ multiply-adds, sixteen in an instruction, two instructions in a cycle
    let least = 512.0 * 512.0 * 512.0 / 32.0;
    // What caches bring is not all hidden.
    assert!(good >= least && good < 2.0 * least, "{good} of {least}");
    // One chain of sums waits for itself; a tile of 64 vectors does not fit.
    assert!(one > 2.0 * good, "{one}, {good}");
    assert!(wide > 1.5 * good, "{wide}, {good}");
}

#[test]
fn threads_share_the_work() {
    let [alone, shared] = ["seq", "task"].map(|level| on_host(&product(level, 8, 2)));
    assert!(shared > alone / 4.0 && shared < alone / 3.0, "{shared}, {alone}");
    // Five tasks on four threads take two rounds.
    let tasks = |count: i64| {
        on_host(&format!(
            "func.func @f(%A: memref<{n}xf32>) {{
               sched.for (%i in {n} by 100000 dim 0 : task) {{
                 sched.for (%j in 100000 by 1 dim 0) {{
                   %a = sched.read %A[%i + %j] : memref<{n}xf32>
                   %b = math.exp %a : f32
                   sched.write %b, %A[%i + %j] : memref<{n}xf32>
                 }}
               }}
               return
             }}",
            n = count * 100_000
        ))
    };
    assert!(tasks(5) > 1.8 * tasks(4), "{}, {}", tasks(5), tasks(4));
}

#[test]
fn columns_cost_their_lines() {
    let (rows, columns) = (on_host(&sums("%i, %j")), on_host(&sums("%j, %i")));
    // Sums that wait for each other take most of both.
    assert!(columns > 1.15 * rows, "{columns}, {rows}");
}

#[test]
fn what_has_no_estimate() {
    let ir = HARNESS.parse("func.func @f() {\n  return\n}").expect("it parses");
    assert_eq!(cycles(&ir, &Device::find("x86-64-v4").expect("built in")), None);
    let ir = HARNESS.parse(&product("seq", 8, 2)).expect("it parses");
    assert_eq!(cycles(&ir, &Device::find("cuda").expect("built in")), None);
}
