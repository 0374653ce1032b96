//! Arithmetic of whole numbers that the standard library lacks

use std::ops::Rem;

/// The greatest number that divides both; the other one where one is zero
///
/// Of signed numbers it has the right size, and a sign of no meaning: take it of absolute values.
pub fn gcd<N: Copy + Default + PartialEq + Rem<Output = N>>(a: N, b: N) -> N {
    let (mut a, mut b) = (a, b);
    while b != N::default() {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divides_both_and_zero_is_neutral() {
        assert_eq!((gcd(12u64, 18), gcd(7u64, 0), gcd(0u128, 7), gcd(0u64, 0)), (6, 7, 7, 0));
    }
}
