//! Designs, whether a device has room for them, and how long they take.

use crate::device::Fpga;
use crate::hardware::{blocks, ceil, interval};
use crate::misfit::Misfit;
use crate::rounds::{Rounds, Tile};

/// Bytes or products of a round, sums and rounds: at most so many, so that arithmetic on them stays within 64 bits
const MOST: i64 = 1 << 56;

/// The parameters of a design
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Design {
    /// Pipelines next to each other: the processing elements (`pipeline`)
    pub pipelines: i64,
    /// Products that one of them computes in a cycle, where memory gives the operands
    pub lanes: i64,
    /// Banks that a dimension of a buffer has at most (`partition`); no more than lanes access
    pub banks: i64,
}

/// What a design takes
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Cycles of reading a round, R of the paper
    pub read: f64,
    /// Of computing it, C: zeros are written, then products are added
    pub compute: f64,
    /// Of writing it, W
    pub write: f64,
    /// Cycles from one step of the computation to the next
    pub interval: i64,
    /// Steps of a round
    pub steps: i64,
    /// Rounds of a pipeline
    pub rounds: i64,
    /// Cycles by the formula that the paper prints
    pub printed: f64,
    /// Cycles where pipelines share main memory, with the first and last rounds
    pub cycles: f64,
    /// Seconds of these
    pub seconds: f64,
    /// Multipliers
    pub dsp: i64,
    /// Blocks of memory
    pub bram: i64,
}

impl Design {
    /// Banks of a buffer
    fn banks_of(&self, tile: &Tile) -> i64 {
        if tile.lanes { self.banks.min(self.lanes) } else { 1 }
    }

    /// Accesses of its fullest bank in a step, where each lane accesses it so many times
    fn accesses(&self, tile: &Tile, each: i64) -> i64 {
        let lanes = if tile.lanes { self.lanes } else { 1 };
        each * ceil(lanes, self.banks_of(tile))
    }
}

/// How long a design takes for a computation in rounds, if the device has room for it
pub fn estimate(device: &Fpga, rounds: &Rounds, design: &Design) -> Result<Estimate, Misfit> {
    let Design { pipelines, lanes, banks } = *design;
    for (name, value) in [
        ("the number of pipelines", pipelines),
        ("the number of lanes", lanes),
        ("the number of banks", banks),
    ] {
        if !(1..=1 << 20).contains(&value) {
            return Err(Misfit::Parameter(name, value));
        }
    }
    let Rounds { count, along, macs, sums, .. } = *rounds;
    let buffers = || rounds.reads.iter().chain([&rounds.writes]);
    let numbers = buffers().map(|tile| tile.bytes).chain([count, along, macs, sums]);
    if numbers.into_iter().any(|number| !(1..=MOST).contains(&number)) {
        return Err(Misfit::TooLarge);
    }
    let dsp = pipelines.saturating_mul(lanes).saturating_mul(device.dsp_per_mac);
    if dsp > device.dsp {
        return Err(Misfit::Dsp(dsp, device.dsp));
    }
    let all = buffers().map(|tile| blocks(device, tile.bytes, design.banks_of(tile), true));
    let bram = all.fold(0i64, i64::saturating_add).saturating_mul(pipelines);
    if bram > device.bram_blocks {
        return Err(Misfit::Bram(bram, device.bram_blocks));
    }
    let transfer =
        |bytes: i64| ceil(bytes, device.burst) as f64 * device.burst as f64 / device.bytes_per_cycle;
    let read: f64 = rounds.reads.iter().map(|tile| transfer(tile.bytes)).sum();
    let write = transfer(rounds.writes.bytes);
    // Each lane reads an operand of each buffer. A sum is read and written, and waits for itself unless others fill the pipeline.
    let reads = rounds.reads.iter().map(|tile| design.accesses(tile, 1));
    let accesses = reads.chain([design.accesses(&rounds.writes, 2)]).max().unwrap_or(1);
    let between = if rounds.writes.lanes { sums / lanes } else { sums };
    let interval = interval(device, accesses, Some(between.max(1)));
    let steps = ceil(macs, lanes);
    let compute = sums as f64 + device.latency as f64 + (steps - 1) as f64 * interval as f64;
    let each = (count / along.min(count)).saturating_mul(ceil(along.min(count), pipelines));
    let printed = count as f64 / pipelines as f64 * read.max(compute).max(write);
    let (shared_read, shared_write) = (read * pipelines as f64, write * pipelines as f64);
    let longest = shared_read.max(compute).max(shared_write);
    let cycles = each as f64 * longest + shared_read + compute + shared_write - longest;
    let seconds = cycles / (device.mhz * 1e6);
    Ok(Estimate { read, compute, write, interval, steps, rounds: each, printed, cycles, seconds, dsp, bram })
}
