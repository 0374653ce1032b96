//! Nests that compute the same, in the order of their times.

use terrace_devices::Device;
use terrace_dialect_sched::nests;
use terrace_dialect_test::Harness;
use terrace_ir::Ir;
use terrace_pass::Registry;
use terrace_schedule_cost::{Estimate, Name, estimate};

const HARNESS: Harness = Harness {
    dialects: &[terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL],
    registry: Registry { passes: &[], pipelines: &[] },
};

fn of(ir: &Ir, device: &str) -> Option<Estimate> {
    estimate(&nests(ir), &Device::find(device).expect("built in"))
}

/// On a processor with AVX-512
pub fn estimated(text: &str) -> Estimate {
    let ir = HARNESS.parse(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    of(&ir, "x86-64-v4").expect("there are loops")
}

fn on_host(text: &str) -> f64 {
    estimated(text).total
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
    assert_eq!(of(&ir, "x86-64-v4"), None);
    let ir = HARNESS.parse(&product("seq", 8, 2)).expect("it parses");
    assert_eq!(of(&ir, "cuda"), None);
}

/// What is wrong with a schedule is in its terms
#[test]
fn terms_say_why() {
    let [one, good, wide] =
        [(1, 1), (8, 2), (16, 4)].map(|(rows, vectors)| estimated(&product("task", rows, vectors)));
    assert!(one.of(Name::Latency) > 0.4 * one.total && good.of(Name::Latency) == 0.0);
    assert!(wide.of(Name::Spills) > 0.4 * wide.total && good.of(Name::Spills) == 0.0);
    assert!(good.of(Name::Issue) > 0.5 * good.total);
    assert_eq!(good.of(Name::Threads), 5_000.0);
    for all in [one, good, wide] {
        let sum: f64 = all.terms.iter().map(|term| term.cycles).sum();
        assert!((sum / all.total - 1.0).abs() < 1e-9, "{all}");
    }
}

/// Numbers are the device's, not the model's
#[test]
fn costs_are_in_the_device_file() {
    let ir = HARNESS.parse(&product("task", 8, 2)).expect("it parses");
    let nests = nests(&ir);
    let device = Device::find("x86-64-v4").expect("built in");
    let before = estimate(&nests, &device).expect("there are loops");
    let with = |change: fn(&mut Device)| {
        let mut own = device.clone();
        change(&mut own);
        estimate(&nests, &own).expect("there are loops")
    };
    assert_eq!(with(|own| own.costs.threads.fork = 1_000.0).total, before.total - 4_000.0);
    let slow = with(|own| own.costs.instructions.operations = 1.0);
    assert_eq!(slow.of(Name::Issue), 2.0 * before.of(Name::Issue));
    let near = with(|own| own.costs.caches.from_l2 = 24.0);
    assert_eq!(near.of(Name::SecondCache), 2.0 * before.of(Name::SecondCache));
}

#[test]
fn estimates_are_text_and_json() {
    let all = estimated(&sums("%i, %j"));
    let text = all.to_string();
    let mut lines = text.lines();
    assert_eq!(lines.next().map(str::trim), Some(format!("{:.0} cycles", all.total).as_str()));
    assert_eq!(lines.count(), all.terms.len());
    assert!(text.contains(" latency      nest 0, loop 1\n"), "{text}");
    let json = all.to_json();
    assert_eq!(json["total"].as_f64(), Some(all.total));
    let latency = all.terms.iter().position(|term| term.name == Name::Latency).expect("sums wait");
    let term = &json["terms"][latency];
    assert_eq!((term["name"].as_str(), term["loop"].as_u64()), (Some("latency"), Some(1)));
}

/// Sums of both halves of rows, or twice of the same half
fn halves(row: i64, second: &str) -> Estimate {
    estimated(&format!(
        "func.func @f(%A: memref<4096x{row}xf32>, %y: memref<4096xf32>, %z: memref<4096xf32>) {{
           sched.for (%i in 4096 by 1 dim 0) {{
             %s = sched.for (%j in 1024 by 1 dim 1 pw add) -> f32 {{
               %a = sched.read %A[%i, %j] : memref<4096x{row}xf32>
               sched.yield %a : f32
             }}
             sched.write %s, %y[%i] : memref<4096xf32>
             %t = sched.for (%j in 1024 by 1 dim 1 pw add) -> f32 {{
               %a = sched.read %A[%i, {second}] : memref<4096x{row}xf32>
               sched.yield %a : f32
             }}
             sched.write %t, %z[%i] : memref<4096xf32>
           }}
           return
         }}"
    ))
}

/// Pieces side by side are beyond the third cache together, though each of them would stay in it
#[test]
fn pieces_of_a_buffer_are_summed_up() {
    assert_eq!(halves(1024, "%j").of(Name::Memory), 0.0);
    assert!(halves(2048, "%j + 1024").of(Name::Memory) > 0.0);
}
