//! A computation on several devices: each has coordinates of a kept dimension of its own.
//!
//! Nothing is merged between devices, so a reduction of everything stays on one of them (paper on reductions, §6).

use terrace_devices::{Axis, Layer};
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::loops::ceil;
use terrace_schedule_model::{Core, Schedule, Size, Step, Tail};

/// The dimension that devices share: kept, the outermost of the results
pub fn shared(a: &Accesses, devices: i64) -> Option<usize> {
    let distance = |dim: usize| a.outputs.iter().map(|out| out.strides[dim].unwrap_or(0)).min().unwrap_or(0);
    let fits =
        |dim: usize| a.kept[dim] && !a.conditioned[dim] && a.sizes[dim] >= devices && distance(dim) > 0;
    a.dims(fits).into_iter().max_by_key(|dim| distance(*dim))
}

/// A schedule for one device as one for several: a step in front, whose tiles are whole ones of the next
pub fn spread(mut schedule: Schedule, a: &Accesses, dim: usize, devices: i64) -> Option<Schedule> {
    let first = schedule.steps.first()?;
    let tile = schedule.steps.iter().find_map(|step| step.sizes[dim].value).unwrap_or(1).max(1);
    let part = ceil(ceil(a.sizes[dim], devices), tile) * tile;
    if part >= a.sizes[dim] {
        return None;
    }
    let mut step = Step {
        label: 1,
        sizes: vec![Size { value: None, tail: None }; first.sizes.len()],
        ins: vec![None; first.ins.len()],
        outs: vec![None; first.outs.len()],
        cores: vec![None; first.cores.len()],
    };
    let tail = (a.sizes[dim] % part != 0).then_some(Tail::Limit);
    step.sizes[dim] = Size { value: Some(part), tail };
    step.cores[dim] = Some(Core::along(Layer::Gpu, Axis::X));
    for other in &mut schedule.steps {
        other.label += 1;
    }
    schedule.steps.insert(0, step);
    Some(schedule)
}

/// What a remark says
pub fn said(name: Option<&str>, devices: i64) -> String {
    match name {
        Some(name) => format!("{devices} devices share `{name}`"),
        None => "it stays on one device: no kept dimension has enough coordinates to share".into(),
    }
}
