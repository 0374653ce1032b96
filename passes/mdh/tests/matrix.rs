//! Products on matrix units: chosen for a device that has them, and right at sizes that are no multiples of a tile.

use crate::common;

use common::*;
use terrace_devices::{Device, MatrixUnit};
use terrace_dialect_sched::Contract;

/// A file of a processor with these units
fn device(units: &[MatrixUnit]) -> String {
    let words: Vec<&str> = units.iter().map(|unit| unit.word()).collect();
    let file = format!("{}/matrix-{}.toml", env!("CARGO_TARGET_TMPDIR"), words.join("-"));
    // Units of 256 bits are compared with vectors of 256 bits; several cores would share what is too small for them.
    let base = if units == [MatrixUnit::AvxVnni] { "x86-64-v3" } else { "x86-64-v4" };
    let device = Device::find(base).expect("built in");
    let mut device = Device { matrix_units: units.to_vec(), units: 1, ..device };
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
    let (f, casts) = match from {
        "bf16" => ("f", ["extf"; 2]),
        _ => ("i", ["extsi"; 2]),
    };
    let [cast, other] = casts;
    let (a, c, result) = (shape(at_a), shape(at_b), shape("i, j"));
    format!(
        "func.func @f(%A: tensor<{a}{from}>, %B: tensor<{c}{from}>) -> tensor<{result}{to}> {{
  %c = mdh.compute (i in {i}, j in {j}, k in {k} pw add) ins(%a = %A[{at_a}], %b = %B[{at_b}]) outs([i, j]) {{
    %x = arith.{cast} %a : {from} to {to}
    %y = arith.{other} %b : {from} to {to}
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

/// Factors, sums, and units that add their products
const TYPES: [([&str; 2], &[MatrixUnit]); 3] = [
    (["i8", "i32"], &[MatrixUnit::AmxInt8, MatrixUnit::Avx512Vnni, MatrixUnit::AvxVnni]),
    (["i16", "i32"], &[MatrixUnit::Avx512Vnni, MatrixUnit::AvxVnni]),
    (["bf16", "f32"], &[MatrixUnit::AmxBf16]),
];

const SIZES: [[i64; 3]; 3] = [[31, 29, 67], [29, 31, 131], [31, 30, 70]];

#[test]
fn products_are_computed_in_groups() {
    let places = [["i, k", "k, j"], ["i, k", "j, k"], ["k, i", "k, j"]];
    for (types, units) in TYPES {
        for unit in units {
            let device = device(&[*unit]);
            for (places, sizes) in places.into_iter().zip(SIZES) {
                let text = product(sizes, places, types);
                assert_eq!(contractions(&text, &device), 1, "{unit:?}: {text}");
            }
        }
    }
}

#[test]
fn factors_without_a_sign_are_marked() {
    let device = device(&[MatrixUnit::AvxVnni]);
    let text = product([31, 29, 67], ["i, k", "k, j"], ["i8", "i32"]);
    let unsigned = |from: &str| text.replace(from, &from.replace("extsi", "extui"));
    assert_eq!(contractions(&unsigned("%x = arith.extsi"), &device), 1);
    assert_eq!(contractions(&unsigned("%y = arith.extsi"), &device), 1);
    assert_eq!(contractions(&unsigned("arith.extsi"), &device), 1);
    // Instructions on words have signs.
    let words = product([31, 29, 67], ["i, k", "k, j"], ["i16", "i32"]);
    assert_eq!(contractions(&words, &device), 1);
    assert_eq!(contractions(&words.replace("%y = arith.extsi", "%y = arith.extui"), &device), 0);
}

#[test]
fn a_unit_multiplies_its_own_type_only() {
    let sizes = [31, 29, 67];
    let text = |n: usize| product(sizes, ["i, k", "k, j"], TYPES[n].0);
    for (unit, found) in [(MatrixUnit::AmxInt8, [1, 0, 0]), (MatrixUnit::Avx512Vnni, [1, 1, 0])] {
        let device = device(&[unit]);
        assert_eq!([0, 1, 2].map(|n| contractions(&text(n), &device)), found, "{unit:?}");
    }
    assert_eq!(contractions(&text(0), "x86-64-v4"), 0);
    // Sums in the order of the source stay loops.
    let ordered = text(0).replace("pw add", "pw add source");
    assert_eq!(contractions(&ordered, &device(MatrixUnit::ALL)), 0);
}

/// Dot products of `bf16` flush subnormal numbers: the program has to permit other values
#[test]
fn dot_products_of_bf16_are_for_free_sums() {
    let device = device(&[MatrixUnit::Avx512Bf16]);
    let text = product([31, 29, 67], ["i, k", "k, j"], ["bf16", "f32"]);
    assert_eq!(contractions(&text, &device), 0);
    assert_eq!(contractions(&text.replace("pw add", "pw add free"), &device), 1);
}

/// Dimensions other than those of a product are loops: of a batch around panels, of a window around the op
#[test]
fn batches_and_windows_are_loops_around_products() {
    let body = "{
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    mdh.yield %p : i32
  }";
    let batch = format!(
        "func.func @f(%A: tensor<3x17x66xi8>, %B: tensor<3x66x17xi8>) -> tensor<3x17x17xi32> {{
  %c = mdh.compute (b in 3, i in 17, j in 17, k in 66 pw add) ins(%a = %A[b, i, k], %b = %B[b, k, j]) outs([b, i, j]) {body} : (tensor<3x17x66xi8>, tensor<3x66x17xi8>) -> tensor<3x17x17xi32>
  return %c : tensor<3x17x17xi32>
}}"
    );
    let window = format!(
        "func.func @f(%A: tensor<3x18x66xi8>, %B: tensor<2x2x66x17xi8>) -> tensor<2x17x17xi32> {{
  %c = mdh.compute (h in 2, w in 17, o in 17, r in 2 pw add, s in 2 pw add, c in 66 pw add) ins(%a = %A[h + r, w + s, c], %b = %B[r, s, c, o]) outs([h, w, o]) {body} : (tensor<3x18x66xi8>, tensor<2x2x66x17xi8>) -> tensor<2x17x17xi32>
  return %c : tensor<2x17x17xi32>
}}"
    );
    let tiles = device(&[MatrixUnit::AmxInt8]);
    assert_eq!(contractions(&batch, &tiles), 1);
    assert_eq!(contractions(&window, &tiles), 1);
    // Rows that lie apart are read as they were.
    let strided = window.replace("w + s", "2 * w + s").replace("3x18x66", "3x34x66");
    assert_eq!(contractions(&strided, &tiles), 0);
}
