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

use terrace_devices::{Device, DeviceKind};
use terrace_schedule_model::nest::Nest;
use unrolled::{Root, Unrolled};

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
    let devices = cores.map(|units| Device { units, ..device.clone() });
    let (mut all, mut found) = (cores.map(|_| Estimate::default()), false);
    for (number, (nest, bodies)) in nests.into_iter().enumerate() {
        found |= nest.loops.iter().next().is_some_and(|first| first.around.launch.is_none());
        let nest = Unrolled::new(nest, bodies, device)?;
        all.iter_mut().zip(&devices).for_each(|(all, device)| all.add(of_nest(&nest, number, device)));
    }
    found.then_some(all)
}

fn of_nest(nest: &Unrolled<'_>, number: usize, device: &Device) -> Estimate {
    let mut own = Estimate::default();
    let work = work::terms(nest, device, &mut own.terms);
    let moved = caches::terms(nest, device, &mut own.terms);
    let forks = threads::terms(nest, device, &mut own.terms);
    // Instructions run while data moves, of the same loops.
    let least = |(root, moved): (&Root, &f64)| work.get(root).copied().unwrap_or(0.0).min(*moved);
    let hidden = moved.iter().map(least).sum::<f64>() * device.costs.code.hidden / 100.0;
    own.terms.push(Term::new(Name::Hidden, -hidden, None));
    own.total = work.values().sum::<f64>() + moved.values().sum::<f64>() - hidden + forks;
    own.terms.iter_mut().for_each(|term| term.nest = number);
    own
}
