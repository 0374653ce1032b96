//! Numbers of the design for the paper's listings: trees, constraints, exact counts.

use crate::common;

use common::*;
use terrace_search_mapping::{Options, Uses, codes};

fn with(words: &[&str], uses: Uses) -> Options {
    Options { tags: tags(words), uses, ..Options::default() }
}

#[test]
fn chains_of_listing_3_are_found() {
    let problem = problem(&listing_3(None), None, Options::default(), true);
    let name = |n: &usize| problem.tree.loops[*n].name.as_str();
    let chains: Vec<String> =
        problem.tree.chains().iter().map(|chain| chain.iter().map(name).collect()).collect();
    assert_eq!(chains, ["ACD", "AB"]);
    let perfect: Vec<&str> = (0..4).filter(|n| problem.tree.loops[*n].perfect).map(|n| name(&n)).collect();
    assert_eq!(perfect, ["D"]);
}

#[test]
fn uses_of_memory_are_found() {
    use terrace_search_mapping::tree::Space;
    let problem = problem(LISTING_1, None, Options::default(), true);
    let name = |n: usize| problem.tree.loops[n].name.as_str();
    let users = |uses| problem.tree.users(Space::Local, uses).into_iter().map(name).collect::<String>();
    assert_eq!(users(Uses::Leaves), "CE");
    assert_eq!(users(Uses::Scope), "BCDE");
    assert!(problem.tree.users(Space::Private, Uses::Scope).is_empty());
}

#[test]
fn listing_1_has_as_many_mappings_as_brute_force_finds() {
    let printed = ["printed", "heuristic"];
    let all = ["printed", "heuristic", "beyond"];
    let cases: &[(&[&str], Uses, u64)] = &[
        (&printed, Uses::Leaves, 273),
        (&printed, Uses::Scope, 252),
        (&["printed"], Uses::Leaves, 301),
        (&["printed"], Uses::Scope, 280),
        (&["beyond"], Uses::Scope, 867),
        (&all, Uses::Scope, 27),
        (&all, Uses::Leaves, 27),
        (&[], Uses::Scope, 146_410),
    ];
    for (words, uses, expected) in cases {
        let problem = problem(LISTING_1, Some(SCHEDULE_1), with(words, *uses), true);
        assert_eq!(count(&problem), *expected, "{words:?} {uses:?}");
    }
}

#[test]
fn listing_3_has_as_many_mappings_as_brute_force_finds() {
    // Without a place the buffer is in device memory, which every level shares; but blocks do not wait for each other, so
    // that C, D and B, which exchange elements, are no blocks (40 and 44 with them).
    for (place, space, with_8, without_8) in
        [(None, "global", 13, 17), (Some("workgroup"), "workgroup", 9, 9), (Some("private"), "private", 4, 8)]
    {
        for (words, expected) in
            [(&["printed", "heuristic", "beyond"][..], with_8), (&["printed", "beyond"][..], without_8)]
        {
            let options = with(words, Uses::Scope);
            let problem = problem(&listing_3(place), Some(&schedule_3(space)), options, true);
            assert_eq!(count(&problem), expected, "{place:?} {words:?}");
        }
    }
}

#[test]
fn the_printed_rule_2_is_vacuous_without_groups() {
    // F1: the paper's own illegal mapping satisfies (1)–(8).
    let asked = |words: &[&str]| {
        problem(&listing_3(Some("workgroup")), Some(&schedule_3("workgroup")), with(words, Uses::Scope), true)
    };
    let values = |words: [&str; 4]| words.map(|word| codes::parse(word).expect("a level"));
    // In order of text: A, C, D, B.
    let illegal = values(["G1", "G0", "S", "G0"]);
    assert!(asked(&["printed", "heuristic"]).violated(&illegal).is_empty());
    assert!(!asked(&["beyond"]).violated(&illegal).is_empty());
    // Its legal one is legal.
    assert!(asked(&["printed", "heuristic", "beyond"]).holds(&values(["W0", "L0", "S", "L0"])));
}

#[test]
fn instances_are_counted_by_kind() {
    let problem = problem(LISTING_1, None, Options::default(), true);
    let expected = [
        ("shared memory", 4),
        ("duplicate scheduling", 3),
        ("local thread indexing dimensionality", 1),
        ("local thread indexing hierarchy", 3),
        ("exhaustive thread indexing", 9),
        ("sequential map fusion", 2),
        ("FUSED", 2),
    ];
    assert_eq!(problem.table(), expected);
}
