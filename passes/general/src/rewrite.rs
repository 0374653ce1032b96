//! Chosen rules, greedily or by a strategy.

use terrace_diag::{Diagnostic, Reported, nearest};
use terrace_ir::Ir;
use terrace_pass::pass::{OptionKind, OptionSpec};
use terrace_pass::{Pass, PassCx, PassInfo, PassOptions, Scope};
use terrace_rewrite::strategy::{Limits, Strategy, known_rules};
use terrace_rewrite::{Greedy, Outcome, Rule, codes};

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
    options: &[
        OptionSpec { name: "rules", kind: OptionKind::List, default: "", docs: "names of rules" },
        OptionSpec {
            name: "strategy",
            kind: OptionKind::Text,
            default: "",
            docs: "where and how often to apply them",
        },
    ],
    stats: &["ops folded", "dead ops erased"],
    make: |options| Ok(Box::new(Rewrite::new(options)?)),
};

struct Rewrite {
    rules: Vec<String>,
    strategy: Option<Strategy<String>>,
}

impl Rewrite {
    fn new(options: &PassOptions) -> Result<Rewrite, String> {
        let rules = options.list(&INFO, "rules");
        let text = options.text(&INFO, "strategy");
        let strategy = if text.trim().is_empty() { None } else { Some(text.parse()) };
        let strategy = strategy.transpose().map_err(|error| format!("strategy `{text}`: {error}"))?;
        if rules.is_empty() && strategy.is_none() {
            return Err("`rewrite` needs `rules` or a `strategy`".to_string());
        }
        Ok(Rewrite { rules, strategy })
    }

    /// The rules of this name: several ops may bring one along
    fn find(&self, all: &[&'static dyn Rule], name: &str) -> Result<Vec<&'static dyn Rule>, Diagnostic> {
        let found: Vec<&'static dyn Rule> = all.iter().copied().filter(|rule| rule.name() == name).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let error = Diagnostic::error(&codes::UNKNOWN_RULE, format!("unknown rule `{name}`"));
        Err(match nearest(name, all.iter().map(|rule| rule.name())) {
            Some(close) => error.help(format!("did you mean `{close}`?")),
            None => error.help("`--list-rules` shows all rules"),
        })
    }

    fn resolve(&self, all: &[&'static dyn Rule], text: &Strategy<String>) -> Result<Strategy, Diagnostic> {
        let several = |rules: Vec<&'static dyn Rule>| match rules.as_slice() {
            [only] => Strategy::Rule(*only),
            _ => Strategy::First(rules.into_iter().map(Strategy::Rule).collect()),
        };
        text.resolve(&mut |name: &String| {
            if name == "rules" && !self.rules.is_empty() {
                let rules: Result<Vec<_>, _> = self.rules.iter().map(|name| self.find(all, name)).collect();
                return Ok(several(rules?.concat()));
            }
            if !self.rules.is_empty() && !self.rules.contains(name) {
                let message = format!("the strategy names rule `{name}`, which is not one of its `rules`");
                return Err(Diagnostic::error(&codes::UNKNOWN_RULE, message));
            }
            Ok(several(self.find(all, name)?))
        })
    }
}

impl Pass for Rewrite {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let all = known_rules(unit.cx());
        let (outcome, failed) = match &self.strategy {
            None => {
                let rules: Result<Vec<_>, _> = self.rules.iter().map(|name| self.find(&all, name)).collect();
                let rules = rules.map_err(|error| cx.emit(error))?.concat();
                let enabled =
                    |rule: &&'static dyn Rule| !cx.disabled_rules.iter().any(|name| name == rule.name());
                let mut greedy = Greedy::new(unit.cx(), rules.into_iter().filter(enabled));
                greedy.explain = cx.explain_miss.map(String::from);
                (greedy.run(unit), None)
            }
            Some(text) => {
                let strategy = self.resolve(&all, text).map_err(|error| cx.emit(error))?;
                let limits = Limits { disabled: cx.disabled_rules, explain: cx.explain_miss };
                let (outcome, result) = strategy.run(unit, limits);
                (outcome, result.err().map(|miss| (text, miss.0)))
            }
        };
        let Outcome { changed, folded, erased, applied, misses, diverged } = outcome;
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
                format!("strategy `{text}` does not apply: {reason}"),
            ),
            None => Ok(()),
        }
    }
}
