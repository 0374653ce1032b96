//! The corpus of reductions that graph compilers find in networks: right in the interpreter at small sizes, right at full size on this
//! processor.

use crate::common;
use crate::corpus::{self, Entry};

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Output};

use terrace_devices::Device;
use terrace_runtime_buffers::{Buffer, ElemType};

/// Bytes of the largest argument that is written to a file here; `cargo xtask bench reductions` compares all
const LARGEST: u64 = 4 << 20;

/// Elements of an argument go through these numbers: their sums are exact in f32, whatever the order
const PERIOD: u64 = 31;

fn all() -> Vec<Entry> {
    corpus::all().expect("the table is well formed")
}

/// A small extent with the same powers of two up to four, ones as ones
fn small(extent: u64) -> u64 {
    match extent {
        1..=5 => extent,
        _ if extent.is_multiple_of(16) => 4,
        _ if extent.is_multiple_of(4) => 12,
        _ if extent.is_multiple_of(2) => 6,
        _ if extent.is_multiple_of(3) => 3,
        _ => 7,
    }
}

fn tool(entry: &Entry, name: &str, args: &[String]) -> Output {
    let file = common::place(&format!("{name}.tensor"));
    std::fs::write(&file, entry.text()).expect("the folder for temporary files of tests can be written");
    let out = Command::new(env!("CARGO_BIN_EXE_terrace-run")).arg(&file).args(args).output();
    let _ = std::fs::remove_file(file);
    out.expect("cargo built the tool")
}

#[test]
fn at_small_sizes_all_agree_with_the_interpreter() {
    let here = common::backends::here("reductions");
    let list = if here.contains("host") { "interp,host" } else { "interp" };
    let shrunk = |entry: Entry| Entry { shape: entry.shape.iter().copied().map(small).collect(), ..entry };
    let entries: BTreeSet<Entry> = all().into_iter().map(shrunk).collect();
    assert!(entries.len() > 80, "{}", entries.len());
    for entry in entries {
        let args = [format!("--compare={list}"), "--in=X=random:1".to_owned()];
        let shown = common::stdout(&tool(&entry, "small", &args));
        for name in list.split(',').skip(1) {
            assert!(shown.contains(&format!("{name} and interp: ")), "{entry}:\n{shown}");
        }
    }
}

/// Arguments that no cache holds, on devices whose caches are as small as these are: rows one after the other, results by non-temporal stores
#[test]
fn far_arguments_agree_with_the_interpreter() {
    if !common::backends::here("reductions").contains("host") {
        return;
    }
    let entries = [
        ("sum", "f32", "37x5x3x64@2"),
        ("sum", "f32", "37x5x3x259@1,2"),
        ("sum", "f32", "613x61@0"),
        ("max", "f16", "571x1x60@2"),
        ("max", "f32", "13x29x255@0,1"),
        ("sum", "f32", "571x47@1"),
        ("sum", "f32", "7x31x11x48@0,2"),
        ("sum", "f32", "31x13x83@0,2"),
    ];
    for (name, units) in [("x86-64-v4", 1), ("x86-64-v4", 3), ("x86-64-v4", 4), ("x86-64-v3", 2)] {
        let mut device = Device { units, ..Device::find(name).expect("built in") };
        for (memory, bytes) in device.memories.iter_mut().zip([4096, 8192, 16_384]) {
            (memory.bytes, memory.opt_in, memory.ways) = (bytes, bytes, 2);
        }
        let file = common::place(&format!("far-{name}-{units}.toml"));
        std::fs::write(&file, device.text("small caches")).expect("temporary files can be written");
        let choose = format!("func.func(mdh-operators,mdh-inline,mdh-schedule{{target={}}})", file.display());
        for (operator, elem, text) in entries {
            let entry = Entry::read(operator, elem, text).expect("an entry");
            let (tasks, choose) = (format!("--units={units}"), format!("--pipeline={choose}"));
            let args = ["--compare=interp,host", "--in=X=random:1", "--threads=3", &tasks, &choose];
            let shown = common::stdout(&tool(&entry, "far", &args.map(str::to_owned)));
            assert!(shown.contains("host and interp: "), "{entry} on {units} units of {name}:\n{shown}");
        }
        let _ = std::fs::remove_file(file);
    }
}

