//! What a running pass is given: symbols of the whole tree, diagnostics, statistics, analyses.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;
use terrace_diag::{Code, Diagnostic, Diags, Reported};
use terrace_ir::steps::{self, Steps};
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Ir, OpId};
use terrace_support::HashMap;

/// Numbers a pass counted, by name
#[derive(Default, Clone, PartialEq, Eq, Debug)]
pub struct Stats(pub BTreeMap<String, u64>);

impl Stats {
    /// Count
    pub fn add(&mut self, name: &str, count: u64) {
        if count > 0 {
            *self.0.entry(name.to_string()).or_default() += count;
        }
    }

    /// Add another run's numbers
    pub fn merge(&mut self, other: &Stats) {
        for (name, count) in &other.0 {
            self.add(name, *count);
        }
    }
}

/// Something computed from a unit and worth keeping until the unit changes
pub trait Analysis: Send + Sync + 'static {
    /// Compute it
    fn compute(ir: &Ir) -> Self;
}

/// Analyses of one unit that still hold
#[derive(Default)]
pub struct Analyses {
    kept: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

/// The surroundings of one run of a pass on one unit
pub struct PassCx<'a> {
    /// Symbol tables of the whole tree, as they were before the pipeline reached this nest
    pub symbols: &'a Symbols,
    /// The table the unit is in
    pub scope: ScopeId,
    /// The unit is in no other one: what it does not refer to, nothing does
    pub outermost: bool,
    /// Rules that must not be applied, by name
    pub disabled_rules: &'a [String],
    /// Rule whose misses are to be explained, by name
    pub explain_miss: Option<&'a str>,
    /// Where a pass that counts its applications does so, if the run wants them counted
    pub steps: Option<&'a Steps>,
    /// Threads a pass over a tree may use
    pub threads: usize,
    pub(crate) diags: &'a mut Diags,
    pub(crate) stats: &'a mut Stats,
    pub(crate) printed: &'a mut Vec<String>,
    pub(crate) analyses: &'a mut Analyses,
    pub(crate) preserved: Option<Vec<TypeId>>,
    pub(crate) changed: bool,
}

impl PassCx<'_> {
    /// Report
    pub fn emit(&mut self, diagnostic: Diagnostic) -> Reported {
        self.diags.emit(diagnostic)
    }

    /// Report an error on an op
    pub fn fail<T>(&mut self, ir: &Ir, op: OpId, code: Code, message: impl Display) -> Result<T, Reported> {
        Err(self.diags.emit(terrace_ir::verify::op_error(ir, op, code, message)))
    }

    /// Count
    pub fn count(&mut self, name: &str, count: u64) {
        self.stats.add(name, count);
    }

    /// Before a change that could as well be left out: may it be made? Counts it, by what it is and the op it begins from
    pub fn step(&self, what: &'static str, ir: &Ir, op: OpId) -> bool {
        steps::may(self.steps, what, ir, op)
    }

    /// Print for who reads the run along, on standard error
    pub fn print(&mut self, text: String) {
        self.printed.push(text);
    }

    /// Say whether the unit was changed; a pass that never says so counts as having changed it
    pub fn set_changed(&mut self, changed: bool) {
        self.changed = changed;
    }

    /// An analysis of the unit, computed if it does not hold any more
    pub fn analysis<A: Analysis>(&mut self, ir: &Ir) -> Arc<A> {
        let kept = self.analyses.kept.entry(TypeId::of::<A>()).or_insert_with(|| Arc::new(A::compute(ir)));
        Arc::clone(kept).downcast().expect("kept under its type")
    }

    /// After this pass the analysis still holds although the unit has changed
    pub fn preserve<A: Analysis>(&mut self) {
        self.preserved.get_or_insert_default().push(TypeId::of::<A>());
    }

    pub(crate) fn finish(self) -> bool {
        if self.changed {
            let keep = self.preserved.unwrap_or_default();
            self.analyses.kept.retain(|id, _| keep.contains(id));
        }
        self.changed
    }
}
