//! Strings where a type would do: layers, regions and levels, names of ops, errors

use crate::source::{Blank, Source, blank};

/// Layers and regions of schedules, and levels of nests, as users write them
const SPOKEN: &[&str] = &[
    "CPU",
    "GPU",
    "BLK",
    "WRP",
    "THR",
    "FOR",
    "UNR",
    "VEC",
    "MM",
    "DM",
    "DEV",
    "SM",
    "SHR",
    "RM",
    "REG",
    "L1",
    "L2",
    "L3",
    "seq",
    "fused",
    "task",
    "unroll",
    "lane",
    "subgroup",
    "block.x",
    "block.y",
    "block.z",
    "thread.x",
    "thread.y",
    "thread.z",
    "cluster.x",
    "cluster.y",
    "cluster.z",
];

/// Files that read or write text, which have to spell words
const TEXT: &[&str] =
    &["text", "parse", "print", "vocabulary", "layer.rs", "region.rs", "level.rs", "script", "lint", "score"];

/// Literals that spell a layer, a region or a level, outside of files that read or write text
pub fn spoken(file: &Source) -> usize {
    let part = |part: &str| TEXT.iter().any(|name| part == *name || part.strip_suffix(".rs") == Some(name));
    if file.path.split('/').any(part) || file.path.starts_with("tools/xtask/") {
        return 0;
    }
    strings(file).iter().filter(|text| SPOKEN.contains(&text.as_str())).count()
}

/// Dialects whose ops have types
const DIALECTS: &[&str] = &[
    "affine",
    "arith",
    "array",
    "bufferization",
    "cf",
    "func",
    "gpu",
    "linalg",
    "math",
    "mdh",
    "memref",
    "scf",
    "sched",
    "tensor",
    "tune",
    "ub",
    "vector",
];

/// Literals that are an op's name, outside of dialects; the anchor of a pass is a word of pipelines
pub fn op_names(file: &Source) -> usize {
    if file.path.starts_with("dialects/") || file.path.starts_with("tools/xtask/") {
        return 0;
    }
    let is_op = |text: &&String| {
        text.split_once('.').is_some_and(|(dialect, op)| {
            DIALECTS.contains(&dialect)
                && op.starts_with(|c: char| c.is_ascii_lowercase())
                && op.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '.')
        })
    };
    let anchors = file.text.matches("anchor = \"").count() + file.text.matches("anchor: Some(\"").count();
    let named = strings(file).iter().filter(is_op).count();
    named.saturating_sub(if file.text.contains("#[pass(") || file.text.contains("PassInfo {") {
        anchors
    } else {
        0
    })
}

/// Results whose error is a `String`
pub fn string_results(file: &Source) -> usize {
    let code = blank(&file.text, Blank::CommentsAndStrings);
    let code: String = code.lines().take(file.lines_before_tests()).collect::<Vec<_>>().join("\n");
    let starts = code.match_indices("Result<").map(|(at, word)| at + word.len());
    starts.filter(|at| arguments(&code[*at..]).ends_with(", String")).count()
}

/// The generic arguments up to the bracket that closes them
fn arguments(text: &str) -> &str {
    let mut depth = 1;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..at];
        }
        before = c;
    }
    ""
}

/// String literals of a file before its tests, without quotes
fn strings(file: &Source) -> Vec<String> {
    let code: String = blank(&file.text, Blank::Comments)
        .lines()
        .take(file.lines_before_tests())
        .map(|line| format!("{line}\n"))
        .collect();
    let blanked = blank(&code, Blank::CommentsAndStrings);
    let mut found = Vec::new();
    let mut text = String::new();
    for (c, kept) in code.chars().zip(blanked.chars()) {
        if c == kept {
            found.extend(text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned));
            text.clear();
        } else {
            text.push(c);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into() }
    }

    #[test]
    fn layers_are_spelled_in_text_modules_alone() {
        let text = "f(\"BLK\", \"BLKS\", \"L1\"); // \"GPU\"\n";
        assert_eq!(spoken(&file("passes/mdh/src/host.rs", text)), 2);
        assert_eq!(spoken(&file("schedule/model/src/text.rs", text)), 0);
    }

    #[test]
    fn op_names_are_counted_outside_of_dialects() {
        let text = "f(\"arith.addi\", \"a.b\", \"arith.\", \"scf.for\");\n";
        assert_eq!(op_names(&file("frontends/c/src/a.rs", text)), 2);
        assert_eq!(op_names(&file("dialects/x/src/a.rs", text)), 0);
        let pass = "#[pass(\"a\", anchor = \"func.func\")]\nstruct A;\nf(\"arith.addi\");\n";
        assert_eq!(op_names(&file("passes/x/src/a.rs", pass)), 1);
    }

    #[test]
    fn errors_of_text_are_counted() {
        let text = "fn a() -> Result<Vec<u8>, String> {}\nfn b() -> Result<String, E> {}\nfn c(f: impl Fn() -> Result<(), String>) {}\n";
        assert_eq!(string_results(&file("ir/a.rs", text)), 2);
    }
}
