//! Accumulators: sums in another type, with their error, and without any rounding; on every target's schedules, bit by bit.
//!
//! What an exact sum is comes from integers of any length here, and the conversion of a decimal number to a float.

use crate::common::{DOWN, HARNESS, lower, parse};
use crate::in_order::TARGETS;
use num_bigint::BigInt;
use terrace_dialect_test::values::{fill, interpreter, read, types};
use terrace_interp::{Interpreter, Options, Order, RtValue};
use terrace_ir::show::{round_to_bits, value_of_bits};
use terrace_ir::{FloatKind, Ir, Type};
use terrace_support::Random;

const WRITE: &str = "mdh-accumulators";

/// Rows of floats, each summed; the type of elements, the type of results, and what the sum states
fn rows([m, n]: [usize; 2], from: &str, to: &str, said: &str) -> String {
    let (value, cast) = match from == to || said.contains("acc") {
        true => ("%a", String::new()),
        false => ("%w", format!("    %w = arith.extf %a : {from} to {to}\n")),
    };
    let ty = if value == "%a" { from } else { to };
    format!(
        "func.func @f(%A: tensor<{m}x{n}x{from}>) -> tensor<{m}x{to}> {{
  %s = mdh.compute (i in {m}, j in {n} pw add {said}) ins(%a = %A[i, j]) outs([i]) {{
{cast}    mdh.yield {value} : {ty}
  }} : (tensor<{m}x{n}x{from}>) -> tensor<{m}x{to}>
  return %s : tensor<{m}x{to}>
}}"
    )
}

/// The bits of the result
fn bits(values: Vec<Option<f64>>) -> Vec<u64> {
    let canonical = |value: f64| if value.is_nan() { f64::NAN } else { value };
    values.into_iter().map(|value| canonical(value.expect("it is written")).to_bits()).collect()
}

/// What a program means on tensors
fn meaning(ir: &Ir, given: &[Vec<RtValue>]) -> Vec<u64> {
    let args = given.iter().map(|all| RtValue::Vector(all.clone().into())).collect();
    let found = interpreter(ir).call("f", args).unwrap_or_else(|trap| panic!("{}", trap.message));
    bits(terrace_dialect_test::values::numbers(&found[0]))
}

/// The same of one on buffers
fn on_buffers(ir: &Ir, given: &[Vec<RtValue>], order: Order) -> Vec<u64> {
    let mut machine = Interpreter::new(ir, Options { order, ..Options::default() });
    let inputs: Vec<Type> = types(ir, "f").0;
    let mut views = Vec::new();
    for (n, ty) in inputs.iter().enumerate() {
        let shape = ty.shape(ir.cx()).unwrap_or(&[]);
        views.push((shape, fill(&mut machine, shape, given.get(n).map_or(&[], Vec::as_slice))));
    }
    let args = views.iter().map(|(_, view)| RtValue::MemRef(view.clone())).collect();
    machine.call("f", args).unwrap_or_else(|trap| panic!("{}", trap.message));
    let (shape, view) = views.pop().expect("there is a result");
    bits(read(&mut machine, shape, &view))
}

/// The bits of a program, which all targets' schedules have in each order of blocks and threads
fn one_pattern(text: &str, given: &[Vec<RtValue>]) -> Vec<u64> {
    let mut ir = parse(text);
    lower(&mut ir, WRITE, text);
    let wanted = meaning(&ir, given);
    for target in TARGETS {
        let mut ir = parse(text);
        lower(&mut ir, WRITE, text);
        let first = match *target {
            "" => String::new(),
            _ => format!("func.func(mdh-operators,mdh-inline,mdh-schedule{{target={target}}}),"),
        };
        for step in [format!("{first}func.func(mdh-to-sched)"), DOWN.to_string()] {
            lower(&mut ir, &step, text);
            for order in [Order::Forward, Order::Reverse, Order::Seed(1)] {
                assert_eq!(on_buffers(&ir, given, order), wanted, "`{target}`, {step}, {order:?}\n{text}");
            }
        }
    }
    wanted
}

