//! Functions of rows against `libm` in f64 and against references of 60 digits: units in the last place, and what is special.

mod lane;

use lane::{LANES, Lane};
use terrace_dialect_math as math;
use terrace_dialect_math::polynomial_approximation::{Format, approximate};
use terrace_ir::OpDef;
use terrace_support::Random;

/// A function of one float, what it is in f64, and its largest errors in f32: with fused products, and without
struct One {
    op: &'static OpDef,
    exact: fn(f64) -> f64,
    units: [f64; 2],
}

const ONES: &[One] = &[
    One { op: math::Acos::DEF, exact: libm::acos, units: [1.5, 1.5] },
    One {
        op: math::Acosh::DEF,
        exact: |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) },
        units: [3.0, 3.0],
    },
    One { op: math::Asin::DEF, exact: libm::asin, units: [1.5, 1.5] },
    One { op: math::Asinh::DEF, exact: libm::asinh, units: [3.0, 3.0] },
    One { op: math::Atan::DEF, exact: libm::atan, units: [2.0, 2.0] },
    One { op: math::Atanh::DEF, exact: libm::atanh, units: [3.0, 3.0] },
    One { op: math::Cbrt::DEF, exact: libm::cbrt, units: [1.5, 1.5] },
    One { op: math::Cos::DEF, exact: libm::cos, units: [2.0, 2.0] },
    One { op: math::Cosh::DEF, exact: libm::cosh, units: [2.0, 2.0] },
    One { op: math::Erf::DEF, exact: libm::erf, units: [3.7, 3.7] },
    One { op: math::Erfc::DEF, exact: libm::erfc, units: [4.0, 4.0] },
    One { op: math::Exp::DEF, exact: libm::exp, units: [1.0, 1.5] },
    One { op: math::Exp2::DEF, exact: libm::exp2, units: [1.0, 1.5] },
    One { op: math::ExpM1::DEF, exact: libm::expm1, units: [1.5, 2.0] },
    One { op: math::Log::DEF, exact: libm::log, units: [1.2, 1.5] },
    One { op: math::Log10::DEF, exact: libm::log10, units: [1.5, 2.0] },
    One { op: math::Log1p::DEF, exact: libm::log1p, units: [1.5, 2.0] },
    One { op: math::Log2::DEF, exact: libm::log2, units: [1.5, 2.0] },
    One { op: math::Rsqrt::DEF, exact: |x| 1.0 / libm::sqrt(x), units: [1.5, 1.5] },
    One { op: math::Sin::DEF, exact: libm::sin, units: [2.0, 2.0] },
    One { op: math::Sinh::DEF, exact: libm::sinh, units: [2.0, 2.0] },
    One { op: math::Tan::DEF, exact: libm::tan, units: [3.0, 3.0] },
    One { op: math::Tanh::DEF, exact: libm::tanh, units: [2.8, 3.2] },
];

/// A function of two floats
struct Two {
    op: &'static OpDef,
    exact: fn(f64, f64) -> f64,
    units: f64,
}

const TWOS: &[Two] = &[
    Two { op: math::Atan2::DEF, exact: libm::atan2, units: 2.0 },
    Two { op: math::PowF::DEF, exact: libm::pow, units: 1.2 },
];

const SPECIAL: &[f32] = &[
    0.0,
    1e-45,
    f32::MIN_POSITIVE,
    0.5,
    1.0,
    1.5,
    2.0,
    3.0,
    8_388_609.0,
    16_777_216.0,
    f32::MAX,
    f32::INFINITY,
    f32::NAN,
    88.722_84,
    88.8,
    89.4,
    89.5,
    103.9,
    127.5,
    128.0,
    149.0,
    150.0,
];

