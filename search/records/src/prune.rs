//! Pruning: a store is written anew with the best records alone.

use crate::error::StoreError;
use crate::line::NoRecord;
use crate::record::{Hash, Id, Record};
use crate::segment::{Fault, Visit, Why, fresh_name};
use crate::store::{Store, replace};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// What pruning has done
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pruned {
    /// Records that there were
    pub before: usize,
    /// Records that are left
    pub after: usize,
    /// Lines that were no records, and are gone
    pub dropped: usize,
    /// Lines of newer tools, which stay
    pub newer: usize,
}

/// Times first, so that the first ones are the best
type Ranked = BTreeMap<(u64, Id), Vec<u8>>;

struct Best {
    keep: usize,
    seen: BTreeSet<Id>,
    groups: BTreeMap<[Hash; 4], Ranked>,
    newer: BTreeSet<Vec<u8>>,
    dropped: usize,
}

impl Visit for Best {
    fn record(&mut self, id: Id, record: Record, _: u64, text: &[u8]) -> Result<(), StoreError> {
        if self.seen.insert(id) {
            let group = [record.program, record.target, record.compiler, record.machine];
            let best = self.groups.entry(group).or_default();
            best.insert((record.seconds.to_bits(), id), text.to_vec());
            if best.len() > self.keep {
                best.pop_last();
            }
        }
        Ok(())
    }

    fn fault(&mut self, fault: Fault, text: &[u8]) -> Result<(), StoreError> {
        match fault.why {
            Why::No(NoRecord::Newer(_)) => _ = self.newer.insert(text.to_vec()),
            _ => self.dropped += 1,
        }
        Ok(())
    }
}

impl Store {
    /// Keep so many records of each computation, target, compiler and machine: the fastest
    ///
    /// The new segment is whole before the old ones go. What ends in between leaves records twice, and none is lost.
    pub fn prune(&self, keep: usize) -> Result<Pruned, StoreError> {
        let _lock = self.alone()?;
        let old = self.segments()?;
        let mut best =
            Best { keep, seen: BTreeSet::new(), groups: BTreeMap::new(), newer: BTreeSet::new(), dropped: 0 };
        self.visit(&mut best)?;
        let kept: Vec<Vec<u8>> = best.groups.into_values().flat_map(Ranked::into_values).collect();
        let pruned = Pruned {
            before: best.seen.len(),
            after: kept.len(),
            dropped: best.dropped,
            newer: best.newer.len(),
        };
        let lines: Vec<u8> = kept.into_iter().chain(best.newer).flatten().collect();
        if !lines.is_empty() {
            replace(&self.folder().join(fresh_name(0)), &lines)?;
        }
        for (name, bytes) in old {
            let path = self.folder().join(name);
            // A writer that locks do not keep away may have added to it.
            if fs::metadata(&path).is_ok_and(|meta| meta.len() > bytes) {
                continue;
            }
            fs::remove_file(&path).map_err(|why| StoreError::write(&path, why))?;
        }
        self.forget_index();
        Ok(pruned)
    }
}