fn kind(word: &str) -> FloatKind {
    match word {
        "f16" => FloatKind::F16,
        "bf16" => FloatKind::BF16,
        "f64" => FloatKind::F64,
        _ => FloatKind::F32,
    }
}

fn float(value: f64, ty: &str) -> RtValue {
    RtValue::float(round_to_bits(value, kind(ty)).expect("a float"), kind(ty))
}

fn floats(values: &[f64], ty: &str) -> Vec<RtValue> {
    values.iter().map(|value| float(*value, ty)).collect()
}

/// Finite numbers of all sizes; every third is nearly the negative of another, so that sums cancel
fn wild(r: &mut Random, count: usize, ty: &str) -> Vec<f64> {
    let bits = |r: &mut Random| match ty {
        "f64" => r.below(1 << 32) << 32 | r.below(1 << 32),
        "f32" => r.below(1 << 32),
        _ => r.below(1 << 16),
    };
    let mut all: Vec<f64> = Vec::new();
    while all.len() < count {
        let value = match all.len() % 3 {
            2 => -all[r.below(all.len() as u64) as usize],
            _ => value_of_bits(bits(r), kind(ty)).unwrap_or(f64::NAN),
        };
        if value.is_finite() {
            all.push(value);
        }
    }
    all
}

/// The sum of numbers as a float: an integer of multiples of 2⁻¹⁰⁷⁴, written as a decimal number and read as a float
fn oracle(values: &[f64], ty: &str) -> f64 {
    let mut sum = BigInt::from(0);
    for value in values {
        let bits = value.to_bits();
        let (exponent, digits) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
        let own = match exponent {
            0 => BigInt::from(digits),
            _ => BigInt::from(digits | 1 << 52) << (exponent - 1),
        };
        sum += if *value < 0.0 { -own } else { own };
    }
    if sum == BigInt::from(0) {
        return 0.0;
    }
    let decimal = format!("{}e-1074", &sum * BigInt::from(5).pow(1074));
    match ty {
        "f64" => decimal.parse().expect("a number"),
        "f32" => f64::from(decimal.parse::<f32>().expect("a number")),
        _ => {
            // Sums of these tests have less than 53 bits in between, or the float itself would be rounded twice.
            let value: f64 = decimal.parse().expect("a number");
            let rounded = round_to_bits(value, kind(ty)).expect("a float");
            value_of_bits(rounded, kind(ty)).expect("a float")
        }
    }
}

#[test]
fn exact_sums_are_those_of_integers() {
    let mut r = Random::new(5);
    let floats_of = ["f32", "f64", "f16", "bf16"].map(|ty| (ty, ty));
    let wider = [("f16", "f32"), ("bf16", "f32"), ("f16", "f64"), ("bf16", "f64"), ("f32", "f64")];
    for (from, to) in floats_of.into_iter().chain(wider) {
        // Sixty-six words take long in the interpreter.
        let shapes: &[[usize; 2]] = if to == "f64" { &[[3, 1], [5, 7]] } else { &[[3, 1], [5, 7], [2, 67]] };
        for [m, n] in shapes.iter().copied() {
            let text = rows([m, n], from, to, "exact");
            let values = wild(&mut r, m * n, from);
            let found = one_pattern(&text, &[floats(&values, from)]);
            let wanted: Vec<u64> = values.chunks(n).map(|row| oracle(row, to).to_bits()).collect();
            assert_eq!(found, wanted, "{from} to {to}, {m}×{n}");
        }
    }
}

