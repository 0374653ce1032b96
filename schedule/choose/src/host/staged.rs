//! Blocks of a result that are put together in a cache and written from there, as long rows.
//!
//! A result that the last cache does not hold is best written past all of them, in whole lines. Tiles of registers have short rows. Where
//! these begin within lines, each line is read before it is written, twice where two tiles share it. What tiles of a block have written
//! is one row, of which the ends alone are parts of lines (`scf-stream-copies`).

use crate::access::{Access, Accesses};
use terrace_devices::{Device, Region};

/// Lines of a row that outweigh its ends
const LINES: i64 = 16;

/// Part of the second cache that a block may take where the first one does not hold it
const SHARE: i64 = 8;

/// The cache that a block with so many coordinates along each dimension is put together in, where that pays
pub(crate) fn cache(a: &Accesses, device: &Device, block: impl Fn(usize) -> i64) -> Option<Region> {
    let bytes = |out: &Access, size: &dyn Fn(usize) -> i64| {
        let used = (0..a.sizes.len()).filter(|dim| out.uses(*dim));
        used.fold(out.bytes, |all, dim| all.saturating_mul(size(dim)))
    };
    let large = |out: &Access| bytes(out, &|dim| a.sizes[dim]) > device.bytes(Region::L3);
    let held: i64 = a.outputs.iter().map(|out| bytes(out, &block)).fold(0, i64::saturating_add);
    let line = (device.costs.caches.line as i64).max(1);
    let short = |out: &Access| {
        let apart = a.dims(|dim| a.kept[dim] && out.strides[dim] != Some(1));
        apart.into_iter().any(|dim| out.strides[dim].is_some_and(|stride| stride * out.bytes % line != 0))
    };
    let long = |out: &Access| {
        let row = row(a, out, &block).saturating_mul(out.bytes);
        row == bytes(out, &block) && row >= LINES * line
    };
    let pays =
        a.outputs.iter().all(|out| matches!(out.bytes, 4 | 8) && large(out) && short(out) && long(out));
    let holds = |region: &Region, share: i64| held <= device.bytes(*region) / share;
    let region = Some(Region::L1).filter(|region| holds(region, 1));
    let region = region.or(Some(Region::L2).filter(|region| holds(region, SHARE)));
    region.filter(|_| a.tiles && pays)
}

/// Elements of a block that follow each other in memory
fn row(a: &Accesses, out: &Access, block: &dyn Fn(usize) -> i64) -> i64 {
    let mut dims = a.dims(|dim| a.kept[dim] && out.uses(dim));
    dims.sort_by_key(|dim| out.strides[*dim]);
    let mut row = 1i64;
    for dim in dims {
        if out.strides[dim] != Some(row) {
            break;
        }
        row = row.saturating_mul(block(dim));
        if block(dim) < a.sizes[dim] {
            break;
        }
    }
    row
}
