//! The folder of a store: its marker, its segments, who may change them.
//!
//! `terrace-records.json` marks it, `*.jsonl` are segments, `index.redb` is derived, `lock` keeps pruning and writing apart.

use crate::error::StoreError;
use crate::index::Index;
use crate::line;
use crate::names::{FORM, LOCK, MARKER};
use crate::query::{self, Answer, Relaxed, Wanted};
use crate::record::{Id, Record};
use crate::segment::{self, At, ENDING, Fault, Visit, Writer};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A store that is open
pub struct Store {
    folder: PathBuf,
    index: Mutex<Option<Index>>,
}

/// All that is in a store
#[derive(Default, Debug)]
pub struct Contents {
    /// Each record once
    pub records: BTreeMap<Id, Record>,
    /// Lines that are none, in the order of segments
    pub faults: Vec<Fault>,
    /// Lines that state a record which another one states already
    pub repeated: usize,
}

impl Visit for Contents {
    fn record(&mut self, id: Id, record: Record, _: u64, _: &[u8]) -> Result<(), StoreError> {
        self.repeated += usize::from(self.records.insert(id, record).is_some());
        Ok(())
    }

    fn fault(&mut self, fault: Fault, _: &[u8]) -> Result<(), StoreError> {
        self.faults.push(fault);
        Ok(())
    }
}

impl Store {
    /// A store that is there
    pub fn open(folder: impl Into<PathBuf>) -> Result<Store, StoreError> {
        let folder = folder.into();
        if !marked(&folder)? {
            return Err(if folder.exists() {
                StoreError::NotAStore(folder)
            } else {
                StoreError::Missing(folder)
            });
        }
        Ok(Store { folder, index: Mutex::new(None) })
    }

    /// The same; a folder that is empty or not there becomes a store
    pub fn create(folder: impl Into<PathBuf>) -> Result<Store, StoreError> {
        let folder = folder.into();
        if folder.exists() && !folder.is_dir() {
            return Err(StoreError::NotAStore(folder));
        }
        if !marked(&folder)? {
            fs::create_dir_all(&folder).map_err(|why| StoreError::write(&folder, why))?;
            let mut entries = fs::read_dir(&folder).map_err(|why| StoreError::read(&folder, why))?;
            // Another process may be making it a store, too.
            let foreign = entries.any(|entry| {
                entry.map_or(true, |entry| !entry.file_name().to_string_lossy().starts_with(MARKER))
            });
            if foreign && !marked(&folder)? {
                return Err(StoreError::NotAStore(folder));
            }
            let text = format!("{{\"store\":\"{FORM}\"}}\n");
            replace(&folder.join(MARKER), text.as_bytes())?;
        }
        Ok(Store { folder, index: Mutex::new(None) })
    }

    /// The folder
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Can a record be written? A search of hours must not end in a place that cannot be
    pub fn check_writable(&self) -> Result<(), StoreError> {
        let probe = self.folder.join(format!("{MARKER}.{}.probe", std::process::id()));
        let fail = |why| StoreError::write(&self.folder, why);
        fs::write(&probe, b"").map_err(fail)?;
        fs::remove_file(&probe).map_err(fail)
    }

