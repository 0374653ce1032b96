//! Expanded programs give the interpreter's bits, for every pattern and every tie of every small format.

use crate::common;

use common::{context, parse, transformed};
use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};
use terrace_dialect_arith as arith;
use terrace_dialect_test::generate::{Options, generate};
use terrace_dialect_test::{Refinement, edges, patterns, refines};
use terrace_interp::{Interpreter, RtValue};
use terrace_ir::show::{round_to_bits, value_of_bits};
use terrace_ir::{Context, Dialect, FloatKind, Ir};

const PASS: &str = "expand-floats";

fn small() -> impl Iterator<Item = (FloatKind, &'static str)> {
    FloatKind::ALL.iter().filter(|kind| kind.width() <= 8).map(|kind| (*kind, kind.word()))
}

/// The kind and the integer that holds it
fn container(kind: FloatKind) -> u32 {
    if kind.width() <= 8 { 8 } else { 32 }
}

struct Both {
    before: Ir,
    after: Ir,
    text: String,
}

impl Both {
    fn new(text: String) -> Both {
        let cx = context();
        let (before, after) = (parse(&cx, &text), transformed(&cx, &text, PASS));
        Both { before, after, text }
    }

    /// Bits of the only result of `f`, before and after
    fn bits(&self, args: &[(u64, FloatKind)]) -> (Option<u64>, Option<u64>) {
        let before = args.iter().map(|(bits, kind)| RtValue::float(*bits, *kind)).collect();
        let after = args.iter().map(|(bits, kind)| match kind.width() {
            16 | 32 | 64 => RtValue::float(*bits, *kind),
            _ => RtValue::int(i128::from(*bits), container(*kind)),
        });
        (call(&self.before, before), call(&self.after, after.collect()))
    }

    fn agree(&self, args: &[(u64, FloatKind)]) {
        let (wanted, found) = self.bits(args);
        assert!(wanted.is_some(), "{}", self.text);
        let shown = || {
            let mut text = String::new();
            terrace_text::print(&self.after, &terrace_text::PrintOptions::default(), &mut text);
            text
        };
        assert_eq!(found, wanted, "{args:x?}\n{}{}", self.text, shown());
    }
}

fn call(ir: &Ir, args: Vec<RtValue>) -> Option<u64> {
    let mut interpreter = Interpreter::new(ir, terrace_interp::Options::default());
    match interpreter.call("f", args).ok()?.first()? {
        RtValue::Float { bits, .. } => Some(*bits),
        RtValue::Int { bits, .. } => Some(*bits as u64),
        _ => None,
    }
}

fn cast(op: &str, from: &str, to: &str) -> Both {
    Both::new(format!(
        "func.func @f(%x: {from}) -> {to} {{ %r = arith.{op} %x : {from} to {to} return %r : {to} }}"
    ))
}

#[test]
fn every_pattern_widens() {
    for (kind, name) in small() {
        for wide in ["f32", "f64", "f16", "bf16"] {
            let both = cast("extf", name, wide);
            patterns(kind).for_each(|bits| both.agree(&[(bits, kind)]));
        }
    }
}

#[test]
fn every_tie_narrows_to_even() {
    for (kind, name) in small() {
        for (wide, wide_name) in [(FloatKind::F32, "f32"), (FloatKind::F64, "f64"), (FloatKind::F16, "f16")] {
            let both = cast("truncf", wide_name, name);
            edges(kind, wide).into_iter().for_each(|bits| both.agree(&[(bits, wide)]));
        }
    }
}

#[test]
fn small_formats_become_each_other() {
    for (kind, name) in small().filter(|(kind, _)| kind.width() == 8) {
        for (other, other_name) in small().filter(|(kind, _)| kind.width() < 8) {
            let both = cast("truncf", name, other_name);
            patterns(kind).for_each(|bits| both.agree(&[(bits, kind)]));
            let both = cast("extf", other_name, name);
            patterns(other).for_each(|bits| both.agree(&[(bits, other)]));
        }
    }
}

