//! Rules that join branches: what counts and draws know, what one mapping gets as errors, and what the verifier and the lowering
//! accept are the same.

use crate::by_value;
use crate::common;

use by_value::{DOWN, FIRST, lower};
use common::{LISTING_1, context, function, listing_3, tags};
use std::collections::{BTreeMap, BTreeSet};
use terrace_devices::Level;
use terrace_ir::Ir;
use terrace_ir::symbols::Symbols;
use terrace_search_mapping::Limits;
use terrace_search_mapping::text::parse_mapping;
use terrace_search_mapping::{MapLevel, Mapping, Mappings, Options, Problem, explain, function};
use terrace_search_solver::Search;

/// Threads of the second kind use what those of the first wrote, at another place: the paper's §4.6
pub const TRANSPOSED: &str = r#"
func.func @swap(%x: !array.of<@n x @m x i32>, %two: i32) -> !array.of<@n x @m x i32> {
  %o = array.map "A" %x as %row {
    %c = array.map "C" %row as %e {
      %0 = arith.addi %e, %two : i32
      array.yield %0
    }
    %p = array.place #gpu.address_space<workgroup> %c
    %t = array.reorder strided @s %p
    %b = array.map "B" %t as %e {
      %0 = arith.muli %e, %two : i32
      array.yield %0
    }
    array.yield %b
  }
  return %o : !array.of<@n x @m x i32>
}
"#;

/// The same without a reordering between: each thread uses what it wrote
fn straight() -> String {
    TRANSPOSED.replace("%t = array.reorder strided @s %p", "").replace("\"B\" %t", "\"B\" %p")
}

/// Two results of one map, with rows of different lengths
const SIDE_BY_SIDE: &str = r#"
func.func @pair(%x: !array.of<@k x @n x i32>, %y: !array.of<@k x @m x i32>, %two: i32) -> (!array.of<@k x @n x i32>, !array.of<@k x @m x i32>) {
  %z = array.map "A" (array.zip %x, %y) as %u, %v {
    %b = array.map "B" %u as %e {
      %0 = arith.addi %e, %two : i32
      array.yield %0
    }
    %c = array.map "C" %v as %e {
      %0 = arith.muli %e, %two : i32
      array.yield %0
    }
    array.yield %b, %c
  }
  %o, %q = array.unzip %z
  return %o, %q : !array.of<@k x @n x i32>, !array.of<@k x @m x i32>
}
"#;

/// Rows that exchange their elements, then columns of another number
const ROWS_THEN_COLUMNS: &str = r#"
func.func @both(%x: !array.of<@k x @n x @m x i32>, %two: i32) -> !array.of<@k x @m x @n x i32> {
  %o = array.map "R" %x as %one {
    %w = array.map "A" %one as %row {
      %c = array.map "C" %row as %e {
        %0 = arith.addi %e, %two : i32
        array.yield %0
      }
      %p = array.place #gpu.address_space<workgroup> %c
      %t = array.reorder strided @s %p
      %b = array.map "B" %t as %e {
        %0 = arith.muli %e, %two : i32
        array.yield %0
      }
      array.yield %b
    }
    %l = array.place #gpu.address_space<workgroup> %w
    %f = array.map "E" (array.transpose %l) as %col {
      %g = array.map "F" %col as %e {
        %0 = arith.addi %e, %two : i32
        array.yield %0
      }
      array.yield %g
    }
    array.yield %f
  }
  return %o : !array.of<@k x @m x @n x i32>
}
"#;

/// Sizes, and behind a semicolon the sizes of blocks
pub fn bound(text: &str, sizes: &str) -> String {
    let (sizes, said) = sizes.split_once(';').unwrap_or((sizes, ""));
    let said = if said.is_empty() { String::new() } else { format!(",{said}") };
    text.replacen(" {\n", &format!(" attributes {{array.bind = {{{sizes}}}{said}}} {{\n"), 1)
}

