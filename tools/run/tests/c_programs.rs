//! C files against the system's C compiler: the same functions on the same numbers.
//!
//! A file says in `// run: FUNCTION [NAME=NUMBER …]` what is run, at which sizes; `NAME:NUMBER` is the value of an argument, and
//! `NAME:4x5` the sizes of an array, which the function does not know while it is compiled. The compiler's program reads its arguments
//! from a file and writes all of them to another one afterwards. In the interpreter and, where the worker is built, through
//! LLVM; nothing is skipped silently.

use crate::common;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use terrace_diag::Diags;
use terrace_dialect_func::Func;
use terrace_ir::{Context, Ir, Type};
use terrace_runtime_buffers::{Buffer, ElemType, Value};

/// A `// run:` line
struct Run {
    entry: String,
    sets: Vec<(String, String)>,
    /// Values and sizes of arguments
    given: Vec<(String, String)>,
}

fn runs(text: &str) -> Vec<Run> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("// run:"));
    lines
        .map(|line| {
            let mut words = line.split_whitespace();
            let entry = words.next().expect("a function").to_string();
            let (given, sets): (Vec<&str>, Vec<&str>) = words.partition(|word| word.contains(':'));
            let sets =
                sets.iter().map(|word| terrace_opt::language::set(word).expect("NAME=NUMBER")).collect();
            let given = given.iter().filter_map(|word| word.split_once(':'));
            let given = given.map(|(name, value)| (name.to_string(), value.to_string())).collect();
            Run { entry, sets, given }
        })
        .collect()
}

/// An argument of the function
struct Arg {
    name: String,
    elem: ElemType,
    /// Nothing for numbers
    shape: Option<Vec<u64>>,
}

fn elem(cx: &Context, ty: Type) -> ElemType {
    let name = match ty.bit_width(cx) {
        Some(bits) if ty.is_float(cx) => format!("f{bits}"),
        Some(bits) => format!("i{bits}"),
        None => "index".into(),
    };
    ElemType::from_name(&name).expect("a type of elements")
}

/// Arguments and results of a function as the front end makes it
fn signature(path: &Path, text: &str, run: &Run) -> (Vec<Arg>, Vec<ElemType>) {
    let cx = Context::new(&terrace_opt::all_dialects());
    let source = cx.sources().add(path.to_string_lossy(), text);
    let mut diags = Diags::default();
    let module = terrace_frontend_c::read(&cx, source, &run.sets, &mut diags);
    let module =
        module.unwrap_or_else(|| panic!("{}", terrace_diag::render_all(diags.iter(), cx.sources(), false)));
    let name = cx.str_attr(&run.entry);
    let find = |ir: &Ir| ir.attr(ir.root(), "sym_name") == Some(name);
    let unit = module.walk().filter_map(|op| module.child(op)).find(|unit| find(unit)).expect("the function");
    let func = Func::cast(unit, unit.root()).expect("a function");
    let entry = unit.entry(func.body(unit)).expect("a body");
    let args = unit.block_args(entry).iter().enumerate().flat_map(|(n, arg)| {
        let ty = unit.ty(*arg);
        let name = unit.value_name(*arg).unwrap_or("");
        let given = run.given.iter().find(|(other, _)| other == name);
        let open = |sizes: &[i64]| match given {
            Some((_, text)) => text.split('x').map(|size| size.parse().expect("sizes")).collect(),
            None => sizes.iter().map(|size| *size as u64).collect(),
        };
        let shape = ty.shape(&cx).map(open);
        let scalar = ty.element(&cx).unwrap_or(ty);
        match common::record(unit, n) {
            // Bytes of structures: one array for each field, as the tools show them.
            Some(record) => record
                .fields
                .into_iter()
                .map(|(field, ty)| Arg {
                    name: format!("{name}.{field}"),
                    elem: elem(&cx, ty),
                    shape: Some(record.shape.clone()),
                })
                .collect(),
            None => vec![Arg { name: name.to_string(), elem: elem(&cx, scalar), shape }],
        }
    });
    (args.collect(), func.types(unit).1.iter().map(|ty| elem(&cx, *ty)).collect())
}

