//! Every module says first what it is: a line of `//!`
//!
//! Not asked of the inputs of compile-fail tests, whose text is part of an expectation.

use super::{Problem, Tree};

pub fn check(tree: &Tree) -> Vec<Problem> {
    let rust = tree.files.iter().filter(|file| file.is_rust() && !is_input(&file.path));
    let bare = rust.filter(|file| !starts_with_docs(&file.text));
    bare.filter(|file| !tree.exceptions.allow("module-docs", &file.path))
        .map(|file| Problem::at(file, 0, "a module starts with `//!`, what it is"))
        .collect()
}

fn is_input(path: &str) -> bool {
    path.contains("/tests/ui/") || path.contains("/tests/fail/") || path.contains("/tests/pass/")
}

/// Inner attributes and plain comments may come before
fn starts_with_docs(text: &str) -> bool {
    let before = |line: &&str| {
        line.is_empty() || line.starts_with("#!") || (line.starts_with("//") && !line.starts_with("//!"))
    };
    text.lines().map(str::trim).find(|line| !before(line)).is_some_and(|line| line.starts_with("//!"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::tree_of;

    #[test]
    fn docs_come_first() {
        assert!(check(&tree_of("ir/a.rs", "#![no_std]\n\n//! A thing\n")).is_empty());
        assert_eq!(check(&tree_of("ir/a.rs", "use std::fs;\n//! A thing\n")).len(), 1);
        assert_eq!(check(&tree_of("ir/a.rs", "")).len(), 1);
        assert!(check(&tree_of("macros/entry/tests/ui/bad.rs", "fn main() {}")).is_empty());
    }
}
