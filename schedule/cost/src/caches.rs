//! Bytes that move between memories.
//!
//! A cache holds what the outermost loop touches one iteration of which fits in: what all of its iterations touch comes once for
//! each execution of that loop. What fits nowhere comes with every use. Data is counted in lines, so that columns are as expensive
//! as they are. Lines at a distance that is a power of two share sets: they do not stay where these have too few ways.

use crate::estimate::{Name, Term};
use crate::unrolled::{Root, Transfer, Unrolled};
use crate::{runs, threads};
use std::collections::BTreeMap;
use terrace_devices::{Device, Memory};
use terrace_schedule_model::nest::{BufferId, LoopId};
use terrace_schedule_model::nest_arena::Id;

/// What moves into each cache, by what stands outside of all others
pub(crate) struct Traffic<'a> {
    roots: Vec<(Root, [Vec<Moved<'a>>; 3])>,
}

/// What accesses that go the same way bring into a cache
struct Moved<'a> {
    /// The innermost loop that repeats it
    at: Option<LoopId>,
    /// The loops that run around
    run: &'a [LoopId],
    /// Bytes, of all threads
    bytes: f64,
    /// How often they move
    times: f64,
}

impl<'a> Traffic<'a> {
    /// Of a nest
    pub fn of(nest: &'a Unrolled<'_>, device: &Device) -> Traffic<'a> {
        let caches = |own: Vec<&'a Transfer>| {
            let sizes = Sizes::of(nest, own);
            [0, 1, 2].map(|number| {
                device
                    .memories
                    .get(number)
                    .map_or(Vec::new(), |cache| sizes.moved(nest, cache, device, number))
            })
        };
        Traffic { roots: roots(nest).into_iter().map(|(root, own)| (root, caches(own))).collect() }
    }

    /// Terms of each access and cache, of the thread that has most to do; cycles in all by what stands outside of all others
    pub fn terms(
        &self,
        nest: &Unrolled<'_>,
        device: &Device,
        units: i64,
        terms: &mut Vec<Term>,
    ) -> BTreeMap<Root, f64> {
        let of = &device.costs.caches;
        // Of all cores together at least a part.
        let mut into = |moved: &[Moved<'_>], name: Name, rate: f64, least: f64| {
            let bytes =
                |one: &Moved<'_>| one.bytes * threads::share(nest, one.run, units).max(least) * one.times;
            let all: Vec<f64> = moved.iter().map(bytes).collect();
            let term = |(one, bytes): (&Moved<'_>, &f64)| Term::new(name, bytes / rate, one.at);
            terms.extend(moved.iter().zip(&all).map(term));
            if all.is_empty() { 0.0 } else { all.iter().sum::<f64>() / rate }
        };
        let mut cycles = |[second, third, memory]: &[Vec<Moved<'_>>; 3]| {
            let near = into(second, Name::SecondCache, of.from_l2, 0.0)
                + into(third, Name::ThirdCache, of.from_l3, 0.0);
            near + into(memory, Name::Memory, of.from_memory, of.from_memory / of.from_memory_all)
        };
        self.roots.iter().map(|(root, moved)| (*root, cycles(moved))).collect()
    }
}

/// What moves in each of the loops and copies that stand outside of all others
fn roots<'a>(nest: &'a Unrolled<'_>) -> BTreeMap<Root, Vec<&'a Transfer>> {
    let mut all: BTreeMap<Root, Vec<&Transfer>> = BTreeMap::new();
    for each in nest.moves.iter() {
        all.entry(nest.root(&each.place, nest.node(each).place)).or_default().push(each);
    }
    all
}

/// Do two accesses in the same loops move alike with each of them?
fn alike(nest: &Unrolled<'_>, one: &Transfer, other: &Transfer) -> bool {
    let both = one.place.flat.iter().filter(|id| other.place.flat.contains(id));
    one.place.run.iter().chain(both).all(|id| nest.offset(one, *id) == nest.offset(other, *id))
}

/// Lines of a row that outweigh its ends
const LINES: f64 = 16.0;

