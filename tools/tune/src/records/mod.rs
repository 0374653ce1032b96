//! Records of searches: written at the end of a search, and looked at, merged and pruned from the command line.

mod keep;
mod manage;
mod table;

pub(crate) use keep::{Kept, hashes, keep, open};
pub(crate) use manage::{HELP, Manage, manage};
