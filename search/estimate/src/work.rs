//! Instructions of the loops that run.

use crate::nest::{LoopsAround, Unrolled};
use std::collections::BTreeMap;
use terrace_devices::Device;
use terrace_schedule_model::nest::LoopId;

/// Operations on vectors that begin in a cycle
const OPERATIONS: f64 = 2.0;

/// Loads that begin in a cycle, some of which wait
const LOADS: f64 = 1.5;

/// Loads and stores of a value that has no register
const SPILL: f64 = 4.0;

/// Cycles from a sum to the next that needs it
const LATENCY: f64 = 4.0;

/// Cycles of a loop's own bookkeeping in each iteration
const LOOP: f64 = 1.0;

/// Instructions of one body from which on compiling and fetching them is what takes time
const LONG: f64 = 2_000.0;

/// What a body does in one iteration of the loops that run around it
#[derive(Clone, Copy, Default, Debug)]
struct Body {
    computes: f64,
    loads: f64,
    stores: f64,
    /// Sums in registers
    sums: f64,
    /// Vectors that are loaded before they are used; a number for all lanes is a part of the instruction that uses it
    vectors: f64,
    /// Sums that depend on each other only from iteration to iteration: side by side
    chains: f64,
    /// Loads and stores of copies, which are loops of their own
    copied: [f64; 2],
}

/// Cycles of all bodies, each in the share of the thread that has most to do
pub(crate) fn cycles(nest: &Unrolled, device: &Device) -> f64 {
    let mut bodies: BTreeMap<&[LoopId], Body> = BTreeMap::new();
    for each in &nest.computes {
        let body = bodies.entry(&each.place.run).or_default();
        body.computes += each.cost;
    }
    for each in &nest.moves {
        let body = bodies.entry(&each.place.run).or_default();
        if each.register {
            let again = each.place.run.last().is_some_and(|id| !nest.follows(each, *id));
            if each.merges {
                body.sums += each.count;
                body.chains += if again { each.count } else { 0.0 };
            }
            continue;
        }
        if each.copy {
            body.copied[usize::from(each.stores)] += each.count;
            continue;
        }
        if each.stores {
            body.stores += each.count;
        } else if each.lanes {
            body.vectors += each.count;
        }
        if !each.stores || each.merges {
            body.loads += each.count;
        }
    }
    // Sums that loops yield
    for each in nest.computes.iter().filter(|each| yields(nest, &each.place)) {
        let Some(body) = bodies.get_mut(&each.place.run[..]).filter(|body| body.sums == 0.0) else {
            continue;
        };
        let copies = each.place.flat.iter().filter(|id| !nest.is_lanes(**id));
        body.chains += copies.map(|id| nest.trip(*id)).product::<f64>();
    }
    bodies.iter().map(|(run, body)| body.cycles(device) * nest.trips(run) * nest.share(run, device)).sum()
}

fn yields(nest: &Unrolled, place: &LoopsAround) -> bool {
    place.run.last().is_some_and(|id| nest.reduces(*id)) || place.flat.iter().any(|id| nest.reduces(*id))
}

impl Body {
    fn cycles(&self, device: &Device) -> f64 {
        // What has no register goes out and in again with every use.
        let registers = self.sums + self.vectors + 1.0;
        let spilled = (registers - device.registers.max(8) as f64).max(0.0);
        let (loads, stores) = (self.loads + spilled * SPILL, self.stores);
        let issue = (self.computes / OPERATIONS).max(loads / LOADS).max(stores);
        let latency = if self.chains > 0.0 { LATENCY * (self.computes / self.chains).min(1.0) } else { 0.0 };
        let length = (self.computes + loads + stores) / LONG;
        let copied = (self.copied[0] / LOADS).max(self.copied[1]);
        (issue.max(latency) + LOOP) * length.max(1.0).powi(2) + copied
    }
}
