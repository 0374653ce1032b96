//! Loops that only exchange rows and columns: squares in registers, like copies.

use crate::unrolled::{Transfer, Unrolled};
use crate::{issue, squares};
use terrace_devices::{Device, Level};
use terrace_schedule_model::nest::LoopId;

/// Cycles of two loops whose body reads and writes one element, if they exchange rows and columns: one finds neighbors where it is read, the
/// other where it is written
pub(crate) fn cycles(
    nest: &Unrolled<'_>,
    moves: &[&Transfer; 2],
    loops: [LoopId; 2],
    device: &Device,
) -> Option<f64> {
    let [from, to] = if moves[0].stores { [moves[1], moves[0]] } else { *moves };
    let is_alone = |each: &Transfer| each.place.flat.iter().all(|id| nest.trip(*id) <= 1.0);
    let is_plain = |each: &Transfer| !(each.merges || each.register || each.copy) && each.guards.is_empty();
    let neighbors = |each: &Transfer, id: LoopId| nest.offset(each, id) == Some(1);
    let turned = |a, b| {
        let along = [neighbors(from, a), neighbors(to, b), neighbors(to, a), neighbors(from, b)];
        along == [true, true, false, false]
    };
    let [outer, inner] = loops;
    let is_exchange = !from.stores
        && to.stores
        && from.bytes == to.bytes
        && [from, to].into_iter().all(|each| is_plain(each) && is_alone(each))
        && loops.iter().all(|id| nest.level(*id) == Level::Seq)
        && (turned(outer, inner) || turned(inner, outer));
    let of = &device.costs.instructions;
    let sizes = loops.map(|id| nest.trip(id) as i64);
    let side = |reads| squares::side(of, reads, sizes, nest.vector(), from.bytes);
    is_exchange.then(|| issue::cycles(of, 0.0, side(true), side(false)))
}
