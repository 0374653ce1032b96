//! The nest of a schedule, computed without IR, is the one that lowering writes.

use crate::common;

use common::*;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::scatter::SCATTER;
use terrace_dialect_mdh::schedule::{GRID, SCHEDULE, SUBGROUP, decided};
use terrace_dialect_mdh::taps::ROLLED;
use terrace_dialect_mdh::view::View;
use terrace_dialect_sched::read;
use terrace_dialect_test::programs::mdh::{Options, program};
use terrace_ir::{Ir, OpId};
use terrace_schedule_model::apply::{Extras, apply};
use terrace_schedule_model::nest::{LaunchId, Nest};
use terrace_support::Random;

/// The nest of the only computation, if it has a schedule that lowering takes as it is
fn applied(ir: &Ir) -> Option<Result<Nest, String>> {
    let mut computes = ir.walk_below(ir.root()).filter_map(|op| Compute::cast(ir, op));
    let op = computes.next()?;
    let number = |word| ir.discardable(op.id(), word).and_then(|attr| attr.as_i64(ir.cx()));
    // Places that only values name stand in the text of the body.
    if computes.next().is_some() || ir.discardable(op.id(), SCATTER).is_some() {
        return None;
    }
    let schedule = decided(ir.cx(), ir.discardable(op.id(), SCHEDULE)?).ok()?;
    let rolled = ir.discardable(op.id(), ROLLED).and_then(|attr| attr.as_dense_array(ir.cx()));
    let view = View::read(ir, op).ok()?;
    let extras = Extras {
        grid: ir.discardable(op.id(), GRID).is_some(),
        warp: number(SUBGROUP),
        rolled: rolled.unwrap_or(&[]).iter().map(|dim| *dim as usize).collect(),
        picks: Vec::new(),
    };
    // A device without points computes nothing.
    if view.dims.iter().any(|dim| dim.size == 0) {
        return None;
    }
    Some(apply(&view.computation(ir, op), &schedule, &extras).map_err(|why| why.to_string()))
}

/// The function that computes something
fn function(module: &Ir) -> Option<OpId> {
    let computes = |unit: &Ir| unit.walk().any(|op| Compute::cast(unit, op).is_some());
    module.walk().find(|op| module.child(*op).is_some_and(computes))
}

/// What both nests have: loops with bounds, buffers that are made, kernels, and reads in order
fn lines(nest: &Nest) -> Vec<String> {
    // Copies of start values are kernels of their own, before the computation's.
    let last = nest.launches.ids().last();
    let own = |launch: Option<LaunchId>| launch.is_none() || launch == last;
    let number = |id| {
        nest.loops.ids().filter(|other| own(nest.loops[*other].around.launch)).position(|other| other == id)
    };
    let index = |index: &terrace_schedule_model::nest::Index| index.as_loop().map(number);
    let mut all = Vec::new();
    for (id, one) in nest.loops.entries().filter(|(_, one)| own(one.around.launch)) {
        let bound = |bound: &terrace_schedule_model::nest::Bound| {
            format!("{:?} over {:?}", bound.map, bound.over.iter().map(index).collect::<Vec<_>>())
        };
        all.push(format!(
            "loop {:?} in {:?}: dim {:?}, {:?} by {:?}, {:?}, from {:?}, limit {:?}, tail {:?}, stages {:?}, step {:?}",
            number(id),
            one.around.inside.map(number),
            one.dim,
            one.extent,
            one.tile,
            one.level,
            one.from.as_ref().map(bound),
            one.limit.as_ref().map(bound),
            one.tail,
            one.stages,
            one.step
        ));
    }
    for (_, buffer, made) in nest.made().filter(|(_, _, made)| made.step.is_some()) {
        all.push(format!(
            "buffer {:?} of {} bytes in {:?} {:?}, {:?} in loop {:?}, step {:?}",
            buffer.shape,
            buffer.bytes,
            buffer.space,
            buffer.named,
            made.per,
            made.around.inside.map(number),
            made.step
        ));
    }
    if let Some(launch) = last {
        all.push(format!("{:?}", nest.launches[launch]));
    }
    all
}

/// Reads at points. Lowering may copy a tile in strips, and panels in another order
fn reads(nest: &Nest) -> Vec<String> {
    let last = nest.launches.ids().last();
    let first = nest.loops.iter().position(|one| one.around.launch.is_none() || one.around.launch == last);
    let index = |index: &terrace_schedule_model::nest::Index| match index {
        terrace_schedule_model::nest::Index::Loop(id) => {
            nest.loops.ids().position(|other| other == *id).map(|n| n - first.unwrap_or(0))
        }
        terrace_schedule_model::nest::Index::Opaque(_) => None,
    };
    let own =
        nest.accesses.iter().filter(|access| access.reads() && !access.copy && access.around.launch == last);
    own.map(|access| {
        let over: Vec<_> = access.over.iter().map(index).collect();
        format!("{:?} over {over:?}", access.map)
    })
    .collect()
}

/// Both nests of a program with a schedule; `false` where there is nothing to compare
fn agrees(ir: &mut Ir, text: &str) -> bool {
    let Some(function) = function(ir) else { return false };
    let Some(applied) = ir.child(function).and_then(applied) else { return false };
    let lowered = HARNESS.transform(ir, "func.func(mdh-to-sched)");
    match (applied, lowered) {
        (Ok(applied), Ok(())) => {
            let unit = ir.child(function).expect("still there");
            let (nest, _) = read(unit, unit.root());
            assert_eq!(lines(&applied), lines(&nest), "{text}");
            // Start values and what is merged are read as well.
            let all = reads(&nest);
            let mut rest = all.iter();
            for own in reads(&applied) {
                assert!(rest.any(|other| *other == own), "{own}\n{all:#?}\n{text}");
            }
            true
        }
        // Lowering may find a rule of operators or of prefixes broken before this one.
        (Err(_), Err(_)) => false,
        (Err(why), Ok(())) => panic!("{why}\n{text}"),
        // What has no form in IR, and results that cannot be written.
        (Ok(_), Err(_)) => false,
    }
}

#[test]
fn random_schedules_of_random_computations() {
    let options = Options { points: 400, computations: 1, schedules: true, ..Options::default() };
    let mut compared = 0;
    for seed in 5000..5600 {
        let text = program(&mut Random::new(seed), &options);
        let Ok(mut ir) = HARNESS.parse(&text) else { continue };
        compared += usize::from(agrees(&mut ir, &text));
    }
    assert!(compared > 80, "{compared}");
}

#[test]
fn schedules_that_are_chosen_for_random_computations() {
    let options = Options { points: 4000, computations: 1, ..Options::default() };
    let mut compared = 0;
    for seed in 7000..7060 {
        let text = program(&mut Random::new(seed), &options);
        for target in ["x86-64-v4", "x86-64-v2", "openmp", "cuda", "opencl"] {
            let Ok(mut ir) = HARNESS.parse(&text) else { continue };
            let chosen = format!("func.func(mdh-operators,mdh-schedule{{target={target}}})");
            if HARNESS.transform(&mut ir, &chosen).is_ok() {
                compared += usize::from(agrees(&mut ir, &text));
            }
        }
    }
    assert!(compared > 100, "{compared}");
}
