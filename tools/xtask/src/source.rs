//! The files of the repository, and Rust text without its comments or strings
//!
//! The lexer knows as much of Rust as telling code from comments and strings needs; it keeps every
//! line break, so that line numbers stay true.

use crate::{Fallible, process};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// One text file of the repository
pub struct Source {
    /// From the root, with `/`
    pub path: String,
    /// What it holds
    pub text: String,
}

impl Source {
    /// Whether it is Rust
    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether all of it is test: in a `tests` folder or file, or among the data of tests
    pub fn is_test(&self) -> bool {
        let mut parts = self.path.split('/');
        parts.any(|part| matches!(part, "tests" | "test-files" | "tests.rs") || part.ends_with("_tests.rs"))
    }

    /// The lines before the tests at the bottom of the file
    pub fn lines_before_tests(&self) -> usize {
        let lines: Vec<&str> = self.text.lines().collect();
        let starts = |i: &usize| {
            lines[*i] == "#[cfg(test)]"
                && lines.get(i + 1).is_some_and(|next| next.starts_with("mod ") && next.ends_with('{'))
        };
        (0..lines.len()).find(starts).unwrap_or(lines.len())
    }
}

/// All text files that git knows or would add; files that are not UTF-8 are left out
pub fn files(root: &Path) -> Fallible<Vec<Source>> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = process::text(&mut git)?;
    let mut paths: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    paths.dedup();
    let read =
        |path: &str| Some(Source { path: path.to_owned(), text: fs::read_to_string(root.join(path)).ok()? });
    Ok(paths.into_iter().filter_map(read).collect())
}

/// The same of a revision, as git has it
pub fn files_at(root: &Path, revision: &str) -> Fallible<Vec<Source>> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-tree", "-r", "-z", "--name-only", revision]);
    let listed = process::text(&mut git)?;
    let mut paths: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    let mut git = Command::new("git");
    git.current_dir(root).args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = git.spawn().map_err(|e| format!("cannot start `git`: {e}"))?;
    let names: String = paths.iter().map(|path| format!("{revision}:{path}\n")).collect();
    let Some(mut input) = child.stdin.take() else { return Err("git takes no input".into()) };
    let writer = std::thread::spawn(move || input.write_all(names.as_bytes()));
    let output = child.wait_with_output().map_err(|e| format!("`git cat-file`: {e}"))?.stdout;
    let written = writer.join().map_err(|_| "a thread of `git cat-file` ended early")?;
    written.map_err(|e| format!("`git cat-file`: {e}"))?;
    objects(&paths, &output).ok_or_else(|| "`git cat-file` wrote something else".to_owned())
}

/// Contents by path: for each `<hash> <kind> <size>`, a line, and as many bytes
fn objects(paths: &[&str], mut bytes: &[u8]) -> Option<Vec<Source>> {
    let mut found = Vec::new();
    for path in paths {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let size: usize = head.rsplit(' ').next()?.parse().ok()?;
        let content = bytes.get(end + 1..end + 1 + size)?;
        if let Ok(text) = std::str::from_utf8(content) {
            found.push(Source { path: (*path).to_owned(), text: text.to_owned() });
        }
        bytes = bytes.get(end + 2 + size..)?;
    }
    Some(found)
}

/// What to blank out
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Blank {
    /// Comments
    Comments,
    /// Comments, and what strings and characters hold
    CommentsAndStrings,
    /// Everything but comments
    Code,
}

/// The text with parts of it replaced by spaces
pub fn blank(text: &str, what: Blank) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let (kind, end) = token(&chars, at);
        let keep = match kind {
            TokenKind::Comment => what == Blank::Code,
            TokenKind::Text => what == Blank::Comments,
            TokenKind::Code => what != Blank::Code,
        };
        out.extend(chars[at..end].iter().map(|c| if keep || *c == '\n' { *c } else { ' ' }));
        at = end;
    }
    out
}

enum TokenKind {
    Comment,
    Text,
    Code,
}

/// The token at a place: its kind and its end, which is always further on
fn token(chars: &[char], at: usize) -> (TokenKind, usize) {
    let next = chars.get(at + 1).copied();
    match chars[at] {
        '/' if next == Some('/') => (TokenKind::Comment, line_end(chars, at)),
        '/' if next == Some('*') => (TokenKind::Comment, block_end(chars, at)),
        '"' => (TokenKind::Text, string_end(chars, at)),
        'r' if !after_word(chars, at) && raw_hashes(chars, at).is_some() => {
            (TokenKind::Text, raw_end(chars, at, raw_hashes(chars, at).unwrap_or(0)))
        }
        '\'' => match char_end(chars, at) {
            Some(end) => (TokenKind::Text, end),
            None => (TokenKind::Code, at + 1),
        },
        _ => (TokenKind::Code, at + 1),
    }
}

