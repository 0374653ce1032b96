//! The table of a kernel: its shape, a row per term, a row per access.

use super::KernelEstimate;
use super::kernel::Side;
use super::occupancy::WARP;
use super::time::TermName;
use std::fmt;

impl fmt::Display for KernelEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (counts, steps) = (&self.counts, self.counts.steps.max(1.0));
        let warps = (self.threads.max(1) as u64).div_ceil(WARP as u64);
        writeln!(
            f,
            "{:.3} us; {} blocks of {} threads ({warps} warps), {} registers (estimated), {} bytes of shared memory",
            self.seconds * 1e6,
            self.blocks,
            self.threads,
            counts.registers,
            counts.shared_bytes
        )?;
        writeln!(
            f,
            "{} blocks at a time (limit: {}), {:.2} waves, tail {:.2}, {:.0} steps",
            self.occupancy.blocks,
            self.occupancy.limit.word(),
            self.waves,
            self.tail,
            counts.steps
        )?;
        let total = self.seconds.max(f64::MIN_POSITIVE);
        writeln!(
            f,
            "{:<8} {:>14} {:>14} {:>12} {:>7} binding",
            "term", "count/step", "cycles/step", "us", "share"
        )?;
        for term in &self.terms {
            let each = match term.name {
                TermName::Memory | TermName::SecondCache | TermName::Updates | TermName::Launch => 1.0,
                _ => steps,
            };
            writeln!(
                f,
                "{:<8} {:>14.1} {:>14.1} {:>12.3} {:>6.1}% {}",
                term.name.word(),
                term.count / each,
                term.cycles / steps,
                term.seconds * 1e6,
                100.0 * term.seconds / total,
                if term.binding { "yes" } else { "no" }
            )?;
        }
        write!(f, "{:<8} {:>14} {:>14} {:>12.3} {:>6.1}%", "total", "", "", self.seconds * 1e6, 100.0)?;
        for request in &counts.requests {
            let (what, number) = match request.side {
                Side::Shared => ("wavefronts", request.wavefronts),
                Side::Device => ("sectors", request.sectors),
            };
            write!(
                f,
                "\naccess {:<3} {:<6} {:<5} {:>3} bits {:>10.1}/step {:>3} {what}, {} lanes",
                request.access,
                if request.side == Side::Shared { "shared" } else { "device" },
                if request.stores { "store" } else { "load" },
                request.bytes * 8,
                request.count / steps,
                number,
                request.lanes
            )?;
        }
        Ok(())
    }
}