fn c_name(elem: ElemType) -> &'static str {
    match elem.name() {
        "f32" => "float",
        "f64" => "double",
        "i8" => "signed char",
        "i16" => "short",
        "i64" => "long",
        "i1" => "_Bool",
        _ => "int",
    }
}

/// The content of an argument
fn content(arg: &Arg, n: usize, run: &Run) -> Buffer {
    match &arg.shape {
        Some(shape) => Buffer::random(arg.elem, shape, n as u64 + 1).expect("small"),
        None => {
            let all = run.sets.iter().chain(&run.given);
            let value = all.clone().find(|(name, _)| *name == arg.name).map_or("3", |(_, value)| value);
            Buffer::filled(arg.elem, &[], value).expect("a number")
        }
    }
}

/// The file with a `main` around one call; arguments of a structure's fields lie in one array
fn c_text(path: &Path, run: &Run, args: &[Arg], results: &[ElemType]) -> String {
    let mut text = String::from("#include <stdio.h>\n#include <string.h>\n");
    for (name, value) in &run.sets {
        let _ = writeln!(text, "#define {name} {value}");
    }
    let _ = writeln!(text, "#include \"{}\"", path.display());
    let mut main = String::from(
        "int main(int argc, char **argv) {\n  FILE *in = fopen(argv[1], \"rb\"), *out = fopen(argv[2], \"wb\");\n",
    );
    let mut back = String::new();
    let mut call = Vec::new();
    let mut n = 0;
    while n < args.len() {
        let base = args[n].name.split('.').next().unwrap_or("").to_string();
        let mut last = n + 1;
        while last < args.len()
            && args[n].name.contains('.')
            && args[last].name.split('.').next() == Some(&base)
        {
            last += 1;
        }
        let fields = &args[n..last];
        let Some(shape) = &fields[0].shape else {
            let ty = c_name(fields[0].elem);
            let _ = writeln!(main, "  {ty} s{n}; fread(&s{n}, sizeof s{n}, 1, in);");
            call.push(format!("s{n}"));
            n = last;
            continue;
        };
        let count: u64 = shape.iter().product();
        let members: String =
            fields.iter().enumerate().map(|(f, field)| format!("{} f{f}; ", c_name(field.elem))).collect();
        let _ = writeln!(text, "static struct {{ {members}}} a{n}[{count}];");
        for f in 0..fields.len() {
            let _ = writeln!(
                main,
                "  for (long i = 0; i < {count}; ++i) fread(&a{n}[i].f{f}, sizeof a{n}[i].f{f}, 1, in);"
            );
            let _ = writeln!(
                back,
                "  for (long i = 0; i < {count}; ++i) fwrite(&a{n}[i].f{f}, sizeof a{n}[i].f{f}, 1, out);"
            );
        }
        call.push(format!("(void *)a{n}"));
        n = last;
    }
    let call = format!("{}({})", run.entry, call.join(", "));
    match results {
        [] => {
            let _ = writeln!(main, "  {call};");
        }
        [one, ..] => {
            let _ = writeln!(main, "  {} r = {call}; fwrite(&r, sizeof r, 1, out);", c_name(*one));
        }
    }
    format!("{text}{main}{back}  return fclose(out);\n}}\n")
}

