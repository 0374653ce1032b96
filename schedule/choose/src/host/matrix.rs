//! Products on matrix units: both operands in panels with groups of the reduction innermost, and tiles of sums.
//!
//! Rows are a dimension of one operand, columns one of the other, along which the result is contiguous. A panel of what threads do
//! not divide is copied once, before they start, or for each tile of rows. Extents need not divide: panels end in zeros, and what
//! tiles compute beyond the result is dropped.

use crate::access::Accesses;
use crate::generator::Proposals;
use crate::host::operand::Operand;
use crate::loops::{ceil, order, worth_threads};
use crate::steps::Steps;
use terrace_devices::{Device, Layer, MatrixUnit, Products, Region};
use terrace_schedule_model::{Part, Placement, Schedule, Tail};

/// Rows and columns of a tile: two tiles of sums in each direction, or one where there is no more
const TILE: i64 = 2 * MatrixUnit::SIDE;

/// Most bytes of a row of a panel: products of tiles are one body, and no loop divides the reduction
const DEPTH: i64 = 8192;

/// Schedules for the unit, where the computation is a product for one
pub(crate) fn propose(a: &Accesses, device: &Device, to: &mut Proposals) {
    let Some(product) = Product::of(a, device) else { return };
    to.add(product.divisions().into_iter().map(|division| product.schedule(division)));
}

/// A product of two operands
struct Product<'a> {
    a: &'a Accesses,
    device: &'a Device,
    products: Products,
    /// The operand that moves with the rows
    high: Operand,
    /// The operand that moves with the columns
    wide: Operand,
    rows: usize,
    columns: usize,
    reduced: usize,
}

/// Who has which part
#[derive(Clone, Copy, PartialEq, Eq)]
struct Division {
    /// The dimension that threads divide
    threads: Option<usize>,
    /// Are panels of rows copied before the loop over tiles of rows?
    whole: bool,
}

impl<'a> Product<'a> {
    fn of(a: &'a Accesses, device: &'a Device) -> Option<Product<'a>> {
        let products = a.matrix.filter(|products| device.unit_for(*products).is_some())?;
        let ([one, two], [out]) = (a.inputs.as_slice(), a.outputs.as_slice()) else { return None };
        let plain = a.tiles && a.fills && a.harmless && a.reorders && !a.conditioned.iter().any(|it| *it);
        let &[reduced] = a.dims(|dim| a.reduced[dim]).as_slice() else { return None };
        let columns = a.dims(|dim| a.kept[dim] && out.strides[dim] == Some(1)).into_iter().next()?;
        if !plain || one.group == two.group {
            return None;
        }
        let (wide, high) = match (one.uses(columns), two.uses(columns)) {
            (true, false) => (Operand::of(one)?, Operand::of(two)?),
            (false, true) => (Operand::of(two)?, Operand::of(one)?),
            _ => return None,
        };
        let own = |dim: usize| a.kept[dim] && high.uses(dim) && !wide.uses(dim);
        let rows = a.dims(own).into_iter().max_by_key(|dim| a.sizes[*dim])?;
        let outer = a.dims(|dim| a.kept[dim] && dim != rows && dim != columns);
        let both = wide.uses(reduced) && high.uses(reduced);
        // A tile is no larger than what it divides.
        let tiles = [rows, columns].iter().all(|dim| a.sizes[*dim] >= MatrixUnit::SIDE);
        let depth = a.sizes[reduced] * products.bytes();
        let fits = tiles && outer.is_empty() && depth > MatrixUnit::ROW_BYTES && depth <= DEPTH;
        (both && fits).then_some(Product { a, device, products, high, wide, rows, columns, reduced })
    }

    /// Threads divide columns or rows
    fn divisions(&self) -> Vec<Division> {
        if !worth_threads(self.a, self.device) {
            return vec![Division { threads: None, whole: true }];
        }
        let divided = [self.columns, self.rows].into_iter();
        divided.flat_map(|dim| [true, false].map(|whole| Division { threads: Some(dim), whole })).collect()
    }

    /// Rows or columns of a tile
    fn tile(&self, dim: usize) -> i64 {
        if self.a.sizes[dim] < TILE { MatrixUnit::SIDE } else { TILE }
    }

    /// Coordinates of a thread, in whole tiles
    fn share(&self, dim: usize) -> i64 {
        let tile = self.tile(dim);
        ceil(ceil(self.a.sizes[dim], tile), self.device.units) * tile
    }

    /// A panel with groups of this many bytes
    fn panel(&self, operand: &Operand, dim: usize, bytes: i64) -> Placement {
        let at = |dim: usize| operand.dims.iter().position(|other| *other == dim).unwrap_or(0);
        let (own, reduced, group) = (at(dim), at(self.reduced), bytes / self.products.bytes());
        let others = (0..operand.dims.len()).filter(|n| *n != own && *n != reduced).map(Part::Whole);
        let last = [Part::Div(reduced, group), Part::Whole(own), Part::Mod(reduced, group)];
        Placement::new(Region::L2, others.chain(last).collect())
    }

    fn schedule(&self, division: Division) -> Schedule {
        let a = self.a;
        let high = || self.panel(&self.high, self.rows, MatrixUnit::ROW_BYTES);
        let wide = || self.panel(&self.wide, self.columns, MatrixUnit::GROUP_BYTES);
        let is_divided = |dim: usize| division.threads == Some(dim);
        let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
        steps.step(|step| {
            if division.whole && !is_divided(self.rows) {
                step.input(self.high.group, high());
            }
            if is_divided(self.rows) {
                step.input(self.wide.group, wide());
            }
        });
        steps.step(|step| {
            if is_divided(self.columns) {
                step.tile(self.columns, self.share(self.columns), Layer::Thr, Some(Tail::Pad));
            }
            if is_divided(self.rows) {
                step.tile(self.rows, self.share(self.rows), Layer::Thr, Some(Tail::Pad));
            }
            if division.whole && is_divided(self.rows) {
                step.input(self.high.group, high());
            }
            if !is_divided(self.rows) && self.columns(step.size(self.columns)).is_none() {
                step.input(self.wide.group, wide());
            }
        });
        let block = self.columns(steps.size(self.columns));
        steps.step(|step| {
            if let Some(block) = block {
                step.tile(self.columns, block, Layer::For, Some(Tail::Pad));
                if !is_divided(self.rows) {
                    step.input(self.wide.group, wide());
                }
            }
        });
        steps.step(|step| {
            step.tile(self.rows, self.tile(self.rows), Layer::For, Some(Tail::Pad));
            if !division.whole {
                step.input(self.high.group, high());
            }
        });
        steps.step(|step| {
            step.tile(self.columns, self.tile(self.columns), Layer::For, Some(Tail::Pad));
            step.output(0, Region::Reg);
        });
        steps.step(|step| {
            for dim in [self.reduced, self.rows, self.columns] {
                step.tile(dim, 1, Layer::For, None);
            }
        });
        a.groups.merge(steps.finish(&order(a)))
    }

    /// Columns whose panel the second cache holds next to a panel of rows, where that is not all of these
    fn columns(&self, size: i64) -> Option<i64> {
        let bytes = self.a.sizes[self.reduced] * self.products.bytes();
        let most = (self.device.bytes(Region::L2) / 2 / bytes.max(1) / TILE).max(1) * TILE;
        (size > most).then_some(most)
    }
}
