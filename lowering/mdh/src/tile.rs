//! Tiles: what a buffer of a step holds, by the footprint rule.
//!
//! A tile at a position holds what the loops inside reach, and, for a block's tile inside of its thread loops, what the
//! threads reach. Its index along a dimension of the buffer is the part of the coordinate that these loops make; where
//! they leave gaps and the dimension has a variable of its own, iteration numbers take the place of offsets.

use crate::nest::{Done, Iv, Nest, State};
use terrace_analysis::{Range, Ranges, simplify_with_ranges};
use terrace_devices::Region;
use terrace_dialect_mdh::schedule::{Part, Placement, Tail};
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{Level, Per};
use terrace_ir::{Attr, Context, Value};
use terrace_schedule_model::apply::{Item, Loop, Plan};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A loop whose variable is part of the index
#[derive(Clone, Debug)]
struct Varied {
    layer: usize,
    tile: i64,
    trip: i64,
    /// Distance in the tile of neighbouring iterations
    stride: i64,
}

/// A dimension of the buffer
#[derive(Clone, Debug)]
struct Axis {
    /// Coefficients of the dimensions of the computation
    factors: Vec<i64>,
    constant: i64,
    extent: i64,
    /// Added so that indices start at 0 where coefficients are negative
    shift: i64,
    /// Loops of the only dimension, with gaps between their offsets
    gaps: Option<(usize, Vec<Varied>)>,
}

/// A buffer of a step
#[derive(Clone, Debug)]
pub struct Tile {
    /// The buffer
    pub memref: Value,
    axes: Vec<Axis>,
    pub(crate) layout: Vec<Part>,
    /// Variables that stay fixed, per dimension
    fixed: Vec<Vec<Value>>,
    offsets: Vec<i64>,
    threads: bool,
    /// How rows are stored so that a column is spread over banks
    turn: Option<Turn>,
    /// Shape in storage
    pub shape: Vec<i64>,
    /// Between its elements are places that no point has
    pub strided: bool,
    /// Between its elements are others', of loops around
    pub torn: bool,
    /// A dimension whose last tile goes on into the next tile of a loop around
    pub spills: Option<usize>,
    /// Dimensions that are whole tiles of this size
    pub even: Vec<bool>,
    /// It is in registers of a processor, which have no addresses
    pub registers: bool,
}

/// How the rows of a tile are stored
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// Each turned by so many elements against the one before
    By(i64),
    /// Groups of so many elements change places: the last bits of a group's number are taken exclusive or the row's
    Exchange { group: i64, bits: u32 },
}

/// Banks of shared memory, as a power of two: more bits of a row's number spread nothing
const BANK_BITS: u32 = 5;

impl Turn {
    fn of(place: &Placement, columns: i64) -> Done<Option<Turn>> {
        let (Some(group), None) = (place.words.xor, place.words.swizzle) else {
            return Ok(place.words.swizzle.map(Turn::By));
        };
        let power = |n: i64| n > 0 && n.count_ones() == 1;
        if !power(group) || !power(columns) || group > columns {
            return Err(format!(
                "S-WORD: `{place}`: groups of {group} in rows of {columns}; both are powers of two for `xor`, and a row has \
                 several groups; `swizzle` takes any"
            ));
        }
        let bits = (columns / group).trailing_zeros().min(BANK_BITS);
        Ok(Some(Turn::Exchange { group, bits }))
    }
}

/// A column of a row whose groups are exchanged: affine, since a sum is odd where one of two bits is set
fn exchanged(row: &AffineExpr, column: &AffineExpr, (group, bits): (i64, u32), columns: i64) -> AffineExpr {
    let part = |of: &AffineExpr, by: i64| AffineExpr::floor_div(of.clone(), by.into());
    let inside = AffineExpr::modulo(column.clone(), group.into());
    let exchanged = (0..bits).fold(inside, |at, bit| {
        let both = AffineExpr::add(part(column, group << bit), part(row, 1 << bit));
        let odd = AffineExpr::modulo(both, 2.into());
        AffineExpr::add(at, AffineExpr::mul(odd, (group << bit).into()))
    });
    match group << bits {
        beyond if beyond < columns => {
            AffineExpr::add(AffineExpr::mul(part(column, beyond), beyond.into()), exchanged)
        }
        _ => exchanged,
    }
}

