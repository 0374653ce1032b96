//! Functions of the test files of upstream's dialects: compiled C computes what the interpreter does.

use crate::common;

use common::{Arg, compare, compile, compiler, context, parse, print};
use std::path::Path;
use terrace_ir::{Context, Ir, Type, TypeKind};
use terrace_lowering_c::Flavor;

/// Dialects whose files have functions with a meaning
const DIALECTS: &[&str] = &["arith", "func", "math", "memref", "scf", "vector"];

/// Names and texts of the files without mistakes
fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/dialects");
    let mut all = Vec::new();
    for dialect in DIALECTS {
        let Ok(entries) = std::fs::read_dir(folder.join(dialect)) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let other = ["split-input-file", "expected-error", "allow-unregistered"];
            let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
            if !other.iter().any(|word| text.contains(word)) {
                all.push((format!("{dialect}-{stem}"), text));
            }
        }
    }
    all.sort();
    all
}

/// Some argument of a type; `None` for what a caller from outside cannot give
fn argument(cx: &Context, ty: Type, n: usize) -> Option<Arg> {
    let number = |ty: Type, n: usize| {
        Some(match ty.kind(cx) {
            TypeKind::Float(terrace_ir::FloatKind::F32) => {
                u64::from([1.5f32, -2.25, 0.0, 3.0, 8.0][n % 5].to_bits())
            }
            TypeKind::Float(terrace_ir::FloatKind::F64) => [1.5f64, -2.25, 0.0, 3.0, 8.0][n % 5].to_bits(),
            TypeKind::Int { .. } | TypeKind::Index => {
                let width = ty.bit_width(cx).unwrap_or(64);
                [1u64, 3, 0, 2, 5][n % 5] & (u64::MAX >> (64 - width.min(64)))
            }
            _ => return None,
        })
    };
    match ty.kind(cx) {
        TypeKind::MemRef { shape, elem, layout: None, .. } => {
            let sizes: Vec<i64> = shape.iter().map(|size| if *size < 0 { 8 } else { *size }).collect();
            let count = sizes.iter().product::<i64>();
            let elements = (0..count as usize).map(|at| number(*elem, at + n)).collect::<Option<_>>()?;
            (count <= 1 << 16).then_some(Arg::Array(sizes, elements))
        }
        _ => number(ty, n).map(Arg::Number),
    }
}

fn functions(ir: &Ir) -> impl Iterator<Item = &Ir> {
    ir.walk().filter_map(|op| ir.child(op)).filter(|unit| unit.op_name(unit.root()) == "func.func")
}

/// Text of a module without those functions
fn without(ir: &Ir, dropped: &[String]) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &terrace_text::PrintOptions { generic: false, ..Default::default() }, &mut text);
    let cx = context();
    let mut ir = parse(&cx, &text);
    let gone: Vec<terrace_ir::OpId> = ir
        .walk()
        .filter(|op| ir.child(*op).and_then(name).is_some_and(|name| dropped.contains(&name)))
        .collect();
    for op in gone {
        ir.erase(op);
    }
    let mut text = String::new();
    terrace_text::print(&ir, &terrace_text::PrintOptions::default(), &mut text);
    text
}

fn name(unit: &Ir) -> Option<String> {
    let name = unit.attr(unit.root(), "sym_name")?.as_str(unit.cx())?;
    Some(name.to_string())
}

#[test]
fn functions_of_test_files() {
    let Some(cc) = compiler() else { return };
    let (mut decided, mut printed_functions, mut all_functions) = (0, 0, 0);
    let mut broken = String::new();
    for (file, text) in files() {
        let Some((cx, ir)) = common::parse_quietly(&text) else { continue };
        // What cannot be printed is left out: the message names the op, and by it the function.
        let mut dropped = Vec::new();
        for unit in functions(&ir) {
            let Some(name) = name(unit) else { continue };
            let others: Vec<String> =
                functions(&ir).filter_map(self::name).filter(|other| *other != name).collect();
            let alone = common::parse_quietly(&without(&ir, &others));
            let fine = alone.is_some_and(|(_, ir)| print(&ir, Flavor::OpenMp).is_ok());
            all_functions += 1;
            if !fine {
                dropped.push(name);
            }
        }
        let text = without(&ir, &dropped);
        let ir = parse(&cx, &text);
        let Ok(printed) = print(&ir, Flavor::OpenMp) else { continue };
        let object = compile(cc, &file, &printed);
        for signature in &printed.signatures {
            printed_functions += 1;
            let (inputs, results) = common::types(&ir, &signature.symbol);
            let plain = |ty: &Type| ty.shape(&cx).is_none();
            if !signature.public || !results.iter().all(plain) {
                continue;
            }
            // Buffers of the module live on from call to call, other than in the interpreter.
            let calls = if text.contains("memref.global") { 1 } else { 5 };
            for n in 0..calls {
                let args: Option<Vec<Arg>> =
                    inputs.iter().enumerate().map(|(at, ty)| argument(&cx, *ty, n + at)).collect();
                let Some(args) = args else { continue };
                match compare(&ir, &object, &signature.symbol, &args) {
                    Ok(some) => decided += usize::from(some),
                    Err(why) => broken += &format!("{file}: {why} {args:?}\n"),
                }
            }
        }
    }
    println!("{printed_functions} of {all_functions} functions, {decided} calls");
    assert!(broken.is_empty(), "{broken}");
    assert!(decided > 200, "only {decided} calls decide something");
}
