//! Maps whose elements are computed where they are read have no loop: rules that count loops do not count them. The paper's own
//! rules, which may be selected by name, count all maps of the text. Programs that users brought.

use crate::common;
use crate::strangers::one;

use common::{context, count, function};
use terrace_ir::symbols::Symbols;
use terrace_search_mapping::{Options, Problem, explain, function};

/// Two maps one after the other, in rows; the second reads what the first computes, once
const TWO: &str = r#"
func.func @f(%x: !array.of<6 x 5 x i32>, %s: i32) -> !array.of<6 x 5 x i32> {
  %a = array.map "M0" %x as %row {
    %b = array.map "M1" %row as %e { %v = arith.muli %e, %s : i32  array.yield %v }
    array.yield %b
  }
  %o = array.map "M2" %a as %row {
    %b = array.map "M3" %row as %e { %v = arith.addi %e, %s : i32  array.yield %v }
    array.yield %b
  }
  return %o : !array.of<6 x 5 x i32>
}
"#;

/// The same in the rows of one map
const CHAIN: &str = r#"
func.func @f(%x: !array.of<6 x 5 x i32>, %s: i32) -> !array.of<6 x 5 x i32> {
  %o = array.map "M2" %x as %row {
    %a = array.map "M1" %row as %e { %v = arith.muli %e, %s : i32  array.yield %v }
    %b = array.map "M3" %a as %e { %v = arith.addi %e, %s : i32  array.yield %v }
    array.yield %b
  }
  return %o : !array.of<6 x 5 x i32>
}
"#;

/// Listing 3 of the paper, word by word
const LISTING_3: &str = r#"
func.func @f(%x: !array.of<48 x i32>, %s: i32) -> !array.of<48 x i32> {
  %0 = array.split 12 %x
  %1 = array.map "A" %0 as %p {
    %2 = array.split 4 %p
    %3 = array.map "C" %2 as %q {
      %4 = array.map "D" %q as %e { %m = arith.muli %e, %s : i32  array.yield %m }
      array.yield %4
    }
    %6 = array.join %3
    %7 = array.map "B" %6 as %e { %a = arith.addi %e, %s : i32  array.yield %a }
    array.yield %7
  }
  %9 = array.join %1
  return %9 : !array.of<48 x i32>
}
"#;

/// One nest
const ONE: &str = r#"
func.func @f(%x: !array.of<6 x 5 x i32>, %s: i32) -> !array.of<6 x 5 x i32> {
  %o = array.map "M2" %x as %row {
    %b = array.map "M3" %row as %e { %v = arith.muli %e, %s : i32  %w = arith.addi %v, %s : i32  array.yield %w }
    array.yield %b
  }
  return %o : !array.of<6 x 5 x i32>
}
"#;

/// A loop in a map that has none: it stands in the loop of the map that reads it
const INSIDE: &str = r#"
func.func @f(%x: !array.of<6 x 5 x i32>, %s: i32) -> !array.of<6 x i32> {
  %a = array.map "M0" %x as %row {
    %b = array.map "M1" %row as %e { %v = arith.muli %e, %s : i32  array.yield %v }
    %p = array.toPrivate %b
    %r = array.reduce add %p as %e { array.yield %e }
    array.yield %r
  }
  %o = array.map "M2" %a as %e { %v = arith.addi %e, %s : i32  array.yield %v }
  return %o : !array.of<6 x i32>
}
"#;

/// Listing 1 with the buffer in device memory
const GLOBAL: &str = r#"
func.func @f(%in: !array.of<4 x 3 x 5 x i32>, %c: i32) -> !array.of<4 x 3 x 5 x i32> {
  %o = array.map "A" %in as %plane {
    %b = array.map "B" %plane as %row {
      %r = array.map "C" %row as %x { %v = arith.addi %x, %c : i32  array.yield %v }
      array.yield %r
    }
    %buf = array.toGlobal %b
    %t = array.transpose %buf
    %d = array.map "D" %t as %col {
      %r = array.map "E" %col as %x { %v = arith.muli %x, %c : i32  array.yield %v }
      array.yield %r
    }
    %dt = array.transpose %d
    array.yield %dt
  }
  return %o : !array.of<4 x 3 x 5 x i32>
}
"#;

