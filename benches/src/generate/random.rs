//! A seeded source of numbers for the generators: splitmix64.
//!
//! Invariant: the sequence depends on the seed alone, so a file is named by its kind, size and seed.
//! Not for anything that needs unpredictability. Source: Steele, Lea, Flood, "Fast splittable
//! pseudorandom number generators" (OOPSLA 2014).

/// The state of one sequence
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence that belongs to `seed`
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..limit`; 0 when `limit` is 0
    pub fn below(&mut self, limit: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u32
    }

    /// One of `items`, which must not be empty
    pub fn choose<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_sequences() {
        let (mut a, mut b, mut c) = (Random::new(7), Random::new(7), Random::new(8));
        let first: Vec<u64> = (0..4).map(|_| a.next()).collect();
        assert_eq!(first, (0..4).map(|_| b.next()).collect::<Vec<_>>());
        assert_ne!(first, (0..4).map(|_| c.next()).collect::<Vec<_>>());
    }

    #[test]
    fn below_stays_below_and_reaches_both_ends() {
        let mut random = Random::new(1);
        let drawn: Vec<u32> = (0..200).map(|_| random.below(3)).collect();
        assert!(drawn.iter().all(|&n| n < 3));
        assert!((0..3).all(|n| drawn.contains(&n)));
        assert_eq!(random.below(0), 0);
    }
}
