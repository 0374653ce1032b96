//! The index of a store: from a program to places in segments, in the order in which records are wanted.
//!
//! It is derived: what is wrong with it costs a new one, never a record. A process brings it up to date while no other one holds it. What
//! is newer than the file is kept in memory, as by a process that may not write.

mod disk;
mod key;

use crate::error::StoreError;
use crate::record::{Id, Record};
use crate::segment::{self, At, Fault, Visit};
use disk::{Disk, Trouble};
pub use key::{GROUP, Key, after, first_of, hashes, id, last_of};
use std::collections::BTreeMap;
use std::path::Path;

/// Where a record is
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Number of the segment
    pub segment: usize,
    /// Its first byte there
    pub at: u64,
}

/// An index that is open
pub struct Index {
    disk: Option<Disk>,
    /// Segments by their numbers
    names: Vec<String>,
    /// What is not on disk
    memory: BTreeMap<Key, Place>,
    /// Damaged lines of each segment that has some
    damaged: Vec<(String, u64)>,
    /// Segments that it is of, with their bytes
    segments: Vec<(String, u64)>,
}

/// What reading a segment gives the index
#[derive(Default)]
struct Read {
    entries: Vec<(Key, u64)>,
    damaged: u64,
}

impl Visit for Read {
    fn record(&mut self, id: Id, record: Record, at: u64, _: &[u8]) -> Result<(), StoreError> {
        self.entries.push((key::of(id, &record), at));
        Ok(())
    }

    fn fault(&mut self, fault: Fault, _: &[u8]) -> Result<(), StoreError> {
        self.damaged += u64::from(fault.is_damage());
        Ok(())
    }
}

impl Index {
    /// Bring it up to date with these segments, as far as this process may
    pub fn open(folder: &Path, segments: &[(String, u64)]) -> Result<Index, StoreError> {
        let current = Disk::open(folder).ok().filter(|disk| !disk.lacks(segments));
        // One that is out of date is closed by now: this process could not write to it otherwise.
        let disk = match current {
            Some(disk) => Some(disk),
            None => Index::updated(folder, segments)?,
        };
        Index::with(folder, segments, disk)
    }

    /// The file after an update; as it is, where another process reads or updates it; none, where it cannot be made
    fn updated(folder: &Path, segments: &[(String, u64)]) -> Result<Option<Disk>, StoreError> {
        let done = match Disk::update(folder, segments) {
            // A broken one is made anew.
            Err(Trouble::Broken(_)) => {
                Disk::remove(folder);
                Disk::update(folder, segments)
            }
            done => done,
        };
        match done {
            Err(Trouble::Segment(why)) => Err(why),
            Ok(()) | Err(_) => Ok(Disk::open_when_done(folder).ok()),
        }
    }

    /// Without its file, which is broken
    pub fn discard(folder: &Path) {
        Disk::remove(folder);
    }

    /// Without a file
    pub fn in_memory(folder: &Path, segments: &[(String, u64)]) -> Result<Index, StoreError> {
        Index::with(folder, segments, None)
    }

    fn with(folder: &Path, segments: &[(String, u64)], disk: Option<Disk>) -> Result<Index, StoreError> {
        let segments = segments.to_vec();
        let mut index =
            Index { disk, names: Vec::new(), memory: BTreeMap::new(), damaged: Vec::new(), segments };
        let known = index.disk.as_ref().map(|disk| disk.segments().clone()).unwrap_or_default();
        index.names = vec![String::new(); known.values().map(|one| one.number + 1).max().unwrap_or(0)];
        for (name, one) in &known {
            index.names[one.number].clone_from(name);
        }
        for (name, bytes) in &index.segments {
            let before = known.get(name);
            let mut damaged = before.map_or(0, |one| one.damaged);
            let from = before.map_or(At::default(), |one| one.read);
            if *bytes > from.bytes {
                let mut read = Read::default();
                segment::read(folder, name, from, &mut read)?;
                damaged += read.damaged;
                let number = index.names.len();
                index.names.push(name.clone());
                let places = read.entries.into_iter().map(|(key, at)| (key, Place { segment: number, at }));
                index.memory.extend(places);
            }
            if damaged > 0 {
                index.damaged.push((name.clone(), damaged));
            }
        }
        Ok(index)
    }

    /// Is it of these segments?
    pub fn is_of(&self, segments: &[(String, u64)]) -> bool {
        self.segments == segments
    }

    /// Segments with damaged lines
    pub fn damaged(&self) -> &[(String, u64)] {
        &self.damaged
    }

    /// Name of a place's segment
    pub fn segment(&self, place: Place) -> &str {
        self.names.get(place.segment).map_or("", String::as_str)
    }

    /// The first entry that is not before a key
    pub fn first_from(&self, from: &Key) -> Result<Option<(Key, Place)>, StoreError> {
        let memory = self.memory.range(*from..).next().map(|(key, place)| (*key, *place));
        let disk = match &self.disk {
            Some(disk) => disk.first_from(from).map_err(|why| StoreError::Index(why.to_string()))?,
            None => None,
        };
        Ok(match (memory, disk) {
            (Some(memory), Some(disk)) => Some(if disk.0 <= memory.0 { disk } else { memory }),
            (memory, disk) => memory.or(disk),
        })
    }
}
