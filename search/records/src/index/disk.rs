//! The file of the index. It is held either by processes that read, or by one that writes, so that no one reads what changes.
//!
//! The library may panic on a file that something else has changed. Here that is an error as any other.

use super::{Key, Place, Read};
use crate::error::StoreError;
use crate::segment::{self, At};
use redb::{
    Builder, Database, DatabaseError, ReadOnlyDatabase, ReadOnlyTable, ReadTransaction, ReadableDatabase,
    ReadableTable, TableDefinition, TableError,
};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Name of the file
const FILE: &str = "index.redb";

/// How long another process may take to bring it up to date, before memory serves
const PATIENCE: Duration = Duration::from_secs(2);

/// How long to wait before looking again
const BETWEEN: Duration = Duration::from_millis(5);

/// Bytes of it in memory at most
const CACHE: usize = 64 << 20;

/// From a key to the number of a segment and a byte there
const ENTRIES: TableDefinition<'_, &Key, (u64, u64)> = TableDefinition::new("entries/1");

/// From the name of a segment to its number, bytes and lines that were read, and damaged lines
const SEGMENTS: TableDefinition<'_, &str, (u64, u64, u64, u64)> = TableDefinition::new("segments/1");

/// Why there is no index on disk
#[derive(Debug)]
pub enum Trouble {
    /// Another process brings it up to date
    Taken,
    /// It cannot be read or written
    Broken(String),
    /// A segment cannot be read
    Segment(StoreError),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Taken => f.write_str("another process holds it"),
            Trouble::Broken(why) => f.write_str(why),
            Trouble::Segment(why) => why.fmt(f),
        }
    }
}

impl From<StoreError> for Trouble {
    fn from(why: StoreError) -> Trouble {
        Trouble::Segment(why)
    }
}

fn broken(why: impl Into<redb::Error>) -> Trouble {
    Trouble::Broken(why.into().to_string())
}

/// What is known of a segment
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// Its number
    pub number: usize,
    /// How far it was read
    pub read: At,
    /// Damaged lines up to there
    pub damaged: u64,
}

/// The file, open for reading
pub struct Disk {
    table: Option<ReadOnlyTable<&'static Key, (u64, u64)>>,
    segments: BTreeMap<String, Known>,
    /// What the table is of
    _database: ReadOnlyDatabase,
}

impl Disk {
    /// As it is; refused where it is about segments that are gone, and while another process brings it up to date
    pub fn open(folder: &Path) -> Result<Disk, Trouble> {
        guarded(|| {
            let database = match builder().open_read_only(folder.join(FILE)) {
                Err(DatabaseError::DatabaseAlreadyOpen) => return Err(Trouble::Taken),
                other => other.map_err(broken)?,
            };
            let read = database.begin_read().map_err(broken)?;
            let segments = known(&read)?;
            if is_stale(&segments, folder) {
                return Err(Trouble::Broken("it is about other segments".into()));
            }
            let table = match read.open_table(ENTRIES) {
                Ok(table) => Some(table),
                Err(TableError::TableDoesNotExist(_)) => None,
                Err(why) => return Err(broken(why)),
            };
            Ok(Disk { table, segments, _database: database })
        })
    }

    /// The same, after some time if another process brings it up to date
    pub fn open_when_done(folder: &Path) -> Result<Disk, Trouble> {
        let start = Instant::now();
        loop {
            match Disk::open(folder) {
                Err(Trouble::Taken) if start.elapsed() < PATIENCE => std::thread::sleep(BETWEEN),
                other => return other,
            }
        }
    }

    /// Bring it up to date with these segments
    pub fn update(folder: &Path, segments: &[(String, u64)]) -> Result<(), Trouble> {
        guarded(|| {
            let database = match builder().create(folder.join(FILE)) {
                Err(DatabaseError::DatabaseAlreadyOpen) => return Err(Trouble::Taken),
                other => other.map_err(broken)?,
            };
            let mut known = known(&database.begin_read().map_err(broken)?)?;
            if is_stale(&known, folder) {
                let write = database.begin_write().map_err(broken)?;
                write.delete_table(ENTRIES).map_err(broken)?;
                write.delete_table(SEGMENTS).map_err(broken)?;
                write.commit().map_err(broken)?;
                known.clear();
            }
            update(&database, folder, segments, known)
        })
    }

