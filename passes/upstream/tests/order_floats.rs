//! `scf-order-floats` by value: random merges of vectors, in loops, loops in loops, trees and halves, of floats among which are NaN of both
//! signs, zeros, infinities and subnormal numbers.

use std::fmt::Write;
use terrace_dialect_test::Harness;
use terrace_dialect_test::values::{fill, interpreter, read};
use terrace_interp::RtValue;
use terrace_ir::{FloatKind, Ir};
use terrace_pass::Registry;
use terrace_support::Random;

const HARNESS: Harness = Harness {
    dialects: &[terrace_dialect_upstream::ALL],
    registry: Registry {
        passes: &[terrace_passes_upstream::PASSES, terrace_passes_general::PASSES],
        pipelines: &[],
    },
};

/// Rows of what a function reads
const ROWS: i64 = 24;

struct Writer {
    random: Random,
    text: String,
    ty: &'static str,
    names: usize,
    depth: usize,
}

impl Writer {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "  {text}");
    }

    /// A row at a place that a loop adds to
    fn row(&mut self, at: &str) -> String {
        let (name, index, first) = (self.name(), self.name(), self.random.below(8usize));
        let ty = self.ty;
        self.line(&format!("{index} = arith.addi {at}, %c{first} : index"));
        self.line(&format!("{name} = vector.load %x[{index}, %c0] : memref<{ROWS}x8x{ty}>, vector<8x{ty}>"));
        name
    }

    fn merged(&mut self, op: &str, [a, b]: [&str; 2], width: usize) -> String {
        let (name, ty) = (self.name(), self.ty);
        let (a, b) = if self.random.below(2usize) == 0 { (a, b) } else { (b, a) };
        self.line(&format!("{name} = arith.{op} {a}, {b} : vector<{width}x{ty}>"));
        name
    }

    fn merged_single(&mut self, op: &str, [a, b]: [&str; 2]) -> String {
        let (name, ty) = (self.name(), self.ty);
        let (a, b) = if self.random.below(2usize) == 0 { (a, b) } else { (b, a) };
        self.line(&format!("{name} = arith.{op} {a}, {b} : {ty}"));
        name
    }

    /// Two vectors that a loop carries, merged with rows
    fn merged_by_loop(&mut self, op: &str, start: [&str; 2], at: &str) -> [String; 2] {
        self.depth += 1;
        let (name, iv, args, ty) = (self.name(), self.name(), [self.name(), self.name()], self.ty);
        let trip = 2 + self.random.below(5usize);
        let [first, second] = start;
        self.line(&format!(
            "{name}:2 = scf.for {iv} = %c0 to %c{trip} step %c1 iter_args({} = {first}, {} = {second}) -> (vector<8x{ty}>, vector<8x{ty}>) {{",
            args[0], args[1]
        ));
        let place = self.name();
        self.line(&format!("{place} = arith.addi {iv}, {at} : index"));
        let mut so_far = args.clone();
        for each in &mut so_far {
            for _ in 0..self.random.below(3usize) {
                let row = self.row(&place);
                *each = self.merged(op, [&row, each], 8);
            }
        }
        if self.depth < 3 && self.random.below(2usize) == 0 {
            so_far = self.merged_by_loop(op, [&so_far[0], &so_far[1]], &place);
        }
        if self.random.below(6usize) == 0 {
            // Read in another way: it stays a float.
            self.line(&format!("vector.store {}, %y[%c0] : memref<64x{ty}>, vector<8x{ty}>", so_far[0]));
        }
        self.line(&format!("scf.yield {}, {} : vector<8x{ty}>, vector<8x{ty}>", so_far[0], so_far[1]));
        self.line("}");
        self.depth -= 1;
        [format!("{name}#0"), format!("{name}#1")]
    }

    fn half(&mut self, of: &str, at: usize) -> String {
        let (name, ty) = (self.name(), self.ty);
        self.line(&format!(
            "{name} = vector.extract_strided_slice {of} {{offsets = [{at}], sizes = [4], strides = [1]}} : vector<8x{ty}> to vector<4x{ty}>"
        ));
        name
    }
}

