//! Parallel regions on a pool that spins, then parks
//!
//! A region calls `body(ctx, begin, end, worker)` on ranges that cover 0..n exactly once, and
//! returns when all are done. The caller is worker 0 and takes part.
//!
//! - **Static** (`grain` ≤ 0): one contiguous range per worker, sizes differing by at most one, the
//!   larger first. The split depends on `n` and the number of threads only.
//! - **Dynamic** (`grain` > 0): ranges of `grain` items (the last may be shorter) are handed out in
//!   order by an atomic ticket. For items of 10 µs and more that are uneven or do not divide.
//! - **Nested** regions, and a region started while another thread has one, run on their caller:
//!   one call with the whole range, worker 0. So do regions of one item or one thread.
//!
//! Generated code must not let values depend on the split: neither on where ranges begin nor on
//! `worker`, which may only pick scratch memory. At no time do two running calls *of one region* have
//! the same worker number, and numbers are below the thread count.
//!
//! After a region, workers spin for [`SPINS`] pauses before they park: waking a parked thread costs
//! 50 to 100 µs, fork and join with spinning ones well below one. Waiting yields from time to
//! time, and always where there are more threads than processors.
//!
//! **Places.** Where a region has a thread for each processor, each worker has one for its home, and
//! a static part belongs to a processor: what a part has left in its caches is there at the next region. The
//! system alone lets two threads share a processor for 20 to 30 ms now and then, and brings a thread back
//! elsewhere; a worker that was seen away from home is brought back before the next region ([`Homes`]). Held there it
//! is not: where others use the processors too, threads of one region would wait for them one after the other.
#![allow(unsafe_code)]

use crate::place::{self, Homes};
use std::cell::{Cell, UnsafeCell};
use std::ffi::c_void;
use std::hint::spin_loop;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, Thread};

/// What a region calls: `body(ctx, begin, end, worker)`
pub type Body = extern "C" fn(ctx: *mut c_void, begin: i64, end: i64, worker: i64);

/// The most threads a region uses, the caller included
pub const MAX_THREADS: usize = 256;

/// Pauses before a waiting worker parks: 1 to 2 ms where a pause takes 25 to 50 ns
const SPINS: u32 = 40_000;

/// One region, written by its caller before it wakes the workers
#[derive(Clone, Copy)]
struct Job {
    body: Body,
    /// A raw pointer in truth; the body's author answers for sharing what it points to
    ctx: usize,
    n: i64,
    grain: i64,
    parts: i64,
    /// Whether each worker has the part of its processor, else the one of its number
    placed: bool,
}

/// What each worker owns; a cache line pair, so that neighbors do not disturb each other
#[repr(align(128))]
struct Slot {
    /// The last region this worker has finished, as announced in `Pool::epoch`
    done: AtomicU64,
    parked: AtomicBool,
    thread: OnceLock<Thread>,
    /// Its name for the system
    system: AtomicI32,
    /// The processor that it was on at the end of a region
    cpu: AtomicUsize,
    /// Number of its home; set by the holder of `busy`
    home: AtomicUsize,
}

/// Where workers are at home
enum Places {
    /// Nowhere yet
    Open,
    Known(Homes),
    /// The system would not have it, or processors that may be used have changed
    Never,
}

#[repr(align(128))]
struct Line<T>(T);

struct Pool {
    /// Number of the region in the upper bits, its parts in the lower `PARTS_BITS`; 0 before the first
    epoch: Line<AtomicU64>,
    /// Next range of a dynamic region
    ticket: Line<AtomicI64>,
    /// Workers that are parked or about to; spares the caller a look at each slot
    sleepers: Line<AtomicUsize>,
    /// Whether a region is running; taken by its caller
    busy: Line<AtomicBool>,
    /// Threads wanted; 0 for one per processor
    threads: AtomicUsize,
    /// Workers started, only changed by the holder of `busy`
    started: AtomicUsize,
    processors: OnceLock<usize>,
    job: UnsafeCell<Job>,
    places: UnsafeCell<Places>,
    slots: [Slot; MAX_THREADS],
}

