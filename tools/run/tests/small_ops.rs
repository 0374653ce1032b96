//! Each op on numbers at the edges of its type, on every back end, bit for bit.
//!
//! One program has all ops of a type; every pair of numbers is an iteration. Results are compared as bits, except that every
//! NaN counts as the same. Operands for which an op has no defined result are left out by a condition.

use crate::common;

use common::backends::{agree_on, devices, here};
use common::place;
use std::path::PathBuf;

/// An op: what must hold of `%a` and `%b`, the lines that compute `%o`, and the type of that
struct Op {
    guard: &'static str,
    code: String,
    result: String,
}

fn op(guard: &'static str, code: impl Into<String>, result: impl Into<String>) -> Op {
    Op { guard, code: code.into(), result: result.into() }
}

const ALWAYS: &str = "%ok = arith.constant true";
const NOT_ZERO: &str = "%zero = arith.constant 0 : T
  %ok = arith.cmpi ne, %b, %zero : T";
const DIVIDES: &str = "%zero = arith.constant 0 : T
  %ones = arith.constant -1 : T
  %least = arith.constant LEAST : T
  %not_zero = arith.cmpi ne, %b, %zero : T
  %not_ones = arith.cmpi ne, %b, %ones : T
  %not_least = arith.cmpi ne, %a, %least : T
  %fits = arith.ori %not_ones, %not_least : i1
  %ok = arith.andi %not_zero, %fits : i1";
const SHIFTS: &str = "%width = arith.constant WIDTH : T
  %ok = arith.cmpi ult, %b, %width : T";
const IN_I8: &str = "%low = arith.constant -128.0 : T
  %high = arith.constant 127.0 : T
  %above = arith.cmpf oge, %a, %low : T
  %below = arith.cmpf ole, %a, %high : T
  %ok = arith.andi %above, %below : i1";
const IN_U8: &str = "%low = arith.constant 0.0 : T
  %high = arith.constant 255.0 : T
  %above = arith.cmpf oge, %a, %low : T
  %below = arith.cmpf ole, %a, %high : T
  %ok = arith.andi %above, %below : i1";

const PREDICATES: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
const FLOAT_PREDICATES: [&str; 16] = [
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une",
    "uno", "true",
];

fn integer_ops(width: u32) -> Vec<Op> {
    let mut all = Vec::new();
    let t = format!("i{width}");
    for name in ["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"] {
        all.push(op(ALWAYS, format!("%o = arith.{name} %a, %b : T"), &t));
    }
    for name in ["divsi", "remsi", "floordivsi", "ceildivsi"] {
        all.push(op(DIVIDES, format!("%o = arith.{name} %a, %b : T"), &t));
    }
    for name in ["divui", "remui", "ceildivui"] {
        all.push(op(NOT_ZERO, format!("%o = arith.{name} %a, %b : T"), &t));
    }
    for name in ["shli", "shrsi", "shrui"] {
        all.push(op(SHIFTS, format!("%o = arith.{name} %a, %b : T"), &t));
    }
    for predicate in PREDICATES {
        all.push(op(ALWAYS, format!("%o = arith.cmpi {predicate}, %a, %b : T"), "i1"));
    }
    for name in ["mulsi_extended", "mului_extended"] {
        all.push(op(ALWAYS, format!("%o, %high = arith.{name} %a, %b : T"), &t));
        all.push(op(ALWAYS, format!("%low, %o = arith.{name} %a, %b : T"), &t));
    }
    all.push(op(ALWAYS, "%o, %carry = arith.addui_extended %a, %b : T, i1", &t));
    all.push(op(ALWAYS, "%sum, %o = arith.addui_extended %a, %b : T, i1", "i1"));
    for name in ["absi", "ctlz", "cttz", "ctpop"] {
        all.push(op(ALWAYS, format!("%o = math.{name} %a : T"), &t));
    }
    for to in [1, 8, 16, 32, 64] {
        if to < width {
            all.push(op(ALWAYS, format!("%o = arith.trunci %a : T to i{to}"), format!("i{to}")));
        }
        if to > width {
            for name in ["extsi", "extui"] {
                all.push(op(ALWAYS, format!("%o = arith.{name} %a : T to i{to}"), format!("i{to}")));
            }
        }
    }
    for name in ["index_cast", "index_castui"] {
        all.push(op(ALWAYS, format!("%o = arith.{name} %a : T to index"), "index"));
    }
    for to in ["f32", "f64"] {
        for name in ["sitofp", "uitofp"] {
            all.push(op(ALWAYS, format!("%o = arith.{name} %a : T to {to}"), to));
        }
    }
    all.push(op(
        ALWAYS,
        "%less = arith.cmpi slt, %a, %b : T
  %o = arith.select %less, %b, %a : T",
        &t,
    ));
    all
}

