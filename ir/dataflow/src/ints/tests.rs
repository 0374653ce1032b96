//! Every operation on every pair of ranges of three bits: what is computed lies within.

use super::*;
use terrace_ir::make::wrap_int;

const WIDTH: u32 = 3;

fn ranges() -> Vec<Ints> {
    let mut all = Vec::new();
    for low in 0..8 {
        all.extend((low..8).map(|high| Ints::from_unsigned(WIDTH, low, high)));
        all.extend((low..8).map(|high| Ints::from_signed(WIDTH, low - 4, high - 4)));
    }
    all
}

fn signed(value: i128) -> i128 {
    wrap_int(value, WIDTH, false)
}

fn unsigned(value: i128) -> i128 {
    wrap_int(value, WIDTH, true)
}

fn has(range: Ints, value: i128) -> bool {
    let within = |value: i128, (low, high): (i128, i128)| low <= value && value <= high;
    let of = |bits: u32, sign| wrap_int(value, bits, sign);
    within(of(range.width(), false), range.signed()) && within(of(range.width(), true), range.unsigned())
}

type Operation = (&'static str, fn(Ints, Ints) -> Ints, fn(i128, i128) -> Option<i128>);

fn floor(a: i128, b: i128) -> i128 {
    a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0)
}

fn fits(value: i128, sign: bool) -> Option<i128> {
    let again = if sign { signed(value) } else { unsigned(value) };
    (again == value).then_some(value)
}

const NSW: Wraps = Wraps { nsw: true, nuw: false };
const NUW: Wraps = Wraps { nsw: false, nuw: true };
const ANY: Wraps = Wraps { nsw: false, nuw: false };

/// On signed readings; none where nothing is defined
const OPERATIONS: &[Operation] = &[
    ("add", |a, b| a.add(b, ANY), |a, b| Some(a + b)),
    ("add nsw", |a, b| a.add(b, NSW), |a, b| fits(a + b, true)),
    ("add nuw", |a, b| a.add(b, NUW), |a, b| fits(unsigned(a) + unsigned(b), false)),
    ("sub", |a, b| a.sub(b, ANY), |a, b| Some(a - b)),
    ("sub nsw", |a, b| a.sub(b, NSW), |a, b| fits(a - b, true)),
    ("sub nuw", |a, b| a.sub(b, NUW), |a, b| fits(unsigned(a) - unsigned(b), false)),
    ("mul", |a, b| a.mul(b, ANY), |a, b| Some(a * b)),
    ("mul nsw", |a, b| a.mul(b, NSW), |a, b| fits(a * b, true)),
    ("mul nuw", |a, b| a.mul(b, NUW), |a, b| fits(unsigned(a) * unsigned(b), false)),
    ("div unsigned", |a, b| a.div_unsigned(b, |a, b| a / b), |a, b| unsigned(a).checked_div(unsigned(b))),
    (
        "div unsigned up",
        |a, b| a.div_unsigned(b, |a, b| -floor(-a, b)),
        |a, b| (b != 0).then(|| -floor(-unsigned(a), unsigned(b))),
    ),
    ("div signed", |a, b| a.div_signed(b, |a, b| a / b), |a, b| fits(a.checked_div(b)?, true)),
    ("div signed down", |a, b| a.div_signed(b, floor), |a, b| fits((b != 0).then(|| floor(a, b))?, true)),
    (
        "div signed up",
        |a, b| a.div_signed(b, |a, b| -floor(-a, b)),
        |a, b| fits((b != 0).then(|| -floor(-a, b))?, true),
    ),
    ("rem unsigned", Ints::rem_unsigned, |a, b| unsigned(a).checked_rem(unsigned(b))),
    ("rem signed", Ints::rem_signed, |a, b| a.checked_rem(b)),
    ("and", |a, b| a.bitwise(b, |a, b| a & b), |a, b| Some(a & b)),
    ("or", |a, b| a.bitwise(b, |a, b| a | b), |a, b| Some(a | b)),
    ("xor", |a, b| a.bitwise(b, |a, b| a ^ b), |a, b| Some(a ^ b)),
    ("max signed", |a, b| a.extreme(b, true, true), |a, b| Some(a.max(b))),
    ("min signed", |a, b| a.extreme(b, true, false), |a, b| Some(a.min(b))),
    ("max unsigned", |a, b| a.extreme(b, false, true), |a, b| Some(unsigned(a).max(unsigned(b)))),
    ("min unsigned", |a, b| a.extreme(b, false, false), |a, b| Some(unsigned(a).min(unsigned(b)))),
    ("shl", |a, b| a.shl(b, ANY), |a, b| shifted(b).map(|b| a << b)),
    ("shl nsw", |a, b| a.shl(b, NSW), |a, b| fits(a << shifted(b)?, true)),
    ("shl nuw", |a, b| a.shl(b, NUW), |a, b| fits(unsigned(a) << shifted(b)?, false)),
    ("shr signed", |a, b| a.shr(b, true), |a, b| shifted(b).map(|b| a >> b)),
    ("shr unsigned", |a, b| a.shr(b, false), |a, b| shifted(b).map(|b| unsigned(a) >> b)),
    ("join", Ints::join, |a, _| Some(a)),
    ("join other", Ints::join, |_, b| Some(b)),
    ("extend signed", |a, _| a.extend_signed(5), |a, _| Some(a)),
    ("extend unsigned", |a, _| a.extend_unsigned(5), |a, _| Some(unsigned(a))),
    ("truncate", |a, _| a.truncate(2), |a, _| Some(a)),
    (
        "truncate a sum",
        |a, b| a.extend_signed(5).add(b.extend_signed(5), ANY).truncate(3),
        |a, b| Some(a + b),
    ),
];

