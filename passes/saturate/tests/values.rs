//! Any program taken out of the graph has the value of the one that was put in: on random programs, and with preferences without
//! meaning, so that all equalities have their turn. And what saturation finds that no order of the same rules does.

#[path = "../../array/tests/values/left/mod.rs"]
mod left;
#[path = "../../array/tests/values/random.rs"]
#[allow(dead_code)]
mod random;

use left::Rows;
use random::{Program, Ty, Val, program};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use terrace_diag::{Diags, render_all};
use terrace_interp::{Interpreter, Options, RtValue};
use terrace_ir::symbols::Symbols;
use terrace_ir::{Context, Ir};
use terrace_passes_array::LIBRARY;
use terrace_passes_array::rules;
use terrace_passes_saturate::cost::Goal;
use terrace_passes_saturate::explore::{Costs, Found, Limits, Space, Use};
use terrace_rewrite::library::Choice;
use terrace_rewrite::strategy::Strategy;
use terrace_rewrite::{Asks, Rule};
use terrace_support::Random;
use terrace_text::ParseOptions;

/// Random programs for each rule
const INSTANCES: u64 = 6;

fn context() -> &'static Arc<Context> {
    static CONTEXT: OnceLock<Arc<Context>> = OnceLock::new();
    CONTEXT.get_or_init(|| {
        let all = [terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL, terrace_dialect_array::ALL];
        Context::new(&all.concat())
    })
}

fn shown(diags: &Diags) -> String {
    render_all(diags.iter(), context().sources(), false)
}

fn parse(text: &str) -> Ir {
    let source = context().sources().add("test.mlir", text.to_string());
    let mut diags = Diags::default();
    let ir = terrace_text::parse(context(), source, &ParseOptions::default(), &mut diags);
    let ir = ir.filter(|_| !diags.has_errors()).unwrap_or_else(|| panic!("{}\n{text}", shown(&diags)));
    let diags = terrace_ir::verify::verify(&ir, 1);
    assert!(!diags.has_errors(), "{}\n{text}", shown(&diags));
    ir
}

fn printed(ir: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &terrace_text::PrintOptions::default(), &mut text);
    text
}

fn value(r: &mut Random, ty: &Ty) -> RtValue {
    let small = |r: &mut Random| r.below(7) as i64 - 3;
    match ty {
        Ty::I32 => RtValue::int(small(r).into(), 32),
        Ty::F32 => RtValue::f32(small(r) as f32),
        Ty::Tuple(parts) => RtValue::Vector(parts.iter().map(|part| value(r, part)).collect()),
        Ty::Array(n, elem) | Ty::Vector(n, elem) => {
            RtValue::Vector((0..*n).map(|_| value(r, elem)).collect())
        }
    }
}

fn run(ir: &Ir, inputs: &[Val], seed: u64) -> Result<Vec<RtValue>, String> {
    let mut r = Random::new(seed ^ 0xABCD);
    let args: Vec<RtValue> = inputs.iter().map(|input| value(&mut r, &input.ty)).collect();
    let mut interpreter = Interpreter::new(ir, Options { fuel: 10_000_000, ..Options::default() });
    interpreter.call("f", args).map_err(|trap| format!("{}: {}", trap.code.id, trap.message))
}

fn find(name: &str) -> &'static dyn Rule {
    let mut all = LIBRARY.rules.iter().copied().flatten().copied();
    all.find(|rule| rule.name() == name).expect("there is such a rule")
}

/// The cheapest of all programs that rules make of the function of a name
fn saturated(ir: &Ir, name: &str, rules: &[Use], limits: Limits, goal: Goal) -> Result<(Ir, Found), String> {
    let symbols = Symbols::read(ir);
    let mut better = ir.clone_unit();
    let mut result = Err("no function of this name".into());
    for unit in better.children_mut() {
        if unit.attr(unit.root(), "sym_name").and_then(|own| own.as_str(unit.cx())) != Some(name) {
            continue;
        }
        let source = unit.clone_unit();
        let scope = symbols.child_scope(symbols.root(), unit);
        let asks = Asks { symbols: Some((&symbols, scope)), assume: false, without: None, steps: None };
        let costs = Costs { goal, known: BTreeMap::new(), size: 64.0 };
        let mut space = Space::new(&source, asks, costs).map_err(|no| no.why)?;
        let found = space.saturate(rules, limits);
        space.write(unit).ok_or("not written")?;
        result = Ok(found);
    }
    result.map(|found| (*better, found))
}