#[test]
fn tf32_is_f32_with_a_short_mantissa() {
    let both = cast("truncf", "f32", "tf32");
    for top in (0..1u64 << 19).step_by(37) {
        let exact = top << 13;
        for bits in [exact, exact | 0xfff, exact | 0x1000, exact | 0x1001, exact | 0x1fff] {
            both.agree(&[(bits & 0xffff_ffff, FloatKind::F32)]);
        }
    }
    let both = cast("extf", "tf32", "f64");
    let numbers = (0..1u64 << 19).step_by(101);
    let numbers = numbers.filter(|bits| value_of_bits(*bits, FloatKind::TF32).is_some_and(|x| !x.is_nan()));
    numbers.for_each(|bits| both.agree(&[(bits, FloatKind::TF32)]));
}

#[test]
fn rounding_modes() {
    let pairs = [
        (FloatKind::F64, "f64", FloatKind::F32, "f32"),
        (FloatKind::F64, "f64", FloatKind::F16, "f16"),
        (FloatKind::F32, "f32", FloatKind::BF16, "bf16"),
        (FloatKind::F32, "f32", FloatKind::F16, "f16"),
    ];
    for (from, from_name, to, to_name) in pairs {
        // Numbers of the narrow format, halfway points and what is beside both, near all ends of its range.
        let mut inputs = Vec::new();
        for bits in [
            0u64,
            1,
            2,
            3,
            0x3ff,
            0x400,
            0x7f,
            0x80,
            0x3c00,
            0x3c01,
            0x7bfe,
            0x7bff,
            0x7f7f,
            0x7f7e,
            0x7f7f_ffff,
            0x3f80_0001,
        ] {
            let number = |bits: u64| {
                value_of_bits(bits & ((1 << to.width()) - 1), to).filter(|value| value.is_finite())
            };
            let (Some(a), Some(b)) = (number(bits), number(bits + 1)) else { continue };
            for value in [a, b, a / 2.0 + b / 2.0, a * 0.75 + b * 0.25, a * 0.25 + b * 0.75] {
                let bits = round_to_bits(value, from).expect("known format");
                inputs.extend([bits.saturating_sub(1), bits, bits + 1]);
            }
        }
        inputs.extend(
            [f64::INFINITY, f64::NAN, 65519.0, 65520.0, 1e300]
                .map(|x| round_to_bits(x, from).expect("known format")),
        );
        let sign = 1 << (from.width() - 1);
        inputs.extend(inputs.clone().into_iter().map(|bits| bits | sign));
        for mode in ["downward", "upward", "toward_zero", "to_nearest_away", "to_nearest_even"] {
            let both = cast("truncf", from_name, to_name);
            let text = both.text.replace("%x :", &format!("%x {mode} :"));
            let both = Both::new(text);
            inputs.iter().for_each(|bits| both.agree(&[(*bits, from)]));
        }
    }
}

/// Formats of the scale and of what is scaled
#[test]
fn scaling_casts() {
    let power = FloatKind::F8E8M0FNU;
    for (kind, name) in small() {
        let widen = Both::new(format!(
            "func.func @f(%x: {name}, %s: f8E8M0FNU) -> f32 {{
               %r = arith.scaling_extf %x, %s : {name}, f8E8M0FNU to f32 return %r : f32 }}"
        ));
        let narrow = Both::new(format!(
            "func.func @f(%x: f32, %s: f32) -> {name} {{
               %r = arith.scaling_truncf %x, %s : f32, f32 to {name} return %r : {name} }}"
        ));
        let scales = [0u64, 1, 100, 126, 127, 128, 130, 200, 254, 255];
        for bits in patterns(kind).step_by(3) {
            scales.iter().for_each(|scale| widen.agree(&[(bits, kind), (*scale, power)]));
        }
        for bits in edges(kind, FloatKind::F32).into_iter().step_by(17) {
            for scale in [0.0f32, 1.0, 3.0, -2.0, 0.5, 1e-30, 1e38, f32::NAN, f32::INFINITY] {
                narrow.agree(&[(bits, FloatKind::F32), (u64::from(scale.to_bits()), FloatKind::F32)]);
            }
        }
    }
}

