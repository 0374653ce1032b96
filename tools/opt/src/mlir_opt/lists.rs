//! `--help`, `--version`, `--list-passes`, `--show-dialects`.

use super::options;
use super::passes;
use super::request::List;
use super::words::Takes;
use crate::Tool;
use std::fmt::Write;

/// What is printed in the place of a run
pub fn text(tool: Tool, list: List, program: &str) -> String {
    match list {
        List::Help => help(tool, program),
        List::Version => {
            format!("Terrace {} in the place of mlir-opt 22\n", env!("CARGO_PKG_VERSION"))
        }
        List::Passes => format!("Passes:\n{}", list_of_passes(tool)),
        List::Dialects => format!("Available Dialects: {}\n", dialects(tool).join(",")),
    }
}

fn dialects(tool: Tool) -> Vec<&'static str> {
    let mut names: Vec<&str> = tool.all_dialects().into_iter().map(|dialect| dialect.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn help(tool: Tool, program: &str) -> String {
    let mut out = format!(
        "OVERVIEW: Terrace with the command line of mlir-opt 22\n\nAvailable Dialects: {}\nUSAGE: {program} [options] \
         <input file>\n\nOPTIONS:\n\nGeneral options:\n\n",
        dialects(tool).join(", ")
    );
    let mut known: Vec<_> = options::all().collect();
    known.sort_by_key(|option| option.name);
    for option in known {
        let dashes = if option.name.len() == 1 { "-" } else { "--" };
        let (value, help) = match (option.takes, option.help.split_once(' ')) {
            (Takes::Flag, _) | (_, None) => (String::new(), option.help),
            (Takes::Value, Some((value, help))) => (format!("={value}"), help),
            (Takes::Optional, Some((value, help))) => (format!("[={value}]"), help),
        };
        let shown = format!("{dashes}{}{value}", option.name);
        let _ = writeln!(out, "  {shown:<60} - {help}");
    }
    out.push_str("\n  Compiler passes to run\n    Passes:\n");
    out.push_str(&list_of_passes(tool));
    out.push_str(
        "\nPasses of MLIR that are not here, and options of LLVM's libraries, are refused by name.\n\
         `terrace-opt --help` shows the options of this tool under its own name.\n",
    );
    out
}

/// Passes under MLIR's names where they have one, with MLIR's options
fn list_of_passes(tool: Tool) -> String {
    let mut rows: Vec<(&str, &str, Vec<(&str, &str)>)> = Vec::new();
    for info in tool.registry.all() {
        let upstream =
            std::iter::once(info.name).chain(info.aliases.iter().copied()).filter_map(passes::find);
        let before = rows.len();
        for known in upstream {
            let options = known.options.iter().map(|option| (option.name, option.kind)).collect();
            rows.push((known.name, info.summary, options));
        }
        if rows.len() == before {
            rows.push((
                info.name,
                info.summary,
                info.options.iter().map(|one| (one.name, "value")).collect(),
            ));
        }
    }
    rows.sort_unstable();
    let mut out = String::new();
    for (name, summary, options) in rows {
        let _ = writeln!(out, "      --{name:<56} -   {}", summary.trim());
        for (name, kind) in options {
            let shown = format!("--{name}=<{kind}>");
            let _ = writeln!(out, "        {shown}");
        }
    }
    out
}