const FEW: Limits = Limits { iterations: 2, nodes: 600, tries: 120, depth: 1 };

/// How many graphs had more than one program, and in how many programs that were taken out something was another
fn check(rows: Rows, changed: &mut usize) {
    let simplify = rules::simplify::ALL.iter().map(|rule| Use { rule: *rule, args: Vec::new() });
    let simplify: Vec<Use> = simplify.collect();
    for (rule, left) in rows {
        for seed in 1..=INSTANCES {
            let (Program { text, inputs, .. }, args) = program(seed, *left);
            let ir = parse(&text);
            let wanted =
                run(&ir, &inputs, seed).unwrap_or_else(|why| panic!("{rule}, {seed}: {why}\n{text}"));
            let mut all = vec![Use { rule: find(rule), args }];
            all.extend(simplify.iter().cloned());
            let goal = if seed == 1 { Goal::Time } else { Goal::Any(seed) };
            let Ok((better, found)) = saturated(&ir, "f", &all, FEW, goal) else { continue };
            *changed += usize::from(!found.applied.is_empty());
            let shows = || format!("{rule}, seed {seed}: from\n{text}\nto\n{}", printed(&better));
            let diags = terrace_ir::verify::verify(&better, 1);
            assert!(!diags.has_errors(), "{}\n{}", shown(&diags), shows());
            match run(&better, &inputs, seed) {
                Ok(found) => assert!(found == wanted, "{found:?} instead of {wanted:?}: {}", shows()),
                Err(why) => panic!("{why}: {}", shows()),
            }
        }
    }
}

#[test]
fn programs_of_random_preferences_have_the_same_value() {
    let mut changed = 0;
    for rows in [
        left::simplify::ROWS,
        left::fuse::ROWS,
        left::fission::ROWS,
        left::interchange::ROWS,
        left::tile::ROWS,
        left::reduce::ROWS,
        left::layout::ROWS,
        left::memory::ROWS,
        left::copies::ROWS,
        left::vector::ROWS,
        left::iterate::ROWS,
    ] {
        check(rows, &mut changed);
    }
    assert!(changed > 200, "rules gave something new in {changed} graphs");
}

/// Two chains of two maps, the second of which cannot be in vectors: before a cheap function, and before a dear one
const CHAINS: &str = "
func.func @f(%x: !array.of<64 x i32>, %t: !array.of<4 x i32>) -> (!array.of<64 x i32>, !array.of<64 x i32>) {
  %cheap = array.map %x as %a {
    %c = arith.addi %a, %a : i32
    array.yield %c
  }
  %one = array.map %cheap as %a {
    %s = array.reduce add %t as %b {
      %m = arith.muli %a, %b : i32
      array.yield %m
    }
    array.yield %s
  }
  %dear = array.map %x as %a {
    %c = arith.muli %a, %a : i32
    %d = arith.muli %c, %a : i32
    %e = arith.muli %d, %c : i32
    %g = arith.xori %e, %d : i32
    %h = arith.muli %g, %e : i32
    array.yield %h
  }
  %two = array.map %dear as %a {
    %s = array.reduce add %t as %b {
      %m = arith.muli %a, %b : i32
      array.yield %m
    }
    array.yield %s
  }
  return %one, %two : !array.of<64 x i32>, !array.of<64 x i32>
}
";

fn cost(ir: &Ir) -> f64 {
    let unit = ir.walk().find_map(|op| ir.child(op)).expect("a function");
    let costs = Costs { goal: Goal::Time, known: BTreeMap::new(), size: 64.0 };
    Space::new(unit, Asks::default(), costs).unwrap_or_else(|no| panic!("{}", no.why)).cost()
}

fn by_strategy(text: &str, strategy: &str) -> Ir {
    let mut ir = parse(text);
    let all = LIBRARY.rules.iter().copied().flatten().copied().collect();
    let choice = Choice { all, strategies: LIBRARY.strategies, only: &[] };
    let strategy: Strategy<String> = strategy.parse().expect("a strategy");
    let strategy = choice.resolve(&strategy).unwrap_or_else(|error| panic!("{}", error.message));
    for unit in ir.children_mut() {
        strategy.run(unit, Default::default()).1.unwrap_or_else(|miss| panic!("{}", miss.0));
    }
    ir
}