/// One op, rounded once: through f32, or f64 where f32 would show
#[test]
fn elementwise_ops() {
    for (kind, name) in small() {
        let mut text = String::new();
        let ops = ["addf", "subf", "mulf", "divf", "maximumf", "minnumf"];
        for (n, op) in ops.iter().enumerate() {
            let _ = writeln!(text, "%v{n} = arith.{op} %x, %y : {name}");
        }
        for n in 0..ops.len() {
            let both = Both::new(format!(
                "func.func @f(%x: {name}, %y: {name}) -> {name} {{ {text} return %v{n} : {name} }}"
            ));
            for (a, b) in
                patterns(kind).step_by(13).flat_map(|a| patterns(kind).step_by(17).map(move |b| (a, b)))
            {
                both.agree(&[(a, kind), (b, kind)]);
            }
        }
        let fused = Both::new(format!(
            "func.func @f(%x: {name}, %y: {name}) -> {name} {{
               %n = arith.negf %x : {name}
               %r = math.fma %x, %y, %n : {name}
               return %r : {name} }}"
        ));
        for (a, b) in patterns(kind).step_by(5).flat_map(|a| patterns(kind).step_by(21).map(move |b| (a, b)))
        {
            fused.agree(&[(a, kind), (b, kind)]);
        }
    }
}

fn arguments(cx: &Context, unit: &Ir, seed: u64) -> Vec<RtValue> {
    let ty = unit.attr(unit.root(), "function_type").and_then(|attr| attr.as_type(cx));
    let inputs = ty.and_then(|ty| ty.as_function(cx)).map_or(&[][..], |(inputs, _)| inputs);
    let numbers: [i64; 7] = [0, 1, -1, 7, -13, 1 << 33, i64::MIN];
    let one = |(n, ty): (usize, &terrace_ir::Type)| {
        let number = numbers[(seed as usize + 3 * n) % numbers.len()];
        match ty.kind(cx) {
            terrace_ir::TypeKind::Float(kind) => RtValue::float(
                terrace_ir::show::round_to_bits(number as f64 / 2.0, *kind).unwrap_or(0),
                *kind,
            ),
            _ => RtValue::int(number.into(), ty.bit_width(cx).unwrap_or(64)),
        }
    };
    inputs.iter().enumerate().map(one).collect()
}

#[test]
fn random_programs_with_scales() {
    static DIALECTS: &[&Dialect] = &[&arith::ARITH];
    let cx = context();
    let (mut same, mut scaled) = (0, 0);
    for seed in 0..200 {
        let made = generate(&cx, seed, &Options { ops: 40, diamonds: 0, dialects: DIALECTS });
        let mut text = String::new();
        terrace_text::print(&made.function, &terrace_text::PrintOptions::default(), &mut text);
        scaled += usize::from(text.contains("arith.scaling_"));
        let (before, after) = (parse(&cx, &text), transformed(&cx, &text, PASS));
        let mut shown = String::new();
        terrace_text::print(&after, &terrace_text::PrintOptions::default(), &mut shown);
        assert!(!shown.contains("arith.scaling_"), "{shown}");
        for round in 0..2 {
            let args = arguments(&cx, &made.function, seed + 1000 * round);
            match refines(&before, &after, "f", &args) {
                Refinement::Same => same += 1,
                Refinement::Undefined(_) => {}
                Refinement::Broken(why) => panic!("seed {seed}: {why}\n{text}\n{shown}"),
            }
        }
    }
    assert!(same > 100 && scaled > 10, "only {same} runs decide something, {scaled} with scales");
}