/// A function of `%x` that fills a part of `%y`
fn program(seed: u64, ty: &'static str) -> String {
    let mut w = Writer { random: Random::new(seed), text: String::new(), ty, names: 0, depth: 0 };
    let op = ["maximumf", "minimumf"][w.random.below(2usize)];
    let mut all: Vec<String> = vec![w.row("%c1"), w.row("%c2")];
    for _ in 0..1 + w.random.below(2usize) {
        let start =
            [w.row("%c0"), if w.random.below(2usize) == 0 { "%nothing".into() } else { w.row("%c3") }];
        all.extend(w.merged_by_loop(op, [&start[0], &start[1]], "%c0"));
    }
    if w.random.below(3usize) == 0 {
        let kept = all[2].clone();
        w.line(&format!("vector.store {kept}, %y[%c8] : memref<64x{ty}>, vector<8x{ty}>"));
    }
    while all.len() > 1 {
        let (a, b) = (all.remove(w.random.below(all.len())), all.remove(w.random.below(all.len())));
        all.push(w.merged(op, [&a, &b], 8));
    }
    if w.random.below(3usize) == 0 {
        // Loops one behind the other, and nothing that reduces lanes.
        let start = w.row("%c0");
        let first = w.merged_by_loop(op, [&start, "%nothing"], "%c1");
        let [a, b] = w.merged_by_loop(op, [&first[0], &first[1]], "%c2");
        w.line(&format!("vector.store {a}, %y[%c24] : memref<64x{ty}>, vector<8x{ty}>"));
        w.line(&format!("vector.store {b}, %y[%c32] : memref<64x{ty}>, vector<8x{ty}>"));
    }
    let (mut last, mut width) = (all[0].clone(), 8);
    if w.random.below(2usize) == 0 {
        let halves = [w.half(&last, 0), w.half(&last, 4)];
        (last, width) = (w.merged(op, [&halves[0], &halves[1]], 4), 4);
    }
    w.line(&format!("%r = vector.reduction <{op}>, {last} : vector<{width}x{ty}> into {ty}"));
    let mut single = "%r".to_owned();
    for _ in 0..w.random.below(3usize) {
        // What a row leaves over: one element.
        let (element, at) = (w.name(), w.random.below(8usize));
        w.line(&format!("{element} = memref.load %x[%c{at}, %c{at}] : memref<{ROWS}x8x{ty}>"));
        single = w.merged_single(op, [&element, &single]);
    }
    w.line(&format!("memref.store {single}, %y[%c16] : memref<64x{ty}>"));
    let constants: String = [0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 24, 32]
        .iter()
        .fold(String::new(), |all, n| all + &format!("  %c{n} = arith.constant {n} : index\n"));
    let nothing = format!("  %nothing = arith.constant dense<-3.0> : vector<8x{ty}>\n");
    format!(
        "func.func @f(%x: memref<{ROWS}x8x{ty}>, %y: memref<64x{ty}>) {{\n{constants}{nothing}{}  return\n}}\n",
        w.text
    )
}

/// Bits of a number, of one that is near a border now and then
fn bits(random: &mut Random, kind: FloatKind) -> u64 {
    let width = kind.width();
    let infinity = match kind {
        FloatKind::F16 => 0x7C00,
        FloatKind::BF16 => 0x7F80,
        FloatKind::F32 => 0x7F80_0000,
        _ => 0x7FF0_0000_0000_0000u64,
    };
    let sign = 1u64 << (width - 1);
    let borders =
        [0, sign, 1, sign | 1, infinity, sign | infinity, infinity | 1, sign | infinity | 1, infinity - 1];
    match random.below(40usize) {
        n if n < borders.len() && n != 6 && n != 7 => borders[n],
        // NaN hides all else: as a rule there is none.
        n if n < borders.len() && random.below(20usize) == 0 => borders[n],
        _ => {
            (random.below(1usize << 30) as u64).wrapping_mul(0x9E37_79B9_97F4_A7C1)
                & (sign - 1)
                & !(infinity & !(infinity >> 1))
                | if random.below(2usize) == 0 { sign } else { 0 }
        }
    }
}

/// What the function leaves, NaN as one pattern
fn run(ir: &Ir, kind: FloatKind, seed: u64) -> Vec<Option<u64>> {
    let mut random = Random::new(seed ^ 0x5EED);
    let values: Vec<RtValue> = (0..ROWS * 8).map(|_| RtValue::float(bits(&mut random, kind), kind)).collect();
    let mut machine = interpreter(ir);
    let x = fill(&mut machine, &[ROWS, 8], &values);
    let y = fill(&mut machine, &[64], &vec![RtValue::float(0, kind); 64]);
    let args = vec![RtValue::MemRef(x), RtValue::MemRef(y.clone())];
    machine.call("f", args).unwrap_or_else(|trap| panic!("seed {seed}: {}", trap.message));
    let found = read(&mut machine, &[64], &y);
    let canonical =
        |value: Option<f64>| value.map(|number| if number.is_nan() { u64::MAX } else { number.to_bits() });
    found.into_iter().map(canonical).collect()
}

#[test]
fn floats_as_integers_have_the_same_largest_and_smallest() {
    let kinds = [
        ("f16", FloatKind::F16),
        ("bf16", FloatKind::BF16),
        ("f32", FloatKind::F32),
        ("f64", FloatKind::F64),
    ];
    let (mut changed, mut carried, mut nan) = (0, 0, 0);
    for seed in 0..240 {
        let (ty, kind) = kinds[(seed % 4) as usize];
        let text = program(seed, ty);
        let parse = || HARNESS.parse(&text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        let wanted = run(&parse(), kind, seed);
        for passes in ["scf-order-floats", "scf-order-floats,canonicalize,cse,scf-order-floats"] {
            let mut ir = parse();
            HARNESS
                .run(&mut ir, &format!("builtin.module(func.func({passes}))"))
                .unwrap_or_else(|why| panic!("seed {seed}: {passes}: {why}\n{text}"));
            assert_eq!(run(&ir, kind, seed), wanted, "seed {seed}: {passes}\n{text}");
            let words = terrace_dialect_test::values::shown(&ir);
            changed +=
                usize::from(words.contains("reduction <maxsi>") || words.contains("reduction <minsi>"));
        }
        let text_of = |passes: &str| {
            let mut ir = parse();
            HARNESS.run(&mut ir, passes).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            terrace_dialect_test::values::shown(&ir)
        };
        let loops = text_of("builtin.module(func.func(scf-order-floats,canonicalize))");
        carried += loops.lines().filter(|line| line.contains("scf.for") && line.contains("xi")).count();
        nan += usize::from(wanted[16] == Some(u64::MAX));
    }
    assert_eq!(changed, 480, "programs that were rewritten");
    assert!(carried > 200, "{carried} loops carry integers");
    assert!((20..200).contains(&nan), "{nan} of 240 results are NaN");
}
