//! Test files of the repository with random mistakes: what the server reads them with never panics, and reports what
//! reading without notes reports.

use std::path::{Path, PathBuf};
use terrace_diag::{Diagnostic, Diags};
use terrace_opt::Tool;
use terrace_support::Random;
use terrace_text::{ParseOptions, parse, parse_partial};

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "mlir") {
            all.push(path);
        }
    }
}

/// Something that one might type instead
const TYPED: &[&str] =
    &["", " ", "}", "{", "%", "^x", "@f", "\"", ")", "(", "\n", "i32", ":", "#", "!", ",", "return\n"];

fn changed(text: &str, random: &mut Random) -> String {
    let mut text = text.to_string();
    for _ in 0..1 + random.below(3) {
        let mut from = random.below(1 + text.len() as u64) as usize;
        let mut to = (from + random.below(9) as usize).min(text.len());
        while !text.is_char_boundary(from) {
            from -= 1;
        }
        while !text.is_char_boundary(to) {
            to += 1;
        }
        text.replace_range(from..to, TYPED[random.below(TYPED.len() as u64) as usize]);
    }
    text
}

/// The name that a text begins with: a number, or letters and digits
fn name(text: &str) -> &str {
    let number = text.starts_with(|c: char| c.is_ascii_digit());
    let other = |c: char| !(c.is_ascii_digit() || c.is_ascii_alphanumeric() && !number);
    &text[..text.find(other).unwrap_or(text.len())]
}

#[test]
fn files_with_mistakes_are_read_as_far_as_they_can_be() {
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files"), &mut all);
    all.sort();
    let times = std::env::var("TERRACE_LSP_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let (mut wrong, mut verified, mut links) = (0, 0, 0);
    let mut cx = Tool::OPT.context().expect("it goes together");
    for (n, path) in all.iter().enumerate() {
        let whole = std::fs::read_to_string(path).expect("a text");
        if n % 100 == 0 {
            cx = Tool::OPT.context().expect("it goes together");
        }
        for seed in 0..times {
            let text = changed(&whole, &mut Random::new(seed * 10_000 + n as u64));
            let source = cx.sources().add("t.mlir", text.clone());
            let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
            let (mut diags, mut plain) = (Diags::default(), Diags::default());
            let partial = parse_partial(&cx, source, &options, &mut diags).expect("a module");
            let read = parse(&cx, source, &options, &mut plain);
            let show = |diags: &Diags| diags.iter().map(Diagnostic::headline).collect::<Vec<_>>();
            assert_eq!(show(&diags), show(&plain), "{}", path.display());
            let found = partial.verify();
            match &read {
                // Without mistakes it is what the verifier says of any module.
                Some(ir) => {
                    let whole = terrace_ir::verify::verify(ir, 1);
                    assert_eq!(show(&found), show(&whole), "{}", path.display());
                }
                None => verified += found.errors(),
            }
            wrong += usize::from(read.is_none());
            let places = &partial.places;
            for link in places.uses.iter().chain(&places.branches) {
                let name = |at: u32| name(&text[at as usize + 1..]);
                let line = text[..link.at as usize].matches('\n').count() + 1;
                assert_eq!(name(link.at), name(link.def), "line {line} of {}", path.display());
            }
            links += places.uses.len();
        }
    }
    assert!(wrong > all.len() / 4 && links > 10 * all.len(), "{wrong} {links}");
    // Of texts with mistakes the verifier finds others.
    assert!(verified > 0);
}
