//! One computation in several forms: C, MDH text, `mdh` IR, tensor expressions and upstream's `linalg` give the same numbers.
//!
//! Sizes are those of the C file's `// run:` lines. What the forms call by one name is compared; a structure's field `a.b` is
//! `a_b` where names have no points.

use crate::common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use terrace_diag::Diags;
use terrace_dialect_func::Func;
use terrace_ir::{AttrKind, Context, Ir, Type, TypeKind};
use terrace_runtime_buffers::{Buffer, ElemType, Value};
use terrace_text::ParseOptions;

struct Named {
    name: String,
    elem: ElemType,
    shape: Vec<u64>,
    memory: bool,
}

fn named(cx: &Context, name: &str, ty: Type) -> Named {
    let scalar = ty.shape(cx).map_or(ty, |_| ty.scalar(cx));
    let scalar = ty.element(cx).unwrap_or(scalar);
    let text = match scalar.bit_width(cx) {
        Some(bits) if scalar.is_float(cx) => format!("f{bits}"),
        Some(bits) => format!("i{bits}"),
        None => "index".into(),
    };
    Named {
        name: name.to_string(),
        elem: ElemType::from_name(&text).expect("a type of elements"),
        shape: ty.shape(cx).unwrap_or(&[]).iter().map(|size| *size as u64).collect(),
        memory: matches!(ty.kind(cx), TypeKind::MemRef { .. }),
    }
}

/// Arguments and results; nothing if the file has no such function
fn signature(path: &Path, entry: &str, sets: &[(String, String)]) -> Option<(Vec<Named>, Vec<Named>)> {
    let text = std::fs::read_to_string(path).expect("the file is there");
    let cx = Context::new(&terrace_opt::all_dialects());
    let source = cx.sources().add(path.to_string_lossy(), text);
    let mut diags = Diags::default();
    let module = terrace_opt::language::read(&cx, source, None, sets, &ParseOptions::default(), &mut diags);
    let module =
        module.unwrap_or_else(|| panic!("{}", terrace_diag::render_all(diags.iter(), cx.sources(), false)));
    let name = cx.str_attr(entry);
    let find = |ir: &Ir| ir.attr(ir.root(), "sym_name") == Some(name);
    let unit = module.walk().filter_map(|op| module.child(op)).find(|unit| find(unit))?;
    let func = Func::cast(unit, unit.root())?;
    let block = unit.entry(func.body(unit))?;
    let args = unit.block_args(block).iter().enumerate().flat_map(|(n, arg)| {
        let name = unit.value_name(*arg).unwrap_or("");
        match common::record(unit, n) {
            Some(record) => {
                let one = |(field, ty): &(String, Type)| {
                    let shape: Vec<i64> = record.shape.iter().map(|size| *size as i64).collect();
                    named(&cx, &format!("{name}.{field}"), cx.memref(&shape, *ty))
                };
                record.fields.iter().map(one).collect()
            }
            None => vec![named(&cx, name, unit.ty(*arg))],
        }
    });
    let names: Vec<String> =
        func.res_attrs(unit).and_then(|attrs| attrs.as_array(&cx)).map_or(Vec::new(), |all| {
            let name = |attr: &terrace_ir::Attr| match attr.kind(&cx) {
                AttrKind::Dict(entries) => terrace_ir::attrs::dict_get(&cx, entries, "terrace.name")
                    .and_then(|attr| attr.as_str(&cx))
                    .map(String::from),
                _ => None,
            };
            all.iter().map(|attr| name(attr).unwrap_or_default()).collect()
        });
    let results = func.types(unit).1.iter().enumerate().map(|(n, ty)| {
        let plain = "result".to_string();
        named(&cx, names.get(n).filter(|name| !name.is_empty()).unwrap_or(&plain), *ty)
    });
    Some((args.collect(), results.collect()))
}