// SAFETY: `job` is written only by the holder of `busy`, before it publishes `epoch` and after every
// part of the previous region has stored `done`; it is read only by workers that take part in the
// published region, between their acquire of `epoch` and their release of `done`. `places` is used by the
// holder of `busy` only. All else is atomic.
unsafe impl Sync for Pool {}

const PARTS_BITS: u32 = 16;

static POOL: Pool = Pool {
    epoch: Line(AtomicU64::new(0)),
    ticket: Line(AtomicI64::new(0)),
    sleepers: Line(AtomicUsize::new(0)),
    busy: Line(AtomicBool::new(false)),
    threads: AtomicUsize::new(0),
    started: AtomicUsize::new(0),
    processors: OnceLock::new(),
    job: UnsafeCell::new(Job { body: nothing, ctx: 0, n: 0, grain: 0, parts: 0, placed: false }),
    places: UnsafeCell::new(Places::Open),
    slots: [const { Slot::new() }; MAX_THREADS],
};

impl Slot {
    const fn new() -> Slot {
        Slot {
            done: AtomicU64::new(0),
            parked: AtomicBool::new(false),
            thread: OnceLock::new(),
            system: AtomicI32::new(0),
            cpu: AtomicUsize::new(0),
            home: AtomicUsize::new(0),
        }
    }
}

extern "C" fn nothing(_: *mut c_void, _: i64, _: i64, _: i64) {}

thread_local! {
    /// Whether this thread is inside a region; a region started there is nested
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Run `body` on ranges that cover 0..n exactly once, in parallel
///
/// # Safety
/// `body` must accept `ctx`, be safe to call from several threads at once on disjoint ranges, and
/// not unwind.
// SAFETY: no other symbol of a program starts with `terrace_`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_parallel_for(n: i64, grain: i64, body: Body, ctx: *mut c_void) {
    if n <= 0 {
        return;
    }
    // `div_ceil` without the overflow of n + grain - 1.
    let chunks = if grain > 0 { (n - 1) / grain + 1 } else { n };
    let parts = chunks.min(terrace_num_threads());
    if parts <= 1 || INSIDE.get() || POOL.busy.0.swap(true, Ordering::Acquire) {
        return body(ctx, 0, n, 0);
    }
    let parts = POOL.start_workers(parts as usize);
    if parts <= 1 {
        POOL.busy.0.store(false, Ordering::Release);
        return body(ctx, 0, n, 0);
    }
    INSIDE.set(true);
    let placed = POOL.place(parts);
    let job = Job { body, ctx: ctx as usize, n, grain, parts: parts as i64, placed };
    let (epoch, woken) = POOL.announce(job, parts);
    job.run(0);
    POOL.join(epoch, parts, woken);
    INSIDE.set(false);
    POOL.busy.0.store(false, Ordering::Release);
}

/// Use `n` threads from the next region on, the caller included; 0 or less: one per processor
// SAFETY: no other symbol of a program starts with `terrace_`.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_set_threads(n: i64) {
    POOL.threads.store(n.clamp(0, MAX_THREADS as i64) as usize, Ordering::Relaxed);
}

/// The number of threads that the next region may use, at least 1
// SAFETY: no other symbol of a program starts with `terrace_`.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_num_threads() -> i64 {
    match POOL.threads.load(Ordering::Relaxed) {
        0 => POOL.processors().min(MAX_THREADS) as i64,
        n => n as i64,
    }
}

impl Pool {
    fn processors(&self) -> usize {
        *self.processors.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
    }

    /// Start workers until `parts` threads are there; the number there really are
    fn start_workers(&'static self, parts: usize) -> usize {
        let mut threads = self.started.load(Ordering::Relaxed) + 1;
        while threads < parts {
            let worker = threads;
            // A new worker must wait for the next region, not look at one that is over.
            let seen = self.epoch.0.load(Ordering::Relaxed);
            let builder = thread::Builder::new().name(format!("terrace-{worker}"));
            let Ok(handle) = builder.spawn(move || POOL.work(worker, seen)) else { break };
            // Each slot is started once, so it is still empty.
            let _ = self.slots[worker].thread.set(handle.thread().clone());
            threads += 1;
            self.started.store(worker, Ordering::Relaxed);
        }
        parts.min(threads)
    }

