//! Machine, versions, command and seed: what a search has to be repeated with.

use super::facts::Facts;
use super::parts::text;
use std::fmt::Write;
use terrace_search_explore::log::{Course, Header, Setting};

/// A list of what is known
pub(super) fn table(facts: &Facts<'_>) -> String {
    let Header { version, space, technique, seed, course, setting, least, note, command, .. } =
        &facts.curve.header;
    let Course { lag, stop, .. } = course;
    let Setting { on, target, threads, runs, drawn, machine, version: compiler, build, .. } = setting;
    let number =
        |number: Option<u32>, none: &str| number.map_or(none.to_owned(), |number| number.to_string());
    let rows = [
        ("command", command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")),
        ("note", note.clone().unwrap_or_default()),
        ("technique", technique.clone()),
        ("seed", seed.to_string()),
        ("lag", lag.to_string()),
        ("points drawn for each measured", number(drawn.map(u32::from), "")),
        ("runs of a point", number(*runs, "")),
        ("stopped at", stop.map_or(String::new(), |stop| format!("{stop} times the best"))),
        ("back end", on.clone()),
        ("target", target.clone()),
        ("threads", number(threads.map(u32::from), if machine.cores > 0 { "all" } else { "" })),
        ("processor", machine.processor.clone()),
        ("cores", if machine.cores > 0 { machine.cores.to_string() } else { String::new() }),
        ("compiler", [compiler.as_str(), build].join(" ").trim().to_owned()),
        ("operations of a run", facts.curve.header.flops.map_or(String::new(), |flops| flops.to_string())),
        ("arguments and results", least.map_or(String::new(), |bytes| format!("{bytes} bytes"))),
        ("space", space.clone()),
        ("form of the log", version.number().to_string()),
    ];
    let mut out = String::from("<dl class=\"facts\">\n");
    for (what, found) in rows.iter().filter(|(_, found)| !found.is_empty()) {
        let _ = writeln!(out, "<dt>{what}</dt><dd>{}</dd>", text(found));
    }
    out.push_str("</dl>\n");
    out
}

/// As a shell takes it
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./=,:@+-%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(["a=b.mlir", "", "it's"].map(quoted), ["a=b.mlir", "''", "'it'\\''s'"]);
    }
}
