//! Terms of exact sums as integers.
//!
//! A finite float is an integer times the least positive number of its type. That integer is cut into digits of 32 bits, and each digit has a sum of its
//! own, in 64 bits. Digits of one term are next to each other, so a term changes one to three of the sums. Infinities, NaN and
//! zeros are noted as flags. Sums of integers and `or` have the same value in any order, so every level may merge them as it likes.

use super::words::Words;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::{Builder, Context, Ir, Type, Value};

/// There is a NaN
pub const NAN: i64 = 1;
/// There is a positive infinity
pub const PLUS: i64 = 2;
/// There is a negative infinity
pub const MINUS: i64 = 4;
/// There is a term other than −0
pub const OTHER: i64 = 8;
/// There is a −0
pub const NEGATIVE_ZERO: i64 = 16;

/// Bits of a digit
pub const DIGIT: i64 = 32;

/// Most terms of one word: a term of f16 has 41 bits
const ONE_WORD: i64 = 1 << 21;

/// The type whose least positive number terms are multiples of
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Narrow {
    /// 2⁻²⁴
    F16,
    /// 2⁻¹⁴⁹
    F32,
    /// 2⁻¹⁰⁷⁴
    F64,
}

impl Narrow {
    /// The narrowest type that has all values of a float's type
    fn of_type(cx: &Context, ty: Type) -> Narrow {
        let common = cx.common();
        match () {
            () if ty == common.f16 => Narrow::F16,
            () if [common.f32, common.bf16].contains(&ty) => Narrow::F32,
            () => Narrow::F64,
        }
    }

    /// The power of two that its least positive number is, without the sign
    pub fn least(self) -> i64 {
        match self {
            Narrow::F16 => 24,
            Narrow::F32 => 149,
            Narrow::F64 => 1074,
        }
    }
}

/// Terms of an exact sum
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Their type
    pub narrow: Narrow,
    /// Is one word enough for the sum of all of them?
    one: bool,
}

impl Terms {
    /// Of an output
    pub fn of(ir: &Ir, op: Compute, view: &View, output: usize) -> Option<Terms> {
        let end = ir.entry(op.body(ir)).and_then(|body| ir.last_op(body))?;
        let first: usize = view.outputs[..output].iter().map(|out| out.maps.len()).sum();
        let yielded = ir.operands(end).skip(first).take(view.outputs[output].maps.len());
        let before = |value: Value| {
            let narrower = std::iter::successors(Some(value), |value| widened(ir, *value)).last();
            Narrow::of_type(ir.cx(), ir.ty(narrower.unwrap_or(value)))
        };
        // A start value is a term, too, in the type of the result.
        let start = view.outputs[output].init.as_ref();
        let start = start.map(|(value, _)| Narrow::of_type(ir.cx(), ir.ty(*value).scalar(ir.cx())));
        let narrow = yielded.map(before).chain(start).max()?;
        let reduced = view.dims.iter().filter(|dim| !dim.kind.kept());
        let count = reduced.fold(1i64, |all, dim| all.saturating_mul(dim.size));
        Some(Terms { narrow, one: narrow == Narrow::F16 && count < ONE_WORD })
    }

    /// How many sums there are
    pub fn words(self) -> usize {
        match (self.narrow, self.one) {
            (Narrow::F16, true) => 1,
            (Narrow::F16, false) => 2,
            // 277 bits
            (Narrow::F32, _) => 9,
            // 2098 bits
            (Narrow::F64, _) => 66,
        }
    }

