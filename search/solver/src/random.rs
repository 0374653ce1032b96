//! A seeded generator of random numbers: the same on every machine.

use num_bigint::BigUint;

/// Numbers from a seed (splitmix64)
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// From a seed
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 bits
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform below a number; 0 below 0
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        // Values above the last multiple of n would make small results likelier.
        let most = u64::MAX - (u64::MAX % n + 1) % n;
        loop {
            let value = self.next();
            if value <= most {
                return value % n;
            }
        }
    }

    /// Uniform below a number of any size; 0 below 0
    pub fn below_big(&mut self, n: &BigUint) -> BigUint {
        let bits = n.bits();
        if bits <= 64 {
            return BigUint::from(self.below(n.iter_u64_digits().next().unwrap_or(0)));
        }
        let words = bits.div_ceil(32) as usize;
        loop {
            let mut digits: Vec<u32> = (0..words).map(|_| self.next() as u32).collect();
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_below_and_reach_all() {
        let mut random = Random::new(7);
        let mut seen = [0u32; 5];
        for _ in 0..5_000 {
            seen[random.below(5) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (900..1_100).contains(n)), "{seen:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn large_numbers_are_below() {
        let mut random = Random::new(7);
        let most = (BigUint::from(5u32) << 100) + 1u32;
        let upper = (0..1_000).filter(|_| random.below_big(&most) > (&most >> 1)).count();
        assert!((400..600).contains(&upper), "{upper}");
    }
}
