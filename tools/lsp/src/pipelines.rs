//! Pipelines of passes that a test file's comments name: `--pipeline="func.func(cse)"`.

use terrace_diag::{Diagnostic, Diags, Sources};
use terrace_pass::{PassInfo, Pipeline, Registry};

/// The pipelines of a text, as ranges
fn ranges(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    const WORD: &str = "pipeline=";
    text.match_indices(WORD).filter_map(|(at, _)| {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        if !text[line..at].trim_start().starts_with("//") {
            return None;
        }
        let mut start = at + WORD.len();
        let rest = text[start..].lines().next().unwrap_or("");
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let len = match quote {
            Some(quote) => {
                start += 1;
                rest[1..].find(quote).unwrap_or(rest.len() - 1)
            }
            None => rest.find(char::is_whitespace).unwrap_or(rest.len()),
        };
        Some((start, start + len))
    })
}

fn around(text: &str, at: usize) -> Option<(usize, usize)> {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |n| at + n);
    let found = ranges(&text[line..end]).map(|(from, to)| (line + from, line + to));
    found.into_iter().find(|(from, to)| (*from..=*to).contains(&at))
}

/// What is wrong with the pipelines of a text, with the places in it
pub fn check(text: &str, registry: &Registry) -> Vec<((usize, usize), Diagnostic)> {
    let mut found = Vec::new();
    for (start, end) in ranges(text) {
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
    found
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
        let found = check(text, &REGISTRY);
        assert_eq!(found.len(), 1);
        let ((start, end), error) = &found[0];
        assert_eq!(&text[*start..*end], "canonicalise");
        assert_eq!(error.help, ["did you mean `canonicalize`?"]);
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
