//! The tables of `docs/operators.md`: each operator on numbers that differ in what they do, bit by bit on each back end.
//!
//! A program reduces each row, and compares the bits with those of the table. What it returns is a number with a bit for each row that
//! is wrong. Terms are arguments, so no compiler knows them.

use crate::common::{installed, place, run, stdout};
use std::fmt::Write;
use std::path::PathBuf;
use terrace_opt::{Tool, run_on};
use terrace_runtime_cuda::{nvrtc_compile, ptxas_check};
use terrace_targets::TARGETS;

/// Identities around the terms of the long form of a row
const AROUND: usize = 61;

struct Row {
    operator: String,
    ty: String,
    terms: Vec<String>,
    result: String,
}

/// Rows of the table of values, by type
fn rows() -> Vec<(String, Vec<Row>)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operators.md");
    let text = std::fs::read_to_string(path).expect("the page is there");
    let (_, text) = text.split_once("## Values").expect("it has a table of values");
    let mut all: Vec<(String, Vec<Row>)> = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [operator, ty, terms, result] = cells[..] else { panic!("a row has four cells: {line}") };
        let row = Row {
            operator: operator.trim_matches('`').into(),
            ty: ty.into(),
            terms: terms.split(", ").map(String::from).collect(),
            result: result.into(),
        };
        match all.iter_mut().find(|(own, _)| own == ty) {
            Some((_, rows)) => rows.push(row),
            None => all.push((ty.into(), vec![row])),
        }
    }
    assert!(all.iter().map(|(_, rows)| rows.len()).sum::<usize>() > 50);
    assert!(all.iter().all(|(_, rows)| rows.len() < 60), "a bit for each row");
    all
}

/// The identity of an operator, as a term
fn identity(row: &Row) -> String {
    let (float, width) = (row.ty.starts_with('f'), row.ty[1..].parse::<u32>().expect("a width"));
    let least = -(1i128 << (width - 1));
    match (row.operator.as_str(), float) {
        ("add", true) => "-0.0".into(),
        ("mul", true) => "1.0".into(),
        ("min" | "argmin", true) => "inf".into(),
        ("max" | "argmax", true) => "-inf".into(),
        ("minnum" | "maxnum", true) => "nan".into(),
        ("mul", false) => "1".into(),
        ("min", false) => (-(least + 1)).to_string(),
        ("max", false) => least.to_string(),
        ("and" | "minui", false) => if width == 1 { "1" } else { "-1" }.into(),
        _ => "0".into(),
    }
}

/// The terms among identities; places are those of the terms, which an argmax does not see otherwise
fn long(row: &Row) -> Vec<String> {
    let mut all = vec![identity(row); AROUND];
    for (n, term) in row.terms.iter().enumerate() {
        all.insert(5 + n * 20, term.clone());
    }
    all
}

/// The bytes of a number
fn bytes(term: &str, ty: &str) -> Vec<u8> {
    let float = || term.parse::<f64>().unwrap_or_else(|_| panic!("`{term}` is no number"));
    let whole = || term.parse::<i128>().unwrap_or_else(|_| panic!("`{term}` is no number"));
    match ty {
        "f32" => term.parse::<f32>().map(|value| value.to_le_bytes().to_vec()).expect("a number"),
        "f64" => float().to_le_bytes().to_vec(),
        "i64" => (whole() as i64).to_le_bytes().to_vec(),
        "i32" => (whole() as i32).to_le_bytes().to_vec(),
        _ => vec![whole() as u8],
    }
}

/// A file with numbers of a type
pub fn file(name: &str, ty: &str, terms: &[String]) -> PathBuf {
    let descr = match ty {
        "i1" => "|b1".to_string(),
        "i8" => "|i1".into(),
        _ => format!("<{}{}", &ty[..1], ty[1..].parse::<u32>().expect("a width") / 8),
    };
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({},), }}", terms.len());
    let _ = writeln!(header, "{:1$}", "", (64 - (10 + header.len() + 1) % 64) % 64);
    let mut all = b"\x93NUMPY\x01\x00".to_vec();
    all.extend((header.len() as u16).to_le_bytes());
    all.extend(header.as_bytes());
    all.extend(terms.iter().flat_map(|term| bytes(term, ty)));
    let path = place(&format!("{name}.npy"));
    std::fs::write(&path, all).expect("the folder for temporary files of tests can be written");
    path
}

/// Operators that are functions
const FUNCTIONS: &str = "func.func private @minnum_TY(%a: TY, %b: TY) -> TY attributes {sched.operator = {associative, commutative, exact, identity = [NAN : TY]}} {
  %c = arith.minnumf %a, %b : TY
  return %c : TY
}
func.func private @maxnum_TY(%a: TY, %b: TY) -> TY attributes {sched.operator = {associative, commutative, exact, identity = [NAN : TY]}} {
  %c = arith.maxnumf %a, %b : TY
  return %c : TY
}
";

