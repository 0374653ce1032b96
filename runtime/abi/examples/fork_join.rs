//! Prints what an empty parallel region costs: workers spinning, and workers parked

use std::ffi::c_void;
use std::time::{Duration, Instant};
use terrace_runtime_abi::{terrace_num_threads, terrace_parallel_for, terrace_set_threads};

extern "C" fn nothing(_: *mut c_void, _: i64, _: i64, _: i64) {}

#[allow(unsafe_code)]
fn region(n: i64, grain: i64) {
    // SAFETY: the body touches nothing.
    unsafe { terrace_parallel_for(n, grain, nothing, std::ptr::null_mut()) }
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e6
}

fn main() {
    let most = terrace_num_threads();
    for threads in 1..=most {
        terrace_set_threads(threads);
        let batches = |grain| {
            (0..101)
                .map(|_| {
                    let start = Instant::now();
                    (0..100).for_each(|_| region(threads, grain));
                    start.elapsed() / 100
                })
                .collect()
        };
        let (fixed, ticket) = (median(batches(0)), median(batches(1)));
        let after = |gap: Duration| {
            let once = |_| {
                std::thread::sleep(gap);
                let start = Instant::now();
                region(threads, 0);
                start.elapsed()
            };
            median((0..21).map(once).collect())
        };
        let (short, parked) = (after(Duration::from_micros(200)), after(Duration::from_millis(30)));
        println!(
            "{threads} threads: {fixed:.2} µs static, {ticket:.2} µs dynamic, \
             {short:.2} µs after a gap of 200 µs, {parked:.1} µs parked"
        );
    }
}
