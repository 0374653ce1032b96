//! Designs, whether a device has room for them, and how long they take.

use crate::device::Fpga;
use crate::misfit::Misfit;
use crate::rounds::Rounds;

/// Bytes or products of a round, sums and rounds: at most so many, so that arithmetic on them stays within 64 bits
const MOST: i64 = 1 << 56;

/// The parameters of a design
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Design {
    /// Pipelines next to each other: the processing elements (`pipeline`)
    pub pipelines: i64,
    /// Products that one of them computes in a cycle, where memory gives the operands
    pub lanes: i64,
    /// Banks of each buffer (`partition`)
    pub banks: i64,
}

/// What a design takes
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Cycles of reading a round, R of the paper
    pub read: f64,
    /// Of computing it, C
    pub compute: f64,
    /// Of writing it, W
    pub write: f64,
    /// Cycles from one step of the computation to the next
    pub interval: i64,
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

fn ceil(all: i64, each: i64) -> i64 {
    (all + each - 1) / each
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
    let Rounds { count, reads: [first, second], writes, macs, sums } = *rounds;
    if [count, first, second, writes, macs, sums].iter().any(|number| !(1..=MOST).contains(number)) {
        return Err(Misfit::TooLarge);
    }
    let dsp = pipelines.saturating_mul(lanes).saturating_mul(device.dsp_per_mac);
    if dsp > device.dsp {
        return Err(Misfit::Dsp(dsp, device.dsp));
    }
    // One half of a buffer is filled while the other one is in use.
    let blocks = |bytes: i64| {
        let bank = ceil(8 * bytes, banks);
        2 * banks * ceil(bank, device.bram_bits)
    };
    let buffers = rounds.reads.iter().chain([&rounds.writes]);
    let bram = buffers.map(|bytes| blocks(*bytes)).fold(0i64, i64::saturating_add).saturating_mul(pipelines);
    if bram > device.bram_blocks {
        return Err(Misfit::Bram(bram, device.bram_blocks));
    }
    let transfer =
        |bytes: i64| ceil(bytes, device.burst) as f64 * device.burst as f64 / device.bytes_per_cycle;
    let read: f64 = rounds.reads.into_iter().map(transfer).sum();
    let write = transfer(rounds.writes);
    // Each lane reads an operand of each of two buffers. A sum waits for itself, unless others fill the pipeline.
    let interval = ceil(lanes, banks * device.ports).max(ceil(device.latency, rounds.sums)).max(1);
    let steps = ceil(rounds.macs, lanes);
    let compute = device.latency as f64 + (steps - 1) as f64 * interval as f64;
    let each = ceil(rounds.count, pipelines) as f64;
    let printed = rounds.count as f64 / pipelines as f64 * read.max(compute).max(write);
    let (shared_read, shared_write) = (read * pipelines as f64, write * pipelines as f64);
    let longest = shared_read.max(compute).max(shared_write);
    let cycles = each * longest + shared_read + compute + shared_write - longest;
    let seconds = cycles / (device.mhz * 1e6);
    Ok(Estimate { read, compute, write, interval, printed, cycles, seconds, dsp, bram })
}
