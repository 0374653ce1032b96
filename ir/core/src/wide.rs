//! Integers beyond 128 bits: read, shown and compared, not computed with.
//!
//! Limbs of 64 bits, lowest first, in two's complement, as many as the width needs.

/// Widest integer read or shown; decimal conversion is quadratic in it
pub const MAX_WIDTH: u32 = 1 << 16;

/// Read digits (without sign) of a base up to 16; `None` if they need more than `width` bits
pub fn parse(digits: &[u8], base: u64, width: u32) -> Option<Box<[u64]>> {
    let digits = &digits[digits.iter().take_while(|digit| **digit == b'0').count()..];
    let mut limbs = vec![0u64; width.div_ceil(64) as usize];
    for &digit in digits {
        let mut carry = u128::from(char::from(digit).to_digit(base as u32)?);
        for limb in &mut limbs {
            let product = u128::from(*limb) * u128::from(base) + carry;
            *limb = product as u64;
            carry = product >> 64;
        }
        if carry != 0 {
            return None;
        }
    }
    let top = width % 64;
    let fits = top == 0 || limbs.last().is_none_or(|limb| limb >> top == 0);
    fits.then(|| limbs.into())
}

/// Minus the value, modulo the limbs
pub fn negated(limbs: &[u64]) -> Box<[u64]> {
    let mut carry = true;
    let negate = |limb: &u64| {
        let (sum, over) = (!limb).overflowing_add(u64::from(carry));
        carry = over;
        sum
    };
    limbs.iter().map(negate).collect()
}

/// Is this bit set?
pub fn bit(limbs: &[u64], n: u32) -> bool {
    limbs.get((n / 64) as usize).is_some_and(|limb| limb >> (n % 64) & 1 == 1)
}

/// Is it two to the power `n`?
pub fn is_power(limbs: &[u64], n: u32) -> bool {
    bit(limbs, n) && limbs.iter().map(|limb| limb.count_ones()).sum::<u32>() == 1
}

/// Repeat bit `width - 1` (or zeros) above the width
pub fn extended(limbs: &[u64], width: u32, signed: bool) -> Box<[u64]> {
    let mut limbs: Box<[u64]> = limbs.into();
    let ones = signed && bit(&limbs, width - 1);
    if !width.is_multiple_of(64)
        && let Some(last) = limbs.get_mut((width / 64) as usize)
    {
        let mask = u64::MAX << (width % 64);
        *last = if ones { *last | mask } else { *last & !mask };
    }
    limbs
}

/// The value if it fits 128 bits, read with the sign of the top limb, or without sign
pub fn as_i128(limbs: &[u64], signed: bool) -> Option<i128> {
    let limb = |n: usize| u128::from(limbs.get(n).copied().unwrap_or(0));
    let low = (limb(0) | limb(1) << 64) as i128;
    let fill = if signed && low < 0 { u64::MAX } else { 0 };
    let fits = limbs.iter().skip(2).all(|limb| *limb == fill) && (signed || low >= 0);
    fits.then_some(low)
}

/// In decimal digits
pub fn decimal(limbs: &[u64], signed: bool) -> String {
    let negative = signed && limbs.last().is_some_and(|limb| limb >> 63 == 1);
    let mut left: Vec<u64> = if negative { negated(limbs).into() } else { limbs.into() };
    // Nineteen digits at a time, lowest first.
    const CHUNK: u64 = 10_000_000_000_000_000_000;
    let mut chunks = Vec::new();
    while left.iter().any(|limb| *limb != 0) {
        let mut rest = 0u128;
        for limb in left.iter_mut().rev() {
            let value = rest << 64 | u128::from(*limb);
            *limb = (value / u128::from(CHUNK)) as u64;
            rest = value % u128::from(CHUNK);
        }
        chunks.push(rest as u64);
    }
    let mut text = String::from(if negative { "-" } else { "" });
    match chunks.pop() {
        None => text.push('0'),
        Some(first) => text.push_str(&first.to_string()),
    }
    for chunk in chunks.into_iter().rev() {
        text.push_str(&format!("{chunk:019}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_back() {
        for text in
            ["0", "1", "340282366920938463463374607431768211456", "10000000000000000000000000000000000000000"]
        {
            let limbs = parse(text.as_bytes(), 10, 200).expect("fits");
            assert_eq!(decimal(&limbs, true), text);
            let minus = decimal(&negated(&limbs), true);
            assert_eq!(minus.trim_start_matches('-'), text);
        }
        assert!(parse(b"100", 16, 8).is_none());
        assert_eq!(decimal(&parse(b"ff", 16, 8).expect("fits"), false), "255");
    }

    #[test]
    fn small_ones_are_seen() {
        let limbs = parse(b"7", 10, 256).expect("fits");
        assert_eq!(as_i128(&limbs, true), Some(7));
        assert_eq!(as_i128(&negated(&limbs), true), Some(-7));
        assert_eq!(as_i128(&negated(&limbs), false), None);
    }
}
