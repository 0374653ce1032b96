//! Instructions of innermost loops.

use crate::nest::{Dim, Move, Nest};
use std::collections::BTreeMap;
use terrace_devices::Device;
use terrace_dialect_sched::Level;

/// Cycles from a sum to the next that needs it
const LATENCY: f64 = 4.0;

/// Cycles of a loop's own bookkeeping in each iteration
const LOOP: f64 = 1.0;

/// Instructions of one body from which on compiling and fetching them is what takes time
const LONG: f64 = 2_000.0;

/// What an innermost loop does in one iteration
#[derive(Clone, Copy, Default, Debug)]
struct Body {
    computes: f64,
    loads: f64,
    stores: f64,
    /// Sums that depend on each other only from iteration to iteration: side by side
    chains: f64,
    executions: f64,
}

/// Cycles of all innermost loops, as one thread would run them
pub(crate) fn cycles(nest: &Nest, device: &Device) -> f64 {
    let mut bodies: BTreeMap<Vec<usize>, Body> = BTreeMap::new();
    for each in &nest.computes {
        let (key, inner) = split(nest, &each.path);
        let body = entry(&mut bodies, nest, &key);
        let side = inner.iter().map(|at| copies(nest, *at, device)).product::<f64>();
        body.computes += side * each.cost;
        if key.last().is_some_and(|at| nest.loops[*at].reduces)
            || inner.iter().any(|at| nest.loops[*at].reduces)
        {
            body.chains += inner
                .iter()
                .filter(|at| nest.loops[**at].level == Level::Unroll)
                .map(|at| nest.loops[*at].trip)
                .product::<f64>();
        }
    }
    for each in nest.moves.iter().filter(|each| !each.private) {
        let (key, inner) = split(nest, &each.path);
        let count = instructions(nest, each, &inner, device);
        let body = entry(&mut bodies, nest, &key);
        match each.stores {
            true => body.stores += count,
            false => body.loads += count,
        }
        if each.merges {
            body.loads += count;
        }
    }
    // Sums that do not fit the registers go out and in again with every use.
    let spills = nest.private > (device.registers * device.vector_bytes) as f64;
    let one = |body: &Body| {
        let loads = if spills { body.loads + body.computes } else { body.loads };
        let stores = if spills { body.stores + body.computes } else { body.stores };
        let issue = (body.computes / 2.0).max(loads / 2.0).max(stores);
        let latency = if body.chains > 0.0 { LATENCY * (body.computes / body.chains).min(1.0) } else { 0.0 };
        let length = (body.computes + loads + stores) / LONG;
        (issue.max(latency) + LOOP) * body.executions * length.max(1.0).powi(2)
    };
    bodies.values().map(one).sum()
}

fn entry<'a>(bodies: &'a mut BTreeMap<Vec<usize>, Body>, nest: &Nest, key: &[usize]) -> &'a mut Body {
    bodies.entry(key.to_vec()).or_insert_with(|| Body {
        executions: key.iter().map(|at| nest.loops[*at].trip).product(),
        ..Body::default()
    })
}

/// Loops that run, and those inside that are copies of the body or lanes
fn split(nest: &Nest, path: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let flat = |at: &usize| matches!(nest.loops[*at].level, Level::Unroll | Level::Vector);
    let outer = path.len() - path.iter().rev().take_while(|at| flat(at)).count();
    (path[..outer].to_vec(), path[outer..].to_vec())
}

/// Instructions that a loop which is not run makes of one
fn copies(nest: &Nest, at: usize, device: &Device) -> f64 {
    let each = &nest.loops[at];
    match each.level {
        // Lanes of four bytes, as most are
        Level::Vector => (each.trip * 4.0 / device.vector_bytes.max(4) as f64).ceil(),
        _ => each.trip,
    }
}

/// Loads or stores of an access in one iteration: what does not move with an unrolled loop is there once
fn instructions(nest: &Nest, each: &Move, inner: &[usize], device: &Device) -> f64 {
    let dims = nest.dims(each);
    let moves = |at: usize| dims.iter().position(|dim| *dim == Dim::Loop(at));
    let mut count = 1.0;
    for at in inner {
        let Some(dim) = moves(*at) else { continue };
        let vector = nest.loops[*at].level == Level::Vector;
        count *= match vector && !contiguous(each, dim as u32) {
            true => nest.loops[*at].trip,
            false => copies(nest, *at, device),
        };
    }
    let elements: f64 = each.domain.iter().map(|size| *size as f64).product();
    // A copy without lanes is vectorized where it can be, and moves some more by hand.
    count * if each.domain.is_empty() { 1.0 } else { elements / each.lanes }
}

/// Does an access move to the next element with this dimension?
fn contiguous(each: &Move, dim: u32) -> bool {
    let Some((last, others)) = each.at.map.results.split_last() else { return false };
    !others.iter().any(|expr| expr.uses_dim(dim))
        && last.as_linear().is_some_and(|linear| linear.dim(dim as usize) == 1)
}