/// What masked lanes have loaded may be zero: integers are not divided by it
#[test]
fn masked_lanes_do_not_divide_by_zero() {
    if !common::backends::here("reductions").contains("host") {
        return;
    }
    for (elem, op) in [("i32", "remsi"), ("i32", "divui"), ("i8", "divsi"), ("i64", "floordivsi")] {
        let text = format!(
            "func.func @f(%A: tensor<211x31x{elem}>, %B: tensor<31x{elem}>) -> tensor<211x{elem}> {{
  %y = mdh.compute (i in 211, j in 31 pw max) ins(%a = %A[i, j], %b = %B[j]) outs([i]) {{
    %one = arith.constant 1 : {elem}
    %less = arith.subi %b, %one : {elem}
    %p = arith.{op} %a, %b : {elem}
    %q = arith.{op} %p, %less : {elem}
    mdh.yield %q : {elem}
  }} : (tensor<211x31x{elem}>, tensor<31x{elem}>) -> tensor<211x{elem}>
  return %y : tensor<211x{elem}>
}}
"
        );
        for units in ["--units=1", "--units=3"] {
            let args = ["--compare=interp,host", "--in=A=iota", "--in=B=fill:3", units];
            let shown = common::stdout(&common::run(&format!("masked-{elem}-{op}"), &text, &args));
            assert!(shown.contains("host and interp: "), "{elem} {op} {units}: {shown}");
        }
    }
}

/// The n-th element of an argument
fn element(n: u64) -> i64 {
    (n * 7 % PERIOD) as i64 - (PERIOD / 2) as i64
}

fn array(elem: ElemType, shape: &[u64], numbers: impl Iterator<Item = i64>) -> Buffer {
    let mut all = Buffer::zeros(elem, shape).expect("it fits");
    let mut known: BTreeMap<i64, Vec<u8>> = BTreeMap::new();
    let mut of = |n: i64| {
        let fresh = || Buffer::filled(elem, &[1], &n.to_string()).expect("a small number").bytes().to_vec();
        known.entry(n).or_insert_with(fresh).clone()
    };
    let width = all.bytes().len() / all.len().max(1);
    for (slot, n) in all.bytes_mut().chunks_exact_mut(width).zip(numbers) {
        slot.copy_from_slice(&of(n));
    }
    all
}

/// What the reduction gives, element by element
fn reduced(entry: &Entry) -> Vec<i64> {
    let max = entry.operator == "max";
    let kept = entry.kept();
    let mut result = vec![if max { i64::MIN } else { 0 }; kept.iter().product::<u64>() as usize];
    // The place in the result that a step along each axis moves by.
    let mut steps = vec![0; entry.shape.len()];
    let mut step = 1;
    for axis in (0..entry.shape.len()).rev().filter(|axis| !entry.axes.contains(axis)) {
        steps[axis] = step;
        step *= entry.shape[axis] as usize;
    }
    let mut at = vec![0; entry.shape.len()];
    let mut place = 0;
    for n in 0..entry.elements() {
        let value = element(n);
        let slot = &mut result[place];
        *slot = if max { value.max(*slot) } else { *slot + value };
        for axis in (0..at.len()).rev() {
            at[axis] += 1;
            place += steps[axis];
            if at[axis] < entry.shape[axis] {
                break;
            }
            place -= steps[axis] * at[axis] as usize;
            at[axis] = 0;
        }
    }
    result
}

fn right_at_full_size(part: usize, of: usize) {
    if !common::backends::here("reductions").contains("host") {
        return;
    }
    let fits = |entry: &Entry| 4 * entry.elements() <= LARGEST;
    let entries: Vec<Entry> = all().into_iter().filter(fits).collect();
    assert!(entries.len() > 220, "{}", entries.len());
    for entry in entries.iter().skip(part).step_by(of) {
        let elem = if entry.elem == "f16" { ElemType::F16 } else { ElemType::F32 };
        let (given, got) = (common::place(&format!("{part}.x.npy")), common::place(&format!("{part}.y.npy")));
        let argument = array(elem, &entry.shape, (0..entry.elements()).map(element));
        argument.write_npy(&given).expect("the folder for temporary files of tests can be written");
        let args = [
            "--on=host".to_owned(),
            "--threads=2".to_owned(),
            format!("--in=X={}", given.display()),
            format!("--out=y={}", got.display()),
        ];
        common::stdout(&tool(entry, &format!("full{part}"), &args));
        let wanted = array(elem, &entry.kept(), reduced(entry).into_iter());
        let found = Buffer::read_npy(&got).expect("the tool wrote it");
        assert_eq!(found.shape(), wanted.shape(), "{entry}");
        assert!(found.bytes() == wanted.bytes(), "{entry}: another value");
        for file in [given, got] {
            let _ = std::fs::remove_file(file);
        }
    }
}

#[test]
fn at_full_size_the_first_half_is_right() {
    right_at_full_size(0, 2);
}

#[test]
fn at_full_size_the_second_half_is_right() {
    right_at_full_size(1, 2);
}
