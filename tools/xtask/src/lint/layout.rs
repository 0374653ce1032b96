//! The top folder is the map: nothing lies there that is not agreed on

use super::{Problem, Tree};

const AGREED: &[&str] = &[
    ".cargo",
    ".ci",
    ".config",
    ".gitattributes",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "benches",
    "clippy.toml",
    "devices",
    "dialects",
    "docs",
    "examples",
    "frontends",
    "fuzz",
    "ir",
    "lowering",
    "macros",
    "passes",
    "rust-toolchain.toml",
    "runtime",
    "rustfmt.toml",
    "schedule",
    "search",
    "targets",
    "test-files",
    "tools",
];

pub fn check(tree: &Tree) -> Vec<Problem> {
    let tops = tree.files.iter().map(|file| file.path.split('/').next().unwrap_or_default());
    let mut strangers: Vec<&str> = tops.filter(|top| !AGREED.contains(top)).collect();
    strangers.dedup();
    strangers.iter().map(|top| Problem::new(*top, "not in the agreed list of top-level paths")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::tree_of;

    #[test]
    fn strangers_are_named() {
        assert!(check(&tree_of("ir/core/a.rs", "")).is_empty());
        assert_eq!(check(&tree_of("utils/a.rs", ""))[0].place, "utils");
    }
}
