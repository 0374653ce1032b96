//! No text makes the reader panic: sub-graphs with parts taken away, changed and exchanged.

use std::path::Path;
use terrace_diag::Diags;
use terrace_dialect_builtin::BUILTIN;
use terrace_dialect_func::FUNC;
use terrace_ir::Context;
use terrace_ir::verify::verify;
use terrace_support::Random;

/// Words that change meaning without leaving the grammar
const WORDS: &[&str] = &[
    "0",
    "-1",
    "1e400",
    "9223372036854775807",
    "null",
    "true",
    "\"\"",
    "\"float16\"",
    "\"input_0\"",
    "\"output_0_0\"",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "[[]]",
    "\"ReduceMax\"",
    "\"InplaceAssign\"",
    "\"shape\":",
    "\"é\"",
    "\"\\u0000\"",
    "1.5",
];

fn changed(source: &str, random: &mut Random) -> String {
    let mut words: Vec<String> =
        source.split_inclusive([' ', '\n', '[', ']', '{', '}', ',', ':']).map(String::from).collect();
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

/// Was it read? What is refused says so
fn is_read(text: &str) -> bool {
    let cx = Context::new(&[&[&BUILTIN, &FUNC], terrace_dialect_stablehlo::ALL].concat());
    let source = cx.sources().add("a", text.to_string());
    let mut diags = Diags::default();
    let module = terrace_frontend_composite::read(&cx, source, &[], &mut diags);
    assert!(module.is_some() || diags.has_errors(), "nothing was said about\n{text}");
    let _ = terrace_diag::render_all(diags.iter(), cx.sources(), true);
    if let Some(module) = &module {
        // What the dialect refuses is refused by it; it must be whole enough to say so.
        drop(verify(module, 1));
    }
    module.is_some()
}

#[test]
fn changed_graphs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/composite");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|word| word == "info"))
        .filter(|path| path.file_name().is_some_and(|name| name != "invalid.info"))
        .collect();
    files.sort();
    assert_eq!(files.len(), 15);
    let mut random = Random::new(1);
    let (mut read, mut refused) = (0, 0);
    for path in files {
        let source = std::fs::read_to_string(&path).expect("graphs are text");
        assert!(is_read(&source), "{}", path.display());
        for _ in 0..150 {
            *(if is_read(&changed(&source, &mut random)) { &mut read } else { &mut refused }) += 1;
        }
    }
    // Neither all nothing nor all nonsense.
    assert!(read > 50 && refused > 500, "{read} read, {refused} refused");
}

#[test]
fn deep_and_long_ones_have_an_end() {
    assert!(!is_read(&"[".repeat(100_000)));
    assert!(!is_read(&format!("{{\"op_desc\": {}{}}}", "[".repeat(50_000), "]".repeat(50_000))));
    let tensor =
        |n: usize| format!("{{\"tensor_name\": \"t{n}\", \"data_type\": \"float32\", \"shape\": [2]}}");
    // Each op reads the one behind it: the order is found, whatever the order of the text is.
    let ops: Vec<String> = (0..5000)
        .map(|n| {
            let (from, to) = (tensor(n + 1), tensor(n));
            format!("{{\"name\": \"Neg\", \"input_desc\": [[{from}]], \"output_desc\": [{to}]}}")
        })
        .collect();
    let graph = |input: &str| {
        let (ops, out) = (ops.join(", "), tensor(0));
        format!(
            "{{\"op\": \"f\", \"input_desc\": [[{input}]], \"op_desc\": [{ops}], \"output_desc\": [{out}]}}"
        )
    };
    assert!(is_read(&graph(&tensor(5000))));
    assert!(!is_read(&graph(&tensor(6000))));
}
