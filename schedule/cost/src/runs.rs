//! Memory is read ahead along runs of neighbors.
//!
//! A core waits for so many lines at once as it has buffers for. A stream is faster, since lines are requested before they are needed; but it takes
//! some kilobytes until they are requested that early, and this begins anew where a run ends. Several runs that are read side by side
//! begin at the same time.

use crate::unrolled::{Transfer, Unrolled};
use terrace_devices::Device;
use terrace_schedule_model::nest::LoopId;

/// Most runs side by side that a processor reads ahead along
const STREAMS: f64 = 16.0;

/// Runs begin less than so many lengths apart where what lies between is left over: another piece of the same row reads it
const NEXT: f64 = 2.0;

/// How many times as long memory takes for what an access reads, since its runs are short
pub(crate) fn slower(nest: &Unrolled<'_>, each: &Transfer, device: &Device) -> f64 {
    if each.stores && !each.merges {
        return 1.0;
    }
    1.0 + bytes(nest, each).map_or(0.0, |bytes| (device.costs.caches.short_run / bytes).min(1.0))
}

/// Bytes of the runs that an access reads side by side, from the first to the last neighbor; none where it is not known which elements it finds
fn bytes(nest: &Unrolled<'_>, each: &Transfer) -> Option<f64> {
    let line = nest.costs().caches.line;
    let by = |id: &LoopId| nest.offset(each, *id).map(|by| by.abs() as f64 * each.bytes);
    let mut copies: Vec<(f64, LoopId)> =
        each.place.flat.iter().map(|id| Some((by(id)?, *id))).collect::<Option<_>>()?;
    copies.sort_by(|one, two| one.0.total_cmp(&two.0));
    let mut around: Vec<(f64, LoopId)> = copies;
    for id in each.place.run.iter().rev() {
        around.push((by(id)?, *id));
    }
    let mut run = if each.copy { nest.copied_row(each) * each.bytes } else { each.bytes };
    let mut streams = 1.0;
    for (by, id) in around {
        let trip = nest.trips(&[id]);
        match () {
            _ if by == 0.0 || trip <= 1.0 => {}
            _ if by <= run + line || by < run * NEXT => run += by * (trip - 1.0),
            _ if streams * trip <= STREAMS => streams *= trip,
            _ => break,
        }
    }
    Some(run * streams)
}
