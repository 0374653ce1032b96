//! Floats of at most 8 bits on this CPU through LLVM: every pattern, and f32 in steps finer than any of them.

use crate::common;
use crate::programs;

use common::worker;
use programs::{context, transformed};
use std::fmt::Write;
use terrace_ir::FloatKind;
use terrace_ir::show::{round_to_bits, value_of_bits};
use terrace_native_client::{Arg, RunRequest, Worker};
use terrace_text::PrintOptions;

const LOWER: &str = "expand-floats,convert-scf-to-cf";
/// Elements of a vector, and of a step
const STEP: usize = 8;

fn small() -> impl Iterator<Item = (FloatKind, &'static str)> {
    FloatKind::ALL.iter().filter(|kind| kind.width() <= 8).map(|kind| (*kind, kind.word()))
}

/// A function that casts an array, vector by vector, and its last element by itself
fn program(op: &str, from: &str, to: &str, n: usize) -> String {
    let mut text = String::new();
    let _ = write!(
        text,
        "func.func @f(%x: memref<{n}x{from}>, %y: memref<{n}x{to}>) {{
           %c0 = arith.constant 0 : index
           %c8 = arith.constant {STEP} : index
           %n = arith.constant {n} : index
           %last = arith.constant {} : index
           scf.for %i = %c0 to %n step %c8 {{
             %v = vector.load %x[%i] : memref<{n}x{from}>, vector<{STEP}x{from}>
             %w = arith.{op} %v : vector<{STEP}x{from}> to vector<{STEP}x{to}>
             vector.store %w, %y[%i] : memref<{n}x{to}>, vector<{STEP}x{to}>
           }}
           %a = memref.load %x[%last] : memref<{n}x{from}>
           %b = arith.{op} %a : {from} to {to}
           memref.store %b, %y[%last] : memref<{n}x{to}>
           return
         }}",
        n - 1
    );
    text
}

/// The bytes that a cast of an array gives
fn cast(
    worker: &mut Worker,
    op: &str,
    (from, input): (&str, Vec<u8>),
    (to, size): (&str, usize),
    n: usize,
) -> Vec<u8> {
    let mut text = String::new();
    let ir = transformed(&context(), &program(op, from, to, n), LOWER);
    terrace_text::print(&ir, &PrintOptions::default(), &mut text);
    // What is small is bytes for the caller as well.
    let elem = |name: &str| if name.starts_with("f3") { name.to_string() } else { "i8".into() };
    let buffer = |name: &str, bytes| Arg::Buffer { shape: vec![n as u64], elem: elem(name), bytes };
    let args = vec![buffer(from, input), buffer(to, vec![0; n * size])];
    let reply = worker.run(&text, &RunRequest { entry: "f".into(), args, ..RunRequest::default() });
    match reply.expect("it runs").args.pop() {
        Some(Arg::Buffer { bytes, .. }) => bytes,
        _ => panic!("two buffers"),
    }
}

#[test]
fn every_pattern_widens() {
    let mut worker = worker();
    for (kind, name) in small() {
        let patterns: Vec<u8> = terrace_dialect_test::patterns(kind).map(|bits| bits as u8).collect();
        let n = patterns.len();
        let found = cast(&mut worker, "extf", (name, patterns), ("f32", 4), n);
        for (bits, found) in found.chunks(4).enumerate() {
            let found = f32::from_le_bytes(found.try_into().expect("four bytes"));
            let wanted = value_of_bits(bits as u64, kind).expect("known format");
            let same = f64::from(found).to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
            assert!(same, "{name} {bits:#x}: {found} instead of {wanted}");
        }
    }
}

#[test]
fn f32_narrows() {
    let mut worker = worker();
    // Two bits below the mantissa of the longest format, and a third that says that there are more.
    let lows = [0u32, 1, 0xffff];
    let inputs: Vec<u32> = (0..1u32 << 16).flat_map(|top| lows.map(|low| top << 16 | low)).collect();
    let bytes: Vec<u8> = inputs.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    for (kind, name) in small() {
        let found = cast(&mut worker, "truncf", ("f32", bytes.clone()), (name, 1), inputs.len());
        for (bits, found) in inputs.iter().zip(found) {
            let value = f64::from(f32::from_bits(*bits));
            let value = if value.is_nan() { f64::NAN } else { value };
            let wanted = round_to_bits(value, kind).expect("known format");
            assert_eq!(u64::from(found), wanted, "{name}: {value} ({bits:#x})");
        }
    }
}
