//! A seeded source of numbers for the generators.
//!
//! Invariant: the sequence depends on the seed alone, so a file is named by its kind, size and seed; how numbers below a limit
//! are taken from it stays as it is, or figures of earlier commits would be of other files.

/// The state of one sequence
#[derive(Clone, Debug)]
pub struct Random(terrace_support::Random);

impl Random {
    /// The sequence that belongs to `seed`
    pub fn new(seed: u64) -> Self {
        Self(terrace_support::Random::new(seed))
    }

    /// The next 64 bits
    pub fn next(&mut self) -> u64 {
        self.0.next()
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
