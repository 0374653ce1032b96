//! A schedule that is not lowered has the estimate of the loops that lowering writes.

use crate::common;

use common::*;
use terrace_devices::Device;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::scatter::SCATTER;
use terrace_dialect_mdh::schedule::{GRID, SCHEDULE, SUBGROUP, decided};
use terrace_dialect_mdh::taps::ROLLED;
use terrace_dialect_mdh::view::View;
use terrace_dialect_sched::nests;
use terrace_dialect_test::programs::mdh::{Options, program};
use terrace_ir::{Ir, OpId};
use terrace_schedule_cost::{Computed, Estimate, estimate};
use terrace_schedule_model::Schedule;
use terrace_schedule_model::apply::Extras;
use terrace_support::Random;

/// The only computation of a function and its schedule, where an estimate needs no loops
fn computed(unit: &Ir) -> Option<(Computed, Schedule, Extras)> {
    let mut computes = unit.walk_below(unit.root()).filter_map(|op| Compute::cast(unit, op));
    let op = computes.next()?;
    if computes.next().is_some() || unit.discardable(op.id(), SCATTER).is_some() {
        return None;
    }
    let schedule = decided(unit.cx(), unit.discardable(op.id(), SCHEDULE)?).ok()?;
    let rolled = unit.discardable(op.id(), ROLLED).and_then(|attr| attr.as_dense_array(unit.cx()));
    let extras = Extras {
        grid: unit.discardable(op.id(), GRID).is_some(),
        warp: unit.discardable(op.id(), SUBGROUP).and_then(|attr| attr.as_i64(unit.cx())),
        rolled: rolled.unwrap_or(&[]).iter().map(|dim| *dim as usize).collect(),
        picks: Vec::new(),
    };
    Some((View::read(unit, op).ok()?.computed(unit, op)?, schedule, extras))
}

/// Both estimates of each function with a schedule, where there are both
fn both(ir: &mut Ir, device: &Device) -> Vec<(Estimate, Estimate)> {
    let functions: Vec<OpId> = ir.walk().filter(|op| ir.child(*op).is_some()).collect();
    let early: Vec<Option<Estimate>> = functions
        .iter()
        .map(|op| {
            let (computed, schedule, extras) = computed(ir.child(*op)?)?;
            computed.estimate(&schedule, &extras, device).ok()?
        })
        .collect();
    if HARNESS.transform(ir, "func.func(mdh-to-sched)").is_err() {
        return Vec::new();
    }
    let late = |op: OpId| estimate(&nests(ir.child(op)?), device);
    let pairs = functions.iter().zip(early);
    pairs.filter_map(|(op, early)| Some((early?, late(*op)?))).collect()
}

fn agrees(early: &Estimate, late: &Estimate) -> bool {
    (early.total / late.total - 1.0).abs() < 1e-9
}

/// How many functions were compared
#[track_caller]
fn compare(ir: &mut Ir, text: &str) -> usize {
    let device = Device::find("x86-64-v4").expect("built in");
    let pairs = both(ir, &device);
    for (early, late) in &pairs {
        assert!(agrees(early, late), "{text}\nbefore lowering\n{early}\nafter it\n{late}");
    }
    pairs.len()
}

#[test]
fn random_schedules_have_the_estimate_of_their_loops() {
    let options = Options { points: 400, computations: 1, schedules: true, ..Options::default() };
    let mut compared = 0;
    for seed in 9000..9600 {
        let text = program(&mut Random::new(seed), &options);
        let Ok(mut ir) = HARNESS.parse(&text) else { continue };
        compared += compare(&mut ir, &text);
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn chosen_schedules_have_the_estimate_of_their_loops() {
    let options = Options { points: 4000, computations: 1, ..Options::default() };
    let mut compared = 0;
    for seed in 9000..9060 {
        let text = program(&mut Random::new(seed), &options);
        for target in ["x86-64-v4", "x86-64-v2", "openmp"] {
            let Ok(mut ir) = HARNESS.parse(&text) else { continue };
            let chosen = format!("func.func(mdh-operators,mdh-schedule{{target={target}}})");
            if HARNESS.transform(&mut ir, &chosen).is_ok() {
                compared += compare(&mut ir, &text);
            }
        }
    }
    assert!(compared > 60, "{compared}");
}

/// Schedules of programs: those that they have, and the chosen ones
#[test]
fn programs_have_the_estimate_of_their_loops() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-files");
    let mut compared = 0;
    for folder in ["demo", "programs/mdh", "programs/schedules", "mdh"] {
        for entry in std::fs::read_dir(format!("{root}/{folder}")).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.extension().is_none_or(|extension| extension != "mlir") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("text");
            for target in ["", "x86-64-v4", "openmp"] {
                let Ok(mut ir) = HARNESS.parse(&text) else { continue };
                let chosen = format!("func.func(mdh-operators,mdh-schedule{{target={target}}})");
                if target.is_empty() || HARNESS.transform(&mut ir, &chosen).is_ok() {
                    compared += compare(&mut ir, &text);
                }
            }
        }
    }
    assert!(compared > 150, "{compared}");
}
