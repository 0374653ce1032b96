//! Resources of a file: data that attributes name by a key, kept as they were written.
//!
//! They belong to the outermost unit. Nothing here reads the data.

use terrace_diag::SourceId;

/// `key: value` with the value as it was written: `true`, `false` or a string with its quotes
#[derive(Clone, Debug)]
pub struct Entry {
    /// Key
    pub key: Box<str>,
    /// Where the value stands in the source
    pub value: (u32, u32),
}

/// Entries of one dialect, or of one external owner
#[derive(Clone, Debug)]
pub struct Group {
    /// Dialect or owner
    pub name: Box<str>,
    /// Entries in order
    pub entries: Vec<Entry>,
}

/// What stands between `{-#` and `#-}`
#[derive(Clone, Debug)]
pub struct Resources {
    /// The source that values stand in
    pub source: SourceId,
    /// Sections in order: `dialect_resources`, `external_resources`
    pub sections: Vec<(Box<str>, Vec<Group>)>,
}
