//! Merging: segments of one store become segments of another one, too.
//!
//! The records of the result are those of both, in whatever order and however often stores are merged: a record has its id wherever it is.

use crate::error::StoreError;
use crate::record::Hash;
use crate::segment::{ENDING, fresh_name};
use crate::store::Store;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// What merging has done
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Merged {
    /// Segments that are new
    pub copied: usize,
    /// Segments that were there
    pub known: usize,
}

/// How the contents of two files are related
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    /// The first begins as the second does, and may go on
    Contains,
    /// The second goes on where the first ends
    IsPart,
    Other,
}

impl Store {
    /// Take the segments of another store
    pub fn merge(&self, from: &Store) -> Result<Merged, StoreError> {
        // Names are looked at and then taken: one merge after the other.
        let _locks = (self.alone_in_turn(), from.shared_if_free());
        let mut merged = Merged::default();
        for (name, _) in from.segments()? {
            match self.take(from.folder(), &name)? {
                true => merged.copied += 1,
                false => merged.known += 1,
            }
        }
        Ok(merged)
    }

    /// Take one segment; `false` if it is there
    fn take(&self, folder: &Path, name: &str) -> Result<bool, StoreError> {
        let (source, mut to) = (folder.join(name), self.folder().join(name));
        if to.exists() {
            match relation(&to, &source)? {
                Relation::Contains => return Ok(false),
                Relation::IsPart => {}
                // Another file of this name: the content gives it a name that it always has.
                Relation::Other => {
                    let stem = name.strip_suffix(ENDING).unwrap_or(name);
                    let own = hash(&source)?.short();
                    to = self.folder().join(format!("{stem}-{own}{ENDING}"));
                    if to.exists() && relation(&to, &source)? == Relation::Contains {
                        return Ok(false);
                    }
                }
            }
        }
        let mut part = to.clone().into_os_string();
        part.push(format!(".{}.part", fresh_name(0)));
        fs::copy(&source, &part).and_then(|_| fs::rename(&part, &to)).map_err(|why| {
            let _ = fs::remove_file(&part);
            StoreError::write(&to, why)
        })?;
        Ok(true)
    }
}

/// Compare two files, part by part
fn relation(one: &Path, other: &Path) -> Result<Relation, StoreError> {
    let open = |path: &Path| File::open(path).map_err(|why| StoreError::read(path, why));
    let (mut a, mut b) = (open(one)?, open(other)?);
    let (mut left, mut right) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let n = fill(&mut a, &mut left).map_err(|why| StoreError::read(one, why))?;
        let m = fill(&mut b, &mut right).map_err(|why| StoreError::read(other, why))?;
        let both = n.min(m);
        if left[..both] != right[..both] {
            return Ok(Relation::Other);
        }
        if n != m || n < left.len() {
            return Ok(if n >= m { Relation::Contains } else { Relation::IsPart });
        }
    }
}

/// Read until the part is full or the file ends
fn fill(file: &mut File, part: &mut [u8]) -> std::io::Result<usize> {
    let mut all = 0;
    while all < part.len() {
        match file.read(&mut part[all..]) {
            Ok(0) => break,
            Ok(n) => all += n,
            Err(why) if why.kind() == std::io::ErrorKind::Interrupted => {}
            Err(why) => return Err(why),
        }
    }
    Ok(all)
}

fn hash(path: &Path) -> Result<Hash, StoreError> {
    let fail = |why| StoreError::read(path, why);
    let mut file = File::open(path).map_err(fail)?;
    let (mut hasher, mut part) = (blake3::Hasher::new(), vec![0; 1 << 16]);
    loop {
        match fill(&mut file, &mut part).map_err(fail)? {
            0 => break,
            n => _ = hasher.update(&part[..n]),
        }
    }
    let mut first = [0; 16];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    Ok(Hash(first))
}
