//! Prefixes along one dimension while another is contiguous: each lane carries what comes before in a column of its own.

use crate::access::Accesses;
use crate::loops::{ceil, lanes, order, parallel, worth_threads};
use crate::steps::Steps;
use terrace_devices::{Device, Layer};
use terrace_schedule_model::{Schedule, Tail};

/// Vectors side by side: an addition waits for the one before it, and rows that are read and written one after the other are several lines long
const VECTORS: i64 = 4;

/// Lanes along a kept dimension in which all results are contiguous, outside of the prefixes
///
/// Columns are computed in the order of the source, so that values are those of one column after the other.
pub(crate) fn schedule(a: &Accesses, device: &Device) -> Option<Schedule> {
    let reads = |dim: usize| a.inputs.iter().all(|input| !input.uses(dim) || input.has_lanes(dim));
    let writes = |dim: usize| a.outputs.iter().all(|out| out.strides[dim] == Some(1));
    let along = a.dims(|dim| a.kept[dim] && !a.conditioned[dim] && writes(dim) && reads(dim));
    let along = along.into_iter().max_by_key(|dim| a.sizes[*dim])?;
    let width = lanes(a, device, a.sizes[along])?;
    let width = width * VECTORS.min(1 << (a.sizes[along] / width).max(1).ilog2());
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    steps.step(|step| {
        if let Some(outer) = parallel(a, device, &[along]) {
            step.tile(outer, ceil(a.sizes[outer], device.units), Layer::Thr, Some(Tail::Limit));
        } else if worth_threads(a, device) {
            let part = ceil(ceil(a.sizes[along], device.units), width).saturating_mul(width);
            step.tile(along, part, Layer::Thr, Some(Tail::Limit));
        }
    });
    steps.step(|step| {
        for dim in a.dims(|dim| a.kept[dim] && dim != along) {
            step.tile(dim, 1, Layer::For, None);
        }
        step.tile(along, width, Layer::For, Some(Tail::Peel));
    });
    steps.step(|step| {
        step.tile(along, 1, Layer::Vec, None);
    });
    Some(steps.finish(&order(a)))
}