/// How far a result is off, in units in the last place of f32
fn units(found: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if found.is_nan() || rounded.is_nan() {
        return if found.is_nan() && rounded.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if found == rounded {
        // The sign of zero counts.
        let same = found != 0.0 || found.is_sign_negative() == exact.is_sign_negative();
        return if same { 0.0 } else { f64::INFINITY };
    }
    if found.is_infinite() || rounded.is_infinite() {
        // Half a unit above the largest number is infinity; a unit below it is that number.
        let (finite, other) = if found.is_infinite() { (exact, found) } else { (f64::from(found), rounded) };
        let edge = f64::from(f32::MAX).copysign(f64::from(other));
        return (finite - edge).abs() / f64::from(f32::MAX - f32::MAX.next_down()) + 0.5;
    }
    let size = (exact.abs() as f32).min(f32::MAX.next_down());
    let unit = f64::from(size.next_up()) - f64::from(size);
    (f64::from(found) - exact).abs() / unit
}

fn single(lane: Lane, op: &OpDef, args: &[f32]) -> f32 {
    let args: Vec<u64> = args.iter().map(|x| u64::from(x.to_bits())).collect();
    let found = approximate(&lane, op, Format::Single, &args).expect("there is a form");
    f32::from_bits(found as u32)
}

/// Some numbers of each exponent and sign
fn of_each_exponent(count: u32) -> impl Iterator<Item = f32> {
    let mut random = Random::new(7);
    let some = (0..512u32).flat_map(move |top| (0..count).map(move |n| (top, n))).map(move |(top, n)| {
        let fraction = match n {
            0 => 0,
            1 => 0x7f_ffff,
            _ => random.next() as u32 & 0x7f_ffff,
        };
        f32::from_bits(top << 23 | fraction)
    });
    some.chain(SPECIAL.iter().flat_map(|x| [*x, -x]))
}

/// The largest error and where it is
fn worst(lane: Lane, row: &One, numbers: impl Iterator<Item = f32>) -> (f64, f32) {
    numbers.fold((0.0, 0.0), |worst, x| {
        let off = units(single(lane, row.op, &[x]), (row.exact)(x.into()));
        if off > worst.0 { (off, x) } else { worst }
    })
}

#[test]
fn functions_of_one_single() {
    let mut wrong = String::new();
    for row in ONES {
        for lane in LANES {
            let (off, x) = worst(lane, row, of_each_exponent(200));
            if off > row.units[usize::from(!lane.fused)] {
                wrong += &format!("{} ({x:e}), {lane:?}: {off:.2} units\n", row.op.name);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Products must round to one: rotations by nothing change nothing
#[test]
fn cosine_of_zero_is_one() {
    for lane in LANES {
        assert_eq!(single(lane, math::Cos::DEF, &[0.0]), 1.0);
        assert_eq!(approximate(&lane, math::Cos::DEF, Format::Double, &[0]), Some(1.0f64.to_bits()));
    }
}

#[test]
fn functions_of_two_singles() {
    for (row, lane) in TWOS.iter().flat_map(|row| LANES.map(|lane| (row, lane))) {
        let mut random = Random::new(3);
        let mut worst = (0.0, 0.0, 0.0);
        let mut check = |x: f32, y: f32| {
            let off = units(single(lane, row.op, &[x, y]), (row.exact)(x.into(), y.into()));
            if off > worst.0 {
                worst = (off, x, y);
            }
        };
        for x in SPECIAL.iter().flat_map(|x| [*x, -x]) {
            for y in SPECIAL.iter().flat_map(|y| [*y, -y]) {
                check(x, y);
            }
        }
        for n in 0..150_000 {
            let mut next = || f32::from_bits(random.next() as u32);
            let (x, y) = (next(), next());
            check(x, y);
            // Powers that stay finite, near one, and of integers.
            let size = (random.next() % 2000) as f32 / 1000.0 - 1.0;
            check(x, size * 120.0 / libm::log2f(x.abs()).abs().max(1e-3));
            check(1.0 + size / 64.0, (n % 4000) as f32);
            check(-x, (n % 9) as f32 - 4.0);
        }
        let (off, x, y) = worst;
        assert!(off <= row.units, "{}({x:e}, {y:e}), {lane:?}: {off:.2} units", row.op.name);
    }
}

/// Lines of `reference.py`, and how far the results are off at most, in units in the last place of f64
const DOUBLES: &str = include_str!("doubles.txt");

#[test]
fn functions_of_doubles() {
    let mut worst: Vec<(&OpDef, f64, String)> = Vec::new();
    for line in DOUBLES.lines() {
        let mut words = line.split(' ');
        let name = format!("math.{}", words.next().expect("a name"));
        let mut numbers: Vec<u64> = words.map(|word| u64::from_str_radix(word, 16).expect("bits")).collect();
        let [high, left] = [numbers.len() - 2, numbers.len() - 1].map(|n| f64::from_bits(numbers[n]));
        numbers.truncate(numbers.len() - 2);
        let ops = ONES.iter().map(|row| row.op).chain(TWOS.iter().map(|row| row.op));
        let op = ops.into_iter().find(|op| op.name == name).expect("a function");
        for lane in LANES {
            let Some(found) = approximate(&lane, op, Format::Double, &numbers) else { continue };
            let unit = high.abs().next_up() - high.abs();
            let off = ((f64::from_bits(found) - high) - left).abs() / unit;
            match worst.iter_mut().find(|(other, ..)| other.name == op.name) {
                Some(row) if off > row.1 => (row.1, row.2) = (off, format!("{line}, {lane:?}")),
                Some(_) => {}
                None => worst.push((op, off, String::new())),
            }
        }
    }
    for (op, off, line) in worst {
        // A quotient, a polynomial and a power each add their part.
        let most = if op.name == math::Erfc::DEF.name { 4.0 } else { 3.0 };
        assert!(off <= most, "{}: {off:.2} units: {line}", op.name);
    }
}

/// Numbers at which functions of f64 leave the format, and what is special
#[test]
fn ends_of_doubles() {
    let numbers = [
        0.0,
        5e-324,
        1e-310,
        f64::MIN_POSITIVE,
        1e-20,
        0.5,
        1.0,
        2.0,
        3.0,
        9e15,
        1e22,
        1e300,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
        708.5,
        709.782_712_893_38,
        709.79,
        710.4,
        710.5,
        745.0,
        745.2,
        1023.9,
        1024.0,
        1074.0,
        1075.5,
    ];
    let numbers: Vec<f64> = numbers.iter().flat_map(|x| [*x, -x]).collect();
    let lane = LANES[1];
    let check = |op: &OpDef, args: &[f64], exact: f64| {
        let bits: Vec<u64> = args.iter().map(|x| x.to_bits()).collect();
        let Some(found) = approximate(&lane, op, Format::Double, &bits) else { return };
        let found = f64::from_bits(found);
        let unit = exact.abs().next_up() - exact.abs();
        let same = found == exact && (found != 0.0 || found.is_sign_negative() == exact.is_sign_negative());
        let close = (found - exact).abs() <= 3.0 * unit && exact != 0.0;
        let none = found.is_nan() && exact.is_nan();
        assert!(same || close || none, "{}({args:?}) is {found:e}, not {exact:e}", op.name);
    };
    for x in &numbers {
        for row in ONES {
            check(row.op, &[*x], (row.exact)(*x));
        }
        for y in &numbers {
            for row in TWOS {
                check(row.op, &[*x, *y], (row.exact)(*x, *y));
            }
        }
    }
}

/// Every float there is, for functions whose names contain the variable `FUNCTION`:
/// `FUNCTION=math.sin cargo test --release -p terrace-dialect-math --test approximations -- --ignored --nocapture`
#[test]
#[ignore = "minutes per function"]
fn all_singles() {
    let wanted = std::env::var("FUNCTION").unwrap_or_default();
    for row in ONES.iter().filter(|row| row.op.name.contains(&wanted)) {
        let all = (0..=u32::MAX).map(f32::from_bits);
        let (off, x) = worst(LANES[0], row, all);
        println!("{} {off:.2} at {x:e}", row.op.name);
        assert!(off <= row.units[0], "{}({x:e}): {off:.2} units", row.op.name);
    }
}