    /// A term's digits, one for each sum, and its flags
    pub fn split(self, b: &mut Builder<'_>, term: Value) -> Vec<Value> {
        let common = b.cx().common();
        let (i16, i32, i64) = (common.i16, common.i32, common.i64);
        let (float, word, within, width, digits) = match self.narrow {
            Narrow::F16 => (common.f16, i16, i32, 16, 10),
            Narrow::F32 => (common.f32, i32, i32, 32, 23),
            Narrow::F64 => (common.f64, i64, i64, 64, 52),
        };
        let term = narrowed(b, term, float);
        let bits = arith::Bitcast::build(b, term, word).out(b.read());
        let bits = crate::elements::convert(b, bits, within);
        let mut w = Words { b, ty: within };
        let rest = w.and_number(bits, i64::MAX >> (64 - width));
        let exponent = w.right_number(rest, digits);
        let fraction = w.and_number(rest, (1 << digits) - 1);
        let top = (1 << (width - 1 - digits)) - 1;
        let special = w.is(exponent, CmpIPredicate::Eq, top);
        let flags = flags(&mut w, [bits, rest, fraction], special);
        // Subnormal numbers have the exponent 0, and that of 1 without a leading digit.
        let subnormal = w.is(exponent, CmpIPredicate::Eq, 0);
        let leading = w.choose(subnormal, 0, 1 << digits);
        let integer = w.or(fraction, leading);
        let zero = w.number(0);
        let integer = w.select(special, zero, integer);
        let by = w.choose(subnormal, 0, 1);
        let by = w.sub(exponent, by);
        // Whatever stands at a special number's place is a multiple of no digit.
        let by = w.select(special, zero, by);
        let sign = w.signed_right_number(bits, width.max(32) - 1);
        let [integer, by, sign] = [integer, by, sign].map(|value| crate::elements::convert(w.b, value, i64));
        let flags = crate::elements::convert(w.b, flags, i32);
        w.ty = i64;
        let mut words = self.digits(&mut w, integer, by, sign);
        words.push(flags);
        words
    }

    /// `sign * integer * 2^by` as digits
    fn digits(self, w: &mut Words<'_, '_>, integer: Value, by: Value, sign: Value) -> Vec<Value> {
        let mask = (1 << DIGIT) - 1;
        if self.narrow == Narrow::F16 {
            let all = w.left(integer, by);
            if self.one {
                return vec![w.with_sign(all, sign)];
            }
            let (low, high) = (w.and_number(all, mask), w.right_number(all, DIGIT));
            return vec![w.with_sign(low, sign), w.with_sign(high, sign)];
        }
        let (at, within) = (w.right_number(by, 5), w.and_number(by, DIGIT - 1));
        let parts = match self.narrow {
            Narrow::F64 => {
                let (low, high) = (w.and_number(integer, mask), w.right_number(integer, DIGIT));
                let (low, high) = (w.left(low, within), w.left(high, within));
                let (first, carry) = (w.and_number(low, mask), w.right_number(low, DIGIT));
                let (second, third) = (w.and_number(high, mask), w.right_number(high, DIGIT));
                vec![first, w.or(second, carry), third]
            }
            _ => {
                let both = w.left(integer, within);
                vec![w.and_number(both, mask), w.right_number(both, DIGIT)]
            }
        };
        let parts: Vec<Value> = parts.into_iter().map(|part| w.with_sign(part, sign)).collect();
        let zero = w.number(0);
        let starts = self.words() + 1 - parts.len();
        let here: Vec<Value> = (0..starts).map(|n| w.is(at, CmpIPredicate::Eq, n as i64)).collect();
        // A word holds the part that is as far from the term's first word as the word is.
        let mut own = |n: usize| {
            let all = parts.iter().enumerate().rev();
            let here = all.filter_map(|(k, part)| Some((*part, *here.get(n.checked_sub(k)?)?)));
            here.fold(zero, |none, (part, here)| w.select(here, part, none))
        };
        (0..self.words()).map(&mut own).collect()
    }
}

/// What a term says besides its digits
fn flags(w: &mut Words<'_, '_>, [bits, rest, fraction]: [Value; 3], special: Value) -> Value {
    let whole = w.is(fraction, CmpIPredicate::Eq, 0);
    let sign = w.is(bits, CmpIPredicate::Slt, 0);
    let infinity = w.choose(sign, MINUS | OTHER, PLUS | OTHER);
    let nan = w.number(NAN | OTHER);
    let of_special = w.select(whole, infinity, nan);
    let zero = w.is(rest, CmpIPredicate::Eq, 0);
    let both = arith::AndI::build(w.b, zero, sign).result(w.b.read());
    let of_number = w.choose(both, NEGATIVE_ZERO, OTHER);
    w.select(special, of_special, of_number)
}

/// The narrower float that a value is a conversion of
fn widened(ir: &Ir, value: Value) -> Option<Value> {
    Some(arith::ExtF::cast(ir, ir.defining_op(value)?)?.input(ir))
}

/// A term in a type that has its value: as it was before it was widened, or wider
fn narrowed(b: &mut Builder<'_>, term: Value, ty: Type) -> Value {
    let ir = b.read();
    let before =
        (ir.ty(term) != ty).then(|| widened(ir, term)).flatten().filter(|before| ir.ty(*before) == ty);
    match before {
        Some(before) => before,
        None => crate::elements::convert(b, term, ty),
    }
}
