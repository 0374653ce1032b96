//! Each fold against the interpreter: every op of `arith` that folds, on random and edge operands.
//!
//! A fold may give any value where the interpreter gives poison, must give none where it traps, and else the same bits
//! (NaNs count as one, but for ops on bits). The numbers come from a fixed seed.

use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_arith as arith;
use terrace_interp::{Interpreter, Options, RtValue};
use terrace_ir::fold::constant_of;
use terrace_ir::show::{attr_text, type_text, value_of_bits};
use terrace_ir::{AttrKind, Context, FoldCx, FoldResult, Folded, Ir, OpId, Type, TypeKind};
use terrace_support::Random;

const INTS: &[&str] = &["i1", "i7", "i8", "i32", "i33", "i64", "i128", "index"];
const FLOATS: &[&str] = &["f16", "bf16", "f32", "f64"];

fn width(ty: &str) -> u32 {
    match ty {
        "index" => 64,
        other => other.trim_start_matches(['b', 'f', 'i']).parse().expect("a width"),
    }
}

/// The text of a constant
fn operand(random: &mut Random, ty: &str) -> String {
    let width = width(ty);
    if !ty.starts_with('i') {
        let mask = u64::MAX >> (64 - width);
        let (exponent, mantissa) = match width {
            16 if ty == "bf16" => (8, 7),
            16 => (5, 10),
            32 => (8, 23),
            _ => (11, 52),
        };
        let bias = (1u64 << (exponent - 1)) - 1;
        let infinity = ((1u64 << exponent) - 1) << mantissa;
        let edges = [
            0,
            1,
            (1 << mantissa) - 1,
            1 << mantissa,
            bias << mantissa,
            (bias + 1) << mantissa,
            (bias << mantissa) | 1,
            (bias + 7) << mantissa,
            (bias + 31).min((1 << exponent) - 2) << mantissa,
            infinity - 1,
            infinity,
            infinity | 1 << (mantissa - 1),
        ];
        let mut bits = match random.below(3) {
            0 => random.next() & mask,
            // Near one, where casts to integers do something
            1 => {
                let near = (bias + random.below(12) as u64) << mantissa;
                near | random.next() & ((1 << mantissa) - 1)
            }
            _ => edges[random.below(edges.len())],
        };
        if random.below(2) == 1 {
            bits ^= 1 << (width - 1);
        }
        return format!("0x{bits:0digits$X} : {ty}", digits = width as usize / 4);
    }
    let mask = u128::MAX >> (128 - width);
    let edges =
        [0, 1, 2, 3, 7, u128::from(width) - 1, u128::from(width), mask >> 1, (mask >> 1) + 1, mask, mask - 1];
    let any = u128::from(random.next()) << 64 | u128::from(random.next());
    let bits = if random.below(3) == 0 { any & mask } else { edges[random.below(edges.len())] & mask };
    if width == 1 {
        return if bits == 1 { "true" } else { "false" }.into();
    }
    let value = (bits << (128 - width)) as i128 >> (128 - width);
    format!("{value} : {ty}")
}

/// One op: its text after the operands' names are put for `A`, `B`, `C`, the operands' types, the results' types
struct Case {
    op: String,
    operands: Vec<&'static str>,
    results: Vec<String>,
}

fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    let mut add = |op: String, operands: &[&'static str], result: &str| {
        all.push(Case { op, operands: operands.to_vec(), results: vec![result.to_string()] });
    };
    for &ty in INTS {
        for name in [
            "addi",
            "subi",
            "muli",
            "shli",
            "divsi",
            "divui",
            "shrsi",
            "shrui",
            "ceildivsi",
            "ceildivui",
            "floordivsi",
            "remsi",
            "remui",
            "andi",
            "ori",
            "xori",
            "maxsi",
            "maxui",
            "minsi",
            "minui",
        ] {
            add(format!("arith.{name} A, B : {ty}"), &[ty, ty], ty);
        }
        for name in ["addi", "subi", "muli", "shli"] {
            for flag in ["nsw", "nuw"] {
                add(format!("arith.{name} A, B overflow<{flag}> : {ty}"), &[ty, ty], ty);
            }
        }
        for name in ["divsi", "divui", "shrsi", "shrui"] {
            add(format!("arith.{name} A, B exact : {ty}"), &[ty, ty], ty);
        }
        for (predicate, _) in arith::CmpIPredicate::DEF.cases {
            add(format!("arith.cmpi {predicate}, A, B : {ty}"), &[ty, ty], "i1");
        }
        add(format!("arith.select A, B, C : {ty}"), &["i1", ty, ty], ty);
        for name in ["absi", "ctlz", "cttz", "ctpop"] {
            add(format!("math.{name} A : {ty}"), &[ty], ty);
        }
        add(format!("math.ipowi A, B : {ty}"), &[ty, ty], ty);
        for &to in INTS {
            let (from_width, to_width) = (width(ty), width(to));
            if (ty == "index") != (to == "index") {
                add(format!("arith.index_cast A : {ty} to {to}"), &[ty], to);
                add(format!("arith.index_castui A : {ty} to {to}"), &[ty], to);
            } else if from_width < to_width {
                add(format!("arith.extsi A : {ty} to {to}"), &[ty], to);
                add(format!("arith.extui A : {ty} to {to}"), &[ty], to);
            } else if from_width > to_width {
                add(format!("arith.trunci A : {ty} to {to}"), &[ty], to);
                add(format!("arith.trunci A overflow<nsw> : {ty} to {to}"), &[ty], to);
            }
        }
        for &to in FLOATS {
            if ty != "index" {
                add(format!("arith.sitofp A : {ty} to {to}"), &[ty], to);
                add(format!("arith.uitofp A : {ty} to {to}"), &[ty], to);
                add(format!("arith.fptosi A : {to} to {ty}"), &[to], ty);
                add(format!("arith.fptoui A : {to} to {ty}"), &[to], ty);
                if width(ty) == width(to) {
                    add(format!("arith.bitcast A : {ty} to {to}"), &[ty], to);
                    add(format!("arith.bitcast A : {to} to {ty}"), &[to], ty);
                }
            }
        }
    }
    for &ty in FLOATS {
        for name in ["addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf"] {
            add(format!("arith.{name} A, B : {ty}"), &[ty, ty], ty);
            add(format!("arith.{name} A, B fastmath<nnan> : {ty}"), &[ty, ty], ty);
        }
        add(format!("arith.negf A : {ty}"), &[ty], ty);
        for name in ["absf", "ceil", "floor", "round", "roundeven", "sqrt", "trunc"] {
            add(format!("math.{name} A : {ty}"), &[ty], ty);
        }
        add(format!("math.copysign A, B : {ty}"), &[ty, ty], ty);
        add(format!("math.fma A, B, C : {ty}"), &[ty, ty, ty], ty);
        for name in ["isfinite", "isinf", "isnan", "isnormal"] {
            add(format!("math.{name} A : {ty}"), &[ty], "i1");
        }
        for (predicate, _) in arith::CmpFPredicate::DEF.cases {
            add(format!("arith.cmpf {predicate}, A, B : {ty}"), &[ty, ty], "i1");
        }
        for &to in FLOATS {
            if width(ty) < width(to) {
                add(format!("arith.extf A : {ty} to {to}"), &[ty], to);
            } else if width(ty) > width(to) {
                add(format!("arith.truncf A : {ty} to {to}"), &[ty], to);
                for mode in ["downward", "upward", "toward_zero", "to_nearest_away"] {
                    add(format!("arith.truncf A {mode} : {ty} to {to}"), &[ty], to);
                }
            }
        }
    }
    all
}

fn same(cx: &Context, ty: Type, a: &RtValue, b: &RtValue, exact: bool) -> bool {
    match (a, b, ty.kind(cx)) {
        (RtValue::Float { bits: a, .. }, RtValue::Float { bits: b, .. }, TypeKind::Float(kind)) => {
            let nan = |bits: u64| value_of_bits(bits, *kind).is_some_and(f64::is_nan);
            a == b || !exact && nan(*a) && nan(*b)
        }
        _ => a == b,
    }
}

fn op_of(unit: &Ir) -> OpId {
    let body = unit.regions(unit.root()).next().expect("a function has a body");
    let last = unit.last_op(unit.entry(body).expect("the body has a block")).expect("a block has ops");
    let value = unit.operand(last, 0);
    unit.defining_op(value).expect("what is returned is the op's result")
}

