//! What refuses how many, and how often a blind guess is right: exact numbers against a walk over all of them.

use crate::common;

use common::{LISTING_1, context, function, listing_3, parse, tags};
use num_bigint::BigUint;
use std::collections::BTreeSet;
use terrace_ir::symbols::Symbols;
use terrace_search_mapping::Limits;
use terrace_search_mapping::statistics::{Refusals, all_mappings, guess, refusals};
use terrace_search_mapping::{Mappings, Options, Problem, Tag, codes, function};
use terrace_search_solver::{Model, Random};

fn of(text: &str, sizes: &str, limits: Limits) -> Problem {
    let text = text.replacen(" {\n", &format!(" attributes {{array.bind = {{{sizes}}}}} {{\n"), 1);
    let cx = context();
    let module = parse(&cx, &text);
    let unit = function(&module);
    let symbols = Symbols::read(&module);
    let scope = symbols.child_scope(symbols.root(), unit);
    let options = Options { limits: Some(limits), ..Options::default() };
    let (problem, missing) = function::problem(unit, &symbols, scope, options);
    assert!(missing.is_none(), "{}", missing.map(|why| why.message).unwrap_or_default());
    problem
}

/// The same by asking each candidate
fn walked(problem: &Problem, base: &[Tag]) -> Vec<u64> {
    let mut model: Model = problem.model();
    model.constraints.retain(|each| base.contains(&problem.given[each.id].tag));
    let mut rows = vec![0u64; 6];
    for values in Mappings::new(&model).expect("counted").iter() {
        let numbers = codes::numbers(&values);
        let rules: BTreeSet<&str> = problem
            .given
            .iter()
            .filter(|given| given.tag == Tag::Beyond && !given.formula.holds(&numbers))
            .map(|given| given.rule)
            .collect();
        let whole: BTreeSet<&str> = problem.broken(&values).iter().map(|broken| broken.rule).collect();
        let any = |of: &[&str], all: &BTreeSet<&str>| of.iter().any(|rule| all.contains(rule));
        let row = if any(&["NEST", "FUSED", "INLINED", "VEC"], &rules) {
            0
        } else if any(&["MEM", "HOME", "RACE"], &rules) {
            1
        } else if rules.contains("HW") || any(&["HW", "GRID"], &whole) {
            2
        } else if whole.contains("SYNC") {
            3
        } else if rules.contains("CAP") || whole.contains("CAP") {
            4
        } else {
            5
        };
        rows[row] += 1;
    }
    rows
}

fn check(problem: &Problem, base: &[Tag]) -> (Refusals, Vec<u64>) {
    let found = refusals(problem, base).expect("few sums");
    let rows: Vec<BigUint> =
        found.refused.iter().map(|(_, count)| count.clone()).chain([found.valid.clone()]).collect();
    assert_eq!(rows.iter().sum::<BigUint>(), found.candidates, "rows add up to all");
    let walked = walked(problem, base);
    assert_eq!(rows, walked.iter().map(|n| BigUint::from(*n)).collect::<Vec<_>>());
    (found, walked)
}

fn small(threads: i64, bytes: i64) -> Limits {
    Limits { block_threads: threads, local_bytes: bytes, ..Limits::ANY }
}

#[test]
fn candidates_of_the_printed_rules_are_counted_by_what_refuses_them() {
    let sizes = "I = 3, J = 4, K = 6";
    let printed = tags(&["printed", "heuristic"]);
    let (_, rows) = check(&of(LISTING_1, sizes, Limits::ANY), &printed);
    // Global loops around what shares local memory, which the printed rule (2) does not see: 221 of 252.
    assert_eq!(rows, [116, 105, 0, 0, 0, 31]);
    // A block of at most 8 threads, and memory for one buffer of 96 bytes and not for one of each thread.
    let (_, rows) = check(&of(LISTING_1, sizes, small(8, 100)), &printed);
    assert_eq!(rows.iter().sum::<u64>(), 252);
    assert!(rows[2] > 0 && rows[4] > 0 && rows[5] > 0, "{rows:?}");
    let (_, rows) =
        check(&of(&listing_3(Some("workgroup")), "n = 24, s0 = 12, s1 = 4", small(8, 1 << 10)), &printed);
    assert!(rows[1] > 0 && rows[2] > 0 && rows[5] > 0, "{rows:?}");
}

#[test]
fn a_blind_guess_is_right_as_often_as_counts_say() {
    let problem = of(LISTING_1, "I = 3, J = 4, K = 6", Limits::ANY);
    let (valid, all) = (problem.valid().expect("few sums"), all_mappings(&problem));
    assert_eq!((valid.count().clone(), all), (BigUint::from(31u32), BigUint::from(146_410u32)));
    let (mut random, mut tries, mut found) = (Random::new(1), 0, BTreeSet::new());
    for _ in 0..40 {
        let (values, own) = guess(&problem, &mut random, u64::MAX);
        tries += own;
        found.insert(values.expect("there are some"));
    }
    // 40 of them take 40 * 146,410 / 31 guesses on average, with a deviation of one in √40: four of those.
    let expected = 40.0 * 146_410.0 / 31.0;
    let deviation = expected / 40f64.sqrt();
    assert!((tries as f64 - expected).abs() < 4.0 * deviation, "{tries} guesses, {expected} expected");
    assert!(found.iter().all(|values| valid.rank(values).is_some()));
}
