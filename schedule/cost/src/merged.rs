//! Copies that exchange rows and columns, where short rows go on in each other on both sides: `sched-legalize` makes one variable of theirs.
//!
//! Weights of 3 × 3 taps lie in rows of three elements, and all taps of all channels in one row behind each other. Rows of three have no squares, that one has.

use terrace_schedule_model::nest::Access;
use terrace_schedule_model::nest_decided::Decided;
use terrace_support::affine::AffineExpr;

/// Vectors of a row that is long enough as it is
pub(crate) const LONG_ROW: f64 = 4.0;

/// A dimension of a copy that is exchanged with another one, and those that its rows go on in while they are short
pub(crate) fn runs_on(
    nest: &Decided<'_>,
    access: &Access,
    [dim, other]: [usize; 2],
    short: impl Fn(i64) -> bool,
) -> Vec<usize> {
    let (mut run, mut row) = (vec![dim], access.domain[dim].max(1));
    let mut last = dim;
    let sides = || nest.accesses.iter().filter(|side| side.copy && side.place == access.place);
    while short(row) {
        let next = |outer: &usize| {
            *outer != other && !run.contains(outer) && sides().all(|side| goes_on(nest, side, [*outer, last]))
        };
        let Some(outer) = (0..access.domain.len()).find(next) else { break };
        row = row.saturating_mul(access.domain[outer].max(1));
        last = outer;
        run.push(outer);
    }
    run
}

/// Does a dimension of a copy go through all of a row, and does the next row begin where another dimension has its next value?
fn goes_on(nest: &Decided<'_>, side: &Access, [outer, inner]: [usize; 2]) -> bool {
    let results = &side.map.results;
    let axis = |dim: usize| {
        let mut used = (0..results.len()).filter(|n| results[*n].uses_dim(dim as u32));
        used.next().filter(|_| used.next().is_none())
    };
    let Some((first, last)) = axis(outer).zip(axis(inner)) else { return false };
    let alone = results[first]
        .as_linear()
        .is_some_and(|linear| (0..side.domain.len()).all(|dim| linear.dim(dim) == i64::from(dim == outer)));
    let whole = results[last] == AffineExpr::Dim(inner as u32)
        && nest.buffer_of(side).shape.get(last) == side.domain.get(inner);
    last == first + 1 && alone && whole
}
