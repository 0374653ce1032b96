//! Products on matrix units: both operands in panels with groups of the reduction innermost, and tiles of sums.
//!
//! Rows are a dimension of one operand, columns one of the other, along which the result is contiguous. A panel of what threads do
//! not divide is copied once, before they start, or for each tile of rows. Extents need not divide: panels end in zeros, and what
//! tiles compute beyond the result is dropped.
//!
//! Other dimensions are loops around: kept ones (of a batch, rows of an image) around panels, reduced ones (taps of a window) around
//! the products, whose sums stay in one tile. A window shifts the first row of a panel.

use crate::access::{Access, Accesses};
use crate::generator::Proposals;
use crate::loops::{ceil, order, parallel, worth_threads};
use crate::steps::Steps;
use terrace_devices::{Device, Layer, MatrixUnit, Products, Region};
use terrace_schedule_model::{Part, Placement, Schedule, Tail};
use terrace_support::affine::AffineExpr;

/// Rows and columns of a tile: two tiles of sums in each direction, or one where there is no more
const TILE: i64 = 2 * MatrixUnit::SIDE;

/// Most bytes of a row of a panel: products of tiles are one body, and no loop divides the reduction
const DEPTH: i64 = 8192;

/// Schedules for the unit, where the computation is a product for one
pub(crate) fn propose(a: &Accesses, device: &Device, to: &mut Proposals) {
    let Some(product) = Product::of(a, device) else { return };
    to.add(product.schedules());
}

/// A product of two operands
struct Product<'a> {
    a: &'a Accesses,
    device: &'a Device,
    products: Products,
    /// The operand that moves with the rows
    high: Factor,
    /// The operand that moves with the columns
    wide: Factor,
    rows: usize,
    columns: usize,
    reduced: usize,
    /// Other kept dimensions
    outer: Vec<usize>,
    /// Other reduced dimensions
    taps: Vec<usize>,
}

/// An operand: its number, and the dimensions of the computation that move in each of the buffer's
struct Factor {
    group: usize,
    dims: Vec<Vec<(usize, i64)>>,
}

impl Factor {
    fn of(access: &Access) -> Option<Factor> {
        let moves = |expr: &AffineExpr| {
            let linear = expr.as_linear().filter(|linear| linear.constant == 0)?;
            let used = (0..access.strides.len()).map(|dim| (dim, linear.dim(dim)));
            Some(used.filter(|(_, factor)| *factor != 0).collect())
        };
        let dims = access.map.results.iter().map(moves).collect::<Option<Vec<Vec<(usize, i64)>>>>()?;
        access.plain.then_some(Factor { group: access.group, dims })
    }

    fn uses(&self, dim: usize) -> bool {
        self.dims.iter().flatten().any(|(other, _)| *other == dim)
    }

    /// The buffer's dimension that a dimension moves in by steps of one, if there is only one
    fn at(&self, dim: usize) -> Option<usize> {
        let mut all = (0..self.dims.len()).filter(|n| self.dims[*n].iter().any(|(other, _)| *other == dim));
        let n = all.next().filter(|_| all.next().is_none())?;
        self.dims[n].contains(&(dim, 1)).then_some(n)
    }

