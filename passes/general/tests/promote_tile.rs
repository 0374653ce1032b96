//! `promote-buffers` on what loop nests with register tiles look like: an 8×32 tile of vectors of 16.

use std::fmt::Write;
use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_scf as scf;
use terrace_dialect_test::{Refinement, refines};
use terrace_dialect_upstream::ALL;
use terrace_interp::RtValue;
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_passes_general::promote_buffers;
use terrace_text::{ParseOptions, parse};

const ROWS: usize = 8;
const COLUMNS: usize = 32;
const LANES: usize = 16;

/// How the tile is written
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Vectors,
    /// Element by element before the loops
    Elements,
    /// With a mask of the first nine lanes in the loops
    Masked,
}

/// Each element of the tile gets `(row + 1) · b[column]` added in every iteration of two loops, on even ones only;
/// returns the sum of all
fn program(form: Form) -> String {
    let mut out = String::from("func.func @f(%n: index, %b: vector<16xf32>) -> f32 {\n");
    for n in 0..COLUMNS {
        let _ = writeln!(out, "%c{n} = arith.constant {n} : index");
    }
    out += "%zero = arith.constant 0.0 : f32\n%zeros = arith.constant dense<0.0> : vector<16xf32>\n";
    for row in 0..ROWS {
        let _ = writeln!(out, "%a{row} = arith.constant dense<{}.0> : vector<16xf32>", row + 1);
    }
    let _ = writeln!(out, "%tile = memref.alloca() {{alignment = 64 : i64}} : memref<{ROWS}x{COLUMNS}xf32>");
    let tile = format!("memref<{ROWS}x{COLUMNS}xf32>");
    let vectors = || (0..ROWS).flat_map(|row| (0..COLUMNS / LANES).map(move |n| (row, n * LANES)));
    for (row, column) in vectors() {
        if form == Form::Elements {
            for lane in 0..LANES {
                let _ = writeln!(out, "memref.store %zero, %tile[%c{row}, %c{}] : {tile}", column + lane);
            }
        } else {
            let _ = writeln!(out, "vector.store %zeros, %tile[%c{row}, %c{column}] : {tile}, vector<16xf32>");
        }
    }
    out += "scf.for %i = %c0 to %n step %c1 {\nscf.for %k = %c0 to %n step %c1 {\n";
    out += "%odd = arith.remui %k, %c2 : index\n%even = arith.cmpi eq, %odd, %c0 : index\nscf.if %even {\n";
    out += "%mask = vector.create_mask %c9 : vector<16xi1>\n";
    for (at, (row, column)) in vectors().enumerate() {
        if form == Form::Masked {
            let types = format!("{tile}, vector<16xi1>, vector<16xf32>");
            let _ = writeln!(
                out,
                "%l{at} = vector.maskedload %tile[%c{row}, %c{column}], %mask, %b : {types} into vector<16xf32>\n\
                 %f{at} = vector.fma %a{row}, %b, %l{at} : vector<16xf32>\n\
                 vector.maskedstore %tile[%c{row}, %c{column}], %mask, %f{at} : {types}"
            );
            continue;
        }
        let _ = writeln!(
            out,
            "%l{at} = vector.load %tile[%c{row}, %c{column}] : {tile}, vector<16xf32>\n\
             %f{at} = vector.fma %a{row}, %b, %l{at} : vector<16xf32>\n\
             vector.store %f{at}, %tile[%c{row}, %c{column}] : {tile}, vector<16xf32>"
        );
    }
    out += "}\n}\n}\n";
    let mut sum = String::from("%zero");
    for (at, (row, column)) in vectors().enumerate() {
        let _ = writeln!(
            out,
            "%r{at} = vector.load %tile[%c{row}, %c{column}] : {tile}, vector<16xf32>\n\
             %s{at} = vector.reduction <add>, %r{at} : vector<16xf32> into f32\n\
             %t{at} = arith.addf {sum}, %s{at} : f32"
        );
        sum = format!("%t{at}");
    }
    let _ = writeln!(out, "return {sum} : f32\n}}");
    out
}

fn read(cx: &Arc<Context>, text: &str) -> Ir {
    let mut diags = Diags::default();
    let source = cx.sources().add("tile.mlir", text);
    let ir = parse(cx, source, &ParseOptions::default(), &mut diags);
    ir.unwrap_or_else(|| panic!("the program does not parse: {:?}\n{text}", diags.as_slice()))
}

fn in_memory(unit: &Ir) -> usize {
    let touches = |name: &str| {
        name.starts_with("memref.")
            || name.starts_with("vector.") && (name.ends_with("load") || name.ends_with("store"))
    };
    unit.walk().filter(|op| touches(unit.op_name(*op))).count()
}

fn check(form: Form) {
    let cx = Context::new(ALL);
    let before = read(&cx, &program(form));
    let mut after = before.clone_unit();
    for unit in after.children_mut() {
        promote_buffers::run(unit);
        assert_eq!(in_memory(unit), 0, "memory is left");
        // Two loops, each carries one vector for each register and nothing else.
        let loops: Vec<usize> =
            unit.walk().filter_map(|op| scf::For::cast(unit, op)).map(|op| op.inits(unit).len()).collect();
        assert_eq!(loops, [ROWS * COLUMNS / LANES; 2]);
    }
    assert!(!verify(&after, 1).has_errors());
    let lanes: Vec<RtValue> = (0u8..16).map(|n| RtValue::f32(n.into())).collect();
    for n in [0, 1, 3] {
        let args = [RtValue::index(n), RtValue::Vector(lanes.clone().into())];
        assert!(matches!(refines(&before, &after, "f", &args), Refinement::Same));
    }
}

#[test]
fn vectors_of_a_tile_are_carried() {
    check(Form::Vectors);
}

#[test]
fn elements_written_one_by_one_make_a_vector() {
    check(Form::Elements);
}

#[test]
fn masked_accesses_choose_lanes() {
    check(Form::Masked);
}
