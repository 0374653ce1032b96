//! Floats of at most 8 bits on every back end, bit for bit: each number, each tie, and its neighbors.

use crate::common;

use common::backends::{agree_on, here, with_devices};
use common::place;
use std::path::PathBuf;
use terrace_ir::FloatKind;

fn small() -> impl Iterator<Item = (FloatKind, &'static str)> {
    FloatKind::ALL.iter().filter(|kind| kind.width() <= 8).map(|kind| (*kind, kind.word()))
}

/// An array of the bits of f32 at which rounding to a format decides, in a file
fn edges(kind: FloatKind, name: &str) -> (PathBuf, usize) {
    let edges: Vec<u32> =
        terrace_dialect_test::edges(kind, FloatKind::F32).into_iter().map(|bits| bits as u32).collect();
    let n = edges.len();
    let mut header = format!("{{'descr': '<i4', 'fortran_order': False, 'shape': ({n},), }}");
    while !(header.len() + 11).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(edges.iter().flat_map(|bits| bits.to_le_bytes()));
    let file = place(&format!("{name}.npy"));
    std::fs::write(&file, bytes).expect("the folder for temporary files of tests can be written");
    (file, n)
}

/// There and back, by way of memory, and with a scale
fn body(name: &str, n: usize) -> String {
    format!(
        "%bits = memref.load %x[%i] : memref<{n}xi32>
         %wide = arith.bitcast %bits : i32 to f32
         %narrow = arith.truncf %wide : f32 to {name}
         %power = arith.truncf %wide : f32 to f8E8M0FNU
         %scaled = arith.scaling_extf %narrow, %power : {name}, f8E8M0FNU to f32
         %back = arith.extf %narrow : {name} to f32
         %down = arith.scaling_truncf %back, %power : f32, f8E8M0FNU to {name}
         %up = arith.extf %down : {name} to f32
         %r0 = arith.bitcast %back : f32 to i32
         %r1 = arith.bitcast %up : f32 to i32
         memref.store %r0, %y[%i] : memref<{n}xi32>
         memref.store %r1, %z[%i] : memref<{n}xi32>
         memref.store %scaled, %w[%i] : memref<{n}xf32>"
    )
}

fn signature(n: usize) -> String {
    format!(
        "func.func @f(%x: memref<{n}xi32>, %y: memref<{n}xi32>, %z: memref<{n}xi32>, %w: memref<{n}xf32>) {{
           %c1 = arith.constant 1 : index
           %n = arith.constant {n} : index"
    )
}

fn everywhere(list: &str, test: &str, program: impl Fn(&str, usize) -> String) {
    for (kind, name) in small() {
        let (file, n) = edges(kind, &format!("{test}-{name}"));
        let input = format!("--in=x={}", file.display());
        let args = [input.as_str(), "--tolerance=exact"];
        for output in ["y", "z", "w"] {
            agree_on(list, &format!("{test}-{name}-{output}"), &program(name, n), &args, output);
        }
        let _ = std::fs::remove_file(file);
    }
}

#[test]
fn loops_of_casts() {
    everywhere(&here("small-floats"), "small-floats", |name, n| {
        format!(
            "{} %c0 = arith.constant 0 : index scf.for %i = %c0 to %n step %c1 {{ {} }} return }}",
            signature(n),
            body(name, n)
        )
    });
}

#[test]
fn kernels_of_casts() {
    let list = with_devices("small-floats");
    if !list.ends_with(",opencl") {
        return;
    }
    everywhere("interp,opencl", "small-kernels", |name, n| {
        format!(
            "{} gpu.launch blocks(%i, %b, %c) in (%gx = %n, %gy = %c1, %gz = %c1)
                  threads(%t, %u, %v) in (%bx = %c1, %by = %c1, %bz = %c1) {{ {} gpu.terminator }} return }}",
            signature(n),
            body(name, n)
        )
    });
}
