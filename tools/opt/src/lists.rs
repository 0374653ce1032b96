//! `--list-passes`, `--list-dialects`, `--list-rules`, `--explain`.

use crate::args::Args;
use crate::{Stop, Tool, beyond};
use std::fmt::Write;
use terrace_ir::Context;
use terrace_rewrite::Rule;

/// Text of the requested lists, if any
pub(crate) fn requested(tool: Tool, args: &Args, cx: &Context) -> Result<Option<String>, Stop> {
    if let Some(code) = &args.explain {
        return explain(tool, code).map(Some);
    }
    if args.list_passes {
        return Ok(Some(passes(tool)));
    }
    if args.list_rules {
        return Ok(Some(rules(cx)));
    }
    Ok(args.list_dialects.then(|| dialects(tool)))
}

fn explain(tool: Tool, code: &str) -> Result<String, Stop> {
    let lists = tool.codes();
    let full = format!("E{:0>4}", code.trim_start_matches(['E', 'e']));
    match terrace_diag::find(&lists, &full) {
        Some(info) => Ok(format!("{}: {}\n\n{}\n", info.id, info.title, info.explanation())),
        None => {
            let known: Vec<&str> = lists.iter().flat_map(|list| list.iter()).map(|info| info.id).collect();
            let close = terrace_diag::nearest(code, known.iter().copied());
            let hint = close.map_or(String::new(), |close| format!("; did you mean {close}?"));
            Err(Stop::Usage(format!("no error code `{code}`{hint}")))
        }
    }
}

fn passes(tool: Tool) -> String {
    let mut out = String::from("Passes:\n");
    for info in tool.registry.all() {
        let _ = writeln!(out, "  {:<24} {}", info.name, info.summary);
        if !info.aliases.is_empty() {
            let _ = writeln!(out, "  {:<24} also: {}", "", info.aliases.join(", "));
        }
        for option in info.options {
            let shown = format!("{}={}", option.name, option.default);
            let _ = writeln!(out, "      {shown:<22} {}", option.docs);
        }
    }
    if tool.registry.pipelines().next().is_some() {
        out.push_str("\nNamed pipelines:\n");
    }
    for named in tool.registry.pipelines() {
        let _ = writeln!(out, "  {:<24} {}\n  {:<24} = {}", named.name, named.summary, "", named.text);
    }
    out
}

/// Names of all rules: those that ops bring along, those of the library, those for dependent reductions
pub(crate) fn names_of_rules(cx: &Context) -> Vec<&'static str> {
    let dependent = beyond::dependent().into_iter().map(|(name, _)| name);
    known_rules(cx).iter().map(|rule| rule.name()).chain(dependent).collect()
}

/// The rules that ops bring along, and those of the library
pub(crate) fn known_rules(cx: &Context) -> Vec<&'static dyn Rule> {
    let mut all = terrace_rewrite::strategy::known_rules(cx);
    all.extend(beyond::library());
    all
}

fn rules(cx: &Context) -> String {
    let mut out = String::new();
    for rule in known_rules(cx) {
        let root = rule.root().map_or("any op", |root| root.name);
        let _ = match rule.law() {
            "" => writeln!(out, "  {:<32} {root}", rule.name()),
            law => writeln!(out, "  {:<32} {root:<20} {law}", rule.name()),
        };
    }
    for (name, law) in beyond::dependent() {
        let _ = writeln!(out, "  {name:<32} {:<20} {law}", "mdh.compute");
    }
    out
}

fn dialects(tool: Tool) -> String {
    let mut out = String::new();
    for dialect in tool.all_dialects() {
        let docs = dialect.docs.lines().next().unwrap_or("").trim();
        let _ = writeln!(out, "{}: {docs}", dialect.name);
        for op in dialect.ops {
            let _ = writeln!(out, "  {:<32} {}", op.name, op.summary.trim());
        }
    }
    out
}
