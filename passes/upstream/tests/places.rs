//! `scf-ascending-places` by value: random loops that carry places in scalars and lanes, some of which go down, wrap, start too far or
//! are not known, and count what comparisons give.

use std::fmt::Write;
use terrace_dialect_test::Harness;
use terrace_dialect_test::values::{fill, interpreter, shown};
use terrace_interp::RtValue;
use terrace_ir::Ir;
use terrace_pass::Registry;
use terrace_support::Random;

const HARNESS: Harness = Harness {
    dialects: &[terrace_dialect_upstream::ALL],
    registry: Registry {
        passes: &[terrace_passes_upstream::PASSES, terrace_passes_general::PASSES],
        pipelines: &[],
    },
};

/// Bits that conditions are read from
const BITS: i64 = 512;

/// A function that gives a place and a sum over comparisons; `lanes` of one is a scalar
fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut below = |n: usize| random.below(n) as i64;
    let width = [1, 1, 4, 8][below(4) as usize];
    let ty = ["i8", "i16", "i32", "i64", "index"][below(5) as usize];
    let vector = |elem: &str| if width == 1 { elem.to_owned() } else { format!("vector<{width}x{elem}>") };
    let (all, index, test) = (vector(ty), vector("index"), vector("i1"));
    let constant = |number: i64| if width == 1 { number.to_string() } else { format!("dense<{number}>") };
    let (lower, step, trip) = (below(7) - 3, 1 + below(9), 1 + below(20));
    let upper = lower + step * trip - below(step as usize);
    let (factor, add) = ([1, 1, 1, 2, -1, 7][below(6) as usize], below(9) - 4);
    let start = factor * lower + add - 2 + below(4);
    let mut text = format!("func.func @f(%x: memref<{BITS}xi1>) -> ({all}, {all}) {{\n");
    let mut line = |words: String| {
        let _ = writeln!(text, "  {words}");
    };
    for (name, number) in [("lower", lower), ("upper", upper), ("step", step), ("c128", 128), ("c4", 4)] {
        line(format!("%{name} = arith.constant {number} : index"));
    }
    for (name, number) in [("factor", factor), ("add", add)] {
        line(format!("%{name} = arith.constant {} : {index}", constant(number)));
    }
    let zero = constant(0);
    line(format!("%zero = arith.constant {zero} : {all}"));
    // Places of lanes are apart from each other.
    let lane =
        if width == 1 { format!("arith.constant 0 : {index}") } else { format!("vector.step : {index}") };
    line(format!("%lane = {lane}"));
    let cast = |from: &str, to: &str| match ty {
        "index" => format!("%{to} = arith.addi %{from}, %lane : {index}"),
        _ => format!(
            "%{to}.sum = arith.addi %{from}, %lane : {index}\n  %{to} = arith.index_cast %{to}.sum : {index} to {all}"
        ),
    };
    line(format!("%first = arith.constant {} : {index}", constant(start)));
    line(cast("first", "start"));
    line(format!(
        "%p, %n = scf.for %i = %lower to %upper step %step iter_args(%a = %start, %count = %zero) -> ({all}, {all}) {{"
    ));
    let spread = if width == 1 {
        format!("%v = arith.addi %i, %lane : {index}")
    } else {
        format!("%v = vector.broadcast %i : index to {index}")
    };
    line(spread);
    line(format!("%scaled = arith.muli %v, %factor : {index}"));
    line(format!("%moved = arith.addi %scaled, %add : {index}"));
    line(cast("moved", "here"));
    line("%at = arith.addi %i, %c128 : index".to_owned());
    let choice = |name: &str, at: &str| match width {
        1 => format!("%{name} = memref.load %x[%{at}] : memref<{BITS}xi1>"),
        _ => format!("%{name} = vector.load %x[%{at}] : memref<{BITS}xi1>, {test}"),
    };
    line(choice("c", "at"));
    line("%at2 = arith.addi %at, %c4 : index".to_owned());
    line(choice("d", "at2"));
    let [lesser, pred] =
        [["minsi", "maxsi"][below(2) as usize], ["slt", "sge", "eq", "ult", "ne", "sgt"][below(6) as usize]];
    let sides = if below(2) == 0 { "%a, %here" } else { "%here, %a" };
    line(format!("%least = arith.{lesser} {sides} : {all}"));
    line(format!("%known = arith.cmpi {pred}, {sides} : {all}"));
    let select = |name: &str, [c, a, b]: [&str; 3]| {
        let of = if width == 1 { all.clone() } else { format!("{test}, {all}") };
        format!("%{name} = arith.select %{c}, %{a}, %{b} : {of}")
    };
    line(select("kept", ["d", "least", "a"]));
    line(select("next", ["c", "here", "kept"]));
    line(select("more", ["known", "here", "zero"]));
    line(format!("%sum = arith.addi %count, %more : {all}"));
    line(format!("scf.yield %next, %sum : {all}, {all}"));
    line("}".to_owned());
    line(format!("%end = arith.constant {} : {index}", constant(factor * upper + add - 1 + below(3))));
    line(cast("end", "behind"));
    line(format!("%last = arith.{} %p, %behind : {all}", ["minsi", "maxsi"][below(2) as usize]));
    line(format!("return %last, %n : {all}, {all}"));
    text + "}\n"
}

fn run(ir: &Ir, seed: u64) -> Vec<RtValue> {
    let mut random = Random::new(seed ^ 0x5EED);
    let values: Vec<RtValue> = (0..BITS).map(|_| RtValue::bool(random.below(2usize) == 0)).collect();
    let mut machine = interpreter(ir);
    let x = fill(&mut machine, &[BITS], &values);
    machine.call("f", vec![RtValue::MemRef(x)]).unwrap_or_else(|trap| panic!("seed {seed}: {}", trap.message))
}

#[test]
fn places_that_are_known_have_the_same_values() {
    let (mut known, mut stays) = (0, 0);
    for seed in 0..600 {
        let text = program(seed);
        let parse = || HARNESS.parse(&text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        let mut ir = parse();
        let count = |ir: &Ir| {
            ["minsi", "maxsi", "cmpi"].map(|word| shown(ir).matches(word).count()).iter().sum::<usize>()
        };
        let (wanted, before) = (run(&parse(), seed), count(&ir));
        HARNESS
            .run(&mut ir, "builtin.module(func.func(scf-ascending-places))")
            .unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        assert_eq!(run(&ir, seed), wanted, "seed {seed}\n{text}");
        let gone = before - count(&ir);
        known += usize::from(gone > 0);
        stays += usize::from(gone == 0);
    }
    assert!(known > 100 && stays > 100, "{known} programs changed, {stays} did not");
}