    /// Bring workers home, if it is time; whether a region of so many parts has one for each processor
    ///
    /// Called by the holder of `busy`, between regions.
    fn place(&self, parts: usize) -> bool {
        if parts != self.processors() {
            return false;
        }
        // SAFETY: the caller holds `busy` (see `Sync`), and the reference ends with this call.
        let places = unsafe { &mut *self.places.get() };
        let known = match places {
            Places::Never => return false,
            // New workers say where they are when they have had a region.
            Places::Open
                if !self.slots[1..parts].iter().all(|slot| slot.done.load(Ordering::Acquire) > 0) =>
            {
                return false;
            }
            Places::Open => self.homes(parts).map(Places::Known),
            Places::Known(homes) => match !homes.due() || self.bring(homes).is_some() {
                true => return true,
                false => None,
            },
        };
        *places = known.unwrap_or(Places::Never);
        matches!(places, Places::Known(_))
    }

    /// Where the threads of a region of so many parts are, the caller first
    fn at(&self, parts: usize) -> Option<Vec<usize>> {
        let workers = self.slots[1..parts].iter().map(|slot| slot.cpu.load(Ordering::Relaxed));
        Some(std::iter::once(place::here()?).chain(workers).collect())
    }

    fn homes(&self, parts: usize) -> Option<Homes> {
        let cpus = place::allowed();
        // Fewer threads than processors are for the system to spread.
        let mut homes = if cpus.len() == parts { Homes::new(cpus, &self.at(parts)?)? } else { return None };
        self.bring(&mut homes)?;
        Some(homes)
    }

    fn bring(&self, homes: &mut Homes) -> Option<()> {
        let away = homes.look(&self.at(homes.len())?).ok()?;
        for (thread, slot) in self.slots[..homes.len()].iter().enumerate() {
            slot.home.store(homes.part(thread), Ordering::Relaxed);
        }
        // Nobody gets processors back that were taken from this process.
        if !away.is_empty() && place::allowed() != homes.cpus() {
            return None;
        }
        for thread in away {
            let system = self.slots[thread].system.load(Ordering::Relaxed);
            let moved = place::keep(system, &[homes.cpu(thread)]);
            if !place::keep(system, homes.cpus()) || !moved {
                return None;
            }
        }
        Some(())
    }

    /// Tell workers 1..parts of a job; the number it has got, and whether one had to be woken
    fn announce(&self, job: Job, parts: usize) -> (u64, bool) {
        // SAFETY: the caller holds `busy`, and `join` of the region before has seen all its parts
        // done, so no worker reads `job` now (see `Sync`).
        unsafe { *self.job.get() = job };
        self.ticket.0.store(0, Ordering::Relaxed);
        let number = (self.epoch.0.load(Ordering::Relaxed) >> PARTS_BITS) + 1;
        let epoch = number << PARTS_BITS | parts as u64;
        // Sequentially consistent, as is the pair in `park`: either this thread sees the sleeper, or
        // the sleeper sees the new epoch.
        self.epoch.0.store(epoch, Ordering::SeqCst);
        let mut woken = false;
        if self.sleepers.0.load(Ordering::SeqCst) > 0 {
            for slot in &self.slots[1..parts] {
                if slot.parked.load(Ordering::SeqCst)
                    && let Some(thread) = slot.thread.get()
                {
                    thread.unpark();
                    woken = true;
                }
            }
        }
        (epoch, woken)
    }

    /// Wait until workers 1..parts are done
    fn join(&self, epoch: u64, parts: usize, woken: bool) {
        let mut wait = Wait { spins: 0, polite: woken || parts > self.processors() };
        for slot in &self.slots[1..parts] {
            while slot.done.load(Ordering::Acquire) != epoch {
                wait.pause();
            }
        }
    }

