//! Places of a result that no point may contribute to.
//!
//! Where that can be, a sum of floats starts from +0, as sums over nothing are; elsewhere it starts from its first contribution, and a
//! sum of negative zeros is one.

use crate::check::range;
use crate::view::{CombineKind, View};
use terrace_support::affine::AffineExpr;

/// Coordinates of a folded dimension that are tried: all of a short one, both ends and the middle of a long one
const SHORT: i64 = 8;

/// Most points that are tried
const TRIES: usize = 4096;

impl View {
    /// May a place be left without any contribution?
    ///
    /// A folded dimension has no points, or conditions leave out all of a place's. That they do not is known if there is a point of the
    /// folded dimensions at which they hold wherever the kept ones are. Looked for among small numbers of points, so `true` is
    /// no proof.
    pub fn may_be_empty(&self) -> bool {
        if self.dims.iter().any(|dim| dim.kind.kept() && dim.size == 0) {
            return false;
        }
        if self.dims.iter().any(|dim| dim.size == 0) {
            return true;
        }
        let mut bounds = self.bounds();
        // What conditions leave out of prefixes is behind the ends of the results.
        let prefixes = |n: usize| matches!(self.dims[n].kind, CombineKind::Ps(_));
        bounds.retain(|bound| !(0..self.dims.len()).any(|n| prefixes(n) && bound.uses_dim(n as u32)));
        bounds.retain(|bound| !self.ends_kept(bound));
        if bounds.is_empty() {
            return false;
        }
        let sizes = self.sizes();
        let folded: Vec<(usize, Vec<i64>)> = (0..sizes.len())
            .filter(|n| !self.dims[*n].kind.kept() && bounds.iter().any(|bound| bound.uses_dim(*n as u32)))
            .map(|n| (n, candidates(sizes[n])))
            .collect();
        let points = folded.iter().try_fold(1usize, |all, (_, some)| all.checked_mul(some.len()));
        let Some(points) = points.filter(|points| *points <= TRIES) else { return true };
        let dims: Vec<AffineExpr> = (0..sizes.len()).map(|n| AffineExpr::Dim(n as u32)).collect();
        !(0..points).any(|mut number| {
            let mut point = dims.clone();
            for (n, some) in &folded {
                point[*n] = some[number % some.len()].into();
                number /= some.len();
            }
            bounds.iter().all(|bound| {
                let at = bound.replace(&point, &[]);
                at.and_then(|e| range(&e, &sizes)).is_some_and(|(low, _)| low >= 0)
            })
        })
    }
}

fn candidates(size: i64) -> Vec<i64> {
    match size <= SHORT {
        true => (0..size).collect(),
        false => vec![0, 1, 2, size / 2, size - 3, size - 2, size - 1],
    }
}
