//! Which copies of a body, or iterations of the loop around it, are lanes of vectors.
//!
//! Loops at `vector` state it. Else compilers join what they find: copies that write next to each other, copies in any direction,
//! or iterations of the innermost loop that runs, where its values may be merged in any order. All of these are candidates; the
//! one that takes least time counts.

use crate::flat::is_cut;
use crate::unrolled::{Transfer, Unrolled};
use terrace_devices::Level;
use terrace_schedule_model::nest::{APART, LoopId};

/// Most loops of copies that are tried one by one
const TRIED: usize = 4;

/// Lanes of one body
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Lanes {
    /// Loops whose iterations are lanes, the one with neighbors first
    loops: Vec<LoopId>,
    /// Lanes in all
    count: f64,
    /// Lanes of one vector
    width: f64,
    /// The loop is one that runs: a body has one vector of lanes, and the loop fewer iterations
    pub running: Option<LoopId>,
    /// The schedule says so
    pub stated: bool,
    /// More than a vector, and no power of two: the compiler takes such lanes apart
    uneven: bool,
    /// All that moves goes along as many copies: vectors keep the order that they have in memory
    alike: bool,
}

/// Most copies whose accesses, each some elements apart, compilers take together: loads of whole vectors and shuffles
const GROUP: f64 = 8.0;

/// Fewest iterations of a loop of vectors that may have a remainder
const TINY: f64 = 16.0;

/// Fewest lanes of what remains of a loop of vectors
const EPILOGUE: f64 = 4.0;

/// One execution of a loop whose iterations are lanes
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Strips {
    /// Whole vectors
    pub whole: f64,
    /// How many of them are independent
    pub interleaved: f64,
    /// Shorter vectors of what remains
    pub others: f64,
    /// Lanes of these
    pub narrow: f64,
    /// Elements of what remains then, one by one
    pub scalars: f64,
}

/// How an access goes along lanes
#[derive(Clone, Copy, PartialEq, Debug)]
enum Along {
    /// All lanes have one element
    Stays,
    /// Neighbors, so many elements apart at most as loads and shuffles make vectors of
    Row(f64),
    /// Each lane by itself
    Scattered,
}

impl Lanes {
    /// One lane
    pub fn none() -> Lanes {
        Lanes {
            loops: Vec::new(),
            count: 1.0,
            width: 1.0,
            running: None,
            stated: false,
            uneven: false,
            alike: false,
        }
    }

    /// What may be lanes of a piece with these accesses, in these loops of copies: those that are stated, else what compilers may find
    pub fn of_copies(nest: &Unrolled<'_>, moves: &[&Transfer], flat: &[LoopId], may_be: bool) -> Vec<Lanes> {
        let several = |id: &LoopId| nest.trip(*id) > 1.0;
        let width = width(nest, moves);
        // Tests end a block, in each of which compilers look for lanes.
        let is_tested = moves.iter().any(|each| each.edges > 0.0);
        let found = if is_tested { width.min(nest.costs().code.tested_lanes) } else { width };
        // Sums of such lanes, and what shuffles or masks load, are taken apart; whole vectors and a remainder do for all else.
        let rough = |loops: &[LoopId]| {
            let apart = |each: &&Transfer, id: &LoopId| {
                nest.follows(each, *id) && nest.stride(each, *id) != Some(1.0)
            };
            moves
                .iter()
                .any(|each| !each.guards.is_empty() || each.merges || loops.iter().any(|id| apart(each, id)))
        };
        let of = |loops: Vec<LoopId>, stated: bool| {
            let count = nest.counts(&loops);
            let uneven = stated && count > width && (count as u64).count_ones() > 1 && rough(&loops);
            Lanes {
                loops,
                count,
                width: if stated { width } else { found },
                running: None,
                stated,
                uneven,
                alike: false,
            }
        };
        let is_vector = |id: &LoopId| nest.level(*id) == Level::Vector;
        let stated: Vec<LoopId> = flat.iter().copied().filter(is_vector).filter(several).collect();
        if !stated.is_empty() {
            return vec![of(stated, true)];
        }
        let mut all = vec![Lanes::none()];
        if !may_be {
            return all;
        }
        let copies = || flat.iter().copied().filter(|id| nest.is_free(*id)).filter(several);
        let writes = moves.iter().find(|each| each.stores && !each.copy);
        let row = writes.map(|each| row(nest, each, copies())).unwrap_or_default();
        if row.len() > 1 {
            all.push(of(row, false));
        }
        // Sums over many copies stay one after the other.
        let few = nest.counts(flat) <= nest.costs().code.unrolled;
        let tried = copies().take(TRIED).filter(|id| few || !nest.reduces(*id));
        all.extend(tried.map(|id| of(vec![id], false)));
        all
    }

