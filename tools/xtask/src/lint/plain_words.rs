//! Prose in the field's words: short sentences, no private words, no references to absent documents
//!
//! Pages are checked for sentence length and words, documentation comments for words. Code, tables and quoted text (in
//! backticks) have no sentences. The list of pages only grows. `docs/glossary.md` defines the terms.

use super::{Problem, Tree};
use crate::source::Source;

/// Pages that are checked
const PAGES: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/arrays.md",
    "docs/call-from-other-languages.md",
    "docs/case-studies.md",
    "docs/cookbook.md",
    "docs/fuzzing.md",
    "docs/glossary.md",
    "docs/input-languages.md",
    "docs/mapping.md",
    "docs/performance.md",
    "docs/programs.md",
    "docs/schedules.md",
    "docs/set-up.md",
    "docs/strategies.md",
    "docs/tuning.md",
    "docs/your-own-dialect.md",
];

/// Folders whose pages are all checked
const PAGE_FOLDERS: &[&str] = &["docs/decisions/", "docs/how-to/"];

/// The most words in a sentence, and the most in half of a page's sentences
const LONGEST: usize = 40;
const MEDIAN: usize = 18;

/// A page that a reader sees first is short
const FIRST_PAGE: (&str, usize) = ("README.md", 130);

/// Words that are not used, and what to write
const WORDS: &[(&str, &str)] = &[
    ("as it stands", "as written, unchanged"),
    ("asked for", "required, requested"),
    ("asked for ahead", "prefetched"),
    ("beside", "next to, attached to, together with"),
    ("by hand", "manually, handwritten"),
    ("carried out", "applied, lowered"),
    ("come together", "join, synchronize"),
    ("given back", "returned"),
    ("go round", "iterate"),
    ("goes round", "iterates"),
    ("hang on", "depend on"),
    ("hangs on", "depends on"),
    ("in turn", "sequentially"),
    ("is asked", "name the actor: queries, requires"),
    ("is said", "is stated, is reported"),
    ("is told", "is reported"),
    ("made of", "built from, derived from"),
    ("nobody", "name the actor: no pass, no user"),
    ("past the caches", "non-temporal"),
    ("sees to it", "checks, ensures"),
    ("somebody", "name the actor: a user, a pass"),
    ("told", "reported"),
    ("turned round", "negated, rotated"),
    ("way down", "lowering"),
    ("without a word", "silently"),
];

/// Names of design notes that are not in the repository
const ABSENT: &[&str] = &["design.md", "ir-speed.md", "style.md", "facts.md", "checklist.md", "toolchain.md"];

fn is_page(path: &str) -> bool {
    let in_folder = || PAGE_FOLDERS.iter().any(|folder| path.starts_with(folder));
    PAGES.contains(&path) || path.ends_with(".md") && in_folder()
}

pub fn check(tree: &Tree) -> Vec<Problem> {
    let pages = tree.files.iter().filter(|file| is_page(&file.path));
    let sources = tree.files.iter().filter(|file| file.is_rust());
    let mut out: Vec<Problem> = pages.flat_map(check_page).collect();
    for page in tree.files.iter().filter(|file| file.path.ends_with(".md")) {
        out.extend(prose(&page.text).iter().flat_map(|(at, text)| absent(page, *at, text)));
    }
    for file in sources {
        let comments = comments(&file.text);
        out.extend(comments.iter().flat_map(|(at, text)| words(file, *at, text)));
        out.extend(comments.iter().flat_map(|(at, text)| absent(file, *at, text)));
    }
    out
}

fn check_page(file: &Source) -> Vec<Problem> {
    let mut out = Vec::new();
    let prose = prose(&file.text);
    out.extend(prose.iter().flat_map(|(at, text)| words(file, *at, text)));
    let sentences: Vec<(usize, usize)> = paragraphs(&prose)
        .iter()
        .flat_map(|(at, text)| sentences(text).into_iter().map(|count| (*at, count)))
        .collect();
    for (at, count) in sentences.iter().filter(|(_, count)| *count > LONGEST) {
        out.push(Problem::at(file, *at, format!("a sentence of {count} words, more than {LONGEST}")));
    }
    let mut counts: Vec<usize> = sentences.iter().map(|(_, count)| *count).collect();
    counts.sort_unstable();
    if let Some(median) = counts.get(counts.len() / 2).filter(|median| **median > MEDIAN) {
        let what = format!("half of the sentences have {median} words or more, above {MEDIAN}");
        out.push(Problem::new(&file.path, what));
    }
    let lines = file.text.lines().count();
    if file.path == FIRST_PAGE.0 && lines > FIRST_PAGE.1 {
        out.push(Problem::new(&file.path, format!("{lines} lines, more than {}", FIRST_PAGE.1)));
    }
    out
}

/// Words of a line that are not used
fn words(file: &Source, at: usize, text: &str) -> Vec<Problem> {
    let text = text.to_lowercase();
    let found = WORDS.iter().filter(|(word, _)| has_phrase(&text, word));
    found.map(|(word, better)| Problem::at(file, at, format!("`{word}`: write {better}"))).collect()
}

/// References of a line to documents that a reader does not have
fn absent(file: &Source, at: usize, text: &str) -> Vec<Problem> {
    let named = ABSENT.iter().filter(|name| has_phrase(text, name)).map(|name| (*name).to_string());
    let section = text.contains(".md §").then(|| "a section of a design note".to_string());
    named
        .chain(section)
        .map(|name| Problem::at(file, at, format!("{name} is not in the repository")))
        .collect()
}

