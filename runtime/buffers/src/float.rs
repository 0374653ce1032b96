//! Conversions between the float formats
//!
//! Narrowing goes straight from `f64` and rounds once, to nearest with ties to even; rounding by
//! way of `f32` would round twice. NaN stays NaN (quiet, sign and upper payload bits kept),
//! overflow gives infinity, and small values become subnormal as IEEE 754 says.

/// Exact value of the half-precision number with these bits
pub fn f16_to_f64(bits: u16) -> f64 {
    widen(bits, 5, 10)
}

/// Exact value of the bfloat16 number with these bits
pub fn bf16_to_f64(bits: u16) -> f64 {
    f64::from(f32::from_bits(u32::from(bits) << 16))
}

/// Nearest half-precision number
pub fn f64_to_f16(value: f64) -> u16 {
    narrow(value, 5, 10)
}

/// Nearest bfloat16 number
pub fn f64_to_bf16(value: f64) -> u16 {
    narrow(value, 8, 7)
}

/// Nearest single-precision number
pub fn f64_to_f32(value: f64) -> f32 {
    value as f32
}

/// Widen a 16-bit format with `exp` exponent bits and `man` stored significand bits
fn widen(bits: u16, exp: u32, man: u32) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let e = i32::from(bits >> man) & ((1 << exp) - 1);
    let m = u64::from(bits) & ((1 << man) - 1);
    let bias = (1 << (exp - 1)) - 1;
    if e == (1 << exp) - 1 {
        let special = if m == 0 { f64::INFINITY.to_bits() } else { (0x7FF << 52) | (m << (52 - man)) };
        return f64::from_bits(special | u64::from(bits >> 15) << 63);
    }
    // Both factors are exact in f64, and so is their product: m has at most 11 bits.
    let (m, e) = if e == 0 { (m, 1) } else { (m | 1 << man, e) };
    sign * m as f64 * power_of_two(e - bias - man as i32)
}

/// Narrow to a 16-bit format with `exp` exponent bits and `man` stored significand bits
fn narrow(value: f64, exp: u32, man: u32) -> u16 {
    let bits = value.to_bits();
    let sign = ((bits >> 63) as u16) << 15;
    let max_exp = (1u64 << exp) - 1;
    let infinity = (max_exp << man) as u16;
    if value.is_nan() {
        let payload = ((bits >> (52 - man)) & ((1 << man) - 1)) as u16;
        return sign | infinity | payload | 1 << (man - 1);
    }
    let bias = (1i64 << (exp - 1)) - 1;
    let e = ((bits >> 52) & 0x7FF) as i64 - 1023 + bias;
    if e >= max_exp as i64 {
        return sign | infinity;
    }
    // The significand with its hidden bit; what lies below the kept bits decides the rounding.
    // For subnormal results the cut moves up; past 54 bits nothing is left to round up from.
    // (A subnormal f64 is far below every 16-bit range, so its missing hidden bit does not matter.)
    let significand = (bits & ((1 << 52) - 1)) | 1 << 52;
    let cut = 52 - man as i64 + (1 - e).max(0);
    if cut > 54 {
        return sign;
    }
    let kept = significand >> cut;
    let rest = significand & ((1 << cut) - 1);
    let half = 1u64 << (cut - 1);
    let up = rest > half || (rest == half && kept & 1 == 1);
    // A carry out of the significand moves into the exponent, which is what rounding up means.
    let exponent = if e > 0 { ((e - 1) as u64) << man } else { 0 };
    sign | (exponent + kept + u64::from(up)) as u16
}

/// 2^n for the exponents of normal f64 numbers
fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_f16_survives_the_round_trip() {
        for bits in 0..=u16::MAX {
            let back = f64_to_f16(f16_to_f64(bits));
            let quiet = if f16_to_f64(bits).is_nan() { bits | 0x200 } else { bits };
            assert_eq!(back, quiet, "bits {bits:#06x}");
        }
    }

    #[test]
    fn every_bf16_survives_the_round_trip() {
        for bits in 0..=u16::MAX {
            let back = f64_to_bf16(bf16_to_f64(bits));
            let quiet = if bf16_to_f64(bits).is_nan() { bits | 0x40 } else { bits };
            assert_eq!(back, quiet, "bits {bits:#06x}");
        }
    }

    #[test]
    fn neighbours_round_to_nearest_even() {
        for bits in 0..0x7BFFu16 {
            let (lo, hi) = (f16_to_f64(bits), f16_to_f64(bits + 1));
            let middle = (lo + hi) / 2.0;
            let even = if bits & 1 == 0 { bits } else { bits + 1 };
            assert_eq!(f64_to_f16(middle), even);
            assert_eq!(f64_to_f16(middle.next_down()), bits);
            assert_eq!(f64_to_f16(middle.next_up()), bits + 1);
        }
    }

    #[test]
    fn edges_of_f16() {
        assert_eq!(f64_to_f16(65504.0), 0x7BFF);
        assert_eq!(f64_to_f16(65520.0), 0x7C00);
        assert_eq!(f64_to_f16(65519.999), 0x7BFF);
        assert_eq!(f64_to_f16(-1e300), 0xFC00);
        assert_eq!(f64_to_f16(2f64.powi(-24)), 1);
        assert_eq!(f64_to_f16(2f64.powi(-25)), 0);
        assert_eq!(f64_to_f16(2f64.powi(-25).next_up()), 1);
        assert_eq!(f64_to_f16(-0.0), 0x8000);
        assert_eq!(f64_to_f16(5e-324), 0);
    }

    #[test]
    fn bf16_rounds_once() {
        // By way of f32 this would first become 1 + 2^-8 exactly, a tie, and then 1.
        let value = 1.0 + 2f64.powi(-8) + 2f64.powi(-40);
        assert_eq!(f64_to_bf16(value), 0x3F81);
        assert_eq!(f64_to_bf16(f64::from(value as f32)), 0x3F80);
        assert_eq!(f64_to_bf16(1e300), 0x7F80);
    }
}
