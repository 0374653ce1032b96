//! No text makes the readers panic or hang: programs with words taken away, changed and exchanged.

use std::path::Path;
use terrace_diag::Diags;
use terrace_frontend_mdh::{tensor, text};
use terrace_ir::Context;
use terrace_ir::verify::verify;
use terrace_support::Random;

/// Words that change meaning without leaving the grammar
const WORDS: &[&str] = &[
    "i",
    "j",
    "k",
    "0",
    "1",
    "-1",
    "9223372036854775807",
    "N",
    "x",
    "y",
    "+",
    "*",
    "/",
    "%",
    "<",
    "<=",
    "++",
    "(",
    ")",
    ",",
    ":",
    "->",
    "o",
    "md_hom",
    "inp_view",
    "out_view",
    "ps(+)",
    "where",
    "else 0",
    "if i % 2 == 0",
    "into x",
    "max",
    "f32",
    "i32",
    "9999999999",
    "op",
    ":=",
    "=",
    "+=",
    "sum{i}",
    "max{; i}",
    "[i]",
    "[i + 1]",
    "let",
    "fn f;",
    "einsum(\"ij->ji\", x)",
    ";",
    "?",
    "é",
    "\"",
    "1e400",
    "<= 9",
    "n : size <= 4;",
    "0.5",
];

fn changed(source: &str, random: &mut Random) -> String {
    let mut words: Vec<String> =
        source.split_inclusive([' ', '\n', '(', ')', '[', ']', ';', ',', ':']).map(String::from).collect();
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

#[test]
fn changed_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files");
    let mut files: Vec<_> = std::fs::read_dir(folder.join("programs/mdh"))
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|end| end == "mdh" || end == "tensor"))
        .collect();
    files
        .extend(["tensor/extents.tensor", "mdh/extents.mdh"].map(|name| folder.join("frontends").join(name)));
    files.sort();
    assert!(files.len() > 27);
    let mut random = Random::new(1);
    let (mut read, mut refused) = (0, 0);
    for path in files {
        let source = std::fs::read_to_string(&path).expect("programs are text");
        let reader = if path.extension().is_some_and(|end| end == "mdh") { text::read } else { tensor::read };
        for _ in 0..60 {
            let source = changed(&source, &mut random);
            let cx = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat());
            let id = cx.sources().add("a", source.clone());
            let mut diags = Diags::default();
            match reader(&cx, id, &[], &mut diags) {
                // What the dialects refuse is refused by them; it must be whole enough to say so.
                Some(module) => {
                    drop(verify(&module, 1));
                    read += 1;
                }
                None => {
                    assert!(diags.has_errors(), "nothing was said about\n{source}");
                    refused += 1;
                }
            }
        }
    }
    // Neither all nothing nor all nonsense.
    assert!(read > 100 && refused > 500, "{read} read, {refused} refused");
}

#[test]
fn chains_of_operators_have_an_end() {
    let read = |operators: usize| {
        let source = format!("let N = 4; fn f; X : f32[N]; O[i] = {}X[i];\n", "X[i] + ".repeat(operators));
        let cx = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat());
        let id = cx.sources().add("a", source);
        let mut diags = Diags::default();
        tensor::read(&cx, id, &[], &mut diags)
            .map(drop)
            .ok_or_else(|| diags.iter().map(|d| d.message.clone()).collect())
    };
    assert!(read(1000).is_ok());
    let said: Vec<String> = read(100_000).expect_err("too long");
    assert_eq!(said, ["E-SYNTAX: an expression of more than 1000 operators"]);
}
