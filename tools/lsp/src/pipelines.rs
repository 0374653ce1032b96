//! Pipelines of passes that a test file's comments name: `// test: opt --pipeline="func.func(cse)"`.
//!
//! Only where a command is written: behind `test:`, and behind `RUN:` of files that were written for other runners.

use terrace_diag::{Diagnostic, Diags, Sources};
use terrace_pass::{PassInfo, Pipeline, Registry};

/// Words behind which a comment is a command
const COMMANDS: [&str; 2] = ["test:", "RUN:"];

/// The pipelines of a line, as ranges
fn in_line(line: &str) -> Vec<(usize, usize)> {
    let Some(comment) = line.find("//").map(|at| at + 2) else { return Vec::new() };
    let words = line[comment..].trim_start();
    if !COMMANDS.iter().any(|command| words.starts_with(command)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = line.len() - words.len();
    while at < line.len() {
        let len = word_len(&line[at..]);
        found.extend(value(&line[at..at + len]).map(|(start, end)| (at + start, at + end)));
        at += len;
        at += line[at..].len() - line[at..].trim_start().len();
    }
    found
}

/// Bytes up to a blank that is not between quotes
fn word_len(text: &str) -> usize {
    let mut quoted = None;
    let ends = |c: char| match c {
        '"' | '\'' if quoted.is_none_or(|quote| quote == c) => {
            quoted = if quoted.is_none() { Some(c) } else { None };
            false
        }
        c => c.is_whitespace() && quoted.is_none(),
    };
    text.find(ends).unwrap_or(text.len())
}

/// The pipeline that a word of a command has, if it is `--pipeline=…` or `--pass-pipeline=…`
fn value(word: &str) -> Option<(usize, usize)> {
    // The whole word may be between quotes, or its value.
    let whole = unquoted(word);
    let flag = word[whole.0..whole.1].strip_prefix('-')?;
    let flag = flag.strip_prefix('-').unwrap_or(flag);
    let flag = flag.strip_prefix("pass-").unwrap_or(flag).strip_prefix("pipeline=")?;
    let start = whole.1 - flag.len();
    let (from, to) = unquoted(flag);
    Some((start + from, start + to))
}

/// A word without the quotes around it; the second one may not be written yet
fn unquoted(word: &str) -> (usize, usize) {
    let Some(quote) = word.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return (0, word.len()) };
    let end = if word.len() > 1 && word.ends_with(quote) { word.len() - 1 } else { word.len() };
    (1, end)
}

fn around(text: &str, at: usize) -> Option<(usize, usize)> {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |n| at + n);
    let found = in_line(&text[line..end]).into_iter().map(|(from, to)| (line + from, line + to));
    found.into_iter().find(|(from, to)| (*from..=*to).contains(&at))
}

/// So many of the first things that are wrong with the pipelines of a text, with the places in it
pub fn check(text: &str, registry: &Registry, most: usize) -> Vec<((usize, usize), Diagnostic)> {
    let mut found = Vec::new();
    let mut line = 0;
    for whole in text.split_inclusive('\n') {
        for (start, end) in in_line(whole) {
            if found.len() >= most {
                return found;
            }
            wrong(text, (line + start, line + end), registry, &mut found);
        }
        line += whole.len();
    }
    found.truncate(most);
    found
}

