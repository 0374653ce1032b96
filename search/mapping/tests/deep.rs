//! The convolution that goes all the way of CC'22 §3.3 (`convDeep`, copies as maps): its constraints by kind, and mappings drawn from all
//! valid ones, lowered and run.

use crate::by_value;
use crate::common;

use by_value::{DOWN, FIRST, as_it_is, lower, on_buffers, types, verify};
use common::{context, function};
use terrace_devices::Device;
use terrace_ir::Ir;
use terrace_ir::symbols::Symbols;
use terrace_search_mapping::Limits;
use terrace_search_mapping::{Mappings, Options, Problem, explain, function};
use terrace_search_solver::Random;

fn layer() -> String {
    common::layer([8, 8, 4], 8, 3)
}

fn mid_level() -> Ir {
    let mut ir = common::parse(&context(), &layer());
    let strategy = "convDeep(6, 4, 3, 0, 4, 2, 1, 1, 12, 2, 3); convCopies(4)";
    let pipeline = format!("func.func(array-expand,array-rewrite{{strategy=\"{strategy}\"}})");
    lower(&mut ir, &pipeline).unwrap_or_else(|why| panic!("{why}"));
    ir
}

fn problem(ir: &Ir) -> Problem {
    let unit = function(ir);
    let symbols = Symbols::read(ir);
    let scope = symbols.child_scope(symbols.root(), unit);
    let device = Device::find("mali-g72").expect("built in");
    let options = Options { limits: Limits::of(&device), ..Options::default() };
    let (problem, missing) = function::problem(unit, &symbols, scope, options);
    assert!(missing.is_none(), "{}", missing.map(|why| why.message).unwrap_or_default());
    problem
}

#[test]
fn constraints_by_kind() {
    // The paper's Table 4: private 32, shared 13, duplicate 34, dimensionality 1, hierarchy 34, exhaustive 9.
    let problem = problem(&mid_level());
    let printed: Vec<(&str, usize)> = problem.table().into_iter().take(7).collect();
    let wanted = [
        ("private memory", 6),
        ("shared memory", 29),
        ("duplicate scheduling", 28),
        ("local thread indexing dimensionality", 1),
        ("local thread indexing hierarchy", 28),
        ("exhaustive thread indexing", 9),
        ("sequential map fusion", 13),
    ];
    assert_eq!(printed, wanted);
    assert_eq!(problem.tree.loops.len(), 39);
    let inlined: Vec<&str> =
        problem.tree.loops.iter().filter(|each| each.inlined).map(|each| each.name.as_str()).collect();
    assert_eq!(inlined, ["m35"]);
}

/// Draw mappings and run each
fn all_right(count: usize, seed: u64) {
    let ir = mid_level();
    let problem = problem(&ir);
    let space = Mappings::new(&problem.model()).expect("no joint constraints");
    let source = types(&ir, "layer");
    let wanted = as_it_is(&ir, "layer").expect("it runs as it is");
    let slot = ir.walk().find(|op| ir.child(*op).is_some()).expect("a function");
    let all: Vec<usize> = (0..problem.tree.loops.len()).collect();
    let (mut random, mut valid) = (Random::new(seed), 0);
    while valid < count {
        let values = space.sample(&mut random).expect("not empty");
        if !problem.broken(&values).is_empty() {
            continue;
        }
        valid += 1;
        let mapping = explain::mapping_text(&problem, &all, &values);
        let mut mapped = ir.clone_unit();
        function::apply(mapped.child_mut(slot).expect("a function"), &problem.tree, &values);
        for step in [FIRST, DOWN] {
            lower(&mut mapped, step).unwrap_or_else(|why| panic!("{mapping}: {why}"));
            verify(&mapped, &layer());
            let got = on_buffers(&mapped, "layer", &source).unwrap_or_else(|why| panic!("{mapping}: {why}"));
            let same = wanted.iter().flatten().zip(got.iter().flatten()).all(|(a, b)| a.is_none() || a == b);
            assert!(same, "{mapping}: other values after {step}");
        }
    }
}

#[test]
fn drawn_mappings_are_right() {
    all_right(3, 1);
}

#[test]
#[ignore = "minutes: two hundred mappings; run with --ignored"]
fn two_hundred_drawn_mappings_are_right() {
    all_right(200, 2);
}