    /// Names and bytes of its segments, in order of their names
    pub fn segments(&self) -> Result<Vec<(String, u64)>, StoreError> {
        let fail = |why| StoreError::read(&self.folder, why);
        let mut all = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if !name.ends_with(ENDING) || name.starts_with('.') {
                continue;
            }
            match fs::metadata(entry.path()) {
                Ok(meta) if meta.is_file() => all.push((name, meta.len())),
                Ok(_) => {}
                // Another process has pruned it since.
                Err(why) if why.kind() == std::io::ErrorKind::NotFound => {}
                Err(why) => return Err(fail(why)),
            }
        }
        all.sort();
        Ok(all)
    }

    /// Read all lines of all segments
    pub fn visit(&self, visit: &mut dyn Visit) -> Result<(), StoreError> {
        for (name, _) in self.segments()? {
            segment::read(&self.folder, &name, At::default(), visit)?;
        }
        Ok(())
    }

    /// All records, and what is wrong with other lines
    pub fn contents(&self) -> Result<Contents, StoreError> {
        let mut contents = Contents::default();
        self.visit(&mut contents)?;
        Ok(contents)
    }

    /// Write records into a segment of their own; their ids
    pub fn write(&self, records: &[Record]) -> Result<Vec<Id>, StoreError> {
        let _lock = self.shared();
        let mut ids = Vec::new();
        let mut lines = String::new();
        for record in records {
            let (id, line) = line::write(record).map_err(|why| StoreError::write(&self.folder, why))?;
            ids.push(id);
            lines.push_str(&line);
        }
        if !records.is_empty() {
            let mut writer = Writer::new(&self.folder)?;
            if let Err(why) = writer.append(lines.as_bytes()) {
                // It has no record: nothing is lost with it.
                let _ = fs::remove_file(self.folder.join(writer.name()));
                return Err(why);
            }
        }
        Ok(ids)
    }

    /// Records for a computation, the best first, at most so many; and why there are no others
    pub fn look_up(&self, wanted: &Wanted, relaxed: Relaxed, most: usize) -> Result<Answer, StoreError> {
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let segments = self.segments()?;
        // One that is out of date is closed before it is opened anew.
        let open = match index.take().filter(|open| open.is_of(&segments)) {
            Some(open) => open,
            None => Index::open(&self.folder, &segments)?,
        };
        match query::look_up(&self.folder, &open, wanted, relaxed, most) {
            // What is derived is not worth an error.
            Err(StoreError::Index(_)) => {
                drop(open);
                // The next process makes it anew.
                Index::discard(&self.folder);
                let anew = Index::in_memory(&self.folder, &segments)?;
                let answer = query::look_up(&self.folder, &anew, wanted, relaxed, most);
                *index = Some(anew);
                answer
            }
            answer => {
                *index = Some(open);
                answer
            }
        }
    }

    /// What was derived from other segments is derived anew
    pub(crate) fn forget_index(&self) {
        *self.index.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Keep others from pruning; where locks are not supported, or the folder may only be read, nothing keeps them
    pub(crate) fn shared(&self) -> Option<File> {
        let file = self.lock_file().ok()?;
        file.lock_shared().ok().map(|()| file)
    }

    /// Keep others from writing and pruning
    pub(crate) fn alone(&self) -> Result<File, StoreError> {
        let path = self.folder.join(LOCK);
        let file = self.lock_file().map_err(|why| StoreError::write(&path, why))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy(self.folder.clone())),
            Err(TryLockError::Error(why)) => Err(StoreError::write(&path, why)),
        }
    }

    /// Keep others from writing, merging and pruning, once they are done
    pub(crate) fn alone_in_turn(&self) -> Option<File> {
        let file = self.lock_file().ok()?;
        file.lock().ok().map(|()| file)
    }

    /// Keep others from pruning, where the store has a lock and none of them holds it: it may be another user's
    pub(crate) fn shared_if_free(&self) -> Option<File> {
        let file = File::open(self.folder.join(LOCK)).ok()?;
        file.try_lock_shared().ok().map(|()| file)
    }

    /// To lock a file, it need not be written: another user may have made it
    fn lock_file(&self) -> std::io::Result<File> {
        let path = self.folder.join(LOCK);
        let made = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        made.or_else(|why| File::open(&path).map_err(|_| why))
    }
}

/// Does the folder say that it is a store of this form?
fn marked(folder: &Path) -> Result<bool, StoreError> {
    let path = folder.join(MARKER);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(why)
            if matches!(why.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) =>
        {
            return Ok(false);
        }
        Err(why) => return Err(StoreError::read(&path, why)),
    };
    let value: Option<serde_json::Value> = serde_json::from_slice(&text).ok();
    match value.as_ref().and_then(|value| value["store"].as_str()) {
        Some(FORM) => Ok(true),
        Some(found) => Err(StoreError::Version { folder: folder.into(), found: found.into() }),
        None => Err(StoreError::NotAStore(folder.into())),
    }
}

/// Write a file whole or not at all
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut part = path.to_path_buf().into_os_string();
    part.push(format!(".{}.part", std::process::id()));
    let part = PathBuf::from(part);
    let written = File::create(&part).and_then(|mut file| {
        std::io::Write::write_all(&mut file, bytes)?;
        file.sync_data()
    });
    written.and_then(|()| fs::rename(&part, path)).map_err(|why| {
        let _ = fs::remove_file(&part);
        StoreError::write(path, why)
    })
}