/// What upstream's own expansion gives, and the places where ours differs on purpose (decision 0012)
#[test]
fn upstreams_expansion() {
    let Some(tool) = mlir_opt() else {
        println!("skipped: upstreams_expansion (needs mlir-opt)");
        return;
    };
    let expanded = |op: &str, from: &str, to: &str| {
        let text = format!(
            "func.func @f(%x: {from}) -> {to} {{ %r = arith.{op} %x : {from} to {to} return %r : {to} }}"
        );
        let text = piped(tool, "--arith-expand=include-f8e8m0=true include-f4e2m1=true", &text);
        assert!(!text.contains(op), "{text}");
        parse(&context(), &text)
    };
    let (four, power) = (FloatKind::F4E2M1FN, FloatKind::F8E8M0FNU);
    let run = |ir: &Ir, bits: u64, kind: FloatKind| {
        call(ir, vec![RtValue::float(bits, kind)]).expect("upstream's expansion has a value")
    };
    let ours = |bits: u64, from: FloatKind, to: FloatKind| {
        value_of_bits(bits, from).and_then(|value| round_to_bits(value, to)).expect("known formats")
    };
    // 4 bits: the same numbers, but halfway goes away from zero instead of to even, and below one half the sign is lost.
    let (widen, narrow) = (expanded("extf", "f4E2M1FN", "f32"), expanded("truncf", "f32", "f4E2M1FN"));
    for bits in patterns(four) {
        assert_eq!(run(&widen, bits, four), ours(bits, four, FloatKind::F32));
    }
    for bits in edges(four, FloatKind::F32) {
        let (theirs, ours) = (run(&narrow, bits, FloatKind::F32), ours(bits, FloatKind::F32, four));
        let value = value_of_bits(bits, FloatKind::F32).expect("known format");
        let far = |bits: u64| (value_of_bits(bits, four).expect("known format") - value).abs();
        let tie = far(theirs) == far(ours) && (theirs & 7) == (ours & 7) + 1;
        let unsigned = theirs == ours & 7 && value.abs() < 0.5;
        assert!(theirs == ours || tie || unsigned || value.is_nan(), "{bits:#x}: {theirs} and {ours}");
    }
    // Powers of two: their 0x00 is zero, they drop sign and fraction.
    let (widen, narrow) = (expanded("extf", "f8E8M0FNU", "f32"), expanded("truncf", "f32", "f8E8M0FNU"));
    for bits in 1..0xff {
        assert_eq!(run(&widen, bits, power), ours(bits, power, FloatKind::F32));
    }
    assert_eq!(run(&widen, 0, power), 0);
    assert_eq!(ours(0, power, FloatKind::F32), 1 << 22);
    for bits in edges(power, FloatKind::F32) {
        let theirs = run(&narrow, bits, FloatKind::F32);
        assert_eq!(theirs, bits >> 23 & 0xff);
        let (negative, fraction) = (bits >> 31 == 1, bits & ((1 << 23) - 1));
        if !negative && fraction >> 22 == 0 && bits >> 23 > 0 {
            assert_eq!(ours(bits, FloatKind::F32, power), theirs, "{bits:#x}");
        }
    }
}

fn mlir_opt() -> Option<&'static str> {
    let tools = ["mlir-opt-22", "/usr/lib/llvm-22/bin/mlir-opt"];
    tools
        .into_iter()
        .find(|tool| Command::new(tool).arg("--version").output().is_ok_and(|out| out.status.success()))
}

fn piped(tool: &str, arg: &str, text: &str) -> String {
    let mut child = Command::new(tool)
        .args([arg, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it was there a moment ago");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(text.as_bytes()).expect("it reads its input");
    drop(input);
    let out = child.wait_with_output().expect("it ends");
    assert!(out.status.success(), "{text}");
    String::from_utf8(out.stdout).expect("its output is text")
}
