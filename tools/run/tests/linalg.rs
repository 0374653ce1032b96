//! Upstream's computations on tensors: values against plain loops, in the interpreter and, where the worker is built, through LLVM.

use crate::common;

use std::path::Path;
use std::process::Command;
use terrace_runtime_buffers::{Buffer, ElemType};

fn f32() -> ElemType {
    ElemType::from_name("f32").expect("a type of elements")
}

/// The function's results on iota arguments (element n is n), each as numbers
fn run(entry: &str, args: &[&str], shapes: &[&[u64]], elem: ElemType) -> Vec<Vec<Vec<f64>>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/linalg/layers.mlir");
    let mut backends = vec![("interp", "func.func(linalg-to-mdh)")];
    match terrace_native_client::client::find() {
        Ok(_) => backends.push(("host", "")),
        Err(_) => println!("skipped: host (needs llvm)"),
    }
    let mut all = Vec::new();
    for (on, pipeline) in backends {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
        command.arg(&file).args([
            format!("--entry=@{entry}"),
            format!("--on={on}"),
            format!("--pipeline={pipeline}"),
        ]);
        command.args(args.iter().map(|name| format!("--in={name}=iota")));
        let places: Vec<_> =
            (0..shapes.len()).map(|n| common::place(&format!("linalg.{entry}.{on}.{n}.npy"))).collect();
        for (n, place) in places.iter().enumerate() {
            command.arg(format!("--out={n}={}", place.display()));
        }
        let said = command.output().expect("cargo built the tool");
        assert_eq!(said.status.code(), Some(0), "{on}: {}", String::from_utf8_lossy(&said.stderr));
        let read = |(place, shape): (&std::path::PathBuf, &&[u64])| {
            let buffer = Buffer::read_npy_as(place, elem, shape).expect("it has written");
            let _ = std::fs::remove_file(place);
            let number = |n| match buffer.get(n) {
                Some(terrace_runtime_buffers::Value::Int(value)) => value as f64,
                Some(terrace_runtime_buffers::Value::Float(value)) => value,
                None => f64::NAN,
            };
            (0..buffer.len()).map(number).collect::<Vec<f64>>()
        };
        all.push(places.iter().zip(shapes).map(read).collect());
    }
    all
}

#[test]
fn a_layer() {
    let mut wanted = Vec::new();
    for i in 0..4u32 {
        for j in 0..5u32 {
            let sum: f64 = (0..6).map(|k| f64::from(i * 6 + k) * f64::from(k * 5 + j)).sum();
            wanted.push((sum + f64::from(j)).max(0.0));
        }
    }
    for found in run("layer", &["A", "B", "bias"], &[&[4, 5]], f32()) {
        assert_eq!(found[0], wanted);
    }
}

#[test]
fn reductions_with_start_values() {
    let rows: Vec<f64> =
        (0..4).map(|i| f64::from(i) + (0..6).map(|j| f64::from(i * 6 + j)).sum::<f64>()).collect();
    let columns: Vec<f64> = (0..6).map(|j| f64::from(18 + j).max(7.0)).collect();
    let elem = ElemType::from_name("i32").expect("a type of elements");
    for found in run("sums", &["A", "s"], &[&[4], &[6]], elem) {
        assert_eq!(found, [rows.clone(), columns.clone()]);
    }
}

#[test]
fn a_convolution_with_steps() {
    let mut wanted = Vec::new();
    for p in 0..4u32 {
        for q in 0..4u32 {
            for f in 0..2u32 {
                // The output's own content is iota too: it comes in front.
                let mut sum = f64::from((p * 4 + q) * 2 + f);
                for r in 0..3u32 {
                    for s in 0..3u32 {
                        for c in 0..3u32 {
                            let x = ((2 * p + r) * 9 + 2 * q + s) * 3 + c;
                            let w = ((r * 3 + s) * 3 + c) * 2 + f;
                            sum += f64::from(x) * f64::from(w);
                        }
                    }
                }
                wanted.push(sum);
            }
        }
    }
    for found in run("conv", &["I", "K", "o"], &[&[1, 4, 4, 2]], f32()) {
        assert_eq!(found[0], wanted);
    }
}

