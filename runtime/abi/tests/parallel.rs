//! Parallel regions: coverage, nesting, parking, concurrent callers
//!
//! The pool belongs to the process, so each test takes a lock before it sets the thread count.

use std::ffi::c_void;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use terrace_runtime_abi::{symbols, terrace_num_threads, terrace_parallel_for, terrace_set_threads};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn with_threads(n: i64) -> MutexGuard<'static, ()> {
    let guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    terrace_set_threads(n);
    guard
}

/// Run a closure as a region
#[allow(unsafe_code)]
fn parallel<F: Fn(i64, i64, i64) + Sync>(n: i64, grain: i64, body: F) {
    extern "C" fn call<F: Fn(i64, i64, i64) + Sync>(ctx: *mut c_void, begin: i64, end: i64, worker: i64) {
        // SAFETY: `ctx` is the closure below, which outlives the region and is `Sync`.
        let body = unsafe { &*ctx.cast::<F>() };
        body(begin, end, worker);
    }
    // SAFETY: see `call`.
    unsafe { terrace_parallel_for(n, grain, call::<F>, (&raw const body).cast_mut().cast()) }
}

#[test]
fn ranges_cover_everything_once() {
    for threads in 1..=8 {
        let _guard = with_threads(threads);
        for n in [0, 1, 2, 7, 8, 9, 1000] {
            for grain in [-1, 0, 1, 3, 2000, i64::MAX] {
                let hits: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(0)).collect();
                parallel(n, grain, |begin, end, worker| {
                    assert!((0..threads).contains(&worker));
                    for i in begin..end {
                        hits[i as usize].fetch_add(1, Ordering::Relaxed);
                    }
                });
                assert!(hits.iter().all(|h| h.load(Ordering::Relaxed) == 1), "{threads} {n} {grain}");
            }
        }
    }
}

#[test]
fn negative_and_huge_extents_do_no_harm() {
    let _guard = with_threads(4);
    parallel(-5, 0, |_, _, _| panic!("nothing to do"));
    let total = AtomicI64::new(0);
    for grain in [0, i64::MAX / 3] {
        total.store(0, Ordering::Relaxed);
        parallel(i64::MAX, grain, |begin, end, _| {
            total.fetch_add(end - begin, Ordering::Relaxed);
        });
        assert_eq!(total.load(Ordering::Relaxed), i64::MAX);
    }
}

#[test]
fn static_ranges_differ_by_one_at_most() {
    let _guard = with_threads(4);
    let ranges = Mutex::new(Vec::new());
    parallel(10, 0, |begin, end, _| {
        ranges.lock().unwrap_or_else(PoisonError::into_inner).push((begin, end));
    });
    let mut ranges = ranges.into_inner().unwrap_or_else(PoisonError::into_inner);
    ranges.sort_unstable();
    assert_eq!(ranges, [(0, 3), (3, 6), (6, 8), (8, 10)]);
}

#[test]
fn many_small_regions() {
    for threads in [2, 3, 8] {
        let _guard = with_threads(threads);
        let total = AtomicI64::new(0);
        for _ in 0..3000 {
            parallel(threads, 0, |begin, end, _| {
                total.fetch_add(end - begin, Ordering::Relaxed);
            });
        }
        assert_eq!(total.load(Ordering::Relaxed), 3000 * threads);
    }
}

#[test]
fn thread_counts_may_change_between_regions() {
    let _guard = with_threads(1);
    let total = AtomicI64::new(0);
    for round in 0..2000 {
        terrace_set_threads(1 + round % 8);
        parallel(16, round % 2, |begin, end, _| {
            total.fetch_add(end - begin, Ordering::Relaxed);
        });
    }
    assert_eq!(total.load(Ordering::Relaxed), 2000 * 16);
}

#[test]
fn workers_wake_after_they_parked() {
    let _guard = with_threads(4);
    for _ in 0..5 {
        let total = AtomicI64::new(0);
        parallel(4, 0, |begin, end, _| {
            total.fetch_add(end - begin, Ordering::Relaxed);
        });
        assert_eq!(total.load(Ordering::Relaxed), 4);
        // Far longer than workers spin.
        std::thread::sleep(std::time::Duration::from_millis(60));
    }
}

#[test]
fn nested_regions_run_on_their_caller() {
    let _guard = with_threads(4);
    let total = AtomicI64::new(0);
    parallel(8, 1, |_, _, _| {
        let outer = std::thread::current().id();
        parallel(100, 0, |begin, end, worker| {
            assert_eq!((begin, end, worker), (0, 100, 0));
            assert_eq!(std::thread::current().id(), outer);
            total.fetch_add(end - begin, Ordering::Relaxed);
        });
    });
    assert_eq!(total.load(Ordering::Relaxed), 800);
}

#[test]
fn callers_from_several_threads() {
    let _guard = with_threads(3);
    let total = AtomicI64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    parallel(7, 0, |begin, end, _| {
                        total.fetch_add(end - begin, Ordering::Relaxed);
                    });
                }
            });
        }
    });
    assert_eq!(total.load(Ordering::Relaxed), 4 * 500 * 7);
}

#[test]
fn results_do_not_depend_on_the_thread_count() {
    let mut all = Vec::new();
    for threads in 1..=8 {
        let _guard = with_threads(threads);
        for grain in [0, 5] {
            let rows: Vec<AtomicI64> = (0..97).map(|_| AtomicI64::new(0)).collect();
            parallel(97, grain, |begin, end, _| {
                for i in begin..end {
                    rows[i as usize].store((0..i).map(|k| k * k % 7).sum(), Ordering::Relaxed);
                }
            });
            all.push(rows.into_iter().map(AtomicI64::into_inner).collect::<Vec<_>>());
        }
    }
    assert!(all.iter().all(|rows| rows == &all[0]));
}

#[test]
fn thread_counts_are_kept_within_limits() {
    let _guard = with_threads(0);
    assert!(terrace_num_threads() >= 1);
    terrace_set_threads(-3);
    assert!(terrace_num_threads() >= 1);
    terrace_set_threads(1_000_000);
    assert_eq!(terrace_num_threads(), terrace_runtime_abi::MAX_THREADS as i64);
    terrace_set_threads(2);
    assert_eq!(terrace_num_threads(), 2);
}

#[test]
fn every_symbol_has_an_address() {
    assert!(symbols().iter().all(|s| s.name.starts_with("terrace_") && !s.address.is_null()));
}
