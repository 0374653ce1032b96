//! What an option of `mlir-opt` is.

use super::request::Request;
use super::words::Takes;

/// Set what an option of this name and value says, or the error
type Set = fn(&mut Request, &str, Option<&str>) -> Result<(), String>;

/// An option
pub struct Known {
    /// Its name, without dashes
    pub name: &'static str,
    /// What it takes
    pub takes: Takes,
    /// What `--help` says, with the word for its value before a blank if it takes one
    pub help: &'static str,
    /// Set it
    pub set: Set,
}
