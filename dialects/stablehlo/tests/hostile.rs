//! No text makes parser, verifier, printer or interpreter panic: programs of JAX with words taken away, changed and exchanged.

use std::path::{Path, PathBuf};
use terrace_diag::Diags;
use terrace_dialect_builtin::BUILTIN;
use terrace_dialect_func::FUNC;
use terrace_ir::Context;
use terrace_ir::verify::verify;
use terrace_support::Random;
use terrace_text::{ParseOptions, PrintOptions};

/// Words that change meaning without leaving the grammar
const WORDS: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "9223372036854775807",
    "-9223372036854775808",
    "tensor<f32>",
    "tensor<4xi32>",
    "tensor<?x3xf32>",
    "tensor<0x3xf32>",
    "tensor<2xcomplex<f32>>",
    "tensor<2xui8>",
    "[]",
    "[0, 1]",
    "[b, 0, f]x[0, i, o]->[b, 0, f]",
    "stablehlo.add",
    "stablehlo.maximum",
    "stablehlo.reshape",
    "%0",
    "%arg0",
    "%cst",
    "dense<1>",
    "array<i64: 1, 2>",
    "array<i64>",
    "#stablehlo.conv<raw input_batch_dimension = 5>",
    "#stablehlo<precision HIGH>",
    "FLOAT",
    "->",
    "x",
    "é",
];

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/stablehlo");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    files.sort();
    assert_eq!(files.len(), 60);
    files
}

fn changed(source: &str, random: &mut Random) -> String {
    let ends = [' ', '\n', '(', ')', '[', ']', '<', '>', ',', ':', '='];
    let mut words: Vec<String> = source.split_inclusive(ends).map(String::from).collect();
    for _ in 0..1 + random.below(3) {
        let at = random.below(words.len());
        match random.below(4) {
            0 => drop(words.remove(at)),
            1 => words[at] = format!("{} ", WORDS[random.below(WORDS.len())]),
            2 => words.insert(at, format!("{} ", WORDS[random.below(WORDS.len())])),
            _ => {
                let other = random.below(words.len());
                words.swap(at, other);
            }
        }
    }
    words.concat()
}

fn print(ir: &terrace_ir::Ir, generic: bool) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &PrintOptions { generic, ..PrintOptions::default() }, &mut text);
    text
}

/// Is it valid? What is refused says so, and what is valid prints to a text that is the same again
fn is_valid(text: &str) -> bool {
    let read = |text: &str, generic: bool| {
        let cx = Context::new(&[&[&BUILTIN, &FUNC], terrace_dialect_stablehlo::ALL].concat());
        let source = cx.sources().add("a", text.to_string());
        let mut diags = Diags::default();
        let parsed = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
        assert!(parsed.is_some() || diags.has_errors(), "nothing was said about\n{text}");
        let ir = parsed.filter(|_| !diags.has_errors())?;
        let broken = verify(&ir, 1);
        let _ = terrace_diag::render_all(broken.iter(), cx.sources(), true);
        (!broken.has_errors()).then(|| print(&ir, generic))
    };
    let Some(once) = read(text, false) else { return false };
    assert_eq!(read(&once, false).as_ref(), Some(&once), "prints differently");
    let generic = read(text, true).expect("it was valid a moment ago");
    assert_eq!(read(&generic, true).as_ref(), Some(&generic), "prints differently in generic form");
    true
}

#[test]
fn changed_programs() {
    let mut random = Random::new(1);
    let (mut valid, mut refused) = (0, 0);
    for path in programs() {
        let source = std::fs::read_to_string(&path).expect("programs are text");
        assert!(is_valid(&source), "{}", path.display());
        for _ in 0..if source.len() < 12_000 { 40 } else { 6 } {
            *(if is_valid(&changed(&source, &mut random)) { &mut valid } else { &mut refused }) += 1;
        }
    }
    // Neither all nothing nor all nonsense.
    assert!(valid > 20 && refused > 500, "{valid} valid, {refused} refused");
}
