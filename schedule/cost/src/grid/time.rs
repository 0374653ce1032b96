//! The pipes of a multiprocessor against latency and memory.

use super::kernel::{Counts, Side};
use super::occupancy::{Occupancy, WARP};
use super::requests::SECTOR;
use terrace_devices::{Device, Region};

/// What takes time on a grid
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TermName {
    /// Multiply-adds and other arithmetic
    Fma,
    /// All instructions
    Issue,
    /// Loads and stores
    Lsu,
    /// Loads and barriers that are waited for
    Latency,
    /// Bytes of device memory
    Memory,
    /// Bytes of the second cache
    SecondCache,
    /// Atomic updates of one element
    Updates,
    /// Starting the kernel, and kernels that start its outputs
    Launch,
}

impl TermName {
    /// As tables have it
    pub fn word(self) -> &'static str {
        match self {
            TermName::Fma => "FFMA",
            TermName::Issue => "issue",
            TermName::Lsu => "LSU",
            TermName::Latency => "latency",
            TermName::Memory => "memory",
            TermName::SecondCache => Region::L2.word(),
            TermName::Updates => "updates",
            TermName::Launch => "launch",
        }
    }
}

/// One reason for a kernel's time
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Term {
    /// What takes time
    pub name: TermName,
    /// How often, for one warp: instructions, wavefronts, rounds; bytes of all for memories
    pub count: f64,
    /// Cycles of one block
    pub cycles: f64,
    /// Seconds on the fullest multiprocessor
    pub seconds: f64,
    /// It determines the time
    pub binding: bool,
}

/// Cycles of one block in each pipe
struct Pipes {
    fma: f64,
    issue: f64,
    lsu: f64,
}

impl Pipes {
    fn of(counts: &Counts, warps: f64, occupancy: &Occupancy, device: &Device) -> Pipes {
        let (grid, latency) = (&device.costs.grid, device.costs.latency.fma);
        // Few warps with few independent sums leave the pipe waiting for itself.
        let side_by_side = occupancy.blocks as f64 * warps / grid.schedulers * counts.chains;
        let idle = f64::max(1.0, latency / side_by_side);
        Pipes {
            fma: warps * counts.arithmetic() * WARP as f64 / grid.lanes * idle,
            issue: warps * counts.instructions() / grid.schedulers,
            lsu: warps * counts.wavefronts(),
        }
    }

    fn busiest(&self) -> f64 {
        self.fma.max(self.issue).max(self.lsu)
    }
}

/// Cycles of so many blocks on one multiprocessor: in resident sets, all but the last of which are as many as fit
fn in_sets(blocks: f64, resident: f64, busy: f64, exposed: f64) -> f64 {
    let set = |blocks: f64| if blocks > 0.0 { f64::max(blocks * busy, busy + exposed) } else { 0.0 };
    (blocks / resident).floor() * set(resident) + set(blocks % resident)
}

/// Terms in the order of the table, and seconds in all
pub(super) fn terms(
    counts: &Counts,
    blocks: f64,
    threads: i64,
    occupancy: &Occupancy,
    device: &Device,
) -> (Vec<Term>, f64) {
    let (grid, waiting) = (&device.costs.grid, &device.costs.latency);
    let warps = (threads.max(1) as u64).div_ceil(WARP as u64) as f64;
    let pipes = Pipes::of(counts, warps, occupancy, device);
    let (busy, fullest) = (pipes.busiest(), (blocks / device.units as f64).ceil());
    let cycles = in_sets(fullest, occupancy.blocks as f64, busy, counts.exposed);
    let sectors = blocks * warps * counts.sectors() * SECTOR as f64;
    let hertz = grid.clock * 1e9;
    let running = cycles / hertz;
    let (memory, cache) = (counts.bytes / (grid.memory * 1e12), sectors / (grid.second_cache * 1e12));
    let (launches, updating) = (1.0 + counts.starts, counts.updating / hertz);
    let (launch, longest) = (launches * waiting.launch * 1e-6, running.max(memory).max(cache));
    let term = |name, count, cycles: f64, seconds, binding| Term { name, count, cycles, seconds, binding };
    let pipe = |name, count, cycles: f64| {
        term(name, count, cycles, cycles * fullest / hertz, longest == running && cycles == busy)
    };
    let far =
        |name, count, seconds: f64| term(name, count, seconds * hertz / fullest, seconds, seconds == longest);
    let waits = cycles - fullest * busy;
    let terms = vec![
        pipe(TermName::Fma, counts.arithmetic(), pipes.fma),
        pipe(TermName::Issue, counts.instructions(), pipes.issue),
        pipe(TermName::Lsu, counts.wavefronts(), pipes.lsu),
        term(
            TermName::Latency,
            counts.rounds,
            counts.exposed,
            waits.max(0.0) / hertz,
            longest == running && waits > 0.0,
        ),
        far(TermName::Memory, counts.bytes, memory),
        far(TermName::SecondCache, sectors, cache),
        term(TermName::Updates, counts.updates, counts.updating, updating, updating > longest),
        term(TermName::Launch, launches, launch * hertz, launch, launch > longest),
    ];
    (terms, longest + updating + launch)
}

impl Counts {
    /// Instructions of the arithmetic pipe
    pub fn arithmetic(&self) -> f64 {
        self.fma + self.other
    }

    /// All instructions
    pub fn instructions(&self) -> f64 {
        let requests: f64 = self.requests.iter().map(|request| request.count).sum();
        self.arithmetic() + requests + self.shuffles + self.barriers + self.addresses + self.branches
    }

    /// Passes through the pipe of loads and stores; a shuffle is one
    pub fn wavefronts(&self) -> f64 {
        let all = self.requests.iter().map(|request| {
            let least = request.bytes as f64 / 4.0;
            let each = match request.side {
                Side::Shared => request.wavefronts as f64,
                Side::Device => least.max(request.lines as f64),
            };
            request.count * each
        });
        all.sum::<f64>() + self.shuffles
    }

    /// Sectors of device memory
    pub fn sectors(&self) -> f64 {
        let device = self.requests.iter().filter(|request| request.side == Side::Device);
        device.map(|request| request.count * request.sectors as f64).sum()
    }
}
