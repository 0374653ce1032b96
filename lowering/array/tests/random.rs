//! Random programs: chains of layout ops, maps at random levels, reductions, scans, places. What the interpreter gives for
//! arrays, for scheduled loops and for structured code is the same, bit by bit.
//!
//! A program may be refused where something computed has no place; then `array-place` makes one, and it must be accepted.

use crate::common;

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

/// So many programs, from seeds; how many agreed, and with which codes others were refused
fn all(programs: impl Iterator<Item = (u64, String)>) -> (usize, std::collections::BTreeMap<String, u64>) {
    let (mut agreed, mut placed, mut count) = (0, 0, 0);
    let mut refused = std::collections::BTreeMap::new();
    for (seed, text) in programs {
        count += 1;
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
    (agreed, refused)
}

fn seeds(count: u64) -> std::ops::RangeInclusive<u64> {
    1..=std::env::var("TERRACE_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(count)
}

#[test]
fn random_programs_agree() {
    all(seeds(250).map(|seed| (seed, program(seed))));
}

#[test]
fn random_programs_that_go_round_agree() {
    let mut strips = 0;
    let rounds = seeds(300).filter_map(|seed| {
        let text = program(seed);
        let said = format!(
            " attributes {{array.block = [{}, {}], array.grid = [{}]}} {{\n",
            1 + seed % 4,
            1 + seed / 3 % 3,
            1 + seed / 5 % 3
        );
        let grid = text.contains(" : block.x");
        let text = text.replacen(" {\n", &said, 1);
        if grid {
            let mut ir = parse(&text);
            let done = lower(&mut ir, "func.func(array-place,array-to-sched)");
            strips += usize::from(done.is_ok() && print(&ir).contains("tail mask"));
        }
        grid.then_some((seed, text))
    });
    let (agreed, _) = all(rounds);
    println!("{strips} have strips with a rest");
    assert!(strips * 4 > agreed, "{strips} of {agreed}");
}
