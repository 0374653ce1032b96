//! Footprints: what a buffer of a step holds.
//!
//! A tile at a position holds what the loops inside reach, and, for a block's tile inside of its thread loops, what the
//! threads reach. Its index along a dimension of the buffer is the part of the coordinate that these loops make; where
//! they leave gaps and the dimension has a variable of its own, iteration numbers take the place of offsets.

use super::geometry::{Done, Geometry, Iv, Position};
use super::loops::{Item, Loop, Plan};
use super::turn::Turn;
use crate::broken::Rule;
use crate::nest::Index;
use crate::values::{Part, Placement, Tail};
use terrace_devices::{Per, Region};
use terrace_support::affine::AffineExpr;

/// A loop whose variable is part of the index
#[derive(Clone, Debug)]
pub(super) struct Varied {
    pub layer: usize,
    pub tile: i64,
    pub trip: i64,
    /// Distance in the tile of neighbouring iterations
    pub stride: i64,
}

/// A dimension of the buffer
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// Coefficients of the dimensions of the computation
    pub factors: Vec<i64>,
    pub constant: i64,
    pub extent: i64,
    /// Added so that indices start at 0 where coefficients are negative
    pub shift: i64,
    /// Is it stored from its end? Then loops that run down the buffer run up the tile, which processors fetch ahead
    pub mirrored: bool,
    /// Loops of the only dimension, with gaps between their offsets
    pub gaps: Option<(usize, Vec<Varied>)>,
}

impl Axis {
    /// Where the tile stores an index, and which index a place of it stores
    pub fn stored(&self, index: AffineExpr) -> AffineExpr {
        match self.mirrored {
            true => AffineExpr::sub((self.extent - 1).into(), index),
            false => index,
        }
    }
}

/// A buffer of a step
#[derive(Clone, Debug)]
pub struct Footprint {
    pub(super) axes: Vec<Axis>,
    /// Storage order
    pub layout: Vec<Part>,
    /// Variables that stay fixed, per dimension
    pub(super) fixed: Vec<Vec<Index>>,
    pub(super) offsets: Vec<i64>,
    threads: bool,
    /// How rows are stored so that a column is spread over banks
    pub(super) turn: Option<Turn>,
    /// Shape in storage
    pub shape: Vec<i64>,
    /// What smaller tiles inside have beyond its ends is dropped
    pub cut: bool,
    /// It is one of whole tiles: none reaches beyond the buffer
    pub whole: bool,
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

impl Footprint {
    /// Storage indices whose rows are turned as the tile stores them
    pub fn turned(&self, parts: &mut [AffineExpr], simple: impl Fn(AffineExpr) -> AffineExpr) {
        if let (Some(turn), Some(columns)) = (self.turn, self.shape.last()) {
            turn.apply(parts, *columns, simple);
        }
    }

    /// Is a placed loop's variable part of the index?
    pub(super) fn varies(&self, dim: usize, index: Index) -> bool {
        !self.fixed[dim].contains(&index)
    }