    /// Delete the file, so that it is made anew
    pub fn remove(folder: &Path) {
        let _ = std::fs::remove_file(folder.join(FILE));
    }

    /// Is there something that it does not know?
    pub fn lacks(&self, segments: &[(String, u64)]) -> bool {
        let read = |name: &str| self.segments.get(name).map_or(0, |one| one.read.bytes);
        segments.iter().any(|(name, bytes)| *bytes > read(name))
    }

    /// Segments that it knows
    pub fn segments(&self) -> &BTreeMap<String, Known> {
        &self.segments
    }

    /// The first entry that is not before a key
    pub fn first_from(&self, from: &Key) -> Result<Option<(Key, Place)>, Trouble> {
        let Some(table) = &self.table else { return Ok(None) };
        guarded(|| {
            let mut range = table.range::<&Key>(from..).map_err(broken)?;
            let Some(found) = range.next() else { return Ok(None) };
            let (key, value) = found.map_err(broken)?;
            let (number, at) = value.value();
            let segment = usize::try_from(number).unwrap_or(usize::MAX);
            Ok(Some((*key.value(), Place { segment, at })))
        })
    }
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE);
    builder
}

/// What the file states of segments
fn known(read: &ReadTransaction) -> Result<BTreeMap<String, Known>, Trouble> {
    let table = match read.open_table(SEGMENTS) {
        Ok(table) => table,
        Err(TableError::TableDoesNotExist(_)) => return Ok(BTreeMap::new()),
        Err(why) => return Err(broken(why)),
    };
    let mut all = BTreeMap::new();
    for entry in table.iter().map_err(broken)? {
        let (name, value) = entry.map_err(broken)?;
        let (number, bytes, lines, damaged) = value.value();
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        all.insert(name.value().to_owned(), Known { number, read: At { bytes, lines }, damaged });
    }
    match all.values().all(|one| one.number < all.len()) {
        true => Ok(all),
        false => Err(Trouble::Broken("numbers of segments have gaps".into())),
    }
}

/// Is it about segments that are gone, or have become shorter? It may know newer ones than this process has seen
fn is_stale(known: &BTreeMap<String, Known>, folder: &Path) -> bool {
    let bytes = |name: &str| std::fs::metadata(folder.join(name)).map(|meta| meta.len());
    known.iter().any(|(name, one)| bytes(name).map_or(true, |bytes| bytes < one.read.bytes))
}

/// Read what is new
fn update(
    database: &Database,
    folder: &Path,
    segments: &[(String, u64)],
    known: BTreeMap<String, Known>,
) -> Result<(), Trouble> {
    let mut number = known.len();
    let mut write = None;
    for (name, bytes) in segments {
        let before = known.get(name).copied();
        let from = before.map_or(At::default(), |one| one.read);
        if *bytes <= from.bytes {
            continue;
        }
        let mut read = Read::default();
        let to = segment::read(folder, name, from, &mut read)?;
        if to == from {
            continue;
        }
        let own = before.map_or(number, |one| one.number) as u64;
        number += usize::from(before.is_none());
        let write = match &mut write {
            Some(write) => write,
            none => none.insert(database.begin_write().map_err(broken)?),
        };
        let mut entries = write.open_table(ENTRIES).map_err(broken)?;
        for (key, at) in read.entries {
            entries.insert(&key, (own, at)).map_err(broken)?;
        }
        let damaged = before.map_or(0, |one| one.damaged) + read.damaged;
        let mut table = write.open_table(SEGMENTS).map_err(broken)?;
        table.insert(name.as_str(), (own, to.bytes, to.lines, damaged)).map_err(broken)?;
    }
    match write {
        Some(write) => write.commit().map_err(broken),
        None => Ok(()),
    }
}

/// A panic of the library is an error
fn guarded<T>(run: impl FnOnce() -> Result<T, Trouble>) -> Result<T, Trouble> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(Trouble::Broken("the file is damaged".into())))
}
