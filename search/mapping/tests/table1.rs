//! Table 1 of the paper: six mappings of listing 1 with their verdicts and reasons, on the schedule that the function lowers
//! to; the illegal mapping of listing 3; the fewest changes; constraints that contradict each other.

use crate::common;

use common::*;
use terrace_devices::Level;
use terrace_ir::symbols::Symbols;
use terrace_search_mapping::text::parse_mapping;
use terrace_search_mapping::{MapLevel, Options, Problem, explain, function};

/// A function with numbers for its sizes
fn bound(text: &str, sizes: &str) -> String {
    text.replacen("> {\n", &format!("> attributes {{array.bind = {{{sizes}}}}} {{\n"), 1)
}

fn listing_1() -> String {
    bound(LISTING_1, "I = 8, J = 4, K = 6")
}

fn with<T>(text: &str, options: Options, ask: impl FnOnce(&terrace_ir::Ir, &Problem) -> T) -> T {
    let cx = context();
    let module = parse(&cx, text);
    let unit = function(&module);
    let symbols = Symbols::read(&module);
    let scope = symbols.child_scope(symbols.root(), unit);
    let (problem, missing) = function::problem(unit, &symbols, scope, options);
    assert!(missing.is_none(), "{}", missing.map(|why| why.message).unwrap_or_default());
    ask(unit, &problem)
}

fn strict() -> Options {
    Options { strict_local: true, ..Options::default() }
}

fn explained(text: &str, options: Options, mapping: &str) -> String {
    let items: Vec<String> = mapping.split(',').map(str::to_string).collect();
    let mut options = options;
    if mapping.contains("=V") {
        options.levels = options.levels.with(MapLevel::At(Level::Vector));
    }
    with(text, options, |ir, problem| {
        let values = parse_mapping(problem, &items).expect("a mapping");
        let all = explain::report(ir, problem, &values);
        let text = terrace_diag::render_all(all.iter(), ir.cx().sources(), false);
        // Messages are the subject here, not pictures of the source.
        let keep = |line: &&str| {
            ["error", "remark", "note", "   = help", "  = help"].iter().any(|start| line.starts_with(start))
        };
        text.lines().filter(keep).map(|line| format!("  {}\n", line.trim())).collect()
    })
}

/// As the table prints them, and M1 with its inner loops fused
const TABLE: &[(&str, &str)] = &[
    ("M1 as printed", "A=G0,B=S,C=S,D=S,E=S"),
    ("M1 fused", "A=30,B=0,C=1,D=0,E=1"),
    ("M2", "A=G1,B=G0,C=S,D=G0,E=S"),
    ("M3", "A=S,B=W0,C=L0,D=W0,E=L0"),
    ("M4", "A=W0,B=L0,C=S,D=L0,E=S"),
    ("M5", "A=W0,B=L0,C=S,D=L0,E=V"),
    ("M6", "A=W0,B=L0,C=V,D=S,E=L0"),
];

#[test]
fn verdicts_of_table_1() {
    let mut text = String::new();
    for (name, mapping) in TABLE {
        text += &format!("{name} ({mapping})\n{}", explained(&listing_1(), Options::default(), mapping));
    }
    text += "M1 fused, local memory shared by a block\n";
    text += &explained(&listing_1(), strict(), TABLE[1].1);
    text += "Listing 3, the paper's legal mapping\n";
    let listing_3 = bound(&listing_3(Some("workgroup")), "n = 64, s0 = 16, s1 = 4");
    text += &explained(&listing_3, Options::default(), "A=W0,B=L0,C=L0,D=S");
    text += "Listing 3, the paper's illegal mapping\n";
    text += &explained(&listing_3, Options::default(), "A=G1,B=G0,C=G0,D=S");
    insta::assert_snapshot!(text);
}

#[test]
fn the_schedule_of_the_lowering_gives_the_counts_of_the_one_by_hand() {
    for (words, expected) in
        [(&["beyond"][..], 867), (&["printed", "heuristic", "beyond"], 27), (&["printed", "heuristic"], 252)]
    {
        let options = Options { tags: tags(words), ..strict() };
        assert_eq!(with(&listing_1(), options, |_, problem| count(problem)), expected, "{words:?}");
    }
    for (space, with_8, without_8) in [("workgroup", 9, 9), ("private", 4, 8)] {
        let text = bound(&listing_3(Some(space)), "n = 64, s0 = 16, s1 = 4");
        for (words, expected) in
            [(&["printed", "heuristic", "beyond"][..], with_8), (&["printed", "beyond"], without_8)]
        {
            let options = Options { tags: tags(words), ..strict() };
            assert_eq!(with(&text, options, |_, problem| count(problem)), expected, "{space} {words:?}");
        }
    }
}

#[test]
fn fewest_changes() {
    for (mapping, expected) in [(1, 1), (2, 3), (3, 3)] {
        let options = Options { tags: tags(&["beyond"]), ..strict() };
        let items: Vec<String> = TABLE[mapping].1.split(',').map(str::to_string).collect();
        with(&listing_1(), options, |_, problem| {
            let values = parse_mapping(problem, &items).expect("a mapping");
            let changes = explain::relaxation(problem, &values).expect("there are mappings");
            assert_eq!(changes.len(), expected, "{}", TABLE[mapping].0);
        });
    }
}

#[test]
fn constraints_that_contradict_each_other_are_few() {
    let strict = || Options { tags: tags(&["beyond"]), ..strict() };
    // The owner at a thread's level leaves no block for the local memory; a block loop inside is not the owner.
    for (from, to, expected) in [("\"A\" %in", "thread.x", "HOME"), ("\"B\" %a", "block.x", "MEM")] {
        let text = listing_1().replace(&format!("{from} as"), &format!("{from} : {to} as"));
        with(&text, strict(), |_, problem| {
            let found = explain::conflict(problem).expect("counted").expect("no mapping");
            let rules: Vec<&str> = found.iter().map(|given| problem.given[*given].rule).collect();
            assert_eq!(rules, [expected]);
        });
    }
}
