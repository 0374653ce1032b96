//! Floats as text: upstream prints six digits if they give the value back, else nine or seventeen, else hexadecimal bits.
//!
//! Digits come from the exact decimal expansion. Upstream drops low digits of a long expansion before it rounds half up,
//! which can be seen in the last digit, so the same is done here. Formats of at most 64 bits; small ones are computed
//! with as `f64`, which holds all their values.

use crate::show::push_int;
use crate::types::FloatKind;

/// What the bits of a format mean: sign, exponent, mantissa, from the highest bit down
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatLayout {
    /// Bits of the exponent
    pub exponent: u32,
    /// Bits of the mantissa that are stored
    pub mantissa: u32,
    /// The exponent that stands for 2^0
    pub bias: i32,
    /// Which bits are not numbers
    pub special: FloatSpecial,
}

/// Which bits are not numbers
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSpecial {
    /// The highest exponent holds infinity and NaNs
    Ieee,
    /// All ones is NaN, there is no infinity
    AllOnes,
    /// Negative zero is NaN, there is no infinity
    NegativeZero,
    /// Every pattern is a number
    Never,
}

/// Layout of the formats of at most 64 bits with sign, exponent and mantissa
pub fn float_layout(kind: FloatKind) -> Option<FloatLayout> {
    use FloatSpecial::*;
    let (exponent, mantissa, bias, special) = match kind {
        FloatKind::F16 => (5, 10, 15, Ieee),
        FloatKind::BF16 => (8, 7, 127, Ieee),
        FloatKind::F32 => (8, 23, 127, Ieee),
        FloatKind::F64 => (11, 52, 1023, Ieee),
        FloatKind::TF32 => (8, 10, 127, Ieee),
        FloatKind::F8E5M2 => (5, 2, 15, Ieee),
        FloatKind::F8E4M3 => (4, 3, 7, Ieee),
        FloatKind::F8E3M4 => (3, 4, 3, Ieee),
        FloatKind::F8E4M3FN => (4, 3, 7, AllOnes),
        FloatKind::F8E5M2FNUZ => (5, 2, 16, NegativeZero),
        FloatKind::F8E4M3FNUZ => (4, 3, 8, NegativeZero),
        FloatKind::F8E4M3B11FNUZ => (4, 3, 11, NegativeZero),
        FloatKind::F4E2M1FN => (2, 1, 1, Never),
        FloatKind::F6E2M3FN => (2, 3, 1, Never),
        FloatKind::F6E3M2FN => (3, 2, 3, Never),
        FloatKind::F8E8M0FNU | FloatKind::F80 | FloatKind::F128 => return None,
    };
    Some(FloatLayout { exponent, mantissa, bias, special })
}

/// A number as `significand * 2^exponent`
struct Parts {
    negative: bool,
    significand: u64,
    exponent: i32,
    /// Bits of a significand in this format
    precision: u32,
}

/// A finite number's parts; `None` for infinities, NaNs and formats not known here
fn parts(bits: u64, kind: FloatKind) -> Option<Parts> {
    if kind == FloatKind::F8E8M0FNU {
        let exponent = bits as i32 - 127;
        return (bits != 0xff).then_some(Parts { negative: false, significand: 1, exponent, precision: 1 });
    }
    let FloatLayout { exponent: exponent_bits, mantissa: mantissa_bits, bias, special } = float_layout(kind)?;
    let top = (1u64 << exponent_bits) - 1;
    let exponent = bits >> mantissa_bits & top;
    let mantissa = bits & ((1 << mantissa_bits) - 1);
    let negative = bits >> (exponent_bits + mantissa_bits) & 1 == 1;
    let odd = match special {
        FloatSpecial::Ieee => exponent == top,
        FloatSpecial::AllOnes => exponent == top && mantissa == (1 << mantissa_bits) - 1,
        FloatSpecial::NegativeZero => negative && exponent == 0 && mantissa == 0,
        FloatSpecial::Never => false,
    };
    let (significand, exponent) =
        if exponent == 0 { (mantissa, 1) } else { (mantissa | 1 << mantissa_bits, exponent as i32) };
    let exponent = exponent - bias - mantissa_bits as i32;
    (!odd).then_some(Parts { negative, significand, exponent, precision: mantissa_bits + 1 })
}

