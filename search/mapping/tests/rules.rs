//! The paper's rules one by one: what Table 3 says of listing 3, how questions for dimensions are written out, and for each
//! rule a mapping that it alone refuses.

use crate::common;

use common::*;
use std::fmt::Write as _;
use terrace_devices::{Axis, Level};
use terrace_search_mapping::rules::{Along, dims_used, for_used};
use terrace_search_mapping::tree::Space as Memory;
use terrace_search_mapping::{MapLevel, MapLevels, Mappings, Options, Problem, Uses, codes};
use terrace_search_solver::{Cmp, Formula, Term, Var};

fn printed(text: &str) -> Problem {
    problem(text, None, Options { tags: tags(&["printed"]), ..Options::default() }, true)
}

/// Listing 1 with its buffer in device memory, which every level shares
fn listing_1() -> Problem {
    printed(&LISTING_1.replace("<workgroup>", "<global>"))
}

/// Names of rules that a mapping breaks; levels by map
fn broken(problem: &Problem, mapping: &str) -> Vec<&'static str> {
    let mut values = vec![MapLevel::SEQ; problem.tree.loops.len()];
    for item in mapping.split_whitespace() {
        let (name, word) = item.split_once('=').expect("MAP=LEVEL");
        let n = problem.tree.find(name).expect("a map");
        values[n] = codes::parse(word).expect("a level");
    }
    let mut rules: Vec<&str> =
        problem.violated(&values).into_iter().map(|given| problem.given[given].rule).collect();
    rules.dedup();
    rules
}

