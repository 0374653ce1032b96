//! Sums of digits as a float, rounded once.

use super::exact::{DIGIT, MINUS, NAN, NEGATIVE_ZERO, Narrow, OTHER, PLUS};
use super::words::Words;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_ir::{Builder, Value};

/// Bits of a digit that are set
const MASK: i64 = (1 << DIGIT) - 1;

/// Which float a sum becomes
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// The nearest one
    F32,
    /// The f32 that a conversion to f16 or bf16 rounds to the nearest ("round to odd": the last bit says that there was more)
    Odd,
    /// The nearest one
    F64,
}

impl To {
    /// Bits behind the leading one
    fn digits(self) -> i64 {
        if self == To::F64 { 52 } else { 23 }
    }

    /// Bits of a word below those that the float keeps
    fn below(self) -> i64 {
        63 - self.digits()
    }

    /// The greatest exponent, which infinities have
    fn special(self) -> i64 {
        if self == To::F64 { 0x7ff } else { 0xff }
    }

    fn infinity(self) -> i64 {
        self.special() << self.digits()
    }

    fn sign(self) -> i64 {
        if self == To::F64 { i64::MIN } else { 1 << 31 }
    }

    /// How many times its least positive number is halved to give that of terms
    fn coarser(self, narrow: Narrow) -> i64 {
        let own = if self == To::F64 { Narrow::F64 } else { Narrow::F32 };
        own.least() - narrow.least()
    }
}

/// A sum as a float
///
/// Words are sums of digits, the lowest first; digits count multiples of the least positive number of a type.
pub fn float(b: &mut Builder<'_>, words: &[Value], flags: Value, narrow: Narrow, to: To) -> Value {
    let common = b.cx().common();
    let (i32, i64, f32, f64) = (common.i32, common.i64, common.f32, common.f64);
    let flags = crate::elements::convert(b, flags, i64);
    let mut w = Words { b, ty: i64 };
    let (digits, sign) = magnitude(&mut w, words);
    let Top { window, third, mut rest, at } = top(&mut w, &digits, to == To::F64);
    let zeros = w.leading_zeros(window);
    // Of zero itself all 64 bits are zeros, and no shift has that length; its result is chosen below.
    let zeros = w.and_number(zeros, 63);
    let mut window = w.left(window, zeros);
    if let Some(third) = third {
        let third = w.left(third, zeros);
        let (upper, lower) = (w.right_number(third, DIGIT), w.and_number(third, MASK));
        window = w.or(window, upper);
        rest = w.or(rest, lower);
    }
    let kept = w.right_number(window, to.below());
    let below = w.and_number(window, (1 << to.below()) - 1);
    let more = w.is(rest, CmpIPredicate::Ne, 0);
    let sticky = w.choose(more, 1, 0);
    let below = w.or(below, sticky);
    // The position of the highest bit, counted from that of the least positive float, gives exponent and digits.
    let highest = w.add_number(at, DIGIT - 1 + to.coarser(narrow));
    let highest = w.sub(highest, zeros);
    let exponent = w.add_number(highest, -to.digits());
    let zero = w.number(0);
    let mut above = w.max(exponent, zero);
    let short = w.sub(above, exponent);
    let kept = w.right(kept, short);
    if to == To::F64 {
        // A greater one is infinite, too, and would not fit.
        let most = w.number(to.special() - 1);
        above = w.min(above, most);
    }
    let steps = w.left_number(above, to.digits());
    let number = w.add(steps, kept);
    let (number, most) = match to {
        To::F32 | To::F64 => {
            let odd = w.and_number(kept, 1);
            let tie = w.add(below, odd);
            let up = w.is(tie, CmpIPredicate::Sgt, 1 << (to.below() - 1));
            let up = w.choose(up, 1, 0);
            (w.add(number, up), to.infinity())
        }
        To::Odd => {
            let inexact = w.is(below, CmpIPredicate::Ne, 0);
            let inexact = w.choose(inexact, 1, 0);
            (w.or(number, inexact), to.infinity() - 1)
        }
    };
    let most = w.number(most);
    let number = w.min(number, most);
    let none = w.is(window, CmpIPredicate::Eq, 0);
    let number = w.select(none, zero, number);
    let bits = with_flags(&mut w, to, [number, sign, none, flags]);
    let (word, float) = if to == To::F64 { (i64, f64) } else { (i32, f32) };
    let bits = crate::elements::convert(b, bits, word);
    arith::Bitcast::build(b, bits, float).out(b.read())
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
    /// The next one, if two may not be enough
    third: Option<Value>,
    /// The others: not zero if one of them is
    rest: Value,
    /// The position of the highest one's lowest bit
    at: Value,
}

fn top(w: &mut Words<'_, '_>, digits: &[Value], wide: bool) -> Top {
    let zero = w.number(0);
    let (mut window, mut rest, mut at) = (zero, zero, zero);
    let mut third = wide.then_some(zero);
    // The two below a digit, and of those below: any bit
    let (mut before, mut second, mut lower) = (zero, zero, zero);
    for (n, digit) in digits.iter().enumerate() {
        let some = w.is(*digit, CmpIPredicate::Ne, 0);
        let high = w.left_number(*digit, DIGIT);
        let both = w.or(high, before);
        let position = w.number(n as i64 * DIGIT);
        window = w.select(some, both, window);
        rest = w.select(some, lower, rest);
        at = w.select(some, position, at);
        third = third.map(|third| w.select(some, second, third));
        lower = w.or(lower, if wide { second } else { before });
        (before, second) = (*digit, before);
    }
    Top { window, third, rest, at }
}

/// The sign, and what flags say: NaN has one pattern of bits
fn with_flags(w: &mut Words<'_, '_>, to: To, [number, sign, none, flags]: [Value; 4]) -> Value {
    let (infinity, minus) = (to.infinity(), to.sign());
    let zeros = w.and_number(flags, OTHER | NEGATIVE_ZERO);
    let negative = w.is(zeros, CmpIPredicate::Eq, NEGATIVE_ZERO);
    let of_zero = w.choose(negative, minus, 0);
    let of_number = w.and_number(sign, minus);
    let sign = w.select(none, of_zero, of_number);
    let number = w.or(number, sign);
    let infinities = w.and_number(flags, PLUS | MINUS);
    let up = w.is(infinities, CmpIPredicate::Eq, PLUS);
    let infinite = w.choose(up, infinity, infinity | minus);
    let some = w.is(infinities, CmpIPredicate::Ne, 0);
    let number = w.select(some, infinite, number);
    let nan = w.and_number(flags, NAN);
    let nan = w.is(nan, CmpIPredicate::Ne, 0);
    let both = w.is(infinities, CmpIPredicate::Eq, PLUS | MINUS);
    let nan = arith::OrI::build(w.b, nan, both).result(w.b.read());
    let quiet = w.number(infinity | 1 << (to.digits() - 1));
    w.select(nan, quiet, number)
}
