//! What is left, that it does not depend on threads, and whom the reducer refuses.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use terrace_dialect_upstream::ALL;
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_shrink::{Cache, Judge, Options, Reduced, Refusal, Verdict, Weight, reduce};
use terrace_text::PrintOptions;

const TEXT: &str = "func.func private @helper(%a: i64) -> i64 {\n\
                      %c = arith.constant 40 : i64\n\
                      %r = arith.addi %a, %c : i64\n\
                      return %r : i64\n\
                    }\n\
                    func.func @main(%n: index, %x: i64, %m: memref<8x16xf32>, %flag: i1) -> (i64, f32) attributes {mark = \"yes\"} {\n\
                      %c0 = arith.constant 0 : index\n\
                      %c1 = arith.constant 1 : index\n\
                      %big = arith.constant 1000 : i64\n\
                      %h = call @helper(%x) : (i64) -> i64\n\
                      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %h) -> i64 {\n\
                        %q = arith.muli %s, %big : i64\n\
                        %d = arith.divsi %q, %x : i64\n\
                        scf.yield %d : i64\n\
                      }\n\
                      cf.cond_br %flag, ^a(%sum : i64), ^b\n\
                    ^a(%v: i64):\n\
                      %z = memref.load %m[%c0, %c1] : memref<8x16xf32>\n\
                      return %v, %z : i64, f32\n\
                    ^b:\n\
                      %f = arith.constant 2.5 : f32\n\
                      cf.br ^a(%x : i64)\n\
                    }\n";

fn parsed(text: &str) -> Ir {
    let cx: Arc<Context> = Context::new(ALL);
    let source = cx.sources().add("f", text);
    let mut diags = terrace_diag::Diags::default();
    let ir = terrace_text::parse(&cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    ir.unwrap_or_else(|| panic!("{}", terrace_diag::render_all(diags.iter(), cx.sources(), false)))
}

fn shown(ir: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &PrintOptions::default(), &mut text);
    text
}

