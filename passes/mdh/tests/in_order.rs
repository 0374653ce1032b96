//! Computations that keep the order of their source, bit by bit: `pw … source` is one left fold from the start values on,
//! whatever the target and whatever schedule was written; what would make parts of it is refused by name.
//!
//! Values have random exponents, so that any other bracket rounds otherwise.

use crate::common::{self, HARNESS, lower, parse, same};
use std::collections::BTreeMap;
use terrace_dialect_test::Numbers;
use terrace_dialect_test::programs::mdh::{self, program};
use terrace_dialect_test::values::{element, fill, interpreter, numbers, read, types, verify};
use terrace_interp::{Interpreter, Options, Order, RtValue};
use terrace_ir::{Context, Ir, Type};
use terrace_support::Random;

pub const TARGETS: &[&str] = &["", "x86-64-v4", "x86-64-v3", "openmp", "cuda", "opencl"];

/// Elements whose sums show their order
pub fn rough(cx: &Context, ty: Type, seed: usize) -> Vec<RtValue> {
    let elem = if ty.scalar(cx) == ty { ty.element(cx).unwrap_or(ty) } else { ty.scalar(cx) };
    let mut r = Random::new(seed as u64 + 77);
    common::elements(cx, ty, seed)
        .into_iter()
        .map(|plain| match elem == cx.common().f32 {
            true => {
                let (sign, exponent) = (r.below(2) << 31, (119 + r.below(16)) << 23);
                RtValue::f32(f32::from_bits((sign | exponent | r.below(1 << 23)) as u32))
            }
            false => plain,
        })
        .collect()
}

fn scalar(cx: &Context, ty: Type, seed: usize) -> RtValue {
    element(cx, ty, 1, seed)
}

pub fn as_it_is(ir: &Ir) -> Result<Numbers, String> {
    let cx = ir.cx();
    let (inputs, _) = types(ir, "f");
    let input = |(n, ty): (usize, &Type)| match ty.shape(cx) {
        Some(_) => RtValue::Vector(rough(cx, *ty, n).into()),
        None => scalar(cx, *ty, n),
    };
    let args = inputs.iter().enumerate().map(input).collect();
    let found = interpreter(ir).call("f", args).map_err(|trap| trap.message)?;
    Ok(found.iter().map(numbers).collect())
}

pub fn on_buffers(ir: &Ir, results: usize) -> Result<Numbers, String> {
    called(ir, results, interpreter(ir))
}

/// The same where members of teams run in an order
pub fn in_this_order(ir: &Ir, results: usize, order: Order) -> Result<Numbers, String> {
    called(ir, results, Interpreter::new(ir, Options { order, ..Options::default() }))
}

fn called(ir: &Ir, results: usize, mut machine: Interpreter<'_>) -> Result<Numbers, String> {
    let cx = ir.cx();
    let (inputs, _) = types(ir, "f");
    let outs = inputs.len() - results;
    let (mut args, mut found) = (Vec::new(), Vec::new());
    for (n, ty) in inputs.iter().enumerate() {
        args.push(match ty.shape(cx) {
            Some(shape) if n < outs => RtValue::MemRef(fill(&mut machine, shape, &rough(cx, *ty, n))),
            Some(shape) => {
                let view = fill(&mut machine, shape, &[]);
                found.push((shape, view.clone()));
                RtValue::MemRef(view)
            }
            None => scalar(cx, *ty, n),
        });
    }
    machine.call("f", args).map_err(|trap| format!("{}: {}", trap.code.id, trap.message))?;
    Ok(found.iter().map(|(shape, view)| read(&mut machine, shape, view)).collect())
}

/// Every level of every target gives the bits of the mathematics
fn keeps_bits(text: &str) {
    let wanted = as_it_is(&parse(text)).unwrap_or_else(|why| panic!("{why}\n{text}"));
    for target in TARGETS {
        let mut ir = parse(text);
        let first = match *target {
            "" => String::new(),
            _ => format!("func.func(mdh-schedule{{target={target}}}),"),
        };
        for step in [format!("{first}func.func(mdh-to-sched)"), common::DOWN.to_string()] {
            lower(&mut ir, &step, text);
            let found = on_buffers(&ir, wanted.len()).unwrap_or_else(|why| panic!("{target}: {why}\n{text}"));
            same(&wanted, &found, &format!("`{target}`, {step}\n{text}"));
        }
    }
}

