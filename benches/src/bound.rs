//! What this processor can do at most, measured together with everything else: multiply-adds between registers, and streams of memory.
//!
//! A stream moves as many bytes as a case has to: it reads its inputs once and writes its results once, the latter both ways, past
//! the caches and through them, in one order and in several parts side by side: what is fastest in the first runs counts. It uses the
//! same buffers again in each run, as everybody does, so what the last cache keeps is kept here too. Of a stream's runs the median is
//! taken, as of a case's, since what else uses the machine's memory slows both in the same way; of multiply-adds the best.
//! Threads stay on a processor each, else they would share some while others rest; they start together and are waited for, starting
//! them is not measured.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod wide;

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::process::Affinity;
use crate::stats::Summary;

/// Bytes of a huge page
const PAGE: usize = 2 << 20;

/// Elements that a kernel takes in one iteration
const STEP: usize = 128;

/// Parts that a stream may read and write side by side
const PARTS: usize = 4;

/// Runs that say which form of a stream is the fastest
const TRIALS: u32 = 5;

/// Iterations of the multiply-adds of one run: about a millisecond
const ROUNDS: u64 = 300_000;

/// Numbers that memory is filled with: what is all zeros is read at up to 1.7 times the rate of what is not
const PERIOD: usize = 9973;

/// Elements at huge pages, touched
struct Memory {
    start: *mut f32,
    len: usize,
}

impl Memory {
    fn layout(len: usize) -> Layout {
        let bytes = (len * size_of::<f32>()).next_multiple_of(PAGE).max(PAGE);
        Layout::from_size_align(bytes, PAGE).expect("a power of two, and no size near the limit")
    }

    fn new(len: usize) -> Self {
        let layout = Self::layout(len);
        // SAFETY: the layout has a size.
        let start = unsafe { alloc(layout) }.cast::<f32>();
        if start.is_null() {
            handle_alloc_error(layout);
        }
        // SAFETY: the range is ours; the call only says what pages are wished for, and may fail.
        unsafe { libc::madvise(start.cast(), layout.size(), libc::MADV_HUGEPAGE) };
        for at in 0..len {
            // SAFETY: the range is ours.
            unsafe { start.add(at).write((at % PERIOD) as f32 * 0.01) };
        }
        Self { start, len }
    }

    /// A part in so many equal ones, whole steps each
    fn part(&self, n: usize, of: usize) -> (*mut f32, usize) {
        let steps = self.len / STEP;
        let (begin, end) = (steps * n / of * STEP, steps * (n + 1) / of * STEP);
        // SAFETY: `begin` is at most `len`.
        (unsafe { self.start.add(begin) }, end - begin)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout by `new`.
        unsafe { dealloc(self.start.cast(), Self::layout(self.len)) };
    }
}

// SAFETY: plain memory; threads write parts of it that do not overlap (see `part`).
unsafe impl Sync for Memory {}

/// How a stream writes
#[derive(Clone, Copy, PartialEq, Debug)]
enum Stores {
    Plain,
    Past,
}

/// A form of a stream: how it writes, and in how many parts it goes through its memory
type Way = (Stores, usize);

/// What a computation has to do at least
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// Bytes that it reads and writes
    pub traffic: Option<(u64, u64)>,
    /// Multiplications and additions of `f32`; one of `f64` counts twice
    pub operations: Option<f64>,
}

/// The least time of a computation: of a stream of its bytes, or of its multiply-adds, whichever is longer
pub struct Bound {
    stream: Option<Stream>,
    operations: Option<f64>,
}

/// Memory of a stream
pub struct Stream {
    read: Memory,
    write: Memory,
}

impl Bound {
    /// Nothing for a computation without a demand
    pub fn of(demand: Demand) -> Option<Self> {
        let memory = |bytes: u64| Memory::new((bytes as usize / size_of::<f32>()).next_multiple_of(STEP));
        let stream = demand.traffic.map(|(read, write)| Stream { read: memory(read), write: memory(write) });
        let some = stream.is_some() || demand.operations.is_some();
        some.then_some(Self { stream, operations: demand.operations })
    }

