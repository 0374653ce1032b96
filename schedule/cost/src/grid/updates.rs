//! Atomic updates of device memory by several blocks: they wait for each other at each element, which a launch in front has started.

use super::kernel::{Counts, Kernel, Side};
use terrace_devices::{Support, Updated};
use terrace_schedule_model::nest::{Access, LoopId, Operator, Use};

/// Count updates of the element that has most, the cycles that they take one after the other, and launches that start outputs
pub(super) fn count(kernel: &Kernel<'_>, counts: &mut Counts) {
    for access in kernel.nest.accesses.iter() {
        if starts(access) && kernel.side(access) == Some(Side::Device) && !access.reads() {
            counts.starts += 1.0;
        }
        let Use::Merge(operator) = access.does else { continue };
        let others = |id: &LoopId| !access.follows(*id) && kernel.nest.trip(*id) > 1;
        let around: Vec<LoopId> = kernel.nest.around(access.around.inside).filter(others).collect();
        let shared = around.iter().any(|id| kernel.is_shared_out(*id));
        if kernel.side(access) == Some(Side::Device) && shared {
            let updates = kernel.trips(&around);
            counts.updates += updates;
            counts.updating += updates * each(kernel, &kernel.nest.operators[operator]);
        }
    }
}

/// Is it part of a copy in front of all loops? On a grid that is a launch of its own
pub(super) fn starts(access: &Access) -> bool {
    access.copy && access.around.inside.is_none()
}

/// Cycles of one of them: an instruction at the second cache, or a loop that reads, compares and exchanges
fn each(kernel: &Kernel<'_>, operator: &Operator) -> f64 {
    let updates = kernel.device.atomics.updates();
    let support = operator.update.map(|(update, element)| updates.of(Updated::Device, update, element));
    let latency = &kernel.device.costs.latency;
    match support {
        Some(Support::Native) => latency.update,
        _ => latency.update + latency.cached,
    }
}