fn float_ops(t: &str) -> Vec<Op> {
    let mut all = Vec::new();
    for name in ["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "remf"] {
        all.push(op(ALWAYS, format!("%o = arith.{name} %a, %b : T"), t));
    }
    // Upstream leaves open which zero these give of two.
    for name in ["maxnumf", "minnumf"] {
        let code = "%m = arith.NAME %a, %b : T
  %plus_zero = arith.constant 0.0 : T
  %o = arith.addf %m, %plus_zero : T";
        all.push(op(ALWAYS, code.replace("NAME", name), t));
    }
    for predicate in FLOAT_PREDICATES {
        all.push(op(ALWAYS, format!("%o = arith.cmpf {predicate}, %a, %b : T"), "i1"));
    }
    all.push(op(ALWAYS, "%o = arith.negf %a : T", t));
    all.push(op(ALWAYS, "%o = math.copysign %a, %b : T", t));
    for name in ["absf", "floor", "ceil", "round", "roundeven", "trunc", "sqrt"] {
        all.push(op(ALWAYS, format!("%o = math.{name} %a : T"), t));
    }
    for name in ["isnan", "isinf", "isfinite", "isnormal"] {
        all.push(op(ALWAYS, format!("%o = math.{name} %a : T"), "i1"));
    }
    all.push(op(IN_I8, "%o = arith.fptosi %a : T to i8", "i8"));
    all.push(op(IN_U8, "%o = arith.fptoui %a : T to i8", "i8"));
    all.push(op(IN_I8, "%o = arith.fptosi %a : T to i64", "i64"));
    all.push(op(
        ALWAYS,
        "%less = arith.cmpf olt, %a, %b : T
  %o = arith.select %less, %b, %a : T",
        t,
    ));
    match t {
        "f32" => {
            all.push(op(ALWAYS, "%o = arith.extf %a : T to f64", "f64"));
            all.push(op(ALWAYS, "%o = math.fma %a, %b, %a : T", t));
        }
        "f64" => {
            all.push(op(ALWAYS, "%o = arith.truncf %a : T to f32", "f32"));
            all.push(op(ALWAYS, "%o = math.fma %a, %b, %a : T", t));
        }
        _ => {
            if t == "bf16" {
                all.push(op(ALWAYS, "%o = math.fma %a, %b, %a : T", t));
            }
            all.push(op(ALWAYS, "%o = arith.extf %a : T to f32", "f32"));
            all.push(op(ALWAYS, "%o = arith.extf %a : T to f64", "f64"));
        }
    }
    all
}

/// Lines that make `%w : i64` of `%o`
fn widened(result: &str) -> String {
    match result {
        "i64" => "%w = arith.addi %o, %none : i64".into(),
        "index" => "%w = arith.index_cast %o : index to i64".into(),
        float if float.contains('f') => {
            let bits = float.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let wide = match bits {
                "64" => "%w = arith.addi %plain, %none : i64".into(),
                _ => format!("%w = arith.extui %plain : i{bits} to i64"),
            };
            format!(
                "%bits = arith.bitcast %o : {float} to i{bits}
  %is_nan = arith.cmpf uno, %o, %o : {float}
  %any_nan = arith.constant 1 : i{bits}
  %plain = arith.select %is_nan, %any_nan, %bits : i{bits}
  {wide}"
            )
        }
        int => format!("%w = arith.extui %o : {int} to i64"),
    }
}