#[test]
fn no_order_of_the_same_rules_finds_what_saturation_does() {
    let ir = parse(CHAINS);
    let rules: Vec<Use> =
        [("mapFusion", vec![]), ("vectorize", vec!["4".to_string()]), ("asVectorAsScalar", vec![])]
            .map(|(name, args)| Use { rule: find(name), args })
            .to_vec();
    let limits = Limits { iterations: 6, nodes: 4000, tries: 4000, depth: 2 };
    let (best, found) = saturated(&ir, "f", &rules, limits, Goal::Time).expect("terms");
    assert!(found.saturated, "{found:?}");
    // Fused before the cheap function, in vectors before the dear one: neither order of the rules does both.
    let fused_first = by_strategy(CHAINS, "topdown(mapFusion)*; (topdown(vectorize(4)))*");
    let vectors_first =
        by_strategy(CHAINS, "topdown(vectorize(4))*; (topdown(asVectorAsScalar | mapFusion))*");
    let (best_cost, a, b) = (cost(&best), cost(&fused_first), cost(&vectors_first));
    assert!(
        best_cost < a && best_cost < b,
        "{best_cost}, fused first {a}, vectors first {b}\n{}",
        printed(&best)
    );
    assert!((found.cost.1 - best_cost).abs() < 1e-6);
    let text = printed(&best);
    assert_eq!(text.matches("array.as_vector").count(), 1, "{text}");
    assert_eq!(text.matches("array.map").count(), 3, "{text}");
    let mut r = Random::new(3);
    let inputs = [Ty::array(64, &Ty::I32), Ty::array(4, &Ty::I32)].map(|ty| value(&mut r, &ty));
    let gives = |ir: &Ir| {
        let mut interpreter = Interpreter::new(ir, Options::default());
        interpreter.call("f", inputs.to_vec()).unwrap_or_else(|trap| panic!("{}", trap.message))
    };
    assert!(gives(&best) == gives(&ir));
}

#[test]
fn the_same_program_gives_the_same() {
    let ir = parse(CHAINS);
    let rules: Vec<Use> = rules::fuse::ALL
        .iter()
        .chain(rules::fission::ALL)
        .map(|rule| Use { rule: *rule, args: Vec::new() })
        .collect();
    let limits = Limits { iterations: 3, nodes: 500, tries: 500, depth: 1 };
    let texts = [0, 1].map(|_| {
        let (best, found) = saturated(&ir, "f", &rules, limits, Goal::Ops).expect("terms");
        (printed(&best), found)
    });
    assert!(texts[0] == texts[1]);
}

#[test]
fn what_may_trap_is_left_alone() {
    // 3 divides @n or the program traps; joined again it is the whole in any case.
    let ir = parse(
        "func.func @f(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
           %p = array.split 3 %x
           %y = array.join %p
           return %y : !array.of<@n x i32>
         }",
    );
    let rules = [Use { rule: find("joinSplitId"), args: Vec::new() }];
    let (best, found) = saturated(&ir, "f", &rules, FEW, Goal::Time).expect("terms");
    assert!(found.trapping > 0 && found.applied.is_empty(), "{found:?}");
    assert!(printed(&best).contains("array.split"));
}

#[test]
fn goals_are_different_ones() {
    // A place that is not needed costs bytes; vectors cost no fewer operations.
    let ir = parse(
        "func.func @f(%x: !array.of<64 x i32>) -> !array.of<64 x i32> {
           %p = array.place \"main\" %x
           %q = array.place \"main\" %p
           %y = array.map %q as %a {
             %c = arith.muli %a, %a : i32
             array.yield %c
           }
           return %y : !array.of<64 x i32>
         }",
    );
    let rules: Vec<Use> = [("placePlace", vec![]), ("vectorize", vec!["8".to_string()])]
        .map(|(name, args)| Use { rule: find(name), args })
        .to_vec();
    let costs = |goal| saturated(&ir, "f", &rules, FEW, goal).expect("terms").1.cost;
    let (before, after) = costs(Goal::Memory);
    assert!((before - 512.0).abs() < 1.0 && (after - 256.0).abs() < 1.0, "{before} {after}");
    let (before, after) = costs(Goal::Ops);
    assert!((before - 64.0).abs() < 1.0 && (after - before).abs() < 1.0, "{before} {after}");
    let (before, after) = costs(Goal::Time);
    assert!(after < before / 1.5, "{before} {after}");
}
