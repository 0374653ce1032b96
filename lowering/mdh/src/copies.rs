//! Copies between tiles and what is around them.

use crate::nest::{Nest, State};
use crate::scalar;
use crate::tile::Tile;
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{self as sched, CopySpec, Level};
use terrace_ir::Value;
use terrace_schedule_model::Part;
use terrace_support::affine::{AffineExpr, AffineMap};

/// What a copy does with a tile
pub(crate) enum Copied {
    /// It fills the tile, from a buffer or with a value
    In {
        src: Value,
        from: Option<Access>,
        /// Elements outside of the buffer are zero
        edges: bool,
    },
    /// It empties the tile
    Out {
        dst: Value,
        to: Access,
        /// Elements outside of the buffer are dropped
        edges: bool,
        combine: Option<sched::Operator>,
    },
}

impl Nest<'_> {
    /// Copy a tile that a step owns
    pub(crate) fn copy_tile(&mut self, n: usize, layer: usize, st: &State, tile: &Tile, copied: Copied) {
        let label = self.plan.steps[layer - 1].label as i64;
        let step = Some((layer as i64, label));
        let per = tile.of.per();
        let shape = tile.of.shape.clone();
        let (whole, out) = match copied {
            Copied::In { src, from, edges } => {
                let padding = edges.then(|| {
                    let cx = self.ir.cx();
                    let elem = self.ir.ty(tile.memref).element(cx).unwrap_or(cx.common().f32);
                    let zero = if elem.is_float(cx) { cx.float_attr(0, elem) } else { cx.int_attr(0, elem) };
                    scalar::constant(&mut self.b(st.at), zero)
                });
                let sides = CopySpec::new(shape, (src, from), (tile.memref, own(tile)));
                (CopySpec { padding, per, step, ..sides }, None)
            }
            Copied::Out { dst, to, edges, combine } => {
                let sides = CopySpec::new(shape, (tile.memref, Some(own(tile))), (dst, to));
                let out = self.dests.iter().position(|dest| *dest == dst);
                (CopySpec { per, step, clip: edges, combine, ..sides }, out)
            }
        };
        let past = out.is_some_and(|out| self.plan.past.contains(&(out as i64)) && whole.combine.is_none());
        let past = past.then(|| self.ir.cx().common().unit);
        let strips = self.geometry.strips(n, &tile.of).filter(|_| tile.of.registers && per.is_none());
        let copies = match strips {
            None => vec![across(whole, tile)],
            Some((dim, strips)) => strips.into_iter().map(|strip| part(&whole, dim, strip)).collect(),
        };
        for copy in copies {
            let copy = copy.build(&mut self.b(st.at));
            self.ir.set_discardable(copy.0, sched::NONTEMPORAL, past);
        }
    }
}

/// A strip of a copy along a dimension, on lanes: start, size and lanes
fn part(whole: &CopySpec, dim: usize, (start, size, lanes): (i64, i64, i64)) -> CopySpec {
    let mut strip = whole.clone();
    strip.domain[dim] = size;
    strip.by = vec![sched::By::Level(Level::Unroll); strip.domain.len()];
    strip.by[dim] = sched::By::Vector(lanes);
    for access in strip.from.iter_mut().chain([&mut strip.to]) {
        let dims: Vec<AffineExpr> = (0..access.map.dims)
            .map(|d| match d as usize == dim {
                true => AffineExpr::add(AffineExpr::Dim(d), start.into()),
                false => AffineExpr::Dim(d),
            })
            .collect();
        let results: Option<Vec<AffineExpr>> =
            access.map.results.iter().map(|expr| expr.replace(&dims, &[])).collect();
        if let Some(map) = results.and_then(|results| AffineMap::new(access.map.dims, 0, results)) {
            access.map = map;
        }
    }
    strip
}

/// A copy of panels row by row of what they are cut from, all panels at once: long stretches of it are read in order
fn across(copy: CopySpec, tile: &Tile) -> CopySpec {
    let last = tile.of.layout.len().saturating_sub(1);
    let panel = match tile.of.layout.last() {
        Some(Part::Mod(e, _)) => {
            tile.of.layout.iter().position(|part| matches!(part, Part::Div(of, _) if of == e))
        }
        _ => None,
    };
    // Where neighbors of the source are not neighbors of a panel, squares of both are exchanged (`scf-transpose-copies`).
    let rows = copy.from.as_ref().and_then(|from| from.map.results.last());
    let along_rows = rows.is_none_or(|row| row.uses_dim(last as u32));
    let several = |panel: &usize| panel + 1 < last && copy.domain.len() == last + 1 && along_rows;
    let Some(panel) = panel.filter(several) else {
        return copy;
    };
    // Where each old variable goes.
    let place = |n: usize| match n {
        _ if n == panel => last - 1,
        _ if n > panel && n < last => n - 1,
        _ => n,
    };
    let moved = |access: &Access| {
        let dims: Vec<AffineExpr> = (0..access.map.dims)
            .map(|n| AffineExpr::Dim(if n as usize <= last { place(n as usize) as u32 } else { n }))
            .collect();
        let results: Option<Vec<AffineExpr>> =
            access.map.results.iter().map(|expr| expr.replace(&dims, &[])).collect();
        let map = AffineMap::new(access.map.dims, 0, results?)?;
        Some(Access { map, values: access.values.clone() })
    };
    let from = match copy.from.as_ref().map(moved) {
        Some(None) => return copy,
        Some(from) => from,
        None => None,
    };
    let Some(to) = moved(&copy.to) else { return copy };
    let mut domain = copy.domain.clone();
    for (n, size) in copy.domain.iter().enumerate() {
        domain[place(n)] = *size;
    }
    CopySpec { domain, from, to, ..copy }
}

/// A tile's own elements, by the variables of its domain
fn own(tile: &Tile) -> Access {
    let mut map = AffineMap::identity(tile.of.shape.len() as u32);
    tile.of.turned(&mut map.results, |expr| expr);
    Access { map, values: Vec::new() }
}
