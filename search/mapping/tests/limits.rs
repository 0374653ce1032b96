//! Sizes against a device: threads of a block, bytes of its memory; by constraints where one path decides, by whole mappings
//! where branches join.

use crate::common;

use common::*;
use terrace_devices::Device;
use terrace_ir::symbols::Symbols;
use terrace_search_mapping::Limits;
use terrace_search_mapping::joint::Tally;
use terrace_search_mapping::{Mappings, Options, Problem, explain, function};

fn of(text: &str, device: &str) -> Problem {
    let cx = context();
    let module = parse(&cx, text);
    let unit = function(&module);
    let symbols = Symbols::read(&module);
    let scope = symbols.child_scope(symbols.root(), unit);
    let device = Device::parse("test", device).expect("well formed");
    let options = Options { limits: Limits::of(&device), strict_local: true, ..Options::default() };
    let (problem, missing) = function::problem(unit, &symbols, scope, options);
    assert!(missing.is_none(), "{}", missing.map(|why| why.message).unwrap_or_default());
    problem
}

fn listing_1(sizes: &str) -> String {
    LISTING_1.replacen("> {\n", &format!("> attributes {{array.bind = {{{sizes}}}}} {{\n"), 1)
}

fn device(threads: i64, bytes: i64) -> String {
    format!(
        "kind = \"grid\"\nunits = 4\nregisters = 64\nblock_threads = {threads}\nmemory = [{{ region = \"SM\", bytes = {bytes} }}]"
    )
}

#[test]
fn loops_longer_than_a_block_are_no_threads() {
    // B and E have 64 iterations, C and D 16.
    let text = listing_1("I = 8, J = 64, K = 16");
    assert_eq!(count(&of(&text, &device(256, 1 << 20))), 27);
    // Only C, and D with E sequential or fused, are short enough: on each of three axes.
    assert_eq!(count(&of(&text, &device(32, 1 << 20))), 6);
    let none = of(&text, &device(8, 1 << 20));
    assert_eq!(count(&none), 0);
    let found = explain::conflict(&none).expect("counted").expect("no mapping");
    assert!(found.iter().any(|given| none.given[*given].rule == "HW"), "{found:?}");
}

#[test]
fn a_buffer_that_does_not_fit_is_said() {
    let text = listing_1("I = 8, J = 64, K = 16");
    assert_eq!(count(&of(&text, &device(256, 4 * 64 * 16))), 27);
    let small = of(&text, &device(256, 4 * 64 * 16 - 1));
    assert_eq!(count(&small), 0);
    let found = explain::conflict(&small).expect("counted").expect("no mapping");
    let reasons: Vec<&str> = found.iter().map(|given| small.given[*given].reason.as_str()).collect();
    assert_eq!(reasons, ["a buffer of 4096 bytes, and a block's memory has 4095"]);
}

#[test]
fn branches_that_join_are_asked_of_whole_mappings() {
    // Threads of one branch along x and y, of the other too: the longest along each axis make the block.
    // B with C fused has 24 * 16 iterations.
    let text = listing_1("I = 8, J = 24, K = 16");
    let problem = of(&text, &device(100, 1 << 20));
    let mut tally = Tally::default();
    let space = Mappings::new(&problem.model()).expect("no joint constraints");
    for values in space.iter() {
        let broken = problem.broken(&values);
        let (_, block) = problem.sizes.as_ref().expect("a grid").launch(&problem.tree, 0, &values);
        assert_eq!(broken.is_empty(), block.iter().product::<i64>() <= 100, "{values:?}");
        tally.add(&broken);
    }
    // Of three choices for each chain those without a fused map are left.
    assert_eq!((tally.valid, tally.threads, tally.sync, tally.memory), (12, 15, 0, 0));
    assert_eq!(tally.total(), 27);
    // Counted without asking each.
    let (all, valid) = problem.spaces().expect("counted");
    let valid = valid.expect("few sums");
    assert_eq!((all.count().to_string(), valid.count().to_string()), ("27".into(), "12".into()));
    assert!(valid.iter().all(|values| problem.broken(&values).is_empty()));
}
