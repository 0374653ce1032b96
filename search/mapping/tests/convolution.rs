//! Mappings of the four-kernel convolution (GPGPU'20), drawn uniformly from all valid ones: each lowers, verifies, runs in the
//! interpreter without a race, a divergent barrier or memory out of scope, and gives the values of the patterns.

use crate::by_value;
use crate::common;

use by_value::{DOWN, FIRST, as_it_is, lower, on_buffers, types, verify};
use common::{context, function};
use terrace_devices::{Device, Levels};
use terrace_ir::Ir;
use terrace_ir::symbols::Symbols;
use terrace_search_mapping::Limits;
use terrace_search_mapping::joint::Tally;
use terrace_search_mapping::{Mappings, Options, Problem, explain, function};
use terrace_search_solver::Random;

fn layer() -> String {
    common::layer([4, 6, 8], 4, 2)
}

fn mid_level(strategy: &str) -> Ir {
    let mut ir = common::parse(&context(), &layer());
    let pipeline = format!("func.func(array-expand,array-rewrite{{strategy=\"{strategy}\"}})");
    lower(&mut ir, &pipeline).unwrap_or_else(|why| panic!("{why}"));
    ir
}

fn problem(ir: &Ir) -> Problem {
    let device = Device::find("mali-g72").expect("built in");
    problem_on(ir, Limits::of(&device))
}

fn problem_on(ir: &Ir, limits: Option<Limits>) -> Problem {
    let unit = function(ir);
    let symbols = Symbols::read(ir);
    let scope = symbols.child_scope(symbols.root(), unit);
    let options = Options { limits, ..Options::default() };
    let (problem, missing) = function::problem(unit, &symbols, scope, options);
    assert!(missing.is_none(), "{}", missing.map(|why| why.message).unwrap_or_default());
    problem
}

/// Draw mappings and run each
fn run(strategy: &str, count: u64, seed: u64) -> (String, Vec<String>) {
    let ir = mid_level(strategy);
    let problem = problem(&ir);
    let space = Mappings::new(&problem.model()).expect("no joint constraints");
    let source = types(&ir, "layer");
    let wanted = as_it_is(&ir, "layer").expect("it runs as it is");
    let slot = ir.walk().find(|op| ir.child(*op).is_some()).expect("a function");
    let (mut random, mut tally, mut bad) = (Random::new(seed), Tally::default(), Vec::new());
    let all: Vec<usize> = (0..problem.tree.loops.len()).collect();
    while tally.valid < count {
        let values = space.sample(&mut random).expect("not empty");
        let broken = problem.broken(&values);
        tally.add(&broken);
        if !broken.is_empty() {
            continue;
        }
        let mut mapped = ir.clone_unit();
        function::apply(mapped.child_mut(slot).expect("a function"), &problem.tree, &values);
        let mut found = Ok(());
        for step in [FIRST, DOWN] {
            found = found.and_then(|()| lower(&mut mapped, step));
            if found.is_err() {
                break;
            }
            verify(&mapped, &layer());
            found = on_buffers(&mapped, "layer", &source).and_then(|got| {
                let same =
                    wanted.iter().flatten().zip(got.iter().flatten()).all(|(a, b)| a.is_none() || a == b);
                if same { Ok(()) } else { Err("other values".to_string()) }
            });
        }
        if let Err(why) = found {
            bad.push(format!("{}: {why}", explain::mapping_text(&problem, &all, &values)));
        }
    }
    let report = format!("{} mappings of {} maps, {tally:?}", space.count(), all.len());
    (report, bad)
}

fn all_right(strategy: &str, count: u64, seed: u64) {
    let (report, bad) = run(strategy, count, seed);
    assert!(bad.is_empty(), "{report}; {} wrong:\n{}", bad.len(), bad[..bad.len().min(8)].join("\n"));
}

#[test]
fn drawn_mappings_of_the_convolution_are_right() {
    all_right("convMid(3, 1, 2, 2, 4, 2)", 25, 1);
}

#[test]
fn drawn_mappings_with_private_memory_are_right() {
    all_right("convBlocked(3, 1, 2, 2, 4, 2)", 25, 2);
}

#[test]
#[ignore = "minutes: a thousand of each; run with --ignored"]
fn a_thousand_mappings_of_the_convolution_are_right() {
    all_right("convMid(3, 1, 2, 2, 4, 2)", 1_000, 3);
    all_right("convBlocked(3, 1, 2, 2, 4, 2)", 1_000, 4);
}

#[test]
fn the_table_of_constraints() {
    let problem = problem(&mid_level("convBlocked(3, 1, 2, 2, 4, 2)"));
    let printed: usize = problem.table().iter().map(|(_, count)| count).sum();
    assert_eq!(printed, problem.given.len());
    assert!(problem.tree.loops.iter().enumerate().all(|(n, _)| !problem.domain(n).may_be_at(Levels::VECTOR)));
}

#[test]
fn the_printed_space_has_the_mappings_that_fit_and_no_others() {
    let ir = mid_level("convBlocked(3, 1, 2, 2, 4, 2)");
    let problem = problem_on(&ir, Some(Limits { block_threads: 40, ..Limits::ANY }));
    let choices = common::printed(&ir, &problem);
    let space = Mappings::new(&problem.model()).expect("no joint constraints");
    let (mut random, mut valid) = (Random::new(5), 0);
    for _ in 0..2_000 {
        let values = space.sample(&mut random).expect("not empty");
        let fits = problem.broken(&values).is_empty();
        assert_eq!(choices.numbers.holds(&common::point(&choices, &values)), fits, "{values:?}");
        valid += usize::from(fits);
    }
    assert!((100..1_900).contains(&valid), "{valid}");
    println!(
        "{} parameters and sizes, {} constraints",
        choices.numbers.params.len(),
        choices.numbers.constraints.len()
    );
}
