//! Chosen rules, greedily or by a strategy.

use terrace_diag::Reported;
use terrace_ir::Ir;
use terrace_pass::{OptionError, OptionKind, OptionSpec, Pass, PassCx, PassInfo, PassOptions, Scope};
use terrace_rewrite::library::{Choice, Library};
use terrace_rewrite::strategy::{Limits, Strategy, known_rules};
use terrace_rewrite::{Asks, Greedy, Outcome, Rule, codes};

/// The option with the names of rules
pub const RULES: OptionSpec =
    OptionSpec { name: "rules", kind: OptionKind::List, default: "", docs: "names of rules" };
/// The option with the strategy
pub const STRATEGY: OptionSpec = OptionSpec {
    name: "strategy",
    kind: OptionKind::Text,
    default: "",
    docs: "where and how often to apply them",
};
/// Statistics of the pass
pub const STATS: &[&str] = &["ops folded", "dead ops erased"];

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "rewrite",
    aliases: &[],
    summary: "Apply chosen rules, greedily or by a strategy",
    docs: "With `rules` alone, applies these until none applies any more, and folds. With `strategy`, applies rules \
           as it says and nothing else: `a; b` in order, `a | b` the first that applies, `a?` if it applies, `a*` as \
           often as it does, `topdown(a)`, `bottomup(a)`, `somewhere(a)`, `repeat(a, 3)`. Then `rules` are all that it \
           may name, `rules` itself standing for the first of them that applies.",
    scope: Scope::Unit,
    anchor: None,
    options: &[RULES, STRATEGY],
    stats: STATS,
    make: |options| Ok(Box::new(Rewrite::new(options, &INFO, Library::default(), false)?)),
};

/// Chosen rules, greedily or by a strategy; the passes of other crates that choose from a [`Library`] are built from it
pub struct Rewrite {
    rules: Vec<String>,
    strategy: Option<Strategy<String>>,
    library: Library,
    assume: bool,
}

impl Rewrite {
    /// From options of the names that [`INFO`] has; `info` is the pass that they belong to
    pub fn new(
        options: &PassOptions,
        info: &'static PassInfo,
        library: Library,
        assume: bool,
    ) -> Result<Rewrite, OptionError> {
        let rules = options.list(info, "rules");
        let text = options.text(info, "strategy");
        let strategy = if text.trim().is_empty() { None } else { Some(text.parse()) };
        let strategy = strategy.transpose().map_err(|error| format!("strategy `{text}`: {error}"))?;
        if rules.is_empty() && strategy.is_none() {
            return Err(format!("`{}` needs `rules` or a `strategy`", info.name).into());
        }
        Ok(Rewrite { rules, strategy, library, assume })
    }
}

impl Pass for Rewrite {
    fn is_counted(&self) -> bool {
        true
    }

    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut all = known_rules(unit.cx());
        all.extend(self.library.rules.iter().copied().flatten());
        let choice = Choice { all, strategies: self.library.strategies, only: &self.rules };
        let asks = Asks {
            symbols: Some((cx.symbols, cx.scope)),
            assume: self.assume,
            without: None,
            steps: cx.steps,
        };
        let (outcome, failed) = match &self.strategy {
            None => {
                let rules: Result<Vec<_>, _> = self.rules.iter().map(|name| choice.find(name)).collect();
                let rules = rules.map_err(|error| cx.emit(error))?.concat();
                let enabled =
                    |rule: &&'static dyn Rule| !cx.disabled_rules.iter().any(|name| name == rule.name());
                let mut greedy = Greedy::new(unit.cx(), rules.into_iter().filter(enabled));
                greedy.explain = cx.explain_miss.map(String::from);
                (greedy.run_with(unit, asks), None)
            }
            Some(text) => {
                let strategy = choice.resolve(text).map_err(|error| cx.emit(error))?;
                let limits = Limits { disabled: cx.disabled_rules, explain: cx.explain_miss, asks };
                let (outcome, result) = strategy.run(unit, limits);
                // What the limit leaves out is no failure.
                let failed = result.err().filter(|_| cx.steps.is_none_or(|steps| !steps.is_spent()));
                (outcome, failed.map(|miss| (text, miss.0)))
            }
        };
        let Outcome { because, changed, folded, erased, applied, misses, diverged } = outcome;
        for remark in misses {
            let _ = cx.emit(remark);
        }
        cx.count("ops folded", folded);
        cx.count("dead ops erased", erased);
        for (rule, count) in &applied {
            cx.count(&format!("rule {rule}"), *count);
        }
        cx.set_changed(changed);
        if let Some(error) = diverged {
            return Err(cx.emit(*error));
        }
        match failed {
            Some((text, reason)) => cx.fail(
                unit,
                unit.root(),
                &codes::FAILED,
                match because {
                    Some(values) => format!("strategy `{text}` does not apply: {reason}: {values}"),
                    None => format!("strategy `{text}` does not apply: {reason}"),
                },
            ),
            None => Ok(()),
        }
    }
}