/// The same op on vectors whose lanes are all `%a` and `%b`; `%o` is the last lane
fn on_vectors(op: &Op, t: &str, lanes: u32) -> Op {
    let vector = |ty: &str| format!("vector<{lanes}x{ty}>");
    let result = &op.result;
    let mut lines = String::new();
    for line in op.code.lines() {
        // Types stand at the end: of operands, and of results or a carry where these differ.
        let (code, types) = line.split_once(" : ").unwrap_or((line, ""));
        let types: Vec<String> = types
            .split(" to ")
            .map(|part| part.split(", ").map(|ty| vector(ty.trim())).collect::<Vec<_>>().join(", "))
            .collect();
        let code = match code.split_once("arith.constant ") {
            Some((name, number)) => format!("{name}arith.constant dense<{number}>"),
            None => code.replace("%a", "%va").replace("%b", "%vb").replace("%o", "%vo"),
        };
        // A choice between vectors names its condition's type too.
        let chosen = if code.contains("arith.select") { vector("i1") + ", " } else { String::new() };
        lines += &format!("{code} : {chosen}{}\n  ", types.join(" to "));
    }
    let code = format!(
        "%va = vector.broadcast %a : T to {va}
  %vb = vector.broadcast %b : T to {va}
  {lines}%o = vector.extract %vo[{last}] : {result} from {vo}",
        va = vector("T"),
        vo = vector(result),
        last = lanes - 1
    );
    Op { guard: op.guard, code: code.replace("xT>", &format!("x{t}>")), result: result.clone() }
}

/// The body for one pair of numbers, `%i` and `%j`; numbers are kept as bits
fn body(t: &str, width: u32, numbers: usize, ops: &[Op]) -> String {
    let least = i64::MIN >> (64 - width);
    let read = |name: &str, at: &str| match t.starts_with('i') {
        true => format!("%{name} = memref.load %v[{at}] : memref<{numbers}xi{width}>\n"),
        false => format!(
            "%{name}_bits = memref.load %v[{at}] : memref<{numbers}xi{width}>
  %{name} = arith.bitcast %{name}_bits : i{width} to {t}\n"
        ),
    };
    let mut text = read("a", "%i") + &read("b", "%j") + "%none = arith.constant 0 : i64\n";
    for (n, op) in ops.iter().enumerate() {
        // Names that several guards have have a region of their own.
        let lines = format!(
            "scf.execute_region {{
  {}
  scf.if %ok {{
  {}
  {}
  %at = arith.constant {n} : index
  memref.store %w, %r[%at, %i, %j] : memref<{}x{numbers}x{numbers}xi64>
  }}
  scf.yield
}}\n",
            op.guard,
            op.code,
            widened(&op.result),
            ops.len()
        );
        let lines = lines.replace(": T", &format!(": {t}")).replace("LEAST", &least.to_string());
        text += &lines.replace("WIDTH", &width.to_string());
    }
    text
}

/// Bits in a file that the tool reads
fn file(name: &str, width: u32, numbers: &[u64]) -> PathBuf {
    let bytes = width as usize / 8;
    let mut header =
        format!("{{'descr': '<i{bytes}', 'fortran_order': False, 'shape': ({},), }}", numbers.len());
    while !(header.len() + 11).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut content = b"\x93NUMPY\x01\x00".to_vec();
    content.extend((header.len() as u16).to_le_bytes());
    content.extend(header.as_bytes());
    content.extend(numbers.iter().flat_map(|bits| bits.to_le_bytes()[..bytes].to_vec()));
    let file = place(&format!("{name}.npy"));
    std::fs::write(&file, content).expect("the folder for temporary files of tests can be written");
    file
}

/// A program of all ops on all pairs
struct Program {
    name: String,
    /// The function up to the loops, and the body of these
    head: String,
    body: String,
    file: PathBuf,
}

impl Program {
    fn new(name: &str, t: &str, width: u32, numbers: &[u64], ops: &[Op]) -> Program {
        let (n, count) = (numbers.len(), ops.len());
        let name = format!("small-{name}");
        let head = format!(
            "func.func @f(%v: memref<{n}xi{width}>, %r: memref<{count}x{n}x{n}xi64>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {n} : index"
        );
        Program { file: file(&name, width, numbers), body: body(t, width, n, ops), name, head }
    }

    fn agree(&self, list: &str, what: &str, around: (&str, &str)) {
        let text = format!("{}\n{} {} {}", self.head, around.0, self.body, around.1);
        let input = format!("--in=v={}", self.file.display());
        let args = [input.as_str(), "--in=r=fill:0", "--tolerance=exact"];
        agree_on(list, &format!("{}{what}", self.name), &text, &args, "r");
    }

