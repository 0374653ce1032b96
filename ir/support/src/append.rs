//! A vector that many threads append to and read without locks.
//!
//! Elements never move: they live in chunks of doubling size, each allocated once. Reading is two dependent loads.
//! Appending needs the caller's own order (see `Interner`), so it takes the index from an atomic counter.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

const FIRST_BITS: u32 = 6;
const CHUNKS: usize = 32 - FIRST_BITS as usize;

type Chunk<T> = OnceLock<Box<[OnceLock<T>]>>;

/// Append-only, shareable vector
pub struct AppendVec<T> {
    chunks: [Chunk<T>; CHUNKS],
    len: AtomicUsize,
}

impl<T> Default for AppendVec<T> {
    fn default() -> Self {
        AppendVec { chunks: [const { OnceLock::new() }; CHUNKS], len: AtomicUsize::new(0) }
    }
}

#[inline]
fn place(index: usize) -> (usize, usize) {
    let shifted = index + (1 << FIRST_BITS);
    let chunk = (usize::BITS - 1 - shifted.leading_zeros() - FIRST_BITS) as usize;
    (chunk, shifted - (1 << (chunk as u32 + FIRST_BITS)))
}

impl<T> AppendVec<T> {
    /// Append and return the element's index
    pub fn push(&self, value: T) -> usize {
        let index = self.len.fetch_add(1, Ordering::Relaxed);
        let (chunk, offset) = place(index);
        let slots = self.chunks[chunk]
            .get_or_init(|| (0..1usize << (chunk as u32 + FIRST_BITS)).map(|_| OnceLock::new()).collect());
        if slots[offset].set(value).is_err() {
            unreachable!("each index is given out once");
        }
        index
    }

    /// The element at `index`, if it has been written
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        let (chunk, offset) = place(index);
        self.chunks.get(chunk)?.get()?.get(offset)?.get()
    }

    /// Number of indices given out
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Acquire)
    }

    /// True if nothing was appended
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stay_where_they_were() {
        let vec = AppendVec::default();
        let first: *const String = {
            vec.push("first".to_string());
            vec.get(0).expect("just pushed")
        };
        for i in 1..5000 {
            assert_eq!(vec.push(i.to_string()), i);
        }
        assert!(std::ptr::eq(first, vec.get(0).expect("still there")));
        assert_eq!(vec.get(4999).map(String::as_str), Some("4999"));
        assert!(vec.get(5000).is_none());
    }

    #[test]
    fn threads_share_it() {
        let vec = AppendVec::default();
        std::thread::scope(|scope| {
            for t in 0..4 {
                let vec = &vec;
                scope.spawn(move || {
                    (0..1000).for_each(|i| assert!(vec.get(vec.push(t * 1000 + i)).is_some()))
                });
            }
        });
        assert_eq!(vec.len(), 4000);
    }
}
