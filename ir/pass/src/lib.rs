//! Passes, pipelines as text, options, statistics, timing, analyses, and the manager that runs them.
//!
//! A pass receives verified IR and leaves verified IR; in between anything goes; it touches nothing outside the unit it is
//! given (xDSL's contract). Units are disjoint arenas, so the manager runs a nested pipeline on all functions at once;
//! diagnostics, statistics and printed IR are merged in the order of the units, whatever the number of threads.
//!
//! - [`pass`]: what a pass is, its options; [`cx`]: what it is given; [`pipeline`]: `builtin.module(func.func(cse))`.
//! - [`manager`]: running; [`instrument`]: what to print, verify and time meanwhile; [`watch`]: following a run step by
//!   step; [`report`]: tables for people.

pub mod codes;
pub mod cx;
pub mod instrument;
mod limit;
pub mod manager;
mod option;
pub mod pass;
pub mod pipeline;
pub mod report;
pub mod watch;

pub use cx::{Analysis, PassCx, Stats};
pub use instrument::{Instrument, PrintWhen};
pub use limit::{Counted, NoLimit, RewriteLimit};
pub use manager::{Dump, RunReport, is_by_unit, run, run_on_unit};
pub use option::{OptionKind, OptionValue};
pub use pass::{NamedPipeline, OptionError, OptionSpec, Pass, PassInfo, PassOptions, Registry, Scope};
pub use pipeline::{Instance, Pipeline, Step};
pub use watch::{Part, Watch};
