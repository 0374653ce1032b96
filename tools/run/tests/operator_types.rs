//! Six operators over six types in three forms, with argmax and an operator of the user: the values of the interpreter on every back
//! end, and a table of how partial results are merged.
//!
//! Contributions are such that every order of merging gives the same bits, and that few elements decide a result: one left out,
//! merged twice, or a wrong identity changes it.

use crate::common::{command, place, refused, run, stdout};
use std::fmt::Write;
use std::path::Path;
use terrace_opt::{Tool, run_on};
use terrace_runtime_opencl::oclgrind;

const OPERATORS: [&str; 6] = ["add", "mul", "min", "max", "and", "or"];
const TYPES: [&str; 6] = ["f64", "f32", "f16", "i1", "i64", "i32"];

/// Forms: dimensions, subscripts of the input, those of the result
const FORMS: [(&str, &str, &str, &str); 3] = [
    ("all", "i in M pw @, j in N pw @", "i, j", ""),
    ("x", "i in M, j in N pw @", "i, j", "i"),
    ("y", "j in N, i in M pw @", "i, j", "j"),
];

/// Rows and columns of each form: by value, in a simulator, for the table
const SMALL: [[usize; 2]; 3] = [[37, 1031], [13, 1031], [61, 257]];
const TINY: [[usize; 2]; 3] = [[5, 131], [3, 131], [131, 3]];
const LARGE: [[usize; 2]; 3] = [[1021, 4099], [1021, 4099], [4099, 1021]];

/// The first of the largest; and composition of affine maps, which does not commute
const FUNCTIONS: &str = "\
func.func private @argmax(%a: f32, %i: i32, %b: f32, %j: i32) -> (f32, i32) attributes {sched.operator = {associative, commutative, exact, identity = [0xFF800000 : f32, 2147483647 : i32]}} {
  %more = arith.cmpf ogt, %b, %a : f32
  %same = arith.cmpf oeq, %a, %b : f32
  %first = arith.minsi %i, %j : i32
  %v = arith.select %more, %b, %a : f32
  %p = arith.select %same, %first, %i : i32
  %q = arith.select %more, %j, %p : i32
  return %v, %q : f32, i32
}
func.func private @compose(%a: i32, %b: i32, %c: i32, %d: i32) -> (i32, i32) attributes {sched.operator = {associative, exact, identity = [1 : i32, 0 : i32]}} {
  %ac = arith.muli %a, %c : i32
  %ad = arith.muli %a, %d : i32
  %r = arith.addi %ad, %b : i32
  return %ac, %r : i32, i32
}
";

/// Why there is no such cell
fn no_cell(operator: &str, ty: &str) -> Option<&'static str> {
    match (operator, ty) {
        ("and" | "or", "f64" | "f32" | "f16") => Some("floats have no `and` and `or`: E0604"),
        ("add" | "mul" | "min" | "max", "i1") => {
            Some("one bit: `xor`, `and` and `or` say which of them is meant")
        }
        _ => None,
    }
}

/// What `%a`, a random f32 in [−1, 1), contributes as `%v` of a type
fn contribution(operator: &str, ty: &str) -> String {
    let float = ty.starts_with('f');
    // A whole number from -512 to 511; a sum of them is exact in every type but f16, whose numbers are smaller.
    let scale = if ty == "f16" { "8.0" } else { "512.0" };
    let to = match ty {
        "f32" => "%v = arith.addf %w, %zero : f32".to_owned(),
        "f64" => "%v = arith.extf %w : f32 to f64".to_owned(),
        "f16" => "%v = arith.truncf %w : f32 to f16".to_owned(),
        _ => format!("%v = arith.fptosi %w : f32 to {ty}"),
    };
    let whole = format!(
        "%zero = arith.constant 0.0 : f32
    %scale = arith.constant {scale} : f32
    %s = arith.mulf %a, %scale : f32
    %n = arith.fptosi %s : f32 to i32
    %w = arith.sitofp %n : i32 to f32
    {to}"
    );
    match operator {
        // Halves and doubles, few of each, so that nothing overflows.
        "mul" if float => format!(
            "%most = arith.constant 0.99 : f32
    %least = arith.constant -0.99 : f32
    %up = arith.cmpf ogt, %a, %most : f32
    %down = arith.cmpf olt, %a, %least : f32
    %one = arith.constant 1.0 : {ty}
    %two = arith.constant 2.0 : {ty}
    %half = arith.constant 0.5 : {ty}
    %d = arith.select %down, %half, %one : {ty}
    %v = arith.select %up, %two, %d : {ty}"
        ),
        // Odd numbers, whose product is never zero.
        "mul" => format!("{whole}\n    %one = arith.constant 1 : {ty}\n    %odd = arith.ori %v, %one : {ty}")
            .replace("%v =", "%e =")
            .replace("ori %v", "ori %e")
            .replace("%odd =", "%v ="),
        "and" | "or" if ty == "i1" => {
            let bound = if operator == "and" { "ogt, %a, %least" } else { "ogt, %a, %most" };
            format!(
                "%most = arith.constant 0.999 : f32
    %least = arith.constant -0.999 : f32
    %v = arith.cmpf {bound} : f32"
            )
        }
        // One element of a hundred or so has a bit, which bit depends on it.
        "and" | "or" => {
            let not = if operator == "and" { "-1" } else { "0" };
            format!(
                "{whole}
    %ones = arith.constant 7 : {ty}
    %no = arith.constant {not} : {ty}
    %one = arith.constant 1 : {ty}
    %b = arith.andi %e, %ones : {ty}
    %bit = arith.shli %one, %b : {ty}
    %limit = arith.constant 0.98 : f32
    %has = arith.cmpf ogt, %a, %limit : f32
    %zeros = arith.constant 0 : {ty}
    %given = arith.select %has, %bit, %zeros : {ty}
    %v = arith.xori %given, %no : {ty}"
            )
            .replacen("%v =", "%e =", 1)
        }
        _ => whole,
    }
}