/// Results near the borders of a type: halfway between two floats, subnormal, just below and beyond the greatest
#[test]
fn exact_sums_round_once() {
    let ulp = 2f64.powi(-23);
    let most = f64::from(f32::MAX);
    let tiny = 2f64.powi(-149);
    let rows_of = [
        [1.0, ulp / 2.0, 0.0, 0.0],
        [1.0, ulp / 2.0, tiny, 0.0],
        [1.0 + ulp, ulp / 2.0, 0.0, 0.0],
        [1.0 + ulp, ulp / 2.0, -tiny, 0.0],
        [-1.0, -ulp / 2.0, -tiny, 0.0],
        [2f64.powi(-126), -tiny, 0.0, 0.0],
        [tiny, tiny, tiny, -2f64.powi(-126)],
        [most, 2f64.powi(102), 0.0, 0.0],
        [most, 2f64.powi(103), 0.0, 0.0],
        [most, most, -most, -tiny],
        [most, most, most, most],
        [0.0, -0.0, 0.0, -0.0],
        [1.0, -1.0, 0.0, 0.0],
    ];
    round_once(&rows_of, "f32");
    doubles_round_once();
    // Sums of bf16 are rounded from what they are, not from the nearest f32.
    let halfway = [1.0, 2f64.powi(-8), 2f64.powi(-40), 0.0];
    let text = rows([1, 4], "bf16", "bf16", "exact");
    let found = one_pattern(&text, &[floats(&halfway, "bf16")]);
    assert_eq!(found, [(1.0 + 2f64.powi(-7)).to_bits()]);
}

/// Sums of rows are what integers of any length say
fn round_once(rows_of: &[[f64; 4]], ty: &str) {
    let text = rows([rows_of.len(), 4], ty, ty, "exact");
    let found = one_pattern(&text, &[floats(&rows_of.concat(), ty)]);
    let wanted: Vec<u64> = rows_of.iter().map(|row| oracle(row, ty).to_bits()).collect();
    assert_eq!(found, wanted);
}

/// The same of f64
fn doubles_round_once() {
    let (ulp, most, tiny) = (f64::EPSILON, f64::MAX, f64::from_bits(1));
    let normal = f64::MIN_POSITIVE;
    let rows_of = [
        [1.0, ulp / 2.0, 0.0, 0.0],
        [1.0, ulp / 2.0, tiny, 0.0],
        [1.0 + ulp, ulp / 2.0, 0.0, 0.0],
        [1.0 + ulp, ulp / 2.0, -tiny, 0.0],
        [-1.0, -ulp / 2.0, -tiny, 0.0],
        // A leading digit of one bit: what is rounded lies in the third digit.
        [2f64.powi(32 * 33 - 1074), 2f64.powi(32 * 33 - 1074 - 52), 2f64.powi(32 * 33 - 1074 - 53), tiny],
        [2f64.powi(32 * 33 - 1074), 2f64.powi(32 * 33 - 1074 - 53), 0.0, 0.0],
        [normal, -tiny, 0.0, 0.0],
        [tiny, tiny, tiny, -normal],
        [most, 2f64.powi(969), 0.0, 0.0],
        [most, 2f64.powi(970), 0.0, 0.0],
        [most, 2f64.powi(970), -tiny, 0.0],
        [most, most, -most, -tiny],
        [most, most, most, most],
        [-most, -most, -most, -most],
        [0.0, -0.0, 0.0, -0.0],
        [1e300, 1.0, -1e300, 1e-300],
    ];
    round_once(&rows_of, "f64");
}

#[test]
fn exact_sums_of_what_is_no_number() {
    let (inf, nan, big) = (f64::INFINITY, f64::NAN, 2f64.powi(127));
    let rows_of = [
        [1.0, inf, 2.0],
        [-inf, 1.0, -inf],
        [inf, 1.0, -inf],
        [nan, 1.0, inf],
        [-0.0, -0.0, -0.0],
        [big, big, -inf],
    ];
    let wanted = [inf, -inf, nan, nan, -0.0, -inf].map(f64::to_bits);
    for (from, to) in [("f32", "f32"), ("f64", "f64"), ("bf16", "bf16"), ("f16", "f32")] {
        let text = rows([6, 3], from, to, "exact");
        let given = rows_of
            .concat()
            .into_iter()
            .map(|value| if value == big && from == "f16" { 65504.0 } else { value });
        let found = one_pattern(&text, &[floats(&given.collect::<Vec<f64>>(), from)]);
        assert_eq!(found, wanted, "{from}");
    }
}

