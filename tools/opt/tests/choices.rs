//! How much a choice of schedules takes: candidates that are compared, which are counted. A time would differ from machine to machine.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Candidates that are compared for a program
fn compared(file: &Path, args: &[&str]) -> u64 {
    let out = Command::new(env!("CARGO_BIN_EXE_terrace-opt")).arg(file).args(args).arg("--stats").output();
    let out = out.expect("cargo built the tool");
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    let count = said.lines().find_map(|line| {
        let (count, name) = line.trim().split_once(' ')?;
        name.trim().ends_with("mdh-schedule: candidates compared").then(|| count.parse().ok())?
    });
    count.unwrap_or_else(|| panic!("{}: {said}", file.display()))
}

const SCHEDULE: &str = "--pipeline=func.func(mdh-schedule{target=x86-64-v4 units=1})";

/// A function of so many products that have nothing to do with each other
fn products(count: usize) -> String {
    let types = "tensor<61x67xf32>, tensor<67x71xf32>";
    let args: Vec<String> =
        (0..count).map(|n| format!("%A{n}: tensor<61x67xf32>, %B{n}: tensor<67x71xf32>")).collect();
    let product = |n: usize| {
        format!(
            "%c{n} = mdh.compute (i in 61, j in 71, k in 67 pw add) ins(%a = %A{n}[i, k], %b = %B{n}[k, j]) outs([i, j]) {{
               %p = arith.mulf %a, %b : f32
               mdh.yield %p : f32
             }} : ({types}) -> tensor<61x71xf32>\n"
        )
    };
    let results: Vec<String> = (0..count).map(|n| format!("%c{n}")).collect();
    let of = vec!["tensor<61x71xf32>"; count].join(", ");
    let body: String = (0..count).map(product).collect();
    let (args, results) = (args.join(", "), results.join(", "));
    format!("func.func @f({args}) -> ({of}) {{\n{body}return {results} : {of}\n}}")
}

#[test]
fn what_is_alike_is_judged_once() {
    let count = |products_of: usize| {
        let file = format!("{}.choices.{products_of}.mlir", std::process::id());
        let file: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
        std::fs::write(&file, products(products_of)).expect("the folder of tests can be written");
        let count = compared(&file, &[SCHEDULE]);
        let _ = std::fs::remove_file(file);
        count
    };
    let one = count(1);
    // What is asked of them together is asked once more.
    assert!(one > 0);
    assert!((one..2 * one).contains(&count(3)));
}

/// The program whose choice took longest: a form that takes the place of the one as written is judged once. 366 candidates were compared before
#[test]
fn a_contraction_of_six_dimensions() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../benches/shapes/contractions/of_six_dimensions.tensor");
    let count = compared(&file, &[SCHEDULE]);
    assert!((1..=310).contains(&count), "{count}");
}
