//! One fast, seedless hash for every table of the framework.
//!
//! Seedless so that two runs do the same work; hash order must never reach an output, so the maps are for look-up only
//! (iteration is refused by the `iter_over_hash_type` lint). Multiplicative with a final fold, because tables use the
//! top bits as well as the low ones.

use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Word-at-a-time multiplicative hasher
#[derive(Default, Clone, Copy)]
pub struct FastHasher(u64);

const K: u64 = 0x9e37_79b9_7f4a_7c15;

impl FastHasher {
    #[inline]
    fn mix(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word).wrapping_mul(u128::from(K) | (u128::from(K) << 64));
        self.0 = (wide as u64) ^ ((wide >> 64) as u64).rotate_left(23) ^ word.wrapping_mul(K);
    }
}

impl Hasher for FastHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.mix(u64::from_le_bytes(chunk.try_into().expect("chunks of eight")));
        }
        let rest = chunks.remainder();
        let mut last = [0u8; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last) ^ ((bytes.len() as u64) << 56));
    }
    #[inline]
    fn write_u8(&mut self, i: u8) {
        self.mix(u64::from(i));
    }
    #[inline]
    fn write_u16(&mut self, i: u16) {
        self.mix(u64::from(i));
    }
    #[inline]
    fn write_u32(&mut self, i: u32) {
        self.mix(u64::from(i));
    }
    #[inline]
    fn write_u64(&mut self, i: u64) {
        self.mix(i);
    }
    #[inline]
    fn write_usize(&mut self, i: usize) {
        self.mix(i as u64);
    }
    #[inline]
    fn finish(&self) -> u64 {
        (self.0 ^ (self.0 >> 32)).wrapping_mul(K)
    }
}

/// Look-up table with the house hash
pub type HashMap<K, V> = hashbrown::HashMap<K, V, BuildHasherDefault<FastHasher>>;
/// Set with the house hash
pub type HashSet<K> = hashbrown::HashSet<K, BuildHasherDefault<FastHasher>>;

/// Hash of one value under the house hash
#[inline]
pub fn hash_one<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = FastHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_in_high_and_low_bits() {
        let hashes: Vec<u64> = (0u32..4096).map(|i| hash_one(&i)).collect();
        let mut low = HashSet::default();
        let mut high = HashSet::default();
        for hash in hashes {
            low.insert(hash & 0xfff);
            high.insert(hash >> 52);
        }
        assert!(low.len() > 2300 && high.len() > 2300, "{} {}", low.len(), high.len());
    }

    #[test]
    fn length_matters() {
        assert_ne!(hash_one("a\0"), hash_one("a"));
    }
}
