//! Programs that write where they must not, and programs that are too slow: the worker says so, and serves the next request.

use crate::common::worker;
use std::time::Duration;
use terrace_native_client::{Arg, Limits, RunRequest, Worker};

/// It stores one number at a place that it is given, which no rule has proved
const STORE: &str = "func.func @f(%x: memref<8xf32>, %at: index, %v: f32) {
  memref.store %v, %x[%at] : memref<8xf32>
  return
}";

/// The code of what becomes of a store; `None` if it is right
fn store(worker: &mut Worker, at: i64) -> Option<&'static str> {
    let x = Arg::Buffer { shape: vec![8], elem: "f32".into(), bytes: vec![0; 32] };
    let at = Arg::Scalar { elem: "index".into(), bits: at as u64 };
    let v = Arg::Scalar { elem: "f32".into(), bits: 1.0f32.to_bits().into() };
    let request = RunRequest { entry: "f".into(), args: vec![x, at, v], ..RunRequest::default() };
    worker.run(STORE, &request).err().map(|errors| errors[0].code.map_or("", |code| code.id))
}

#[test]
fn a_stray_write_is_seen_and_reaches_no_later_run() {
    let mut worker = worker();
    assert_eq!(store(&mut worker, 7), None);
    // Close by it shows in what stands around the argument.
    for at in [8, 9, 100] {
        assert_eq!(store(&mut worker, at), Some("E0729"), "{at}");
        assert_eq!(store(&mut worker, 0), None);
    }
    // Farther away no program may write.
    for at in [-1, 2000, 1 << 17] {
        assert_eq!(store(&mut worker, at), Some("E0723"), "{at}");
        assert!(!worker.lives());
        assert_eq!(store(&mut worker, 0), None);
    }
}

/// A loop that takes its time
const LOOP: &str = "func.func @f(%n: index, %x: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  %v = memref.load %x[%c0] : memref<1xf64>
  %w = math.sqrt %v : f64
  memref.store %w, %x[%c0] : memref<1xf64>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^done:
  return
}";

fn repeated(rounds: u64, stop_ns: Option<u64>) -> RunRequest {
    let n = Arg::Scalar { elem: "index".into(), bits: rounds };
    let x = Arg::Buffer { shape: vec![1], elem: "f64".into(), bytes: 2f64.to_le_bytes().into() };
    RunRequest { entry: "f".into(), args: vec![n, x], bench: Some(5), stop_ns, ..RunRequest::default() }
}

#[test]
fn a_slow_program_is_stopped_after_its_first_runs() {
    let mut worker = worker();
    let mut times = |stop| worker.run(LOOP, &repeated(1000, stop)).expect("it runs").times_ns.len();
    assert_eq!(times(None), 5);
    assert_eq!(times(Some(u64::MAX)), 5);
    assert_eq!(times(Some(0)), 1);
}

#[test]
fn a_program_that_is_compiled_has_its_own_time() {
    let mut worker = worker();
    worker.set_limits(Limits { build: Duration::from_secs(600), run: Duration::from_millis(300) });
    let errors = worker.run(LOOP, &repeated(u64::MAX >> 1, None)).expect_err("it does not end");
    assert_eq!(errors[0].message, "no answer within 0.3 s");
    assert!(worker.run(LOOP, &repeated(10, None)).is_ok());
}
