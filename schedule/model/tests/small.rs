//! Small computations to apply schedules to.

use terrace_devices::Space;
use terrace_schedule_model::computation::{Computation, Dim, DimKind, Input, Memory, Order, Output};
use terrace_schedule_model::{Decided, OpenSchedule, Schedule};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A schedule that is decided
#[track_caller]
pub fn schedule(text: &str) -> Schedule<Decided> {
    OpenSchedule::read(text).expect("well formed").decided().expect("decided")
}

/// An index: dimensions with their factors, and a constant
pub type At<'a> = (&'a [(usize, i64)], i64);

fn expr(at: At<'_>) -> AffineExpr {
    let term = |(dim, factor): &(usize, i64)| {
        AffineExpr::mul(AffineExpr::Dim(*dim as u32), AffineExpr::Constant(*factor))
    };
    at.0.iter().map(term).fold(AffineExpr::Constant(at.1), AffineExpr::add)
}

/// A computation whose reads and writes are sums
pub fn computation(dims: &[(&str, i64, DimKind)], reads: &[&[At<'_>]], writes: &[At<'_>]) -> Computation {
    let map = |at: &[At<'_>]| {
        AffineMap::new(dims.len() as u32, 0, at.iter().map(|at| expr(*at)).collect()).expect("in range")
    };
    let shape = |at: &[At<'_>]| {
        let last = |(terms, constant): &At<'_>| {
            constant
                + terms.iter().map(|(dim, factor)| factor.max(&0) * (dims[*dim].1 - 1).max(0)).sum::<i64>()
        };
        at.iter().map(|at| last(at) + 1).collect()
    };
    Computation {
        name: None,
        extents: Vec::new(),
        dims: dims
            .iter()
            .map(|(name, size, kind)| Dim { name: (*name).into(), size: *size, kind: *kind })
            .collect(),
        buffers: reads.iter().map(|at| Memory { shape: shape(at), bytes: 4, space: Space::Main }).collect(),
        groups: (0..reads.len()).collect(),
        inputs: reads
            .iter()
            .enumerate()
            .map(|(n, at)| Input { buffer: n, group: n, map: Some(map(at)), replaced: false })
            .collect(),
        results: vec![Memory { shape: shape(writes), bytes: 4, space: Space::Main }],
        outputs: vec![Output { maps: vec![map(writes)] }],
        bounds: Vec::new(),
        in_order: false,
        symmetric: None,
    }
}

/// A folded dimension
pub const FOLDED: DimKind = DimKind::Reduced(Order::Fixed);

/// C[i, j] = sum of A[i, k] B[k, j]
pub fn product(i: i64, j: i64, k: i64) -> Computation {
    let dims = [("i", i, DimKind::Kept), ("j", j, DimKind::Kept), ("k", k, FOLDED)];
    let (i, j, k): (At, At, At) = ((&[(0, 1)], 0), (&[(1, 1)], 0), (&[(2, 1)], 0));
    computation(&dims, &[&[i, k], &[k, j]], &[i, j])
}

/// s = sum of A[k]
pub fn total(k: i64) -> Computation {
    computation(&[("k", k, FOLDED)], &[&[(&[(0, 1)], 0)]], &[])
}

/// C[i, j] = A[i, j]
pub fn copy(i: i64, j: i64) -> Computation {
    let (i_at, j_at): (At, At) = ((&[(0, 1)], 0), (&[(1, 1)], 0));
    computation(&[("i", i, DimKind::Kept), ("j", j, DimKind::Kept)], &[&[i_at, j_at]], &[i_at, j_at])
}

/// P[i] = A[0] + … + A[i]
pub fn prefixes(i: i64) -> Computation {
    let at: At = (&[(0, 1)], 0);
    computation(&[("i", i, DimKind::Prefixes)], &[&[at]], &[at])
}