    /// The same, if nothing else moves in it
    fn alone(&self, dim: usize) -> Option<usize> {
        self.at(dim).filter(|n| self.dims[*n].len() == 1)
    }
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
        let columns = a.dims(|dim| a.kept[dim] && out.strides[dim] == Some(1)).into_iter().next()?;
        if !plain || one.group == two.group {
            return None;
        }
        let (wide, high) = match (one.uses(columns), two.uses(columns)) {
            (true, false) => (Factor::of(one)?, Factor::of(two)?),
            (false, true) => (Factor::of(two)?, Factor::of(one)?),
            _ => return None,
        };
        let own = |dim: usize| a.kept[dim] && high.at(dim).is_some() && !wide.uses(dim);
        let rows = a.dims(own).into_iter().max_by_key(|dim| a.sizes[*dim])?;
        let both = |dim: usize| a.reduced[dim] && wide.alone(dim).is_some() && high.alone(dim).is_some();
        let reduced = a.dims(both).into_iter().max_by_key(|dim| a.sizes[*dim])?;
        let outer = a.dims(|dim| a.kept[dim] && dim != rows && dim != columns);
        let taps = a.dims(|dim| a.reduced[dim] && dim != reduced);
        // A tile is no larger than what it divides.
        let tiles = [rows, columns].iter().all(|dim| a.sizes[*dim] >= MatrixUnit::SIDE);
        let depth = a.sizes[reduced] * products.bytes();
        let fits = tiles && wide.alone(columns).is_some() && depth > MatrixUnit::ROW_BYTES && depth <= DEPTH;
        fits.then_some(Product { a, device, products, high, wide, rows, columns, reduced, outer, taps })
    }

    /// All schedules for it
    fn schedules(&self) -> Vec<Schedule> {
        match self.outer.is_empty() {
            true => self.divisions().into_iter().map(|division| self.schedule(division)).collect(),
            false => [true, false].map(|whole| self.in_loops(whole)).into(),
        }
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
    fn panel(&self, operand: &Factor, dim: usize, bytes: i64) -> Placement {
        let at = |dim: usize| operand.at(dim).unwrap_or(0);
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
        self.products(steps)
    }

    /// Loops over the other kept dimensions, with panels inside of those that they move with; `whole`: panels of rows are copied before the
    /// loop over tiles of rows
    fn in_loops(&self, whole: bool) -> Schedule {
        let a = self.a;
        let high = || self.panel(&self.high, self.rows, MatrixUnit::ROW_BYTES);
        let wide = || self.panel(&self.wide, self.columns, MatrixUnit::GROUP_BYTES);
        let threads = parallel(a, self.device, &[self.rows, self.columns]);
        // What moves with the right operand is outside, so that its panel is copied as seldom as can be.
        let (shared, others): (Vec<usize>, Vec<usize>) =
            self.outer.iter().partition(|dim| self.wide.uses(**dim));
        let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
        for (n, dims) in [shared, others].into_iter().enumerate() {
            steps.step(|step| {
                for dim in dims {
                    step.tile(dim, 1, if threads == Some(dim) { Layer::Thr } else { Layer::For }, None);
                }
                match n {
                    0 => {
                        step.input(self.wide.group, wide());
                    }
                    _ if whole => {
                        step.input(self.high.group, high());
                    }
                    _ => {}
                }
            });
        }
        steps.step(|step| {
            step.tile(self.rows, self.tile(self.rows), Layer::For, Some(Tail::Pad));
            if !whole {
                step.input(self.high.group, high());
            }
        });
        self.products(steps)
    }

    /// A tile of sums, the taps, and the loops that are one op
    fn products(&self, mut steps: Steps) -> Schedule {
        steps.step(|step| {
            step.tile(self.columns, self.tile(self.columns), Layer::For, Some(Tail::Pad));
            step.output(0, Region::Reg);
        });
        steps.step(|step| {
            for dim in &self.taps {
                step.tile(*dim, 1, Layer::For, None);
            }
        });
        steps.step(|step| {
            for dim in [self.reduced, self.rows, self.columns] {
                step.tile(dim, 1, Layer::For, None);
            }
        });
        self.a.groups.merge(steps.finish(&order(self.a)))
    }

    /// Columns whose panel the second cache holds next to a panel of rows, where that is not all of these
    fn columns(&self, size: i64) -> Option<i64> {
        let bytes = self.a.sizes[self.reduced] * self.products.bytes();
        let most = (self.device.bytes(Region::L2) / 2 / bytes.max(1) / TILE).max(1) * TILE;
        (size > most).then_some(most)
    }
}
