//! What to print, verify and time while a pipeline runs.

use crate::limit::RewriteLimit;
use crate::pass::PassInfo;
use crate::watch::Watch;
use std::sync::Arc;
use terrace_ir::Ir;

/// For which passes to print the unit
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub enum PrintWhen {
    /// For none
    #[default]
    Never,
    /// For all
    All,
    /// For these
    Passes(Vec<String>),
}

impl PrintWhen {
    pub(crate) fn is(&self, pass: &PassInfo) -> bool {
        match self {
            PrintWhen::Never => false,
            PrintWhen::All => true,
            PrintWhen::Passes(names) => {
                names.iter().any(|name| name == pass.name || pass.aliases.contains(&name.as_str()))
            }
        }
    }
}

/// Settings of a run
#[derive(Clone)]
pub struct Instrument {
    /// Threads to use
    pub threads: usize,
    /// Verify after each pass
    pub verify_each: bool,
    /// Print before these passes
    pub print_before: PrintWhen,
    /// Print after these passes
    pub print_after: PrintWhen,
    /// Print after each pass that changed the unit
    pub print_changed: bool,
    /// Measure each pass
    pub timing: bool,
    /// Rules that must not be applied
    pub disabled_rules: Vec<String>,
    /// Rule whose misses are to be explained, by name
    pub explain_miss: Option<String>,
    /// How many applications may be made
    pub limit: Option<RewriteLimit>,
    /// Count applications even where they have no limit
    pub count: bool,
    /// How to print a unit
    pub print: fn(&Ir) -> String,
    /// Who follows the run
    pub watch: Option<Arc<dyn Watch>>,
}

impl Instrument {
    /// One thread, nothing printed, nothing verified in between
    pub fn quiet(print: fn(&Ir) -> String) -> Instrument {
        Instrument {
            threads: 1,
            verify_each: false,
            print_before: PrintWhen::Never,
            print_after: PrintWhen::Never,
            print_changed: false,
            timing: false,
            disabled_rules: Vec::new(),
            explain_miss: None,
            limit: None,
            count: false,
            print,
            watch: None,
        }
    }

    pub(crate) fn prints(&self) -> bool {
        self.print_before != PrintWhen::Never || self.print_after != PrintWhen::Never || self.print_changed
    }
}
