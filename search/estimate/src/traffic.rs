//! Bytes that move between memories.
//!
//! A cache holds what the outermost loop touches whose data fits in: each execution of that loop brings its data once. What fits
//! nowhere comes with every use. Data is counted in lines, so that columns are as expensive as they are.

use crate::nest::{Dim, Move, Nest};
use terrace_analysis::{Range, footprint_inside};
use terrace_devices::Device;

/// Bytes of a line
const LINE: f64 = 64.0;

/// Share of a cache that data can use
const USABLE: f64 = 0.8;

/// Bytes that come in a cycle from the second cache, from the third, from memory to one core
const RATES: [f64; 3] = [28.0, 20.0, 15.0];

/// What all threads together get of memory, in rates of one
pub(crate) const TOGETHER: f64 = 2.0;

/// Cycles that data moves
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traffic {
    /// Between a core's own caches, and from the last
    pub near: f64,
    /// From memory
    pub far: f64,
}

/// All traffic of a nest, as one thread would cause it
pub(crate) fn cycles(nest: &Nest, device: &Device) -> Traffic {
    let [first, second, last] = ["L1", "L2", "L3"].map(|region| device.bytes(region) as f64);
    let into = |size: f64, rate: f64| if size > 0.0 { moved(nest, size * USABLE) / rate } else { 0.0 };
    Traffic { near: into(first, RATES[0]) + into(second, RATES[1]), far: into(last, RATES[2]) }
}

/// Bytes that come into a cache of this size
fn moved(nest: &Nest, size: f64) -> f64 {
    let accesses: Vec<&Move> = nest.moves.iter().filter(|each| !each.private).collect();
    let depth = nest.loops.len();
    // Data of each loop, all its iterations: a buffer that several accesses use counts once.
    let held: Vec<bool> = (0..depth).map(|at| data(nest, &accesses, at) <= size).collect();
    let one = |each: &&Move| {
        let n = each.path.iter().position(|at| held[*at]).unwrap_or(each.path.len());
        let (outer, inner) = each.path.split_at(n);
        let executions: f64 = outer.iter().map(|at| nest.loops[*at].trip).product();
        let bytes = footprint(nest, each, inner);
        // What a loop around does not move stays, where it is little.
        let still = outer.iter().rev().take_while(|at| !uses(nest, each, **at));
        let kept: f64 = still.map(|at| nest.loops[*at].trip).product();
        let kept = if bytes <= size / 4.0 { kept } else { 1.0 };
        // The rest of a line is what the next iteration wants.
        let next = outer.last().is_some_and(|at| follows(nest, each, *at));
        executions / kept * if next { bytes * share(nest, each, inner) } else { bytes }
    };
    accesses.iter().map(one).sum()
}

/// Does an access move to the next element with the next iteration of a loop?
fn follows(nest: &Nest, each: &Move, at: usize) -> bool {
    let Some((last, others)) = each.at.map.results.split_last() else { return false };
    let Some(dim) = nest.dims(each).iter().position(|dim| *dim == Dim::Loop(at)) else { return false };
    let step = nest.loops[at].range.divisor() as f64 * each.bytes;
    !others.iter().any(|expr| expr.uses_dim(dim as u32))
        && last.as_linear().is_some_and(|linear| linear.dim(dim) == 1)
        && step < LINE
}

/// Share of the lines that is used
fn share(nest: &Nest, each: &Move, inner: &[usize]) -> f64 {
    let width =
        extents(nest, each, inner).and_then(|all| all.last().copied()).unwrap_or(1) as f64 * each.bytes;
    width / ((width / LINE).ceil() * LINE)
}

fn uses(nest: &Nest, each: &Move, at: usize) -> bool {
    nest.dims(each).contains(&Dim::Loop(at))
}

/// Bytes that one execution of a loop touches
fn data(nest: &Nest, accesses: &[&Move], at: usize) -> f64 {
    let mut largest: Vec<(terrace_ir::Value, f64)> = Vec::new();
    for each in accesses {
        let Some(n) = each.path.iter().position(|other| *other == at) else { continue };
        let bytes = footprint(nest, each, &each.path[n..]);
        match largest.iter_mut().find(|(memory, _)| *memory == each.memory) {
            Some((_, most)) => *most = most.max(bytes),
            None => largest.push((each.memory, bytes)),
        }
    }
    largest.iter().map(|(_, bytes)| bytes).sum()
}

/// Bytes, in whole lines, that an access touches while these loops run
fn footprint(nest: &Nest, each: &Move, inner: &[usize]) -> f64 {
    let Some(extents) = extents(nest, each, inner) else {
        // Not told: every iteration touches another line.
        return inner.iter().map(|at| nest.loops[*at].trip).product::<f64>() * LINE;
    };
    let Some((last, others)) = extents.split_last() else { return LINE };
    let row = (*last as f64 * each.bytes / LINE).ceil() * LINE;
    others.iter().map(|extent| *extent as f64).product::<f64>() * row
}

/// Elements from first to last in each dimension of the buffer
fn extents(nest: &Nest, each: &Move, inner: &[usize]) -> Option<Vec<u64>> {
    let dims = nest.dims(each);
    let range = |dim: &Dim| match dim {
        Dim::Loop(at) => Some(nest.loops[*at].range),
        Dim::Own(n) => Range::below(each.domain[*n].max(1)),
        Dim::Still => Range::below(1),
    };
    let ranges: Vec<Range> = dims.iter().map(range).collect::<Option<_>>()?;
    let moves = |dim: u32| match dims.get(dim as usize) {
        Some(Dim::Loop(at)) => inner.contains(at),
        Some(Dim::Own(_)) => true,
        _ => false,
    };
    footprint_inside(&each.at.map, &ranges, moves)?.extents()
}
