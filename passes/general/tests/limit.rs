//! Runs that stop after an application of a given number: none, all, and one more each time.

use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_test::{Options, Refinement, generate, refines};
use terrace_dialect_upstream::ALL;
use terrace_interp::RtValue;
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_pass::{Counted, Instrument, Pipeline, Registry, RewriteLimit};
use terrace_text::{ParseOptions, PrintOptions};

const REGISTRY: Registry = Registry { passes: &[terrace_passes_general::PASSES], pipelines: &[] };

const TEXT: &str = "func.func @f(%a: i32, %n: index) -> i32 {\n\
                      %c0 = arith.constant 0 : index\n\
                      %c1 = arith.constant 1 : index\n\
                      %two = arith.constant 2 : i32\n\
                      %dead = arith.muli %a, %a : i32\n\
                      %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> i32 {\n\
                        %again = arith.constant 2 : i32\n\
                        %x = arith.addi %two, %again : i32\n\
                        %y = arith.addi %x, %a : i32\n\
                        %z = arith.addi %a, %x : i32\n\
                        %p = arith.muli %y, %z : i32\n\
                        %t = arith.addi %s, %p : i32\n\
                        scf.yield %t : i32\n\
                      }\n\
                      return %r : i32\n\
                    }\n\
                    func.func @g(%a: i32) -> i32 {\n\
                      %c0 = arith.constant 0 : i32\n\
                      %r = arith.addi %a, %c0 : i32\n\
                      cf.br ^end(%r : i32)\n\
                    ^end(%x: i32):\n\
                      return %x : i32\n\
                    }\n";

fn parsed(cx: &Arc<Context>, text: &str) -> Ir {
    let source = cx.sources().add("f", text);
    terrace_text::parse(cx, source, &ParseOptions::default(), &mut Diags::default()).expect("it parses")
}

fn text(ir: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &PrintOptions::default(), &mut text);
    text
}

fn run(ir: &Ir, pipeline: &str, limit: Option<&str>, threads: usize) -> (Box<Ir>, Vec<Counted>) {
    let mut diags = Diags::default();
    let parsed = Pipeline::parse(pipeline, &REGISTRY, ir.cx().sources(), &mut diags).expect("a pipeline");
    let limit = limit.map(|limit| limit.parse::<RewriteLimit>().expect("a limit"));
    let instrument = Instrument { limit, count: true, threads, ..Instrument::quiet(text) };
    let mut after = ir.clone_unit();
    let (report, result) = terrace_pass::run(&mut after, &parsed, &instrument);
    result.expect("it runs");
    assert!(!verify(&after, 1).has_errors(), "{}", text(&after));
    (after, report.counted)
}

const PIPELINE: &str = "func.func(licm,canonicalize,cse,dce),inline";

fn total(counted: &[Counted]) -> u64 {
    counted.iter().map(|one| one.count).sum()
}

#[test]
fn none_is_the_input_and_many_are_no_limit() {
    let cx = Context::new(ALL);
    let ir = parsed(&cx, TEXT);
    let (all, counted) = run(&ir, PIPELINE, None, 1);
    assert!(total(&counted) > 10, "{counted:?}");
    assert_eq!(text(&run(&ir, PIPELINE, Some("0"), 1).0), text(&ir));
    for limit in [total(&counted).to_string(), u64::MAX.to_string()] {
        let (same, again) = run(&ir, PIPELINE, Some(&limit), 2);
        assert_eq!((text(&same), again), (text(&all), counted.clone()), "{limit}");
    }
    // Not counting changes nothing either.
    let parsed = Pipeline::parse(PIPELINE, &REGISTRY, cx.sources(), &mut Diags::default()).expect("right");
    let mut plain = ir.clone_unit();
    terrace_pass::run(&mut plain, &parsed, &Instrument::quiet(text)).1.expect("it runs");
    assert_eq!(text(&plain), text(&all));
}

#[test]
fn every_number_changes_something_and_is_reached() {
    let cx = Context::new(ALL);
    let ir = parsed(&cx, TEXT);
    let most = total(&run(&ir, PIPELINE, None, 1).1);
    let mut before = text(&ir);
    for n in 1..=most {
        let (after, counted) = run(&ir, PIPELINE, Some(&n.to_string()), 1);
        assert_eq!(total(&counted), n);
        let last = counted.iter().rev().find(|one| one.count > 0).and_then(|one| one.last);
        let what = last.expect("something was done").what;
        // A whole pass may have nothing to do.
        assert!(text(&after) != before || what == "pass", "{n} ({what}) changes nothing");
        before = text(&after);
    }
}

#[test]
fn one_pass_in_one_unit_is_limited() {
    let cx = Context::new(ALL);
    let ir = parsed(&cx, TEXT);
    let (_, counted) = run(&ir, PIPELINE, None, 1);
    let of = |counted: &[Counted], pass: usize, unit: &str| {
        counted.iter().find(|one| one.pass == pass && one.unit == unit).map(|one| one.count)
    };
    let most = of(&counted, 2, "@f").expect("it ran");
    assert!(most > 3);
    for n in 0..=most {
        let (_, found) = run(&ir, PIPELINE, Some(&format!("2:@f:{n}")), 2);
        assert_eq!(of(&found, 2, "@f").unwrap_or(0), n);
        assert_eq!(of(&found, 2, "@g"), of(&counted, 2, "@g"), "other units are rewritten in full");
        assert!(found.iter().all(|one| one.pass <= 2), "no pass runs behind it");
    }
    assert_eq!(of(&counted, 5, "module"), Some(1), "a pass that does not count is one application");
}

#[test]
fn each_application_refines_what_was_before() {
    let cx = Context::new(ALL);
    let (mut same, mut steps) = (0, 0);
    for seed in 3000..3040 {
        let ir = module(&cx, seed);
        let pipeline = "func.func(canonicalize,cse)";
        let most = total(&run(&ir, pipeline, None, 1).1);
        let mut before = ir.clone_unit();
        for n in 1..=most {
            let (after, _) = run(&ir, pipeline, Some(&n.to_string()), 1);
            for value in [0, 1, -5] {
                let mut args: Vec<RtValue> =
                    [1, 8, 32, 64].into_iter().map(|width| RtValue::int(value, width)).collect();
                let float = value as f64 / 2.0;
                args.extend([RtValue::index(value as i64), RtValue::f32(float as f32), RtValue::f64(float)]);
                match refines(&before, &after, "f", &args) {
                    Refinement::Same => same += 1,
                    Refinement::Undefined(_) => {}
                    Refinement::Broken(why) => panic!("seed {seed}, application {n}: {why}"),
                }
            }
            steps += 1;
            before = after;
        }
    }
    assert!(same > 500 && steps > 500, "{same} of {steps} steps decide something");
}

/// A module with the function of a seed
fn module(cx: &Arc<Context>, seed: u64) -> Ir {
    let made = generate(cx, seed, &Options::default()).function;
    let mut ir = parsed(cx, "");
    let block = ir.regions(ir.root()).next().and_then(|region| ir.entry(region)).expect("a module's block");
    let slot = ir.adopt(Box::new(made));
    ir.append(block, slot);
    ir
}
