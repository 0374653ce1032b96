//! Trees of threads: sequential addressing for operators that commute, neighbours for others, few barriers, every number of members.

use crate::common;

use common::*;
use terrace_dialect_test::values::{fill, read, types};
use terrace_interp::{Interpreter, Options, Order, RtValue};
use terrace_ir::Ir;

/// `2a + b` along each digit does not commute: composition of affine maps, whose first components are odd
const COMPOSE: &str = "func.func private @compose(%a: i32, %b: i32, %c: i32, %d: i32) -> (i32, i32) attributes {sched.operator = {associative, exact, identity = [1 : i32, 0 : i32]}} {
  %ac = arith.muli %a, %c : i32
  %ad = arith.muli %a, %d : i32
  %r = arith.addi %ad, %b : i32
  return %ac, %r : i32, i32
}
";

/// The first place of the largest element: a tuple that commutes, of 4 and of 8 bytes
const FIRST: &str = "func.func private @first(%a: i64, %i: i32, %b: i64, %j: i32) -> (i64, i32) attributes {sched.operator = {associative, commutative, exact, identity = [-9223372036854775808 : i64, 2147483647 : i32]}} {
  %more = arith.cmpi sgt, %b, %a : i64
  %same = arith.cmpi eq, %a, %b : i64
  %least = arith.minsi %i, %j : i32
  %v = arith.select %more, %b, %a : i64
  %p = arith.select %same, %least, %i : i32
  %q = arith.select %more, %j, %p : i32
  return %v, %q : i64, i32
}
";

/// Three rows of `n` elements reduced by an operator, with these steps
fn text(operator: &str, n: i64, steps: &[String]) -> String {
    let (function, types, body): (&str, &[&str], &str) = match operator {
        "@compose" => {
            (COMPOSE, &["i32", "i32"], "%o = arith.ori %p, %one : i32\n    mdh.yield %o, %x : i32, i32")
        }
        "@first" => {
            (FIRST, &["i64", "i32"], "%w = arith.extsi %x : i32 to i64\n    mdh.yield %w, %p : i64, i32")
        }
        _ => ("", &["i32"], "mdh.yield %x : i32"),
    };
    let outs = vec!["[i]"; types.len()].join(", ");
    let tensors: Vec<String> = types.iter().map(|ty| format!("tensor<3x{ty}>")).collect();
    let tensors = tensors.join(", ");
    let whole = vec!["^"; types.len()].join(",");
    let steps: Vec<String> = steps
        .iter()
        .map(|step| format!("\"{}\"", step.replace("(^ ; ^)", &format!("(^ ; {whole})"))))
        .collect();
    let values: Vec<String> = (0..types.len()).map(|k| format!("%r#{k}")).collect();
    format!(
        "{function}func.func @f(%A: tensor<3x{n}xi32>) -> ({tensors}) {{
  %r:{} = mdh.compute (i in 3, j in {n} pw {operator}) ins(%x = %A[i, j]) outs({outs}) attributes {{mdh.schedule = [{}]}} {{
    %place = mdh.index 1
    %p = arith.index_cast %place : index to i32
    %one = arith.constant 1 : i32
    {body}
  }} : (tensor<3x{n}xi32>) -> ({tensors})
  return {} : {tensors}
}}",
        types.len(),
        steps.join(", "),
        values.join(", ")
    )
}

/// A block for each row; so many elements for each thread, which meet by a mechanism
fn in_blocks(each: i64, mechanism: &str) -> Vec<String> {
    vec![
        "1: (1,^) (^ ; ^) (BLK.x,^)".into(),
        format!("2: (^,{each}~limit) (^ ; ^) (^,THR.x({mechanism}))"),
        "3: (1,1) (^ ; ^) (FOR.1,FOR.2)".into(),
    ]
}

/// One block: rows along one axis, members along another
fn in_one_block(each: i64, [rows, members]: [&str; 2], mechanism: &str) -> Vec<String> {
    vec![
        "1: (3,^) (^ ; ^) (BLK.x,^)".into(),
        format!("2: (1,{each}~limit) (^ ; ^) (THR.{rows},THR.{members}({mechanism}))"),
        "3: (1,1) (^ ; ^) (FOR.1,FOR.2)".into(),
    ]
}

