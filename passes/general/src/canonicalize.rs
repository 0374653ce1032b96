//! Greedy application of folds and of the rules that ops bring along.

use terrace_diag::Reported;
use terrace_ir::Ir;
use terrace_pass::pass::OptionKind;
use terrace_pass::{OptionSpec, Pass, PassCx, PassInfo, Scope};
use terrace_rewrite::Greedy;

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "canonicalize",
    aliases: &[],
    summary: "Fold constants, remove dead ops, apply each op's own rules until nothing changes",
    docs: "Keeps effects and symbols. Constants end up unique at the start of the function. Pipelines must be right \
           without it. `simplify-regions` also removes unreachable blocks and unused block arguments.",
    scope: Scope::Unit,
    anchor: None,
    options: &[
        OptionSpec {
            name: "simplify-regions",
            kind: OptionKind::Bool,
            default: "true",
            docs: "simplify control flow of blocks",
        },
        OptionSpec {
            name: "disable",
            kind: OptionKind::List,
            default: "",
            docs: "names of rules not to apply",
        },
    ],
    stats: &["ops folded", "dead ops erased"],
    make: |options| {
        Ok(Box::new(Canonicalize {
            simplify_regions: options.flag(&INFO, "simplify-regions"),
            disabled: options.list(&INFO, "disable"),
        }))
    },
};

struct Canonicalize {
    simplify_regions: bool,
    disabled: Vec<String>,
}

impl Pass for Canonicalize {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let disabled: Vec<String> = self.disabled.iter().chain(cx.disabled_rules).cloned().collect();
        let mut greedy = Greedy::canonical(unit.cx(), &disabled);
        greedy.simplify_regions = self.simplify_regions;
        greedy.explain = cx.explain_miss.map(String::from);
        let outcome = greedy.run(unit);
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