/// Space of a region's buffers; `None` if it is no region of ours
pub fn space(cx: &Context, region: Region) -> Option<Attr> {
    let gpu = |value: u64, word: &str| match cx.enum_def("gpu.address_space") {
        Some(def) => cx.enum_attr(def, value),
        None => cx.str_attr(word),
    };
    match region {
        Region::Mm | Region::Dm | Region::Dev => None,
        Region::Cache(_) | Region::Reg => Some(cx.str_attr(&region.word().to_ascii_lowercase())),
        Region::Sm | Region::Shr => Some(gpu(2, "workgroup")),
        Region::Rm => Some(gpu(3, "private")),
    }
}

impl Tile {
    /// Is a placed loop's variable part of the index?
    fn varies(&self, dim: usize, value: Value) -> bool {
        !self.fixed[dim].contains(&value)
    }

    /// Turn the rows of storage indices: `[.., r, c]` becomes `[.., r, (c + turn·r) mod columns]`, or the group of `c` is
    /// exchanged for the one whose number is its own `xor r`
    pub(crate) fn turned(&self, parts: &mut [AffineExpr], simple: impl Fn(AffineExpr) -> AffineExpr) {
        let (Some(turn), [.., row, column], Some(columns)) = (self.turn, parts, self.shape.last()) else {
            return;
        };
        *column = match turn {
            Turn::By(turn) => {
                let moved = AffineExpr::add(column.clone(), AffineExpr::mul(row.clone(), turn.into()));
                simple(AffineExpr::modulo(moved, (*columns).max(1).into()))
            }
            // As it is: what is simpler to compute is not to read, and found below again.
            Turn::Exchange { group, bits } => exchanged(row, column, (group, bits), *columns),
        };
    }

    /// A dimension that the last panel has less of than its size, and that size
    pub(crate) fn broken_panel(&self) -> Option<(usize, i64)> {
        self.layout.iter().find_map(|part| match part {
            Part::Div(e, by) if self.axes[*e].extent % (*by).max(1) != 0 => Some((*e, *by)),
            _ => None,
        })
    }

    /// Who owns it, if not the iteration around
    pub fn per(&self) -> Option<Per> {
        self.threads.then_some(Per::Block)
    }
}

