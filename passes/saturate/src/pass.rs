//! The pass `array-saturate`.

use crate::codes;
use crate::cost::Goal;
use crate::explore::{Costs, Limits, Space, Use};
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_array::Map;
use terrace_dialect_array::size::bound;
use terrace_ir::Ir;
use terrace_pass::{OptionError, OptionKind, OptionSpec, Pass, PassCx, PassInfo, PassOptions, Scope};
use terrace_passes_array::{LIBRARY, rules};
use terrace_rewrite::library::Choice;
use terrace_rewrite::strategy::Strategy;
use terrace_rewrite::{Asks, Rule};

const fn number(name: &'static str, default: &'static str, docs: &'static str) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Int, default, docs }
}

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "array-saturate",
    aliases: &[],
    summary: "All programs that rules make of one, and the cheapest of them",
    docs: "Applies rules everywhere, in every order, and keeps what there was before (equality saturation), until nothing new comes or a \
           limit is met; then the function's body is the cheapest program that was found, if it is cheaper. Rules are those of \
           `array-rewrite`, with values for their parameters: `rules=\"splitJoin(4) | mapFusion\"`; without, all that need none. \
           What may trap is left as it is: conditions on sizes that are open keep all rules away. Names of values are lost where \
           the body changes. Programs with macros go through `array-expand` first.",
    scope: Scope::Unit,
    anchor: Some("func.func"),
    options: &[
        OptionSpec {
            name: "rules",
            kind: OptionKind::Text,
            default: "",
            docs: "rules with `|` between, and values for their parameters",
        },
        OptionSpec {
            name: "cost",
            kind: OptionKind::Text,
            default: "time",
            docs: "what is to be small: time, ops, moved (bytes), memory (bytes)",
        },
        number("iterations", "6", "rounds over all programs"),
        number("nodes", "4000", "most terms"),
        number("tries", "20000", "how often a rule is tried"),
        number("depth", "2", "how far below an op other choices are tried"),
        number("size", "64", "number for a size that is not bound"),
    ],
    stats: &[
        "rounds",
        "tries",
        "terms",
        "sets of equal terms",
        "left alone, may trap",
        "cost before",
        "cost after",
    ],
    make: |options| Ok(Box::new(Saturate::new(options)?)),
};

struct Saturate {
    rules: Option<Strategy<String>>,
    goal: Goal,
    limits: Limits,
    size: f64,
}

impl Saturate {
    fn new(options: &PassOptions) -> Result<Saturate, OptionError> {
        let text = options.text(&INFO, "rules");
        let rules = if text.trim().is_empty() { None } else { Some(text.parse()) };
        let rules = rules.transpose().map_err(|error| format!("rules `{text}`: {error}"))?;
        let word = options.text(&INFO, "cost");
        let goal = Goal::WORDS.iter().find(|(own, _)| *own == word).map(|(_, goal)| *goal);
        let goal = goal.ok_or_else(|| {
            let words: Vec<&str> = Goal::WORDS.iter().map(|(word, _)| *word).collect();
            format!("`{word}` is no cost; there are {}", words.join(", "))
        })?;
        let count =
            |name| usize::try_from(options.int(&INFO, name)).map_err(|_| format!("`{name}` is negative"));
        let limits = Limits {
            iterations: count("iterations")?,
            nodes: count("nodes")?,
            tries: count("tries")?,
            depth: count("depth")?.min(4),
        };
        Ok(Saturate { rules, goal, limits, size: count("size")?.max(1) as f64 })
    }

    fn rules(&self) -> Result<Vec<Use>, Diagnostic> {
        let all: Vec<&'static dyn Rule> = LIBRARY.rules.iter().copied().flatten().copied().collect();
        let Some(text) = &self.rules else {
            // Memory is a choice, not a law: rules that place a value are requested by name.
            let chosen = rules::ALL.iter().copied().flatten().filter(|rule| {
                rule.root.is_some()
                    && rule.parameters.iter().all(|name| name.ends_with('?'))
                    && !matches!(rule.set, "memory" | "copies")
            });
            return Ok(chosen.map(|rule| Use { rule: *rule, args: Vec::new() }).collect());
        };
        let choice = Choice { all, strategies: &[], only: &[] };
        let mut found = Vec::new();
        let mut pending = vec![choice.resolve(text)?];
        while let Some(part) = pending.pop() {
            match part {
                Strategy::Rule(rule) => found.push(Use { rule, args: Vec::new() }),
                Strategy::With(rule, args) => found.push(Use { rule, args }),
                Strategy::First(parts) => pending.extend(parts.into_iter().rev()),
                _ => {
                    let message =
                        format!("`{text}` is a strategy: rules go everywhere here, with `|` between");
                    return Err(Diagnostic::error(&codes::RULES, message));
                }
            }
        }
        Ok(found)
    }
}

impl Pass for Saturate {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        cx.set_changed(false);
        if !unit.walk().any(|op| {
            Map::cast(unit, op).is_some() || unit.def(op).dialect() == terrace_dialect_array::ARRAY.name
        }) {
            return Ok(());
        }
        let mut rules = self.rules().map_err(|error| cx.emit(error))?;
        rules.retain(|each| !cx.disabled_rules.iter().any(|name| name == each.rule.name()));
        let asks = Asks { symbols: Some((cx.symbols, cx.scope)), assume: false, without: None, steps: None };
        let costs = Costs { goal: self.goal, known: bound(unit), size: self.size };
        let source = unit.clone_unit();
        let mut space = match Space::new(&source, asks, costs) {
            Ok(space) => space,
            // A copy has the handles of what it was made from.
            Err(no) => return cx.fail(unit, no.op, &codes::TERM, format!("is no term: {}", no.why)),
        };
        let found = space.saturate(&rules, self.limits);
        let counts = [
            ("rounds", found.iterations),
            ("tries", found.tries),
            ("terms", found.nodes),
            ("sets of equal terms", found.classes),
            ("left alone, may trap", found.trapping),
            ("cost before", found.cost.0 as usize),
            ("cost after", found.cost.1 as usize),
        ];
        counts.into_iter().for_each(|(name, count)| cx.count(name, count as u64));
        for (rule, count) in &found.applied {
            cx.count(&format!("rule {rule}"), *count);
        }
        if found.cost.1 < found.cost.0 {
            let mut better = unit.clone_unit();
            if space.write(&mut better).is_some() {
                *unit = *better;
                cx.set_changed(true);
            }
        }
        Ok(())
    }
}
