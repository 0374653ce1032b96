//! What the fuzz targets do with their bytes; each panics if what must hold does not.
//!
//! `cargo xtask fuzz` builds them with coverage and runs them; `cargo fuzz run TARGET` works too.

pub mod files;
pub mod graphs;
pub mod schedules;
pub mod tools;
pub mod values;

use std::path::Path;
use std::sync::Arc;
use terrace_diag::{Diags, Sources, render_all};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_opt::REGISTRY;
use terrace_pass::{Instrument, Pipeline};
use terrace_text::{ParseOptions, PrintOptions};

/// What a pass may run on before it is ended: text longer than this tells nothing new
pub(crate) const LONGEST: usize = 1 << 16;

/// Any bytes parse or are refused with errors, and what parses verifies or is refused with errors
pub fn parse(data: &[u8]) {
    let Some(text) = text(data) else { return };
    for allow_unregistered in [false, true] {
        let cx = Context::new(&terrace_opt::all_dialects());
        let mut diags = Diags::default();
        let parsed = read(&cx, text, allow_unregistered, &mut diags);
        assert!(parsed.is_some() || diags.has_errors(), "refused without an error");
        if let Some(ir) = parsed {
            diags.append(verify(&ir, 1));
        }
        // Excerpts of odd text are a parser of their own.
        let _ = render_all(diags.iter(), cx.sources(), true);
    }
}

/// No text makes a reader of another input language panic: it is read, or refused with errors
pub fn front_ends(data: &[u8]) {
    let Some(text) = text(data) else { return };
    for language in terrace_opt::language::LANGUAGES {
        let cx = Context::new(&terrace_opt::all_dialects());
        let source = cx.sources().add("fuzz", text);
        let mut diags = Diags::default();
        match (language.read)(&cx, source, &[], &mut diags) {
            // What the dialects refuse is refused by them; it must be whole enough to say so.
            Some(ir) => diags.append(verify(&ir, 1)),
            None => assert!(diags.has_errors(), "{}: refused without an error", language.name),
        }
        let _ = render_all(diags.iter(), cx.sources(), true);
    }
}

/// What is valid prints to a text that parses to the same, in both forms
pub fn round_trip(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let cx = Context::new(&terrace_opt::all_dialects());
    let Some(ir) = valid(&cx, text) else { return };
    for generic in [false, true] {
        let options = PrintOptions { generic, ..PrintOptions::default() };
        let once = print(&ir, &options);
        let mut diags = Diags::default();
        let again = read(&cx, &once, true, &mut diags).filter(|_| !diags.has_errors());
        let Some(again) = again else {
            panic!("does not parse:\n{}\n{once}", render_all(diags.iter(), cx.sources(), false))
        };
        assert_eq!(once, print(&again, &options), "prints differently");
    }
}

/// Passes leave valid what is valid
pub fn passes(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let cx = Context::new(&terrace_opt::all_dialects());
    if valid(&cx, text).is_none() {
        return;
    }
    for pipeline in ["canonicalize,cse,symbol-dce", "to-host"] {
        let Some(mut ir) = valid(&cx, text) else { return };
        let mut diags = Diags::default();
        let pipeline = Pipeline::parse(pipeline, &REGISTRY, cx.sources(), &mut diags);
        let pipeline = pipeline.expect("the named pipelines parse");
        let (report, result) = terrace_pass::run(&mut ir, &pipeline, &Instrument::quiet(|_| String::new()));
        if result.is_ok() {
            let broken = verify(&ir, 1);
            assert!(!broken.has_errors(), "{}", render_all(broken.iter(), cx.sources(), false));
        } else {
            assert!(report.diags.has_errors(), "failed without an error");
        }
    }
}

/// A pipeline's text parses or is refused with errors; its normal form parses to itself
pub fn pipeline(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let sources = Sources::new();
    let mut diags = Diags::default();
    match Pipeline::parse(text, &REGISTRY, &sources, &mut diags) {
        Ok(pipeline) => {
            let normal = pipeline.to_text();
            let mut diags = Diags::default();
            let again = Pipeline::parse(&normal, &REGISTRY, &sources, &mut diags);
            let again = again.unwrap_or_else(|_| panic!("the normal form does not parse: {normal}"));
            assert_eq!(normal, again.to_text());
        }
        Err(_) => {
            assert!(diags.has_errors(), "refused without an error");
            let _ = render_all(diags.iter(), &sources, true);
        }
    }
}