/// Windows over what is in no memory, in a map
const WINDOWS: &str = r#"
func.func @f(%X: !array.of<6 x 6 x i32>, %c: i32) -> !array.of<9 x 2 x 2 x i32> {
  %v1 = array.slide 3 by 2 %X
  %v2 = array.map "M0" %v1 as %e1 {
    %v3 = array.map "M1" %e1 as %e2 {
      %v4 = array.map "M2" %e2 as %e3 { %v5 = arith.muli %e3, %c : i32  array.yield %v5 }
      %v6 = array.toLocal %v4
      %v7 = array.map "M3" %v6 as %e4 { %v8 = arith.addi %e4, %c : i32  array.yield %v8 }
      %v9 = array.toLocal %v7
      array.yield %v9
    }
    %v10 = array.join %v3
    %v11 = array.slide 2 by 2 %v10
    array.yield %v11
  }
  %v12 = array.toGlobal %v2
  %v13 = array.transpose %v12
  return %v13 : !array.of<9 x 2 x 2 x i32>
}
"#;

/// Three chains, two of which have one variable less than their maps: what they must use alike is in a circle all the same
const CHAINS: &str = r#"
func.func @f(%X: !array.of<5 x 5 x 2 x i32>, %c: i32) -> !array.of<24 x 3 x 2 x i32> {
  %v1 = array.transpose %X
  %v2 = array.join %v1
  %v3 = array.slide 2 by 1 %v2
  %v4 = array.map "M0" %v3 as %e1 {
    %v5 = array.map "M1" %e1 as %e2 {
      %v6 = array.map "M2" %e2 as %e3 { %v7 = arith.addi %e3, %c : i32  array.yield %v7 }
      %v8 = array.toLocal %v6
      array.yield %v8
    }
    %v9 = array.join %v5
    %v10 = array.slide 2 by 1 %v9
    %v11 = array.map "M3" %v10 as %e4 {
      %v12 = array.map "M4" %e4 as %e5 { %v13 = arith.addi %e5, %c : i32  array.yield %v13 }
      %v14 = array.toLocal %v12
      %v15 = array.map "M5" %v14 as %e6 { %v16 = arith.muli %e6, %c : i32  array.yield %v16 }
      %v17 = array.toPrivate %v15
      array.yield %v17
    }
    %v18 = array.toLocal %v11
    array.yield %v18
  }
  return %v4 : !array.of<24 x 3 x 2 x i32>
}
"#;

/// Levels that contradict memory
const UNSATISFIABLE: &str = r#"
func.func @f(%x: !array.of<8 x 8 x i32>, %c: i32) -> !array.of<8 x 8 x i32> {
  %o = array.map "A" %x : block.x as %r {
    %g = array.map "B" %r : thread.x as %e { %v = arith.addi %e, %c : i32  array.yield %v }
    %p = array.toPrivate %g
    %h = array.map "C" %p : thread.x as %e { %v = arith.muli %e, %c : i32  array.yield %v }
    array.yield %h
  }
  return %o : !array.of<8 x 8 x i32>
}
"#;

fn asked<T>(text: &str, options: Options, ask: impl FnOnce(&Problem) -> T) -> T {
    let ir = common::parse(&context(), text);
    let unit = function(&ir);
    let symbols = Symbols::read(&ir);
    let scope = symbols.child_scope(symbols.root(), unit);
    let (problem, missing) = function::problem(unit, &symbols, scope, options);
    assert!(missing.is_none(), "{}", missing.map(|why| why.message).unwrap_or_default());
    ask(&problem)
}

fn of_rules(rules: &[&str]) -> Options {
    Options { rules: rules.iter().map(|rule| (*rule).to_string()).collect(), ..Options::default() }
}

const PAPER: &[&str] = &["1", "2", "3", "4", "5", "4,5", "6", "7", "8"];

#[test]
fn maps_without_a_loop_do_not_count() {
    let wanted = asked(ONE, Options::default(), count);
    assert_eq!(wanted, 19);
    for text in [TWO, CHAIN, LISTING_3] {
        assert_eq!(asked(text, Options::default(), count), wanted, "{text}");
    }
    let beyond = |text| asked(text, Options { tags: common::tags(&["beyond"]), ..Options::default() }, count);
    assert_eq!(beyond(TWO), beyond(ONE));
    asked(LISTING_3, Options::default(), |problem| {
        let chains: Vec<Vec<&str>> = problem
            .tree
            .chains()
            .iter()
            .map(|chain| chain.iter().map(|n| problem.tree.loops[*n].name.as_str()).collect())
            .collect();
        assert_eq!(chains, [["A", "B"]]);
        // Levels for them are refused, with what would give them a loop.
        let all = terrace_search_mapping::text::parse_mapping(problem, &["C=block.x".to_string()]);
        let ir = common::parse(&context(), LISTING_3);
        let said = explain::report(function(&ir), problem, &all.expect("a mapping"));
        assert_eq!(said[0].code.map(|code| code.id), Some("E0763"));
        assert!(said[0].help[0].contains("`array.place`"), "{:?}", said[0].help);
    });
}