/// What the compiler's program leaves: results, then arrays
fn compiled(path: &Path, run: &Run, args: &[Arg], results: &[ElemType], inputs: &[Buffer]) -> Vec<Buffer> {
    let stem = format!("{}.{}", path.file_stem().map_or("", |s| s.to_str().unwrap_or("")), run.entry);
    let files: Vec<PathBuf> =
        ["c", "exe", "in", "out"].iter().map(|end| common::place(&format!("{stem}.{end}"))).collect();
    let path = std::fs::canonicalize(path).expect("the file is there");
    std::fs::write(&files[0], c_text(&path, run, args, results)).expect("a temporary file");
    let mut cc = Command::new("cc");
    let said = cc
        .args(["-O1", "-w", "-std=gnu11", "-fwrapv", "-ffp-contract=off"])
        .arg(&files[0])
        .arg("-o")
        .arg(&files[1])
        .arg("-lm");
    let said = said.output().expect("the system's C compiler");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let bytes: Vec<u8> = inputs.iter().flat_map(|buffer| buffer.bytes().iter().copied()).collect();
    std::fs::write(&files[2], bytes).expect("a temporary file");
    let status = Command::new(&files[1]).arg(&files[2]).arg(&files[3]).status().expect("it runs");
    assert!(status.success());
    let bytes = std::fs::read(&files[3]).expect("it has written");
    let mut at = 0;
    let mut take = |elem: ElemType, shape: &[u64]| {
        let mut buffer = Buffer::zeros(elem, shape).expect("small");
        let len = buffer.bytes().len();
        buffer.bytes_mut().copy_from_slice(&bytes[at..at + len]);
        at += len;
        buffer
    };
    let mut all: Vec<Buffer> = results.iter().map(|elem| take(*elem, &[])).collect();
    all.extend(args.iter().filter_map(|arg| arg.shape.as_ref().map(|shape| take(arg.elem, shape))));
    for file in files {
        let _ = std::fs::remove_file(file);
    }
    all
}

/// What Terrace leaves, in the same order
fn terrace(
    path: &Path,
    run: &Run,
    args: &[Arg],
    results: &[ElemType],
    inputs: &[Buffer],
    on: &str,
) -> Vec<Buffer> {
    let stem = format!("{}.{}.{on}", path.file_stem().map_or("", |s| s.to_str().unwrap_or("")), run.entry);
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
    command.arg(path).arg(format!("--entry=@{}", run.entry)).arg(format!("--on={on}"));
    for (name, value) in &run.sets {
        command.arg(format!("--set={name}={value}"));
    }
    let mut files = Vec::new();
    for (n, (arg, buffer)) in args.iter().zip(inputs).enumerate() {
        let file = common::place(&format!("{stem}.{n}.npy"));
        buffer.write_npy(&file).expect("a temporary file");
        command.arg(format!("--in={}={}", arg.name, file.display()));
        files.push(file);
    }
    let mut outs = Vec::new();
    for (n, elem) in results.iter().enumerate() {
        let file = common::place(&format!("{stem}.r{n}.npy"));
        command.arg(format!("--out={n}={}", file.display()));
        outs.push((file, *elem, Vec::new()));
    }
    for (n, arg) in args.iter().enumerate() {
        let Some(shape) = &arg.shape else { continue };
        let file = common::place(&format!("{stem}.o{n}.npy"));
        command.arg(format!("--out={}={}", arg.name, file.display()));
        outs.push((file, arg.elem, shape.clone()));
    }
    let said = command.output().expect("cargo built the tool");
    assert_eq!(said.status.code(), Some(0), "{}: {}", run.entry, String::from_utf8_lossy(&said.stderr));
    let read = |(file, elem, shape): &(PathBuf, ElemType, Vec<u64>)| {
        let buffer = Buffer::read_npy_as(file, *elem, shape).expect("it has written");
        let _ = std::fs::remove_file(file);
        buffer
    };
    let all = outs.iter().map(read).collect();
    for file in files {
        let _ = std::fs::remove_file(file);
    }
    all
}

