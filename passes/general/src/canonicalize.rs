//! Greedy application of folds and of the rules that ops bring along.

use terrace_diag::Reported;
use terrace_ir::Ir;
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_rewrite::{Asks, Greedy};

/// Fold constants, remove dead ops, apply each op's own rules until nothing changes
///
/// Keeps effects and symbols. Constants end up unique at the start of the function. Pipelines must be right without it.
/// `simplify-regions` also removes unreachable blocks and unused block arguments.
#[pass("canonicalize", stats("ops folded", "dead ops erased"))]
pub struct Canonicalize {
    /// simplify control flow of blocks
    #[option(default = true)]
    simplify_regions: bool,
    /// names of rules not to apply
    #[option]
    disable: Vec<String>,
}

impl Pass for Canonicalize {
    fn is_counted(&self) -> bool {
        true
    }

    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let disabled: Vec<String> = self.disable.iter().chain(cx.disabled_rules).cloned().collect();
        let mut greedy = Greedy::canonical(unit.cx(), &disabled);
        greedy.simplify_regions = self.simplify_regions;
        greedy.explain = cx.explain_miss.map(String::from);
        let outcome = greedy.run_with(unit, Asks { steps: cx.steps, ..Asks::default() });
        for remark in outcome.misses {
            let _ = cx.emit(remark);
        }
        cx.count("ops folded", outcome.folded);
        cx.count("dead ops erased", outcome.erased);
        for (rule, count) in &outcome.applied {
            cx.count(&format!("rule {rule}"), *count);
        }
        cx.set_changed(outcome.changed);
        match outcome.diverged {
            Some(error) => Err(cx.emit(*error)),
            None => Ok(()),
        }
    }
}
