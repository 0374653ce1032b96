//! Formulas mean what the interpreter does: all operands of three bits, poison included.

use crate::common::{parse, run, solver};
use terrace_interp::RtValue;
use terrace_ir::Ir;
use terrace_lowering_smt::{Solver, Verdict, refines};

/// Ops of two operands of one type, with their flags
const BINARY: &[&str] = &[
    "arith.addi %a, %b : i3",
    "arith.addi %a, %b overflow<nsw> : i3",
    "arith.addi %a, %b overflow<nuw> : i3",
    "arith.subi %a, %b overflow<nsw> : i3",
    "arith.subi %a, %b overflow<nuw> : i3",
    "arith.muli %a, %b overflow<nsw> : i3",
    "arith.muli %a, %b overflow<nuw> : i3",
    "arith.andi %a, %b : i3",
    "arith.ori %a, %b : i3",
    "arith.xori %a, %b : i3",
    "arith.maxsi %a, %b : i3",
    "arith.minsi %a, %b : i3",
    "arith.maxui %a, %b : i3",
    "arith.minui %a, %b : i3",
    "arith.shli %a, %b : i3",
    "arith.shli %a, %b overflow<nsw> : i3",
    "arith.shli %a, %b overflow<nuw> : i3",
    "arith.shrsi %a, %b : i3",
    "arith.shrsi %a, %b exact : i3",
    "arith.shrui %a, %b : i3",
    "arith.shrui %a, %b exact : i3",
    "arith.divsi %a, %b : i3",
    "arith.divsi %a, %b exact : i3",
    "arith.divui %a, %b : i3",
    "arith.divui %a, %b exact : i3",
    "arith.remsi %a, %b : i3",
    "arith.remui %a, %b : i3",
    "arith.ceildivsi %a, %b : i3",
    "arith.floordivsi %a, %b : i3",
    "arith.ceildivui %a, %b : i3",
    "arith.cmpi eq, %a, %b : i3",
    "arith.cmpi ne, %a, %b : i3",
    "arith.cmpi slt, %a, %b : i3",
    "arith.cmpi sle, %a, %b : i3",
    "arith.cmpi sgt, %a, %b : i3",
    "arith.cmpi sge, %a, %b : i3",
    "arith.cmpi ult, %a, %b : i3",
    "arith.cmpi ule, %a, %b : i3",
    "arith.cmpi ugt, %a, %b : i3",
    "arith.cmpi uge, %a, %b : i3",
];

/// Ops of one operand
const UNARY: &[&str] = &[
    "arith.extsi %a : i3 to i5",
    "arith.extui %a : i3 to i5",
    "arith.trunci %a : i3 to i2",
    "arith.trunci %a overflow<nsw> : i3 to i2",
    "arith.trunci %a overflow<nuw> : i3 to i2",
    "arith.index_cast %a : i3 to index",
    "arith.index_castui %a : i3 to index",
    "arith.select %c, %a, %a : i3",
];

/// A value of three bits as the op that makes it; the last one is poison
fn operand(name: &str, n: u128) -> String {
    match n {
        8 => format!("  %{name} = ub.poison : i3\n"),
        n => format!("  %{name} = arith.constant {n} : i3\n"),
    }
}

fn ask(solver: &mut Solver, before: &Ir, after: &Ir) -> Verdict {
    refines(solver, before, after).expect("both have formulas")
}

