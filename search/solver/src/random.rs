//! Numbers of any size from a generator.

use num_bigint::BigUint;
use terrace_support::Random;

/// Uniform below a number of any size; 0 below 0
pub(crate) fn below_big(random: &mut Random, n: &BigUint) -> BigUint {
    let bits = n.bits();
    if bits <= 64 {
        return BigUint::from(random.below(n.iter_u64_digits().next().unwrap_or(0)));
    }
    let words = bits.div_ceil(32) as usize;
    loop {
        let mut digits: Vec<u32> = (0..words).map(|_| random.next() as u32).collect();
        let spare = words as u64 * 32 - bits;
        if let Some(last) = digits.last_mut() {
            *last >>= spare;
        }
        let value = BigUint::new(digits);
        if value < *n {
            return value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_below() {
        let mut random = Random::new(7);
        let most = (BigUint::from(5u32) << 100) + 1u32;
        let upper = (0..1_000).filter(|_| below_big(&mut random, &most) > (&most >> 1)).count();
        assert!((400..600).contains(&upper), "{upper}");
    }
}