/// One reduction
struct Cell {
    operator: &'static str,
    /// What `%a` contributes
    body: String,
    results: &'static [&'static str],
    form: usize,
}

impl Cell {
    fn name(&self) -> String {
        format!("{}_{}_{}", self.operator, self.results[0], FORMS[self.form].0)
    }

    /// What does not commute is merged along one dimension only: two have no order
    fn along_one_row(&self) -> bool {
        self.operator == "compose" && FORMS[self.form].3.is_empty()
    }

    /// Types of its results
    fn types(&self, [rows, columns]: [usize; 2]) -> Vec<String> {
        let kept = match FORMS[self.form].3 {
            "i" => format!("{rows}x"),
            "j" => format!("{columns}x"),
            _ => String::new(),
        };
        self.results.iter().map(|ty| format!("tensor<{kept}{ty}>")).collect()
    }

    fn values(&self) -> Vec<String> {
        let name = self.name();
        (0..self.results.len()).map(|k| format!("%{name}#{k}")).collect()
    }

    fn computation(&self, sizes: [usize; 2]) -> String {
        let (name, [rows, columns], count) = (self.name(), sizes, self.results.len());
        let (_, mut points, mut at, out) = FORMS[self.form];
        if self.along_one_row() {
            (points, at) = ("j in N pw @", "0, j");
        }
        let merged = if count > 1 { format!("@{}", self.operator) } else { self.operator.to_owned() };
        let points = points.replace('M', &rows.to_string()).replace('N', &columns.to_string());
        format!(
            "  %{name}:{count} = mdh.compute \"{name}\" ({}) ins(%a = %{}[{at}]) outs({}) {{
    {}
  }} : (tensor<{rows}x{columns}xf32>) -> ({})
",
            points.replace('@', &merged),
            FORMS[self.form].0,
            vec![format!("[{out}]"); count].join(", "),
            self.body,
            self.types(sizes).join(", "),
        )
    }
}

/// All cells of a type; argmax and the user's operator with f32
fn cells(ty: &'static str) -> Vec<Cell> {
    const ONE: [&[&str]; 6] = [&["f64"], &["f32"], &["f16"], &["i1"], &["i64"], &["i32"]];
    let results = *ONE.iter().find(|one| one[0] == ty).expect("a type of the table");
    let place = "%i = mdh.index 0
    %j = mdh.index 1
    %s = arith.addi %i, %j : index
    %p = arith.index_cast %s : index to i32";
    let mut all = Vec::new();
    for (form, (.., last)) in FORMS.iter().enumerate() {
        for operator in OPERATORS.into_iter().filter(|operator| no_cell(operator, ty).is_none()) {
            let body = format!("{}\n    mdh.yield %v : {ty}", contribution(operator, ty));
            all.push(Cell { operator, body, results, form });
        }
        if ty == "f32" {
            let body = format!("{place}\n    mdh.yield %a, %p : f32, i32");
            all.push(Cell { operator: "argmax", body, results: &["f32", "i32"], form });
            let place = match last.is_empty() {
                true => "%j = mdh.index 0\n    %p = arith.index_cast %j : index to i32",
                false => place,
            };
            let body = format!(
                "{place}
    %one = arith.constant 1 : i32
    %o = arith.ori %p, %one : i32
    %t = arith.constant 512.0 : f32
    %f = arith.mulf %a, %t : f32
    %n = arith.fptosi %f : f32 to i32
    mdh.yield %o, %n : i32, i32"
            );
            all.push(Cell { operator: "compose", body, results: &["i32", "i32"], form });
        }
    }
    all
}

