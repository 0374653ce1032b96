//! What follows from a schedule and its computation, whoever wrote the schedule: taps as copies at edges only, points that
//! go to the places that they name.
//!
//! Neither is a word of schedules. Both are attributes next to one, so that `mdh-to-sched` decides nothing; an attribute
//! that is there already is the author's and stays, an empty one says "not here".

use crate::scatter::NoAtomic;
use std::fmt;
use terrace_devices::{Layer, Mechanism};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::scatter::{self, NoScatter, SCATTER, Scatter};
use terrace_dialect_mdh::schedule::Schedule;
use terrace_dialect_mdh::taps::ROLLED;
use terrace_dialect_mdh::view::View;
use terrace_ir::{Attr, Ir};
use terrace_schedule_choose::access::Accesses;

/// Unrolled taps of windows: copies pay only where they decide a condition
pub(crate) fn rolled(ir: &mut Ir, op: Compute, a: &Accesses, schedule: &Schedule) {
    if ir.discardable(op.id(), ROLLED).is_some() {
        return;
    }
    let taps = terrace_schedule_choose::loops::rolled(a, schedule);
    let attr = numbers(ir, &taps);
    ir.set_attr(op.id(), ROLLED, (!taps.is_empty()).then_some(attr));
}

/// Places that points name, where that pays; the error says why comparisons are needed after all
pub(crate) fn scattered(ir: &Ir, op: Compute, view: &View) -> Result<Option<Scatter>, NoScatter> {
    if ir.discardable(op.id(), SCATTER).is_some() {
        return Ok(None);
    }
    Ok(scatter::find(ir, op, view)?.and_then(|found| crate::scatter::worth(found, view)))
}

/// Why points are compared with all coordinates after all
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Compared {
    /// The computation needs it
    Computation(NoScatter),
    /// Blocks could not meet
    Blocks(NoAtomic),
    /// The schedule has a tile of the output
    Tile {
        /// Where it is
        place: String,
        /// Step, from 1
        step: usize,
    },
    /// The schedule spreads a picked dimension
    Spread {
        /// Name of the dimension
        dim: String,
        /// Step, from 1
        step: usize,
        /// Who runs it
        core: String,
    },
}

impl From<NoScatter> for Compared {
    fn from(why: NoScatter) -> Compared {
        Compared::Computation(why)
    }
}

impl From<NoAtomic> for Compared {
    fn from(why: NoAtomic) -> Compared {
        Compared::Blocks(why)
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Compared::Computation(why) => why.fmt(f),
            Compared::Blocks(why) => why.fmt(f),
            Compared::Tile { place, step } => write!(
                f,
                "the schedule has a tile of the output, {place} in step {step}; which one it is only values say"
            ),
            Compared::Spread { dim, step, core } => write!(
                f,
                "the schedule spreads `{dim}` in step {step} ({core}); each coordinate looks for its points"
            ),
        }
    }
}

/// What of it a given schedule leaves room for
pub(crate) fn allowed(view: &View, schedule: &Schedule, found: Scatter) -> Result<Scatter, Compared> {
    for (n, step) in schedule.steps.iter().enumerate().filter(|(_, step)| step.label > 0) {
        if let Some(place) = step.outs.iter().flatten().next() {
            return Err(Compared::Tile { place: place.to_string(), step: n + 1 });
        }
    }
    for pick in &found.picks {
        let (mut above, mut core) = (view.dims[pick.dim].size, None);
        for (n, step) in schedule.steps.iter().enumerate() {
            core = step.cores.get(pick.dim).and_then(Option::as_ref).or(core);
            let size = step.sizes.get(pick.dim).and_then(|size| size.value).unwrap_or(above);
            let spread =
                core.filter(|core| size < above && !(core.layer.is_sequential() || core.layer == Layer::Vec));
            if let Some(core) = spread {
                let (dim, core) = (view.dims[pick.dim].name.clone(), core.to_string());
                return Err(Compared::Spread { dim, step: n + 1, core });
            }
            above = size;
        }
    }
    Ok(found)
}

/// Does a given schedule for a grid have points meet by atomic updates alone, in copies that a block shares?
pub(crate) fn meets_by_atomics(view: &View, schedule: &Schedule, found: &Scatter) -> bool {
    if schedule
        .steps
        .iter()
        .flat_map(|step| step.outs.iter().flatten())
        .any(|place| !place.region.is_shared())
    {
        return false;
    }
    let mut meets = false;
    for (dim, own) in view.dims.iter().enumerate() {
        let (mut above, mut core) = (own.size, None);
        for step in &schedule.steps {
            core = step.cores.get(dim).and_then(Option::as_ref).or(core);
            let size = step.sizes.get(dim).and_then(|size| size.value).unwrap_or(above);
            let spread = core.filter(|core| size < above && !core.layer.is_sequential());
            if let Some(core) = spread {
                let atomic = core.mechanism == Some(Mechanism::Atomic);
                if found.picks.iter().any(|pick| pick.dim == dim) || !own.kind.kept() && !atomic {
                    return false;
                }
                meets |= atomic;
            }
            above = size;
        }
    }
    meets
}

/// Write it next to the schedule; gives the remark
pub(crate) fn go(ir: &mut Ir, op: Compute, view: &View, found: &Scatter) -> String {
    let dims: Vec<usize> = found.picks.iter().map(|pick| pick.dim).collect();
    let attr = numbers(ir, &dims);
    ir.set_attr(op.id(), SCATTER, Some(attr));
    let names: Vec<String> = dims.iter().map(|dim| format!("`{}`", view.dims[*dim].name)).collect();
    let places = dims.iter().fold(1i64, |all, dim| all.saturating_mul(view.dims[*dim].size));
    format!(
        "each point goes to the one coordinate of {} that it names, in place of {places} comparisons: what misses is neutral",
        names.join(", ")
    )
}

fn numbers(ir: &Ir, all: &[usize]) -> Attr {
    let all: Vec<i64> = all.iter().map(|n| *n as i64).collect();
    ir.cx().i64_array(&all)
}