/// The value of bits in a format; `None` for formats whose arithmetic is not known here
pub fn value_of_bits(bits: u64, kind: FloatKind) -> Option<f64> {
    match kind {
        FloatKind::F32 => return Some(f64::from(f32::from_bits(bits as u32))),
        FloatKind::F64 => return Some(f64::from_bits(bits)),
        FloatKind::F80 | FloatKind::F128 => return None,
        _ => {}
    }
    if let Some(Parts { negative, significand, exponent, .. }) = parts(bits, kind) {
        // Two steps, since a power of two below the normal ones of f64 would round.
        let value = significand as f64 * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        return Some(if negative { -value } else { value });
    }
    let Some(layout) = float_layout(kind).filter(|layout| layout.special == FloatSpecial::Ieee) else {
        return Some(f64::NAN);
    };
    let negative = bits >> (layout.exponent + layout.mantissa) & 1 == 1;
    let infinite = bits & ((1 << layout.mantissa) - 1) == 0;
    Some(match (infinite, negative) {
        (true, true) => f64::NEG_INFINITY,
        (true, false) => f64::INFINITY,
        _ => f64::NAN,
    })
}

/// The bits of a value rounded to nearest even in a format
///
/// What is too large becomes infinity, or NaN (the largest number if there is none) in formats without it.
pub fn round_to_bits(value: f64, kind: FloatKind) -> Option<u64> {
    match kind {
        FloatKind::F32 => return Some(u64::from((value as f32).to_bits())),
        FloatKind::F64 => return Some(value.to_bits()),
        FloatKind::F8E8M0FNU => return Some(round_to_power(value)),
        _ => {}
    }
    let FloatLayout { exponent: exponent_bits, mantissa: mantissa_bits, bias, special } = float_layout(kind)?;
    let sign_bit = 1u64 << (exponent_bits + mantissa_bits);
    let sign = if value.is_sign_negative() { sign_bit } else { 0 };
    let ones = sign_bit - 1;
    let (largest, beyond, nan) = match special {
        FloatSpecial::Ieee => {
            let infinity = ((1u64 << exponent_bits) - 1) << mantissa_bits;
            (infinity - 1, sign | infinity, sign | infinity | 1 << (mantissa_bits - 1))
        }
        FloatSpecial::AllOnes => (ones - 1, sign | ones, sign | ones),
        FloatSpecial::NegativeZero => (ones, sign_bit, sign_bit),
        FloatSpecial::Never => (ones, sign | ones, ones),
    };
    if value.is_nan() {
        return Some(nan);
    }
    if value.is_infinite() {
        return Some(beyond);
    }
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return Some(if special == FloatSpecial::NegativeZero { 0 } else { sign });
    }
    // Scale so that one unit in the last place is 1, round to even there, and let a carry run into the exponent.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(1 - bias);
    let scaled = magnitude * 2f64.powi(mantissa_bits as i32 - exponent);
    let units = scaled.round_ties_even() as u64;
    let biased = (exponent + bias - 1) as u64;
    let rounded = (biased << mantissa_bits) + units;
    if rounded > largest {
        return Some(beyond);
    }
    Some(if rounded == 0 && special == FloatSpecial::NegativeZero { 0 } else { sign | rounded })
}

/// Bits of the format that has powers of two only: halfway goes up, zero of either sign becomes the smallest
fn round_to_power(value: f64) -> u64 {
    if value == 0.0 {
        return 0;
    }
    if value.is_nan() || value < 0.0 || value.is_infinite() {
        return 0xff;
    }
    let exponent = (value.to_bits() >> 52) as i32 - 1023;
    let above = value.to_bits() >> 51 & 1;
    (i64::from(exponent) + 127 + above as i64).clamp(0, 0xff) as u64
}

/// Text of a float; hexadecimal bits for infinities, NaNs and formats not known here
pub fn float_text(bits: u64, kind: FloatKind) -> String {
    let Some(parts) = parts(bits, kind) else { return format!("0x{bits:X}") };
    let mut out = String::new();
    if parts.negative {
        out.push('-');
    }
    if parts.significand == 0 {
        out.push_str("0.000000e+00");
        return out;
    }
    let sign = out.len();
    let exact = Decimal::of(&parts);
    exact.rounded(6).six_digits(&mut out);
    if parse_float(&out, kind) == Some(bits) {
        return out;
    }
    out.truncate(sign);
    let precision = 2 + parts.precision * 59 / 196;
    if exact.rounded(precision as usize).shortest(precision as usize, &mut out) {
        return out;
    }
    format!("0x{bits:X}")
}

