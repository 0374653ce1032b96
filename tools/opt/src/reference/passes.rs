//! The page of passes and named pipelines.

use super::{cell, unindented};
use terrace_pass::{OptionKind, PassInfo, Registry, Scope};

/// All passes by name, then the pipelines
pub(super) fn page(registry: Registry) -> String {
    let mut passes: Vec<&PassInfo> = registry.all().collect();
    passes.sort_by_key(|info| info.name);
    let mut out = String::from("# Passes\n\n| Pass | What |\n|---|---|\n");
    for info in &passes {
        out.push_str(&format!("| [`{0}`](#{0}) | {1} |\n", info.name, cell(info.summary)));
    }
    out.push_str("| [named pipelines](#named-pipelines) | from any level to what a back end takes |\n");
    for info in &passes {
        pass(info, &mut out);
    }
    out.push_str("\n## Named pipelines\n");
    for named in registry.pipelines() {
        let text = named.text.replace(',', ",\u{200b}");
        out.push_str(&format!("\n### `{}`\n\n{}\n\n`{text}`\n", named.name, named.summary));
    }
    out
}

fn pass(info: &PassInfo, out: &mut String) {
    out.push_str(&format!("\n## `{}`\n\n{}\n", info.name, info.summary));
    if !info.docs.is_empty() {
        out.push_str(&format!("\n{}\n", unindented(info.docs)));
    }
    let scope = match info.scope {
        Scope::Unit => "one unit's own ops; units in parallel",
        Scope::Tree => "a unit with all units inside",
    };
    let anchor = info.anchor.map_or(String::new(), |anchor| format!("; must be nested in `{anchor}`"));
    out.push_str(&format!("\nWorks on {scope}{anchor}."));
    if !info.aliases.is_empty() {
        let names: Vec<String> = info.aliases.iter().map(|alias| format!("`{alias}`")).collect();
        out.push_str(&format!(" Also called {}.", names.join(", ")));
    }
    out.push('\n');
    if !info.options.is_empty() {
        out.push_str("\n| Option | Kind | Default | What |\n|---|---|---|---|\n");
        for option in info.options {
            let kind = match option.kind {
                OptionKind::Bool => "`true` or `false`",
                OptionKind::Int => "integer",
                OptionKind::Text => "text",
                OptionKind::List => "list",
            };
            let default =
                if option.default.is_empty() { "–".into() } else { format!("`{}`", option.default) };
            out.push_str(&format!("| `{}` | {kind} | {default} | {} |\n", option.name, cell(option.docs)));
        }
    }
    if !info.stats.is_empty() {
        let names: Vec<String> = info.stats.iter().map(|name| format!("`{name}`")).collect();
        out.push_str(&format!("\nCounts {}.\n", names.join(", ")));
    }
}
