//! Random programs: chains of layout ops, maps at random levels, reductions, scans, places. What the interpreter gives for
//! arrays, for scheduled loops and for structured code is the same, bit by bit.
//!
//! A program may be refused where something computed has no place; then `array-place` makes one, and it must be accepted.

mod common;

use common::program::program;
use common::{DOWN, as_it_is, lower, on_buffers, parse, print, types};
use terrace_diag::render_all;

/// What became of a program
enum Fate {
    Agrees,
    /// Code of the refusal
    Refused(String),
}

fn code(why: &str) -> String {
    let at = why.find("error[").map_or(0, |at| at + 6);
    why[at..].chars().take(5).collect()
}

fn try_one(text: &str, first: &str) -> Fate {
    let mut ir = parse(text);
    let source = types(&ir, "f");
    let wanted = as_it_is(&ir, "f").unwrap_or_else(|why| panic!("as it is: {why}\n{text}"));
    for step in [first, DOWN] {
        if let Err(why) = lower(&mut ir, step) {
            return Fate::Refused(code(&why));
        }
        let diags = terrace_ir::verify::verify(&ir, 1);
        if diags.has_errors() {
            let why = render_all(diags.iter(), ir.cx().sources(), false);
            // A level that does not fit what is computed is refused by the rules of schedules.
            assert!(text.contains(" : "), "{why}\n{text}\n{}", print(&ir));
            return Fate::Refused(code(&why));
        }
        let found = on_buffers(&ir, "f", &source);
        let found = found.unwrap_or_else(|why| panic!("{step}: {why}\n{text}\n{}", print(&ir)));
        assert!(wanted == found, "after {step}: {found:?} instead of {wanted:?}\n{text}\n{}", print(&ir));
    }
    Fate::Agrees
}

/// A program; where it lacks places, again with places made
fn one(text: &str) -> (bool, Fate) {
    match try_one(text, "func.func(array-to-sched)") {
        Fate::Refused(code) if code == "E0701" || code == "E0702" => {
            (true, try_one(text, "func.func(array-place,array-to-sched)"))
        }
        fate => (false, fate),
    }
}

#[test]
fn random_programs_agree() {
    let count = std::env::var("TERRACE_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(250u64);
    let (mut agreed, mut placed) = (0, 0);
    let mut refused = std::collections::BTreeMap::new();
    for seed in 1..=count {
        let text = program(seed);
        match std::panic::catch_unwind(|| one(&text)) {
            Ok((again, Fate::Agrees)) => {
                agreed += 1;
                placed += u64::from(again);
            }
            Ok((_, Fate::Refused(code))) => {
                if std::env::var("TERRACE_SHOW").is_ok_and(|wanted| wanted == code) {
                    println!("{code}\n{text}");
                }
                *refused.entry(code).or_insert(0u64) += 1;
            }
            Err(panic) => {
                println!("seed {seed}");
                std::panic::resume_unwind(panic);
            }
        }
    }
    println!("{agreed} of {count} agree, {placed} of them with places made, refused: {refused:?}");
    assert!(!refused.contains_key("E0701") && !refused.contains_key("E0702"), "refused: {refused:?}");
    assert!(agreed * 10 >= count * 8, "{agreed} of {count} agree, refused: {refused:?}");
}