/// Compare the first function of a module, which takes nothing, with what the interpreter gives for it
fn agrees(solver: &mut Solver, text: &str, ty: &str) {
    let module = parse(text);
    let unit = |module: &Ir| module.walk().find_map(|op| module.child(op)).expect("a function").clone_unit();
    let function = unit(&module);
    let constant = |value: &str| {
        unit(&parse(&format!("func.func @g() -> {ty} {{\n  {value} : {ty}\n  return %r : {ty}\n}}")))
    };
    let (zero, one) = (constant("%r = arith.constant 0"), constant("%r = arith.constant 1"));
    let said = run(&module, Vec::new());
    let poison = constant("%r = ub.poison");
    // The interpreter gives poison for the quotient of poison by -1, which has to be undefined: poison may be the least value.
    let by_minus_one = text.contains("%a = ub.poison") && text.contains("%b = arith.constant 7");
    let is_signed = ["divsi", "remsi"].iter().any(|name| text.contains(name));
    match said.as_ref().map(|values| &values[0]) {
        // Undefined: anything may follow, and it follows from nothing else.
        _ if by_minus_one && is_signed => {
            assert!(said.as_ref().is_ok_and(|values| *values == [RtValue::Poison]), "{text}");
            assert_eq!(ask(solver, &function, &zero), Verdict::Proven, "{text}");
            assert_ne!(ask(solver, &poison, &function), Verdict::Proven, "{text}");
        }
        Err(_) => {
            for other in [&zero, &one] {
                assert_eq!(ask(solver, &function, other), Verdict::Proven, "{text}");
                assert_ne!(ask(solver, other, &function), Verdict::Proven, "{text}");
            }
        }
        Ok(RtValue::Poison) => {
            for other in [&zero, &one] {
                assert_eq!(ask(solver, &function, other), Verdict::Proven, "{text}");
                assert_ne!(ask(solver, other, &function), Verdict::Proven, "{text}");
            }
            assert_eq!(ask(solver, &poison, &function), Verdict::Proven, "{text}");
        }
        Ok(value) => {
            let value = value.as_signed().expect("an integer");
            let same = constant(&format!("%r = arith.constant {value}"));
            assert_eq!(ask(solver, &function, &same), Verdict::Proven, "{text}");
            assert_eq!(ask(solver, &same, &function), Verdict::Proven, "{text}");
        }
    }
}

fn result_type(op: &str) -> &str {
    match op.rsplit_once(" to ") {
        Some((_, ty)) => ty,
        None if op.starts_with("arith.cmpi") => "i1",
        None => "i3",
    }
}

#[test]
fn ops_of_two_operands() {
    let Some(mut solver) = solver("meaning::ops_of_two_operands") else { return };
    for op in BINARY {
        for (a, b) in (0..81).map(|n| (n / 9, n % 9)) {
            let (ty, operands) = (result_type(op), operand("a", a) + &operand("b", b));
            let text = format!("func.func @f() -> {ty} {{\n{operands}  %r = {op}\n  return %r : {ty}\n}}");
            agrees(&mut solver, &text, ty);
        }
    }
}

#[test]
fn ops_of_one_operand() {
    let Some(mut solver) = solver("meaning::ops_of_one_operand") else { return };
    for op in UNARY {
        for (a, c) in (0..27).map(|n| (n / 3, n % 3)) {
            let condition = match c {
                2 => "  %c = ub.poison : i1\n".to_owned(),
                c => format!("  %c = arith.constant {} : i1\n", c == 1),
            };
            let (ty, operands) = (result_type(op), operand("a", a) + &condition);
            let text = format!("func.func @f() -> {ty} {{\n{operands}  %r = {op}\n  return %r : {ty}\n}}");
            agrees(&mut solver, &text, ty);
        }
    }
}

#[test]
fn ops_of_two_results() {
    let Some(mut solver) = solver("meaning::ops_of_two_results") else { return };
    for (op, second) in [("addui_extended", "i1"), ("mulsi_extended", "i3"), ("mului_extended", "i3")] {
        for (a, b) in (0..81).map(|n| (n / 9, n % 9)) {
            for (n, ty) in ["i3", second].into_iter().enumerate() {
                let operands = operand("a", a) + &operand("b", b);
                let types = if op == "addui_extended" { "i3, i1" } else { "i3" };
                let text = format!(
                    "func.func @f() -> {ty} {{\n{operands}  %r:2 = arith.{op} %a, %b : {types}\n  return %r#{n} : {ty}\n}}"
                );
                agrees(&mut solver, &text, ty);
            }
        }
    }
}
