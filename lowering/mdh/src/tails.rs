//! What happens where tiles do not divide: a loop in pieces, limits, whole tiles.
//!
//! `peel`: the whole tiles and the rest are loops of their own, the rest with smaller tiles inside; lanes are split into
//! powers of two. `limit`: the last placed of the loops that can overshoot ends early, and sequential ones around it; where
//! several sizes of a dimension do not divide, each has its own limit.
//! `pad`: tiles are whole; reads and writes see to what is outside.

use crate::nest::{Done, Nest, State};
use terrace_analysis::Range;
use terrace_dialect_mdh::schedule::Tail;
use terrace_dialect_sched::access::Dims;
use terrace_dialect_sched::{Bound, Level};
use terrace_schedule_model::apply::pieces::{Cut, cut};
use terrace_schedule_model::apply::{Item, Loop, Plan};
use terrace_support::affine::AffineExpr;

/// One of the loops that a loop becomes
pub(crate) struct Piece {
    pub st: State,
    /// Extent and tile
    pub header: (i64, i64),
    pub limit: Option<Bound>,
    /// It happens only where this is above 0: the rest of a dimension belongs to the last tile outside
    pub guard: Option<Bound>,
}

impl Piece {
    /// Does it run exactly once?
    pub fn once(&self) -> bool {
        let (extent, tile) = self.header;
        extent > 0 && extent <= tile && self.limit.is_none()
    }
}

