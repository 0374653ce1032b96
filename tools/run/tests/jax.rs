//! Programs of JAX as their users have them: values against what JAX computed.
//!
//! `test-files/frontends/jax` holds them after IREE's input conversion, and `test-files/frontends/stablehlo` as JAX prints them,
//! with arguments and results in comments; `generate.py` in the first made them. Whatever needs no dialect of others must run, on
//! the interpreter and on the back ends for processors.

use crate::common;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use terrace_runtime_buffers::{Buffer, ElemType, Value};

fn folder(dialect: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends").join(dialect)
}

/// Names of all programs, in order
fn programs(of: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder(of)).expect("the folder is there");
    let name = |path: PathBuf| {
        (path.extension()? == "mlir").then(|| path.file_stem()?.to_str().map(String::from))?
    };
    let mut all: Vec<String> =
        entries.filter_map(|entry| name(entry.expect("it can be read").path())).collect();
    all.sort();
    all
}

/// The arrays that a file's comments say: arguments, and results
fn arrays(text: &str) -> [Vec<Buffer>; 2] {
    let mut found: Vec<(usize, String, Vec<&str>)> = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        let head = ["in ", "out "].iter().position(|word| line.starts_with(word));
        match (head, line.strip_prefix("  ")) {
            (Some(side), _) => {
                let (ty, numbers) = line.split_once(':').expect("a type and numbers");
                let ty = ty.split_once(' ').map_or("", |(_, ty)| ty).to_string();
                found.push((side, ty, numbers.split_whitespace().collect()));
            }
            (None, Some(more)) => {
                found.last_mut().expect("numbers begin in a line above").2.extend(more.split_whitespace());
            }
            _ => {}
        }
    }
    [0, 1].map(|side| {
        let all = found.iter().filter(|(of, ..)| *of == side);
        all.map(|(_, ty, numbers)| {
            let mut sizes: Vec<&str> = ty.split('x').collect();
            let elem = sizes.pop().and_then(ElemType::from_name).expect("a type of elements");
            let sizes: Vec<u64> = sizes.iter().map(|size| size.parse().expect("a size")).collect();
            let mut buffer = Buffer::zeros(elem, &sizes).expect("small arrays");
            assert_eq!(buffer.len(), numbers.len(), "{ty}");
            for (n, number) in numbers.iter().enumerate() {
                let value = match buffer.get(n) {
                    Some(Value::Int(_)) => Value::Int(number.parse().expect("a whole number")),
                    _ => Value::Float(number.parse().expect("a number")),
                };
                buffer.set(n, value);
            }
            buffer
        })
        .collect()
    })
}

/// Why what a back end gives is not what JAX has computed
fn differs(of: &str, on: &str, name: &str) -> Option<String> {
    let file = folder(of).join(format!("{name}.mlir"));
    let text = std::fs::read_to_string(&file).expect("the file is there");
    differs_from(&file, &text, on, of)
}

/// The same of a program whose comments have the arrays
fn differs_from(file: &Path, text: &str, on: &str, of: &str) -> Option<String> {
    let [inputs, outputs] = arrays(text);
    let named =
        |all: Vec<Buffer>| all.into_iter().enumerate().map(|(n, array)| (n.to_string(), array)).collect();
    let (inputs, outputs) = (named(inputs), named(outputs));
    common::values::differs(file, &[], (&inputs, &outputs), on, 1e-5).map(|why| format!("{of} {why}"))
}

