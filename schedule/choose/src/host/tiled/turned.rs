//! Lanes along a dimension in which the output is not contiguous: a tile in registers is turned when it is written.
//!
//! An image in NCHW whose rows are short, or no whole vectors, leaves most lanes along them idle. Along the filters there are
//! enough: weights are copied into panels, pixels are broadcast, and results are written in squares that change places in registers,
//! which a long reduction outweighs. The same holds where the input is too far apart along the rows of the output.
//!
//! Planes of the output are often a multiple of a power of two apart: their lines share sets of the first cache, which
//! holds those of a few planes only.

use super::Roles;
use crate::access::{Access, Accesses};
use crate::host::register::{Turned, VECTORS};
use crate::host::squares::is_turned;
use terrace_devices::{Device, Region};
use terrace_schedule_model::{Part, Placement};

/// Roles with lanes along a dimension that is not the output's last
pub(super) fn roles(a: &Accesses, device: &Device) -> impl Iterator<Item = Roles> {
    // Neighbours along it are neighbours in a tile whose layout has it last.
    let found = a.dims(|dim| {
        a.tiles && a.kept[dim] && !a.conditioned[dim] && a.outputs.iter().all(|out| is_turned(out, dim))
    });
    found.into_iter().flat_map(|lanes| Roles::along(a, device, lanes, true))
}

/// Most sets of a cache that are looked at
const MOST_SETS: i64 = 4096;

/// How a tile is written, where the first cache does not hold the lines of the most columns that a tile may have: else writing takes as
/// long for all tiles
pub(super) fn written(a: &Accesses, device: &Device, roles: &Roles) -> Option<Turned> {
    let steps: f64 = roles.reduced.iter().map(|dim| a.sizes[*dim] as f64).product();
    let apart = |out: &Access| out.strides[roles.lanes].unwrap_or(0).saturating_mul(out.bytes);
    let held = a.outputs.iter().map(|out| held(device, apart(out)));
    let (side, held) = (device.vector_bytes / a.widest().max(1), held.min()?);
    (held < VECTORS * side).then_some(Turned { steps, side, held })
}

/// Lines so many bytes apart that the first cache holds at once: all of its lines, where they find all sets
fn held(device: &Device, apart: i64) -> i64 {
    let line = (device.costs.caches.line as i64).max(1);
    let ways = device.ways(Region::L1).max(1);
    let sets = (device.bytes(Region::L1) / ways / line).clamp(1, MOST_SETS);
    // Lines that begin anywhere find neighbors of their sets as well.
    let span = sets.saturating_mul(line);
    let apart = apart.rem_euclid(span);
    let found = (1..=sets).find(|count| apart.saturating_mul(*count) % span < line).unwrap_or(sets);
    found.saturating_mul(ways)
}

/// The place of an output's tile: lanes innermost
pub(in crate::host) fn place(access: &Access, lanes: usize) -> Placement {
    let along = |n: &usize| access.map.results[*n].uses_dim(lanes as u32);
    let mut order: Vec<usize> = (0..access.map.results.len()).collect();
    order.sort_by_key(along);
    Placement::new(Region::Reg, order.into_iter().map(Part::Whole).collect())
}