    /// The life of worker `worker`, which has nothing to do with regions up to `seen`
    fn work(&self, worker: usize, mut seen: u64) {
        INSIDE.set(true);
        self.slots[worker].system.store(place::this_thread(), Ordering::Relaxed);
        loop {
            let (epoch, woken) = self.next_region(worker, seen);
            seen = epoch;
            // SAFETY: `epoch` was acquired and this worker takes part in it, so `job` stays as it is
            // until `done` is stored below (see `Sync`).
            let job = unsafe { *self.job.get() };
            job.run(worker as i64);
            if let Some(cpu) = place::here() {
                self.slots[worker].cpu.store(cpu, Ordering::Relaxed);
            }
            self.slots[worker].done.store(epoch, Ordering::Release);
            if woken {
                // The caller may be waiting for this very processor, see `Wait`.
                thread::yield_now();
            }
        }
    }

    /// Wait for a region after `seen` in which `worker` takes part; whether it was slept for
    fn next_region(&self, worker: usize, seen: u64) -> (u64, bool) {
        let mut wait = Wait { spins: 0, polite: self.started.load(Ordering::Relaxed) >= self.processors() };
        while wait.spins < SPINS {
            let epoch = self.epoch.0.load(Ordering::Acquire);
            if takes_part(worker, epoch, seen) {
                return (epoch, false);
            }
            wait.pause();
        }
        (self.park(worker, seen), true)
    }

    /// Sleep until there is a region for `worker`
    fn park(&self, worker: usize, seen: u64) -> u64 {
        let slot = &self.slots[worker];
        slot.parked.store(true, Ordering::SeqCst);
        self.sleepers.0.fetch_add(1, Ordering::SeqCst);
        // `park` may return for no reason, and an `unpark` before it is not lost.
        let epoch = loop {
            let epoch = self.epoch.0.load(Ordering::SeqCst);
            if takes_part(worker, epoch, seen) {
                break epoch;
            }
            thread::park();
        };
        self.sleepers.0.fetch_sub(1, Ordering::SeqCst);
        slot.parked.store(false, Ordering::SeqCst);
        epoch
    }
}

/// One thread's waiting for another
///
/// The system may have put the two on one processor (a woken thread often starts on its waker's);
/// then the other gets no turn as long as this one pauses. So it offers its turn from time to time,
/// and each time where that is likely.
struct Wait {
    spins: u32,
    polite: bool,
}

impl Wait {
    fn pause(&mut self) {
        if self.polite {
            thread::yield_now();
            // A yield takes far longer than a pause, so fewer of them make the same wait.
            self.spins = self.spins.saturating_add(16);
        } else if self.spins % 128 == 127 {
            thread::yield_now();
            self.spins = self.spins.saturating_add(1);
        } else {
            spin_loop();
            self.spins = self.spins.saturating_add(1);
        }
    }
}

fn takes_part(worker: usize, epoch: u64, seen: u64) -> bool {
    epoch != seen && (worker as u64) < epoch & ((1 << PARTS_BITS) - 1)
}

/// Non-temporal stores are not part of a release: a fence here orders them
fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this family has the instruction.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

impl Job {
    /// Do the share of one worker
    fn run(&self, worker: i64) {
        self.work(worker);
        fence();
    }

    fn work(&self, worker: i64) {
        let ctx = self.ctx as *mut c_void;
        if self.grain <= 0 {
            let (size, rest) = (self.n / self.parts, self.n % self.parts);
            let home = || POOL.slots[worker as usize].home.load(Ordering::Relaxed) as i64;
            let part = if self.placed { home() } else { worker };
            let begin = part * size + part.min(rest);
            return (self.body)(ctx, begin, begin + size + i64::from(part < rest), worker);
        }
        // Counting ranges, not items, keeps the ticket from overflowing past the end.
        let chunks = (self.n - 1) / self.grain + 1;
        loop {
            let chunk = POOL.ticket.0.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks {
                return;
            }
            let begin = chunk * self.grain;
            (self.body)(ctx, begin, begin + self.grain.min(self.n - begin), worker);
        }
    }
}
