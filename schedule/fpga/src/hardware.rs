//! What loops and arrays take of a device: one formula each, for designs that are judged and for code that is written.

use crate::device::Fpga;

pub(crate) fn ceil(all: i64, each: i64) -> i64 {
    let each = each.max(1);
    all / each + i64::from(all % each > 0)
}

/// Cycles from one iteration of a pipelined loop to the next (initiation interval)
///
/// `accesses`: of the bank that an iteration accesses most. `between`: iterations from one update of an element to the next of
/// the same element; none if no element is updated.
pub fn interval(device: &Fpga, accesses: i64, between: Option<i64>) -> i64 {
    let waits = between.map_or(1, |between| ceil(device.sum_latency, between));
    ceil(accesses, device.ports).max(waits).max(1)
}

/// Blocks of memory of an array of so many bytes in so many banks. One half of a buffer is filled while the other one is in use
pub fn blocks(device: &Fpga, bytes: i64, banks: i64, halves: bool) -> i64 {
    let bank = ceil(bytes.saturating_mul(8), banks);
    let copies = if halves { 2 } else { 1 };
    ceil(bank, device.bram_bits).saturating_mul(banks).saturating_mul(copies)
}