pub fn problem(ir: &Ir, options: Options) -> Problem {
    let unit = function(ir);
    let symbols = Symbols::read(ir);
    let scope = symbols.child_scope(symbols.root(), unit);
    let (problem, missing) = function::problem(unit, &symbols, scope, options);
    assert!(missing.is_none(), "{}", missing.map(|why| why.message).unwrap_or_default());
    problem
}

pub fn parsed(text: &str) -> Ir {
    let mut ir = common::parse(&context(), text);
    lower(&mut ir, "func.func(array-bind)").unwrap_or_else(|why| panic!("{why}"));
    ir
}

/// What refuses a mapping once it is lowered: by the verifier or a pass
pub fn refused(ir: &Ir, problem: &Problem, values: &[MapLevel]) -> Option<String> {
    let mut mapped = ir.clone_unit();
    let slot = mapped.walk().find(|op| mapped.child(*op).is_some())?;
    function::apply(mapped.child_mut(slot)?, &problem.tree, values);
    for step in [FIRST, DOWN] {
        if let Err(why) = lower(&mut mapped, step) {
            return Some(why);
        }
        let diags = terrace_ir::verify::verify(&mapped, 1);
        if diags.has_errors() {
            return Some(terrace_diag::render_all(diags.iter(), mapped.cx().sources(), false));
        }
    }
    None
}

/// All mappings of a space, or one in so many: how many break which rules
fn agree(text: &str, options: Options, each: usize) -> BTreeMap<String, usize> {
    let ir = parsed(text);
    let problem = problem(&ir, options);
    let (all, valid) = problem.spaces().expect("counted");
    let valid = valid.expect("few sums");
    let listed: BTreeSet<Mapping> = valid.iter().collect();
    assert_eq!(valid.count().to_string(), listed.len().to_string());
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let maps: Vec<usize> = (0..problem.tree.loops.len()).collect();
    for (n, values) in all.iter().enumerate() {
        let broken = problem.broken(&values);
        let text = || explain::mapping_text(&problem, &maps, &values);
        assert_eq!(broken.is_empty(), listed.contains(&values), "{}: {broken:?}", text());
        let mut rules: Vec<&str> = broken.iter().map(|broken| broken.rule).collect();
        rules.dedup();
        *found.entry(rules.join(" ")).or_default() += 1;
        if n % each == 0 {
            let why = refused(&ir, &problem, &values);
            // A sequential loop of one iteration is none: what stands in it may become kernels of their own, which
            // is not foreseen. Then what the constraints accept is still valid.
            let single = problem.sizes.as_ref().is_some_and(|sizes| sizes.trips.contains(&1));
            let same = broken.is_empty() == why.is_none() || (single && why.is_none());
            assert!(same, "{}: {broken:?} {why:?}", text());
        }
    }
    found
}

pub fn beyond() -> Options {
    Options { tags: tags(&["beyond"]), ..Options::default() }
}

fn table(found: &BTreeMap<String, usize>) -> String {
    let word = |rules: &str| if rules.is_empty() { "valid".to_string() } else { rules.to_string() };
    found.iter().map(|(rules, count)| format!("  {count} {}\n", word(rules))).collect()
}

