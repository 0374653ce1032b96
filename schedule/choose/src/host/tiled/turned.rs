//! Lanes along a dimension in which the output is not contiguous: a tile in registers is turned when it is written.
//!
//! An image in NCHW whose rows are short, or no whole vectors, leaves most lanes along them idle. Along the filters there are
//! enough: weights are copied into panels, pixels are broadcast, and results are written element by element, which a long
//! reduction outweighs. The same holds where the input is too far apart along the rows of the output.

use super::{Candidate, Roles, Task};
use crate::access::{Access, Accesses};
use crate::loops::worth_threads;
use terrace_devices::{Device, Region};
use terrace_schedule_model::nest::APART;
use terrace_schedule_model::{Part, Placement};

/// How much faster turned tiles must be: their time is known less well
const MARGIN: f64 = 1.15;

/// The faster of a tile with lanes along the output and the best turned one
pub(super) fn choose<'a>(
    a: &'a Accesses,
    device: &'a Device,
    direct: Option<Candidate<'a>>,
) -> Option<Candidate<'a>> {
    let turned = roles(a).filter_map(|roles| Candidate::of(a, device, roles));
    let best = turned.min_by(|one, two| one.time().total_cmp(&two.time()));
    match (direct, best) {
        (Some(direct), Some(turned)) => {
            Some(if turned.time() * MARGIN < direct.time() { turned } else { direct })
        }
        // What else there is for it has no panels: turning must be the lesser part.
        (None, turned) => turned.filter(|turned| turned.moves() < turned.computes()),
        (direct, None) => direct,
    }
}

/// Roles with lanes along a dimension that is not the output's last
fn roles(a: &Accesses) -> impl Iterator<Item = Roles> {
    // Neighbours along it are neighbours in a tile whose layout has it last.
    let turns = |out: &Access, dim: usize| {
        let along = out.map.results.iter().filter(|expr| expr.uses_dim(dim as u32));
        let factors: Vec<i64> =
            along.filter_map(|expr| expr.as_linear()).map(|linear| linear.dim(dim)).collect();
        factors == [1] && out.strides[dim].is_some_and(|stride| stride > 1)
    };
    let found = a.dims(|dim| {
        a.tiles && a.kept[dim] && !a.conditioned[dim] && a.outputs.iter().all(|out| turns(out, dim))
    });
    found.into_iter().filter_map(|lanes| Roles::along(a, lanes, true))
}

/// The place of an output's tile: lanes innermost
pub(super) fn place(access: &Access, lanes: usize) -> Placement {
    let along = |n: &usize| access.map.results[*n].uses_dim(lanes as u32);
    let mut order: Vec<usize> = (0..access.map.results.len()).collect();
    order.sort_by_key(along);
    Placement::new(Region::Reg, order.into_iter().map(Part::Whole).collect())
}

impl Candidate<'_> {
    /// Cycles of all of it
    fn time(&self) -> f64 {
        self.computes() + self.moves()
    }

    /// Cycles of all steps of the reduction
    fn computes(&self) -> f64 {
        let kernel = &self.kernel;
        let (a, roles, tile) = (kernel.a, &kernel.roles, kernel.tile);
        let costs = &kernel.device.costs;
        // Shuffles of what is a few elements apart.
        let more: i64 = kernel
            .moving
            .iter()
            .filter(|n| !self.packed.contains(n))
            .filter_map(|n| a.inputs[*n].strides[roles.lanes])
            .map(|stride| if (2..=APART).contains(&stride) { stride - 1 } else { 0 })
            .sum();
        let gap = more as f64 / costs.instructions.operations;
        let rows =
            |height: i64, vectors: i64| kernel.demand.time(costs, height, vectors) + gap * vectors as f64;
        let column = |vectors: i64| {
            let whole = (kernel.rows / tile.rows) as f64 * rows(tile.rows, vectors);
            match kernel.rows % tile.rows {
                0 => whole,
                rest => whole + rows(rest, vectors),
            }
        };
        let (whole, rest) = (kernel.columns / tile.width(), kernel.columns % tile.width());
        // What is left of the columns: a tile of panels, else vectors and powers of two of lanes.
        let last = match rest {
            0 => 0.0,
            _ if !self.packed.is_empty() => column(tile.vectors),
            _ => column(rest / tile.lanes + i64::from((rest % tile.lanes).count_ones())),
        };
        let others = roles.reduced.iter().chain(&roles.outer);
        others.fold(whole as f64 * column(tile.vectors) + last, |time, dim| time * a.sizes[*dim] as f64)
    }

    /// Cycles of what is copied and written element by element
    fn moves(&self) -> f64 {
        let kernel = &self.kernel;
        let (a, roles, of) = (kernel.a, &kernel.roles, &kernel.device.costs.instructions);
        let product = |sizes: &mut dyn Iterator<Item = i64>| sizes.fold(1.0, |all, size| all * size as f64);
        let elements =
            |n: usize| product(&mut a.dims(|dim| a.inputs[n].uses(dim)).into_iter().map(|dim| a.sizes[dim]));
        let copied: f64 =
            self.packed.iter().filter(|n| roles.strided.contains(n)).map(|n| elements(*n)).sum();
        let results =
            a.outs as f64 * product(&mut a.dims(|dim| a.kept[dim]).into_iter().map(|dim| a.sizes[dim]));
        // Each thread copies the panels of its own columns.
        let threads = if worth_threads(a) { kernel.device.units } else { 1 };
        let shares = (Task::of(kernel, &self.packed).columns * threads) as f64 / kernel.tiles().max(1) as f64;
        // An element of a register is taken out of its vector first.
        let write = 1.0 / of.operations + 1.0 / of.stores;
        let copy = 1.0 / of.loads + 1.0 / of.stores + of.iteration;
        copied * shares * copy + if roles.turned { results * write } else { 0.0 }
    }
}