impl Nest<'_> {
    /// The tile of an access at this item; its buffer is still to be made
    ///
    /// `more`: other accesses of the buffer, which differ by constants; the tile holds what all of them reach.
    pub(crate) fn tile(
        &self,
        n: usize,
        st: &State,
        exprs: &[AffineExpr],
        more: &[&[AffineExpr]],
        place: &Placement,
        stand_in: Value,
    ) -> Done<Tile> {
        let threads = place.region.is_shared();
        let outside = |iv: &&Iv| !(threads && iv.level.is_thread_like());
        let fixed: Vec<Vec<Value>> =
            st.ivs.iter().map(|ivs| ivs.iter().filter(outside).map(|iv| iv.value).collect()).collect();
        let dims = self.view.dims.len();
        let mut varied: Vec<Vec<Varied>> = Vec::with_capacity(dims);
        for dim in 0..dims {
            // Any coordinate may be hit inside: no loop runs through them.
            let picked =
                self.scatter.as_ref().is_some_and(|scatter| scatter.picks.iter().any(|pick| pick.dim == dim));
            if picked {
                let trip = self.view.dims[dim].size;
                varied.push(vec![Varied { layer: 1, tile: 1, trip, stride: 1 }]);
                continue;
            }
            let mut layers: Vec<usize> = Vec::new();
            for (at, item) in self.plan.items.iter().enumerate() {
                let Item::Loop(Loop { dim: of, layer, level, .. }) = item else { continue };
                if *of == dim && (at > n || threads && level.is_thread_like()) {
                    layers.push(*layer);
                }
            }
            layers.sort_unstable();
            let mut all: Vec<Varied> = layers
                .into_iter()
                .map(|layer| Varied {
                    layer,
                    tile: st.sizes[dim][layer],
                    trip: Plan::trip(&st.sizes[dim], layer),
                    stride: 0,
                })
                .filter(|one| one.trip > 1)
                .collect();
            let mut stride = 1;
            for one in all.iter_mut().rev() {
                one.stride = stride;
                stride *= one.trip;
            }
            varied.push(all);
        }
        let mut axes = Vec::new();
        let (mut strided, mut torn, mut spills) = (false, false, None);
        for (axis, expr) in exprs.iter().enumerate() {
            let linear = expr.as_linear().ok_or("S-REGION: a tile of an index function with quotients")?;
            let factors: Vec<i64> = (0..dims).map(|dim| linear.dim(dim)).collect();
            let (mut constant, mut last) = (linear.constant, linear.constant);
            for other in more {
                let other = other.get(axis).and_then(AffineExpr::as_linear);
                let other = other.filter(|other| (0..dims).all(|dim| other.dim(dim) == factors[dim])).ok_or(
                    "S-REGION: a tile of a buffer with several accesses, which differ by more than constants",
                )?;
                constant = constant.min(other.constant);
                last = last.max(other.constant);
            }
            let apart = last.checked_sub(constant).ok_or("S-REGION: accesses too far apart")?;
            let (mut extent, mut shift) = (1, 0);
            for (dim, (factor, loops)) in factors.iter().zip(&varied).enumerate() {
                let mut reach: i64 = loops.iter().map(|one| (one.trip - 1) * one.tile).sum();
                if let (Some(first), true) =
                    (loops.first(), self.exact(st, dim) || self.within(n, st, dim, loops))
                {
                    reach = reach.min(st.sizes[dim][first.layer - 1] - 1);
                }
                extent += factor.abs() * reach;
                if *factor < 0 {
                    shift += -factor * reach;
                }
            }
            let used: Vec<usize> = (0..dims).filter(|dim| factors[*dim] != 0).collect();
            // A rest is at an offset, not in an iteration of its loop: then offsets are kept.
            let gaps = match used.as_slice() {
                [dim]
                    if factors[*dim] == 1
                        && apart == 0
                        && self.tail(*dim) != Some(Tail::Peel)
                        && varied[*dim].iter().any(|one| one.stride != one.tile)
                        && !neighbors(&varied[*dim]) =>
                {
                    extent = varied[*dim].iter().map(|one| one.trip).product();
                    Some((*dim, varied[*dim].clone()))
                }
                _ => None,
            };
            strided |= used.iter().any(|dim| factors[*dim].abs() > 1 && !varied[*dim].is_empty());
            torn |= gaps.is_none() && used.iter().any(|dim| !neighbors(&varied[*dim]));
            spills = spills.or(used.iter().copied().find(|dim| self.spills(n, st, *dim, &varied[*dim])));
            extent = extent.checked_add(apart).ok_or("S-REGION: accesses too far apart")?;
            axes.push(Axis { factors, constant, extent, shift, gaps });
        }
        let even = (0..dims).map(|dim| self.even(n, st, dim, &varied[dim])).collect();
        let layout = if place.layout.is_empty() {
            (0..axes.len()).map(Part::Whole).collect()
        } else {
            place.layout.clone()
        };
        check_layout(&layout, axes.len())?;
        let shape: Vec<i64> = layout
            .iter()
            .map(|part| match part {
                Part::Whole(e) => axes[*e].extent,
                Part::Div(e, by) => (axes[*e].extent as u64).div_ceil(*by as u64) as i64,
                Part::Mod(_, by) => *by,
            })
            .collect();
        if (place.words.swizzle.is_some() || place.words.xor.is_some()) && layout.len() < 2 {
            let word = if place.words.xor.is_some() {
                "`xor` exchanges parts of rows"
            } else {
                "`swizzle` turns rows"
            };
            return Err(format!("S-WORD: `{place}` has one dimension in storage; {word}"));
        }
        let turn = Turn::of(place, shape.last().copied().unwrap_or(1))?;
        let offsets = st.offsets.clone();
        Ok(Tile {
            memref: stand_in,
            axes,
            layout,
            fixed,
            offsets,
            threads,
            turn,
            shape,
            strided,
            torn,
            even,
            spills,
            registers: place.region == Region::Reg,
        })
    }

    /// Do limits keep what these loops reach inside of the tile that they walk through? They are all that do, and no smaller
    /// tile inside is copied as a whole
    fn within(&self, n: usize, st: &State, dim: usize, loops: &[Varied]) -> bool {
        let limited = !self.padded(dim) && self.tail(dim) != Some(Tail::Peel);
        let alone = !self.plan.items[n + 1..].iter().any(|item| matches!(item, Item::Owner(_)));
        let Some(first) = loops.first().filter(|_| limited && alone) else { return false };
        (first.layer..st.sizes[dim].len())
            .filter(|layer| Plan::trip(&st.sizes[dim], *layer) > 1)
            .eq(loops.iter().map(|one| one.layer))
    }

    /// Does the last of a dimension's tiles go on into what is another's? `loops` are those inside of the tile
    fn spills(&self, n: usize, st: &State, dim: usize, loops: &[Varied]) -> bool {
        let sizes = &st.sizes[dim];
        let Some(first) = loops.first().filter(|_| !self.exact(st, dim)) else { return false };
        let own = sizes[first.layer - 1].max(1);
        let within = self.within(n, st, dim, loops);
        Self::uneven(sizes).any(|layer| {
            let above = sizes[layer - 1];
            let inside = first.layer <= layer;
            above != self.view.dims[dim].size && (inside && !within || !inside && above % own != 0)
        })
    }

    /// Is a dimension cut into whole tiles, `loops` those inside of one?
    fn even(&self, n: usize, st: &State, dim: usize, loops: &[Varied]) -> bool {
        let (sizes, size) = (&st.sizes[dim], self.view.dims[dim].size);
        let Some(first) = loops.first() else { return !self.padded(dim) };
        size % sizes[first.layer - 1].max(1) == 0
            && (self.within(n, st, dim, loops) || Self::uneven(sizes).all(|layer| layer < first.layer))
    }

    /// Where the tile holds what the loops placed so far reach
    pub(crate) fn inside_tile(&self, tile: &Tile, exprs: &[AffineExpr], st: &State) -> Done<Access> {
        // How far behind the first of several accesses this one is.
        let behind = exprs.iter().zip(&tile.axes).map(|(expr, axis)| {
            expr.as_linear().map_or(0, |linear| linear.constant.saturating_sub(axis.constant))
        });
        self.start_in(tile, None, &behind.collect::<Vec<_>>(), st)
    }

    /// The same, where loops that an inner tile holds all of do not count: where that tile begins
    fn start_in(&self, tile: &Tile, inner: Option<&Tile>, behind: &[i64], st: &State) -> Done<Access> {
        let counts = |dim: usize, value: Value| {
            tile.varies(dim, value) && inner.is_none_or(|inner| !inner.varies(dim, value))
        };
        let mut dims = Dims::default();
        let mut ranges: Vec<Range> = Vec::new();
        // Variables that were fixed and are gone: the coordinate is a rest's, counted from the tile's start.
        let mut gone: Vec<Vec<Value>> = Vec::new();
        for (dim, ivs) in st.ivs.iter().enumerate() {
            for iv in ivs.iter().filter(|iv| counts(dim, iv.value)) {
                dims.value(iv.value);
                ranges.push(iv.range());
            }
            let here = |value: &Value| ivs.iter().any(|iv| iv.value == *value);
            gone.push(tile.fixed[dim].iter().copied().filter(|value| !here(value)).collect());
        }
        for value in gone.iter().flatten() {
            dims.value(*value);
        }
        ranges.resize(dims.values.len(), Range::ALL);
        let mut along: Vec<Vec<AffineExpr>> = Vec::new();
        for (axis, behind) in tile.axes.iter().zip(behind.iter().copied().chain(std::iter::repeat(0))) {
            let mut terms = vec![AffineExpr::Constant(axis.shift.saturating_add(behind))];
            match &axis.gaps {
                Some((dim, loops)) => {
                    for iv in &st.ivs[*dim] {
                        let Some(one) = loops.iter().find(|one| one.layer == iv.layer) else { continue };
                        if counts(*dim, iv.value) {
                            let number = AffineExpr::floor_div(dims.value(iv.value), one.tile.into());
                            terms.push(AffineExpr::mul(number, one.stride.into()));
                        }
                    }
                }
                None => {
                    for (dim, factor) in axis.factors.iter().enumerate().filter(|(_, factor)| **factor != 0) {
                        terms.push((factor * (st.offsets[dim] - tile.offsets[dim])).into());
                        for iv in st.ivs[dim].iter().filter(|iv| counts(dim, iv.value)) {
                            terms.push(AffineExpr::mul(dims.value(iv.value), (*factor).into()));
                        }
                        for value in &gone[dim] {
                            terms.push(AffineExpr::mul(dims.value(*value), (-*factor).into()));
                        }
                    }
                }
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
        crate::nest::compact(dims, parts).ok_or_else(|| "an index function is too deep".into())
    }

    /// The tile's domain: where its elements come from or go to in the buffer outside, domain variables first
    pub(crate) fn outside_tile(&self, tile: &Tile, st: &State) -> Done<Vec<AffineExpr>> {
        // Index along each axis from the variables of the domain.
        let mut along: Vec<AffineExpr> = vec![0.into(); tile.axes.len()];
        for (n, part) in tile.layout.iter().enumerate() {
            let var = AffineExpr::Dim(n as u32);
            let (e, term) = match part {
                Part::Whole(e) | Part::Mod(e, _) => (*e, var),
                Part::Div(e, by) => (*e, AffineExpr::mul(var, (*by).into())),
            };
            along[e] = AffineExpr::add(along[e].clone(), term);
        }
        let mut all = Vec::new();
        for (axis, index) in tile.axes.iter().zip(along) {
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
        let _ = st;
        Ok(all)
    }

    /// As [`Self::outside_tile`], with the variables that stay fixed: an access of the buffer outside
    pub(crate) fn base(&self, tile: &Tile, st: &State) -> Done<Access> {
        let mut dims = Dims::with_domain(tile.layout.len());
        let mut results = self.outside_tile(tile, st)?;
        for (result, axis) in results.iter_mut().zip(&tile.axes) {
            for (dim, ivs) in st.ivs.iter().enumerate() {
                for iv in ivs {
                    if axis.factors[dim] != 0 && !tile.varies(dim, iv.value) {
                        let term = AffineExpr::mul(dims.value(iv.value), axis.factors[dim].into());
                        *result = AffineExpr::add(term, result.clone());
                    }
                }
            }
        }
        dims.access(results).ok_or_else(|| "an index function is too deep".into())
    }

    /// As [`Self::base`], but inside of a tile further out
    pub(crate) fn base_in(&self, tile: &Tile, outer: &Tile, st: &State) -> Done<Access> {
        // The outer tile's index of the inner tile's start, plus the inner index: axes without gaps and layouts only.
        let plain = |tile: &Tile| tile.axes.iter().all(|axis| axis.gaps.is_none());
        let whole = outer.layout.iter().enumerate().all(|(n, part)| *part == Part::Whole(n));
        if !plain(outer) || !plain(tile) || !whole || outer.turn.is_some() {
            return Err("S-REGION: tiles with gaps, panels or turned rows inside of each other".into());
        }
        // Tiles of several accesses begin where the first of them does.
        let behind: Vec<i64> =
            tile.axes.iter().zip(&outer.axes).map(|(own, outer)| own.constant - outer.constant).collect();
        let start = self.start_in(outer, Some(tile), &behind, st)?;
        let own = tile.layout.len() as u32;
        let shifted: Option<Vec<AffineExpr>> =
            start.map.results.iter().map(|expr| expr.shift(own, 0)).collect();
        let mut results = shifted.ok_or("an index function is too deep")?;
        // Where coefficients are negative, the tile does not start where its loops do.
        for (result, axis) in results.iter_mut().zip(&tile.axes) {
            *result = AffineExpr::add(result.clone(), (-axis.shift).into());
        }
        for (n, part) in tile.layout.iter().enumerate() {
            let var = AffineExpr::Dim(n as u32);
            let (e, term) = match part {
                Part::Whole(e) | Part::Mod(e, _) => (*e, var),
                Part::Div(e, by) => (*e, AffineExpr::mul(var, (*by).into())),
            };
            results[e] = AffineExpr::add(results[e].clone(), term);
        }
        let map = AffineMap::new(own + start.map.dims, 0, results).ok_or("an index function is too deep")?;
        Ok(Access { map, values: start.values })
    }

    /// A tile in pieces that lanes fit: storage dimension, then start, size and lanes of each
    ///
    /// Registers have no addresses: what fills and empties them takes the pieces that the loops inside take.
    pub(crate) fn strips(&self, n: usize, tile: &Tile) -> Option<(usize, Vec<(i64, i64, i64)>)> {
        let last = tile.layout.len().checked_sub(1).filter(|_| tile.turn.is_none())?;
        let Part::Whole(e) = tile.layout[last] else { return None };
        let axis = tile.axes.get(e).filter(|axis| axis.gaps.is_none())?;
        let lanes = self.plan.items[n..].iter().find_map(|item| match item {
            Item::Loop(one) if one.level == Level::Vector && axis.factors[one.dim] == 1 => {
                Some(self.plan.sizes[one.dim][one.layer - 1])
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
    fn reached(&self, st: &State, dim: usize, tiles: bool) -> i64 {
        let (sizes, size) = (&st.sizes[dim], self.view.dims[dim].size);
        let whole: i64 =
            (1..sizes.len()).map(|layer| (Plan::trip(sizes, layer).max(1) - 1) * sizes[layer]).sum();
        let overshoots = (tiles || self.padded(dim)) && !self.exact(st, dim);
        if overshoots { st.offsets[dim] + whole } else { size - 1 }
    }

    /// Do indices of the buffer outside stay in its shape? Of whole tiles, or of points that happen
    pub(crate) fn fits(&self, st: &State, exprs: &[AffineExpr], shape: &[i64], tiles: bool) -> bool {
        let reach: Vec<Range> = (0..self.view.dims.len())
            .map(|dim| Range::new(0, self.reached(st, dim, tiles).max(0)).unwrap_or(Range::one(0)))
            .collect();
        exprs.iter().zip(shape).all(|(expr, size)| {
            terrace_analysis::range_of(expr, &reach)
                .is_some_and(|range| range.min() >= 0 && range.max() < *size)
        })
    }

    /// A dimension whose coordinates past its end have places of the result, which no point of the computation has
    pub(crate) fn spoils(
        &self,
        st: &State,
        exprs: &[AffineExpr],
        shape: &[i64],
        tile: Option<&Tile>,
    ) -> Option<usize> {
        let reach: Vec<i64> =
            (0..self.view.dims.len()).map(|dim| self.reached(st, dim, tile.is_some())).collect();
        (0..reach.len()).find(|dim| {
            let size = self.view.dims[*dim].size;
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

/// Do these loops, from the outermost in, reach every offset between their first and their last?
fn neighbors(loops: &[Varied]) -> bool {
    let mut reached = 1;
    loops.iter().rev().all(|one| {
        let near = one.tile <= reached;
        reached += (one.trip - 1) * one.tile;
        near
    })
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

/// S-LAYOUT: every dimension once, as it is or as both parts by one number
fn check_layout(layout: &[Part], rank: usize) -> Done<()> {
    for e in 0..rank {
        let parts: Vec<&Part> = layout.iter().filter(|part| part.dim() == e).collect();
        let fine = match parts.as_slice() {
            [Part::Whole(_)] => true,
            [Part::Div(_, a), Part::Mod(_, b)] | [Part::Mod(_, a), Part::Div(_, b)] => a == b,
            _ => false,
        };
        if !fine {
            return Err(format!("S-LAYOUT: dimension {} is not there once, or not as `/n` and `%n`", e + 1));
        }
    }
    match layout.iter().find(|part| part.dim() >= rank) {
        Some(part) => Err(format!("S-LAYOUT: the buffer has no dimension {}", part.dim() + 1)),
        None => Ok(()),
    }
}