/// The better of two elements with their places: a NaN first, then the greater (or less), then the one in front
fn arg(name: &str, better: &str, worst: &str) -> String {
    format!(
        "func.func private @{name}(%a: f32, %i: i32, %b: f32, %j: i32) -> (f32, i32) attributes {{sched.operator = {{associative, commutative, exact, identity = [{worst} : f32, 2147483647 : i32]}}}} {{
  %more = arith.cmpf {better}, %a, %b : f32
  %nan = arith.cmpf uno, %a, %a : f32
  %takes = arith.ori %more, %nan : i1
  %less = arith.cmpf {better}, %b, %a : f32
  %nans = arith.cmpf uno, %b, %b : f32
  %other = arith.ori %less, %nans : i1
  %both = arith.xori %takes, %other : i1
  %front = arith.cmpi slt, %i, %j : i32
  %first = arith.select %both, %takes, %front : i1
  %v = arith.select %first, %a, %b : f32
  %p = arith.select %first, %i, %j : i32
  return %v, %p : f32, i32
}}
"
    )
}

/// One reduction: its name, and where the terms begin
fn reduction(n: usize, row: &Row, from: usize, count: usize) -> String {
    let (ty, all) = (&row.ty, "tensor<SIZExTY>".replace("TY", &row.ty));
    let operator = match row.operator.as_str() {
        name @ ("minnum" | "maxnum") => format!("@{name}_{ty}"),
        name @ ("argmin" | "argmax") => {
            return format!(
                "  %v{n}, %r{n} = mdh.compute (j in {count} pw @{name}) ins(%a = %A[j + {from}]) outs([], []) {{
    %j = mdh.index 0
    %k = arith.index_cast %j : index to i32
    mdh.yield %a, %k : f32, i32
  }} : ({all}) -> (tensor<f32>, tensor<i32>)\n"
            );
        }
        name => name.into(),
    };
    format!(
        "  %r{n} = mdh.compute (j in {count} pw {operator}) ins(%a = %A[j + {from}]) outs([]) {{
    mdh.yield %a : {ty}
  }} : ({all}) -> tensor<{ty}>\n"
    )
}

/// A bit where a result is not what the table says; NaN is NaN
fn wrong(n: usize, ty: &str) -> String {
    let mut body = String::new();
    let is_float = ty.starts_with('f');
    let word = ty.replace('f', "i");
    if is_float {
        let _ = write!(
            body,
            "    %ra = arith.bitcast %r : {ty} to {word}
    %ea = arith.bitcast %e : {ty} to {word}
    %bits = arith.cmpi ne, %ra, %ea : {word}
    %rn = arith.cmpf uno, %r, %r : {ty}
    %en = arith.cmpf uno, %e, %e : {ty}
    %nans = arith.andi %rn, %en : i1
    %true = arith.constant true
    %numbers = arith.xori %nans, %true : i1
    %wrong = arith.andi %bits, %numbers : i1\n"
        );
    } else {
        let _ = writeln!(body, "    %wrong = arith.cmpi ne, %r, %e : {ty}");
    }
    let _ = write!(
        body,
        "    %w = arith.extui %wrong : i1 to i64
    %n = arith.constant {n} : i64
    %bit = arith.shli %w, %n : i64
    %all = arith.ori %before, %bit : i64
    mdh.yield %all : i64\n"
    );
    body
}

/// The program of a type: terms and results as arguments; and their values
fn program(ty: &str, rows: &[Row], long_form: bool) -> (String, Vec<String>, Vec<String>) {
    let (mut terms, mut results, mut sums) = (Vec::new(), Vec::new(), String::new());
    for (n, row) in rows.iter().enumerate() {
        let is_arg = row.operator.starts_with("arg");
        let own = if long_form { long(row) } else { row.terms.clone() };
        sums += &reduction(n, row, terms.len(), own.len());
        terms.extend(own);
        // The n-th term of the long form is at 5 + 20 n; identities in front tie with an infinity.
        let result = match (is_arg, long_form) {
            (true, true) if row.terms.iter().all(|term| *term == identity(row)) => "0".into(),
            (true, true) => (5 + 20 * row.result.parse::<usize>().expect("a place")).to_string(),
            _ => row.result.clone(),
        };
        results.push(result);
        let own_type = if is_arg { "i32" } else { ty };
        let expected = match is_arg {
            false => format!("ins(%before = %w{n}[d], %r = %r{n}[], %e = %E[d + {n}])"),
            true => format!("ins(%before = %w{n}[d], %r = %r{n}[], %x = %E[d + {n}])"),
        };
        let convert = if is_arg { "    %e = arith.fptosi %x : f32 to i32\n" } else { "" };
        let _ = write!(
            sums,
            "  %w{} = mdh.compute (d in 1) {expected} outs([d]) {{\n{convert}{}  }} : (tensor<1xi64>, tensor<{own_type}>, tensor<{}x{ty}>) -> tensor<1xi64>\n",
            n + 1,
            wrong(n, own_type),
            rows.len()
        );
    }
    let sums = sums.replace("SIZE", &terms.len().to_string());
    let functions = match ty {
        "f32" => {
            FUNCTIONS.replace("TY", "f32").replace("NAN", "0x7FC00000")
                + &arg("argmax", "ogt", "0xFF800000")
                + &arg("argmin", "olt", "0x7F800000")
        }
        "f64" => FUNCTIONS.replace("TY", "f64").replace("NAN", "0x7FF8000000000000"),
        _ => String::new(),
    };
    let text = format!(
        "{functions}func.func @f(%A: tensor<{}x{ty}>, %E: tensor<{}x{ty}>, %w0: tensor<1xi64>) -> tensor<1xi64> {{\n{sums}  return %w{} : tensor<1xi64>\n}}\n",
        terms.len(),
        rows.len(),
        rows.len()
    );
    (text, terms, results)
}