    /// Nanoseconds on so many threads: by the best of some runs of multiply-adds, by the median of a stream's
    pub fn least(&self, threads: usize, runs: u32) -> f64 {
        let stream = self.stream.as_ref().map_or(0.0, |stream| stream.least(threads, runs));
        let operations = self.operations.map_or(0.0, |demanded| {
            let done = (threads as u64 * ROUNDS) as f64 * operations();
            demanded / done * together(threads, runs, &|_| multiply_add(ROUNDS)).min
        });
        stream.max(operations)
    }
}

impl Stream {
    /// The median of some runs in the form that is the fastest
    fn least(&self, threads: usize, runs: u32) -> f64 {
        let time = |way: Way, runs| together(threads, runs, &|n| self.stream(n, threads, way)).median;
        let writes = self.write.len > self.read.len / 100;
        let stores = if writes { &[Stores::Plain, Stores::Past][..] } else { &[Stores::Plain] };
        let ways = stores.iter().flat_map(|stores| [(*stores, 1), (*stores, PARTS)]);
        let tried = ways.map(|way| (time(way, TRIALS), way));
        let fastest = tried.min_by(|a, b| a.0.total_cmp(&b.0)).map_or((Stores::Plain, 1), |tried| tried.1);
        time(fastest, runs)
    }

    /// One thread's part: as much as is written is copied, and the rest summed; what is written beyond the input is copied from its
    /// beginning again
    fn stream(&self, n: usize, of: usize, (stores, parts): Way) -> f32 {
        let ((from, read), (to, write)) = (self.read.part(n, of), self.write.part(n, of));
        let copied = read.min(write);
        // SAFETY: parts of one memory do not overlap, and both have so many elements.
        let summed = unsafe {
            copy(from, to, copied, stores, parts);
            sum(from.add(copied), read - copied, parts)
        };
        // Without an input a step of the result, which stays in the first cache.
        let (again, most) = if read > 0 { (from, read) } else { (to, STEP) };
        let mut at = if read > 0 { copied } else { STEP };
        while at < write {
            let len = most.min(write - at);
            // SAFETY: `len` elements are there in both; the step that is the source ends where the first copy begins.
            unsafe { copy(again, to.add(at), len, stores, parts) };
            at += len;
        }
        summed
    }
}

/// Runs before those that count: until new threads have found cores of their own
const WARM: usize = 10;

/// Times of runs in which all threads do something, in nanoseconds
fn together(threads: usize, runs: u32, work: &(dyn Fn(usize) -> f32 + Sync)) -> Summary {
    let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wait = |what: &AtomicUsize, until: usize| {
        let mut spins = 0u32;
        while what.load(Ordering::Acquire) < until {
            spins += 1;
            // More threads than processors wait for each other.
            if spins.is_multiple_of(1024) { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
    };
    let runs = runs as usize + WARM;
    std::thread::scope(|scope| {
        for n in 1..threads {
            let (begun, ended) = (&begun, &ended);
            scope.spawn(move || {
                let _own = Affinity::one(n);
                for run in 0..runs {
                    wait(begun, run + 1);
                    std::hint::black_box(work(n));
                    ended.fetch_add(1, Ordering::Release);
                }
            });
        }
        let _own = Affinity::one(0);
        let mut times = Vec::new();
        for run in 0..runs {
            let start = Instant::now();
            begun.store(run + 1, Ordering::Release);
            std::hint::black_box(work(0));
            wait(&ended, (run + 1) * (threads - 1));
            times.push(start.elapsed().as_nanos() as f64);
        }
        Summary::of(times.into_iter().skip(WARM))
    })
}

/// # Safety
/// `n` elements are there.
unsafe fn sum(from: *const f32, n: usize, parts: usize) -> f32 {
    // SAFETY: as promised to us; `lanes` asks for the features.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        match (wide::lanes(), parts) {
            (16, PARTS) => return wide::v512::sum::<PARTS>(from, n),
            (16, _) => return wide::v512::sum::<1>(from, n),
            (8, PARTS) => return wide::v256::sum::<PARTS>(from, n),
            (8, _) => return wide::v256::sum::<1>(from, n),
            _ => {}
        }
        let _ = parts;
        (0..n).map(|at| *from.add(at)).sum()
    }
}