/// A start value is a term, and what does not round stays as it is
#[test]
fn exact_sums_have_start_values() {
    let text = "func.func @f(%A: tensor<2x5xf32>, %S: tensor<2xf32>) -> tensor<2xf32> {
  %s = mdh.compute (i in 2, j in 5 pw add exact) ins(%a = %A[i, j]) outs([i] into %S) {
    mdh.yield %a : f32
  } : (tensor<2x5xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %s : tensor<2xf32>
}";
    let small = 2f64.powi(-60);
    let a = [small, 2.0, small, 0.5, -0.5, 1.0, 1.0, 1.0, 1.0, 1.0];
    let s = [-2.0, small];
    let found = one_pattern(text, &[floats(&a, "f32"), floats(&s, "f32")]);
    assert_eq!(found, [(2.0 * small).to_bits(), 5f64.to_bits()]);
    let most = "func.func @f(%A: tensor<4xf32>) -> tensor<f32> {
  %s = mdh.compute (j in 4 pw max exact) ins(%a = %A[j]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<f32>
  return %s : tensor<f32>
}";
    assert_eq!(one_pattern(most, &[floats(&a[..4], "f32")]), [2f64.to_bits()]);
}

/// A large number and many small ones: each small one is lost in a plain sum
#[test]
fn compensated_sums_keep_what_is_rounded_off() {
    for (ty, small) in [("f32", 1e-8), ("f64", 1e-17)] {
        let mut values = vec![small; 1000];
        values[0] = 1.0;
        let plain = one_pattern(&rows([1, 1000], ty, ty, "source"), &[floats(&values, ty)]);
        assert_eq!(plain, [1f64.to_bits()], "a plain sum loses them");
        for order in ["", " invariant", " source"] {
            let text = rows([1, 1000], ty, ty, &format!("compensated{order}"));
            let mut ir = parse(&text);
            lower(&mut ir, &format!("{WRITE},func.func(mdh-fix-bits)"), &text);
            let found = f64::from_bits(meaning(&ir, &[floats(&values, ty)])[0]);
            assert!((found - 1.0 - 999.0 * small).abs() < 10.0 * small, "{ty}{order}: {found}");
        }
        let text = rows([1, 1000], ty, ty, "compensated");
        for target in TARGETS {
            let mut ir = parse(&text);
            let first = match *target {
                "" => String::new(),
                _ => format!("mdh-operators,mdh-inline,mdh-schedule{{target={target}}},"),
            };
            lower(&mut ir, &format!("{WRITE},func.func({first}mdh-to-sched)"), &text);
            lower(&mut ir, DOWN, &text);
            let found = f64::from_bits(on_buffers(&ir, &[floats(&values, ty)], Order::Forward)[0]);
            assert!((found - 1.0 - 999.0 * small).abs() < 10.0 * small, "{ty} for `{target}`: {found}");
        }
    }
}

/// Infinities, NaN and negative zeros are those of the plain sum
#[test]
fn compensated_sums_of_what_is_no_number() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let rows_of =
        [[1.0, inf, 2.0], [inf, 1.0, -inf], [nan, 1.0, 2.0], [-0.0, -0.0, -0.0], [3e38, 3e38, -3e38]];
    let found =
        one_pattern(&rows([5, 3], "f32", "f32", "compensated source"), &[floats(&rows_of.concat(), "f32")]);
    assert_eq!(found, [inf, nan, nan, -0.0, inf].map(f64::to_bits));
}