pub(crate) fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok().filter(|text| text.len() <= LONGEST)
}

fn read(cx: &Arc<Context>, text: &str, allow_unregistered: bool, diags: &mut Diags) -> Option<Box<Ir>> {
    let source = cx.sources().add("fuzz", text);
    let options = ParseOptions { allow_unregistered, ..ParseOptions::default() };
    terrace_text::parse(cx, source, &options, diags).map(Into::into)
}

pub(crate) fn valid(cx: &Arc<Context>, text: &str) -> Option<Box<Ir>> {
    let mut diags = Diags::default();
    let ir = read(cx, text, true, &mut diags).filter(|_| !diags.has_errors())?;
    (!verify(&ir, 1).has_errors()).then_some(ir)
}

pub(crate) fn print(ir: &Ir, options: &PrintOptions) -> String {
    let mut text = String::new();
    terrace_text::print(ir, options, &mut text);
    text
}

/// Write the dictionary, and the examples in the documentation of ops as seeds
pub fn write_material(folder: &Path) -> std::io::Result<()> {
    std::fs::write(folder.join("dictionary"), dictionary())?;
    std::fs::create_dir_all(folder.join("seeds"))?;
    for op in terrace_opt::all_dialects().iter().flat_map(|dialect| dialect.ops) {
        for (n, rest) in op.docs.split("```mlir\n").skip(1).enumerate() {
            let text = rest.split("```").next().unwrap_or("");
            std::fs::write(folder.join(format!("seeds/{}-{n}", op.name)), text)?;
        }
    }
    Ok(())
}

/// Words of the language
fn dictionary() -> String {
    let mut words: Vec<String> = Vec::new();
    for dialect in terrace_opt::all_dialects() {
        words.extend(dialect.ops.iter().map(|op| op.name.to_string()));
        words.extend(dialect.ops.iter().flat_map(|op| op.attrs.iter().map(|attr| attr.name.to_string())));
        words.extend(dialect.types.iter().map(|ty| format!("!{}", ty.name)));
        words.extend(dialect.attrs.iter().map(|attr| format!("#{}", attr.name)));
        words.extend(dialect.enums.iter().flat_map(|all| all.cases.iter().map(|(name, _)| name.to_string())));
    }
    words.extend(REGISTRY.all().flat_map(|pass| {
        let options = pass.options.iter().map(|option| option.name.to_string());
        std::iter::once(pass.name.to_string()).chain(options).collect::<Vec<_>>()
    }));
    words.extend(REGISTRY.pipelines().map(|named| named.name.to_string()));
    words.extend(WORDS.iter().map(|word| word.to_string()));
    words.sort();
    words.dedup();
    let byte = |byte: u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        byte => format!("\\x{byte:02x}"),
    };
    words.iter().map(|word| format!("\"{}\"\n", word.bytes().map(byte).collect::<String>())).collect()
}

const WORDS: &[&str] = &[
    "->",
    "<{",
    "}>",
    "^bb0",
    "%0",
    "%c:2",
    "@f",
    "#map",
    "!t",
    "loc(",
    "loc(unknown)",
    "fused[",
    "callsite(",
    "affine_map<(d0)[s0] -> (d0 + s0)>",
    "affine_set<(d0) : (d0 >= 0)>",
    "mod",
    "floordiv",
    "ceildiv",
    "dense<",
    "dense<\"0x00\">",
    "array<i32: 1>",
    "tensor<4xf32>",
    "tensor<*xf32>",
    "memref<?x4xf32>",
    "strided<[1]>",
    "strided<[?], offset: ?>",
    "vector<4x[4]xf32>",
    "complex<f32>",
    "tuple<>",
    "none",
    "index",
    "i1",
    "si8",
    "ui8",
    "f16",
    "bf16",
    "f32",
    "f64",
    "unit",
    "true",
    "false",
    "0x7FC00000",
    "1.0e300",
    "\"builtin.module\"() ({}) : () -> ()",
    "// -----",
    "opaque<",
    "dialect_resources",
    "{-#",
    "#-}",
    "attributes",
    "iter_args",
    "step",
    "n : size <= 4096;",
    "int N <= 4096",
    "to",
    "else",
    "do",
    "0xFFFFFFFFFFFFFFFFFF",
    "9223372036854775808",
    "-9223372036854775808",
    "1 : i128",
    "\u{1F600}",
    "\\22",
];