    /// A dimension that the last panel has less of than its size, and that size
    pub fn broken_panel(&self) -> Option<(usize, i64)> {
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

impl Geometry<'_> {
    /// The tile of an access at this item
    ///
    /// `more`: other accesses of the buffer, which differ by constants; the tile holds what all of them reach. `cut`: what smaller tiles inside
    /// have beyond its ends is dropped.
    pub fn footprint(
        &self,
        n: usize,
        pos: &Position,
        exprs: &[AffineExpr],
        more: &[&[AffineExpr]],
        (place, cut): (&Placement, bool),
    ) -> Done<Footprint> {
        let threads = place.region.is_shared();
        let outside = |iv: &&Iv| !(threads && iv.level.is_thread_like());
        let fixed: Vec<Vec<Index>> =
            pos.ivs.iter().map(|ivs| ivs.iter().filter(outside).map(|iv| iv.index).collect()).collect();
        let dims = self.c.dims.len();
        let inside = Inside { geometry: self, n, pos, loops: self.varied(n, pos, threads), cut };
        let mut axes = Vec::new();
        let (mut strided, mut torn, mut spills) = (false, false, None);
        for (axis, expr) in exprs.iter().enumerate() {
            let panel = place.layout.iter().any(|part| part.dim() == axis && *part != Part::Whole(axis));
            let mut axis = inside.axis(axis, expr, more)?;
            // Grids read the buffer in the order of the tile.
            let falls = axis.factors.iter().all(|factor| *factor <= 0) && axis.extent > 1;
            axis.mirrored = falls && !panel && matches!(place.region, Region::Cache(_));
            let used: Vec<usize> = (0..dims).filter(|dim| axis.factors[*dim] != 0).collect();
            strided |= inside.is_strided(&axis);
            torn |= axis.gaps.is_none() && used.iter().any(|dim| !neighbors(&inside.loops[*dim]));
            spills = spills.or(used.iter().copied().find(|dim| inside.spills(*dim)));
            axes.push(axis);
        }
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
        let turn = Turn::of(place, &shape)?;
        Ok(Footprint {
            even: (0..dims).map(|dim| inside.even(dim)).collect(),
            offsets: pos.offsets.clone(),
            registers: place.region == Region::Reg,
            axes,
            layout,
            fixed,
            threads,
            turn,
            shape,
            cut,
            whole: cut && exprs.iter().all(|expr| inside.ends_with(expr)),
            strided,
            torn,
            spills,
        })
    }

    /// Per dimension: loops whose variables are part of a tile's index
    fn varied(&self, n: usize, pos: &Position, threads: bool) -> Vec<Vec<Varied>> {
        let mut varied: Vec<Vec<Varied>> = Vec::with_capacity(self.c.dims.len());
        for dim in 0..self.c.dims.len() {
            // Any coordinate may be hit inside: no loop runs through them.
            let picked = self.picks.contains(&dim);
            if picked {
                let trip = self.c.dims[dim].size;
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
                    tile: pos.sizes[dim][layer],
                    trip: Plan::trip(&pos.sizes[dim], layer),
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
        varied
    }
}

/// The loops inside of a tile
struct Inside<'a> {
    geometry: &'a Geometry<'a>,
    /// The item that owns the tile
    n: usize,
    pos: &'a Position,
    /// Per dimension
    loops: Vec<Vec<Varied>>,
    /// What smaller tiles inside have beyond is dropped
    cut: bool,
}

impl Inside<'_> {
    /// What the tile holds along an axis of the buffer
    fn axis(&self, axis: usize, expr: &AffineExpr, more: &[&[AffineExpr]]) -> Done<Axis> {
        let dims = self.loops.len();
        let linear = expr
            .as_linear()
            .ok_or_else(|| Rule::Region.broken("a tile of an index function with quotients"))?;
        let factors: Vec<i64> = (0..dims).map(|dim| linear.dim(dim)).collect();
        let (mut constant, mut last) = (linear.constant, linear.constant);
        for other in more {
            let other = other.get(axis).and_then(AffineExpr::as_linear);
            let other = other.filter(|other| (0..dims).all(|dim| other.dim(dim) == factors[dim]));
            let other = other.ok_or_else(|| {
                Rule::Region
                    .broken("a tile of a buffer with several accesses, which differ by more than constants")
            })?;
            constant = constant.min(other.constant);
            last = last.max(other.constant);
        }
        let far = || Rule::Region.broken("accesses too far apart");
        let apart = last.checked_sub(constant).ok_or_else(far)?;
        let (mut extent, mut shift) = (1, 0);
        for (dim, factor) in factors.iter().enumerate() {
            let reach = self.reach(dim);
            extent += factor.abs() * reach;
            if *factor < 0 {
                shift += -factor * reach;
            }
        }
        let used: Vec<usize> = (0..dims).filter(|dim| factors[*dim] != 0).collect();
        // A remainder is at an offset, not in an iteration of its loop: then offsets are kept.
        let gaps = match used.as_slice() {
            [dim]
                if factors[*dim] == 1
                    && apart == 0
                    && self.geometry.tail(*dim) != Some(Tail::Peel)
                    && self.loops[*dim].iter().any(|one| one.stride != one.tile)
                    && !neighbors(&self.loops[*dim]) =>
            {
                extent = self.loops[*dim].iter().map(|one| one.trip).product();
                Some((*dim, self.loops[*dim].clone()))
            }
            _ => None,
        };
        let extent = extent.checked_add(apart).ok_or_else(far)?;
        Ok(Axis { factors, constant, extent, shift, mirrored: false, gaps })
    }

    /// Are there places between those that the loops inside reach? Each dimension must go on where those of smaller factors end
    fn is_strided(&self, axis: &Axis) -> bool {
        let moves = |dim: &usize| axis.factors[*dim] != 0 && !self.loops[*dim].is_empty();
        let mut moving: Vec<usize> = (0..self.loops.len()).filter(moves).collect();
        moving.sort_by_key(|dim| axis.factors[*dim].abs());
        let mut reached = 1;
        moving.iter().any(|dim| {
            let apart = axis.factors[*dim].abs() > reached;
            reached += axis.factors[*dim].abs() * self.reach(*dim);
            apart
        })
    }

    /// How far the loops of a dimension reach
    fn reach(&self, dim: usize) -> i64 {
        let loops = &self.loops[dim];
        let reach: i64 = loops.iter().map(|one| (one.trip - 1) * one.tile).sum();
        match loops.first() {
            Some(first) if self.geometry.exact(self.pos, dim) || self.within(dim) => {
                reach.min(self.pos.sizes[dim][first.layer - 1] - 1)
            }
            _ => reach,
        }
    }

    /// Do limits keep what these loops reach inside of the tile that they walk through? They are all that do, and no smaller
    /// tile inside is copied as a whole
    fn within(&self, dim: usize) -> bool {
        let (geometry, loops, sizes) = (self.geometry, &self.loops[dim], &self.pos.sizes[dim]);
        let limited = !geometry.padded(dim) && geometry.tail(dim) != Some(Tail::Peel);
        let alone =
            self.cut || !geometry.plan.items[self.n + 1..].iter().any(|item| matches!(item, Item::Owner(_)));
        let Some(first) = loops.first().filter(|_| limited && alone) else { return false };
        (first.layer..sizes.len())
            .filter(|layer| Plan::trip(sizes, *layer) > 1)
            .eq(loops.iter().map(|one| one.layer))
    }

    /// Does the last of a dimension's tiles go on into what is another's?
    fn spills(&self, dim: usize) -> bool {
        let sizes = &self.pos.sizes[dim];
        let first = self.loops[dim].first();
        let Some(first) = first.filter(|_| !self.geometry.exact(self.pos, dim)) else { return false };
        let own = sizes[first.layer - 1].max(1);
        let within = self.within(dim);
        Geometry::uneven(sizes).any(|layer| {
            let above = sizes[layer - 1];
            let inside = first.layer <= layer;
            above != self.geometry.c.dims[dim].size && (inside && !within || !inside && above % own != 0)
        })
    }

    /// Is every dimension that moves an index cut into whole tiles, none of which reaches beyond?
    fn ends_with(&self, expr: &AffineExpr) -> bool {
        let moves = |dim: &usize| expr.uses_dim(*dim as u32);
        (0..self.loops.len()).filter(moves).all(|dim| {
            let own = self.loops[dim].first().map_or(1, |first| self.pos.sizes[dim][first.layer - 1]);
            let whole = self.geometry.c.dims[dim].size % own.max(1) == 0;
            whole && (self.even(dim) || self.geometry.exact(self.pos, dim))
        })
    }

    /// Is a dimension cut into whole tiles?
    fn even(&self, dim: usize) -> bool {
        let (sizes, size) = (&self.pos.sizes[dim], self.geometry.c.dims[dim].size);
        let Some(first) = self.loops[dim].first() else { return !self.geometry.padded(dim) };
        size % sizes[first.layer - 1].max(1) == 0
            && (self.within(dim) || Geometry::uneven(sizes).all(|layer| layer < first.layer))
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
            return Err(Rule::Layout
                .broken(format!("dimension {} is not there once, or not as `/n` and `%n`", e + 1)));
        }
    }
    match layout.iter().find(|part| part.dim() >= rank) {
        Some(part) => Err(Rule::Layout.broken(format!("the buffer has no dimension {}", part.dim() + 1))),
        None => Ok(()),
    }
}