fn function(dims: &str, reads: [&str; 2], shapes: [&str; 2], out: &str, result: &str, start: bool) -> String {
    let (into, value, ty) = match start {
        true => (" into %S", format!(", %S: tensor<{result}>"), format!(", tensor<{result}>")),
        false => ("", String::new(), String::new()),
    };
    let ([ra, rb], [sa, sb]) = (reads, shapes);
    format!(
        "func.func @f(%A: tensor<{sa}>, %B: tensor<{sb}>{value}) -> tensor<{result}> {{
  %c = mdh.compute ({dims}) ins(%a = %A[{ra}], %b = %B[{rb}]) outs([{out}]{into}) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<{sa}>, tensor<{sb}>{ty}) -> tensor<{result}>
  return %c : tensor<{result}>
}}"
    )
}

#[test]
fn products_and_windows() {
    for start in [false, true] {
        for [i, j, k] in [[13, 35, 17], [17, 32, 18], [1, 16, 131]] {
            keeps_bits(&function(
                &format!("i in {i}, j in {j}, k in {k} pw add source"),
                ["i, k", "k, j"],
                [&format!("{i}x{k}xf32"), &format!("{k}x{j}xf32")],
                "i, j",
                &format!("{i}x{j}xf32"),
                start,
            ));
        }
        for n in [1, 16, 131] {
            let shape = format!("{n}xf32");
            let dims = format!("k in {n} pw add source");
            keeps_bits(&function(&dims, ["k", "k"], [&shape, &shape], "0", "1xf32", start));
        }
        for (i, j) in [(7, 17), (8, 16)] {
            keeps_bits(&function(
                &format!("i in {i}, j in {j}, r in 3 pw add source, s in 5 pw add source"),
                ["i + r, j + s", "r, s"],
                [&format!("{}x{}xf32", i + 2, j + 4), "3x5xf32"],
                "i, j",
                &format!("{i}x{j}xf32"),
                start,
            ));
        }
        // The longest of the reduced dimensions is not the last, or stands before what is kept.
        keeps_bits(&function(
            "i in 8, c in 40 pw add source, j in 16, r in 3 pw add source",
            ["i, c, r", "c, j, r"],
            ["8x40x3xf32", "40x16x3xf32"],
            "i, j",
            "8x16xf32",
            start,
        ));
    }
}

/// Schedules at random: what is accepted is a left fold, and enough of them are
#[test]
fn random_schedules() {
    let (mut agreed, mut refused) = (0, BTreeMap::<String, usize>::new());
    for seed in 1..2000 {
        let options = mdh::Options {
            points: 200,
            computations: 1,
            schedules: true,
            floats: true,
            ..Default::default()
        };
        let text = program(&mut Random::new(seed), &options);
        // What is summed in the order of the source rounds; other operators stay in as they are.
        if !text.contains(" pw add") || !text.contains("f32") {
            continue;
        }
        let text = text.replace(" pw add", " pw add source");
        let Ok(source) = HARNESS.parse(&text) else { continue };
        let Ok(wanted) = as_it_is(&source) else { continue };
        let mut ir = parse(&text);
        for passes in ["func.func(mdh-operators,mdh-to-sched)", common::DOWN] {
            // A schedule of a user may be refused by the rules of the level below.
            if let Err(why) = HARNESS.transform(&mut ir, passes).and_then(|()| verify(&ir)) {
                let word = why.split_once("S-").map_or("another rule", |(_, rest)| rest);
                *refused.entry(word.split(':').next().unwrap_or_default().into()).or_default() += 1;
                break;
            }
            match on_buffers(&ir, wanted.len()) {
                Ok(found) => same(&wanted, &found, &format!("seed {seed}, {passes}\n{text}")),
                // Copies that merge by a function run as loops only.
                Err(why) if why.contains("E0312") => {}
                Err(why) => panic!("seed {seed}, {passes}: {why}\n{text}"),
            }
            agreed += usize::from(passes == common::DOWN);
        }
    }
    let source = refused.get("SOURCE").copied().unwrap_or(0);
    assert!(agreed > 40 && source > 10, "{agreed} agree; refused: {refused:?}");
}
