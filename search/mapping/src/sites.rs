//! What in a lowered nest does not depend on levels, for rules of whole kernels: who writes what, and which accesses
//! threads must not make at once.
//!
//! Read once from the nest with all levels open. Loops without a map, as those of reductions, are sequential.

use crate::legality::MappedNest;
use std::collections::BTreeMap;
use terrace_schedule_model::nest::{AccessId, LoopId};
use terrace_schedule_model::nest_decided::Decided;
use terrace_schedule_rules::joins::{Join, Who, joins, meets_apart};

/// Maps that are one loop: the outermost, and how many are fused with it
pub type Run = (usize, usize);

/// A run, and the iterations of a strip if it is strip-mined; else 0
pub type Rounds = (Run, i64);

/// An access to memory that threads share
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The innermost map around
    pub at: usize,
    /// Not a read
    pub writes: bool,
    /// Writes memory that blocks share
    pub wide: bool,
}

/// Two of them that may have to wait for each other
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The one that comes first
    pub first: usize,
    /// The one that waits
    pub second: usize,
    /// The innermost map around the place where it would
    pub place: usize,
    /// The second is in a later round of that map: it runs one after the other
    pub round: bool,
    /// Runs around each, inside of the place, that may be one loop over threads
    pub runs: [Vec<Rounds>; 2],
    /// May they be at one element in different threads? First and any thread, then each run, of the first by those of the second
    pub meets: Vec<Vec<bool>>,
}

/// Of one kernel or more
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sites {
    /// Accesses
    pub spots: Vec<Spot>,
    /// Pairs
    pub pairs: Vec<Pair>,
}

/// Which threads make an access along an axis
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Maker {
    /// The first one
    First,
    /// Each, or any
    Any,
    /// Those of a loop's iterations; if it is strip-mined, of a strip of so many
    Run(Run, i64),
}

impl Pair {
    /// May different threads along an axis be at one element, if these make the accesses?
    pub fn meets(&self, first: Maker, second: Maker) -> bool {
        let place = |side: usize, maker: Maker| match maker {
            Maker::First => Some(0),
            Maker::Any => Some(1),
            Maker::Run(run, by) => self.runs[side].iter().position(|own| *own == (run, by)).map(|n| n + 2),
        };
        match (place(0, first), place(1, second)) {
            (Some(a), Some(b)) => self.meets[a][b],
            // A loop around the place: the same thread makes both.
            (None, None) => false,
            // A loop of one iteration around one of the same axis: not looked into.
            _ => true,
        }
    }
}

impl Sites {
    /// Add those of a nest; `may_spread`: the map may be a loop over threads; `fusable`: it may be one with the map around;
    /// `strips`: iterations of its strips, given those of all
    pub fn read(
        &mut self,
        mapped: &MappedNest<'_>,
        may_spread: &dyn Fn(usize) -> bool,
        fusable: &dyn Fn(usize) -> bool,
        strips: &dyn Fn(usize, i64) -> Vec<i64>,
    ) {
        let nest = mapped.sequential();
        let trip =
            |loops: &[LoopId]| loops.iter().fold(1i64, |all, id| all.saturating_mul(nest.trip(*id).max(1)));
        let rounds = |runs: Vec<(Run, Vec<LoopId>)>| -> Vec<(Rounds, Vec<LoopId>)> {
            let each = runs.into_iter().flat_map(|(run, loops)| {
                strips(run.0, trip(&loops)).into_iter().map(move |by| ((run, by), loops.clone()))
            });
            each.collect()
        };
        let map_of = |id: LoopId| mapped.map_of(id);
        let innermost = |place: Option<LoopId>| nest.around(place).find_map(&map_of);
        let mut places: BTreeMap<AccessId, usize> = BTreeMap::new();
        for (n, access) in nest.accesses.entries().filter(|(_, access)| nest.is_shared(access)) {
            let Some(at) = innermost(access.around.inside) else { continue };
            let private = nest.buffer_of(access).is_own_of_block();
            let writes = !access.reads();
            places.insert(n, self.spots.len());
            self.spots.push(Spot { at, writes, wide: writes && !private });
        }
        for join in joins(&nest) {
            let Some(place) = innermost(join.place) else { continue };
            let (Some(first), Some(second)) = (places.get(&join.first), places.get(&join.second)) else {
                continue;
            };
            // Only where some thread may be left out of a loop around.
            if !nest.around(join.place).filter_map(&map_of).any(may_spread) {
                continue;
            }
            // A round of a loop that is no map is a round of nothing else.
            let own = join.place.and_then(&map_of) == Some(place);
            let inside = |access: AccessId| -> Vec<(LoopId, usize)> {
                let mut all: Vec<(LoopId, usize)> = nest
                    .around(nest.accesses[access].around.inside)
                    .take_while(|id| Some(*id) != join.place)
                    .filter_map(|id| Some((id, map_of(id)?)))
                    .collect();
                all.reverse();
                all
            };
            let (a, b) = (
                rounds(runs(&inside(join.first), may_spread, fusable)),
                rounds(runs(&inside(join.second), may_spread, fusable)),
            );
            let Some(meets) = table(&nest, &join, &a, &b) else { continue };
            let only = |all: Vec<(Rounds, Vec<LoopId>)>| all.into_iter().map(|(run, _)| run).collect();
            let pair = Pair {
                first: *first,
                second: *second,
                place,
                round: join.round && own,
                runs: [only(a), only(b)],
                meets,
            };
            if !self.pairs.contains(&pair) {
                self.pairs.push(pair);
            }
        }
    }
}

/// Runs of maps on a path, outermost first, that may be one loop over threads
fn runs(
    path: &[(LoopId, usize)],
    may_spread: &dyn Fn(usize) -> bool,
    fusable: &dyn Fn(usize) -> bool,
) -> Vec<(Run, Vec<LoopId>)> {
    let mut out = Vec::new();
    for (from, (_, top)) in path.iter().enumerate().filter(|(_, (_, top))| may_spread(*top)) {
        for length in 0..path.len() - from {
            if length > 0 && !fusable(path[from + length].1) {
                break;
            }
            let loops = path[from..=from + length].iter().map(|(id, _)| *id).collect();
            out.push(((*top, length), loops));
        }
    }
    out
}

/// Nothing, if the two are never at one element
fn table(
    nest: &Decided<'_>,
    join: &Join,
    a: &[(Rounds, Vec<LoopId>)],
    b: &[(Rounds, Vec<LoopId>)],
) -> Option<Vec<Vec<bool>>> {
    // Whoever makes them: asked once, since most pairs of a nest do not meet at all.
    if !meets_apart(nest, join, &Who::Any, &Who::Any) {
        return None;
    }
    let makers = |runs: &[(Rounds, Vec<LoopId>)]| {
        let loops = runs.iter().map(|((_, by), loops)| Who::Loops { loops: loops.clone(), by: *by });
        [Who::First, Who::Any].into_iter().chain(loops).collect::<Vec<_>>()
    };
    let seconds = makers(b);
    let meets = |first: &Who, second: &Who| match (first, second) {
        (Who::Any, _) | (_, Who::Any) => true,
        _ => meets_apart(nest, join, first, second),
    };
    let row = |first: &Who| seconds.iter().map(|second| meets(first, second)).collect();
    Some(makers(a).iter().map(row).collect())
}
