//! Loops over tasks that run as one.
//!
//! The lowering numbers the iterations of perfectly nested tasks, and a task finds its place by quotients and remainders. Compilers find no
//! lanes in these. Tasks that begin inside of others are loops of a task.

use crate::bodies::Bodies;
use terrace_devices::Level;
use terrace_schedule_model::nest::LoopId;
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_combine::Combination;
use terrace_schedule_model::nest_decided::Decided;

/// Of each loop: do its iterations start tasks? The outermost loops at that level do, and loops perfectly nested in them
pub(crate) fn collapsed(nest: &Decided<'_>, bodies: &Bodies) -> Vec<bool> {
    let mut all = vec![false; nest.loops.ids().count()];
    let is_task = |id: LoopId| nest.level(id) == Level::Task && nest.trip(id) > 1;
    for id in nest.loops.ids().filter(|id| is_task(*id)) {
        let first = !nest.outside(id).any(is_task);
        let next =
            nest.parent(id).is_some_and(|outer| all[outer.index()] && is_perfect(nest, bodies, outer, id));
        all[id.index()] = first || next;
    }
    all
}

/// Is the inner loop all that the outer one does, and do both leave each element to one iteration?
fn is_perfect(nest: &Decided<'_>, bodies: &Bodies, outer: LoopId, inner: LoopId) -> bool {
    let at = Some(outer);
    let alone = inner.index() == outer.index() + 1
        && nest.loops[inner].end == nest.loops[outer].end
        && !nest.accesses.iter().any(|access| access.around.inside == at)
        && !nest.made().any(|(_, _, made)| made.around.inside == at)
        && !bodies.bodies.iter().any(|body| body.inside == at && body.operations.yields == 0);
    let plain = |id: LoopId| {
        let combine = &nest.loops[id].combine;
        combine.kind == Combination::Cc || (combine.kind == Combination::Pw && combine.results == 0)
    };
    alone && plain(outer) && plain(inner) && !nest.loops[inner].is_cut()
}
