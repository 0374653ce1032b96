//! Sharded, append-only hash-consing: equal values get equal ids, ids are read without locks.
//!
//! Ids depend on which thread came first, so nothing may be ordered by them.

use crate::append::AppendVec;
use crate::hash::hash_one;
use hashbrown::HashTable;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard};

const SHARDS: usize = 64;

type Table = HashTable<(u64, u32)>;

/// Table of unique values
pub struct Interner<T> {
    values: AppendVec<T>,
    shards: Box<[Mutex<Table>]>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            values: AppendVec::default(),
            shards: (0..SHARDS).map(|_| Mutex::new(HashTable::new())).collect(),
        }
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// Id of `value`, made if it is new
    pub fn intern(&self, value: T) -> u32 {
        let hash = hash_one(&value);
        let mut table = self.shard(hash);
        if let Some(&(_, id)) = table.find(hash, |&(other, id)| other == hash && *self.get(id) == value) {
            return id;
        }
        self.add(&mut table, hash, value)
    }
}

impl<T> Interner<T> {
    /// Id of the value for which `same` holds; `make` is called only if there is none
    ///
    /// `hash` must be the `hash_one` of the value that `make` gives; so a borrowed key costs no allocation on a hit.
    pub fn intern_with(&self, hash: u64, same: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> u32 {
        let mut table = self.shard(hash);
        if let Some(&(_, id)) = table.find(hash, |&(other, id)| other == hash && same(self.get(id))) {
            return id;
        }
        self.add(&mut table, hash, make())
    }

    fn shard(&self, hash: u64) -> MutexGuard<'_, Table> {
        let shard = &self.shards[(hash >> 58) as usize % SHARDS];
        shard.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn add(&self, table: &mut Table, hash: u64, value: T) -> u32 {
        let id = self.values.push(value) as u32;
        table.insert_unique(hash, (hash, id), |&(hash, _)| hash);
        id
    }

    /// The value behind an id of this table
    #[inline]
    pub fn get(&self, id: u32) -> &T {
        self.values.get(id as usize).expect("ids come from this table")
    }

    /// All values that are there by now
    pub fn values(&self) -> impl Iterator<Item = &T> {
        (0..self.values.len()).filter_map(|index| self.values.get(index))
    }

    /// Number of different values
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// True if nothing was interned
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_an_id() {
        let table: Interner<String> = Interner::default();
        let a = table.intern("a".to_string());
        assert_eq!(table.intern("a".to_string()), a);
        assert_ne!(table.intern("b".to_string()), a);
        assert_eq!(table.get(a), "a");
    }

    #[test]
    fn a_hit_makes_nothing() {
        let table: Interner<String> = Interner::default();
        let id = table.intern("x".to_string());
        let hash = hash_one("x");
        assert_eq!(table.intern_with(hash, |s| s == "x", || unreachable!("known")), id);
    }

    #[test]
    fn threads_agree() {
        let table: Interner<u64> = Interner::default();
        let ids: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let runs: Vec<_> =
                (0..4).map(|_| scope.spawn(|| (0..500u64).map(|i| table.intern(i)).collect())).collect();
            runs.into_iter().map(|run| run.join().expect("no panic")).collect()
        });
        assert!(ids.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(table.len(), 500);
    }
}
