//! Steps of a tile's reduction: their order, and which of them are copies of a body.

use super::{BODY, BRIEF_BODY, Kernel, Tiling, decided};
use crate::steps::Steps;
use terrace_devices::Layer;

impl Tiling<'_> {
    /// Steps of the reduction: copies for each tap where conditions are decided so, with what is short in one body
    pub(super) fn reduction(&self, steps: &mut Steps) {
        let Kernel { a, roles, tile, .. } = self.kernel;
        let deciding = |dim: &usize| decided(a, *dim);
        let mut taps: Vec<usize> = roles
            .rows
            .iter()
            .chain([&roles.lanes])
            .copied()
            .filter(deciding)
            .flat_map(|dim| a.coupled[dim].clone())
            .collect();
        taps.extend(self.kernel.taps.map(|taps| taps.dim));
        let mut body = tile.rows * tile.vectors * taps.iter().map(|dim| a.sizes[*dim]).product::<i64>();
        let order = self.reduced();
        // A row that is done after a few steps has no time for a loop.
        let brief = tile.rows == 1 && self.along_rows() && order.len() == 1;
        let most = if taps.is_empty() { BRIEF_BODY } else { BODY };
        steps.step(|step| {
            for (n, dim) in order.iter().enumerate() {
                let last =
                    n + 1 == order.len() && (!taps.is_empty() || brief) && body * a.sizes[*dim] <= most;
                if last {
                    body *= a.sizes[*dim];
                }
                step.tile(*dim, 1, if last || taps.contains(dim) { Layer::Unr } else { Layer::For }, None);
            }
        });
    }

    /// Reduced dimensions from the outside. Windows along the lanes read the same lines again at neighboring coordinates: these are
    /// innermost, while the lines are in the first cache
    fn reduced(&self) -> Vec<usize> {
        let Kernel { a, roles, moving, .. } = self.kernel;
        let mut order = roles.reduced.clone();
        let shifted = |n: &&usize| {
            let mut along = a.inputs[**n].map.results.iter().filter(|expr| expr.uses_dim(roles.lanes as u32));
            !self.packed.contains(n) && along.any(|expr| order.iter().any(|dim| expr.uses_dim(*dim as u32)))
        };
        let windows: Vec<usize> = moving.iter().filter(shifted).copied().collect();
        if a.reorders && !windows.is_empty() {
            let apart =
                |dim: &usize| windows.iter().map(|n| a.inputs[*n].strides[*dim].unwrap_or(i64::MAX)).max();
            order.sort_by_key(|dim| std::cmp::Reverse(apart(dim)));
        }
        order.sort_by_key(|dim| !self.masks.contains(dim));
        // What rows share is next to each other.
        order.sort_by_key(|dim| self.kernel.taps.is_some_and(|taps| taps.dim == *dim));
        order
    }

    /// Reduced dimensions that say which lanes find elements of their buffer, where others are left: outside of these, a mask is computed
    /// once for many steps
    pub(super) fn masks(&self) -> Vec<usize> {
        let Kernel { a, roles, moving, .. } = self.kernel;
        let masked = |n: &&usize| !self.packed.contains(n) && !a.inputs[**n].plain;
        let exprs = moving.iter().filter(masked).flat_map(|n| &a.inputs[*n].map.results);
        let along: Vec<_> = exprs.filter(|expr| expr.uses_dim(roles.lanes as u32)).collect();
        let decides = |dim: &&usize| along.iter().any(|expr| expr.uses_dim(**dim as u32));
        let (masks, others): (Vec<usize>, Vec<usize>) = roles.reduced.iter().partition(decides);
        if !a.reorders || others.is_empty() { Vec::new() } else { masks }
    }
}
