//! ONNX models: values against what ONNX's reference evaluator, its node cases and onnxruntime say.
//!
//! `test-files/frontends/onnx` has the models and the programs in Python that wrote them. The node cases of the package `onnx` and
//! the networks are made here, where a Python with the packages is; their tests are skipped elsewhere.

use crate::common;
use crate::common::values::{Named, differs};

use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Command;
use terrace_diag::Diags;
use terrace_ir::Context;
use terrace_runtime_buffers::{Buffer, ElemType, Value};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/onnx")
}

/// A model with arrays, and the share of the largest number by which results may differ
struct Case {
    model: String,
    share: f64,
    inputs: Named,
    outputs: Named,
}

fn array(json: &Json) -> Buffer {
    let elem = json["type"].as_str().and_then(ElemType::from_name).expect("a type of elements");
    let sizes = json["shape"].as_array().expect("a shape");
    let sizes: Vec<u64> = sizes.iter().map(|size| size.as_u64().expect("a size")).collect();
    let mut buffer = Buffer::zeros(elem, &sizes).expect("small arrays");
    let numbers = json["data"].as_array().expect("numbers");
    assert_eq!(numbers.len(), buffer.len());
    for (n, number) in numbers.iter().enumerate() {
        let value = match elem.is_float() {
            true => Value::Float(
                number.as_f64().or_else(|| number.as_str()?.parse().ok()).expect("a number, or its name"),
            ),
            false => Value::Int(number.as_i64().expect("a whole number")),
        };
        assert!(buffer.set(n, value));
    }
    buffer
}

fn arrays(json: &Json) -> Named {
    let all = json.as_object().expect("arrays by their names");
    all.iter().map(|(name, json)| (name.clone(), array(json))).collect()
}

/// The cases of a file, and lines that are none
fn cases(file: &Path) -> (Vec<Case>, Vec<Json>) {
    let text = std::fs::read_to_string(file).expect("the file is there");
    let lines = text.lines().map(|line| serde_json::from_str::<Json>(line).expect("a line of JSON"));
    let (cases, others): (Vec<Json>, Vec<Json>) = lines.partition(|line| line.get("model").is_some());
    let case = |line: Json| Case {
        model: line["model"].as_str().expect("a name").into(),
        share: line["tolerance"].as_f64().expect("a number"),
        inputs: arrays(&line["inputs"]),
        outputs: arrays(&line["outputs"]),
    };
    (cases.into_iter().map(case).collect(), others)
}

/// All small models on one back end
#[track_caller]
fn all_on(on: &str) {
    if !common::backends::here("onnx").split(',').any(|name| name == on) {
        return;
    }
    let (cases, _) = cases(&folder().join("values.jsonl"));
    assert!(cases.len() > 150, "there are only {}", cases.len());
    // The interpreter of `stablehlo` sums nothing at a border: an infinite weight times a zero there is no NaN.
    let taken = cases.iter().filter(|case| on != "interp" || case.model != "Conv_infinite");
    let wrong = taken.filter_map(|case| {
        let file = folder().join(format!("cases/{}.onnx", case.model));
        differs(&file, &[], (&case.inputs, &case.outputs), on, case.share)
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn operators_in_the_interpreter() {
    all_on("interp");
}

#[test]
fn operators_through_llvm() {
    all_on("host");
}

#[test]
fn operators_as_c_with_openmp() {
    all_on("openmp");
}

/// Weights of the file are arguments, and what the command line gives for one of them counts
#[test]
fn weights_are_arguments() {
    let file = folder().join("cases/mlp.onnx");
    let shown = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
        command.arg(&file).arg("--in=x=iota").args(args);
        common::stdout(&command.output().expect("cargo built the tool"))
    };
    let (own, zero) = (shown(&[]), shown(&["--in=w1=fill:0", "--compare=interp,host"]));
    assert!(zero.contains("host and interp: y: all "), "{zero}");
    assert_ne!(own, shown(&["--in=w1=fill:0"]));
}

/// A Python that has the packages; says which test is skipped without it
fn python(test: &str, packages: &str) -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/benches-venv/bin/python");
    let has = |python: &PathBuf| {
        let out = Command::new(python).arg("-c").arg(format!("import {packages}")).output();
        out.is_ok_and(|out| out.status.success())
    };
    let found = [own, PathBuf::from("python3")].into_iter().find(has);
    if found.is_none() {
        println!("skipped: {test} (needs the Python packages {packages})");
    }
    found
}

/// An empty folder for a test's files
fn place(name: &str) -> PathBuf {
    let place = common::place(name);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).expect("the folder for temporary files of tests can be written");
    place
}