/// A function with these cells
fn function(name: &str, cells: &[&Cell], sizes: &[[usize; 2]; 3]) -> String {
    let inputs: Vec<String> = FORMS
        .iter()
        .zip(sizes)
        .filter(|(form, _)| cells.iter().any(|cell| FORMS[cell.form].0 == form.0))
        .map(|(form, [rows, columns])| format!("%{}: tensor<{rows}x{columns}xf32>", form.0))
        .collect();
    let body: String = cells.iter().map(|cell| cell.computation(sizes[cell.form])).collect();
    let types: Vec<String> = cells.iter().flat_map(|cell| cell.types(sizes[cell.form])).collect();
    let values: Vec<String> = cells.iter().flat_map(|cell| cell.values()).collect();
    let (values, types) = (values.join(", "), types.join(", "));
    format!(
        "func.func @{name}({}) -> ({types}) {{\n{body}  return {values} : {types}\n}}\n",
        inputs.join(", ")
    )
}

/// Back ends that are here; the OpenCL device may have no f16
fn here(ty: &str) -> Vec<&'static str> {
    let all = ["interp", "host", "openmp", "opencl"].into_iter();
    let missing = |name: &str| terrace_targets::find(name).expect("it is in the list").missing();
    all.filter(|name| match missing(name) {
        Some(component) => {
            println!("skipped: operators on {name} (needs {component})");
            false
        }
        None => *name != "opencl" || ty != "f16" || opencl_has_halves(),
    })
    .collect()
}

fn opencl_has_halves() -> bool {
    let text = "func.func @f(%A: tensor<4xf16>) -> tensor<4xf16> {
  %c = mdh.compute (i in 4) ins(%a = %A[i]) outs([i]) {
    %b = arith.addf %a, %a : f16
    mdh.yield %b : f16
  } : (tensor<4xf16>) -> tensor<4xf16>
  return %c : tensor<4xf16>
}";
    let has = run("halves", text, &["--on=opencl", "--in=A=iota"]).status.success();
    if !has {
        println!("skipped: operators over f16 on opencl (needs a device with cl_khr_fp16)");
    }
    has
}

#[track_caller]
fn by_value(ty: &'static str) {
    let (cells, list) = (cells(ty), here(ty));
    let text = format!("{FUNCTIONS}{}", function("f", &cells.iter().collect::<Vec<_>>(), &SMALL));
    let compare = format!("--compare={}", list.join(","));
    let inputs = FORMS.map(|form| format!("--in={}=random:3", form.0));
    let args: Vec<&str> =
        inputs.iter().map(String::as_str).chain([compare.as_str(), "--tolerance=exact"]).collect();
    let shown = stdout(&run(ty, &text, &args));
    let results: usize = cells.iter().map(|cell| cell.results.len()).sum();
    let agree = shown.matches("without any difference").count();
    assert_eq!(agree, results * (list.len() - 1), "{ty}:\n{shown}");
}

#[test]
fn of_f64() {
    by_value("f64");
}

#[test]
fn of_f32() {
    by_value("f32");
}

#[test]
fn of_f16() {
    by_value("f16");
}

#[test]
fn of_bool() {
    by_value("i1");
}

#[test]
fn of_i64() {
    by_value("i64");
}

#[test]
fn of_i32() {
    by_value("i32");
}

/// Kernels of these types under a simulator that reports races, bad addresses and divergent barriers; f64 and i64 differ by width only
#[test]
fn oclgrind_finds_nothing() {
    if !Path::new(oclgrind::LIBRARY).is_file() {
        return println!("skipped: operators under oclgrind (needs oclgrind)");
    }
    for ty in ["f32", "i1", "i32"] {
        let cells = cells(ty);
        let text = format!("{FUNCTIONS}{}", function("f", &cells.iter().collect::<Vec<_>>(), &TINY));
        let inputs = FORMS.map(|form| format!("--in={}=random:3", form.0));
        let args: Vec<&str> = inputs.iter().map(String::as_str).chain(["--on=opencl"]).collect();
        let name = format!("grind-{ty}");
        let log = place(&format!("{name}.log"));
        let report = oclgrind::run_child(command(&name, &text, &args), Path::new(oclgrind::LIBRARY), &log);
        let report = report.unwrap_or_else(|error| panic!("{error}"));
        let _ = std::fs::remove_file(place(&format!("{name}.mlir")));
        assert_eq!(report.findings.first().map(|first| first.text.clone()), None, "{ty}");
        stdout(&report.output);
    }
}