#[test]
fn the_ten_functions_of_table_3_on_listing_3() {
    let problem = printed(&listing_3(Some("workgroup")));
    let tree = &problem.tree;
    let name = |n: usize| tree.loops[n].name.as_str();
    let names = |maps: &[usize]| maps.iter().map(|n| name(*n)).collect::<Vec<_>>().join(" ");
    let mut text = String::new();
    for n in 0..tree.loops.len() {
        let outer: Vec<usize> = tree.outer(n).collect();
        let inner: Vec<usize> = tree.nested(n).collect();
        let _ = writeln!(
            text,
            "NestedMaps({}) = {{{}}}, OuterMaps = {{{}}}",
            name(n),
            names(&inner),
            names(&outer)
        );
    }
    for chain in tree.chains() {
        let _ = writeln!(text, "MapNestingChains: ({})", names(&chain));
    }
    for (n, each) in tree.loops.iter().enumerate().filter(|(_, each)| each.perfect) {
        let outer = each.parent.map_or("", name);
        let _ = writeln!(text, "{}.perfectlyNestedIn({outer})", name(n));
    }
    // All maps of the tree write memory (F4).
    let _ = writeln!(text, "ConcreteMaps = {{{}}}", names(&(0..tree.loops.len()).collect::<Vec<_>>()));
    for uses in [Uses::Leaves, Uses::Scope] {
        let _ = writeln!(text, "usesLocalMemory ({uses:?}): {{{}}}", names(&tree.users(Memory::Local, uses)));
    }
    let private = printed(&listing_3(Some("private"))).tree;
    let _ = writeln!(
        text,
        "usesPrivateMemory, with a private buffer: {{{}}}",
        names(&private.users(Memory::Private, Uses::Leaves))
    );
    // The paper's legal mapping, then its illegal one; in order of text: A, C, D, B.
    for words in [["W0", "L0", "S", "L0"], ["G1", "G0", "S", "G0"]] {
        let values = words.map(|word| codes::parse(word).expect("a level"));
        for chain in tree.chains() {
            let used = |along: Along| {
                let all = dims_used(&chain, along, &values).into_iter().map(Axis::number);
                format!("{:?}", all.collect::<Vec<_>>())
            };
            let levels: Vec<String> = chain.iter().map(|n| values[*n].to_string()).collect();
            let _ = writeln!(
                text,
                "({}) at {}: GlbDimsUsedIn {}, WrgDimsUsedIn {}, LclDimsUsedIn {}",
                names(&chain),
                levels.join(", "),
                used(Level::Global),
                used(Level::Block),
                used(Level::Thread)
            );
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn questions_for_dimensions_are_written_out() {
    // For all g in GlbDimsUsedIn(A, B): C(g), here "map 2 is no thread of g".
    let thread = |axis: Axis| MapLevel::At(Level::Thread(axis));
    let formula = for_used(&[0, 1], Level::Global, |g| {
        Formula::cmp(Cmp::Ne, Term::from(Var(2)), codes::number(thread(g)))
    });
    let name = |var: Var| ["A", "B", "C"][var.index()].to_string();
    assert_eq!(
        formula.text(&name, &|_, value| value.to_string()),
        "(not (any(A, B) in {30}) or C != 10) and (not (any(A, B) in {31}) or C != 11) and (not (any(A, B) in {32}) or C != 12)"
    );
    // It says what the function says, whatever the values.
    let all = || MapLevels::OPENCL.iter();
    for (a, b, c) in all().flat_map(|a| all().flat_map(move |b| all().map(move |c| (a, b, c)))) {
        let values = [a, b, c];
        let holds = dims_used(&[0, 1], Level::Global, &values).into_iter().all(|g| c != thread(g));
        assert_eq!(formula.holds(&codes::numbers(&values)), holds, "{values:?}");
    }
}

#[test]
fn rule_1_private_memory() {
    let problem = printed(&listing_3(Some("private")));
    assert_eq!(broken(&problem, "A=W0 C=S D=L0 B=L0"), ["1"]);
    // D writes it, B reads it: only A may be parallel.
    let rule: Vec<usize> = (0..problem.given.len()).filter(|n| problem.given[*n].rule == "1").collect();
    let space = Mappings::new(&problem.model().only(&rule)).expect("counted");
    let parallel: Vec<&str> = (0..4)
        .filter(|n| space.iter().any(|values| values[*n].level().is_some_and(Level::is_parallel)))
        .map(|n| problem.tree.loops[n].name.as_str())
        .collect();
    assert_eq!(parallel, ["A"]);
}

#[test]
fn rule_2_local_memory() {
    let problem = printed(&listing_3(Some("workgroup")));
    // The paper's legal mapping; blocks that are not around the one who writes.
    assert_eq!(broken(&problem, "A=W0 B=L0 C=L0 D=S"), [""; 0]);
    assert_eq!(broken(&printed(&listing_3(None)), "A=L0 B=W0 C=W0 D=S"), ["6"]);
    assert_eq!(broken(&problem, "A=L0 B=W0 C=W0 D=S"), ["2", "6"]);
    assert_eq!(broken(&problem, "A=G0 B=G1 C=G1 D=S"), [""; 0], "says nothing without groups (F1)");
}

#[test]
fn rule_3_a_level_once_on_a_path() {
    let problem = printed(&listing_3(None));
    assert_eq!(broken(&problem, "A=W0 C=L0 D=L0 B=L0"), ["3"]);
    assert_eq!(broken(&problem, "A=W0 C=L0 D=S B=L0"), [""; 0]);
    assert_eq!(broken(&problem, "A=G0 C=G0 D=S B=G0"), ["3"]);
}

#[test]
fn rule_4_thread_dimensions_have_groups() {
    let problem = listing_1();
    assert_eq!(broken(&problem, "A=W0 B=L0 C=L1 D=L0 E=L1"), ["4,5"]);
    assert_eq!(broken(&problem, "A=W0 B=L0 C=S D=L0 E=S"), [""; 0]);
}

#[test]
fn rule_5_group_dimensions_have_threads() {
    let problem = listing_1();
    assert_eq!(broken(&problem, "A=W0 B=W1 C=L0 D=W1 E=L0"), ["4,5"]);
    assert_eq!(broken(&problem, "A=W0 B=L0 C=S D=S E=L0"), [""; 0]);
}

#[test]
fn rule_6_no_groups_inside_of_threads() {
    // The paper's own pair, with D sequential.
    let problem = printed(&listing_3(None));
    assert_eq!(broken(&problem, "A=W0 B=L0 C=L0 D=S"), [""; 0]);
    assert_eq!(broken(&problem, "A=L0 B=W0 C=W0 D=S"), ["6"]);
}

#[test]
fn rule_7_dimensions_of_one_chain_are_used_in_all() {
    let problem = listing_1();
    let reasons = |mapping: &str| -> Vec<String> {
        let items: Vec<&str> = mapping.split_whitespace().collect();
        let mut values = vec![MapLevel::SEQ; 5];
        for item in items {
            let (name, word) = item.split_once('=').expect("MAP=LEVEL");
            values[problem.tree.find(name).expect("a map")] = codes::parse(word).expect("a level");
        }
        let all = problem.violated(&values).into_iter().map(|given| &problem.given[given]);
        all.filter(|given| given.rule == "7").map(|given| given.reason.clone()).collect()
    };
    let used = |what: &str| format!("{what} dimension 0 is used on every chain in A or on none");
    // One for each of the three; threads and groups alone break (4) and (5) too.
    assert_eq!(reasons("A=S B=L0 D=S"), [used("thread")]);
    assert_eq!(reasons("A=S B=W0 D=S"), [used("work-group")]);
    assert_eq!(reasons("A=S B=G0 D=S"), [used("global")]);
    assert_eq!(broken(&problem, "A=S B=G0 D=S"), ["7"]);
    assert_eq!(broken(&problem, "A=S B=W0 C=L0 D=S E=S"), ["7"]);
    assert_eq!(broken(&problem, "A=W0 B=L0 C=S D=S E=L0"), [""; 0]);
}