#[test]
fn parts_and_padding() {
    let a = |i: i64, j: i64| (i * 5 + j) as f64;
    let mut command_args = vec!["A"];
    command_args.push("x");
    // `x` is iota of one number: 0.
    let transposed: Vec<f64> = (0..5).flat_map(|i| (0..4).map(move |j| a(j, i))).collect();
    let broadcast: Vec<f64> = (0..2).flat_map(|_| (0..20).map(f64::from)).collect();
    let part = vec![a(1, 0), a(1, 2), a(2, 0), a(2, 2)];
    let mut inserted: Vec<f64> = (0..20).map(f64::from).collect();
    for (n, at) in [3, 4, 13, 14].into_iter().enumerate() {
        inserted[at] = part[n];
    }
    let inside = |i: i64, j: i64| (0..4).contains(&i) && (0..5).contains(&j);
    let padded: Vec<f64> = (0..6)
        .flat_map(|i| (0..8).map(move |j| if inside(i - 1, j - 1) { a(i - 1, j - 1) } else { 0.0 }))
        .collect();
    let shapes: [&[u64]; 5] = [&[5, 4], &[2, 4, 5], &[2, 2], &[4, 5], &[6, 8]];
    for found in run("moves", &command_args, &shapes, f32()) {
        assert_eq!(
            found,
            [transposed.clone(), broadcast.clone(), part.clone(), inserted.clone(), padded.clone()]
        );
    }
}

#[test]
fn more_ops_on_all_back_ends() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/linalg/more.mlir");
    let text = std::fs::read_to_string(file).expect("the file is there");
    let cases: [(&str, &[&str], &[&str]); 7] = [
        ("gather", &["T", "P"], &["r"]),
        ("short", &["A", "o", "s"], &["e", "m"]),
        ("transposed", &["A", "B", "o"], &["r"]),
        ("pool", &["I"], &["r"]),
        ("unsigned", &["I"], &["r", "s"]),
        ("two", &["A", "s", "m"], &["r", "1"]),
        ("places", &["A"], &["p", "c", "e", "j", "n"]),
    ];
    for (n, (entry, inputs, outputs)) in cases.into_iter().enumerate() {
        let mut args = vec![format!("--entry=@{entry}")];
        args.extend(inputs.iter().enumerate().map(|(seed, name)| format!("--in={name}=random:{seed}")));
        let list =
            if n < 5 { common::backends::with_devices("linalg") } else { common::backends::here("linalg") };
        // Upstream's own lowering is another test's: here it would only be slow.
        let list = list.replace(",mlir", "");
        args.push(format!("--compare={list}"));
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let shown = common::stdout(&common::run(&format!("linalg-{entry}"), &text, &args));
        for name in list.split(',').skip(1) {
            for output in outputs {
                assert!(shown.contains(&format!("{name} and interp: {output}: all ")), "{entry}:\n{shown}");
            }
        }
    }
}

#[test]
fn bodies_that_combine_and_schedules_beside_ops() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/linalg/folds.mlir");
    let text = std::fs::read_to_string(file).expect("the file is there");
    for (entry, args, results) in [
        ("taken", &["A", "o", "B", "p"][..], &["r", "i"][..]),
        ("chosen", &["A", "o", "B", "p"], &["r", "i"]),
        ("scheduled", &["a", "b", "c"], &["r"]),
    ] {
        let list = common::backends::here("linalg-folds").replace(",mlir", "");
        let mut given = vec![format!("--entry=@{entry}"), format!("--compare={list}")];
        given.extend(args.iter().enumerate().map(|(seed, name)| format!("--in={name}=random:{seed}")));
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let shown = common::stdout(&common::run(&format!("linalg-folds-{entry}"), &text, &given));
        for name in list.split(',').skip(1) {
            for result in results {
                assert!(shown.contains(&format!("{name} and interp: {result}: all ")), "{entry}:\n{shown}");
            }
        }
    }
}

