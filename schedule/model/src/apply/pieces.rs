//! What happens where tiles do not divide: a loop in pieces, limits, whole tiles.
//!
//! `peel`: the whole tiles and the remainder are loops of their own, the remainder with smaller tiles inside; lanes are split into
//! powers of two. `limit`: the last placed of the loops that can overshoot ends early, and sequential ones around it; where
//! several sizes of a dimension do not divide, each has its own limit.
//! `pad`: tiles are whole; reads and writes handle what is outside.

use super::cut::cut;
use super::geometry::{Done, Geometry, Over, Position, Vars};
use super::loops::{Item, Loop, Plan};
use crate::broken::Rule;
use crate::values::Tail;
use terrace_analysis::Range;
use terrace_devices::Level;
use terrace_support::affine::AffineExpr;

/// One of the loops that a loop becomes
#[derive(Clone, Debug)]
pub struct Piece {
    /// Where it stands
    pub pos: Position,
    /// Extent and tile
    pub header: (i64, i64),
    /// Where it ends
    pub limit: Option<Over>,
    /// It happens only where this is above 0: the remainder of a dimension belongs to the last tile outside
    pub guard: Option<Over>,
}

impl Piece {
    /// All of a loop
    fn whole(one: &Loop, pos: Position) -> Piece {
        Piece { header: Piece::header(one, &pos), pos, limit: None, guard: None }
    }

    /// Extent and tile of all of a loop
    fn header(one: &Loop, pos: &Position) -> (i64, i64) {
        let sizes = &pos.sizes[one.dim];
        (sizes[one.layer - 1], sizes[one.layer].max(1))
    }

    /// Does it run exactly once?
    pub fn once(&self) -> bool {
        let (extent, tile) = self.header;
        extent > 0 && extent <= tile && self.limit.is_none()
    }
}