/// Equal, floats up to rounding
fn agree(a: &Buffer, b: &Buffer) -> Result<(), String> {
    for n in 0..a.len() {
        let (x, y) = (a.get(n), b.get(n));
        let close = match (x, y) {
            (Some(Value::Float(x)), Some(Value::Float(y))) => {
                x == y || (x - y).abs() <= 1e-5 * (1.0 + x.abs()) || x.is_nan() && y.is_nan()
            }
            _ => x == y,
        };
        if !close {
            return Err(format!("element {n}: {x:?} and {y:?}"));
        }
    }
    Ok(())
}

fn check(path: &Path, backends: &[&str]) {
    check_some(path, backends, |_| true);
}

fn check_some(path: &Path, backends: &[&str], wanted: impl Fn(&Run) -> bool) {
    let text = std::fs::read_to_string(path).expect("the file is there");
    let all: Vec<Run> = runs(&text).into_iter().filter(wanted).collect();
    assert!(!all.is_empty(), "{} runs nothing", path.display());
    for run in all {
        let (args, results) = signature(path, &text, &run);
        let inputs: Vec<Buffer> = args.iter().enumerate().map(|(n, arg)| content(arg, n, &run)).collect();
        // What a directive's sum starts from is nothing: C must start from zeros to mean the same.
        let inputs = with_zeros(&text, &args, inputs, &run);
        let wanted = compiled(path, &run, &args, &results, &inputs);
        for on in backends {
            let found = terrace(path, &run, &args, &results, &inputs, on);
            assert_eq!(found.len(), wanted.len());
            for (n, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                let what = format!("{} of {} on {on}, array {n}", run.entry, path.display());
                agree(found, wanted).unwrap_or_else(|why| panic!("{what}: {why}"));
            }
        }
    }
}

/// Outputs of a directive start as zeros
fn with_zeros(text: &str, args: &[Arg], inputs: Vec<Buffer>, run: &Run) -> Vec<Buffer> {
    let body = text.split(&format!(" {}(", run.entry)).nth(1).unwrap_or("");
    let body = body.split("\n}").next().unwrap_or("");
    let named: Vec<&str> =
        body.lines().filter(|line| line.starts_with("#pragma mdh") && !line.contains("inout")).collect();
    let out = |arg: &Arg| named.iter().any(|line| line.contains(&format!(" {}[", arg.name)));
    args.iter()
        .zip(inputs)
        .map(|(arg, buffer)| match out(arg) {
            true => Buffer::zeros(buffer.elem(), buffer.shape()).expect("small"),
            false => buffer,
        })
        .collect()
}

fn backends() -> Vec<&'static str> {
    match terrace_native_client::client::find() {
        Ok(_) => vec!["interp", "host"],
        Err(_) => {
            println!("skipped: host (needs llvm)");
            vec!["interp"]
        }
    }
}

macro_rules! programs {
    ($folder:literal: $($name:ident)*) => {$(
        #[test]
        fn $name() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/programs").join($folder);
            check(&folder.join(concat!(stringify!($name), ".c")), &backends());
        }
    )*};
}

programs! {
    "mdh": bmm ccsdt clauses conv2d dot gen_histogram histogram jacobi1d jacobi2d jacobi3d kinds map_reduce matmul matmul_t matvec mcc
    between mixed polybench polybench_time textbook textbook_more
    mcc_capsule ordered prl records rows scan turns
}

programs! { "c": arrays values
counts extents factorizations float_types graphs hashes limits loop_bounds loop_exits loop_orders macro_tokens macros matrix_storage not_finite numbers numerics orderings pointers_as_arrays scans solvers stencils sweeps tables wraparound }

/// Nests inside of loops over time are parallel loops, and kernels that the host launches in each turn
#[test]
fn loops_over_time_on_devices() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/programs/mdh");
    let all = common::backends::with_devices("loops_over_time");
    let devices: Vec<&str> = all.split(',').filter(|on| matches!(*on, "openmp" | "opencl")).collect();
    check_some(&folder.join("polybench_time.c"), &devices, |run| run.entry == "fdtd_2d");
    check_some(&folder.join("records.c"), &devices, |run| run.entry == "wave");
}
