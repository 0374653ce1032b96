//! Operators on tuples over every number of elements, by every mechanism, in three orders of tasks, blocks and threads.
//!
//! What a mechanism does depends on how a number of elements divides, so the numbers are all small ones and those next to powers
//! of two. `TERRACE_NUMBERS=all` takes all up to 1025, which are minutes. [`crate::every_number`] has each of them, for one operator.

use crate::common;

use common::*;
use terrace_dialect_test::Numbers;
use terrace_dialect_test::values::{fill, read, types};
use terrace_interp::{Interpreter, Options, Order, RtValue};
use terrace_ir::Ir;

/// An operator with what each element contributes
struct Operator {
    function: &'static str,
    name: &'static str,
    /// Element types of the operands, and of the results
    inputs: &'static [&'static str],
    results: &'static [&'static str],
    /// The body, from `%x0`, `%x1`, … and the place `%j`
    body: &'static str,
    commutes: bool,
}

const OPERATORS: [Operator; 4] = [
    Operator {
        function: "func.func private @least(%a: i32, %i: i32, %b: i32, %j: i32) -> (i32, i32) attributes {sched.operator = {associative, commutative, exact, identity = [2147483647 : i32, 2147483647 : i32]}} {
  %less = arith.cmpi slt, %b, %a : i32
  %same = arith.cmpi eq, %a, %b : i32
  %first = arith.minsi %i, %j : i32
  %v = arith.select %less, %b, %a : i32
  %p = arith.select %same, %first, %i : i32
  %q = arith.select %less, %j, %p : i32
  return %v, %q : i32, i32
}",
        name: "least",
        inputs: &["i32"],
        results: &["i32", "i32"],
        body: "mdh.yield %x0, %j : i32, i32",
        commutes: true,
    },
    Operator {
        function: "func.func private @compose(%a: i32, %b: i32, %c: i32, %d: i32) -> (i32, i32) attributes {sched.operator = {associative, exact, identity = [1 : i32, 0 : i32]}} {
  %ac = arith.muli %a, %c : i32
  %ad = arith.muli %a, %d : i32
  %r = arith.addi %ad, %b : i32
  return %ac, %r : i32, i32
}",
        name: "compose",
        inputs: &["i32"],
        results: &["i32", "i32"],
        body: "%one = arith.constant 1 : i32
    %odd = arith.ori %x0, %one : i32
    mdh.yield %odd, %j : i32, i32",
        commutes: false,
    },
    // The largest element, the sum of places, and whether an element is above 2: three types.
    Operator {
        function: "func.func private @peaks(%a: f32, %i: i32, %s: i1, %b: f32, %j: i32, %t: i1) -> (f32, i32, i1) attributes {sched.operator = {associative, exact, identity = [0xFF800000 : f32, 0 : i32, false]}} {
  %more = arith.cmpf oge, %b, %a : f32
  %v = arith.select %more, %b, %a : f32
  %n = arith.addi %i, %j : i32
  %seen = arith.ori %s, %t : i1
  return %v, %n, %seen : f32, i32, i1
}",
        name: "peaks",
        inputs: &["f32"],
        results: &["f32", "i32", "i1"],
        body: "%two = arith.constant 2.0 : f32
    %above = arith.cmpf ogt, %x0, %two : f32
    mdh.yield %x0, %j, %above : f32, i32, i1",
        commutes: false,
    },
    Operator {
        function: "func.func private @and_or(%a: i1, %b: i1, %c: i1, %d: i1) -> (i1, i1) attributes {sched.operator = {associative, commutative, exact, identity = [true, false]}} {
  %all = arith.andi %a, %c : i1
  %any = arith.ori %b, %d : i1
  return %all, %any : i1, i1
}",
        name: "and_or",
        inputs: &["i1", "i1"],
        results: &["i1", "i1"],
        body: "mdh.yield %x0, %x1 : i1, i1",
        commutes: true,
    },
];

