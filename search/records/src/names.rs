//! Names in the folder of a store.

/// Name of the file that marks a store
pub const MARKER: &str = "terrace-records.json";

/// The form of stores
pub const FORM: &str = "terrace-records/1";

/// What keeps pruning and writing apart
pub const LOCK: &str = "lock";
