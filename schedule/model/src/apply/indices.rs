//! Where the elements of a tile are: in the tile, and in the buffer that it is a part of.

use super::footprint::Footprint;
use super::geometry::{Done, Geometry, Over, Position, Vars};
use super::loops::{Item, Plan};
use crate::broken::Rule;
use crate::nest::Index;
use crate::values::Part;
use terrace_analysis::{Range, Ranges, simplify_with_ranges};
use terrace_devices::Level;
use terrace_support::affine::{AffineExpr, AffineMap};

impl Geometry<'_> {
    /// Where the tile holds what the loops placed so far reach
    pub fn inside_tile(&self, tile: &Footprint, exprs: &[AffineExpr], pos: &Position) -> Done<Over> {
        // How far behind the first of several accesses this one is.
        let behind = exprs.iter().zip(&tile.axes).map(|(expr, axis)| {
            expr.as_linear().map_or(0, |linear| linear.constant.saturating_sub(axis.constant))
        });
        self.start_in(tile, None, &behind.collect::<Vec<_>>(), pos)
    }

    /// The same, where loops that an inner tile holds all of do not count: where that tile begins
    fn start_in(
        &self,
        tile: &Footprint,
        inner: Option<&Footprint>,
        behind: &[i64],
        pos: &Position,
    ) -> Done<Over> {
        let counts = |dim: usize, index: Index| {
            tile.varies(dim, index) && inner.is_none_or(|inner| !inner.varies(dim, index))
        };
        let mut vars = Vars::default();
        let mut ranges: Vec<Range> = Vec::new();
        // Variables that were fixed and are gone: the coordinate is a rest's, counted from the tile's start.
        let mut gone: Vec<Vec<Index>> = Vec::new();
        for (dim, ivs) in pos.ivs.iter().enumerate() {
            for iv in ivs.iter().filter(|iv| counts(dim, iv.index)) {
                vars.of(iv.index);
                ranges.push(iv.range());
            }
            let here = |value: &Index| ivs.iter().any(|iv| iv.index == *value);
            gone.push(tile.fixed[dim].iter().copied().filter(|value| !here(value)).collect());
        }
        for value in gone.iter().flatten() {
            vars.of(*value);
        }
        ranges.resize(vars.over.len(), Range::ALL);
        let mut along: Vec<Vec<AffineExpr>> = Vec::new();
        for (axis, behind) in tile.axes.iter().zip(behind.iter().copied().chain(std::iter::repeat(0))) {
            let mut terms = vec![AffineExpr::Constant(axis.shift.saturating_add(behind))];
            match &axis.gaps {
                Some((dim, loops)) => {
                    for iv in &pos.ivs[*dim] {
                        let Some(one) = loops.iter().find(|one| one.layer == iv.layer) else { continue };
                        if counts(*dim, iv.index) {
                            let number = AffineExpr::floor_div(vars.of(iv.index), one.tile.into());
                            terms.push(AffineExpr::mul(number, one.stride.into()));
                        }
                    }
                }
                None => {
                    for (dim, factor) in axis.factors.iter().enumerate().filter(|(_, factor)| **factor != 0) {
                        terms.push((factor * (pos.offsets[dim] - tile.offsets[dim])).into());
                        for iv in pos.ivs[dim].iter().filter(|iv| counts(dim, iv.index)) {
                            terms.push(AffineExpr::mul(vars.of(iv.index), (*factor).into()));
                        }
                        for value in &gone[dim] {
                            terms.push(AffineExpr::mul(vars.of(*value), (-*factor).into()));
                        }
                    }
                }
            }
            if axis.mirrored {
                let falling = terms.into_iter().map(AffineExpr::negated);
                terms = falling.chain([(axis.extent - 1).into()]).collect();
            }
            along.push(terms);
        }
        let mut parts: Vec<AffineExpr> = tile
            .layout
            .iter()
            .map(|part| {
                let expr = match part {
                    Part::Whole(e) => sum(&along[*e]),
                    Part::Div(e, by) => {
                        let (whole, rest) = panels(&along[*e], *by, &ranges);
                        let whole = AffineExpr::floor_div(whole, (*by).into());
                        AffineExpr::add(whole, AffineExpr::floor_div(rest, (*by).into()))
                    }
                    Part::Mod(e, by) => AffineExpr::modulo(panels(&along[*e], *by, &ranges).1, (*by).into()),
                };
                simplify_with_ranges(&expr, &ranges)
            })
            .collect();
        tile.turned(&mut parts, |expr| simplify_with_ranges(&expr, &ranges));
        vars.compact(parts).ok_or_else(|| "an index function is too deep".into())
    }

    /// The tile's domain: where its elements come from or go to in the buffer outside, domain variables first
    pub fn outside_tile(&self, tile: &Footprint, pos: &Position) -> Done<Vec<AffineExpr>> {
        let mut all = Vec::new();
        for (axis, index) in tile.axes.iter().zip(along(tile)) {
            let index = axis.stored(index);
            let mut at = match &axis.gaps {
                None => index,
                Some((_, loops)) => {
                    let mut at = AffineExpr::Constant(0);
                    for (n, one) in loops.iter().enumerate() {
                        let mut number = AffineExpr::floor_div(index.clone(), one.stride.into());
                        if n > 0 {
                            number = AffineExpr::modulo(number, one.trip.into());
                        }
                        at = AffineExpr::add(at, AffineExpr::mul(number, one.tile.into()));
                    }
                    at
                }
            };
            at = AffineExpr::add(at, (axis.constant - axis.shift).into());
            for (dim, factor) in axis.factors.iter().enumerate() {
                at = AffineExpr::add(at, (factor * tile.offsets[dim]).into());
            }
            all.push(at);
        }
        let _ = pos;
        Ok(all)
    }

    /// As [`Self::outside_tile`], with the variables that stay fixed: an access of the buffer outside
    pub fn base(&self, tile: &Footprint, pos: &Position) -> Done<Over> {
        let mut vars = Vars::with_domain(tile.layout.len());
        let mut results = self.outside_tile(tile, pos)?;
        for (result, axis) in results.iter_mut().zip(&tile.axes) {
            for (dim, ivs) in pos.ivs.iter().enumerate() {
                for iv in ivs {
                    if axis.factors[dim] != 0 && !tile.varies(dim, iv.index) {
                        let term = AffineExpr::mul(vars.of(iv.index), axis.factors[dim].into());
                        *result = AffineExpr::add(term, result.clone());
                    }
                }
            }
        }
        vars.map(results).ok_or_else(|| "an index function is too deep".into())
    }

    /// As [`Self::base`], but inside of a tile further out
    pub fn base_in(&self, tile: &Footprint, outer: &Footprint, pos: &Position) -> Done<Over> {
        // The outer tile's index of the inner tile's start, plus the inner index: axes without gaps and layouts only.
        let plain = |tile: &Footprint| tile.axes.iter().all(|axis| axis.gaps.is_none());
        let whole = outer.layout.iter().enumerate().all(|(n, part)| *part == Part::Whole(n));
        if !plain(outer) || !plain(tile) || !whole || outer.turn.is_some() {
            return Err(Rule::Region.broken("tiles with gaps, panels or turned rows inside of each other"));
        }
        // Tiles of several accesses begin where the first of them does.
        let behind: Vec<i64> =
            tile.axes.iter().zip(&outer.axes).map(|(own, outer)| own.constant - outer.constant).collect();
        let start = self.start_in(outer, Some(tile), &behind, pos)?;
        let own = tile.layout.len() as u32;
        let shifted: Option<Vec<AffineExpr>> =
            start.map.results.iter().map(|expr| expr.shift(own, 0)).collect();
        let mut results = shifted.ok_or("an index function is too deep")?;
        // Where coefficients are negative, the tile does not start where its loops do.
        let inner = tile.axes.iter().zip(along(tile));
        for (result, (outer, (axis, index))) in results.iter_mut().zip(outer.axes.iter().zip(inner)) {
            let start = AffineExpr::add(outer.stored(result.clone()), (-axis.shift).into());
            *result = outer.stored(AffineExpr::add(start, axis.stored(index)));
        }
        let map = AffineMap::new(own + start.map.dims, 0, results).ok_or("an index function is too deep")?;
        Ok(Over { map, over: start.over })
    }

    /// A tile in pieces that lanes fit: storage dimension, then start, size and lanes of each
    ///
    /// Registers have no addresses: what fills and empties them takes the pieces that the loops inside take.
    pub fn strips(&self, n: usize, tile: &Footprint) -> Option<(usize, Vec<(i64, i64, i64)>)> {
        let last = tile.layout.len().checked_sub(1).filter(|_| tile.turn.is_none())?;
        let Part::Whole(e) = tile.layout[last] else { return None };
        let axis = tile.axes.get(e).filter(|axis| axis.gaps.is_none())?;
        let (dim, lanes) = self.plan.items[n..].iter().find_map(|item| match item {
            Item::Loop(one) if one.level == Level::Vector && axis.factors[one.dim] == 1 => {
                Some((one.dim, self.plan.sizes[one.dim][one.layer - 1]))
            }
            _ => None,
        })?;
        let (mut start, mut strips) = (0, Vec::new());
        if lanes < 2 {
            return None;
        }
        while start < axis.extent {
            let left = axis.extent - start;
            let (size, width) = if left >= lanes {
                (left / lanes * lanes, lanes)
            } else if self.partial(dim) {
                (left, left)
            } else {
                let power = 1 << left.ilog2();
                (power, power)
            };
            strips.push((start, size, width));
            start += size;
        }
        Some((last, strips))
    }

    /// Last coordinate that a dimension's loops reach, whole tiles or points that happen
    fn reached(&self, pos: &Position, dim: usize, tiles: bool) -> i64 {
        let (sizes, size) = (&pos.sizes[dim], self.c.dims[dim].size);
        let whole: i64 =
            (1..sizes.len()).map(|layer| (Plan::trip(sizes, layer).max(1) - 1) * sizes[layer]).sum();
        let overshoots = (tiles || self.padded(dim)) && !self.exact(pos, dim);
        if overshoots { pos.offsets[dim] + whole } else { size - 1 }
    }

    /// Do indices of the buffer outside stay in its shape? Of whole tiles, or of points that happen
    pub fn fits(&self, pos: &Position, exprs: &[AffineExpr], shape: &[i64], tiles: bool) -> bool {
        let reach: Vec<Range> = (0..self.c.dims.len())
            .map(|dim| Range::new(0, self.reached(pos, dim, tiles).max(0)).unwrap_or(Range::one(0)))
            .collect();
        exprs.iter().zip(shape).all(|(expr, size)| {
            terrace_analysis::range_of(expr, &reach)
                .is_some_and(|range| range.min() >= 0 && range.max() < *size)
        })
    }

    /// A dimension whose coordinates past its end have places of the result, which no point of the computation has
    pub fn spoils(
        &self,
        pos: &Position,
        exprs: &[AffineExpr],
        shape: &[i64],
        tile: Option<&Footprint>,
    ) -> Option<usize> {
        let reach: Vec<i64> =
            (0..self.c.dims.len()).map(|dim| self.reached(pos, dim, tile.is_some())).collect();
        (0..reach.len()).find(|dim| {
            let size = self.c.dims[*dim].size;
            let even = tile.is_some_and(|tile| tile.even[*dim]);
            if reach[*dim] < size || even || !exprs.iter().any(|expr| expr.uses_dim(*dim as u32)) {
                return false;
            }
            let range = |(other, last): (usize, &i64)| {
                Range::new(if other == *dim { size } else { 0 }, (*last).max(0)).unwrap_or(Range::one(0))
            };
            let past: Vec<Range> = reach.iter().enumerate().map(range).collect();
            exprs.iter().zip(shape).all(|(expr, size)| {
                terrace_analysis::range_of(expr, &past)
                    .is_none_or(|range| range.max() >= 0 && range.min() < *size)
            })
        })
    }
}

/// Places along each axis, from the variables of the tile's domain
fn along(tile: &Footprint) -> Vec<AffineExpr> {
    let mut along: Vec<AffineExpr> = vec![0.into(); tile.axes.len()];
    for (n, part) in tile.layout.iter().enumerate() {
        let var = AffineExpr::Dim(n as u32);
        let (e, term) = match part {
            Part::Whole(e) | Part::Mod(e, _) => (*e, var),
            Part::Div(e, by) => (*e, AffineExpr::mul(var, (*by).into())),
        };
        along[e] = AffineExpr::add(along[e].clone(), term);
    }
    along
}

fn sum(terms: &[AffineExpr]) -> AffineExpr {
    terms.iter().fold(AffineExpr::Constant(0), |sum, term| AffineExpr::add(sum, term.clone()))
}

/// Terms that are multiples of a panel's size, and the others
fn panels(terms: &[AffineExpr], by: i64, ranges: &[Range]) -> (AffineExpr, AffineExpr) {
    let (whole, rest): (Vec<_>, Vec<_>) = terms
        .iter()
        .cloned()
        .partition(|term| terrace_analysis::divides(by, term, Ranges { dims: ranges, symbols: &[] }));
    (sum(&whole), sum(&rest))
}
