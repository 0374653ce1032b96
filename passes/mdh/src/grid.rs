//! What grids need of a computation before it has a schedule: parts of long reductions ([`fill`]) and of prefixes ([`scans`]).

pub mod fill;
pub mod scans;