/// `digits * 10^exponent`, the most significant digit first
struct Decimal {
    digits: Vec<u8>,
    exponent: i32,
    /// Bits of `digits` as a number
    bits: usize,
}

impl Decimal {
    fn of(parts: &Parts) -> Decimal {
        let zeros = parts.significand.trailing_zeros();
        let significand = parts.significand >> zeros;
        let exponent = parts.exponent + zeros as i32;
        let mut number = Big(vec![significand as u32, (significand >> 32) as u32]);
        if exponent >= 0 {
            number.shift_left(exponent as usize);
            return Decimal { bits: number.bits(), digits: number.into_digits(), exponent: 0 };
        }
        // n / 2^e = n * 5^e / 10^e
        let mut fives = -exponent;
        while fives > 0 {
            let now = fives.min(13);
            number.multiply(5u32.pow(now as u32));
            fives -= now;
        }
        Decimal { bits: number.bits(), digits: number.into_digits(), exponent }
    }

    /// At most this many digits, without zeros at the end
    fn rounded(&self, precision: usize) -> Decimal {
        let mut digits = self.digits.clone();
        let needed = (precision * 196).div_ceil(59);
        let removable = self.bits.saturating_sub(needed) * 59 / 196;
        digits.truncate(digits.len() - removable.min(digits.len() - 1));
        let mut up = false;
        if let Some(&next) = digits.get(precision) {
            // Zeros at the end do not count as digits, but they can't decide either.
            up = next >= b'5';
            digits.truncate(precision);
        }
        while up {
            match digits.last_mut() {
                Some(b'9') => {
                    digits.pop();
                }
                Some(digit) => {
                    *digit += 1;
                    up = false;
                }
                None => {
                    // 9.99 became 10: one digit, one place up.
                    let exponent = self.exponent + self.digits.len() as i32;
                    return Decimal { digits: vec![b'1'], exponent, bits: 0 };
                }
            }
        }
        while digits.len() > 1 && digits.last() == Some(&b'0') {
            digits.pop();
        }
        let exponent = self.exponent + (self.digits.len() - digits.len()) as i32;
        Decimal { digits, exponent, bits: 0 }
    }

    /// Power of ten of the first digit
    fn magnitude(&self) -> i32 {
        self.exponent + self.digits.len() as i32 - 1
    }

    fn push_digits(&self, range: std::ops::Range<usize>, out: &mut String) {
        out.extend(self.digits[range].iter().map(|&digit| digit as char));
    }

    /// `1.250000e+00`
    fn six_digits(&self, out: &mut String) {
        self.push_digits(0..1, out);
        out.push('.');
        self.push_digits(1..self.digits.len(), out);
        (self.digits.len()..7).for_each(|_| out.push('0'));
        let magnitude = self.magnitude();
        out.push_str(if magnitude < 0 { "e-" } else { "e+" });
        if magnitude.abs() < 10 {
            out.push('0');
        }
        push_int(out, magnitude.abs().into());
    }

    /// `1.25`, `0.00125` or `1.25E+10`; false for whole numbers, which would read as integers
    fn shortest(&self, precision: usize, out: &mut String) -> bool {
        let (count, magnitude) = (self.digits.len(), self.magnitude());
        let scientific = if self.exponent >= 0 {
            self.exponent > 3 || count + self.exponent as usize > precision
        } else {
            magnitude < -3
        };
        if scientific {
            self.push_digits(0..1, out);
            out.push('.');
            if count == 1 {
                out.push('0');
            }
            self.push_digits(1..count, out);
            out.push_str(if magnitude < 0 { "E-" } else { "E+" });
            push_int(out, magnitude.abs().into());
            return true;
        }
        if self.exponent >= 0 {
            return false;
        }
        if magnitude >= 0 {
            let whole = magnitude as usize + 1;
            self.push_digits(0..whole, out);
            out.push('.');
            self.push_digits(whole..count, out);
        } else {
            out.push_str("0.");
            (magnitude + 1..0).for_each(|_| out.push('0'));
            self.push_digits(0..count, out);
        }
        true
    }
}

