//! What happens where tiles do not divide: a loop in pieces, limits, whole tiles.
//!
//! `peel`: the whole tiles and the rest are loops of their own, the rest with smaller tiles inside; lanes are split into
//! powers of two. `limit`: the last placed of the loops that can overshoot ends early, and sequential ones around it.
//! `pad`: tiles are whole; reads and writes see to what is outside.

use crate::nest::{Done, Nest, State};
use crate::plan::{Item, Loop, Plan};
use terrace_dialect_mdh::schedule::Tail;
use terrace_dialect_sched::access::Dims;
use terrace_dialect_sched::{Bound, Level};
use terrace_support::affine::AffineExpr;

/// One of the loops that a loop becomes
pub(crate) struct Piece {
    pub st: State,
    /// Extent and tile
    pub header: (i64, i64),
    pub from: Option<Bound>,
    pub limit: Option<Bound>,
}

impl Piece {
    /// Does it run exactly once?
    pub fn once(&self) -> bool {
        let (extent, tile) = self.header;
        extent > 0 && extent <= tile && self.from.is_none() && self.limit.is_none()
    }
}

impl Nest<'_> {
    fn tail(&self, dim: usize) -> Option<Tail> {
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
        let open = first.is_some_and(|first| st.ivs[dim].iter().any(|iv| iv.layer >= first));
        self.tail(dim) == Some(Tail::Peel) && (st.closed[dim] || !open)
    }

    /// First layer whose tile does not divide
    fn inexact(sizes: &[i64]) -> Option<usize> {
        (1..sizes.len()).find(|l| sizes[l - 1] % sizes[*l].max(1) != 0)
    }

    /// `E_l` − what is placed of layers l and further in
    fn left(&self, st: &State, dim: usize, layer: usize, extent: i64, less: i64) -> Done<Bound> {
        let mut dims = Dims::default();
        let mut sum = AffineExpr::Constant(extent - less);
        for iv in st.ivs[dim].iter().filter(|iv| iv.layer >= layer) {
            sum = AffineExpr::sub(sum, dims.value(iv.value));
        }
        let access = dims.access(vec![sum]).ok_or("a bound is too deep")?;
        Ok(Bound { map: access.map, values: access.values })
    }

    /// The loops that a loop becomes here, in order
    pub(crate) fn pieces(&self, n: usize, one: &Loop, st: State) -> Done<Vec<Piece>> {
        let (dim, layer) = (one.dim, one.layer);
        let sizes = st.sizes[dim].clone();
        let (extent, tile) = (sizes[layer - 1], sizes[layer].max(1));
        let peels = self.tail(dim) == Some(Tail::Peel);
        let whole = |st| Piece { st, header: (extent, tile), from: None, limit: None };
        if !peels {
            let limit = self.limit(n, one, &st)?;
            return Ok(vec![Piece { limit, ..whole(st) }]);
        }
        // What a loop further out left open is closed where the tile says `peel`.
        let open = Self::inexact(&sizes).filter(|l| *l < layer && !st.closed[dim]);
        if let Some(first) = open {
            if self.plan.tails[dim][layer] != Some(Tail::Peel) {
                let seq = one.level == Level::Seq && extent > tile;
                let limit = if seq { Some(self.left(&st, dim, first, sizes[first - 1], 0)?) } else { None };
                return Ok(vec![Piece { limit, ..whole(st) }]);
            }
            if (first..layer).any(|l| sizes[l] % tile != 0) {
                return Err(format!("S-DIV: tiles around {tile} of dimension {} are no multiples", dim + 1));
            }
            let total = sizes[first - 1];
            let mut main = st.clone();
            main.closed[dim] = true;
            let limit = Some(self.left(&st, dim, first, total, tile - 1)?);
            let mut pieces = vec![Piece { limit, ..whole(main) }];
            let rest = total % tile;
            if rest > 0 {
                let mut last = st.clone();
                last.closed[dim] = true;
                last.sizes[dim][layer..].iter_mut().for_each(|size| *size = (*size).min(rest));
                let from = Some(self.left(&st, dim, first, total, tile - 1)?);
                let limit = Some(self.left(&st, dim, first, total, 0)?);
                pieces.push(Piece { st: last, header: (extent, tile), from, limit });
            }
            return Ok(pieces);
        }
        // Tiles further in may say `peel`: then this loop stays, and they split.
        let later = (layer + 1..sizes.len()).any(|l| {
            self.plan.tails[dim][l] == Some(Tail::Peel)
                && sizes[layer] % sizes[l].max(1) == 0
                && sizes[l] < tile
        });
        if extent % tile != 0 && later && self.plan.tails[dim][layer].is_some_and(|tail| tail != Tail::Peel) {
            return Ok(vec![whole(st)]);
        }
        let lanes = one.level == Level::Vector && tile == 1 && extent > 1;
        let main = if lanes { 1 << extent.ilog2() } else { extent / tile * tile };
        if main == extent || extent == 0 {
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
        let header = (rest, tile.min(rest));
        let piece = Piece { header, ..whole(part) };
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
        if layer < first {
            return Ok(None);
        }
        let seq = one.level == Level::Seq && layer > first && sizes[layer - 1] > sizes[layer];
        if self.padded(dim) {
            if (first + 1..sizes.len()).any(|l| sizes[l - 1] % sizes[l].max(1) != 0) {
                return Err(format!(
                    "S-DIV: `~pad` of dimension {} needs sizes that divide further in",
                    dim + 1
                ));
            }
            return Ok(if seq { Some(self.left(st, dim, first, total, 0)?) } else { None });
        }
        let last = (first..sizes.len()).find(|m| {
            total % sizes[*m].max(1) == 0 && (first..=*m).all(|l| sizes[l] % sizes[*m].max(1) == 0)
        });
        let last = last.ok_or_else(|| format!("S-END: dimension {} does not end at 1", dim + 1))?;
        if (first + 1..=last).any(|l| sizes[l - 1] % sizes[l].max(1) != 0) {
            return Err(format!(
                "S-DIV: two sizes of dimension {} do not divide the ones above them; one may",
                dim + 1
            ));
        }
        if layer > last {
            return Ok(None);
        }
        let later = self.plan.items[n + 1..].iter().any(|item| match item {
            Item::Loop(other) => {
                other.dim == dim
                    && (first..=last).contains(&other.layer)
                    && Plan::trip(sizes, other.layer) > 1
            }
            _ => false,
        });
        if later && !seq {
            return Ok(None);
        }
        Ok(Some(self.left(st, dim, first, total, 0)?))
    }
}
