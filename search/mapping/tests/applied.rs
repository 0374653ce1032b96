//! Items of the paper on the program as it is lowered, by the passes that users run: Table 1 applied and run, rules (1) and (8)
//! on and off, fused maps as one loop, a user's constraints.

use crate::by_value;
use crate::common;
use crate::strangers::one;

use by_value::{DOWN, FIRST, as_it_is, on_buffers, types};
use common::{LISTING_1, context, count, function, listing_3, tags};
use terrace_devices::{Axis, Level};
use terrace_dialect_sched::For;
use terrace_dialect_test::Harness;
use terrace_dialect_test::values::{difference, shown, verify};
use terrace_dialect_tune::ALL as TUNE;
use terrace_ir::Ir;
use terrace_ir::symbols::Symbols;
use terrace_pass::Registry;
use terrace_search_mapping::{MapLevel, Mapping, Options, Problem, function};

const MAPPING: Harness = Harness {
    dialects: &[terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL, terrace_dialect_array::ALL, TUNE],
    registry: Registry {
        passes: &[
            terrace_passes_general::PASSES,
            terrace_passes_array::PASSES,
            terrace_lowering_array::PASSES,
            terrace_lowering_sched::PASSES,
            terrace_passes_sched::PASSES,
            terrace_lowering_upstream::PASSES,
            terrace_passes_mapping::PASSES,
        ],
        pipelines: &[],
    },
};

fn bound(text: &str, sizes: &str) -> String {
    text.replacen("> {\n", &format!("> attributes {{array.bind = {{{sizes}}}}} {{\n"), 1)
}

