//! Tasks: dealt out in rounds, and started by a fork.

use crate::estimate::{Name, Term};
use crate::unrolled::Unrolled;
use terrace_devices::{Device, Level};
use terrace_schedule_model::nest::LoopId;

/// The part of what loops do that the thread with most to do has: tasks are dealt out in rounds
pub(crate) fn share(nest: &Unrolled<'_>, run: &[LoopId], units: i64) -> f64 {
    let is_task = |id: &&LoopId| nest.level(**id) == Level::Task;
    let tasks: f64 = run.iter().filter(is_task).map(|id| nest.trip(*id)).product();
    (tasks / units.max(1) as f64).ceil() / tasks
}

/// Forks and joins
pub(crate) fn terms(nest: &Unrolled<'_>, device: &Device, units: i64, terms: &mut Vec<Term>) -> f64 {
    let all = nest.nest();
    let is_task = |id: &LoopId| all.level(*id) == Level::Task;
    let outermost = all.loops.ids().filter(is_task).filter(|id| !all.outside(*id).any(|up| is_task(&up)));
    let (fork, mut forks) =
        (if units <= 1 { device.costs.code.task } else { device.costs.threads.fork }, 0.0);
    for id in outermost {
        let outer: Vec<LoopId> = all.outside(id).collect();
        let times = nest.trips(&outer);
        let merges = all.inside(id).chain([id]).any(|id| is_task(&id) && nest.reduces(id));
        let fork = fork + if merges { device.costs.code.partials } else { 0.0 };
        terms.push(Term::new(Name::Threads, times * fork, Some(id)));
        forks += times * fork;
    }
    forks
}
