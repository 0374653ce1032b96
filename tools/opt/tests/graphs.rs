//! Graphs of tensors with changed words, StableHLO text and sub-graphs in JSON: each becomes computations or is refused with a message.
//!
//! The fuzz target `graphs` does the same with coverage, for longer; here a few hundred changes from fixed seeds run in each build.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use terrace_opt::{Tool, run_on};
use terrace_support::Random;

const PIPELINE: &str = "--pipeline=stablehlo-to-mdh,func.func(mdh-fix-bits,mdh-phases,mdh-inline,mdh-hoist)";

/// Changes of a text
const CHANGES: u64 = 6;

/// Cases of a folder of test files
fn cases(folder: &str, ending: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files").join(folder);
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the folder is there").filter_map(Result::ok).collect();
    files.sort_by_key(std::fs::DirEntry::path);
    let texts = files
        .iter()
        .map(std::fs::DirEntry::path)
        .filter(|path| path.extension().is_some_and(|end| end == ending));
    let texts = texts.map(|path| std::fs::read_to_string(path).expect("test files are text"));
    let cases: Vec<String> =
        texts.flat_map(|text| text.split("// -----\n").map(str::to_owned).collect::<Vec<_>>()).collect();
    cases.into_iter().filter(|case| case.len() < 1 << 14).collect()
}

/// Where words, numbers and signs of a text are
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut all: Vec<std::ops::Range<usize>> = Vec::new();
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        match all.last_mut() {
            Some(last) if last.end == at && word(c) && text[last.clone()].chars().all(word) => {
                last.end = at + c.len_utf8()
            }
            _ => all.push(at..at + c.len_utf8()),
        }
    }
    all
}

/// A text with one token left out, written twice, or in the place of another; or with another number
fn changed(text: &str, r: &mut Random) -> String {
    const NUMBERS: [&str; 6] = ["0", "1", "-1", "3", "9223372036854775807", "18446744073709551616"];
    let tokens = tokens(text);
    let mut pick = || tokens[r.below(tokens.len() as u64) as usize].clone();
    let (one, other) = (pick(), pick());
    let new = match r.below(4) {
        0 => String::new(),
        1 => format!("{0} {0}", &text[one.clone()]),
        2 => text[other].to_owned(),
        _ => NUMBERS[r.below(NUMBERS.len() as u64) as usize].to_owned(),
    };
    format!("{}{new}{}", &text[..one.start], &text[one.end..])
}

fn none_panics(name: &str, cases: &[String]) {
    let (mut refused, mut taken) = (0, 0);
    for (n, case) in cases.iter().enumerate() {
        for change in 0..CHANGES {
            let text = changed(case, &mut Random::new(n as u64 * CHANGES + change));
            let run =
                || run_on(Tool::OPT, &[PIPELINE.to_owned()], name, &text).expect("the arguments are right");
            let finished = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| panic!("a panic:\n{text}"));
            assert!(!finished.failed || !finished.messages.is_empty(), "refused without a message:\n{text}");
            *if finished.failed { &mut refused } else { &mut taken } += 1;
        }
    }
    assert!(refused > 50 && taken > 10, "{refused} refused, {taken} taken");
}

#[test]
fn of_stablehlo() {
    let cases = [
        cases("frontends/stablehlo", "mlir"),
        cases("frontends/jax", "mlir"),
        cases("dialects/stablehlo", "mlir"),
    ];
    none_panics("graph.mlir", &cases.concat());
}

#[test]
fn in_json() {
    let cases = cases("frontends/composite", "info");
    none_panics("graph.json", &cases);
}