/// Programs with sizes; which of their mappings are lowered
fn programs() -> Vec<(&'static str, String, &'static str, usize)> {
    vec![
        ("listing 1", LISTING_1.to_string(), "I = 3, J = 4, K = 6", 41),
        ("reordered", TRANSPOSED.to_string(), "n = 4, m = 6, s = 2", 1),
        ("straight", straight(), "n = 4, m = 6, s = 2", 1),
        ("listing 3, local", listing_3(Some("workgroup")), "n = 24, s0 = 12, s1 = 4", 3),
        ("listing 3, private", listing_3(Some("private")), "n = 24, s0 = 12, s1 = 4", 1),
        ("listing 3", listing_3(None), "n = 24, s0 = 12, s1 = 4", 3),
        ("side by side", SIDE_BY_SIDE.to_string(), "k = 2, n = 4, m = 6", 5),
        ("side by side, one", SIDE_BY_SIDE.to_string(), "k = 1, n = 1, m = 3", 5),
        ("rows, then columns", ROWS_THEN_COLUMNS.to_string(), "k = 2, n = 4, m = 6, s = 2", 197),
        ("rows, then columns, one", ROWS_THEN_COLUMNS.to_string(), "k = 1, n = 1, m = 4, s = 2", 197),
        ("reordered, round", TRANSPOSED.to_string(), "n = 10, m = 6, s = 2; array.block = [4, 5]", 3),
        (
            "reordered, rest",
            TRANSPOSED.to_string(),
            "n = 10, m = 6, s = 2; array.block = [6, 4], array.grid = [3, 4]",
            3,
        ),
        ("straight, rest", straight(), "n = 10, m = 6, s = 2; array.block = [4, 4], array.grid = [3, 4]", 3),
        (
            "listing 1, round",
            LISTING_1.to_string(),
            "I = 3, J = 4, K = 6; array.block = [4, 2, 5], array.grid = [2]",
            101,
        ),
        (
            "listing 3, round",
            listing_3(Some("workgroup")),
            "n = 24, s0 = 12, s1 = 4; array.block = [5, 2, 3]",
            17,
        ),
        (
            "side by side, round",
            SIDE_BY_SIDE.to_string(),
            "k = 2, n = 4, m = 6; array.block = [4, 4, 4], array.grid = [3]",
            23,
        ),
        (
            "rows, then columns, round",
            ROWS_THEN_COLUMNS.to_string(),
            "k = 3, n = 4, m = 6, s = 2; array.block = [3, 2, 2]",
            397,
        ),
    ]
}

