//! Stores of records from the command line: looked at, merged, pruned. `keep` writes what a search has found.

mod manage;
mod table;

pub(crate) use manage::{HELP, Manage, manage};