/// What a form computes, by name
pub(crate) fn values(
    path: &Path,
    entry: &str,
    sets: &[(String, String)],
) -> Option<BTreeMap<String, Buffer>> {
    let (args, results) = signature(path, entry, sets)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
    command.arg(path).arg(format!("--entry=@{entry}"));
    // MLIR text is at the sizes of the C file's line.
    for (name, value) in sets.iter().filter(|_| path.extension().is_none_or(|end| end != "mlir")) {
        command.arg(format!("--set={name}={value}"));
    }
    let mut all = BTreeMap::new();
    let stem = path.file_name().and_then(|name| name.to_str()).unwrap_or("").to_string();
    let file = |what: &str| common::place(&format!("{stem}.{entry}.{what}.npy"));
    let mut outs: Vec<(PathBuf, &Named)> = Vec::new();
    for arg in &args {
        // The same bytes for the same name, whatever the shape.
        let seed = arg.name.replace('.', "_").bytes().fold(7u64, |seed, byte| seed * 31 + u64::from(byte));
        // What is only written in one form is no argument of the other.
        let zero = outputs(&arg.name, path);
        let source = if zero { "fill:0".to_string() } else { format!("random:{seed}") };
        if !arg.shape.is_empty() || arg.memory {
            command.arg(format!("--in={}={source}", arg.name));
        }
        if arg.memory {
            let place = file(&arg.name);
            command.arg(format!("--out={}={}", arg.name, place.display()));
            outs.push((place, arg));
        }
    }
    for (n, result) in results.iter().enumerate() {
        let place = file(&format!("r{n}"));
        command.arg(format!("--out={n}={}", place.display()));
        outs.push((place, result));
    }
    let said = command.output().expect("cargo built the tool");
    assert_eq!(
        said.status.code(),
        Some(0),
        "{} {entry}: {}",
        path.display(),
        String::from_utf8_lossy(&said.stderr)
    );
    for (place, out) in outs {
        let buffer = Buffer::read_npy_as(&place, out.elem, &out.shape).expect("it has written");
        let _ = std::fs::remove_file(place);
        all.insert(out.name.replace('.', "_"), buffer);
    }
    Some(all)
}

/// Names that programs write before they read them
fn outputs(name: &str, path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let directive = text.lines().filter(|line| line.starts_with("#pragma mdh("));
    path.extension().is_some_and(|end| end == "c")
        && directive.clone().any(|line| line.contains(&format!(" {name}[")))
}

pub(crate) fn close(a: &Buffer, b: &Buffer) -> Result<(), String> {
    if a.len() != b.len() {
        return Err(format!("{} and {} elements", a.len(), b.len()));
    }
    for n in 0..a.len() {
        let same = match (a.get(n), b.get(n)) {
            (Some(Value::Float(x)), Some(Value::Float(y))) => {
                x == y || (x - y).abs() <= 1e-5 * (1.0 + x.abs())
            }
            (x, y) => x == y,
        };
        if !same {
            return Err(format!("element {n}: {:?} and {:?}", a.get(n), b.get(n)));
        }
    }
    Ok(())
}

/// What files of the forms end with; the first one is what the others are compared with
const FORMS: [&str; 4] = ["mdh", "mlir", "tensor", "linalg.mlir"];

/// Compares all forms of a program with the C form; how many comparisons that were
fn forms(name: &str) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/programs/mdh");
    let c = folder.join(format!("{name}.c"));
    let text = std::fs::read_to_string(&c).expect("the C form is there");
    let mut compared = 0;
    for line in text.lines().filter_map(|line| line.strip_prefix("// run:")) {
        let mut words = line.split_whitespace();
        let entry = words.next().expect("a function");
        let sets: Vec<(String, String)> =
            words.map(|word| terrace_opt::language::set(word).expect("NAME=VALUE")).collect();
        let mut wanted = None;
        for form in FORMS {
            let path = folder.join(format!("{name}.{form}"));
            if !path.is_file() {
                continue;
            }
            let Some(found) = values(&path, entry, &sets) else { continue };
            let wanted =
                wanted.get_or_insert_with(|| values(&c, entry, &sets).expect("the function is there"));
            let mut shared = 0;
            for (name, buffer) in &found {
                let Some(other) = wanted.get(name) else { continue };
                close(buffer, other).unwrap_or_else(|why| panic!("{} {entry} {name}: {why}", path.display()));
                shared += 1;
            }
            assert!(shared > 0, "{} {entry} shares no name with the C form", path.display());
            compared += 1;
        }
    }
    compared
}

