//! Streams of a large buffer: a reduction reads it once, one vector after the other.
//!
//! A processor reads ahead by itself, but not far enough where lines take long and a vector takes several instructions: 75 MB of `f32` took
//! 4.1 to 5.0 ms where the largest of each row is found, and 3.1 to 3.3 ms with lines prefetched 4 KB ahead; sums took 3.3 and 2.9 ms (loops in C
//! on an Intel Xeon, family 6, model 167). What is in a cache takes as long as before.

use super::ceil;
use super::group::Group;
use terrace_dialect_sched::Combination;
use terrace_ir::{Ir, OpId};

/// Bytes ahead
const BYTES: i64 = 4096;

/// Lengths ahead that a row has at least, where its own lines are prefetched: the last one's prefetches find nothing new
const LENGTHS: i64 = 4;

/// Marks for the reads of a reduction that go through a row in order; of rows that are short and follow each other, those some rows ahead.
/// Rows that are summed into others are such a stream as well
pub(super) fn marks(ir: &Ir, group: &Group) -> Vec<(OpId, [i64; 2])> {
    along(ir, group)
        .map(|wish| group.members.iter().map(|member| (member.op, wish)).collect())
        .unwrap_or_default()
}

/// The variable that moves what a read finds, and how far
fn along(ir: &Ir, group: &Group) -> Option<[i64; 2]> {
    let at = &group.members.first()?.at;
    let (inner, cx) = (&group.inner, ir.cx());
    let bytes = i64::from(ir.ty(group.memref).scalar(cx).bit_width(cx)?.div_ceil(8)).max(1);
    let row = inner.trip().checked_mul(inner.tile)?.checked_mul(bytes)?.max(1);
    let number = |value| at.values.iter().position(|other| *other == value);
    if row >= LENGTHS * BYTES && inner.kind == Combination::Pw {
        let tile = inner.tile.max(1);
        return Some([number(inner.iv)? as i64, ceil(BYTES / bytes, tile) * tile]);
    }
    // The next row is where this one ends, or not far behind: a piece that is cut off reads what is between.
    let outer = group.outer.first()?;
    if outer.kind != Combination::Pw && inner.kind != Combination::Pw {
        return None;
    }
    let moved = number(outer.iv)?;
    let shape = ir.ty(group.memref).shape(cx)?;
    let mut apart = 0i64;
    for (expr, size) in at.map.results.iter().zip(shape) {
        apart =
            apart.checked_mul(*size)?.checked_add(expr.as_linear()?.dim(moved).checked_mul(outer.tile)?)?;
    }
    let next = apart.checked_mul(bytes)?;
    let rows = row.checked_mul(group.members.iter().map(|member| member.places.len() as i64).max()?)?;
    let follows = next >= rows && next < rows.checked_mul(2)?;
    (follows && outer.trip().checked_mul(next)? >= LENGTHS * BYTES && next <= LENGTHS * BYTES)
        .then(|| [moved as i64, ceil(BYTES, next).saturating_mul(outer.tile)])
}