/// # Safety
/// `n` elements are there in both, which do not overlap and start at multiples of a step from huge pages.
unsafe fn copy(from: *const f32, to: *mut f32, n: usize, stores: Stores, parts: usize) {
    // SAFETY: as promised to us; `lanes` asks for the features.
    unsafe {
        let past = stores == Stores::Past;
        #[cfg(target_arch = "x86_64")]
        match (wide::lanes(), parts) {
            (16, PARTS) => return wide::v512::copy::<PARTS>(from, to, n, past),
            (16, _) => return wide::v512::copy::<1>(from, to, n, past),
            (8, PARTS) => return wide::v256::copy::<PARTS>(from, to, n, past),
            (8, _) => return wide::v256::copy::<1>(from, to, n, past),
            _ => {}
        }
        let _ = (past, parts);
        to.copy_from_nonoverlapping(from, n);
    }
}

fn multiply_add(rounds: u64) -> f32 {
    #[cfg(target_arch = "x86_64")]
    match wide::lanes() {
        // SAFETY: `lanes` asks for the features.
        16 => return unsafe { wide::v512::multiply_add(rounds) },
        // SAFETY: as above.
        8 => return unsafe { wide::v256::multiply_add(rounds) },
        _ => {}
    }
    let (mut sums, one) = ([0f32; 12], std::hint::black_box(0f32));
    for _ in 0..rounds {
        for sum in &mut sums {
            *sum = *sum * one + one;
        }
    }
    sums.iter().sum()
}

/// Operations of a round of multiply-adds
fn operations() -> f64 {
    #[cfg(target_arch = "x86_64")]
    let lanes = wide::lanes();
    #[cfg(not(target_arch = "x86_64"))]
    let lanes = 1;
    (12 * 2 * lanes) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_everything_once() {
        let memory = Memory::new(10 * STEP);
        let parts: Vec<_> = (0..3).map(|n| memory.part(n, 3)).collect();
        assert_eq!(parts.iter().map(|(_, len)| len).sum::<usize>(), 10 * STEP);
        for pair in parts.windows(2) {
            assert_eq!(pair[0].0.wrapping_add(pair[0].1), pair[1].0);
        }
    }

    #[test]
    fn a_stream_copies_and_sums() {
        let memory = Stream { read: Memory::new(8 * STEP), write: Memory::new(2 * STEP) };
        for at in 0..8 * STEP {
            // SAFETY: inside of the memory.
            unsafe { *memory.read.start.add(at) = 1.0 };
        }
        for way in [(Stores::Plain, 1), (Stores::Past, 1), (Stores::Plain, PARTS), (Stores::Past, PARTS)] {
            // SAFETY: inside of the memory.
            unsafe { memory.write.start.write_bytes(0, 2 * STEP) };
            let rest = memory.stream(0, 1, way);
            assert!(rest > 0.0);
            // SAFETY: inside of the memory.
            assert!((0..2 * STEP).all(|at| unsafe { *memory.write.start.add(at) } == 1.0));
        }
    }

    #[test]
    fn more_is_written_than_read() {
        let way = (Stores::Past, 1);
        for read in [0, 2 * STEP] {
            let memory = Stream { read: Memory::new(read), write: Memory::new(7 * STEP) };
            let value = |at: usize| {
                // SAFETY: inside of the memory.
                unsafe { *memory.write.start.add(at) }
            };
            let first: Vec<f32> = (0..STEP).map(value).collect();
            memory.stream(0, 1, way);
            let source = if read > 0 { 2 * STEP } else { STEP };
            assert!((STEP..7 * STEP).all(|at| value(at) == value(at % source)), "{read} are read");
            assert!(read > 0 || (0..STEP).all(|at| value(at) == first[at]));
        }
    }

    #[test]
    fn the_longer_of_both_counts() {
        let least = |traffic, operations| {
            let bound = Bound::of(Demand { traffic, operations });
            bound.map(|bound| bound.least(2, 1))
        };
        assert!(least(None, None).is_none());
        let (bytes, operations) = (Some((1 << 16, 1 << 16)), Some(1e12));
        let [stream, computed] = [least(bytes, None), least(None, operations)].map(Option::unwrap);
        assert!(0.0 < stream && stream < computed);
        assert!(least(bytes, operations).is_some_and(|both| both > stream));
    }
}