/// Check all rows of all types on a back end
fn check(on: &str, long_form: bool) {
    for (ty, rows) in rows() {
        let name = format!("operators-{on}-{ty}-{long_form}");
        let (text, terms, results) = program(&ty, &rows, long_form);
        let (a, e) = (file(&format!("{name}-a"), &ty, &terms), file(&format!("{name}-e"), &ty, &results));
        let out = place(&format!("{name}-out.npy"));
        let args = [
            format!("--in=A={}", a.display()),
            format!("--in=E={}", e.display()),
            "--in=w0=fill:0".into(),
            format!("--on={on}"),
            format!("--out=0={}", out.display()),
        ];
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        stdout(&run(&name, &text, &args));
        let found = std::fs::read(&out).expect("it has written its result");
        let last: [u8; 8] = found[found.len() - 8..].try_into().expect("eight bytes");
        let wrong = u64::from_le_bytes(last);
        let wrong: Vec<String> = rows
            .iter()
            .enumerate()
            .filter(|(n, _)| wrong >> n & 1 == 1)
            .map(|(_, row)| {
                format!("`{}` of {}: {:?} is not {}", row.operator, row.ty, row.terms, row.result)
            })
            .collect();
        for path in [a, e, out] {
            let _ = std::fs::remove_file(path);
        }
        assert!(wrong.is_empty(), "{name}: {wrong:#?}");
    }
}

fn check_on(on: &str) {
    let target = terrace_targets::find(on).expect("it is in the list");
    if let Some(component) = target.missing() {
        return println!("skipped: operators on {on} (needs {component})");
    }
    for long_form in [false, true] {
        check(on, long_form);
    }
}

#[test]
fn the_interpreter_gives_the_values() {
    check_on(TARGETS[0].name());
}

#[test]
fn the_host_gives_the_values() {
    check_on("host");
}

#[test]
fn openmp_gives_the_values() {
    check_on("openmp");
}

#[test]
fn opencl_gives_the_values() {
    check_on("opencl");
}

/// A table with a wrong value is found: the test can fail
#[test]
fn a_wrong_value_is_found() {
    let row = Row {
        operator: "min".into(),
        ty: "f32".into(),
        terms: vec!["0.0".into(), "-0.0".into()],
        result: "0.0".into(),
    };
    let (text, terms, results) = program("f32", &[row], false);
    let (a, e) = (file("operators-wrong-a", "f32", &terms), file("operators-wrong-e", "f32", &results));
    let (a_arg, e_arg) = (format!("--in=A={}", a.display()), format!("--in=E={}", e.display()));
    let out = place("operators-wrong.npy");
    let out_arg = format!("--out=0={}", out.display());
    stdout(&run("operators-wrong", &text, &[&a_arg, &e_arg, "--in=w0=fill:0", &out_arg]));
    assert_eq!(
        std::fs::read(&out).expect("it has written its result").last_chunk::<8>(),
        Some(&1u64.to_le_bytes())
    );
    for path in [a, e, out] {
        let _ = std::fs::remove_file(path);
    }
}

/// CUDA C and PTX of the same programs compile
#[test]
fn nvidias_compilers_take_them() {
    let (nvrtc, ptxas) = (installed("nvrtc_dir"), installed("ptxas"));
    if nvrtc.is_none() || ptxas.is_none() || terrace_native_client::client::find().is_err() {
        return println!("skipped: operators in CUDA C and PTX (needs llvm, nvidia)");
    }
    for (ty, rows) in rows() {
        let (text, ..) = program(&ty, &rows, true);
        for form in ["cuda", "ptx"] {
            let args =
                [format!("--pipeline=to-{form}"), format!("--emit={form}"), "--target-cpu=sm_80".into()];
            let done = run_on(Tool::OPT, &args, "operators", &text).expect("the arguments are right");
            assert!(!done.failed, "{ty}: {}", done.messages);
            let code = String::from_utf8(done.out.unwrap_or_default()).expect("it is text");
            match (form, &nvrtc, &ptxas) {
                ("cuda", Some(folder), _) => {
                    let flags = terrace_lowering_c::Flavor::Cuda.compile_flags();
                    nvrtc_compile(&code, "compute_80", flags, Some(folder))
                        .unwrap_or_else(|error| panic!("{ty}: {error}"));
                }
                (_, _, Some(ptxas)) => {
                    ptxas_check(ptxas, &code, "sm_80").unwrap_or_else(|error| panic!("{ty}: {error}"));
                }
                _ => {}
            }
        }
    }
}
