//! Loops that are copies of a body, and how often those run that a bound cuts.

use crate::steps::steps_by_one;
use crate::triangle;
use terrace_analysis::{Range, range_of};
use terrace_devices::Level;
use terrace_schedule_model::nest::{Access, LoopId, MOST_COPIES};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_combine::{Combination, Order, Tail};
use terrace_schedule_model::nest_decided::Decided;
use terrace_support::affine::AffineExpr;

/// Iterations of each loop: a bound at the end of a dimension cuts what tiles that do not divide it leave over
pub(crate) fn filled(nest: &Decided<'_>) -> Vec<f64> {
    let mut filled: Vec<f64> = Vec::new();
    // The part of a loop's tiles that is there
    let mut parts: Vec<f64> = Vec::new();
    for id in nest.loops.ids() {
        if let Some(mean) = triangle::mean(nest, id) {
            filled.push(mean);
            parts.push(1.0);
            continue;
        }
        let (own, run) = (&nest.loops[id], nest.run(id));
        let outer = nest.outside(id).find(|outer| own.dim.is_some() && nest.loops[*outer].dim == own.dim);
        let part = outer.map_or(1.0, |outer| parts[outer.index()]);
        let (trip, extent) = (run.trip.max(1) as f64, run.extent.max(1) as f64);
        let cut = own.limit.is_some() && outer.is_some();
        let count = if cut { (extent * part / run.tile.max(1) as f64).clamp(1.0, trip) } else { trip };
        filled.push(count);
        let covered = count * run.tile.max(1) as f64;
        parts.push(if cut { 1.0 } else { (extent * part / covered).min(1.0) });
    }
    filled
}

/// Loops that are copies of a body or lanes: those at such a level, those that find elements of private memory, and inner ones of few
/// iterations, which compilers unroll
pub(crate) fn flat(nest: &Decided<'_>, unrolled: f64, vector: i64) -> Vec<bool> {
    let mut flat: Vec<bool> =
        nest.loops.ids().map(|id| matches!(nest.level(id), Level::Unroll | Level::Vector)).collect();
    let mut private = vec![false; flat.len()];
    for access in nest.accesses.iter().filter(|access| nest.buffer_of(access).is_private()) {
        let within = nest.between_uses(access.buffer, access.around.inside);
        for id in access.over.iter().filter_map(|index| index.as_loop()) {
            let run = nest.run(id);
            flat[id.index()] |= within.contains(&id) && run.level == Level::Seq && run.trip <= MOST_COPIES;
            private[id.index()] |= within.contains(&id) && run.level == Level::Seq;
        }
    }
    // A loop around one that runs is a loop.
    let mut copies = vec![1.0; flat.len()];
    for id in nest.loops.ids().rev() {
        let inside = nest.inside(id).all(|id| flat[id.index()]);
        let trip = if nest.level(id) == Level::Vector { 1.0 } else { nest.trip(id).max(1) as f64 };
        let all = trip * copies[id.index()];
        let most = if private[id.index()] { unrolled * MOST_COPIES as f64 } else { unrolled };
        // A longer loop through registers keeps these in memory, unless it is a few vectors that compilers write out.
        let stays = private[id.index()] && nest.trip(id) > MOST_COPIES && !is_row(nest, id, vector, all);
        let short = nest.level(id) == Level::Seq && all <= most && !stays && !is_masked(nest, id);
        flat[id.index()] = inside && (flat[id.index()] || short);
        if let Some(parent) = nest.parent(id) {
            copies[parent.index()] = f64::max(copies[parent.index()], all);
        }
    }
    flat
}

/// Does a bound leave iterations out, which is not known when the loop is compiled? Where the last tile is peeled, loops have numbers in
/// both copies
pub(crate) fn is_cut(nest: &Decided<'_>, id: LoopId) -> bool {
    let own = &nest.loops[id];
    let peels = |up: LoopId| nest.loops[up].dim == own.dim && nest.loops[up].tail == Some(Tail::Peel);
    own.is_cut() && !(own.dim.is_some() && nest.outside(id).any(peels))
}

/// Do masks of lanes change from iteration to iteration? Their computation makes a body too long to be written out
fn is_masked(nest: &Decided<'_>, id: LoopId) -> bool {
    let is_vector = |id: &LoopId| nest.level(*id) == Level::Vector && nest.trip(*id) > 1;
    let masked = |access: &Access| {
        let loops = || access.over.iter().map(|index| index.as_loop());
        let dims = |is: &dyn Fn(&LoopId) -> bool| -> Vec<u32> {
            let found = loops().flatten().filter(|id| is(id)).filter_map(|id| access.dim_of(id));
            found.map(|dim| dim as u32).collect()
        };
        let (own, lanes) = (dims(&|other| *other == id), dims(&is_vector));
        let uses = |expr: &AffineExpr, dims: &[u32]| dims.iter().any(|dim| expr.uses_dim(*dim));
        let before = |expr: &AffineExpr| {
            let sizes =
                access.domain.iter().map(|size| Range::below((*size).max(1)).unwrap_or(Range::one(0)));
            let places = loops().map(|id| id.map_or(Range::one(0), |id| nest.range(id)));
            let ranges: Vec<Range> = sizes.chain(places).collect();
            range_of(expr, &ranges).is_some_and(|range| range.min() < 0)
        };
        access.map.results.iter().any(|expr| uses(expr, &own) && uses(expr, &lanes) && before(expr))
    };
    let inside = |access: &&Access| nest.around(access.around.inside).any(|up| up == id);
    nest.trip(id) > 1 && nest.accesses.iter().filter(inside).any(masked)
}

/// Do all accesses in a loop of so many copies stay at their elements, or go to the next ones? Its iterations are whole vectors then, or
/// few enough to be written out
fn is_row(nest: &Decided<'_>, id: LoopId, vector: i64, all: f64) -> bool {
    let own = &nest.loops[id];
    let inside = |access: &&Access| nest.around(access.around.inside).any(|up| up == id);
    let goes_on = |access: &Access| match access.dim_of(id) {
        Some(dim) if access.follows(id) => steps_by_one(&access.map, dim as u32),
        _ => true,
    };
    let sizes = nest.accesses.iter().filter(inside).map(|access| nest.buffer_of(access).bytes);
    let lanes = (vector / sizes.max().unwrap_or(4).max(1)).max(1);
    let whole = all <= 2.0 * MOST_COPIES as f64 || all as i64 % lanes == 0;
    whole
        && !is_cut(nest, id)
        && is_free(own.combine.kind, own.combine.order)
        && nest.accesses.iter().filter(inside).all(goes_on)
}

/// May compilers change the order of a loop's iterations?
pub(crate) fn is_free(kind: Combination, order: Order) -> bool {
    kind == Combination::Cc || (kind == Combination::Pw && order != Order::Source)
}