impl Geometry<'_> {
    /// What happens where a tile of the dimension does not divide: `peel`, if it is stated of one
    pub fn tail(&self, dim: usize) -> Option<Tail> {
        let all = || self.plan.tails[dim].iter().flatten().copied();
        all().find(|tail| *tail == Tail::Peel).or_else(|| all().next())
    }

    /// Is the dimension computed in whole tiles?
    pub fn padded(&self, dim: usize) -> bool {
        self.tail(dim) == Some(Tail::Pad) && self.c.dims[dim].kind.is_kept()
    }

    /// Do the loops placed so far and the ones inside of them never overshoot?
    pub fn exact(&self, pos: &Position, dim: usize) -> bool {
        let first = Self::inexact(&pos.sizes[dim]);
        let placed = |from: usize| pos.ivs[dim].iter().any(|iv| iv.layer >= from);
        self.tail(dim) == Some(Tail::Peel) && (pos.passed[dim] || !first.is_some_and(placed))
    }

    /// Layers whose tiles do not divide
    pub fn uneven(sizes: &[i64]) -> impl Iterator<Item = usize> {
        (1..sizes.len()).filter(|l| sizes[l - 1] % sizes[*l].max(1) != 0)
    }

    /// First layer whose tile does not divide
    pub fn inexact(sizes: &[i64]) -> Option<usize> {
        Self::uneven(sizes).next()
    }

    /// An extent less what is placed of a layer and further in
    fn left(&self, pos: &Position, dim: usize, layer: usize, extent: i64) -> Done<Over> {
        self.left_of(pos, dim, &[(layer, extent)])
    }

    /// The same for several layers and extents, all of which bind
    fn left_of(&self, pos: &Position, dim: usize, all: &[(usize, i64)]) -> Done<Over> {
        let mut vars = Vars::default();
        let mut left = |layer: usize, extent: i64| {
            let placed = pos.ivs[dim].iter().filter(|iv| iv.layer >= layer);
            placed.fold(AffineExpr::Constant(extent), |sum, iv| AffineExpr::sub(sum, vars.of(iv.index)))
        };
        let exprs: Vec<AffineExpr> = all.iter().map(|(layer, extent)| left(*layer, *extent)).collect();
        Ok(vars.map(exprs).ok_or("a bound is too deep")?)
    }

    /// First and last coordinate at which all conditions hold, wherever the other dimensions may be from here; `None` where
    /// that is no plain interval
    fn window(&self, dim: usize, pos: &Position) -> Option<(i64, i64)> {
        let (mut low, mut high) = (0, self.c.dims[dim].size - 1);
        for bound in &self.c.bounds {
            let linear = bound.as_linear().filter(|_| bound.arity().1 == 0)?;
            let factor = linear.dim(dim);
            if factor == 0 {
                continue;
            }
            // The least that the rest can be.
            let mut least = linear.constant;
            for (other, (first, last)) in pos.reach.iter().enumerate().filter(|(other, _)| *other != dim) {
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
    pub fn resolves(&self, dim: usize) -> bool {
        let unrolled = |of: usize| {
            self.plan.items.iter().position(|item| {
                matches!(item, Item::Loop(one) if one.dim == of && one.level == Level::Unroll
                    && self.plan.sizes[of][one.layer] == 1 && self.plan.is_loop(one))
            })
        };
        let Some(rows) = unrolled(dim).filter(|_| self.c.dims[dim].kind.is_kept()) else { return false };
        let bounds = &self.c.bounds;
        bounds.iter().filter(|bound| bound.uses_dim(dim as u32)).all(|bound| {
            (0..self.c.dims.len()).filter(|other| *other != dim && bound.uses_dim(*other as u32)).all(
                |other| {
                    !self.c.dims[other].kind.is_kept()
                        && (self.c.dims[other].size == 1 || unrolled(other).is_some_and(|at| at < rows))
                },
            )
        })
    }

    /// Coordinates of a kept dimension whose conditions all hold, whatever the others are; with what is around them. Where
    /// conditions are decided row by row, in whole tiles
    fn segments(&self, one: &Loop, pos: &Position) -> Option<Vec<(i64, i64)>> {
        let (dim, size) = (one.dim, self.c.dims[one.dim].size);
        let wanted = self.tail(dim) == Some(Tail::Peel) && self.c.dims[dim].kind.is_kept();
        if !wanted
            || self.masks(dim)
            || pos.split[dim]
            || !pos.ivs[dim].is_empty()
            || Plan::trip(&pos.sizes[dim], one.layer) == 1
        {
            return None;
        }
        let (low, high) = self.window(dim, pos)?;
        if low == 0 && high == size - 1 {
            return None;
        }
        if self.resolves(dim) {
            let tile = pos.cuts[dim].map(|cut| pos.sizes[dim][cut.layer])?.max(1);
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
    fn decided(&self, one: &Loop, pos: &Position) -> Option<Vec<Piece>> {
        let (dim, layer) = (one.dim, one.layer);
        let extent = pos.sizes[dim][layer - 1];
        // Nothing of it may be left to loops further in.
        let waiting = (1..layer).any(|l| Plan::trip(&pos.sizes[dim], l) > 1);
        if one.level != Level::Unroll || pos.sizes[dim][layer] != 1 || !pos.ivs[dim].is_empty() || waiting {
            return None;
        }
        let bounds = &self.c.bounds;
        let mut open = bounds.iter().filter(|bound| bound.uses_dim(dim as u32) && !self.always(pos, bound));
        let part = |first: i64, last: i64| {
            let (mut part, len) = (pos.clone(), last - first + 1);
            part.offsets[dim] += first;
            part.reach[dim] = (pos.offsets[dim] + first, pos.offsets[dim] + last);
            part.sizes[dim][..layer].fill(len);
            Piece { pos: part, header: (len, 1), limit: None, guard: None }
        };
        if !self.c.dims[dim].kind.is_kept() {
            let kept = |bound: &AffineExpr| {
                let mut others = (0..self.c.dims.len()).filter(|n| *n != dim && bound.uses_dim(*n as u32));
                others.any(|other| self.resolves(other))
            };
            return open.any(kept).then(|| match self.rolled.contains(&dim) {
                false => (0..extent).map(|n| part(n, n)).collect(),
                true => self.alike(dim, extent, part),
            });
        }
        if !self.resolves(dim) || open.next().is_none() || pos.reach[dim].0 != pos.offsets[dim] {
            return None;
        }
        let (low, high) = self.window(dim, pos)?;
        let (first, last) = (low.max(pos.offsets[dim]), high.min(pos.offsets[dim] + extent - 1));
        Some(if first > last {
            Vec::new()
        } else {
            vec![part(first - pos.offsets[dim], last - pos.offsets[dim])]
        })
    }

    /// Coordinates of a rolled dimension that leave the same rows of the others are one loop
    fn alike(&self, dim: usize, extent: i64, part: impl Fn(i64, i64) -> Piece) -> Vec<Piece> {
        let rows = |n: i64| -> Vec<Option<(i64, i64)>> {
            let pos = part(n, n).pos;
            let others = (0..self.c.dims.len()).filter(|other| *other != dim && self.resolves(*other));
            let clipped = |other: usize| {
                let ((low, high), (first, last)) = (self.window(other, &pos)?, pos.reach[other]);
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
    pub fn always(&self, pos: &Position, bound: &AffineExpr) -> bool {
        let reach: Option<Vec<Range>> =
            pos.reach.iter().map(|(first, last)| Range::new(*first, *last)).collect();
        reach.is_some_and(|reach| {
            terrace_analysis::range_of(bound, &reach).is_some_and(|range| range.min() >= 0)
        })
    }

    /// The loops that a loop becomes here, in order
    pub fn pieces(&self, n: usize, one: &Loop, pos: Position) -> Done<Vec<Piece>> {
        let (dim, layer) = (one.dim, one.layer);
        if let Some(segments) = self.segments(one, &pos) {
            return self.split(n, one, &pos, &segments);
        }
        if let Some(pieces) = self.decided(one, &pos) {
            return Ok(pieces);
        }
        if self.tail(dim) != Some(Tail::Peel) {
            let limit = self.limit(n, one, &pos)?;
            return Ok(vec![Piece { limit, ..Piece::whole(one, pos) }]);
        }
        match pos.cuts[dim] {
            Some(cut) if cut.layer == layer => self.peeled(one, pos, cut.rest),
            Some(_) => Ok(vec![Piece::whole(one, pos)]),
            None => self.uneven_pieces(n, one, pos),
        }
    }

    /// A loop for each segment of its dimension
    fn split(&self, n: usize, one: &Loop, pos: &Position, segments: &[(i64, i64)]) -> Done<Vec<Piece>> {
        let dim = one.dim;
        let mut pieces = Vec::new();
        for (first, last) in segments {
            let (mut part, len) = (pos.clone(), last - first + 1);
            part.split[dim] = true;
            part.offsets[dim] += first;
            part.reach[dim] = (*first, *last);
            part.sizes[dim].iter_mut().for_each(|size| *size = (*size).min(len));
            part.cuts[dim] = cut(&part.sizes[dim], &self.plan.tails[dim]);
            part.unnamed[dim] = part.cuts[dim].is_none();
            pieces.extend(self.pieces(n, one, part)?);
        }
        Ok(pieces)
    }

    /// Whole tiles, then the remainder as part of the last tile outside
    fn peeled(&self, one: &Loop, pos: Position, rest: i64) -> Done<Vec<Piece>> {
        let (dim, layer) = (one.dim, one.layer);
        let sizes = &pos.sizes[dim];
        let (extent, tile, total) = (sizes[layer - 1], sizes[layer].max(1), sizes[0]);
        // Each larger tile that does not divide ends by itself; what is left behind the last whole tile is a piece of its own.
        let ends = |link: usize| match sizes[link - 1] {
            size if size == total && rest > 0 => (0, total - (tile - 1)),
            size => (link, size),
        };
        let open: Vec<_> = Self::uneven(sizes).take_while(|link| *link < layer).map(ends).collect();
        let placed = |l: usize| pos.ivs[dim].iter().any(|iv| iv.layer == l);
        let waiting = rest == 0 && (1..layer).any(|l| Plan::trip(sizes, l) > 1 && !placed(l));
        let last = if rest == 0 { None } else { Some(self.remainder(one, &pos, rest)?) };
        let mut piece = Piece::whole(one, pos);
        piece.pos.passed[dim] = true;
        match open.is_empty() {
            false => piece.limit = Some(self.left_of(&piece.pos, dim, &open)?),
            // Larger tiles that stand further in keep their sizes.
            true if waiting => {}
            true => {
                piece.header.0 = extent - rest;
                piece.pos.sizes[dim][..layer].fill(extent - rest);
            }
        }
        Ok([piece].into_iter().chain(last).collect())
    }

    /// What is left behind the last whole tile
    fn remainder(&self, one: &Loop, pos: &Position, rest: i64) -> Done<Piece> {
        let (dim, layer) = (one.dim, one.layer);
        let sizes = &pos.sizes[dim];
        let (extent, start) = (sizes[layer - 1], sizes[0] - rest);
        let around = !pos.ivs[dim].is_empty();
        let guard = match around {
            true => {
                let mut left = self.left(pos, dim, 0, start - extent)?;
                let expr = left.map.results.first().cloned().unwrap_or(0.into());
                left.map.results = vec![AffineExpr::negated(expr)];
                Some(left)
            }
            false => None,
        };
        let mut last = pos.clone();
        last.offsets[dim] += start - start / extent * extent;
        last.unnamed[dim] |= around;
        last.cuts[dim] = None;
        last.passed[dim] = true;
        last.sizes[dim].fill(rest);
        for (size, old) in last.sizes[dim].iter_mut().zip(sizes).skip(layer) {
            *size = (*old).min(rest);
        }
        Ok(Piece { pos: last, header: (rest, rest), limit: None, guard })
    }

    /// May a vector along a dimension have any number of lanes?
    pub fn partial(&self, dim: usize) -> bool {
        let masked = |layer: usize| self.plan.tails[dim][layer] == Some(Tail::Mask);
        self.plan.items.iter().any(|item| match item {
            Item::Loop(one) => one.dim == dim && one.level == Level::Vector && masked(one.layer),
            _ => false,
        })
    }

    /// What does not divide, where no cut says how: in pieces right here, lanes as powers of two
    fn uneven_pieces(&self, n: usize, one: &Loop, pos: Position) -> Done<Vec<Piece>> {
        let (dim, layer) = (one.dim, one.layer);
        let (extent, tile) = Piece::header(one, &pos);
        let lanes = one.level == Level::Vector && tile == 1 && extent > 1;
        let main = if lanes { 1 << extent.ilog2() } else { extent / tile * tile };
        if main == extent || extent == 0 || lanes && self.partial(dim) {
            return Ok(vec![Piece::whole(one, pos)]);
        }
        let mut pieces = Vec::new();
        if main > 0 {
            let mut part = pos.clone();
            part.sizes[dim][..layer].fill(main);
            pieces.push(Piece { pos: part, header: (main, tile), limit: None, guard: None });
        }
        let rest = extent - main;
        let mut part = pos;
        part.offsets[dim] += main;
        part.sizes[dim].iter_mut().for_each(|size| *size = (*size).min(rest));
        let piece = Piece { pos: part, header: (rest, tile.min(rest)), limit: None, guard: None };
        if piece.once() {
            pieces.push(piece);
        } else {
            // Lanes again, in smaller powers of two.
            pieces.extend(self.pieces(n, one, piece.pos)?);
        }
        Ok(pieces)
    }

    /// Where a loop ends early because tiles further out overshoot
    fn limit(&self, n: usize, one: &Loop, pos: &Position) -> Done<Option<Over>> {
        let (dim, layer) = (one.dim, one.layer);
        let sizes = &pos.sizes[dim];
        let Some(first) = Self::inexact(sizes) else { return Ok(None) };
        let total = sizes[first - 1];
        if layer < first || Plan::trip(sizes, layer) == 1 {
            return Ok(None);
        }
        let seq = one.level == Level::Seq && layer > first && sizes[layer - 1] > sizes[layer];
        if self.padded(dim) {
            if total != self.c.dims[dim].size {
                return Err(Rule::Div.broken(format!(
                    "`~pad` of dimension {}: tiles that overshoot {total} would reach into the next; only the \
                     outermost size may",
                    dim + 1
                )));
            }
            if (first + 1..sizes.len()).any(|l| sizes[l - 1] % sizes[l].max(1) != 0) {
                return Err(Rule::Div
                    .broken(format!("`~pad` of dimension {} needs sizes that divide further in", dim + 1)));
            }
            return Ok(if seq { Some(self.left(pos, dim, first, total)?) } else { None });
        }
        // Each tile that does not divide is cut off by itself: by the last placed loop of those that can overshoot it.
        let mut binding = Vec::new();
        for link in Self::uneven(sizes).filter(|link| *link <= layer) {
            let total = sizes[link - 1];
            let last = (link..sizes.len()).find(|m| {
                total % sizes[*m].max(1) == 0 && (link..=*m).all(|l| sizes[l] % sizes[*m].max(1) == 0)
            });
            let last =
                last.ok_or_else(|| Rule::End.broken(format!("dimension {} does not end at 1", dim + 1)))?;
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
        Ok(if binding.is_empty() { None } else { Some(self.left_of(pos, dim, &binding)?) })
    }
}