#[test]
fn what_is_valid_is_what_the_verifier_accepts() {
    let mut text = String::new();
    let cheap = |(name, ..): &(&str, String, &str, usize)| *name != "rows, then columns, one";
    for (name, source, sizes, each) in programs().into_iter().filter(cheap) {
        text += &format!("{name}: {sizes}\n{}", table(&agree(&bound(&source, sizes), beyond(), each)));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_printed_space_counts_the_same() {
    let small = Limits { block_threads: 20, local_bytes: 100, ..Limits::ANY };
    let mut text = String::new();
    let small_enough = |(name, ..): &(&str, String, &str, usize)| !name.ends_with("columns, one");
    for (name, source, sizes, _) in programs().into_iter().filter(small_enough) {
        let ir = parsed(&bound(&source, sizes));
        for limits in [None, Some(small)] {
            let which = if limits.is_some() { "few threads and bytes" } else { "any device" };
            let problem = problem(&ir, Options { limits, ..beyond() });
            let choices = common::printed(&ir, &problem);
            let (all, valid) = problem.spaces().expect("counted");
            let wanted = valid.expect("few sums").count().clone();
            let found = Search::new(&choices.numbers, None).count();
            assert_eq!(found, wanted, "{name}, {which}");
            text += &format!("{name}, {which}: {wanted} of {}\n", all.count());
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
#[ignore = "a minute: each mapping is lowered; run with --ignored"]
fn all_that_is_valid_is_what_the_verifier_accepts() {
    for (_, source, sizes, each) in programs() {
        agree(&bound(&source, sizes), beyond(), if sizes.contains("n = 1,") { each / 4 } else { 1 });
    }
}

/// Messages about a mapping, without pictures of the source
fn said(ir: &Ir, problem: &Problem, mapping: &str) -> String {
    let items: Vec<String> = mapping.split(',').map(str::to_string).collect();
    let values = parse_mapping(problem, &items).expect("a mapping");
    let all = explain::report(function(ir), problem, &values);
    let text = terrace_diag::render_all(all.iter(), ir.cx().sources(), false);
    let keep = |line: &&str| {
        ["error", "remark", "note", "= help"].iter().any(|start| line.trim().starts_with(start))
    };
    text.lines().filter(keep).map(|line| format!("  {}\n", line.trim())).collect()
}

#[test]
fn explanations_of_whole_kernels() {
    let mut text = String::new();
    let rows = parsed(&bound(ROWS_THEN_COLUMNS, "k = 2, n = 4, m = 6, s = 2"));
    // Threads of a row exchange elements, four rows next to six columns.
    let sync = problem(&rows, beyond());
    text += &format!("SYNC\n{}", said(&rows, &sync, "R=W0,A=L1,C=L0,B=L0,E=L1,F=L0"));
    // Two buffers of 96 and 24 bytes; each fits.
    let limits = |threads, bytes| Options {
        limits: Some(Limits { block_threads: threads, local_bytes: bytes, ..Limits::ANY }),
        ..beyond()
    };
    let small = problem(&rows, limits(64, 100));
    text += &format!("CAP\n{}", said(&rows, &small, "R=W0,A=S,C=L0,B=L0,E=S,F=L0"));
    let few = problem(&rows, limits(20, 1 << 10));
    text += &format!("HW\n{}", said(&rows, &few, "R=W0,A=L1,C=S,B=S,E=L0,F=S"));
    let pair = parsed(&bound(SIDE_BY_SIDE, "k = 2, n = 4, m = 6"));
    let grid = problem(&pair, beyond());
    text += &format!("GRID\n{}", said(&pair, &grid, "A=S,B=W0,C=S"));
    text += &format!("blocks\n{}", said(&pair, &grid, "A=S,B=W0,C=W0"));
    // Ten rows for four threads, in a block that is four high or, by another map, five.
    let round = parsed(&bound(TRANSPOSED, "n = 10, m = 6, s = 2; array.block = [6, 4]"));
    text += &format!("rest\n{}", said(&round, &problem(&round, beyond()), "A=L1,C=L0,B=L0"));
    let wide = parsed(&bound(TRANSPOSED, "n = 10, m = 6, s = 2; array.block = [4, 10]"));
    text += &format!("no rest\n{}", said(&wide, &problem(&wide, beyond()), "A=L1,C=L0,B=L0"));
    insta::assert_snapshot!(text);
}

#[test]
fn contradictions_of_whole_kernels() {
    let found = |text: &str, options: Options| {
        let ir = parsed(&bound(text, "k = 2, n = 4, m = 6, s = 2"));
        let problem = problem(&ir, options);
        let found = explain::conflict_of_all(&problem).expect("counted").expect("no mapping");
        let given: Vec<&str> = found.given.iter().map(|given| problem.given[*given].rule).collect();
        (given, found.whole)
    };
    // Levels that the program says: what threads of a row exchange, and longer rows next to them.
    let mut decided = ROWS_THEN_COLUMNS.to_string();
    for (map, level) in [("A", "thread.y"), ("B", "thread.x"), ("E", "thread.y")] {
        let at = decided.find(&format!("array.map \"{map}\"")).expect("the map");
        let before = decided[at..].find(" as ").expect("its body") + at;
        decided.insert_str(before, &format!(" : {level}"));
    }
    // Were C one loop with A, no threads would exchange anything.
    assert_eq!(found(&decided, beyond()), (vec!["FUSED"], vec!["SYNC"]));
    let small = Limits { local_bytes: 100, ..Limits::ANY };
    let options = Options { limits: Some(small), ..beyond() };
    assert_eq!(found(ROWS_THEN_COLUMNS, options), (vec![], vec!["CAP"]));
}

/// Rows in strips of as many as the block has threads along y, which other rows decide
const STRIPS: &str = r#"
func.func @strips(%x: !array.of<@k x @n x @m x i32>, %y: !array.of<@k x @h x @m x i32>, %two: i32) -> (!array.of<@k x @n x @m x i32>, !array.of<@k x @h x @m x i32>) {
  %z = array.map "R" (array.zip %x, %y) as %u, %v {
    %s = array.split @l %u
    %w = array.map "S" %s as %strip {
      %a = array.map "A" %strip as %row {
        %c = array.map "C" %row as %e {
          %0 = arith.addi %e, %two : i32
          array.yield %0
        }
        %p = array.place #gpu.address_space<workgroup> %c
        %t = array.reorder strided @s %p
        %b = array.map "B" %t as %e {
          %0 = arith.muli %e, %two : i32
          array.yield %0
        }
        array.yield %b
      }
      array.yield %a
    }
    %f = array.map "E" %v as %row {
      %g = array.map "F" %row as %e {
        %0 = arith.addi %e, %two : i32
        array.yield %0
      }
      array.yield %g
    }
    array.yield (array.join %w), %f
  }
  %o, %q = array.unzip %z
  return %o, %q : !array.of<@k x @n x @m x i32>, !array.of<@k x @h x @m x i32>
}
"#;

#[test]
fn threads_that_exchange_are_as_many_as_the_block_has() {
    let straight = STRIPS.replace("%t = array.reorder strided @s %p", "").replace("\"B\" %t", "\"B\" %p");
    let mapping: Vec<String> = "R=W0,S=S,A=L1,C=L0,B=L0,E=L1,F=L0".split(',').map(str::to_string).collect();
    // Rows, rows of a strip, threads along y: with an exchange of elements between threads of a row, and without.
    for (n, l, h, exchange, alone) in
        [(8, 4, 4, true, true), (8, 8, 8, true, true), (8, 2, 4, false, true), (6, 3, 4, false, true)]
    {
        for (text, wanted) in [(STRIPS, exchange), (&straight, alone)] {
            let text = bound(text, &format!("k = 2, n = {n}, l = {l}, h = {h}, m = 6, s = 2"));
            let ir = parsed(&text);
            let problem = problem(&ir, beyond());
            let values = parse_mapping(&problem, &mapping).expect("a mapping");
            let broken: Vec<&str> = problem.broken(&values).iter().map(|broken| broken.rule).collect();
            assert!(problem.holds(&values), "{n} {l} {h}");
            assert_eq!(broken.is_empty(), wanted, "{n} {l} {h}: {broken:?}");
            assert!(broken.iter().all(|rule| *rule == "SYNC"), "{broken:?}");
            assert_eq!(refused(&ir, &problem, &values).is_none(), wanted, "{n} {l} {h}");
        }
    }
    // Strips that do not cut rows evenly are refused by their type.
    let cx = context();
    let text = bound(STRIPS, "k = 2, n = 10, l = 4, h = 4, m = 6, s = 2");
    let source = cx.sources().add("uneven", text);
    let mut diags = terrace_diag::Diags::default();
    let ir = terrace_text::parse(&cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    let diags = terrace_ir::verify::verify(&ir.expect("parsed"), 1);
    let why = terrace_diag::render_all(diags.iter(), cx.sources(), false);
    assert!(why.contains("@l must divide @n, which leaves 2"), "{why}");
}

#[test]
fn iterations_that_may_write_one_element_run_one_after_the_other() {
    // Where D's elements go is data, and some may go nowhere: that no two go to one place is not shown. Patterns have no
    // such map; schedules do.
    let schedule = common::SCHEDULE_1
        .replace("%out: memref<8x4x6xi32, #dm>", "%out: memref<8x4x6xi32, #dm>, %at: memref<6xindex, #dm>")
        .replace("sched.for (%e in", "%i = sched.read %at[%d] : memref<6xindex, #dm>\nsched.for (%e in")
        .replace("%out[%a, %e, %d]", "%out[%a, %e, %i] clip");
    let problem = common::problem(LISTING_1, Some(&schedule), beyond(), true);
    let (d, e) = (problem.tree.find("D").expect("D"), problem.tree.find("E").expect("E"));
    let race: Vec<_> = problem.given.iter().filter(|given| given.rule == "RACE").collect();
    assert_eq!(race.iter().map(|given| given.about.clone()).collect::<Vec<_>>(), [[d]]);
    assert!(race[0].reason.contains("meet: one writes, another writes"), "{}", race[0].reason);
    // E may be threads; D may not, nor may what D is one with.
    let parallel = |value: MapLevel| value.level().is_some_and(Level::is_parallel);
    let space = Mappings::new(&problem.model()).expect("no joint constraints");
    assert!(space.iter().all(|values| !parallel(values[d])));
    assert!(space.iter().any(|values| parallel(values[e])));
}