    /// Iterations of the innermost loop that runs, of a body with these accesses
    pub fn running(nest: &Unrolled<'_>, moves: &[&Transfer], run: &[LoopId]) -> Option<Lanes> {
        let id = *run.last()?;
        let one = nest.one_loop(run);
        let together = || one.len() == 1 || moves.iter().all(|each| nest.goes_on(each, one));
        let count = nest.trips(one).round();
        // Of few iterations none may remain.
        let most = match nest.counts(one) < TINY && !nest.reduces(id) {
            true if is_cut(&nest.nest(), id) => 1.0,
            true => (count as u64 & (count as u64).wrapping_neg()) as f64,
            false => f64::INFINITY,
        };
        let free =
            nest.trip(id) > 1.0 && most > 1.0 && nest.is_innermost(id) && nest.is_free(id) && together();
        let lanes = || Lanes {
            loops: vec![id],
            count,
            width: width(nest, moves).min(most),
            running: Some(id),
            stated: false,
            uneven: false,
            alike: !nest.reduces(id) && in_one_order(nest, moves, id),
        };
        free.then(lanes)
    }

    /// Instructions for all lanes, or for those of one iteration
    fn vectors(&self, nest: &Unrolled<'_>) -> f64 {
        match self.uneven {
            _ if self.running.is_some() => 1.0,
            true => self.count * nest.costs().code.uneven_lane,
            false => pieces(self.count, self.width, self.stated),
        }
    }

    /// As many iterations in vectors of fewer lanes
    pub fn narrowed(&self, width: f64) -> Lanes {
        Lanes { width, ..self.clone() }
    }

    /// Iterations of the loop that runs, and of those that are one with it
    pub fn iterations(&self) -> f64 {
        self.count
    }

    /// How compilers run the innermost loop with its iterations as lanes, where they may interleave so many vectors; on average where a bound
    /// cuts the last tile
    pub fn strips(&self, nest: &Unrolled<'_>, most: f64) -> Strips {
        let Some(id) = self.running else { return Strips::default() };
        if !nest.nest().loops[id].is_cut() {
            return self.strips_of(self.count, (self.count / (2.0 * self.width)).min(most));
        }
        let (full, tiles) = (nest.trip(id), nest.tiles(id));
        let last = tiles * nest.trips(&[id]) - (tiles - 1.0) * full;
        if !(0.0..=full).contains(&last) {
            return self.strips_of(self.count, most);
        }
        let strips = |trip: f64| match is_cut(&nest.nest(), id) {
            true => self.strips_of(trip, most),
            false => self.strips_of(trip, (trip / (2.0 * self.width)).min(most)),
        };
        let (all, last) = (strips(full), strips(last.round()));
        let mean = |all: f64, last: f64| ((tiles - 1.0) * all + last) / tiles;
        Strips {
            whole: mean(all.whole, last.whole),
            others: mean(all.others, last.others),
            scalars: mean(all.scalars, last.scalars),
            ..if tiles > 1.0 { all } else { last }
        }
    }

    /// Of so many iterations, where so many vectors may be interleaved
    fn strips_of(&self, trip: f64, most: f64) -> Strips {
        // The remainder of an interleaved loop is not to be longer than the loop.
        let interleaved = f64::from(1 << (most.max(1.0) as u32).ilog2());
        let whole = (trip / (self.width * interleaved)).floor() * interleaved;
        let remaining = trip - whole * self.width;
        let half = power_below((self.width / 2.0).min(remaining));
        let half = if whole > 0.0 && half < EPILOGUE { 1.0 } else { half };
        let others = if half > 1.0 { (remaining / half).floor() } else { 0.0 };
        Strips { whole, interleaved, others, narrow: half, scalars: remaining - others * half }
    }

    /// Copies of an instruction that is not an access
    pub fn copies(&self, nest: &Unrolled<'_>, flat: &[LoopId]) -> f64 {
        let copies: f64 =
            flat.iter().filter(|id| !self.loops.contains(id)).map(|id| nest.trip(*id)).product();
        let lanes = self.running.is_some() || flat.iter().any(|id| self.loops.contains(id));
        if lanes { copies * self.vectors(nest) } else { copies }
    }

    /// Instructions of an access, and whether it moves with the lanes
    pub fn accesses(&self, nest: &Unrolled<'_>, each: &Transfer) -> (f64, bool) {
        let mut flat = each.place.flat.clone();
        flat.retain(|id| !self.loops.contains(id));
        let others = nest.distinct(each, &flat);
        let lanes = if self.running.is_some() { self.width } else { self.count };
        match self.along(nest, each) {
            Along::Stays => (others, false),
            Along::Row(apart) if !self.uneven => {
                // Shuffles of a vector that is in part in use are taken apart.
                let odd = apart > 1.0 && self.running.is_none();
                let pieces = if odd { pieces(self.count, self.width, false) } else { 0.0 };
                (others * self.vectors(nest).max(pieces) * (2.0 * apart - 1.0), true)
            }
            _ => (others * lanes, true),
        }
    }

    /// Parts in which compilers load and store stated lanes that are fewer than a vector and no power of two
    pub fn parts(&self, nest: &Unrolled<'_>, each: &Transfer) -> f64 {
        let odd = self.stated && self.count < self.width && self.running.is_none();
        match odd && self.along(nest, each) == Along::Row(1.0) {
            true => f64::from((self.count as u64).count_ones()),
            false => 1.0,
        }
    }