/// What is wrong with one pipeline
fn wrong(
    text: &str,
    (start, end): (usize, usize),
    registry: &Registry,
    found: &mut Vec<((usize, usize), Diagnostic)>,
) {
    let mut diags = Diags::default();
    let _ = Pipeline::parse(&text[start..end], registry, &Sources::new(), &mut diags);
    for diagnostic in diags.into_vec() {
        let span = diagnostic.span.map_or((start, end), |span| {
            let clamp = |offset: u32| text.floor_char_boundary((start + offset as usize).min(end));
            (clamp(span.start), clamp(span.end))
        });
        found.push((span, diagnostic));
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// Documentation of the pass whose name is at an offset, with its range
pub fn hover(text: &str, at: usize, registry: &Registry) -> Option<((usize, usize), String)> {
    let (from, to) = around(text, at)?;
    let start = at - text[from..at].chars().rev().take_while(|c| is_word(*c)).count();
    let end = at + text[at..to].chars().take_while(|c| is_word(*c)).count();
    let name = &text[start..end];
    let docs = match registry.find(name) {
        Some(info) => docs_of(info),
        None => {
            let named = registry.pipelines().find(|named| named.name == name)?;
            format!("**{}**\n\n{}\n\n`{}`", named.name, named.summary, named.text)
        }
    };
    Some(((start, end), docs))
}

/// Documentation of a pass and its options
pub fn docs_of(info: &PassInfo) -> String {
    let mut docs = format!("**{}**\n\n{}\n", info.name, info.docs.trim());
    for option in info.options {
        docs += &format!("\n- `{}={}`: {}", option.name, option.default, option.docs);
    }
    docs
}

/// What may stand at an offset, if it is in a pipeline: where the word begins, and words with what they are
pub fn complete(text: &str, at: usize, registry: &Registry) -> Option<(usize, Vec<(String, String)>)> {
    let (from, _) = around(text, at)?;
    let before = &text[from..at];
    let start = at - before.chars().rev().take_while(|c| is_word(*c)).count();
    let outside = &text[from..start];
    let words = match outside.rfind('{').filter(|open| !outside[*open..].contains('}')) {
        Some(open) => {
            let name = &outside[..open];
            let len = name.chars().rev().take_while(|c| is_word(*c)).count();
            let info = registry.find(&name[name.len() - len..])?;
            let option = |option: &terrace_pass::OptionSpec| {
                (format!("{}=", option.name), format!("{} (default `{}`)", option.docs, option.default))
            };
            info.options.iter().map(option).collect()
        }
        None => {
            let passes = registry.all().map(|info| (info.name.to_string(), info.summary.trim().to_string()));
            let named = registry.pipelines().map(|named| (named.name.to_string(), named.summary.to_string()));
            passes.chain(named).collect()
        }
    };
    Some((start, words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_opt::REGISTRY;

    #[test]
    fn mistakes_have_places() {
        let text = "// test: opt --pipeline=\"func.func(cse,canonicalise)\"\npipeline=nonsense\n";
        let found = check(text, &REGISTRY, 9);
        assert_eq!(found.len(), 1);
        let ((start, end), error) = &found[0];
        assert_eq!(&text[*start..*end], "canonicalise");
        assert_eq!(error.help, ["did you mean `canonicalize`?"]);
    }

    fn found(line: &str) -> Vec<&str> {
        in_line(line).into_iter().map(|(start, end)| &line[start..end]).collect()
    }

    #[test]
    fn only_commands_have_pipelines() {
        for (line, want) in [
            ("// test: opt --pipeline=cse --stats", &["cse"][..]),
            ("  x // test: opt --pipeline='a, b{c=\"d\"}' --pipeline=\"e\"", &["a, b{c=\"d\"}", "e"]),
            ("// RUN: mlir-opt %s -pass-pipeline=\"builtin.module(x)\" | FileCheck", &["builtin.module(x)"]),
            ("// RUN: mlir-opt '--pass-pipeline=f(x, y)'", &["f(x, y)"]),
            ("// test: opt --pipeline=\"not closed, yet", &["not closed, yet"]),
            ("// test: opt --pipeline=", &[""]),
            ("// test: opt --my-pipeline=cse pipeline=cse", &[]),
            ("// prose about --pipeline=cse and pipeline=nonsense", &[]),
            ("//   terrace-tune conv_host.mlir --pipeline='func.func(cse)'", &[]),
            ("--pipeline=cse", &[]),
        ] {
            assert_eq!(found(line), want, "{line}");
        }
    }

    #[test]
    fn long_lines_are_read_once() {
        // A million pipelines in one line, of which the first wrong ones are reported.
        let text = format!("// RUN: {}", "--pipeline=x ".repeat(1_000_000));
        assert_eq!(check(&text, &REGISTRY, 3).len(), 3);
        assert_eq!(found(&text).len(), 1_000_000);
    }

    #[test]
    fn words_and_options() {
        let text = "// RUN: x --pass-pipeline='func.func(c,cse{";
        let (start, words) = complete(text, 40, &REGISTRY).expect("in a pipeline");
        assert_eq!((&text[start..40], words.iter().any(|(word, _)| word == "canonicalize")), ("c", true));
        assert!(complete(text, text.len(), &REGISTRY).is_some());
        assert!(complete(text, 3, &REGISTRY).is_none());
        let text = "// test: opt --pipeline=canonicalize{d";
        let (_, words) = complete(text, text.len(), &REGISTRY).expect("in a pipeline");
        assert!(words.iter().any(|(word, _)| word == "disable="), "{words:?}");
        assert!(hover(text, 30, &REGISTRY).is_some_and(|(_, docs)| docs.contains("**canonicalize**")));
    }
}
