//! The time of a nest of loops on a processor, term by term, without running it.
//!
//! For comparing programs that compute the same: which of many is worth measuring, or is chosen without. The one model for
//! schedules and for array programs. Numbers are cycles of one core, right to a factor at best; what counts is their order. Terms
//! add up, less a share of traffic that is hidden while instructions run:
//!
//! - [`work`]: instructions of bodies by what a cycle can do ([`issue`]), tiles of registers that do not fit ([`registers`]), chains of
//!   sums ([`latency`]), the loops themselves ([`loops`]), all with the lanes that are stated or that compilers find ([`lanes`]);
//!   sums of products that a unit computes in tiles ([`matrix`]);
//! - [`caches`]: bytes that move between memories, from the outermost loop whose data a cache holds;
//! - [`threads`]: tasks are dealt out in rounds, and starting them costs; which loops are tasks is in [`tasks`].
//!
//! The input is a decided nest, what its bodies compute ([`Bodies`]), and a device. Adapters read both from IR. A computation with a
//! schedule needs no IR ([`Computed`]). What stands next to each other outside of all loops runs one after the other.
//! Loops count at their trip count, on average where a bound cuts the last tile: borders and triangles are not seen, nor are pages. Kernels of
//! devices with a grid have a model of their own: [`grid`].
//!
//! **Invariant:** nothing here knows IR or a dialect.

mod applied;
mod bodies;
mod caches;
mod estimate;
mod exchange;
mod extents;
mod flat;
pub mod grid;
pub mod issue;
mod lanes;
pub mod latency;
mod loops;
mod matrix;
mod merged;
mod registers;
mod runs;
mod squares;
mod steps;
mod tasks;
mod threads;
mod triangle;
mod unrolled;
mod work;

pub use applied::{Computed, Point};
pub use bodies::{Bodies, Body, Operations};
pub use estimate::{Estimate, Name, Term};

use caches::Traffic;
use terrace_devices::{Device, DeviceKind};
use terrace_schedule_model::nest::Nest;
use unrolled::{Root, Unrolled};
use work::Work;

/// The time of nests that run one after the other; `None` where none has a loop outside of kernels, for other than processors,
/// and while a level is open
pub fn estimate<'a>(
    nests: impl IntoIterator<Item = &'a (Nest, Bodies)>,
    device: &Device,
) -> Option<Estimate> {
    estimate_on(nests, device, [device.units]).map(|[all]| all)
}

/// The same on so many cores of the device, each
pub fn estimate_on<'a, const N: usize>(
    nests: impl IntoIterator<Item = &'a (Nest, Bodies)>,
    device: &Device,
    cores: [i64; N],
) -> Option<[Estimate; N]> {
    if device.kind != DeviceKind::Host {
        return None;
    }
    let (mut all, mut found) = (cores.map(|_| Estimate::default()), false);
    for (number, (nest, bodies)) in nests.into_iter().enumerate() {
        found |= nest.loops.iter().next().is_some_and(|first| first.around.launch.is_none());
        let nest = Unrolled::new(nest, bodies, device)?;
        // Cores share what all threads together do: that is found out once.
        let (work, traffic) = (work::of_all(&nest, device), Traffic::of(&nest, device));
        let of = |units: i64| Of { nest: &nest, number, work: &work, traffic: &traffic, device, units };
        all.iter_mut().zip(cores).for_each(|(all, units)| all.add(of(units).estimate()));
    }
    found.then_some(all)
}

/// A nest on so many cores
struct Of<'a> {
    nest: &'a Unrolled<'a>,
    number: usize,
    work: &'a [Work<'a>],
    traffic: &'a Traffic<'a>,
    device: &'a Device,
    units: i64,
}

impl Of<'_> {
    fn estimate(&self) -> Estimate {
        let Of { nest, device, units, .. } = *self;
        let mut own = Estimate::default();
        let work = work::terms(self.work, nest, units, &mut own.terms);
        let moved = self.traffic.terms(nest, device, units, &mut own.terms);
        let forks = threads::terms(nest, device, units, &mut own.terms);
        // Instructions run while data moves, of the same loops.
        let least = |(root, moved): (&Root, &f64)| work.get(root).copied().unwrap_or(0.0).min(*moved);
        let hidden = moved.iter().map(least).sum::<f64>() * device.costs.code.hidden / 100.0;
        own.terms.push(Term::new(Name::Hidden, -hidden, None));
        own.total = work.values().sum::<f64>() + moved.values().sum::<f64>() - hidden + forks;
        own.terms.iter_mut().for_each(|term| term.nest = self.number);
        own
    }
}