/// Rows 1 and 2 of the paper's Table 2 sum 16-bit floats: in their own type, and in f32 with one rounding
#[test]
fn sums_of_16_bits_both_ways() {
    let ones = floats(&[1.0; 3000], "f16");
    for (said, wanted) in
        [("acc f16 source", 2048.0), ("acc f32 source", 3000.0), ("acc f64", 3000.0), ("exact", 3000.0)]
    {
        let found = one_pattern(&rows([1, 3000], "f16", "f16", said), std::slice::from_ref(&ones));
        assert_eq!(found, [f64::to_bits(wanted)], "{said}");
    }
    // Beyond 65504 a partial result of 16 bits is infinite, even where the result is not.
    let large = floats(&[40000.0, 40000.0, -40000.0], "f16");
    for (said, to, wanted) in [
        ("acc f16 source", "f16", f64::INFINITY),
        ("acc f32", "f16", 40000.0),
        ("acc f32 source", "f32", 40000.0),
    ] {
        let found = one_pattern(&rows([1, 3], "f16", to, said), std::slice::from_ref(&large));
        let wanted =
            round_to_bits(wanted, FloatKind::F16).and_then(|bits| value_of_bits(bits, FloatKind::F16));
        assert_eq!(found, [wanted.expect("a float").to_bits()], "{said}");
    }
    // The result itself overflows at the one conversion.
    let found = one_pattern(&rows([1, 2], "f16", "f16", "acc f32"), &[floats(&[40000.0, 40000.0], "f16")]);
    assert_eq!(found, [f64::INFINITY.to_bits()]);
}

/// Integers wrap: in the accumulator, and where a result is narrower
#[test]
fn sums_of_integers_wrap() {
    let text = |acc: &str, to: &str| {
        format!(
            "func.func @f(%A: tensor<2x200xi8>) -> tensor<2x{to}> {{
  %s = mdh.compute (i in 2, j in 200 pw add acc {acc}) ins(%a = %A[i, j]) outs([i]) {{
    mdh.yield %a : i8
  }} : (tensor<2x200xi8>) -> tensor<2x{to}>
  return %s : tensor<2x{to}>
}}"
        )
    };
    let given: Vec<RtValue> = (0..400).map(|n| RtValue::int(if n < 200 { 100 } else { -100 }, 8)).collect();
    for (acc, to, wanted) in
        [("i32", "i32", 20000), ("i64", "i32", 20000), ("i32", "i8", 32), ("i8", "i32", 32)]
    {
        let found = one_pattern(&text(acc, to), std::slice::from_ref(&given));
        assert_eq!(found, [f64::from(wanted), f64::from(-wanted)].map(f64::to_bits), "{acc} to {to}");
    }
}

/// One pattern of bits even if each block updates the sums of digits in memory
#[test]
fn atomic_updates_of_exact_sums_give_one_pattern() {
    let text = rows([1, 96], "f32", "f32", "exact");
    let mut r = Random::new(11);
    let values = wild(&mut r, 96, "f32");
    let wanted = oracle(&values, "f32").to_bits();
    let mut ir = parse(&text);
    lower(&mut ir, WRITE, &text);
    let outs = ["^"; 10].join(",");
    let schedule = format!(
        "mdh.schedule = [\"1: (1,6) (^ ; {outs}) (^,BLK.x(atomic))\", \"2: (1,1) (^ ; {outs}) (FOR.1,FOR.2)\"]"
    );
    let places = ["[i]"; 10].join(", ");
    let made = terrace_dialect_test::values::shown(&ir).replacen(
        &format!("outs({places})"),
        &format!("outs({places}) attributes {{{schedule}}}"),
        1,
    );
    assert!(made.contains("atomic"), "{made}");
    let mut ir = parse(&made);
    lower(&mut ir, "func.func(mdh-to-sched)", &made);
    for seed in 0..50 {
        assert_eq!(on_buffers(&ir, &[floats(&values, "f32")], Order::Seed(seed)), [wanted]);
    }
}

/// Refusals say what is accepted
#[test]
fn what_is_not_accumulated_is_refused() {
    let f32s = |said: &str| rows([2, 3], "f32", "f32", said);
    for (text, why) in [
        (f32s("acc i32"), "is accumulated in i32, and the result is f32"),
        (f32s("acc f32 exact"), "has accumulators of its own"),
        (rows([2, 3], "f64", "f64", "exact").replace("add", "mul"), "sums of f16, bf16, f32 and f64 are"),
        (f32s("exact").replace("add", "mul"), "`mul` of f32 is not"),
        (f32s("compensated").replace("add", "mul"), "of f32 is not `compensated`"),
        (f32s("compensated fused"), "`fused`"),
    ] {
        let shown = HARNESS.parse(&text).err().unwrap_or_default();
        assert!(shown.contains(why), "{shown}\n{text}");
    }
}
