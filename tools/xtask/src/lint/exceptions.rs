//! What the tidy checks let off: `CHECK PATH: REASON` per line, in one file
//!
//! A path that ends in `/` stands for all below it, `PATH::NAME` for one thing of a file. An exception without a reason is refused, and so
//! is one for a file that is gone.

use crate::Fallible;
use crate::source::Source;

const FILE: &str = "tools/xtask/lint-exceptions.txt";

/// All exceptions
#[derive(Default)]
pub struct Exceptions {
    entries: Vec<(String, String)>,
}

impl Exceptions {
    /// Out of the list in the tree
    pub fn of(files: &[Source]) -> Fallible<Self> {
        let out = Exceptions::listed(files)?;
        for (_, path) in &out.entries {
            let file_of = path.split("::").next().unwrap_or(path);
            if !files.iter().any(|file| covers(file_of, &file.path)) {
                return Err(format!("{FILE}: {path} is gone; delete its line"));
            }
        }
        Ok(out)
    }

    /// The same, where files that are gone are no matter
    pub fn listed(files: &[Source]) -> Fallible<Self> {
        let list = files.iter().find(|file| file.path == FILE);
        Exceptions::parse(list.map_or("", |file| &file.text))
    }

    fn parse(text: &str) -> Fallible<Self> {
        let mut entries = Vec::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let parts =
                line.split_once(": ").and_then(|(head, reason)| Some((head.split_once(' ')?, reason.trim())));
            match parts {
                Some(((check, path), reason)) if !reason.is_empty() => {
                    entries.push((check.to_owned(), path.trim().to_owned()));
                }
                _ => return Err(format!("{FILE}: `{line}` is not `CHECK PATH: REASON`")),
            }
        }
        Ok(Exceptions { entries })
    }

    /// What a check lets off, as it is written
    pub fn paths(&self, check: &str) -> impl Iterator<Item = &str> {
        self.entries.iter().filter(move |(name, _)| name == check).map(|(_, path)| path.as_str())
    }

    /// Whether the check lets this file off
    pub fn allow(&self, check: &str, path: &str) -> bool {
        self.entries.iter().any(|(name, at)| name == check && covers(at, path))
    }
}

fn covers(entry: &str, path: &str) -> bool {
    entry == path || (entry.ends_with('/') && path.starts_with(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_covers_its_files() {
        let list =
            Exceptions::parse("# why\nunsafe-code runtime/abi/: it is C's side\n").expect("well formed");
        assert!(list.allow("unsafe-code", "runtime/abi/src/lib.rs"));
        assert!(!list.allow("length", "runtime/abi/src/lib.rs"));
        assert!(!list.allow("unsafe-code", "runtime/abide.rs"));
    }

    #[test]
    fn a_reason_is_required() {
        assert!(Exceptions::parse("length a.rs").is_err());
        assert!(Exceptions::parse("length a.rs: ").is_err());
    }

    #[test]
    fn a_stale_entry_is_refused() {
        let list = Source { path: FILE.into(), text: "length gone.rs: long\n".into() };
        assert!(Exceptions::of(&[list]).is_err());
    }
}