fn write(python: &Path, program: &str, args: &[&str]) {
    let mut command = Command::new(python);
    command.arg("-Wignore").arg(folder().join(program)).args(args);
    let out = command.output().expect("Python starts");
    assert!(out.status.success(), "{program}: {}", String::from_utf8_lossy(&out.stderr));
}

/// What the front end says of a model: whether it is read, and else the code
fn said_of(file: &Path) -> Option<&'static str> {
    let cx = Context::new(&terrace_opt::all_dialects());
    let mut diags = Diags::default();
    let bytes = std::fs::read(file).expect("the file was written");
    terrace_frontend_onnx::read(&cx, "case.onnx", bytes, &[], &mut diags);
    diags.iter().find_map(|one| one.code).map(|code| code.id)
}

/// Node cases whose values differ for a reason, and the reason
const DIFFERENT: &[(&str, &str)] = &[];

/// All node cases of the package `onnx`: those that are read give what they say
#[test]
fn node_cases() {
    let Some(python) = python("onnx node cases", "onnx") else { return };
    let place = place("node-cases");
    write(&python, "node_cases.py", &[&place.display().to_string()]);
    let (cases, others) = cases(&place.join("values.jsonl"));
    let (mut right, mut unknown, mut refused, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for case in &cases {
        let file = place.join(format!("{}.onnx", case.model));
        match said_of(&file) {
            None => {
                let why = differs(&file, &[], (&case.inputs, &case.outputs), "interp", case.share);
                let known = DIFFERENT.iter().any(|(name, _)| *name == case.model);
                match why {
                    None => right += 1,
                    Some(_) if known => refused.push(format!("{}: differs", case.model)),
                    Some(why) => wrong.push(why),
                }
            }
            Some("E0862") => unknown += 1,
            Some(code) => refused.push(format!("{}: {code}", case.model)),
        }
    }
    let _ = std::fs::remove_dir_all(place);
    let said = format!(
        "{right} of {} node cases are right, {} are refused, {unknown} have operators that are not known; {} are left out",
        cases.len(),
        refused.len(),
        others[0]["left_out"]
    );
    println!("{said}");
    if std::env::var_os("TERRACE_SHOW").is_some() {
        println!("{}", refused.join("\n"));
    }
    assert!(wrong.is_empty(), "{said}\n{} differ\n{}", wrong.len(), wrong.join("\n"));
    assert!(right > 500, "{said}");
}

/// A network of an eighth of the channels on images of a quarter of the size
#[track_caller]
fn network(name: &str, on: &[&str]) {
    let Some(python) = python("onnx networks", "onnx, onnxruntime") else { return };
    let place = place(name);
    let here = common::backends::here("onnx");
    write(&python, "networks.py", &[name, &place.display().to_string(), "--width=8", "--image=4"]);
    let array = |name: &str| {
        let array = Buffer::read_npy(&place.join(format!("{name}.npy"))).expect("it was written");
        (name.to_string(), array)
    };
    let (inputs, outputs) = (vec![array("x")], vec![array("logits")]);
    let file = place.join(format!("{name}.onnx"));
    let wrong: Vec<String> = on
        .iter()
        .filter(|on| here.split(',').any(|name| name == **on))
        .filter_map(|on| differs(&file, &["--set=N=1"], (&inputs, &outputs), on, 1e-4))
        .collect();
    let _ = std::fs::remove_dir_all(place);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn yolo() {
    network("yolo", &["host"]);
}

#[test]
fn overfeat() {
    network("overfeat", &["host", "openmp"]);
}

#[test]
fn vgg() {
    network("vgg", &["host"]);
}

#[test]
fn resnet() {
    network("resnet", &["host"]);
}
