//! Symmetric results: tiles below the diagonal are not computed but copied.
//!
//! Loops over rows end at the last row of the tile of columns around them, in whole tiles. When all is computed, squares below
//! the diagonal are copied from above it, with rows and columns exchanged. Squares divide tiles of columns, so that those on the
//! diagonal are computed whole.

use super::geometry::{Done, Form, Geometry, Over, Position, Vars};
use super::loops::{Item, Loop, Plan};
use super::results::{Side, identity};
use super::state::{State, Walk};
use crate::nest::{Buffer, Index, Made, Open, Use};
use crate::nest_combine::Tail as LoopTail;
use crate::values::Tail;
use std::sync::Arc;
use terrace_devices::{Level, Region};
use terrace_support::affine::AffineExpr;
use terrace_support::number::gcd;

/// Most bytes of a square: first caches hold it next to what it is copied from
const SQUARE: i64 = 16 << 10;

/// The copies of a symmetric result: loops outside of them, from the outermost, and their squares
#[derive(Clone, PartialEq, Debug)]
pub struct Reflection {
    rows: usize,
    columns: usize,
    /// Elements of a side
    pub side: i64,
    /// Dimensions of the loops around: others that are kept, then columns and rows
    dims: Vec<usize>,
    /// Who runs them, but for those over rows
    level: Level,
}

impl Geometry<'_> {
    /// A loop over rows of a symmetric result ends with the tile of columns around it; rows are computed in whole tiles
    pub(super) fn above_diagonal(&self, one: &Loop, mut form: Form, pos: &Position) -> Done<Form> {
        let Some([rows, columns]) = self.c.symmetric.filter(|[rows, _]| bounds_rows(one, *rows)) else {
            return Ok(form);
        };
        let Some(tile) = self.placed_tile(columns, pos) else { return Ok(form) };
        let mut vars = Vars::default();
        let mut start = |dim: usize| {
            let offset = AffineExpr::Constant(pos.offsets[dim]);
            pos.ivs[dim].iter().fold(offset, |sum, iv| AffineExpr::add(sum, vars.of(iv.index)))
        };
        let mut left = AffineExpr::sub(AffineExpr::add(start(columns), tile.into()), start(rows));
        if form.tail == Some(LoopTail::Peel) {
            let by = AffineExpr::Constant(form.tile);
            left = AffineExpr::mul(AffineExpr::ceil_div(left, by.clone()), by);
        }
        let more = vars.map(vec![left]).ok_or("a bound is too deep")?;
        form.limit = Some(Self::both(form.limit, more)?);
        Ok(form)
    }

    /// Coordinates of a dimension from its loops placed so far on
    fn placed_tile(&self, dim: usize, pos: &Position) -> Option<i64> {
        let mut tile = None;
        for layer in (1..pos.sizes[dim].len()).filter(|layer| Plan::trip(&self.plan.sizes[dim], *layer) != 1)
        {
            match pos.ivs[dim].iter().find(|iv| iv.layer == layer) {
                Some(iv) => tile = Some(iv.tile),
                None => break,
            }
        }
        tile
    }

    /// What is copied when all is computed; none where the schedule computes the whole result in any case
    pub fn reflection(&self) -> Option<Reflection> {
        let [rows, columns] = self.c.symmetric?;
        let runs = |item: &Item| match item {
            Item::Loop(one) if self.plan.is_loop(one) => Some(one.clone()),
            _ => None,
        };
        let loops: Vec<Loop> = self.plan.items.iter().filter_map(runs).collect();
        let last = loops.iter().rposition(|one| bounds_rows(one, rows))?;
        let peeled = |layer: &usize| self.plan.tails[columns][*layer] == Some(Tail::Peel);
        let outside = loops[..last].iter().filter(|one| one.dim == columns).map(|one| one.layer);
        let mut side = outside.map(|layer| self.plan.sizes[columns][layer]).reduce(gcd)?;
        side = (1..self.plan.sizes[columns].len())
            .filter(peeled)
            .fold(side, |side, layer| gcd(side, self.plan.sizes[columns][layer].max(1)));
        let bytes = self.c.results[0].bytes.max(1);
        while side * side * bytes > SQUARE && side % 2 == 0 {
            side /= 2;
        }
        let kept = (0..self.c.dims.len()).filter(|dim| self.c.dims[*dim].kind.is_kept());
        let others = kept.filter(|dim| ![rows, columns].contains(dim));
        let tasks = loops.iter().any(|one| one.level == Level::Task);
        Some(Reflection {
            rows,
            columns,
            side,
            dims: others.chain([columns, rows]).collect(),
            level: if tasks { Level::Task } else { Level::Seq },
        })
    }

    /// The next loop around the copies, inside of these; none where all are there
    pub fn reflection_loop(&self, of: &Reflection, outside: &[Index]) -> Option<Form> {
        let dim = *of.dims.get(outside.len())?;
        let tile = if [of.rows, of.columns].contains(&dim) { of.side } else { 1 };
        let form = Form { extent: self.c.dims[dim].size, tile, ..Form::once() };
        if dim != of.rows {
            return Some(Form { level: of.level, ..form });
        }
        let mut vars = Vars::default();
        let columns = vars.of(*outside.last()?);
        let from = vars.map(vec![AffineExpr::add(columns, of.side.into())]);
        Some(Form { from, ..form })
    }

    /// Where elements of a square come from and where they go, inside of these loops; its own dimensions are rows and columns below
    /// the diagonal
    pub fn reflection_sides(&self, of: &Reflection, loops: &[Index]) -> Done<[Over; 2]> {
        let side = |exchanged: bool| {
            let mut vars = Vars::with_domain(2);
            let mut coords: Vec<AffineExpr> = vec![0.into(); self.c.dims.len()];
            for (dim, index) in of.dims.iter().zip(loops) {
                coords[*dim] = vars.of(*index);
            }
            coords[of.rows] = AffineExpr::add(coords[of.rows].clone(), AffineExpr::Dim(0));
            coords[of.columns] = AffineExpr::add(coords[of.columns].clone(), AffineExpr::Dim(1));
            if exchanged {
                coords.swap(of.rows, of.columns);
            }
            let place = &self.c.outputs[0].maps[0].results;
            let results: Option<Vec<AffineExpr>> =
                place.iter().map(|expr| expr.replace(&coords, &[])).collect();
            results.and_then(|results| vars.map(results))
        };
        match (side(true), side(false)) {
            (Some(from), Some(to)) => Ok([from, to]),
            _ => Err("an index function is too deep".into()),
        }
    }
}