/// Schedules of so many elements in two rows, each by another mechanism; an operator that does not commute keeps its order
fn schedules(n: i64, operator: &Operator) -> Vec<Vec<String>> {
    let outs = vec!["^"; operator.results.len()].join(",");
    let ins = vec!["^"; operator.inputs.len()].join(",");
    let step =
        |number: usize, tiles: &str, layers: &str| format!("{number}: ({tiles}) ({ins} ; {outs}) ({layers})");
    let part = |members: i64| (n + members - 1) / members;
    let mut all = Vec::new();
    let tasks = format!("^,{}~limit", part(5));
    all.push(vec![step(1, "1,^", "FOR.1,^"), step(2, &tasks, "^,THR.x"), step(3, "1,1", "FOR.1,FOR.2")]);
    for (members, mechanism) in [(7, "shared"), (32, "shuffle"), (64, "shuffle"), (96, "shared")] {
        let parts = format!("^,{}~limit", part(members));
        let threads = format!("^,THR.x({mechanism})");
        all.push(vec![step(1, "1,^", "BLK.x,^"), step(2, &parts, &threads), step(3, "1,1", "FOR.1,FOR.2")]);
    }
    if operator.commutes {
        for (members, mechanism) in [(32, "shuffle"), (24, "shared")] {
            let rounds = format!("^,{members}~limit");
            let threads = format!("^,THR.x({mechanism})");
            if n >= members {
                all.push(vec![
                    step(1, "1,^", "BLK.x,^"),
                    step(3, &rounds, "^,FOR.1"),
                    step(2, "^,1", &threads),
                ]);
            }
        }
        if n >= 16 {
            let round = step(1, "1,16~peel", "FOR.1,FOR.2");
            all.push(vec![round, step(2, "^,8~peel", "^,UNR.1"), step(3, "^,1", "^,VEC.x")]);
        }
        if n >= 48 {
            let tasks = step(2, &format!("^,{}~peel", n / 48 * 16), "^,THR.x");
            let lanes =
                [step(3, "^,16~peel", "^,FOR.1"), step(4, "^,8~peel", "^,UNR.1"), step(5, "^,1", "^,VEC.x")];
            all.push([vec![step(1, "1,^", "FOR.1,^"), tasks], lanes.to_vec()].concat());
        }
    }
    all
}

fn text(n: i64, operator: &Operator, schedule: &[String]) -> String {
    let Operator { function, name, inputs, results, body, .. } = operator;
    let arguments: Vec<String> =
        inputs.iter().enumerate().map(|(k, ty)| format!("%A{k}: tensor<2x{n}x{ty}>")).collect();
    let reads: Vec<String> = (0..inputs.len()).map(|k| format!("%x{k} = %A{k}[i, j]")).collect();
    let from: Vec<String> = inputs.iter().map(|ty| format!("tensor<2x{n}x{ty}>")).collect();
    let to: Vec<String> = results.iter().map(|ty| format!("tensor<2x{ty}>")).collect();
    let steps: Vec<String> = schedule.iter().map(|step| format!("\"{step}\"")).collect();
    let to = to.join(", ");
    format!(
        "{function}
func.func @f({}) -> ({to}) {{
  %r:{} = mdh.compute (i in 2, j in {n} pw @{name}) ins({}) outs({}) attributes {{mdh.schedule = [{}]}} {{
    %place = mdh.index 1
    %j = arith.index_cast %place : index to i32
    {body}
  }} : ({}) -> ({to})
  return {} : {to}
}}",
        arguments.join(", "),
        results.len(),
        reads.join(", "),
        vec!["[i]"; results.len()].join(", "),
        steps.join(", "),
        from.join(", "),
        (0..results.len()).map(|k| format!("%r#{k}")).collect::<Vec<_>>().join(", "),
    )
}

/// What `@f` writes, with tasks, blocks and threads in an order
pub(crate) fn in_order(ir: &Ir, order: Order, text: &str) -> Numbers {
    let cx = ir.cx();
    let mut machine = Interpreter::new(ir, Options { fuel: u64::MAX, order, ..Options::default() });
    let (inputs, _) = types(ir, "f");
    let (mut args, mut outs) = (Vec::new(), Vec::new());
    for (n, ty) in inputs.iter().enumerate() {
        let shape = ty.shape(cx).expect("a buffer");
        let given = if shape.len() > 1 { elements(cx, *ty, n) } else { Vec::new() };
        let view = fill(&mut machine, shape, &given);
        if given.is_empty() {
            outs.push((shape, view.clone()));
        }
        args.push(RtValue::MemRef(view));
    }
    if let Err(trap) = machine.call("f", args) {
        panic!("{order:?}: {}\n{text}", trap.message);
    }
    outs.iter().map(|(shape, view)| read(&mut machine, shape, view)).collect()
}

fn check(n: i64) {
    for operator in &OPERATORS {
        let mut wanted = None;
        for schedule in schedules(n, operator) {
            let text = text(n, operator, &schedule);
            let wanted = wanted.get_or_insert_with(|| as_it_is(&parse(&text), "f"));
            let mut ir = parse(&text);
            for step in ["func.func(mdh-operators,mdh-to-sched)", DOWN] {
                lower(&mut ir, step, &text);
                // The schedule itself runs once; what is made of it, in three orders.
                let orders = [Order::Forward, Order::Reverse, Order::Seed(n as u64)];
                for order in orders.into_iter().take(if step == DOWN { 3 } else { 1 }) {
                    same(wanted, &in_order(&ir, order, &text), &format!("{step}, {order:?}\n{text}"));
                }
            }
        }
    }
}

/// Are all numbers of elements wanted?
pub(crate) fn every_one() -> bool {
    std::env::var("TERRACE_NUMBERS").is_ok_and(|which| which == "all")
}

#[test]
fn by_every_mechanism() {
    if every_one() {
        return (1..=1025).for_each(check);
    }
    let powers = (5..=10).map(|k| 1i64 << k);
    let next_to_powers = powers.flat_map(|power| [power - 1, power, power + 1]);
    (1..=20).chain(next_to_powers).chain([37, 97]).for_each(check);
}