impl Nest<'_> {
    pub(crate) fn tail(&self, dim: usize) -> Option<Tail> {
        let all = || self.plan.tails[dim].iter().flatten().copied();
        all().find(|tail| *tail == Tail::Peel).or_else(|| all().next())
    }

    /// Is the dimension computed in whole tiles?
    pub(crate) fn padded(&self, dim: usize) -> bool {
        self.tail(dim) == Some(Tail::Pad) && self.view.dims[dim].kind.kept()
    }

    /// Do the loops placed so far and the ones inside of them never overshoot?
    pub(crate) fn exact(&self, st: &State, dim: usize) -> bool {
        let first = Self::inexact(&st.sizes[dim]);
        let placed = |from: usize| st.ivs[dim].iter().any(|iv| iv.layer >= from);
        self.tail(dim) == Some(Tail::Peel) && (st.passed[dim] || !first.is_some_and(placed))
    }

    /// Layers whose tiles do not divide
    pub(crate) fn uneven(sizes: &[i64]) -> impl Iterator<Item = usize> {
        (1..sizes.len()).filter(|l| sizes[l - 1] % sizes[*l].max(1) != 0)
    }

    /// First layer whose tile does not divide
    pub(crate) fn inexact(sizes: &[i64]) -> Option<usize> {
        Self::uneven(sizes).next()
    }

    /// An extent less what is placed of a layer and further in
    fn left(&self, st: &State, dim: usize, layer: usize, extent: i64) -> Done<Bound> {
        self.left_of(st, dim, &[(layer, extent)])
    }

    /// The same for several layers and extents, all of which bind
    fn left_of(&self, st: &State, dim: usize, all: &[(usize, i64)]) -> Done<Bound> {
        let mut dims = Dims::default();
        let mut left = |layer: usize, extent: i64| {
            let placed = st.ivs[dim].iter().filter(|iv| iv.layer >= layer);
            placed.fold(AffineExpr::Constant(extent), |sum, iv| AffineExpr::sub(sum, dims.value(iv.value)))
        };
        let exprs: Vec<AffineExpr> = all.iter().map(|(layer, extent)| left(*layer, *extent)).collect();
        let access = dims.access(exprs).ok_or("a bound is too deep")?;
        Ok(Bound { map: access.map, values: access.values })
    }

    /// First and last coordinate at which all conditions hold, wherever the other dimensions may be from here; `None` where
    /// that is no plain interval
    fn window(&self, dim: usize, st: &State) -> Option<(i64, i64)> {
        let (mut low, mut high) = (0, self.view.dims[dim].size - 1);
        for bound in self.view.bounds() {
            let linear = bound.as_linear()?;
            let factor = linear.dim(dim);
            if factor == 0 {
                continue;
            }
            // The least that the rest can be.
            let mut least = linear.constant;
            for (other, (first, last)) in st.reach.iter().enumerate().filter(|(other, _)| *other != dim) {
                let factor = linear.dim(other);
                least = least.checked_add(factor.checked_mul(*first)?.min(factor.checked_mul(*last)?))?;
            }
            match factor {
                1.. => {
                    low = low.max(least.checked_neg()?.div_euclid(factor) + i64::from(least % factor != 0))
                }
                _ => high = high.min(least.div_euclid(factor.checked_neg()?)),
            }
        }
        Some((low, high))
    }

    /// Are the conditions of a kept dimension decided where its rows are unrolled, because what else they mention is
    /// unrolled outside of them?
    pub(crate) fn resolves(&self, dim: usize) -> bool {
        let unrolled = |of: usize| {
            self.plan.items.iter().position(|item| {
                matches!(item, Item::Loop(one) if one.dim == of && one.level == Level::Unroll
                    && self.plan.sizes[of][one.layer] == 1 && self.plan.is_loop(one))
            })
        };
        let Some(rows) = unrolled(dim).filter(|_| self.view.dims[dim].kind.kept()) else { return false };
        let bounds = self.view.bounds();
        bounds.iter().filter(|bound| bound.uses_dim(dim as u32)).all(|bound| {
            (0..self.view.dims.len()).filter(|other| *other != dim && bound.uses_dim(*other as u32)).all(
                |other| {
                    !self.view.dims[other].kind.kept()
                        && (self.view.dims[other].size == 1 || unrolled(other).is_some_and(|at| at < rows))
                },
            )
        })
    }

    /// Coordinates of a kept dimension whose conditions all hold, whatever the others are; with what is around them. Where
    /// conditions are decided row by row, in whole tiles
    fn segments(&self, one: &Loop, st: &State) -> Option<Vec<(i64, i64)>> {
        let (dim, size) = (one.dim, self.view.dims[one.dim].size);
        let wanted = self.tail(dim) == Some(Tail::Peel) && self.view.dims[dim].kind.kept();
        if !wanted || st.split[dim] || !st.ivs[dim].is_empty() || Plan::trip(&st.sizes[dim], one.layer) == 1 {
            return None;
        }
        let (low, high) = self.window(dim, st)?;
        if low == 0 && high == size - 1 {
            return None;
        }
        if self.resolves(dim) {
            let tile = st.cuts[dim].map(|cut| st.sizes[dim][cut.layer])?.max(1);
            let (first, last) =
                (low.max(0).checked_add(tile - 1)? / tile * tile, (high + 1).max(0) / tile * tile);
            let all = [(0, first - 1), (first, last - 1), (first.max(last), size - 1)];
            if first > last {
                return Some(vec![(0, size - 1)]);
            }
            return Some(all.into_iter().filter(|(first, last)| first <= last).collect());
        }
        let all = [(0, low - 1), (low, high), (high + 1, size - 1)];
        (low <= high).then(|| all.into_iter().filter(|(first, last)| first <= last).collect())
    }

    /// Unrolled loops whose copies differ by conditions: a copy for each reduced coordinate, kept ones only where the
    /// conditions hold
    fn decided(&self, one: &Loop, st: &State) -> Option<Vec<Piece>> {
        let (dim, layer) = (one.dim, one.layer);
        let extent = st.sizes[dim][layer - 1];
        // Nothing of it may be left to loops further in.
        let waiting = (1..layer).any(|l| Plan::trip(&st.sizes[dim], l) > 1);
        if one.level != Level::Unroll || st.sizes[dim][layer] != 1 || !st.ivs[dim].is_empty() || waiting {
            return None;
        }
        let bounds = self.view.bounds();
        let mut open =
            bounds.into_iter().filter(|bound| bound.uses_dim(dim as u32) && !self.always(st, bound));
        let part = |first: i64, last: i64| {
            let (mut part, len) = (st.clone(), last - first + 1);
            part.offsets[dim] += first;
            part.reach[dim] = (st.offsets[dim] + first, st.offsets[dim] + last);
            part.sizes[dim][..layer].fill(len);
            Piece { st: part, header: (len, 1), limit: None, guard: None }
        };
        if !self.view.dims[dim].kind.kept() {
            let kept = |bound: AffineExpr| {
                let mut others = (0..self.view.dims.len()).filter(|n| *n != dim && bound.uses_dim(*n as u32));
                others.any(|other| self.resolves(other))
            };
            return open.any(kept).then(|| match self.rolled.contains(&(dim as i64)) {
                false => (0..extent).map(|n| part(n, n)).collect(),
                true => self.alike(dim, extent, part),
            });
        }
        if !self.resolves(dim) || open.next().is_none() || st.reach[dim].0 != st.offsets[dim] {
            return None;
        }
        let (low, high) = self.window(dim, st)?;
        let (first, last) = (low.max(st.offsets[dim]), high.min(st.offsets[dim] + extent - 1));
        Some(if first > last {
            Vec::new()
        } else {
            vec![part(first - st.offsets[dim], last - st.offsets[dim])]
        })
    }

    /// Coordinates of a rolled dimension that leave the same rows of the others are one loop
    fn alike(&self, dim: usize, extent: i64, part: impl Fn(i64, i64) -> Piece) -> Vec<Piece> {
        let rows = |n: i64| -> Vec<Option<(i64, i64)>> {
            let st = part(n, n).st;
            let others = (0..self.view.dims.len()).filter(|other| *other != dim && self.resolves(*other));
            let clipped = |other: usize| {
                let ((low, high), (first, last)) = (self.window(other, &st)?, st.reach[other]);
                Some((low.max(first), high.min(last)))
            };
            others.map(clipped).collect()
        };
        let (mut pieces, mut first) = (Vec::new(), 0);
        for n in 1..=extent {
            if n == extent || rows(n) != rows(first) {
                pieces.push(part(first, n - 1));
                first = n;
            }
        }
        pieces
    }

    /// Does a condition hold at every point that can be reached from here?
    pub(crate) fn always(&self, st: &State, bound: &AffineExpr) -> bool {
        let reach: Option<Vec<Range>> =
            st.reach.iter().map(|(first, last)| Range::new(*first, *last)).collect();
        reach.is_some_and(|reach| {
            terrace_analysis::range_of(bound, &reach).is_some_and(|range| range.min() >= 0)
        })
    }

    /// The loops that a loop becomes here, in order
    pub(crate) fn pieces(&self, n: usize, one: &Loop, st: State) -> Done<Vec<Piece>> {
        let (dim, layer) = (one.dim, one.layer);
        if let Some(segments) = self.segments(one, &st) {
            let mut pieces = Vec::new();
            for (first, last) in segments {
                let (mut part, len) = (st.clone(), last - first + 1);
                part.split[dim] = true;
                part.offsets[dim] += first;
                part.reach[dim] = (first, last);
                part.sizes[dim].iter_mut().for_each(|size| *size = (*size).min(len));
                part.cuts[dim] = cut(&part.sizes[dim], &self.plan.tails[dim]);
                part.unnamed[dim] = part.cuts[dim].is_none();
                pieces.extend(self.pieces(n, one, part)?);
            }
            return Ok(pieces);
        }
        let sizes = st.sizes[dim].clone();
        if let Some(pieces) = self.decided(one, &st) {
            return Ok(pieces);
        }
        let (extent, tile) = (sizes[layer - 1], sizes[layer].max(1));
        let whole = |st| Piece { st, header: (extent, tile), limit: None, guard: None };
        if self.tail(dim) != Some(Tail::Peel) {
            let limit = self.limit(n, one, &st)?;
            return Ok(vec![Piece { limit, ..whole(st) }]);
        }
        if st.cuts[dim].is_some_and(|cut| layer < cut.layer) {
            return Ok(vec![whole(st)]);
        }
        if let Some(Cut { rest, .. }) = st.cuts[dim].filter(|cut| cut.layer == layer) {
            // Whole tiles, then the rest as part of the last tile outside.
            let (total, around) = (sizes[0], !st.ivs[dim].is_empty());
            let open = Self::inexact(&sizes).filter(|first| *first < layer);
            let placed = |l: usize| st.ivs[dim].iter().any(|iv| iv.layer == l);
            let waiting = rest == 0 && (1..layer).any(|l| Plan::trip(&sizes, l) > 1 && !placed(l));
            let mut main = st.clone();
            main.passed[dim] = true;
            let mut piece = whole(main);
            match open {
                Some(first) if rest == 0 => {
                    piece.limit = Some(self.left(&st, dim, first, sizes[first - 1])?)
                }
                Some(_) => piece.limit = Some(self.left(&st, dim, 0, total - (tile - 1))?),
                // Larger tiles that stand further in keep their sizes.
                None if waiting => {}
                None => {
                    piece.header.0 = extent - rest;
                    piece.st.sizes[dim][..layer].fill(extent - rest);
                }
            }
            let mut pieces = vec![piece];
            if rest > 0 {
                let mut last = st.clone();
                let start = total - rest;
                let guard = match around {
                    true => {
                        let mut left = self.left(&st, dim, 0, start - extent)?;
                        let expr = left.map.results.first().cloned().unwrap_or(0.into());
                        left.map.results = vec![AffineExpr::negated(expr)];
                        Some(left)
                    }
                    false => None,
                };
                last.offsets[dim] += start - start / extent * extent;
                last.unnamed[dim] |= around;
                last.cuts[dim] = None;
                last.passed[dim] = true;
                last.sizes[dim].fill(rest);
                for (size, old) in last.sizes[dim].iter_mut().zip(&sizes).skip(layer) {
                    *size = (*old).min(rest);
                }
                pieces.push(Piece { header: (rest, rest), guard, ..whole(last) });
            }
            return Ok(pieces);
        }
        // Anything left that does not divide: in pieces right here, lanes as powers of two.
        let lanes = one.level == Level::Vector && tile == 1 && extent > 1;
        let main = if lanes { 1 << extent.ilog2() } else { extent / tile * tile };
        if main == extent || extent == 0 || st.cuts[dim].is_some() {
            return Ok(vec![whole(st)]);
        }
        let mut pieces = Vec::new();
        if main > 0 {
            let mut part = st.clone();
            part.sizes[dim][..layer].fill(main);
            pieces.push(Piece { header: (main, tile), ..whole(part) });
        }
        let rest = extent - main;
        let mut part = st;
        part.offsets[dim] += main;
        part.sizes[dim].iter_mut().for_each(|size| *size = (*size).min(rest));
        let piece = Piece { header: (rest, tile.min(rest)), ..whole(part) };
        if piece.once() {
            pieces.push(piece);
        } else {
            // Lanes again, in smaller powers of two.
            pieces.extend(self.pieces(n, one, piece.st)?);
        }
        Ok(pieces)
    }

    /// Where a loop ends early because tiles further out overshoot
    fn limit(&self, n: usize, one: &Loop, st: &State) -> Done<Option<Bound>> {
        let (dim, layer) = (one.dim, one.layer);
        let sizes = &st.sizes[dim];
        let Some(first) = Self::inexact(sizes) else { return Ok(None) };
        let total = sizes[first - 1];
        if layer < first || Plan::trip(sizes, layer) == 1 {
            return Ok(None);
        }
        let seq = one.level == Level::Seq && layer > first && sizes[layer - 1] > sizes[layer];
        if self.padded(dim) {
            if total != self.view.dims[dim].size {
                return Err(format!(
                    "S-DIV: `~pad` of dimension {}: tiles that overshoot {total} would reach into the next; only the \
                     outermost size may",
                    dim + 1
                ));
            }
            if (first + 1..sizes.len()).any(|l| sizes[l - 1] % sizes[l].max(1) != 0) {
                return Err(format!(
                    "S-DIV: `~pad` of dimension {} needs sizes that divide further in",
                    dim + 1
                ));
            }
            return Ok(if seq { Some(self.left(st, dim, first, total)?) } else { None });
        }
        // Each tile that does not divide is cut off by itself: by the last placed loop of those that can overshoot it.
        let mut binding = Vec::new();
        for link in Self::uneven(sizes).filter(|link| *link <= layer) {
            let total = sizes[link - 1];
            let last = (link..sizes.len()).find(|m| {
                total % sizes[*m].max(1) == 0 && (link..=*m).all(|l| sizes[l] % sizes[*m].max(1) == 0)
            });
            let last = last.ok_or_else(|| format!("S-END: dimension {} does not end at 1", dim + 1))?;
            let later = self.plan.items[n + 1..].iter().any(|item| match item {
                Item::Loop(other) => {
                    other.dim == dim
                        && (link..=last).contains(&other.layer)
                        && Plan::trip(sizes, other.layer) > 1
                }
                _ => false,
            });
            let seq = one.level == Level::Seq && layer > link && sizes[layer - 1] > sizes[layer];
            if layer <= last && (seq || !later) {
                binding.push((link, total));
            }
        }
        Ok(if binding.is_empty() { None } else { Some(self.left_of(st, dim, &binding)?) })
    }
}