#[test]
fn a_loop_in_a_map_without_one_stands_in_that_of_the_reader() {
    asked(INSIDE, Options::default(), |problem| {
        let name = |n: usize| problem.tree.loops[n].name.as_str();
        let outer: Vec<(&str, Option<&str>, bool)> = (0..3)
            .map(|n| (name(n), problem.tree.loops[n].parent.map(name), problem.tree.loops[n].inlined))
            .collect();
        assert_eq!(outer, [("M2", None, false), ("M1", Some("M2"), false), ("M0", None, true)]);
        // Rule (1) is about the loop that there is.
        let private: Vec<&str> = problem
            .given
            .iter()
            .filter(|given| given.rule == "1")
            .map(|given| name(given.about[0]))
            .collect();
        assert_eq!(private, ["M1"]);
    });
    assert!(one(INSIDE, 40).expect("right") > 1);
}

#[test]
fn programs_that_users_brought_are_right_in_all_their_mappings() {
    for (text, least) in [(TWO, 19), (CHAIN, 19), (LISTING_3, 19), (GLOBAL, 20), (WINDOWS, 10), (CHAINS, 10)]
    {
        let count = one(text, 40).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert!(count >= least, "{count}\n{text}");
    }
}

#[test]
fn an_empty_space_has_no_mapping() {
    asked(UNSATISFIABLE, Options::default(), |problem| {
        let (space, valid) = problem.spaces().expect("counted");
        let valid = valid.expect("few sums");
        assert_eq!((space.count().bits(), valid.count().bits()), (0, 0));
        assert!(valid.nth(&0u32.into()).is_none() && valid.iter().next().is_none());
        let found = explain::conflict_of_all(problem).expect("counted").expect("no mapping");
        assert_eq!(found.given.iter().map(|given| problem.given[*given].rule).collect::<Vec<_>>(), ["1"]);
    });
}

/// The eight rules as the paper prints them, on listing 3: chains (A, B) and (A, C, D), D perfectly nested in C
fn brute_force(asked: &dyn Fn(u8) -> bool) -> u64 {
    let codes = [0, 1, 10, 11, 12, 20, 21, 22, 30, 31, 32];
    let mut count = 0;
    let holds = |[a, b, c, d]: [i64; 4]| {
        let chains: [&[i64]; 2] = [&[a, b], &[a, c, d]];
        let uses = |chain: &[i64], code: i64| chain.contains(&code);
        let nested = [(a, b), (a, c), (a, d), (c, d)];
        let three = nested.iter().all(|(m, inner)| m / 10 < 1 || m != inner);
        let six = nested.iter().all(|(m, inner)| !(m / 10 == 1 && inner / 10 == 2 && inner % 10 == m % 10));
        let four =
            chains.iter().all(|chain| (0..3).all(|dim| !uses(chain, 10 + dim) || uses(chain, 20 + dim)));
        let five =
            chains.iter().all(|chain| (0..3).all(|dim| !uses(chain, 20 + dim) || uses(chain, 10 + dim)));
        let seven = [10, 20, 30]
            .iter()
            .all(|level| (0..3).all(|dim| uses(chains[0], level + dim) == uses(chains[1], level + dim)));
        let eight = !(c == 0 && d == 0);
        [(3, three), (4, four), (5, five), (6, six), (7, seven), (8, eight)]
            .iter()
            .all(|(rule, holds)| *holds || !asked(*rule))
    };
    for a in codes {
        for b in codes {
            for c in codes {
                for d in codes {
                    count += u64::from(holds([a, b, c, d]));
                }
            }
        }
    }
    count
}

#[test]
fn the_papers_rules_by_name_are_what_brute_force_finds() {
    let all = asked(LISTING_3, of_rules(PAPER), count);
    assert_eq!(all, brute_force(&|_| true));
    for rule in 1..=8u8 {
        let name = rule.to_string();
        let found = asked(LISTING_3, of_rules(&[&name]), count);
        assert_eq!(found, brute_force(&|own| own == rule), "rule {rule}");
    }
    // Any map may be fused, as in Table 2.
    asked(LISTING_3, of_rules(PAPER), |problem| {
        assert!((0..problem.tree.loops.len()).all(|n| problem.domain(n).len() == 11));
        assert!(!problem.is_whole());
    });
    // Rules of both kinds are asked of the loops that there are.
    asked(LISTING_3, of_rules(&["8", "NEST"]), |problem| {
        assert_eq!(problem.tree.chains().len(), 1);
        assert!(!problem.is_whole());
    });
}
