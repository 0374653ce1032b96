//! The time of a nest of scheduled loops on a processor, without running it.
//!
//! For comparing programs that compute the same: which of many is worth measuring, or is chosen without. The one model for all
//! that has this form, whether it was a schedule or patterns of arrays. Numbers are cycles of one core, right to a factor at
//! best; what counts is their order. Parts that add up, since overlap is not known:
//!
//! - **work** ([`work`]): instructions of bodies by what a cycle can do, chains of sums by their latency, tiles of registers that do
//!   not fit by their spills;
//! - **traffic** ([`traffic`]): bytes that move between caches, from the outermost loop whose data a cache holds;
//! - **threads**: tasks are dealt out in rounds, memory is shared, starting them costs.
//!
//! Loops count at their full trip count: borders and triangles are not seen. Sets of a cache are not: neither are pages. Kernels of
//! other devices have no estimate. An estimate takes 50 to 150 µs; constants are of processors of this decade, sizes of the device's file.

mod nest;
mod traffic;
mod work;

use nest::Unrolled;
use terrace_devices::{Device, DeviceKind};
use terrace_dialect_sched::{Copy, For, Kernel, Level};
use terrace_ir::{Ir, OpId};
use terrace_schedule_model::nest::LoopId;

/// Cycles to start tasks and wait for them
const FORK: f64 = 5_000.0;

/// Cycles of the functions of a module or of one function, loops of `sched` in them; `None` where there are none, for other
/// than processors, and while a level is open
pub fn cycles(module: &Ir, device: &Device) -> Option<f64> {
    if device.kind != DeviceKind::Host {
        return None;
    }
    let (mut total, mut found) = (0.0, false);
    let mut pending = vec![module];
    while let Some(unit) = pending.pop() {
        pending.extend(unit.walk().filter_map(|op| unit.child(op)));
        for top in tops(unit) {
            found |= For::cast(unit, top).is_some();
            total += of_nest(&Unrolled::new(unit, top, device.vector_bytes)?, device);
        }
    }
    found.then_some(total)
}

/// Ops of the dialect that stand in none of it
fn tops(unit: &Ir) -> Vec<OpId> {
    let is_nest = |op: OpId| {
        For::cast(unit, op).is_some() || Copy::cast(unit, op).is_some() || Kernel::cast(unit, op).is_some()
    };
    let outermost = |op: &OpId| {
        is_nest(*op) && !std::iter::successors(unit.parent(*op), |up| unit.parent(*up)).any(is_nest)
    };
    unit.walk().filter(outermost).collect()
}

fn of_nest(all: &Unrolled, device: &Device) -> f64 {
    let work = work::cycles(all, device);
    let traffic = traffic::cycles(all, device);
    let nest = all.nest();
    let is_task = |id: &LoopId| nest.level(*id) == Level::Task;
    let forks: f64 = nest
        .loops
        .ids()
        .filter(is_task)
        .filter(|id| !nest.outside(*id).any(|up| is_task(&up)))
        .map(|id| nest.outside(id).map(|up| all.trip(up)).product::<f64>())
        .sum();
    let forks = if device.units > 1 { forks * FORK } else { 0.0 };
    work + traffic.near + traffic.far + forks
}
