//! `unsafe` only in listed modules, each use with its argument in a comment
//!
//! A use is argued by `SAFETY` in a comment at most twelve lines above it, or by a `# Safety` section where
//! it only declares.

use super::{Problem, Tree};
use crate::source::{Blank, Source, blank};

const WORD: &str = concat!("un", "safe");
const REACH: usize = 12;

pub fn check(tree: &Tree) -> Vec<Problem> {
    tree.files.iter().filter(|file| file.is_rust()).flat_map(|file| check_file(tree, file)).collect()
}

fn check_file(tree: &Tree, file: &Source) -> Vec<Problem> {
    let code = blank(&file.text, Blank::CommentsAndStrings);
    let uses: Vec<usize> = (0..).zip(code.lines()).filter(|(_, line)| is_use(line)).map(|(n, _)| n).collect();
    if uses.is_empty() {
        return Vec::new();
    }
    if !tree.exceptions.allow("unsafe-code", &file.path) {
        return vec![Problem::at(file, uses[0], format!("{WORD} in a module that is not listed for it"))];
    }
    let comments = blank(&file.text, Blank::Code);
    let comments: Vec<&str> = comments.lines().collect();
    let argued = |line: usize| {
        let near = &comments[line.saturating_sub(REACH)..=line.min(comments.len() - 1)];
        near.iter().any(|comment| comment.contains("SAFETY") || comment.contains("# Safety"))
    };
    let bare = uses.into_iter().filter(|line| !argued(*line));
    bare.map(|line| Problem::at(file, line, format!("{WORD} without a `// SAFETY:` argument"))).collect()
}

/// The word as such, not the name of the lint
fn is_use(line: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(WORD)
        .any(|(at, _)| !line[..at].ends_with(word) && !line[at + WORD.len()..].starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::exceptions::Exceptions;
    use crate::lint::tree_of;

    fn listed(text: &str) -> Vec<Problem> {
        let mut tree = tree_of("ir/a.rs", text);
        let list = "unsafe-code ir/a.rs: storage\n".to_owned();
        tree.exceptions = Exceptions::of(&[
            Source { path: "tools/xtask/lint-exceptions.txt".into(), text: list },
            Source { path: "ir/a.rs".into(), text: String::new() },
        ])
        .expect("well formed");
        check(&tree)
    }

    #[test]
    fn only_in_listed_modules() {
        let text = format!("{WORD} {{ f() }}");
        assert_eq!(check(&tree_of("ir/a.rs", &text)).len(), 1);
        assert!(check(&tree_of("ir/a.rs", &format!("// {WORD}\n#![allow({WORD}_code)]"))).is_empty());
    }

    #[test]
    fn each_use_is_argued() {
        assert!(listed(&format!("// SAFETY: f has no condition\n{WORD} {{ f() }}")).is_empty());
        assert!(listed(&format!("/// # Safety\n/// None\npub {WORD} fn f() {{}}")).is_empty());
        assert_eq!(listed(&format!("{WORD} {{ f() }}")).len(), 1);
    }
}