#[test]
fn folds_agree_with_the_interpreter() {
    let mut random = Random::new(0x9E37_79B9_7F4A_7C15);
    let (mut wrong, mut folded, mut names) = (Vec::new(), 0, std::collections::BTreeSet::new());
    for round in 0..3 {
        let cx: Arc<Context> = Context::new(&[
            &terrace_dialect_builtin::BUILTIN,
            &terrace_dialect_arith::ARITH,
            &terrace_dialect_func::FUNC,
            &terrace_dialect_math::MATH,
            &terrace_dialect_ub::UB,
        ]);
        let mut text = String::new();
        let cases = cases();
        let count = 10;
        for (n, case) in cases.iter().enumerate() {
            for k in 0..count {
                text.push_str(&format!("func.func @f{n}_{k}() -> {} {{\n", case.results[0]));
                let mut op = case.op.clone();
                for (at, ty) in case.operands.iter().enumerate() {
                    text.push_str(&format!("  %x{at} = arith.constant {}\n", operand(&mut random, ty)));
                    op = op.replacen([" A", " B", " C"][at], &format!(" %x{at}"), 1);
                }
                text.push_str(&format!("  %r = {op}\n  return %r : {}\n}}\n", case.results[0]));
            }
        }
        let source = cx.sources().add("folds.mlir", text);
        let mut diags = Diags::default();
        let ir = terrace_text::parse(&cx, source, &terrace_text::ParseOptions::default(), &mut diags);
        let messages = terrace_diag::render_all(diags.iter(), cx.sources(), false);
        let ir = ir.filter(|_| !diags.has_errors()).unwrap_or_else(|| panic!("{messages}"));
        let mut interpreter = Interpreter::new(&ir, Options::default());
        for (n, case) in cases.iter().enumerate() {
            for k in 0..count {
                let name = format!("f{n}_{k}");
                let unit = interpreter.function(&name).expect("it was parsed");
                let op = op_of(unit);
                let fold = unit.def(op).fold.unwrap_or_else(|| panic!("{} does not fold", case.op));
                let attr = match fold(&FoldCx { ir: unit, op }) {
                    Folded::No => continue,
                    Folded::One(FoldResult::Attr(attr)) => attr,
                    Folded::One(FoldResult::Value(value)) => {
                        constant_of(unit, value).expect("all operands are constants")
                    }
                    Folded::Many(_) => panic!("{} has one result", case.op),
                };
                folded += 1;
                names.insert(unit.def(op).name);
                let ty = unit.ty(unit.result(op, 0));
                let given: Vec<String> = unit
                    .operands(op)
                    .filter_map(|value| constant_of(unit, value))
                    .map(|attr| attr_text(&cx, attr))
                    .collect();
                let story = format!(
                    "round {round}: {} on {}: folded to {}",
                    case.op,
                    given.join(" and "),
                    attr_text(&cx, attr)
                );
                let typed = matches!(attr.kind(&cx), AttrKind::Int { ty: at, .. } | AttrKind::Float { ty: at, .. } if *at == ty);
                if !typed {
                    wrong.push(format!("{story}, not of type {}", type_text(&cx, ty)));
                    continue;
                }
                match interpreter.call(&name, Vec::new()) {
                    Err(trap) => wrong.push(format!("{story}, but running it traps: {}", trap.message)),
                    Ok(values) if values[0] == RtValue::Poison => {}
                    Ok(values) => {
                        let value = RtValue::of_attr(&cx, attr).expect("a scalar constant");
                        let exact = matches!(unit.def(op).name, "arith.negf" | "arith.bitcast");
                        if !same(&cx, ty, &value, &values[0], exact) {
                            let text = terrace_interp::text::value_text(&values[0]);
                            wrong.push(format!("{story}, but running it gives {text}"));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    assert!(folded > 5000, "only {folded} folds were compared");
    // Those with two results are in `test-files/dialects/arith/simplify.mlir`.
    let foldable =
        arith::ARITH.ops.iter().filter(|op| op.fold.is_some() && op.results.len() == 1).map(|op| op.name);
    let missed: Vec<&str> =
        foldable.filter(|name| !names.contains(name) && *name != "arith.convertf").collect();
    assert!(missed.is_empty(), "never folded: {}", missed.join(", "));
}