/// The phrase is in the text, as whole words
fn has_phrase(text: &str, phrase: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(phrase)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + phrase.len()..].starts_with(part))
}

/// Lines of a page outside fenced blocks, without quoted code and targets of links, by line number
fn prose(text: &str) -> Vec<(usize, String)> {
    let (mut fenced, mut quoted) = (false, false);
    let mut out = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            out.push((at, String::new()));
        } else if !fenced {
            quoted &= !line.trim().is_empty();
            out.push((at, plain(line, &mut quoted)));
        }
    }
    out
}

/// A line with one word for each piece of code, which may continue on the next line, and no targets of links
fn plain(line: &str, quoted: &mut bool) -> String {
    let mut out = String::new();
    for (n, piece) in line.split('`').enumerate() {
        *quoted ^= n > 0;
        out.push_str(if *quoted { "code" } else { piece });
    }
    while let Some(start) = out.find("](") {
        let end = out[start..].find(')').map_or(out.len(), |length| start + length + 1);
        out.replace_range(start..end, "");
    }
    out
}

/// Lines joined to paragraphs and items of lists; headings, tables and figures have no sentences
fn paragraphs(prose: &[(usize, String)]) -> Vec<(usize, String)> {
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (at, line) in prose {
        let line = line.trim();
        let skipped = line.is_empty() || line.starts_with(['#', '|']) || line.starts_with("![");
        let item = line.starts_with("- ") || line.starts_with("* ");
        match out.last_mut() {
            Some((_, text)) if open && !skipped && !item => *text = format!("{text} {line}"),
            _ if !skipped => out.push((*at, line.trim_start_matches(['-', '*', ' ']).to_string())),
            _ => {}
        }
        open = !skipped;
    }
    out
}

/// Words of each sentence; a list of three words or fewer is none
fn sentences(paragraph: &str) -> Vec<usize> {
    let mut out = vec![0];
    for word in paragraph.split_whitespace() {
        if word.chars().any(char::is_alphanumeric) {
            *out.last_mut().expect("never empty") += 1;
        }
        if word.trim_end_matches(['*', ')', '"']).ends_with(['.', '?', '!', ':']) {
            out.push(0);
        }
    }
    out.retain(|count| *count >= 3);
    out
}

/// Documentation comments without their examples, by line number
fn comments(text: &str) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    let (mut fenced, mut quoted) = (false, false);
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let Some(comment) = line.strip_prefix("//!").or_else(|| line.strip_prefix("///")) else {
            (fenced, quoted) = (false, false);
            continue;
        };
        if comment.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            out.push((at, plain(comment, &mut quoted)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::tree_of;

    fn of(path: &str, text: &str) -> Vec<String> {
        check(&tree_of(path, text)).into_iter().map(|problem| problem.what).collect()
    }

    #[test]
    fn a_private_word_is_named_with_what_to_write() {
        assert_eq!(of("docs/set-up.md", "The order hangs on sizes."), ["`hangs on`: write depends on"]);
        assert_eq!(
            of("docs/set-up.md", "The order depends on sizes, `told` and\n```\nbeside\n```\n"),
            [""; 0]
        );
        assert_eq!(of("docs/other.md", "The order hangs on sizes."), [""; 0]);
        assert_eq!(of("docs/set-up.md", "Code `of two\nlines, told` is code."), [""; 0]);
        assert_eq!(of("docs/set-up.md", "untold besides"), [""; 0]);
    }

    #[test]
    fn long_sentences_are_found_across_lines() {
        let words = |count: usize| vec!["word"; count].join("\n");
        let long = of("docs/set-up.md", &format!("Short it is. {}.\n", words(LONGEST + 1)));
        assert!(long.iter().any(|what| what.contains("41 words")), "{long:?}");
        assert_eq!(of("docs/set-up.md", &format!("{}.\n", words(MEDIAN))), [""; 0]);
        assert_eq!(of("docs/set-up.md", &format!("{}.\n", words(MEDIAN + 1))).len(), 1);
    }

    #[test]
    fn tables_and_headings_have_no_sentences() {
        let row = format!("| {} |\n", vec!["word"; LONGEST + 1].join(" "));
        assert_eq!(of("docs/set-up.md", &row), [""; 0]);
        assert_eq!(of("docs/set-up.md", "| nobody |\n").len(), 1);
    }

    #[test]
    fn comments_of_every_folder_are_read() {
        assert_eq!(of("schedule/model/src/a.rs", "//! Who is told\nlet beside = 1;\n").len(), 2);
        assert_eq!(of("passes/a.rs", "//! Who is told\n").len(), 2);
        assert_eq!(of("schedule/model/src/a.rs", "// beside\n/// ```\n/// beside\n/// ```\n"), [""; 0]);
    }

    #[test]
    fn references_lead_somewhere() {
        assert_eq!(of("passes/a.rs", &format!("//! Levels ({} §2)\n", "sched.md")).len(), 1);
        assert_eq!(of("passes/a.rs", &format!("//! Levels ({})\n", ABSENT[0])).len(), 1);
        assert_eq!(of("docs/decisions/0001-a.md", &format!("See {}.\n", ABSENT[0])).len(), 1);
        assert_eq!(of("passes/a.rs", "//! Levels (docs/schedules.md)\n"), [""; 0]);
    }

    #[test]
    fn the_first_page_is_short() {
        assert_eq!(of("README.md", &"\n".repeat(FIRST_PAGE.1)), [""; 0]);
        assert_eq!(of("README.md", &"\n".repeat(FIRST_PAGE.1 + 1)).len(), 1);
    }
}
