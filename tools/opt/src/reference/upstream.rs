//! The page of upstream's vocabulary, in two tiers, and what there is of it.
//!
//! Tier 1 is to be there in every way; of tier 2, syntax and the verifier's tables suffice.

use terrace_interp::InterpretTable;
use terrace_ir::{Dialect, OpDef};
use terrace_text::CustomAsmTable;

const LIST: &str = include_str!("upstream.txt");

/// A line of the list: dialect, tier, names without the dialect
fn lines() -> impl Iterator<Item = (&'static str, &'static str, Vec<&'static str>)> {
    LIST.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (head, names) = line.split_once(": ")?;
        let (dialect, tier) = head.split_once(' ')?;
        Some((dialect, tier, names.split(' ').collect()))
    })
}

/// Both tiers, op by op
pub(super) fn page(dialects: &[&'static Dialect]) -> String {
    let find = |dialect: &str, name: &str| -> Option<&'static OpDef> {
        let dialect = dialects.iter().find(|found| found.name == dialect)?;
        dialect.ops.iter().copied().find(|def| def.mnemonic() == name)
    };
    let mut out = String::from(
        "# Upstream's vocabulary\n\nTier 1 is to be there in every way: custom and generic syntax, verifier, folds, the \
         interpreter, lowerings. Of tier 2 there are syntax and the verifier's tables. Ops that are not there yet can be \
         read with `--allow-unregistered-dialect` in generic form.\n\n| Dialect | Tier | There | Of |\n|---|---|---|---|\n",
    );
    for (dialect, tier, names) in lines() {
        let there = names.iter().filter(|name| find(dialect, name).is_some()).count();
        out.push_str(&format!("| `{dialect}` | {tier} | {there} | {} |\n", names.len()));
    }
    for wanted in ["1", "2"] {
        out.push_str(&format!("\n## Tier {wanted}\n\n| Op | Syntax | Verifier | Folds | Interpreter |\n"));
        out.push_str("|---|---|---|---|---|\n");
        for (dialect, _, names) in lines().filter(|(_, tier, _)| *tier == wanted) {
            for name in names {
                out.push_str(&row(dialect, name, find(dialect, name)));
            }
        }
    }
    out
}

fn row(dialect: &str, name: &str, def: Option<&OpDef>) -> String {
    let Some(def) = def else { return format!("| `{dialect}.{name}` | not yet | | | |\n") };
    let custom = !def.asm.is_empty() || def.interface::<CustomAsmTable>().is_some();
    let syntax = if custom { "custom, generic" } else { "generic" };
    let verifier = if def.verify.is_some() { "tables, own rules" } else { "tables" };
    let yes = |is: bool| if is { "yes" } else { "–" };
    let folds = yes(def.fold.is_some());
    let runs = yes(def.interface::<InterpretTable>().is_some());
    format!(
        "| [`{dialect}.{name}`]({dialect}.md#{dialect}{anchor}) | {syntax} | {verifier} | {folds} | {runs} |\n",
        anchor = name.replace('.', "")
    )
}