    /// Is each lane of an access in memory by itself?
    pub fn is_scattered(&self, nest: &Unrolled<'_>, each: &Transfer) -> bool {
        !each.register && self.along(nest, each) == Along::Scattered
    }

    fn along(&self, nest: &Unrolled<'_>, each: &Transfer) -> Along {
        if let Some(id) = self.running {
            let stride = nest.stride(each, id);
            let inner = row(nest, each, each.place.flat.iter().copied());
            return match nest.follows(each, id) {
                false => Along::Stays,
                true if stride == Some(nest.counts(&inner))
                    && nest.counts(&inner) <= GROUP
                    && nest.stays_in_row(each, &[&inner[..], &[id]].concat()) =>
                {
                    Along::Row(if self.alike { 1.0 } else { nest.counts(&inner) })
                }
                true => Along::Scattered,
            };
        }
        let moving: Vec<LoopId> = self.loops.iter().copied().filter(|id| nest.follows(each, *id)).collect();
        let Some(first) = moving.first() else { return Along::Stays };
        if !nest.stays_in_row(each, &moving) {
            return Along::Scattered;
        }
        let apart = nest.stride(each, *first).unwrap_or(0.0);
        if apart == 1.0
            && (moving.len() == 1 || row(nest, each, moving.iter().copied()).len() == moving.len())
        {
            return Along::Row(1.0);
        }
        let close = self.stated && moving.len() == 1 && !each.stores;
        if close && (1.0..=APART as f64).contains(&apart) { Along::Row(apart) } else { Along::Scattered }
    }

    /// Calls of functions, each for a vector where lanes are stated, in operations
    pub fn calls(&self, nest: &Unrolled<'_>, flat: &[LoopId]) -> f64 {
        match self.stated {
            true => self.copies(nest, flat) * nest.costs().instructions.call,
            false if self.running.is_some() && self.width > 1.0 => {
                self.width * nest.counts(flat) * nest.costs().code.library_call * nest.costs().code.wrapped
            }
            false => nest.counts(flat) * nest.costs().code.library_call,
        }
    }

    /// Are values of lanes merged?
    pub fn merged(&self, nest: &Unrolled<'_>) -> bool {
        self.loops.iter().any(|id| nest.reduces(*id))
    }

    /// Lanes of a vector that are in use
    pub fn lanes(&self) -> f64 {
        self.count.min(self.width)
    }

    /// Bytes of a vector that are in use
    pub fn bytes(&self, nest: &Unrolled<'_>) -> f64 {
        self.part() * nest.vector()
    }

    /// Part of a vector that is in use
    pub fn part(&self) -> f64 {
        self.lanes() / self.width
    }
}

/// Do all accesses that move with a loop find as many neighbors in copies of the body? Then what is loaded together is stored together, without shuffles
fn in_one_order(nest: &Unrolled<'_>, moves: &[&Transfer], id: LoopId) -> bool {
    let copies = |each: &&&Transfer| nest.counts(&row(nest, each, each.place.flat.iter().copied()));
    let mut groups = moves.iter().filter(|each| nest.follows(each, id)).map(|each| copies(&each));
    let first = groups.next();
    groups.all(|group| Some(group) == first)
}

/// Lanes of a vector of the widest elements
fn width(nest: &Unrolled<'_>, moves: &[&Transfer]) -> f64 {
    let bytes = moves.iter().filter(|each| !each.copy).map(|each| each.bytes).fold(4.0, f64::max);
    (nest.vector() / bytes).max(1.0)
}

/// The largest power of two that is not above a number
fn power_below(number: f64) -> f64 {
    if number < 1.0 { 1.0 } else { f64::from(1u32 << (number as u32).ilog2()) }
}

/// Instructions for so many elements: whole vectors, then, where compilers find them, halves of the one before
fn pieces(count: f64, width: f64, stated: bool) -> f64 {
    let whole = (count / width).floor();
    let remaining = count - whole * width;
    match stated {
        true => whole + if remaining > 0.0 { 1.0 } else { 0.0 },
        false => whole + f64::from((remaining as u64).count_ones()),
    }
}

/// Loops that together go through neighbors, the innermost first: the next one goes on where the one before ends
fn row(nest: &Unrolled<'_>, each: &Transfer, loops: impl Iterator<Item = LoopId>) -> Vec<LoopId> {
    let mut strides: Vec<(f64, LoopId)> = loops
        .filter_map(|id| Some((nest.stride(each, id)?, id)))
        .filter(|(stride, _)| *stride > 0.0)
        .collect();
    strides.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut found, mut next) = (Vec::new(), 1.0);
    for (stride, id) in strides {
        if stride != next {
            break;
        }
        found.push(id);
        next *= nest.trip(id);
    }
    if nest.stays_in_row(each, &found) { found } else { Vec::new() }
}
