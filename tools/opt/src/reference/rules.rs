//! The page of rules and strategies: one section for each set.

use super::cell;
use std::fmt::Write;
use terrace_passes_array::{LIBRARY, rules};

/// Parameters as they stand in a strategy; what may be left out in brackets
fn parameters(all: &[&str]) -> String {
    let shown = |name: &&str| match name.strip_suffix('?') {
        Some(name) => format!("[{name}]"),
        None => name.to_string(),
    };
    let list: Vec<String> = all.iter().map(shown).collect();
    if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) }
}

/// Rules for dependent reductions, which have no strategies
fn dependent() -> String {
    let mut out = String::from(
        "\n## Dependent reductions\n\n\
         The pass `mdh-dependent` applies them, each where `mdh.approximate` of the function or of the second reduction names it \
         (`docs/schedules.md`). They are tried in this order.\n\n\
         | Rule | What | Conditions | Values differ by |\n|---|---|---|---|\n",
    );
    for rule in terrace_passes_mdh::dependent::rules::ALL {
        let _ = writeln!(
            out,
            "| `{}` | {}<br>`{}` | {} | {} |",
            rule.name,
            cell(rule.docs),
            cell(rule.law),
            cell(&rule.when.join("; ")),
            cell(rule.bound)
        );
    }
    out
}

/// The page
pub(super) fn page() -> String {
    let mut out = String::from(
        "# Rules of array patterns\n\n\
         How they are chosen and applied: `docs/strategies.md`. `f . g` applies `g` first; `+` and `*` stand for \
         operators; a value in brackets may be left out. A rule does not apply where a condition does not hold; \
         `--explain-miss=RULE` says which.\n",
    );
    for set in rules::ALL {
        let Some(first) = set.first() else { continue };
        let _ = write!(out, "\n## {}\n\n| Rule | What | Conditions |\n|---|---|---|\n", first.set);
        for rule in *set {
            let when = rule.when.join("; ");
            let (name, docs) = (rule.name, rule.docs.trim());
            let _ = writeln!(
                out,
                "| `{name}{}` | {}<br>`{}` | {} |",
                parameters(rule.parameters),
                cell(docs),
                cell(rule.law),
                cell(&when)
            );
        }
    }
    out.push_str(&dependent());
    out.push_str("\n## Strategies\n\n| Strategy | What | Text |\n|---|---|---|\n");
    for named in LIBRARY.strategies {
        let _ = writeln!(
            out,
            "| `{}{}` | {} | `{}` |",
            named.name,
            parameters(named.parameters),
            cell(named.docs),
            cell(named.text)
        );
    }
    out
}