#[test]
fn floats_have_no_bits() {
    for operator in ["and", "or"] {
        for results in [&["f64"], &["f32"], &["f16"]] {
            let body = format!("{}\n    mdh.yield %v : {}", contribution("add", results[0]), results[0]);
            let cell = Cell { operator, body, results, form: 0 };
            let out = run(&cell.name(), &function("f", &[&cell], &SMALL), &["--in=all=random:1"]);
            refused(&out, 1, &format!("`{operator}` does not take {}", results[0]));
        }
    }
}

/// How a schedule merges what the loops of one function reduce, from the inside
fn mechanisms(scheduled: &str, name: &str) -> String {
    let start = scheduled.find(&format!("@{name}(")).unwrap_or_else(|| panic!("{name}:\n{scheduled}"));
    let body = &scheduled[start..];
    // Functions are in a module.
    let body = &body[..body.find("\n  }\n").unwrap_or(body.len())];
    let mut words: Vec<String> = Vec::new();
    for line in body.lines().filter(|line| line.contains("sched.for")) {
        // `(%j3 in 128 by 1 dim 1 : thread.x pw add via shuffle, %k in …)`
        for part in line.split(" in ").skip(1).filter(|part| part.contains(" pw ")) {
            let level =
                part.split(" : ").nth(1).and_then(|rest| rest.split([' ', '.']).next()).unwrap_or("seq");
            let via = part.split(" via ").nth(1).and_then(|rest| rest.split([' ', ',', ')']).next());
            let word = match (level, via) {
                ("vector", _) => "lanes".to_owned(),
                ("task", _) => "tasks".to_owned(),
                ("thread", Some("shuffle")) => "threads (shuffles)".to_owned(),
                ("thread", _) => "threads (tree in shared memory)".to_owned(),
                ("block", via) => format!("blocks ({})", via.unwrap_or("?")),
                _ => continue,
            };
            if !words.contains(&word) {
                words.insert(0, word);
            }
        }
    }
    match body.matches("sched.kernel").count() {
        0 | 1 => {}
        _ if body.contains("terrace.last") => words.push("the last block".to_owned()),
        _ => words.push("a second kernel".to_owned()),
    }
    if words.is_empty() { "one loop for each result".to_owned() } else { words.join(", ") }
}

#[test]
fn each_cell_names_its_mechanism() {
    let all: Vec<Cell> = TYPES.into_iter().flat_map(cells).collect();
    let functions: String = all.iter().map(|cell| function(&cell.name(), &[cell], &LARGE)).collect();
    let text = format!("{FUNCTIONS}{functions}");
    let mut table = String::new();
    for device in ["x86-64-v3", "openmp", "opencl", "cuda"] {
        let args =
            [format!("--pipeline=func.func(mdh-operators,mdh-schedule{{target={device}}},mdh-to-sched)")];
        let finished = run_on(Tool::OPT, &args, "operators", &text).expect("the arguments are right");
        assert!(!finished.failed, "{}", finished.messages);
        let scheduled = String::from_utf8(finished.out.expect("it did not fail")).expect("it is text");
        for (form, _, _, _) in FORMS {
            // Cells with one mechanism are one line.
            let mut lines: Vec<(String, Vec<String>)> = Vec::new();
            for cell in all.iter().filter(|cell| FORMS[cell.form].0 == form) {
                let how = mechanisms(&scheduled, &cell.name());
                let what = format!("{} {}", cell.operator, cell.results[0]);
                match lines.iter_mut().find(|(other, _)| *other == how) {
                    Some((_, cells)) => cells.push(what),
                    None => lines.push((how, vec![what])),
                }
            }
            let _ = writeln!(table, "{device}, {form}");
            for (how, cells) in lines {
                let _ = writeln!(table, "  {how}: {}", cells.join(", "));
            }
        }
    }
    let _ = writeln!(table, "no cell");
    for ty in TYPES {
        for operator in OPERATORS {
            if let Some(why) = no_cell(operator, ty) {
                let _ = writeln!(table, "  {operator} {ty}: {why}");
            }
        }
    }
    insta::assert_snapshot!("mechanisms", table);
}