#[test]
fn several_values_at_once() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/lowering/mdh/linalg_operators.mlir");
    let text = std::fs::read_to_string(file).expect("the file is there");
    for (entry, args, results) in [
        ("argmax", &["x", "k", "o", "p"][..], 2),
        ("least", &["x", "o", "p"], 2),
        ("first", &["x", "o", "p"], 2),
        ("moments", &["x", "m", "q", "c=fill:0"], 3),
        ("digits", &["x", "o"], 1),
    ] {
        let list = common::backends::here("linalg-several").replace(",mlir", "");
        let mut given =
            vec![format!("--entry=@{entry}"), format!("--compare={list}"), "--tolerance=1e-12".into()];
        given.extend(args.iter().enumerate().map(|(seed, name)| match name.contains('=') {
            true => format!("--in={name}"),
            false => format!("--in={name}=random:{seed}"),
        }));
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let shown = common::stdout(&common::run(&format!("linalg-several-{entry}"), &text, &given));
        let agree = shown.matches(": all ").count();
        assert_eq!(agree, results * (list.split(',').count() - 1), "{entry}:\n{shown}");
    }
}

#[test]
fn ops_in_memory_on_all_back_ends() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/linalg/memory.mlir");
    let text = std::fs::read_to_string(file).expect("the file is there");
    let cases: [(&str, &[&str]); 3] =
        [("f", &["A", "B", "C"]), ("g", &["A", "T", "s", "b", "m"]), ("steps", &["A", "f"])];
    let list = common::backends::with_devices("linalg-memory").replace(",mlir", "");
    for (entry, buffers) in cases {
        let mut args = vec![format!("--entry=@{entry}"), format!("--compare={list}")];
        args.extend(buffers.iter().enumerate().map(|(seed, name)| format!("--in={name}=random:{seed}")));
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let shown = common::stdout(&common::run(&format!("linalg-memory-{entry}"), &text, &args));
        for name in list.split(',').skip(1) {
            for buffer in buffers.iter().filter(|name| **name != "f") {
                assert!(shown.contains(&format!("{name} and interp: {buffer}: all ")), "{entry}:\n{shown}");
            }
        }
    }
}

/// Sizes that types leave open are those of what is given
#[test]
fn open_sizes_on_all_back_ends() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/passes/upstream/bind_sizes.mlir");
    let text = std::fs::read_to_string(file).expect("the file is there");
    let functions: Vec<&str> = text.split("\nfunc.func ").collect();
    let list = common::backends::with_devices("linalg-open").replace(",mlir", "");
    for (function, args, outputs) in [
        (functions[1], "--in=A=random:1 --in=B=random:2 --shape=A=9x7 --shape=B=7x20", &["r"][..]),
        (
            functions[2],
            "--in=A=random:1 --in=x=random:2 --in=y=fill:0 --in=n=fill:33 --shape=A=33x6 --shape=x=6 --shape=y=33",
            &["y"],
        ),
    ] {
        let text = format!("func.func {function}");
        let compare = format!("--compare={list}");
        let args: Vec<&str> = args.split(' ').chain([compare.as_str()]).collect();
        let shown = common::stdout(&common::run("linalg-open", &text, &args));
        for name in list.split(',').skip(1) {
            for output in outputs {
                assert!(shown.contains(&format!("{name} and interp: {output}: all ")), "{shown}");
            }
        }
    }
    let args = ["--in=A=random:1", "--in=B=random:2", "--shape=A=9x7", "--shape=B=8x20"];
    let refused = common::run("linalg-open-clash", &format!("func.func {}", functions[1]), &args);
    common::refused(&refused, 1, "SIZE: dimension 0 of %B is 8, and here 7");
}