    /// In loops, on the back ends of the processor
    fn in_loops(&self) {
        let loops = "scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %n step %c1 {";
        let list = here(&self.name);
        // Upstream's passes lower neither of these ops.
        let list = match self.body.contains("math.isinf") || self.body.contains("math.isnormal") {
            true => list.replace(",mlir", ""),
            false => list,
        };
        self.agree(&list, "-loops", (loops, "} } return }"));
    }

    /// In a kernel
    fn in_kernels(&self) {
        if !devices(&self.name).split(',').any(|name| name == "opencl") {
            return;
        }
        let launch = "gpu.launch blocks(%i, %p, %q) in (%gx = %n, %gy = %c1, %gz = %c1)
      threads(%j, %y, %z) in (%bx = %n, %by = %c1, %bz = %c1) {";
        self.agree("interp,opencl", "-kernel", (launch, "gpu.terminator } return }"));
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

/// All ops on all pairs, on numbers and on vectors of lengths that no register has
fn alone_and_in_vectors(t: &str, width: u32, numbers: &[u64], ops: &[Op]) {
    let mut programs = vec![Program::new(t, t, width, numbers, ops)];
    for lanes in [3, 5] {
        let vectors: Vec<Op> = ops.iter().map(|op| on_vectors(op, t, lanes)).collect();
        programs.push(Program::new(&format!("{lanes}x{t}"), t, width, numbers, &vectors));
    }
    for program in programs {
        program.in_loops();
        program.in_kernels();
    }
}

fn integers(width: u32) {
    let least = 1u64 << (width - 1);
    let w = u64::from(width);
    let numbers =
        [0, 1, 2, 3, 7, w - 1, w, least - 1, least, least + 1, u64::MAX - 6, u64::MAX - 1, u64::MAX];
    alone_and_in_vectors(&format!("i{width}"), width, &numbers, &integer_ops(width));
}

#[test]
fn integers_of_8_bits() {
    integers(8);
}

#[test]
fn integers_of_16_bits() {
    integers(16);
}

#[test]
fn integers_of_32_bits() {
    integers(32);
}

#[test]
fn integers_of_64_bits() {
    integers(64);
}

/// Zeros, ones, halves, infinities, a NaN, the least and the greatest of a format, given by the bits of f64
const DOUBLES: [f64; 15] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    3.5,
    100.25,
    -127.75,
    254.5,
    1e-300,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

#[test]
fn doubles() {
    alone_and_in_vectors("f64", 64, &DOUBLES.map(f64::to_bits), &float_ops("f64"));
}

#[test]
fn singles() {
    let mut numbers = DOUBLES.map(|value| u64::from((value as f32).to_bits())).to_vec();
    numbers.extend([1, 0x8000_0001, 0x007f_ffff, 0x7f7f_ffff]);
    alone_and_in_vectors("f32", 32, &numbers, &float_ops("f32"));
}

/// The processor's own conversions to bf16 flush subnormal numbers; the IR's do not
#[test]
fn halves() {
    let f16 = [
        0, 0x8000, 0x3c00, 0xbc00, 0x3800, 0xc100, 0x4300, 0x7bff, 0xfbff, 1, 0x8001, 0x3ff, 0x7c00, 0xfc00,
        0x7e00, 0x3555,
    ];
    Program::new("f16", "f16", 16, &f16, &float_ops("f16")).in_loops();
    let bf16 = [
        0, 0x8000, 0x3f80, 0xbf80, 0x3f00, 0xc020, 0x4060, 0x7f7f, 0xff7f, 1, 0x8001, 0x7f, 0x7f80, 0xff80,
        0x7fc0, 0x3eab,
    ];
    Program::new("bf16", "bf16", 16, &bf16, &float_ops("bf16")).in_loops();
    // A vector of them is two of f32: even lanes and odd ones.
    for lanes in [12, 32] {
        let vectors: Vec<Op> = float_ops("bf16").iter().map(|op| on_vectors(op, "bf16", lanes)).collect();
        Program::new(&format!("{lanes}xbf16"), "bf16", 16, &bf16, &vectors).in_loops();
    }
}
