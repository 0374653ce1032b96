//! Panels of windows: what neighboring coordinates read again is copied once for a block of them.
//!
//! Lanes along the channels of an image that is stored channel by channel find their elements far apart. A panel has a channel per
//! lane. Each of its elements is read for each place of the window, so it pays where a plain product would ask for many rows.

use super::Tiling;
use crate::access::{Access, Accesses};
use terrace_support::affine::AffineExpr;

/// Least coordinates of a block: what lies around fewer outweighs them
const LEAST: i64 = 8;

/// Are there more reads of an input along dimensions that share an index than elements?
pub(super) fn again(a: &Accesses, input: &Access) -> bool {
    input.map.results.iter().filter_map(AffineExpr::as_linear).any(|linear| {
        let used: Vec<usize> = a.dims(|dim| linear.dim(dim) != 0);
        let points = used.iter().fold(1i64, |all, dim| all.saturating_mul(a.sizes[*dim]));
        let reach = used.iter().map(|dim| linear.dim(*dim).abs().saturating_mul(a.sizes[*dim] - 1));
        points > reach.fold(1i64, i64::saturating_add)
    })
}

/// Does a kept dimension share an index of an input with a reduced one?
fn shares(a: &Accesses, input: &Access, dim: usize) -> bool {
    let uses = |expr: &AffineExpr, dim: usize| expr.uses_dim(dim as u32);
    a.kept[dim]
        && input
            .map
            .results
            .iter()
            .any(|expr| uses(expr, dim) && !a.dims(|other| a.reduced[other] && uses(expr, other)).is_empty())
}

impl Tiling<'_> {
    /// Dimensions along which windows of packed inputs move, and coordinates of a block: as many as the second cache holds, most of them along
    /// the dimension that is contiguous in the input
    pub(super) fn windows(&self) -> Vec<(usize, i64)> {
        let a = self.kernel.a;
        let packed = || self.packed.iter().map(|n| &a.inputs[*n]);
        let roles = &self.kernel.roles;
        let kept = a.dims(|dim| dim != roles.lanes && packed().any(|input| shares(a, input, dim)));
        let of_task = |dim: usize| match self.task.outer {
            Some((outer, size)) if outer == dim => size,
            _ if roles.rows == Some(dim) => self.task.rows.min(a.sizes[dim]),
            _ => a.sizes[dim],
        };
        let mut all: Vec<(usize, i64)> = kept.into_iter().map(|dim| (dim, of_task(dim))).collect();
        let apart = |dim: usize| packed().filter_map(|input| input.strides[dim]).map(i64::abs).max();
        all.sort_by_key(|(dim, _)| std::cmp::Reverse(apart(*dim)));
        while self.panel_bytes(&all) > self.block.budget {
            let Some((dim, size)) = all.iter_mut().find(|(_, size)| *size > LEAST) else { break };
            let unit = if roles.rows == Some(*dim) { self.kernel.tile.rows } else { 1 };
            let half = (*size as u64).div_ceil(2).next_multiple_of(unit as u64) as i64;
            if half >= *size {
                break;
            }
            *size = half;
        }
        all
    }

    /// Bytes of the panels of a tile of columns, with blocks of these sizes
    fn panel_bytes(&self, blocks: &[(usize, i64)]) -> i64 {
        let a = self.kernel.a;
        let size = |dim: usize| match blocks.iter().find(|(other, _)| *other == dim) {
            Some((_, size)) => *size,
            None if dim == self.block.longest => self.block.depth,
            None if a.reduced[dim] => a.sizes[dim],
            None => 1,
        };
        let bytes = |n: &usize| {
            let input = &a.inputs[*n];
            let exprs = input.map.results.iter().filter_map(AffineExpr::as_linear);
            let extents = exprs.filter(|linear| linear.dim(self.kernel.roles.lanes) == 0).map(|linear| {
                let reach = (0..a.sizes.len()).map(|dim| linear.dim(dim).abs().saturating_mul(size(dim) - 1));
                reach.fold(1i64, i64::saturating_add)
            });
            extents.fold(self.kernel.tile.width() * input.bytes, i64::saturating_mul)
        };
        self.packed.iter().map(bytes).fold(0, i64::saturating_add)
    }
}