/// A natural number in 32-bit words, the lowest first
struct Big(Vec<u32>);

impl Big {
    fn multiply(&mut self, by: u32) {
        let mut carry = 0u64;
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(by);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn shift_left(&mut self, by: usize) {
        self.multiply(1 << (by % 32));
        self.0.splice(0..0, std::iter::repeat_n(0, by / 32));
    }

    fn bits(&self) -> usize {
        let used = self.0.iter().rposition(|&word| word != 0).map_or(0, |at| at + 1);
        used * 32 - self.0[..used].last().map_or(0, |word| word.leading_zeros() as usize)
    }

    fn into_digits(mut self) -> Vec<u8> {
        let mut digits = Vec::new();
        loop {
            while self.0.last() == Some(&0) {
                self.0.pop();
            }
            if self.0.is_empty() {
                break;
            }
            let mut rest = 0u64;
            for word in self.0.iter_mut().rev() {
                rest = rest << 32 | u64::from(*word);
                *word = (rest / 1_000_000_000) as u32;
                rest %= 1_000_000_000;
            }
            for _ in 0..9 {
                digits.push(b'0' + (rest % 10) as u8);
                rest /= 10;
            }
        }
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        digits.reverse();
        digits
    }
}

/// Bits of a decimal literal in a format, rounded to nearest even
pub fn parse_float(text: &str, kind: FloatKind) -> Option<u64> {
    if kind == FloatKind::F32 {
        return text.parse::<f32>().ok().map(|value| u64::from(value.to_bits()));
    }
    round_to_bits(text.parse().ok()?, kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_when_they_suffice() {
        assert_eq!(float_text(1.0f32.to_bits().into(), FloatKind::F32), "1.000000e+00");
        assert_eq!(float_text((-0.0f32).to_bits().into(), FloatKind::F32), "-0.000000e+00");
        assert_eq!(float_text(1e-40f64.to_bits(), FloatKind::F64), "9.9999999999999992E-41");
    }

    #[test]
    fn as_upstream_where_six_digits_do_not_suffice() {
        let f32_text = |value: f32| float_text(value.to_bits().into(), FloatKind::F32);
        assert_eq!(f32_text(99999.9), "99999.8984");
        assert_eq!(f32_text(0.00012345678), "1.23456775E-4");
        assert_eq!(f32_text(1e-45), "1.401300e-45");
        assert_eq!(f32_text(1234567.0), "0x4996B438");
        assert_eq!(float_text(1e38f64.to_bits(), FloatKind::F64), "9.9999999999999997E+37");
        assert_eq!(float_text(3, FloatKind::F8E4M3), "5.859380e-03");
        assert_eq!(float_text(5, FloatKind::F8E4M3), "9.765620e-03");
        assert_eq!(float_text(0, FloatKind::F8E8M0FNU), "5.877470e-39");
        assert_eq!(float_text(0x80, FloatKind::F8E4M3FNUZ), "0x80");
    }

    #[test]
    fn text_gives_the_bits_back() {
        let mut random = terrace_support::Random::new(7);
        for _ in 0..20_000 {
            let seed = random.next();
            for kind in [FloatKind::F16, FloatKind::BF16, FloatKind::F32, FloatKind::F64] {
                let bits = seed >> (64 - kind.width());
                let text = float_text(bits, kind);
                if !text.starts_with("0x") {
                    assert_eq!(parse_float(&text, kind), Some(bits), "{text} {kind:?}");
                }
            }
        }
    }

    #[test]
    fn powers_of_two() {
        let bits = |value: f64| round_to_bits(value, FloatKind::F8E8M0FNU);
        assert_eq!([0.0, -0.0, 1e-300].map(bits), [Some(0); 3]);
        assert_eq!([1.0, 1.49, 1.5, 3.0].map(bits), [127, 127, 128, 129].map(Some));
        assert_eq!([-1.0, f64::INFINITY, f64::NAN, 1e300].map(bits), [Some(0xff); 4]);
    }

    #[test]
    fn halves_round_trip_through_values() {
        for bits in 0..0x10000u64 {
            let value = value_of_bits(bits, FloatKind::F16).expect("known format");
            if !value.is_nan() {
                assert_eq!(round_to_bits(value, FloatKind::F16), Some(bits));
            }
        }
    }
}
