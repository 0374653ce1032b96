//! What the constraints accept is right: every valid mapping of the listings lowers, verifies, runs without a race, a
//! divergent barrier or memory out of scope, and gives the values of the patterns.

use crate::by_value;
use crate::common;

use by_value::{DOWN, FIRST, as_it_is, lower, on_buffers, types, verify};
use common::{LISTING_1, context, count, function, listing_3};
use terrace_devices::Device;
use terrace_ir::Ir;
use terrace_ir::symbols::Symbols;
use terrace_search_mapping::Limits;
use terrace_search_mapping::{
    MapLevel, MapLevels, Mappings, Options, Problem, codes, explain, function, statistics,
};
use terrace_search_solver::Random;

fn problem(ir: &Ir, options: Options) -> Problem {
    let unit = function(ir);
    let symbols = Symbols::read(ir);
    let scope = symbols.child_scope(symbols.root(), unit);
    let (problem, missing) = function::problem(unit, &symbols, scope, options);
    assert!(missing.is_none(), "{}", missing.map(|why| why.message).unwrap_or_default());
    problem
}

/// Why a mapping is not right after all
fn wrong(text: &str, name: &str, values: &[MapLevel]) -> Result<(), String> {
    let cx = context();
    let mut ir = common::parse(&cx, text);
    lower(&mut ir, "func.func(array-bind)")?;
    let source = types(&ir, name);
    let wanted = as_it_is(&ir, name)?;
    let tree = problem(&ir, Options::default()).tree;
    let slot = ir.walk().find(|op| ir.child(*op).is_some()).ok_or("no function")?;
    function::apply(ir.child_mut(slot).ok_or("no function")?, &tree, values);
    for step in [FIRST, DOWN] {
        lower(&mut ir, step).map_err(|why| format!("{step}: {why}"))?;
        verify(&ir, text);
        let found = on_buffers(&ir, name, &source).map_err(|why| format!("{step}: {why}"))?;
        let same = wanted.iter().flatten().zip(found.iter().flatten()).all(|(a, b)| a.is_none() || a == b);
        if !same {
            return Err(format!("{step}: other values"));
        }
    }
    Ok(())
}

/// All mappings, or one in so many
fn all_right(text: &str, name: &str, options: Options, expected: u64, each: usize) {
    let cx = context();
    let ir = common::parse(&cx, text);
    let problem = problem(&ir, options);
    assert_eq!(count(&problem), expected);
    let space = Mappings::new(&problem.model()).expect("no joint constraints");
    let mut bad = Vec::new();
    for values in space.iter().step_by(each) {
        if let Err(why) = wrong(text, name, &values) {
            let all: Vec<usize> = (0..values.len()).collect();
            bad.push(format!("{}: {why}", explain::mapping_text(&problem, &all, &values)));
        }
    }
    assert!(bad.is_empty(), "{} of {expected}:\n{}", bad.len(), bad[..bad.len().min(12)].join("\n"));
}

fn bound(text: &str, sizes: &str) -> String {
    text.replacen("> {\n", &format!("> attributes {{array.bind = {{{sizes}}}}} {{\n"), 1)
}

#[test]
fn mappings_of_listing_1_are_right() {
    let text = bound(LISTING_1, "I = 3, J = 4, K = 6");
    all_right(&text, "two_nests", Options { strict_local: true, ..Options::default() }, 27, 1);
}

#[test]
fn mappings_of_listing_3_are_right() {
    for (space, expected) in [("workgroup", 9), ("private", 4)] {
        let text = bound(&listing_3(Some(space)), "n = 24, s0 = 8, s1 = 4");
        all_right(&text, "tiled", Options { strict_local: true, ..Options::default() }, expected, 1);
    }
}

#[test]
fn buffers_of_threads_are_expanded() {
    let text = bound(LISTING_1, "I = 3, J = 4, K = 6");
    all_right(&text, "two_nests", Options::default(), 31, 1);
    let text = bound(&listing_3(Some("workgroup")), "n = 24, s0 = 8, s1 = 4");
    all_right(&text, "tiled", Options::default(), 13, 1);
}

#[test]
fn rules_of_the_verifier_alone_are_enough() {
    let text = bound(LISTING_1, "I = 3, J = 4, K = 6");
    let options = Options { strict_local: true, tags: common::tags(&["beyond"]), ..Options::default() };
    all_right(&text, "two_nests", options, 867, 17);
}

/// The levels and limits of a device
fn of_device(name: &str) -> Options {
    let device = Device::find(name).expect("built in");
    let levels = MapLevels::of(&device);
    Options { levels, limits: Limits::of(&device), ..Options::default() }
}

#[test]
fn the_same_rules_hold_for_opencl_cuda_and_openmp() {
    let text = bound(LISTING_1, "I = 3, J = 4, K = 6");
    let cx = context();
    let ir = common::parse(&cx, &text);
    let mut counts = Vec::new();
    for name in ["opencl", "mali-g72", "cuda", "h100", "openmp", "host"] {
        let problem = problem(&ir, of_device(name));
        let space = problem.valid().expect("few sums");
        let mut random = Random::new(5);
        for _ in 0..3 {
            let values = space.sample(&mut random).expect("not empty");
            let all: Vec<usize> = (0..values.len()).collect();
            let said = || format!("{name}: {}", explain::mapping_text(&problem, &all, &values));
            assert_eq!(wrong(&text, "two_nests", &values), Ok(()), "{}", said());
        }
        counts.push(format!("{name} {}", space.count()));
    }
    let expected = ["opencl 31", "mali-g72 31", "cuda 31", "h100 31", "openmp 2", "host 2"];
    assert_eq!(counts, expected);
}

#[test]
fn equal_seeds_draw_equal_mappings() {
    let text = bound(LISTING_1, "I = 3, J = 4, K = 6");
    let cx = context();
    let ir = common::parse(&cx, &text);
    let problem = problem(&ir, Options::default());
    let space = problem.valid().expect("few sums");
    let drawn = |seed: u64| {
        let mut random = Random::new(seed);
        let drawn: Vec<_> = (0..20).map(|_| space.sample(&mut random).expect("not empty")).collect();
        let guessed = statistics::guess(&problem, &mut random, 200_000);
        (drawn, guessed)
    };
    assert_eq!(drawn(11), drawn(11));
    assert_ne!(drawn(11), drawn(12));
    // A handwritten mapping is checked like any other.
    let values = ["W0", "L0", "S", "L0", "F"].map(|word| codes::parse(word).expect("a level"));
    assert!(problem.broken(&values).is_empty());
}

#[test]
fn buffers_that_threads_own_are_shared_along_other_axes() {
    let text = bound(LISTING_1, "I = 2, J = 4, K = 3");
    let options = Options { tags: common::tags(&["beyond"]), ..Options::default() };
    all_right(&text, "two_nests", options, 1756, 23);
}
