//! Iterations of loops whose bounds follow from loops over other kept dimensions, as in a triangle: their mean.

use terrace_schedule_model::nest::{Bound, Index, LoopId};
use terrace_schedule_model::nest_combine::Combination;
use terrace_schedule_model::nest_decided::Decided;
use terrace_support::HashMap;

/// Places of each loop around at which bounds are looked at
const PLACES: i64 = 8;

/// Mean number of iterations over the loops around; none where bounds follow from the own dimension only, or from what is reduced
pub(crate) fn mean(nest: &Decided<'_>, id: LoopId) -> Option<f64> {
    let own = nest.get(id);
    let kept = |id: &LoopId| nest.get(*id).combine.kind == Combination::Cc;
    let named: Vec<LoopId> = own.bounds().flat_map(loops_of).collect();
    let other = |up: &LoopId| nest.get(*up).dim.is_some() && nest.get(*up).dim != own.dim;
    let across = own.dim.is_some() && named.iter().any(other) || own.from.is_some();
    if nest.trip(id) < 2 || !across || !kept(&id) || !named.iter().all(kept) {
        return None;
    }
    // With the loops that these follow from; outer ones first.
    let mut around = Vec::new();
    let mut wanted = named;
    for up in nest.outside(id) {
        if wanted.contains(&up) {
            wanted.extend(nest.get(up).bounds().flat_map(loops_of));
            around.insert(0, up);
        }
    }
    let (mut sum, mut count) = (0.0, 0.0);
    let mut places = vec![HashMap::default()];
    for up in &around {
        let mut inner = Vec::new();
        for at in &places {
            let (low, high) = range(nest, *up, at)?;
            let here = samples(nest.trip(*up)).map(|n| n * nest.run(*up).tile);
            for place in here.filter(|place| (low..high).contains(place)) {
                let mut at = at.clone();
                at.insert(*up, place);
                inner.push(at);
            }
        }
        places = inner;
    }
    let run = nest.run(id);
    for at in &places {
        let (low, high) = range(nest, id, at)?;
        let before = (low.max(0) as u64).div_ceil(run.tile.max(1) as u64) as i64;
        let end = (high.clamp(0, run.extent) as u64).div_ceil(run.tile.max(1) as u64) as i64;
        sum += (end - before).max(0) as f64;
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

fn loops_of(bound: &Bound) -> impl Iterator<Item = LoopId> + '_ {
    bound.over.iter().filter_map(|index| index.as_loop())
}

/// First place of a loop's variable, and the first beyond
fn range(nest: &Decided<'_>, id: LoopId, at: &HashMap<LoopId, i64>) -> Option<(i64, i64)> {
    let values = |bound: &Bound| {
        let place = |index: &Index| at.get(&index.as_loop()?).copied();
        let dims: Option<Vec<i64>> = bound.over.iter().map(place).collect();
        bound.map.eval(&dims?, &[])
    };
    let own = nest.get(id);
    let low = own.from.as_ref().map_or(Some(0), |bound| values(bound)?.into_iter().max())?;
    let extent = nest.run(id).extent;
    let high = own.limit.as_ref().map_or(Some(extent), |bound| values(bound)?.into_iter().min())?;
    Some((low, high.min(extent)))
}

/// Some of so many iterations, evenly spread
fn samples(trip: i64) -> impl Iterator<Item = i64> {
    let count = trip.clamp(0, PLACES);
    (0..count).map(move |n| if trip <= PLACES { n } else { (2 * n + 1) * trip / (2 * count) })
}
