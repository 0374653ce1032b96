//! Schedules of computations that state a bracket, on processors: sums of lanes stay in registers, and are folded right behind.
//!
//! Lanes are those of vectors, and everything that is kept is walked coordinate by coordinate. What folds lanes walks in the same
//! way, so that `sched-fuse-loops` joins both.

use terrace_devices::{Device, Layer, Region};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{self, SCHEDULE, Schedule};
use terrace_dialect_mdh::view::{Order, View};
use terrace_ir::Ir;
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::loops::{ceil, contiguous, parallel};
use terrace_schedule_choose::steps::Steps;
use terrace_schedule_model::Tail;
use terrace_support::affine::AffineExpr;

/// A schedule for sums of lanes, or for what folds them; `None` for other computations
pub fn schedule(ir: &Ir, op: Compute, view: &View, a: &Accesses, device: &Device) -> Option<Schedule> {
    match view.order(Order::Tree) {
        Some(_) => behind(ir, op, view, a),
        None => sums(ir, op, view, a, device),
    }
}

/// Is it folded by halves?
fn is_tree(ir: &Ir, op: Compute) -> bool {
    View::read(ir, op).is_ok_and(|view| view.order(Order::Tree).is_some())
}

/// The dimension of lanes whose sums another computation folds
fn lane(ir: &Ir, op: Compute, view: &View) -> Option<usize> {
    let mut users = ir.results(op.id()).flat_map(|value| ir.uses(value).map(|(user, _)| user));
    let trees = users.all(|user| Compute::cast(ir, user).is_some_and(|user| is_tree(ir, user)));
    let map = view.outputs.first()?.maps.first()?;
    let Some(AffineExpr::Dim(lane)) = map.results.last() else { return None };
    let lane = *lane as usize;
    // What is reduced stands behind it.
    let reduces = view.dims.iter().enumerate().all(|(n, dim)| dim.kind.kept() == (n <= lane));
    (trees && reduces && view.dims.len() > lane + 1).then_some(lane)
}

/// Columns that are summed part by part, where another computation folds the parts from the left
fn column(ir: &Ir, op: Compute, view: &View, a: &Accesses) -> Option<usize> {
    let [part, column, row] = view.dims.as_slice() else { return None };
    let kinds = part.kind.kept() && column.kind.kept() && !row.kind.kept();
    let mut users = ir.results(op.id()).flat_map(|value| ir.uses(value).map(|(user, _)| user));
    let folded = users.all(|user| Compute::cast(ir, user).is_some());
    let one = view.inputs.len() == 1 && a.outs == 1;
    (kinds && folded && one && view.order(Order::Source).is_some()).then_some(1)
}

/// Rows are read in the order of memory, and lanes or columns are summed in registers
fn sums(ir: &Ir, op: Compute, view: &View, a: &Accesses, device: &Device) -> Option<Schedule> {
    let lanes = lane(ir, op, view);
    let lane = lanes.or_else(|| column(ir, op, view, a));
    let lane = lane.filter(|lane| a.lanes && contiguous(&a.inputs, *lane))?;
    let wide = (device.vector_bytes / a.widest().max(1)).clamp(1, view.dims[lane].size);
    // All lanes, which are folded together; of columns as many as half of the registers hold.
    let columns = (device.registers / 2).max(1) * wide;
    let tile = if lanes.is_some() { view.dims[lane].size } else { columns };
    let uneven = |by: i64| (view.dims[lane].size % by != 0).then_some(Tail::Peel);
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    if let Some(dim) = parallel(a, device, &[lane]) {
        steps.step(|step| {
            step.tile(dim, ceil(a.sizes[dim], device.units), Layer::Thr, Some(Tail::Limit));
        });
    }
    steps.step(|step| {
        for dim in 0..lane {
            step.tile(dim, 1, Layer::For, None);
        }
        if view.dims[lane].size > tile {
            step.tile(lane, tile, Layer::For, uneven(tile));
        }
    });
    steps.step(|step| {
        for out in 0..a.outs {
            step.output(out, Region::Reg);
        }
    });
    steps.step(|step| {
        for dim in lane + 1..view.dims.len() {
            step.tile(dim, 1, Layer::For, None);
        }
    });
    steps.step(|step| {
        step.tile(lane, wide, Layer::Unr, uneven(wide));
    });
    steps.step(|step| {
        step.tile(lane, 1, Layer::Vec, None);
    });
    Some(steps.finish(&[]))
}

/// The same walk through what is kept as that of the sums, then all lanes
fn behind(ir: &Ir, op: Compute, view: &View, a: &Accesses) -> Option<Schedule> {
    let mut makers = op.ins(ir).into_iter().filter_map(|value| Compute::cast(ir, ir.defining_op(value)?));
    let of_sums = |maker: &Compute| {
        View::read(ir, *maker).is_ok_and(|view| view.dims.iter().any(|dim| !dim.kind.kept()))
    };
    let maker = makers.rfind(of_sums)?;
    let given = schedule::decided(ir.cx(), ir.discardable(maker.id(), SCHEDULE)?).ok()?;
    let kept = view.dims.iter().take_while(|dim| dim.kind.kept()).count();
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    for own in &given.steps {
        steps.step(|step| {
            for dim in 0..kept {
                if let (Some(size), Some(core)) = (own.sizes[dim].value, &own.cores[dim]) {
                    step.tile(dim, size, core.layer, own.sizes[dim].tail);
                }
            }
        });
    }
    let first = if a.lanes && contiguous(&a.inputs, kept) { Layer::Vec } else { Layer::Unr };
    for (n, layer) in (kept..view.dims.len()).zip([first, Layer::Unr]) {
        steps.step(|step| {
            step.tile(n, 1, layer, None);
        });
    }
    Some(steps.finish(&[]))
}
