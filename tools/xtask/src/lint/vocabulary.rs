//! Layers, regions and levels are values: only modules that read or write text spell them
//!
//! The words stand once, in the tables of `ir/devices`. A literal elsewhere is a word that no compiler checks. Tests and the
//! programs that tests make are text.

use super::{Problem, Tree};
use crate::source::{Blank, Source, blank};

/// Layers and regions of schedules; lanes have no row, since a rule of nests is called `VEC`
const WORDS: &[&str] = &[
    "GPU", "CPU", "BLK", "WRP", "THR", "FOR", "UNR", "MM", "DM", "DEV", "L1", "L2", "L3", "SM", "SHR", "RM",
    "REG",
];

/// Levels that have an axis
const CLASSES: &[&str] = &["lane", "warp", "thread", "block", "global", "cluster", "device"];

/// Folders that spell the words: the tables, and programs for tests
const SPELL: &[&str] = &["ir/devices/", "dialects/test/", "tools/xtask/"];

pub fn check(tree: &Tree) -> Vec<Problem> {
    let held = |file: &&Source| {
        file.is_rust()
            && !file.is_test()
            && !SPELL.iter().any(|folder| file.path.starts_with(folder))
            && !tree.exceptions.allow("vocabulary", &file.path)
    };
    tree.files.iter().filter(held).flat_map(check_file).collect()
}

fn check_file(file: &Source) -> Vec<Problem> {
    let mut out = Vec::new();
    let code = blank(&file.text, Blank::Comments);
    for (number, line) in code.lines().enumerate().take(file.lines_before_tests()) {
        let word = line.split('"').skip(1).step_by(2).find(|text| is_word(text));
        out.extend(word.map(|word| Problem::at(file, number, format!("`{word}` is a word: use its value"))));
    }
    out
}

/// `THR`, `THR.x`, `FOR.{n}`, `thread.x`
fn is_word(text: &str) -> bool {
    let (word, at) = text.split_once('.').map_or((text, None), |(word, at)| (word, Some(at)));
    WORDS.contains(&word) || CLASSES.contains(&word) && matches!(at, Some("x" | "y" | "z"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::tree_of;

    fn count(path: &str, text: &str) -> usize {
        check(&tree_of(path, text)).len()
    }

    #[test]
    fn words_are_found_in_code_alone() {
        assert_eq!(count("passes/a.rs", "fn f() { g(\"THR\", \"block.x\") }\nfn h() { g(\"FOR.{n}\") }"), 2);
        assert_eq!(
            count("passes/a.rs", "/// `\"THR\"`\nfn f() { g(\"thread\", \"THREE\", \"S-THR: no\") }"),
            0
        );
        assert_eq!(count("ir/devices/src/layer.rs", "const W: &str = \"THR\";"), 0);
        assert_eq!(count("passes/a/tests/a.rs", "const W: &str = \"THR\";"), 0);
    }
}