fn line_end(chars: &[char], at: usize) -> usize {
    chars[at..].iter().position(|c| *c == '\n').map_or(chars.len(), |n| at + n)
}

fn block_end(chars: &[char], at: usize) -> usize {
    let (mut depth, mut i) = (1, at + 2);
    while i < chars.len() && depth > 0 {
        let pair = (chars[i], chars.get(i + 1).copied());
        let step = match pair {
            ('/', Some('*')) => 1,
            ('*', Some('/')) => -1,
            _ => 0,
        };
        depth += step;
        i += if step == 0 { 1 } else { 2 };
    }
    i.min(chars.len())
}

fn string_end(chars: &[char], at: usize) -> usize {
    let mut i = at + 1;
    while i < chars.len() {
        match chars[i] {
            '\\' => i += 2,
            '"' => return i + 1,
            _ => i += 1,
        }
    }
    chars.len()
}

/// Identifier characters before: then an `r` is the end of a word, but `br` opens a string too
fn after_word(chars: &[char], at: usize) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let before = |n: usize| at.checked_sub(n).map(|i| chars[i]);
    match before(1) {
        Some('b' | 'c') => before(2).is_some_and(word),
        Some(c) => word(c),
        None => false,
    }
}

fn raw_hashes(chars: &[char], at: usize) -> Option<usize> {
    let hashes = chars[at + 1..].iter().take_while(|c| **c == '#').count();
    (chars.get(at + 1 + hashes) == Some(&'"')).then_some(hashes)
}

fn raw_end(chars: &[char], at: usize, hashes: usize) -> usize {
    let mut i = at + 2 + hashes;
    while i < chars.len() {
        let closes =
            chars[i] == '"' && chars[i + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes;
        if closes {
            return i + 1 + hashes;
        }
        i += 1;
    }
    chars.len()
}

/// The end of a character literal; none for a lifetime
fn char_end(chars: &[char], at: usize) -> Option<usize> {
    if chars.get(at + 1) == Some(&'\\') {
        let close = chars.get(at + 3..)?.iter().position(|c| *c == '\'')?;
        return Some(at + 3 + close + 1);
    }
    (chars.get(at + 2) == Some(&'\'')).then_some(at + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_have_the_sizes_that_git_says() {
        let found = objects(&["a", "b"], b"12ab blob 3\nx\ny\n12ab blob 0\n\n").expect("well formed");
        assert_eq!((found[0].text.as_str(), found[1].text.as_str()), ("x\ny", ""));
        assert!(objects(&["a"], b"a missing\n").is_none());
    }

    #[test]
    fn comments_go_and_lines_stay() {
        let text = "a // b\n/* c /* d */\n e */ f";
        assert_eq!(blank(text, Blank::Comments).replace(' ', ""), "a\n\nf");
        assert_eq!(blank(text, Blank::Code).replace(' ', ""), "//b\n/*c/*d*/\ne*/");
    }

    #[test]
    fn a_comment_in_a_string_is_text() {
        assert_eq!(blank("f(\"// x\") // y", Blank::Comments).trim_end(), "f(\"// x\")");
        assert_eq!(blank("f(\"a\\\"b\", 'c', 'd)", Blank::CommentsAndStrings), "f(      ,    , 'd)");
    }

    #[test]
    fn raw_strings_end_at_their_hashes() {
        let text = "br#\"a \" // b\"# c";
        assert_eq!(blank(text, Blank::CommentsAndStrings).trim(), "b".to_owned() + &" ".repeat(14) + "c");
    }

    #[test]
    fn odd_ends_do_not_panic() {
        for text in ["\"a", "'\\", "r#\"a", "/*", "'", "r#", "\"\\", "/"] {
            assert_eq!(blank(text, Blank::Comments).chars().count(), text.chars().count());
        }
    }

    #[test]
    fn tests_at_the_bottom_are_not_counted() {
        let text = "//! a\nfn b() {}\n#[cfg(test)]\nmod tests {\n}\n".to_owned();
        assert_eq!(Source { path: "a.rs".into(), text }.lines_before_tests(), 2);
    }
}