/// Down to a kernel
fn kernel(text: &str) -> Box<Ir> {
    let mut ir = parse(text);
    for step in ["func.func(mdh-operators,mdh-to-sched)", DOWN] {
        lower(&mut ir, step, text);
    }
    ir
}

fn check(text: &str) {
    let wanted = as_it_is(&parse(text), "f");
    let ir = kernel(text);
    for order in [Order::Reverse, Order::Seed(7)] {
        let mut machine = Interpreter::new(&ir, Options { fuel: u64::MAX, order, ..Options::default() });
        let (inputs, _) = types(&ir, "f");
        let views: Vec<_> = inputs
            .iter()
            .enumerate()
            .map(|(n, ty)| {
                let shape = ty.shape(ir.cx()).expect("a buffer");
                let given = if n == 0 { elements(ir.cx(), *ty, n) } else { Vec::new() };
                (shape, fill(&mut machine, shape, &given))
            })
            .collect();
        let args = views.iter().map(|(_, view)| RtValue::MemRef(view.clone())).collect();
        if let Err(trap) = machine.call("f", args) {
            panic!("{order:?}: {}\n{text}", trap.message);
        }
        let found = views[1..].iter().map(|(shape, view)| read(&mut machine, shape, view)).collect();
        same(&wanted, &found, &format!("{order:?}\n{text}"));
    }
}

/// Lines of what a text is lowered to that have a word
fn count(text: &str, word: &str) -> usize {
    let mut shown = String::new();
    terrace_text::print(&kernel(text), &terrace_text::PrintOptions::default(), &mut shown);
    shown.lines().filter(|line| line.contains(word)).count()
}

#[test]
fn every_shape_of_a_block() {
    for operator in ["add", "xor", "@first", "@compose"] {
        for mechanism in ["shared", "shuffle"] {
            for n in [2, 31, 32, 37, 96] {
                check(&text(operator, n, &in_blocks(1, mechanism)));
                check(&text(operator, n, &in_one_block(1, ["y", "x"], mechanism)));
                check(&text(operator, n, &in_one_block(1, ["x", "y"], mechanism)));
            }
            // Several warps, the last of which is not whole; three warps have iterations, of four.
            for (n, each) in [(509, 2), (290, 3)] {
                check(&text(operator, n, &in_blocks(each, mechanism)));
            }
        }
    }
}

#[test]
fn operators_that_commute_have_no_remainders() {
    for n in [2, 37, 64, 200, 1024] {
        let sums = text("add", n, &in_blocks(1, "shared"));
        assert_eq!(count(&sums, "remui"), 0, "{n}");
        assert_eq!(count(&sums, "gpu.barrier"), 1 + (n as u64).next_power_of_two().ilog2() as usize, "{n}");
        assert_eq!(count(&text("@first", n, &in_blocks(1, "shared")), "remui"), 0, "{n}");
        assert!(count(&text("@compose", n, &in_blocks(1, "shared")), "remui") > 0, "{n}");
    }
}

#[test]
fn a_block_of_1024_has_one_barrier() {
    for (n, shuffles) in [(1024, 10), (512, 9), (64, 6), (32, 5)] {
        let sums = text("add", n, &in_blocks(1, "shuffle"));
        assert_eq!(count(&sums, "gpu.barrier"), usize::from(n > 32), "{n}");
        assert_eq!(count(&sums, "gpu.shuffle"), shuffles, "{n}");
    }
    // In rounds, the buffer is used again: one more.
    let rounds = [
        "1: (1,^) (^ ; ^) (BLK.x,^)".to_string(),
        "2: (1,1024) (^ ; ^) (^,FOR.2)".into(),
        "3: (^,1) (^ ; ^) (^,THR.x(shuffle))".into(),
    ];
    assert_eq!(count(&text("add", 4096, &rounds), "gpu.barrier"), 2);
}