fn shifted(by: i128) -> Option<i128> {
    Some(unsigned(by)).filter(|by| *by < i128::from(WIDTH))
}

#[test]
fn what_is_computed_lies_within() {
    let all = ranges();
    for (name, of_ranges, of_values) in OPERATIONS {
        let mut decided = 0;
        for &a in &all {
            for &b in &all {
                let result = of_ranges(a, b);
                for x in (-4..4).filter(|x| has(a, *x)) {
                    for y in (-4..4).filter(|y| has(b, *y)) {
                        let Some(value) = of_values(x, y) else { continue };
                        assert!(
                            has(result, value),
                            "{name}: {x} of {a:?}, {y} of {b:?}: {value} in {result:?}"
                        );
                    }
                }
                decided += u32::from(result != Ints::all(result.width()));
            }
        }
        assert!(decided > 0, "{name} says nothing at all");
    }
}

#[test]
fn orders_hold_for_all_values() {
    let all = ranges();
    for &a in &all {
        for &b in &all {
            for sign in [false, true] {
                let (orders, mut seen) = (a.orders(b, sign), [false; 3]);
                for x in (-4..4).filter(|x| has(a, *x)) {
                    for y in (-4..4).filter(|y| has(b, *y)) {
                        let (x, y) = if sign { (x, y) } else { (unsigned(x), unsigned(y)) };
                        seen[(x.cmp(&y) as i8 + 1) as usize] = true;
                    }
                }
                let may = [orders.less, orders.equal, orders.greater];
                assert!(
                    seen.iter().zip(may).all(|(seen, may)| !seen || may),
                    "{a:?} {b:?}: {orders:?}, seen {seen:?}"
                );
                let one = |n: usize| Orders { less: n == 0, equal: n == 1, greater: n == 2 };
                for n in 0..3 {
                    let decided = orders.decide(one(n));
                    assert!(
                        decided != Some(true) || seen.iter().enumerate().all(|(k, seen)| !seen || k == n)
                    );
                    assert!(decided != Some(false) || !seen[n]);
                }
            }
        }
    }
}

#[test]
fn constants_have_one_value() {
    for value in -4..4 {
        assert_eq!(Ints::one(WIDTH, value).only(), Some(value));
        assert_eq!(Ints::one(WIDTH, unsigned(value)).only(), Some(value));
    }
    assert_eq!(Ints::all(64).unsigned().1, u64::MAX.into());
    assert_eq!(Ints::all(64).mul(Ints::all(64), ANY), Ints::all(64));
}
