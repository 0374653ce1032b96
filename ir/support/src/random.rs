//! Pseudo-random numbers whose sequence belongs to the seed, on every machine and in every version (splitmix64).
//!
//! For searches, which can be played again from their seed, and for tests. Not for secrets.

/// A sequence of numbers
#[derive(Clone, Debug)]
pub struct Random(u64);

/// Unsigned and signed numbers that count
pub trait Count: Copy {
    /// As 64 bits; negative ones count as nothing
    fn wide(self) -> u64;
    /// From what is below such a number
    fn narrow(wide: u64) -> Self;
}

macro_rules! counts {
    ($($ty:ty),*) => {
        $(impl Count for $ty {
            fn wide(self) -> u64 {
                u64::try_from(self).unwrap_or(0)
            }

            fn narrow(wide: u64) -> Self {
                wide as $ty
            }
        })*
    };
}

counts!(u32, u64, usize, i32, i64);

impl Random {
    /// The sequence that belongs to `seed`
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The sequence that belongs to a list of numbers: one for each step of a work, say, whatever the other steps draw
    pub fn of(key: &[u64]) -> Self {
        // Each round mixes all bits, so that near numbers have nothing in common.
        Self(key.iter().fold(key.len() as u64, |state, word| Self(state ^ word).next()))
    }

    /// The next 64 bits
    #[allow(clippy::should_implement_trait, reason = "a sequence without an end is no iterator to us")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..limit`, each with the same chance; 0 where there is none
    pub fn below<N: Count>(&mut self, limit: N) -> N {
        let limit = limit.wide();
        if limit == 0 {
            return N::narrow(0);
        }
        // Values above the last multiple of the limit would make small numbers likelier.
        let most = u64::MAX - (u64::MAX % limit + 1) % limit;
        loop {
            let value = self.next();
            if value <= most {
                return N::narrow(value % limit);
            }
        }
    }

    /// Yes or no
    pub fn coin(&mut self) -> bool {
        self.below(2u32) == 0
    }

    /// A number from 0 to 1, 1 not included
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Put them in an order, each with the same chance
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            all.swap(last, self.below(last + 1));
        }
    }

    /// One of `all`, if there is one
    pub fn choose<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// One of `all`, which must not be empty
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_has_its_sequence() {
        let first: Vec<u64> = (0..3).scan(Random::new(7), |random, _| Some(random.next())).collect();
        assert_eq!(first, [7_191_089_600_892_374_487, 309_689_372_594_955_804, 16_616_101_746_815_609_346]);
    }

    #[test]
    fn all_numbers_below_a_limit_are_drawn_about_equally_often() {
        let mut random = Random::new(1);
        let mut drawn = [0; 5];
        for _ in 0..5000 {
            drawn[random.below(5usize)] += 1;
        }
        assert!(drawn.iter().all(|times| (900..1100).contains(times)), "{drawn:?}");
    }

    #[test]
    fn units_fill_their_range() {
        let mut random = Random::new(2);
        let all: Vec<f64> = (0..10_000).map(|_| random.unit()).collect();
        assert!(all.iter().all(|unit| (0.0..1.0).contains(unit)));
        let tenths = all.iter().filter(|unit| **unit < 0.1).count();
        assert!((900..1100).contains(&tenths), "{tenths}");
    }

    #[test]
    fn every_order_is_as_likely() {
        let mut random = Random::new(3);
        let mut drawn = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut three = [0, 1, 2];
            random.shuffle(&mut three);
            *drawn.entry(three).or_insert(0) += 1;
        }
        assert!(drawn.len() == 6 && drawn.values().all(|times| (850..1150).contains(times)), "{drawn:?}");
    }

    #[test]
    fn near_keys_have_nothing_in_common() {
        let keys: Vec<Vec<u64>> = (0..20)
            .flat_map(|a| (0..20).map(move |b| vec![a, b]))
            .chain([vec![], vec![0], vec![0, 0, 0]])
            .collect();
        let first: std::collections::BTreeSet<u64> = keys.iter().map(|key| Random::of(key).next()).collect();
        assert_eq!(first.len(), keys.len());
        let bits: u32 = first.iter().map(|word| word.count_ones()).sum();
        assert!((31.0..33.0).contains(&(f64::from(bits) / first.len() as f64)), "{bits}");
        assert_eq!(Random::of(&[7, 1]).next(), Random::of(&[7, 1]).next());
    }

    #[test]
    fn below_nothing_is_zero() {
        let mut random = Random::new(1);
        assert_eq!((random.below(0u32), random.below(-3i64), random.below(1usize)), (0, 0, 0));
    }
}
