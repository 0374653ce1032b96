//! Schedules of computations whose points name their places: histograms.
//!
//! Points are walked in order; each goes to the one coordinate that it names (`terrace_dialect_mdh::scatter`, which says
//! why that is the same). Threads share a kept dimension that is not named; else the reduction is cut into tasks that each
//! have a copy of the outputs, merged in order after them, if the operator may be bracketed anyhow and copies are small
//! beside what a task reads. Their number does not depend on the number of threads.

use crate::access::Accesses;
use crate::host::{ceil, order, parallel, worth_threads};
use crate::steps::Steps;
use terrace_devices::Device;
use terrace_dialect_mdh::scatter::Scatter;
use terrace_dialect_mdh::schedule::{Schedule, Tail};
use terrace_dialect_mdh::view::View;

/// Comparisons per point below which lanes do them at once
const WORTH: i64 = 16;

/// Points of a task
const TASK_POINTS: i64 = 1 << 15;

/// Points of a task for each element of its copy
const POINTS_PER_ELEMENT: i64 = 8;

/// Dimensions that are worth it, of those that may be picked
pub(crate) fn worth(scatter: Scatter, view: &View) -> Option<Scatter> {
    let places = scatter.picks.iter().fold(1i64, |all, pick| all.saturating_mul(view.dims[pick.dim].size));
    (places >= WORTH).then_some(scatter)
}

/// The schedule
pub(crate) fn schedule(a: &Accesses, device: &Device, scatter: &Scatter) -> Schedule {
    let picked: Vec<usize> = scatter.picks.iter().map(|pick| pick.dim).collect();
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    let places: i64 = picked.iter().fold(1, |all, dim| all.saturating_mul(a.sizes[*dim]));
    let points = a.points() / places.max(1);
    let mut of_points = a.clone();
    for dim in &picked {
        of_points.sizes[*dim] = 1;
    }
    if worth_threads(&of_points) {
        let kept = parallel(&of_points, device, &picked).filter(|dim| a.sizes[*dim] >= device.units);
        let longest = a.dims(|dim| a.reduced[dim]).into_iter().max_by_key(|dim| a.sizes[*dim]);
        if let Some(dim) = kept {
            steps.step(|step| {
                step.tile(dim, ceil(a.sizes[dim], device.units), "THR", Some(Tail::Limit));
            });
        } else if let Some(dim) = longest.filter(|_| a.reorders) {
            let elements: i64 = a.dims(|dim| a.kept[dim]).into_iter().map(|dim| a.sizes[dim]).product();
            let inner = (points / a.sizes[dim].max(1)).max(1);
            let task = TASK_POINTS.max(elements.saturating_mul(POINTS_PER_ELEMENT));
            let part = ceil(task, inner);
            if part <= a.sizes[dim] / 2 {
                steps.step(|step| {
                    step.tile(dim, part, "THR", Some(Tail::Limit));
                });
            }
        }
    }
    steps.finish(&order(a))
}
