//! Strip-mined loops: more iterations than a level has threads or blocks.
//!
//! Where the program says how many threads a block has, or how many blocks a grid (`array.block`, `array.grid`), a loop of n
//! iterations for L of them is a sequential loop over strips, `n by L`, around a loop of L iterations at the level. Where L
//! does not divide n the inner loop has the limit that `tail mask` asks for: in the last strip some threads have nothing to
//! do. No thread may wait for them there, which is the rule SYNC of `sched`.
//!
//! Inside, the number of the iteration is one variable below n; where it is written out, it is the sum of both loops'.

use crate::codes;
use crate::kernels::GLOBAL;
use crate::lower::{Done, Lower, Opened};
use terrace_analysis::Range;
use terrace_dialect_array::threads::{BLOCK, GRID, said};
use terrace_dialect_sched::{Bound, Level, LoopSpec, Tail};
use terrace_ir::Attr;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Iterations that a level runs at once, where the program says sizes of blocks and grids; none: any number
pub fn at_once(level: Level, block: [i64; 3], grid: [i64; 3]) -> Option<i64> {
    let axis = level.axis()?.number();
    let said = |size: i64| (size > 0).then_some(size);
    match level {
        Level::Thread(_) => said(block[axis]),
        Level::Block(_) => said(grid[axis]),
        Level::Global(_) => said(grid[axis])?.checked_mul(said(block[axis]).unwrap_or(GLOBAL[axis])),
        _ => None,
    }
}

impl Lower<'_> {
    /// Iterations of a strip, if the loop is strip-mined
    pub(crate) fn goes_round(&mut self, spec: &LoopSpec, level: Option<Attr>) -> Done<Option<i64>> {
        let word = level.and_then(|level| level.as_str(&self.cx));
        let Some(level) = word.and_then(|word| word.parse::<Level>().ok()) else { return Ok(None) };
        if !matches!(level, Level::Thread(_) | Level::Block(_) | Level::Global(_)) {
            return Ok(None);
        }
        let sizes = |name: &str| said(self.ir, self.op, name, &self.known);
        let (block, grid) = match (sizes(BLOCK), sizes(GRID)) {
            (Ok(block), Ok(grid)) => (block, grid),
            (Err(why), _) | (_, Err(why)) => {
                return self.stop(
                    &codes::OPEN,
                    format!("says sizes of blocks that are no numbers: {why}"),
                    "give the symbol a number: `array-bind{sizes=n=16}`",
                );
            }
        };
        let Some(by) = at_once(level, block, grid).filter(|by| spec.extent > *by) else { return Ok(None) };
        if !spec.results.is_empty() {
            return self.stop(
                &codes::LEVEL,
                format!("combines {} elements at level '{level}', and there are {by} threads", spec.extent),
                "split it, and combine parts one after the other: only maps go round",
            );
        }
        Ok(Some(by))
    }

    /// A loop over strips, and in it one at the level
    pub(crate) fn open_strips(
        &mut self,
        spec: &LoopSpec,
        by: i64,
        level: Option<Attr>,
        name: &str,
    ) -> Done<Opened> {
        let rest = spec.extent % by != 0;
        let strips = LoopSpec { tile: by, tail: rest.then_some(Tail::Mask), ..spec.clone() };
        let outer = self.open_one(&strips, None, &format!("{name}_strip"))?;
        let start = outer.body.and_then(|body| self.ir.block_args(body).first().copied());
        let limit = start.filter(|_| rest).and_then(|start| {
            let left = AffineExpr::sub(AffineExpr::Constant(spec.extent), AffineExpr::Dim(0));
            Some(Bound { map: AffineMap::new(1, 0, vec![left])?, values: vec![start] })
        });
        let inner = LoopSpec { extent: by, tile: 1, limit, ..spec.clone() };
        let inner = self.open_one(&inner, level, name)?;
        let index = match (&outer.index, &inner.index) {
            (AffineExpr::Dim(a), AffineExpr::Dim(b)) => {
                let parts = [*a, *b];
                let range = Range::below(spec.extent).unwrap_or(Range::one(0));
                let index = self.var(None, range);
                if let AffineExpr::Dim(var) = index {
                    self.sum_vars.push((var, parts));
                }
                index
            }
            // One iteration at a time.
            (outer, inner) => AffineExpr::add(outer.clone(), inner.clone()),
        };
        let loops = outer.loops + inner.loops;
        Ok(Opened { index, loops, body: inner.body, ..outer })
    }
}