fn parsed(text: &str) -> Box<Ir> {
    let mut ir = MAPPING.parse(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    MAPPING.transform(&mut ir, "func.func(array-bind)").unwrap_or_else(|why| panic!("{why}"));
    ir
}

/// Loops of a lowered function: the trip of each
fn trips(ir: &Ir) -> Vec<i64> {
    let units = ir.walk().filter_map(|op| ir.child(op));
    let mut all = Vec::new();
    for unit in units {
        all.extend(unit.walk().filter_map(|op| For::cast(unit, op)?.info(unit)).map(|info| info.trip()));
    }
    all
}

fn times(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

/// A3, A4: each mapping of Table 1 as the table prints it, and M1 with its inner maps fused. Code, or barriers and lanes
#[test]
fn table_1_applied() {
    let text = bound(LISTING_1, "I = 8, J = 4, K = 6");
    let table: &[(&str, &str, Result<(usize, bool), &str>)] = &[
        // Right, with little to do at once; rule (8) wants inner maps fused, which is advice.
        ("M1", "A=G0,B=S,C=S,D=S,E=S", Err("E0761")),
        ("M1, fused", "A=G0,B=S,C=F,D=S,E=F", Ok((0, false))),
        // Cannot synchronize; out-of-scope reads.
        ("M2", "A=G1,B=G0,C=S,D=G0,E=S", Err("E0655")),
        ("M3", "A=S,B=W0,C=L0,D=W0,E=L0", Err("E0655")),
        ("M4", "A=W0,B=L0,C=S,D=L0,E=S", Ok((1, false))),
        // Not contiguous.
        ("M5", "A=W0,B=L0,C=S,D=L0,E=V", Err("E0661")),
        ("M6", "A=W0,B=L0,C=V,D=S,E=L0", Ok((0, true))),
    ];
    for (name, mapping, verdict) in table {
        let mut ir = parsed(&text);
        let (before, source) = (shown(&ir), types(&ir, "two_nests"));
        let wanted = as_it_is(&ir, "two_nests").unwrap_or_else(|why| panic!("{why}"));
        let done = MAPPING.transform(&mut ir, &format!("func.func(array-map{{mapping={mapping}}})"));
        let (barriers, lanes) = match (done, verdict) {
            (Err(why), Err(code)) => {
                assert!(why.contains(&format!("error[{code}]")), "{name}: {why}");
                assert_eq!(shown(&ir), before, "{name}: refused, and something has changed");
                continue;
            }
            (Ok(()), Ok(found)) => *found,
            (done, _) => panic!("{name}: {done:?} instead of {verdict:?}"),
        };
        for step in [FIRST, DOWN] {
            MAPPING.transform(&mut ir, step).unwrap_or_else(|why| panic!("{name}: {step}: {why}"));
            verify(&ir).unwrap_or_else(|why| panic!("{name}: {step}: {why}"));
            let found = on_buffers(&ir, "two_nests", &source).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(difference(&wanted, &found), None, "{name}: {step}");
        }
        let kernel = shown(&ir);
        assert_eq!(times(&kernel, "gpu.barrier"), barriers, "{name}:\n{kernel}");
        assert_eq!(kernel.contains("vector<6xi32>"), lanes, "{name}:\n{kernel}");
    }
}

fn asked(text: &str, options: Options) -> Problem {
    let ir = common::parse(&context(), text);
    let unit = function(&ir);
    let symbols = Symbols::read(&ir);
    let scope = symbols.child_scope(symbols.root(), unit);
    let (problem, missing) = function::problem(unit, &symbols, scope, options);
    assert!(missing.is_none(), "{}", missing.map(|why| why.message).unwrap_or_default());
    problem
}

fn solutions(problem: &Problem) -> Vec<Mapping> {
    problem.valid().expect("few sums").iter().collect()
}

/// A20: what D writes for itself is one thread's, so that only A is parallel, in the program as it is lowered
#[test]
fn rule_1_in_the_lowered_program() {
    let program = |place| bound(&listing_3(place), "n = 24, s0 = 8, s1 = 4");
    let parallel = |problem: &Problem| -> Vec<String> {
        let all = solutions(problem);
        let ever = |n: &usize| all.iter().any(|values| values[*n].level().is_some_and(Level::is_parallel));
        let maps = (0..problem.tree.loops.len()).filter(ever);
        maps.map(|n| problem.tree.loops[n].name.clone()).collect()
    };
    let private = asked(&program(Some("private")), Options::default());
    assert_eq!(parallel(&private), ["A"]);
    // One constraint for each map inside, from this rule and from no handwritten schedule.
    let about: Vec<&str> = private
        .given
        .iter()
        .filter(|given| given.rule == "1")
        .map(|given| private.tree.loops[given.about[0]].name.as_str())
        .collect();
    assert_eq!(about, ["C", "D", "B"]);
    let alone = Options { rules: vec!["1".into()], ..Options::default() };
    assert_eq!(asked(&program(Some("private")), alone).model().constraints.len(), 3);
    // The same program with memory that threads share.
    assert_eq!(parallel(&asked(&program(Some("workgroup")), Options::default())), ["A", "C", "D", "B"]);
    let text = program(Some("private")).replace("@tiled", "@f");
    assert!(one(&text, 40).expect("right") > 1);
}

/// A27: without rule (8) there are those mappings too in which two perfectly nested maps are both sequential, and no others
#[test]
fn rule_8_on_and_off() {
    let off = || Options { tags: tags(&["printed", "beyond"]), ..Options::default() };
    let mut counts = Vec::new();
    for (text, sizes) in [
        (LISTING_1.to_string(), "I = 3, J = 4, K = 6"),
        (listing_3(Some("workgroup")), "n = 24, s0 = 8, s1 = 4"),
        (listing_3(Some("private")), "n = 24, s0 = 8, s1 = 4"),
    ] {
        let text = bound(&text, sizes);
        let (with, without) = (asked(&text, Options::default()), asked(&text, off()));
        let (few, many) = (solutions(&with), solutions(&without));
        let loops = &without.tree.loops;
        let both_sequential = |values: &Mapping| {
            (0..loops.len()).any(|n| {
                let seq = |n: usize| values[n] == MapLevel::SEQ;
                loops[n].perfect && seq(n) && loops[n].parent.is_some_and(seq)
            })
        };
        let kept: Vec<Mapping> = many.iter().filter(|values| !both_sequential(values)).cloned().collect();
        assert_eq!(kept, few, "{text}");
        counts.push((few.len(), many.len()));
    }
    assert_eq!(counts, [(31, 43), (13, 17), (4, 8)]);
}

/// A14: maps that are fused are one loop of as many iterations as all of them have, and give the same values
#[test]
fn fused_maps_are_one_loop_of_their_product() {
    let text = r#"
func.func @f(%x: !array.of<2 x 3 x 5 x i32>, %s: i32) -> !array.of<3 x 2 x 5 x i32> {
  %t = array.transpose %x
  %o = array.map "A" %t as %a {
    %p = array.map "B" %a as %b {
      %once = array.map "D" %b as %e { %v = arith.muli %e, %s : i32  array.yield %v }
      %q = array.map "C" %once as %e { %w = arith.addi %e, %s : i32  array.yield %w }
      array.yield %q
    }
    array.yield %p
  }
  return %o : !array.of<3 x 2 x 5 x i32>
}
"#;
    for (mapping, wanted) in [
        ("A=G0,B=G1,C=S", vec![3, 2, 5]),
        ("A=G0,B=F,C=S", vec![6, 5]),
        ("A=G0,B=G1,C=F", vec![3, 10]),
        ("A=G0,B=F,C=F", vec![30]),
        ("A=S,B=F,C=F", vec![30]),
    ] {
        let mut ir = parsed(text);
        let source = types(&ir, "f");
        let values = as_it_is(&ir, "f").expect("values");
        let map = format!("func.func(array-map{{tags=beyond mapping={mapping}}})");
        MAPPING.transform(&mut ir, &map).unwrap_or_else(|why| panic!("{mapping}: {why}"));
        MAPPING.transform(&mut ir, FIRST).unwrap_or_else(|why| panic!("{mapping}: {why}"));
        assert_eq!(trips(&ir), wanted, "{mapping}: {}", shown(&ir));
        MAPPING.transform(&mut ir, DOWN).unwrap_or_else(|why| panic!("{mapping}: {why}"));
        let found = on_buffers(&ir, "f", &source).expect("values");
        assert_eq!(difference(&values, &found), None, "{mapping}");
    }
    // And all that the constraints accept.
    assert!(one(text, 60).expect("right") > 10);
}

/// A16: a condition that the user writes leaves those of the mappings that satisfy it, and no others
#[test]
fn a_users_condition_leaves_what_satisfies_it() {
    let text = bound(LISTING_1, "I = 3, J = 4, K = 6");
    let space = r#"
tune.space @mine for @two_nests on "opencl" {
  tune.param @m.A "A" in {seq, thread.x, block.x, block.y, block.z, global.x}
  tune.param @m.D "D" in {seq, thread.x, thread.y}
  tune.constraint "blocks" user : @m.A in {block.x, block.y} because "a queue has two dimensions"
  tune.constraint "rows" user : @m.A in {block.y} or @m.D in {seq} because "columns are short"
}
"#;
    let all = asked(&text, Options::default());
    let (a, d) = (all.tree.find("A").expect("A"), all.tree.find("D").expect("D"));
    let wanted: Vec<Mapping> = solutions(&all)
        .into_iter()
        .filter(|values| {
            let blocks = [Axis::X, Axis::Y].map(|axis| MapLevel::At(Level::Block(axis)));
            blocks.contains(&values[a]) && (values[a] == blocks[1] || values[d] == MapLevel::SEQ)
        })
        .collect();
    assert!(!wanted.is_empty() && (wanted.len() as u64) < count(&all), "{} of {}", wanted.len(), count(&all));
    // By the pass: as many, and each of them by its number; the next number is none.
    let levels = |ir: &Ir, problem: &Problem| -> Mapping {
        let unit = function(ir);
        let of = |n: usize| function::decided(unit, &problem.tree, n).expect("a level");
        (0..problem.tree.loops.len()).map(of).collect()
    };
    let mut found = Vec::new();
    for point in 0..wanted.len() {
        let mut ir = parsed(&format!("{text}{space}"));
        MAPPING
            .transform(&mut ir, &format!("array-map{{point={point}}}"))
            .unwrap_or_else(|why| panic!("{why}"));
        found.push(levels(&ir, &all));
    }
    found.sort();
    let mut wanted = wanted;
    wanted.sort();
    assert_eq!(found, wanted);
    let mut ir = parsed(&format!("{text}{space}"));
    let after = MAPPING.transform(&mut ir, &format!("array-map{{point={}}}", wanted.len()));
    assert!(after.expect_err("there is no such mapping").contains("none has number"));
    // One that breaks it gets the reason.
    let mut ir = parsed(&format!("{text}{space}"));
    let why =
        MAPPING.transform(&mut ir, "array-map{mapping=A=W2,B=L2,D=L2}").expect_err("the user's condition");
    assert!(why.contains("error[E0766]") && why.contains("a queue has two dimensions"), "{why}");
}