/// All programs on one back end; says the share that runs
#[track_caller]
fn all_on(on: &str) {
    if !common::backends::here("jax").split(',').any(|name| name == on) {
        return;
    }
    let programs = programs("jax");
    let wrong: Vec<String> = programs.iter().filter_map(|name| differs("jax", on, name)).collect();
    let foreign = std::fs::read_to_string(folder("jax").join("foreign.txt")).expect("the list is there");
    let (mut ops, mut others) = (std::collections::BTreeMap::<&str, usize>::new(), 0);
    for line in foreign.lines() {
        others += 1;
        for op in line.split_once(": ").map_or("", |(_, ops)| ops).split(", ") {
            let (op, count) = op.split_once(' ').expect("an op and how often");
            *ops.entry(op).or_default() += count.parse::<usize>().expect("a number");
        }
    }
    let mut said =
        format!("jax on {on}: {} of {} programs run", programs.len() - wrong.len(), programs.len() + others);
    let _ = write!(said, "; {others} have ops of other dialects:");
    ops.iter().for_each(|(op, count)| said += &format!(" {op} {count}"));
    println!("{said}");
    assert!(programs.len() >= 30, "there are only {}", programs.len());
    assert!(wrong.is_empty(), "{said}\n{}", wrong.join("\n"));
}

/// Programs of `stablehlo` with an op that neither the interpreter nor a back end has, and the op
const NOT_RUN: &[(&str, &str)] = &[("fourier", "stablehlo.fft"), ("sorted_rows", "stablehlo.sort")];

/// All programs as JAX prints them, on one back end
#[track_caller]
fn printed_on(on: &str) {
    if !common::backends::here("jax").split(',').any(|name| name == on) {
        return;
    }
    let programs = programs("stablehlo");
    let known = |name: &str| NOT_RUN.iter().find(|(other, _)| *other == name);
    let mut wrong = Vec::new();
    for name in &programs {
        let said = differs("stablehlo", on, name);
        match (known(name), said) {
            (None, said) => wrong.extend(said),
            (Some((_, op)), Some(said)) if said.contains(op) => {}
            (Some((_, op)), said) => wrong.push(format!("{name} is not refused for {op}: {said:?}")),
        }
    }
    assert_eq!(programs.len(), 60);
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), programs.len(), wrong.join("\n"));
}

#[test]
fn printed_in_the_interpreter() {
    printed_on("interp");
}

#[test]
fn printed_through_llvm() {
    printed_on("host");
}

#[test]
fn printed_as_c_with_openmp() {
    printed_on("openmp");
}

#[test]
fn printed_through_upstream() {
    printed_on("mlir");
}

/// Programs with a softmax, a log-sum-exp, a cross entropy, a layer, group or batch norm, or a variance. `tools/opt` tests that rules find them
const DEPENDENT: &[&str] = &[
    "attention",
    "attention_gradient",
    "batch_norm",
    "cross_entropy",
    "cross_entropy_one_hot",
    "decode_step",
    "feed_forward",
    "group_norm",
    "layer_norm",
    "mixture_of_experts",
    "mlp",
    "resnet_block",
    "softmaxes",
    "statistics",
    "training_step",
];

/// With joint reductions in place of dependent ones, values are still JAX's, on every back end
#[test]
fn printed_with_joint_reductions() {
    let permission = r#"attributes {mdh.approximate = ["online_softmax", "welford"]}"#;
    let mut wrong = Vec::new();
    for name in DEPENDENT {
        let text = std::fs::read_to_string(folder("stablehlo").join(format!("{name}.mlir")));
        let text = text.expect("the file is there");
        let permitted: Vec<String> = text
            .lines()
            .map(|line| match line.strip_suffix('{').filter(|line| line.contains("func.func public @main")) {
                Some(line) => format!("{line}{permission} {{"),
                None => line.to_string(),
            })
            .collect();
        let file = common::place(&format!("joint.{name}.mlir"));
        std::fs::write(&file, permitted.join("\n")).expect("the folder for temporary files can be written");
        for on in ["interp", "host", "openmp", "opencl"] {
            if common::backends::here("jax").split(',').any(|other| other == on) {
                wrong.extend(differs_from(&file, &text, on, "joint"));
            }
        }
        let _ = std::fs::remove_file(file);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn in_the_interpreter() {
    all_on("interp");
}

#[test]
fn through_llvm() {
    all_on("host");
}

#[test]
fn as_c_with_openmp() {
    all_on("openmp");
}

#[test]
fn through_upstream() {
    all_on("mlir");
}
