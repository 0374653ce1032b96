//! Floats as text: upstream prints six digits if they give the value back, else nine or seventeen, else hexadecimal bits.
//!
//! Formats of at most 64 bits. Small formats go through `f64`, which holds all their values.

use crate::types::FloatKind;

/// Exponent bits, mantissa bits and bias of formats that have IEEE infinities and NaNs
fn layout(kind: FloatKind) -> Option<(u32, u32, i32)> {
    Some(match kind {
        FloatKind::F16 => (5, 10, 15),
        FloatKind::BF16 => (8, 7, 127),
        FloatKind::F32 => (8, 23, 127),
        FloatKind::F64 => (11, 52, 1023),
        FloatKind::TF32 => (8, 10, 127),
        FloatKind::F8E5M2 => (5, 2, 15),
        FloatKind::F8E4M3 => (4, 3, 7),
        FloatKind::F8E3M4 => (3, 4, 3),
        _ => return None,
    })
}

/// The value of bits in a format; `None` for formats whose arithmetic is not known here
pub fn value_of_bits(bits: u64, kind: FloatKind) -> Option<f64> {
    match kind {
        FloatKind::F32 => return Some(f64::from(f32::from_bits(bits as u32))),
        FloatKind::F64 => return Some(f64::from_bits(bits)),
        _ => {}
    }
    let (exponent_bits, mantissa_bits, bias) = layout(kind)?;
    let sign = if bits >> (exponent_bits + mantissa_bits) & 1 == 1 { -1.0 } else { 1.0 };
    let exponent = (bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
    let mantissa = bits & ((1 << mantissa_bits) - 1);
    let scale = |m: u64, e: i32| m as f64 * 2f64.powi(e - mantissa_bits as i32);
    Some(if exponent == (1 << exponent_bits) - 1 {
        if mantissa == 0 { sign * f64::INFINITY } else { f64::NAN }
    } else if exponent == 0 {
        sign * scale(mantissa, 1 - bias)
    } else {
        sign * scale(mantissa | 1 << mantissa_bits, exponent as i32 - bias)
    })
}

/// The bits of a value rounded to nearest even in a format
pub fn round_to_bits(value: f64, kind: FloatKind) -> Option<u64> {
    match kind {
        FloatKind::F32 => return Some(u64::from((value as f32).to_bits())),
        FloatKind::F64 => return Some(value.to_bits()),
        _ => {}
    }
    let (exponent_bits, mantissa_bits, bias) = layout(kind)?;
    let sign = u64::from(value.is_sign_negative()) << (exponent_bits + mantissa_bits);
    let infinity = ((1u64 << exponent_bits) - 1) << mantissa_bits;
    if value.is_nan() {
        return Some(sign | infinity | 1 << (mantissa_bits - 1));
    }
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return Some(sign);
    }
    if magnitude.is_infinite() {
        return Some(sign | infinity);
    }
    // Scale so that one unit in the last place is 1, round to even there, and let a carry run into the exponent.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(1 - bias);
    let scaled = magnitude * 2f64.powi(mantissa_bits as i32 - exponent);
    let units = scaled.round_ties_even() as u64;
    let biased = (exponent + bias - 1) as u64;
    let bits = (biased << mantissa_bits) + units;
    Some(sign | bits.min(infinity))
}

/// Text of a float; hexadecimal bits for infinities, NaNs and formats not known here
pub fn float_text(bits: u64, kind: FloatKind) -> String {
    let hex = || format!("0x{bits:0width$X}", width = kind.width().div_ceil(4) as usize);
    let Some(value) = value_of_bits(bits, kind) else { return hex() };
    if !value.is_finite() {
        return hex();
    }
    for digits in [6, 9, 17] {
        let text = scientific(value, digits);
        if text.parse::<f64>().ok().and_then(|back| round_to_bits(back, kind)) == Some(bits) {
            return text;
        }
    }
    hex()
}

/// `1.250000e+00` with this many digits after the first; six keep their zeros, more are as upstream's `toString`
fn scientific(value: f64, digits: usize) -> String {
    let text = if digits == 6 { format!("{value:.6e}") } else { format!("{value:.*e}", digits - 1) };
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if digits == 6 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let trimmed = mantissa.trim_end_matches('0');
    let trimmed = if trimmed.ends_with('.') { format!("{trimmed}0") } else { trimmed.to_string() };
    if (-3..digits as i32).contains(&exponent) {
        let plain = format!("{value:.*}", (digits as i32 - 1 - exponent).max(1) as usize);
        let plain = plain.trim_end_matches('0');
        return if plain.ends_with('.') { format!("{plain}0") } else { plain.to_string() };
    }
    format!("{trimmed}E{exponent:+}")
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
        assert_eq!(float_text(1e-40f64.to_bits(), FloatKind::F64), "1.000000e-40");
    }

    #[test]
    fn text_gives_the_bits_back() {
        let mut seed = 7u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
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
    fn halves_round_trip_through_values() {
        for bits in 0..0x10000u64 {
            let value = value_of_bits(bits, FloatKind::F16).expect("known format");
            if !value.is_nan() {
                assert_eq!(round_to_bits(value, FloatKind::F16), Some(bits));
            }
        }
    }
}
