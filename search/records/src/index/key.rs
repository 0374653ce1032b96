//! Keys of the index: program, target, compiler, machine, time, id. Their order is that in which records are wanted.

use crate::record::{Hash, Id, Record};

/// Bytes of the four hashes
pub const GROUP: usize = 64;

/// Bytes of a key
pub const BYTES: usize = GROUP + 8 + 16;

/// A key
pub type Key = [u8; BYTES];

/// Of a record. Times are above 0, so that their bits are in the order of the numbers
pub fn of(id: Id, record: &Record) -> Key {
    let mut key = [0; BYTES];
    let hashes = [record.program, record.target, record.compiler, record.machine];
    for (part, hash) in key.chunks_exact_mut(16).zip(hashes) {
        part.copy_from_slice(&hash.0);
    }
    key[GROUP..GROUP + 8].copy_from_slice(&record.seconds.to_bits().to_be_bytes());
    key[GROUP + 8..].copy_from_slice(&id.0);
    key
}

/// The four hashes of a key
pub fn hashes(key: &Key) -> [Hash; 4] {
    let part = |n: usize| {
        let mut hash = [0; 16];
        hash.copy_from_slice(&key[16 * n..16 * (n + 1)]);
        Hash(hash)
    };
    [part(0), part(1), part(2), part(3)]
}

/// The id of a key
pub fn id(key: &Key) -> Id {
    let mut id = [0; 16];
    id.copy_from_slice(&key[GROUP + 8..]);
    Hash(id)
}

/// The least key that begins so
pub fn first_of(prefix: &[u8]) -> Key {
    let mut key = [0; BYTES];
    for (to, from) in key.iter_mut().zip(prefix) {
        *to = *from;
    }
    key
}

/// The greatest key with the hashes of this one
pub fn last_of(key: &Key) -> Key {
    let mut last = *key;
    last[GROUP..].fill(0xff);
    last
}

/// The least key that is greater
pub fn after(key: &Key) -> Option<Key> {
    let mut next = *key;
    for byte in next.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return Some(next);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_follow_each_other() {
        assert_eq!(after(&[0xff; BYTES]), None);
        let next = after(&last_of(&first_of(&[7; GROUP]))).expect("there are greater ones");
        assert_eq!((next[GROUP - 1], &next[GROUP..]), (8, &[0; 24][..]));
        let mut one = [0; BYTES];
        one[BYTES - 1] = 1;
        assert_eq!(after(&[0; BYTES]), Some(one));
    }
}
