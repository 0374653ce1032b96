//! A store of records: what searches found, kept for later compilations.
//!
//! A store is a folder. Its truth is segments: files of JSON lines, each written by one process and only ever appended to. An index
//! is derived from them and can be deleted at any time. Two stores are merged by copying segments.
//!
//! - [`record`]: a record and the four hashes that it is found by; [`setting`]: what the hashes are of;
//! - [`line`](mod@line): a record as a line with its length and checksum; [`segment`]: reading and writing files of them;
//! - [`store`]: the folder; `merge` and `prune`: what changes it as a whole; `names`: of files in it; `index`: look-ups; [`query`]: which records may be taken;
//! - [`codes`], [`error`]: what can be wrong.
//!
//! **Invariant:** a line that is damaged, cut off or from a newer version is never taken for a record, and never makes another one
//! unreadable. Nothing here knows IR, measures, or judges a schedule.

pub mod codes;
pub mod error;
mod index;
pub mod line;
mod merge;
mod names;
mod prune;
pub mod query;
pub mod record;
pub mod segment;
pub mod setting;
pub mod store;

pub use error::StoreError;
pub use merge::Merged;
pub use prune::Pruned;
pub use query::{Answer, Found, Relaxed, Wanted};
pub use record::{About, Hash, Id, Record};
pub use segment::{Fault, Why};
pub use setting::{Compiler, Here, Target};
pub use store::{Contents, Store};
