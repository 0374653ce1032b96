//! Why a store cannot be used.

use crate::codes;
use crate::names::{FORM, MARKER};
use std::fmt;
use std::path::{Path, PathBuf};
use terrace_diag::Diagnostic;

/// Why a store cannot be used
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreError {
    /// There is no such folder
    Missing(PathBuf),
    /// The folder is no store
    NotAStore(PathBuf),
    /// Another version wrote it
    Version {
        /// The folder
        folder: PathBuf,
        /// What its marker states
        found: String,
    },
    /// It cannot be read
    Read {
        /// The file or folder
        path: PathBuf,
        /// By the system
        why: String,
    },
    /// It cannot be written
    Write {
        /// The file or folder
        path: PathBuf,
        /// By the system
        why: String,
    },
    /// Another process writes to it, so that its segments cannot be replaced
    Busy(PathBuf),
    /// The derived index does not work
    Index(String),
}

impl StoreError {
    /// Something cannot be read, or is not what was written
    pub fn read(path: &Path, why: impl fmt::Display) -> StoreError {
        StoreError::Read { path: path.into(), why: why.to_string() }
    }

    /// Writing failed
    pub(crate) fn write(path: &Path, why: impl fmt::Display) -> StoreError {
        StoreError::Write { path: path.into(), why: why.to_string() }
    }

    /// As a message with its code
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            StoreError::Missing(_) => Diagnostic::error(&codes::STORE, self.to_string())
                .help("`terrace-tune FILE --records=DIR` makes one"),
            StoreError::NotAStore(_) => Diagnostic::error(&codes::STORE, self.to_string())
                .help("name a store, or an empty folder for `terrace-tune FILE --records=DIR`"),
            StoreError::Version { .. } => Diagnostic::error(&codes::STORE, self.to_string())
                .help("use the version of the tools that made it, or name another folder"),
            StoreError::Busy(_) => Diagnostic::error(&codes::ACCESS, self.to_string())
                .help("try again when the search has ended"),
            StoreError::Write { .. } => Diagnostic::error(&codes::ACCESS, self.to_string())
                .help("name a folder that may be written, on a disk with space"),
            StoreError::Read { .. } | StoreError::Index(_) => {
                Diagnostic::error(&codes::ACCESS, self.to_string())
            }
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Missing(folder) => write!(f, "there is no store `{}`", folder.display()),
            StoreError::NotAStore(folder) => {
                write!(f, "`{}` is no store of records: it has no file `{}`", folder.display(), MARKER)
            }
            StoreError::Version { folder, found } => {
                let own = FORM;
                write!(f, "`{}` is a store of the form `{found}`; this tool reads `{own}`", folder.display())
            }
            StoreError::Read { path, why } => write!(f, "cannot read `{}`: {why}", path.display()),
            StoreError::Write { path, why } => write!(f, "cannot write `{}`: {why}", path.display()),
            StoreError::Busy(folder) => write!(f, "another process writes to `{}`", folder.display()),
            StoreError::Index(why) => write!(f, "the index does not work: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}