/// Bytes of the smallest page
const PAGE: i64 = 4096;

/// What accesses and loops touch
struct Sizes<'a> {
    /// Accesses of one buffer in one place that go the same way: they find each other's data (Gannon, Jalby and Gallivan 1988 call
    /// them uniformly generated). A matrix that is read along rows and along columns is two
    groups: Vec<Vec<&'a Transfer>>,
    /// Of each group, while its loops run from the first, the second, … on; last of one iteration of all
    footprints: Vec<Vec<f64>>,
    /// Of one iteration of each loop
    sets: Vec<f64>,
    /// Of all of the nest
    all: f64,
}

impl<'a> Sizes<'a> {
    fn of(nest: &'a Unrolled<'_>, moves: Vec<&'a Transfer>) -> Sizes<'a> {
        let mut groups: Vec<Vec<&Transfer>> = Vec::new();
        for each in moves.into_iter().filter(|each| !each.register) {
            let same = |group: &&mut Vec<&Transfer>| {
                nest.node(group[0]).buffer == nest.node(each).buffer
                    && group[0].place.run == each.place.run
                    && alike(nest, group[0], each)
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.push(each),
                None => groups.push(vec![each]),
            }
        }
        let footprints = |group: &Vec<&Transfer>| nest.footprints(group, &group[0].place.run);
        let footprints = groups.iter().map(footprints).collect();
        let mut sizes = Sizes { groups, footprints, sets: Vec::new(), all: 0.0 };
        sizes.sets = nest.nest().loops.ids().map(|id| sizes.set(nest, Some(id))).collect();
        sizes.all = sizes.set(nest, None);
        sizes
    }

    /// What one iteration of a loop touches: each buffer once
    fn set(&self, nest: &Unrolled<'_>, id: Option<LoopId>) -> f64 {
        let mut all: Vec<(BufferId, Vec<(usize, usize)>)> = Vec::new();
        for (number, group) in self.groups.iter().enumerate() {
            let inside = match id {
                Some(id) => group[0].place.run.iter().position(|other| *other == id).map(|n| n + 1),
                None => Some(0),
            };
            let Some(n) = inside else { continue };
            let buffer = nest.node(group[0]).buffer;
            match all.iter_mut().find(|(other, _)| *other == buffer) {
                Some((_, parts)) => parts.push((number, n)),
                None => all.push((buffer, vec![(number, n)])),
            }
        }
        let whole = id.is_none();
        all.iter().map(|(_, parts)| self.together(nest, parts, whole)).sum()
    }

    /// What groups of one buffer touch, each while its loops run from a number of its own on
    ///
    /// Pieces of a peeled loop are parts of the buffer side by side: for the whole nest they are summed up. In one iteration the group
    /// that touches most counts, since others find what it has brought.
    fn together(&self, nest: &Unrolled<'_>, parts: &[(usize, usize)], whole: bool) -> f64 {
        let bytes = || parts.iter().map(|(group, n)| self.footprints[*group][*n]);
        let most = bytes().fold(0.0, f64::max);
        if parts.len() < 2 || !whole {
            return most;
        }
        let accesses: Vec<&Transfer> =
            parts.iter().flat_map(|(group, _)| self.groups[*group].clone()).collect();
        let inner =
            parts.iter().flat_map(|(group, n)| self.groups[*group][0].place.run[*n..].iter().copied());
        let all = nest.touched(&accesses, &inner.collect::<Vec<LoopId>>()).unwrap_or(most);
        all.min(bytes().sum()).max(most)
    }

    /// What accesses bring into a cache of this size
    fn moved(&self, nest: &Unrolled<'_>, cache: &Memory, device: &Device, number: usize) -> Vec<Moved<'a>> {
        let size = cache.bytes as f64 * (device.costs.caches.usable / 100.0);
        let line = device.costs.caches.line as i64;
        // Where more than a place within a page decides on the set, columns find all sets.
        let way = cache.bytes / cache.ways.max(1);
        let sets = if way <= PAGE { way / line } else { 0 };
        // What fits as a whole is there already: programs run more than once, or after what made their data.
        if self.all <= size {
            return Vec::new();
        }
        let one = |(group, sizes): (&Vec<&'a Transfer>, &Vec<f64>)| {
            let path = &group[0].place.run;
            let clash = |inner: &[LoopId]| {
                let lines = (sets > 0).then(|| nest.lines(group[0], inner)).flatten();
                lines.is_some_and(|lines| lines.clash(line, sets, cache.ways.max(1)))
            };
            let fits = |n: &usize| self.sets[path[*n].index()] <= size && !clash(&path[*n + 1..]);
            let n = (0..path.len()).find(fits).unwrap_or(path.len());
            let times = match number {
                // What stays in the last cache is read before parts of it are written.
                1 if device.memories.len() > 2 => read_before_written(nest, group, device),
                2 => lines_in_parts(nest, group, device) * runs::slower(nest, group[0], device),
                _ => 1.0,
            };
            let bytes = nest.trips(&path[..n]) * sizes[n];
            Moved { at: path[..n].last().copied(), run: path, bytes, times }
        };
        self.groups.iter().zip(&self.footprints).map(one).collect()
    }
}

/// How often what is written moves. A processor that finds whole lines written one after the other does not read them first, but for the
/// first one. Copies write squares, of a line each. Results that the last cache does not hold are written past it
fn read_before_written(nest: &Unrolled<'_>, group: &[&Transfer], device: &Device) -> f64 {
    if group.first().is_some_and(|first| is_past_caches(nest, first, device)) {
        return 1.0;
    }
    let Some((first, row)) = group.first().zip(nest.short_rows(group)) else { return 1.0 };
    if first.copy {
        return 2.0;
    }
    if is_beyond(nest, first, device) {
        return 1.0;
    }
    1.0 + (device.costs.caches.line / (row as f64 * first.bytes)).min(1.0)
}

/// Does the last cache not hold the buffer of an access?
fn is_beyond(nest: &Unrolled<'_>, each: &Transfer, device: &Device) -> bool {
    let decided = nest.nest();
    let buffer = decided.buffer_of(nest.node(each));
    let bytes = buffer.shape.iter().fold(buffer.bytes as f64, |all, size| all * *size as f64);
    bytes > device.memories.last().map_or(f64::INFINITY, |memory| memory.bytes as f64)
}

/// Is it a copy of long rows to memory, out of a tile that was put together for this?
fn is_past_caches(nest: &Unrolled<'_>, each: &Transfer, device: &Device) -> bool {
    let long = |row: f64| row * each.bytes >= LINES * device.costs.caches.line;
    let plain = each.stores && !each.merges && nest.is_between_memories(each);
    plain && is_beyond(nest, each, device) && long(nest.copied_row(each))
}

/// How often lines of a result move that the last cache does not hold: those that tiles write in parts are read before, unless tiles follow
/// each other
fn lines_in_parts(nest: &Unrolled<'_>, group: &[&Transfer], device: &Device) -> f64 {
    let Some((first, row)) = group.first().zip(nest.short_rows(group)) else { return 1.0 };
    // Other stores are non-temporal and write whole lines, wherever rows begin (`scf-align-stores`).
    let in_order = !first.copy || nest.writes_in_order(first);
    if in_order || !is_beyond(nest, first, device) || is_past_caches(nest, first, device) {
        return 1.0;
    }
    let line = device.costs.caches.line;
    let decided = nest.nest();
    let buffer = decided.buffer_of(nest.node(first));
    // How far rows begin apart, from the inside.
    let apart = buffer.shape.iter().rev().scan(buffer.bytes as f64, |all, size| {
        *all *= *size as f64;
        Some(*all)
    });
    let whole = row as f64 * first.bytes % line == 0.0
        && apart.take(buffer.shape.len().saturating_sub(1)).all(|apart| apart % line == 0.0);
    if whole { 1.0 } else { 2.0 }
}