/// Reduce while each of these words is in the text
fn reduced(words: &[&str], options: Options) -> (String, Reduced) {
    let judge = |_: &Ir, text: &str| words.iter().all(|word| text.contains(word));
    let mut last = Weight::of(&parsed(TEXT));
    let mut better = |module: &Ir, _: &terrace_shrink::Report| {
        let weight = Weight::of(module);
        assert!(weight < last && !verify(module, 1).has_errors());
        last = weight;
    };
    let done = reduce(&parsed(TEXT), &judge, options, &mut better).expect("it can be reduced");
    assert!(done.report.minimal);
    // What is left is text that reads back.
    assert_eq!(shown(&parsed(&shown(&done.module))), shown(&done.module));
    (shown(&done.module), done)
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn an_op_is_left_with_what_it_needs() {
    let (text, _) = reduced(&["arith.divsi"], Options::default());
    // The op, what it divides, a function around it.
    assert_eq!(lines(&text).len(), 6, "{text}");
    assert!(text.contains("i1") && !text.contains("scf.for") && !text.contains("mark"), "{text}");
}

#[test]
fn regions_types_and_constants_become_small() {
    let (text, _) = reduced(&["scf.for", "memref.load"], Options::default());
    assert!(
        text.contains("memref<1x1xf32>") && !text.contains("cond_br") && !text.contains("call"),
        "{text}"
    );
    let (text, _) = reduced(&["arith.constant", ": i64", "call @helper"], Options::default());
    assert!(!text.contains("1000") && !text.contains("40"), "{text}");
}

#[test]
fn control_flow_is_reduced() {
    let (text, done) = reduced(&["cf.cond_br"], Options::default());
    assert!(done.report.after.ops <= 4 && !text.contains("scf"), "{text}");
    let (text, _) = reduced(&["cf.br"], Options::default());
    assert!(!text.contains("cond_br"), "{text}");
}

#[test]
fn the_result_does_not_depend_on_threads_or_on_the_cache() {
    let words = ["arith.muli", "memref.load"];
    let (one, first) = reduced(&words, Options::default());
    for jobs in [2, 3, 8] {
        let (many, again) = reduced(&words, Options { jobs, ..Options::default() });
        assert_eq!((many, again.report), (one.clone(), first.report), "{jobs} jobs");
    }
    let count = AtomicU64::new(0);
    let judge = |_: &Ir, text: &str| {
        count.fetch_add(1, Ordering::Relaxed);
        words.iter().all(|word| text.contains(word))
    };
    let cache = Cache::from_text(&first.cache.to_text());
    let options = Options { cache, ..Options::default() };
    let again = reduce(&parsed(TEXT), &judge, options, &mut |_, _| {}).expect("it can be reduced");
    assert_eq!(shown(&again.module), one);
    assert_eq!(count.into_inner(), 3, "all but the input and the empty module is known");
    assert_eq!(again.report.tests, 3, "what is known is not counted as judged");
}

#[test]
fn judges_that_decide_nothing_are_refused() {
    let refusal = |judge: &dyn terrace_shrink::Judge| {
        reduce(&parsed(TEXT), judge, Options::default(), &mut |_, _| panic!("nothing is accepted")).err()
    };
    assert_eq!(refusal(&|_: &Ir, _: &str| true), Some(Refusal::Everything));
    assert_eq!(refusal(&|_: &Ir, _: &str| false), Some(Refusal::Uninteresting));
    let calls = AtomicU64::new(0);
    let unsteady = |_: &Ir, _: &str| calls.fetch_add(1, Ordering::Relaxed) == 0;
    assert_eq!(refusal(&unsteady), Some(Refusal::Unsteady));
}

#[test]
fn a_run_stops_at_its_limit() {
    for tests in [3, 10, 11, 12, 13, 14, 15, 16] {
        let judge = |_: &Ir, text: &str| text.contains("arith.divsi");
        let run = |jobs| {
            let options = Options { tests, jobs, ..Options::default() };
            let done = reduce(&parsed(TEXT), &judge, options, &mut |_, _| {}).expect("it can be reduced");
            assert!(done.report.tests == tests && !done.report.minimal, "{:?}", done.report);
            (shown(&done.module), done.report)
        };
        let one = run(1);
        assert_eq!(one.1.accepted > 0, tests > 3);
        for jobs in [2, 5, 8] {
            assert_eq!(run(jobs), one, "{jobs} jobs");
        }
    }
}

/// Answers by the number of the question, and counts
struct Numbered<F>(AtomicU64, F);

impl<F: Fn(u64, &str) -> Verdict + Sync> Judge for Numbered<F> {
    fn judge(&self, _: &Ir, text: &str) -> Verdict {
        (self.1)(self.0.fetch_add(1, Ordering::Relaxed), text)
    }
}

fn numbered<F: Fn(u64, &str) -> Verdict + Sync>(answer: F) -> Numbered<F> {
    Numbered(AtomicU64::new(0), answer)
}

fn contains(text: &str) -> Verdict {
    if text.contains("arith.divsi") { Verdict::Interesting } else { Verdict::Uninteresting }
}

#[test]
fn what_was_reached_is_kept_when_the_judge_stops() {
    let judge = numbered(|n, text| if n < 20 { contains(text) } else { Verdict::Stop });
    let done = reduce(&parsed(TEXT), &judge, Options::default(), &mut |_, _| {}).expect("it is kept");
    assert!(done.report.tests == 20 && !done.report.minimal, "{:?}", done.report);
    assert!(done.report.accepted > 0 && done.report.after < done.report.before);
    let stopped = numbered(|_, _| Verdict::Stop);
    let refused = reduce(&parsed(TEXT), &stopped, Options::default(), &mut |_, _| {}).err();
    assert_eq!(refused, Some(Refusal::Stopped));
}

#[test]
fn what_took_too_long_is_judged_again_in_another_run() {
    let slow = numbered(|n, text| if n % 2 == 1 && n > 3 { Verdict::Unknown } else { contains(text) });
    let first = reduce(&parsed(TEXT), &slow, Options::default(), &mut |_, _| {}).expect("it can be reduced");
    let tests = first.report.tests;
    let unknown = (tests - 4) / 2;
    // The input and the empty module are always judged.
    assert_eq!(first.cache.to_text().lines().count() as u64, tests - 3 - unknown);
    assert!(unknown > 2, "{unknown}");
    // With all the time that it needs, the result is that of a run without a cache.
    let cache = Cache::from_text(&first.cache.to_text());
    let judge = |_: &Ir, text: &str| text.contains("arith.divsi");
    let again = reduce(&parsed(TEXT), &judge, Options { cache, ..Options::default() }, &mut |_, _| {});
    let plain = reduce(&parsed(TEXT), &judge, Options::default(), &mut |_, _| {});
    let text = |done: Result<Reduced, Refusal>| shown(&done.expect("it can be reduced").module);
    assert_eq!(text(again), text(plain));
}
