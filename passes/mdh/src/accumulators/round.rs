//! Sums of digits as a float, rounded once.

use super::exact::{DIGIT, MINUS, NAN, NEGATIVE_ZERO, OTHER, PLUS};
use super::words::Words;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_ir::{Builder, Value};

/// Bits of a digit that are set
const MASK: i64 = (1 << DIGIT) - 1;

/// Between the least positive numbers of f16 and f32: powers of two
const FINER: i64 = 149 - 24;

/// Bits below those that f32 keeps of a word
const BELOW: i64 = 40;

/// An infinity of f32
const INFINITY: i64 = 0xff << 23;

/// A sum as an f32: the nearest one, if it is rounded here and `once`, else the one that a conversion to f16 or bf16 rounds to the nearest
/// ("round to odd": the last bit says that there was more)
///
/// Words are sums of digits, the lowest first; digits count multiples of 2⁻²⁴ (`half`) or 2⁻¹⁴⁹.
pub fn float(b: &mut Builder<'_>, words: &[Value], flags: Value, half: bool, once: bool) -> Value {
    let common = b.cx().common();
    let (i32, i64, f32) = (common.i32, common.i64, common.f32);
    let flags = crate::elements::convert(b, flags, i64);
    let mut w = Words { b, ty: i64 };
    let (digits, sign) = magnitude(&mut w, words);
    let Top { window, rest, at } = top(&mut w, &digits);
    let zeros = w.leading_zeros(window);
    // Of zero itself all 64 bits are zeros, and no shift has that length; its result is chosen below.
    let zeros = w.and_number(zeros, 63);
    let window = w.left(window, zeros);
    let kept = w.right_number(window, BELOW);
    let below = w.and_number(window, (1 << BELOW) - 1);
    let more = w.is(rest, CmpIPredicate::Ne, 0);
    let sticky = w.choose(more, 1, 0);
    let below = w.or(below, sticky);
    // The position of the highest bit, counted from that of the least positive f32, gives exponent and digits.
    let highest = w.add_number(at, DIGIT - 1 + if half { FINER } else { 0 });
    let highest = w.sub(highest, zeros);
    let exponent = w.add_number(highest, -23);
    let zero = w.number(0);
    let above = w.max(exponent, zero);
    let short = w.sub(above, exponent);
    let kept = w.right(kept, short);
    let steps = w.left_number(above, 23);
    let number = w.add(steps, kept);
    let (number, most) = match once {
        true => {
            let odd = w.and_number(kept, 1);
            let tie = w.add(below, odd);
            let up = w.is(tie, CmpIPredicate::Sgt, 1 << (BELOW - 1));
            let up = w.choose(up, 1, 0);
            (w.add(number, up), INFINITY)
        }
        false => {
            let inexact = w.is(below, CmpIPredicate::Ne, 0);
            let inexact = w.choose(inexact, 1, 0);
            (w.or(number, inexact), INFINITY - 1)
        }
    };
    let most = w.number(most);
    let number = w.min(number, most);
    let none = w.is(window, CmpIPredicate::Eq, 0);
    let number = w.select(none, zero, number);
    let bits = with_flags(&mut w, number, sign, none, flags);
    let bits = crate::elements::convert(b, bits, i32);
    arith::Bitcast::build(b, bits, f32).out(b.read())
}

/// Digits of a sum without its sign, from sums of signed digits; and the sign, 0 or −1
fn magnitude(w: &mut Words<'_, '_>, words: &[Value]) -> (Vec<Value>, Value) {
    let mut carry = w.number(0);
    let mut digits = Vec::new();
    for word in words {
        let sum = w.add(*word, carry);
        digits.push(w.and_number(sum, MASK));
        carry = w.signed_right_number(sum, DIGIT);
    }
    digits.push(w.and_number(carry, MASK));
    let sign = w.signed_right_number(carry, 63);
    let (flip, mut carry) = (w.and_number(sign, MASK), w.and_number(sign, 1));
    for digit in &mut digits {
        let flipped = w.xor(*digit, flip);
        let sum = w.add(flipped, carry);
        *digit = w.and_number(sum, MASK);
        carry = w.right_number(sum, DIGIT);
    }
    (digits, sign)
}

/// The highest digits of a number
struct Top {
    /// The highest one that is not zero, and the one below
    window: Value,
    /// The others: not zero if one of them is
    rest: Value,
    /// The position of the highest one's lowest bit
    at: Value,
}

fn top(w: &mut Words<'_, '_>, digits: &[Value]) -> Top {
    let zero = w.number(0);
    let (mut window, mut rest, mut at) = (zero, zero, zero);
    // Of digits below the one before: any bit
    let (mut before, mut lower) = (zero, zero);
    for (n, digit) in digits.iter().enumerate() {
        let some = w.is(*digit, CmpIPredicate::Ne, 0);
        let high = w.left_number(*digit, DIGIT);
        let both = w.or(high, before);
        let position = w.number(n as i64 * DIGIT);
        window = w.select(some, both, window);
        rest = w.select(some, lower, rest);
        at = w.select(some, position, at);
        lower = w.or(lower, before);
        before = *digit;
    }
    Top { window, rest, at }
}

/// The sign, and what flags say: NaN has one pattern of bits
fn with_flags(w: &mut Words<'_, '_>, number: Value, sign: Value, none: Value, flags: Value) -> Value {
    let zeros = w.and_number(flags, OTHER | NEGATIVE_ZERO);
    let negative = w.is(zeros, CmpIPredicate::Eq, NEGATIVE_ZERO);
    let of_zero = w.choose(negative, 1 << 31, 0);
    let of_number = w.and_number(sign, 1 << 31);
    let sign = w.select(none, of_zero, of_number);
    let number = w.or(number, sign);
    let infinities = w.and_number(flags, PLUS | MINUS);
    let up = w.is(infinities, CmpIPredicate::Eq, PLUS);
    let infinite = w.choose(up, INFINITY, INFINITY | 1 << 31);
    let some = w.is(infinities, CmpIPredicate::Ne, 0);
    let number = w.select(some, infinite, number);
    let nan = w.and_number(flags, NAN);
    let nan = w.is(nan, CmpIPredicate::Ne, 0);
    let both = w.is(infinities, CmpIPredicate::Eq, PLUS | MINUS);
    let nan = arith::OrI::build(w.b, nan, both).result(w.b.read());
    let quiet = w.number(INFINITY | 1 << 22);
    w.select(nan, quiet, number)
}
