//! The time of a nest of scheduled loops on a processor, without running it.
//!
//! For comparing schedules of one program: which of many is worth measuring. Numbers are cycles of one core, right to a factor
//! at best; what counts is their order. Three parts, of which the largest decides, as measured on processors of this decade:
//!
//! - **work** ([`work`]): instructions of the innermost loops by what a cycle can do (two multiply-adds, two loads, one store),
//!   chains of sums by their latency, tiles that do not fit the registers by their spills;
//! - **traffic** ([`traffic`]): bytes that move between caches, from the outermost loop whose data a cache holds;
//! - **threads**: tasks are dealt out in rounds, memory is shared, starting them costs.
//!
//! Loops count at their full trip count: borders and triangles are not seen. Kernels of other devices have no estimate.

mod nest;
mod traffic;
mod work;

use nest::Nest;
use terrace_devices::{Device, Kind};
use terrace_dialect_sched::Level;
use terrace_ir::Ir;

/// Cycles to start tasks and wait for them
const FORK: f64 = 5_000.0;

/// Cycles of the functions of a module, loops of `sched` in them; `None` where there are none, or for other than processors
pub fn cycles(module: &Ir, device: &Device) -> Option<f64> {
    if device.kind != Kind::Host {
        return None;
    }
    let (mut total, mut found) = (0.0, false);
    let mut pending = vec![module];
    while let Some(unit) = pending.pop() {
        pending.extend(unit.walk().filter_map(|op| unit.child(op)));
        for nest in Nest::all(unit) {
            found = true;
            total += of_nest(&nest, device);
        }
    }
    found.then_some(total)
}

fn of_nest(nest: &Nest, device: &Device) -> f64 {
    let traffic = traffic::cycles(nest, device);
    let tasks: f64 = nest.loops.iter().filter(|l| l.level == Level::Task).map(|l| l.trip).product();
    let units = device.units as f64;
    if tasks <= 1.0 {
        return work::cycles(nest, device).max(traffic.near).max(traffic.far);
    }
    // The share of the thread that has most to do
    let share = (tasks / units).ceil() / tasks;
    let own = work::cycles(nest, device).max(traffic.near) * share;
    own.max(traffic.far / traffic::TOGETHER) + FORK
}
