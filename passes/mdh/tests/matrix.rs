//! Products on matrix units: chosen for a device that has them, and right at sizes that are no multiples of a tile.

use crate::common;

use common::*;
use terrace_devices::{Device, MatrixUnit};
use terrace_dialect_sched::Contract;

/// A file of a processor with these units
fn device(units: &[MatrixUnit]) -> String {
    let words: Vec<&str> = units.iter().map(|unit| unit.word()).collect();
    let file = format!("{}/matrix-{}.toml", env!("CARGO_TARGET_TMPDIR"), words.join("-"));
    let device = Device::find("x86-64-v4").expect("built in");
    let mut device = Device { matrix_units: units.to_vec(), ..device };
    // Products that are small enough to be interpreted are slower without the unit here.
    device.costs.instructions.operations = 0.01;
    let text = device.text("a processor with matrix units");
    std::fs::write(&file, text).expect("a folder for files of tests");
    file
}

/// Sizes along i, j, k
fn product([i, j, k]: [i64; 3], [at_a, at_b]: [&str; 2], [from, to]: [&str; 2]) -> String {
    let shape = |at: &str| {
        let size = |dim: &str| match dim {
            "i" => i,
            "j" => j,
            _ => k,
        };
        at.split(", ").map(|dim| format!("{}x", size(dim))).collect::<String>()
    };
    let (f, cast) = if from == "i8" { ("i", "extsi") } else { ("f", "extf") };
    let (a, c, result) = (shape(at_a), shape(at_b), shape("i, j"));
    format!(
        "func.func @f(%A: tensor<{a}{from}>, %B: tensor<{c}{from}>) -> tensor<{result}{to}> {{
  %c = mdh.compute (i in {i}, j in {j}, k in {k} pw add) ins(%a = %A[{at_a}], %b = %B[{at_b}]) outs([i, j]) {{
    %x = arith.{cast} %a : {from} to {to}
    %y = arith.{cast} %b : {from} to {to}
    %p = arith.mul{f} %x, %y : {to}
    mdh.yield %p : {to}
  }} : (tensor<{a}{from}>, tensor<{c}{from}>) -> tensor<{result}{to}>
  return %c : tensor<{result}{to}>
}}"
    )
}

/// Ops for the unit in what a device's schedule makes of a product; its values are compared
fn contractions(text: &str, device: &str) -> usize {
    let wanted = as_it_is(&parse(text), "f");
    let mut ir = parse(text);
    let first = format!("func.func(mdh-schedule{{target={device}}},mdh-to-sched,sched-contract)");
    lower(&mut ir, &first, text);
    let functions: Vec<_> = ir.walk().filter_map(|op| ir.child(op)).collect();
    let count = |unit: &terrace_ir::Ir| unit.walk().filter(|op| Contract::cast(unit, *op).is_some()).count();
    let found = functions.into_iter().map(count).sum();
    same(&wanted, &lowered(&ir, "f", text, wanted.len()), &format!("sched: {text}"));
    lower(&mut ir, DOWN, text);
    same(&wanted, &lowered(&ir, "f", text, wanted.len()), &format!("lowered: {text}"));
    found
}

const TYPES: [[&str; 2]; 2] = [["i8", "i32"], ["bf16", "f32"]];

#[test]
fn products_are_computed_in_tiles() {
    let device = device(MatrixUnit::ALL);
    let places = [["i, k", "k, j"], ["i, k", "j, k"], ["k, i", "k, j"]];
    for types in TYPES {
        for places in places {
            for sizes in [[37, 53, 67], [19, 33, 131]] {
                let text = product(sizes, places, types);
                assert_eq!(contractions(&text, &device), 1, "{text}");
            }
        }
    }
}

#[test]
fn a_unit_multiplies_its_own_type_only() {
    let device = device(&[MatrixUnit::AmxInt8]);
    let sizes = [37, 53, 67];
    assert_eq!(contractions(&product(sizes, ["i, k", "k, j"], TYPES[0]), &device), 1);
    assert_eq!(contractions(&product(sizes, ["i, k", "k, j"], TYPES[1]), &device), 0);
    assert_eq!(contractions(&product(sizes, ["i, k", "k, j"], TYPES[0]), "x86-64-v4"), 0);
    // Sums in the order of the source stay loops.
    let ordered = product(sizes, ["i, k", "k, j"], TYPES[0]).replace("pw add", "pw add source");
    assert_eq!(contractions(&ordered, &device), 0);
}