macro_rules! programs {
    ($($name:ident $count:literal)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(forms(stringify!($name)), $count);
        }
    )*};
}

programs! {
    bmm 4 ccsdt 36 conv2d 4 dot 4 gen_histogram 3 histogram 4 jacobi1d 4 jacobi2d 6 jacobi3d 4 map_reduce 13 matmul 4 matmul_t 4
    matvec 4 mcc 4 mcc_capsule 4 prl 2 scan 6
}

/// Does a file of some form have the function?
fn has(path: &Path, entry: &str) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("// run:") && line.contains(&format!(" {entry} ")));
    let sets: Vec<(String, String)> = line.map_or(Vec::new(), |line| {
        line.split_whitespace()
            .skip(3)
            .map(|word| terrace_opt::language::set(word).expect("NAME=VALUE"))
            .collect()
    });
    path.is_file() && signature(path, entry, &sets).is_some()
}

#[test]
fn the_table_of_case_studies_is_kept() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("test-files/programs/mdh");
    let table = std::fs::read_to_string(root.join("docs/case-studies.md")).expect("the table is there");
    let builders = std::fs::read_to_string(root.join("frontends/mdh/tests/studies.rs")).expect("it is there");
    let mut listed = std::collections::BTreeSet::new();
    for row in table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| Study")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [study, c, rest @ ..] = cells.as_slice() else { panic!("{row}") };
        let c = c.trim_matches('`');
        listed.insert((c.to_string(), study.to_string()));
        assert!(has(&folder.join(c), study), "{study} is not in {c}");
        let stem = c.trim_end_matches(".c");
        let [mdh, ir, rust, tensor, linalg] = rest else { panic!("{row}") };
        for (cell, end) in [mdh, ir, tensor, linalg].into_iter().zip(["mdh", "mlir", "tensor", "linalg.mlir"])
        {
            let file = format!("{stem}.{end}");
            match cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`')) {
                Some(named) => {
                    assert_eq!(named, file, "{study}");
                    assert!(has(&folder.join(named), study), "{study} is not in {named}");
                }
                None => {
                    assert!(cell.starts_with("– ") && cell.len() > 20, "{study}: no reason: {cell}");
                    assert!(
                        !has(&folder.join(&file), study),
                        "{study} is in {file}, but the table gives a reason"
                    );
                }
            }
        }
        let function = format!("fn {}(", rust.trim_matches('`'));
        assert!(builders.contains(&function), "{study}: no {function}");
    }
    // Every program that has another form than C is a row.
    for entry in std::fs::read_dir(&folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        if path.extension().is_none_or(|end| end != "c") || !folder.join(format!("{stem}.mdh")).is_file() {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("programs are text");
        for line in text.lines().filter_map(|line| line.strip_prefix("// run:")) {
            let study = line.split_whitespace().next().unwrap_or("").to_string();
            let only_c = !has(&folder.join(format!("{stem}.mdh")), &study);
            assert!(
                only_c || listed.contains(&(format!("{stem}.c"), study.clone())),
                "{study} of {stem}.c is no row"
            );
        }
    }
}

#[test]
fn operators_of_all_programs_are_what_they_declare() {
    let tool = terrace_opt::Tool {
        name: "opt",
        dialects: terrace_opt::all_dialects,
        registry: terrace_opt::REGISTRY,
        ..terrace_opt::Tool::OPT
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/programs/mdh");
    let mut checked = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let text = std::fs::read_to_string(&path).expect("programs are text");
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let args = ["--pipeline=check-operators".to_string()];
        let done = terrace_opt::run_on(tool, &args, &name, &text).expect("the arguments are right");
        assert!(!done.failed, "{}", done.messages);
        checked += 1;
    }
    assert!(checked > 40);
}
