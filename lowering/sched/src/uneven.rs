//! Tasks of different length: where bounds inside depend on the task, threads fetch the next one when they are done.
//!
//! A triangle of loops is the case. Work is estimated by the trip counts of the loops whose bounds mention the task's variable,
//! at some of its values; other variables stand in the middle of their ranges. An even split of tasks whose mean is less than
//! [`EVEN`] of the longest leaves threads waiting.

use terrace_dialect_sched::{For, LoopInfo};
use terrace_ir::{Ir, Value, ValueDef};

/// Mean of the longest from which on tasks count as equal, in percent
const EVEN: i128 = 80;

/// Values of the task's variable that are looked at
const SAMPLES: i64 = 16;

/// Are the iterations of tasks of very different length?
pub(crate) fn uneven(ir: &Ir, task: &LoopInfo) -> bool {
    let bounds = |info: &LoopInfo| -> bool {
        let hangs = |bound: &Option<terrace_dialect_sched::Bound>| {
            bound.as_ref().is_some_and(|bound| bound.values.contains(&task.iv))
        };
        hangs(&info.from) || hangs(&info.limit)
    };
    let inside = ir.walk_below(task.op.0).filter_map(|op| For::cast(ir, op)?.info(ir));
    inside.filter(bounds).any(|info| {
        let trips: Vec<i128> = samples(task).map(|at| trips(ir, &info, (task.iv, at))).collect();
        let most = trips.iter().copied().max().unwrap_or(0);
        let sum: i128 = trips.iter().sum();
        sum * 100 < most * trips.len() as i128 * EVEN
    })
}

/// First to last value of a task's variable
fn samples(task: &LoopInfo) -> impl Iterator<Item = i64> {
    let (last, tile) = ((task.trip() - 1).max(0), task.tile);
    let count = SAMPLES.min(last + 1);
    (0..count).map(move |n| if count < 2 { 0 } else { last * n / (count - 1) * tile })
}

/// Iterations of a loop at a value of the task's variable; zero where they are unknown
fn trips(ir: &Ir, info: &LoopInfo, (task, at): (Value, i64)) -> i128 {
    let (mut low, mut high) = (0, i128::from(info.extent));
    let value = |value: &Value| if *value == task { Some(at) } else { middle(ir, *value) };
    for (bound, is_low) in [(&info.from, true), (&info.limit, false)] {
        let Some(bound) = bound else { continue };
        let values: Option<Vec<i64>> = bound.values.iter().map(value).collect();
        let Some(results) = values.and_then(|values| bound.map.eval(&values, &[])) else { return 0 };
        for result in results {
            match is_low {
                true => low = low.max(i128::from(result)),
                false => high = high.min(i128::from(result)),
            }
        }
    }
    (high - low).max(0)
}

/// The middle of a loop variable's range
fn middle(ir: &Ir, value: Value) -> Option<i64> {
    let Some(ValueDef::Arg(block, 0)) = ir.value_def(value) else { return None };
    let info = For::cast(ir, ir.block_parent(block)?)?.info(ir)?;
    (info.trip() / 2).checked_mul(info.tile)
}