impl Walk<'_> {
    /// Squares of a symmetric result below its diagonal, copied from above it
    pub(super) fn reflect(&mut self, mut state: State) -> Done<()> {
        let geometry = self.geometry;
        let Some(reflection) = geometry.reflection().filter(|_| self.results.is_some()) else {
            return Ok(());
        };
        let mut loops = Vec::new();
        while let Some(form) = geometry.reflection_loop(&reflection, &loops) {
            loops.push(Index::Loop(self.push_loop(form, &mut state)));
        }
        let [from, to] = geometry.reflection_sides(&reflection, &loops)?;
        let (shape, bytes) = (vec![reflection.side; 2], geometry.c.results[0].bytes);
        let per_square = Made {
            around: state.around,
            per: None,
            place: self.next_place(),
            there: Open::Is(true),
            step: None,
        };
        let square = self.nest.buffers.push(Buffer {
            space: Region::L1.space(),
            named: Some(Arc::from(Region::L1.word().to_ascii_lowercase())),
            shape: shape.clone(),
            bytes,
            made: Some(per_square),
            part: None,
        });
        let result = self.destination(0);
        let side = |at: Over, does: Use| Side { buffer: result, does, at, edges: true };
        let own = |does: Use| Side::from((square, does, identity(2)));
        self.copy(&shape, Some(side(from, Use::Read)), own(Use::Write), (state.around, None));
        self.copy(&shape, Some(own(Use::Read)), side(to, Use::Write), (state.around, None));
        Ok(())
    }
}

/// Is it a loop over rows that the diagonal may end?
fn bounds_rows(one: &Loop, rows: usize) -> bool {
    one.dim == rows && matches!(one.level, Level::Seq | Level::Task)
}
