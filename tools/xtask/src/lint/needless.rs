//! A dependency is named by some file of its crate: what none names is built for nothing
//!
//! Text alone is read: a word in a comment counts too. Tests that are taken from another crate (`#[path = "../…"]`) may need
//! what no file of theirs names, so dev-dependencies of such crates are not held.

use super::{Problem, Tree};
use crate::source::Source;
use crate::workspace::Package;

pub fn check(tree: &Tree) -> Vec<Problem> {
    tree.packages.iter().flat_map(|package| of(package, &tree.files)).collect()
}

fn of(package: &Package, files: &[Source]) -> Vec<Problem> {
    let inside = format!("{}/", package.folder);
    let files: Vec<&Source> = files.iter().filter(|file| file.path.starts_with(&inside)).collect();
    let borrows = files.iter().any(|file| file.text.contains("#[path = \"../"));
    let held = package.dependencies.iter().filter(|dependency| !(dependency.dev && borrows));
    let named = |name: &str| files.iter().any(|file| has_word(&file.text, &name.replace('-', "_")));
    held.filter(|dependency| !named(&dependency.name))
        .map(|dependency| {
            Problem::new(
                &package.folder,
                format!("depends on {}, which no file of it names", dependency.name),
            )
        })
        .collect()
}

fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Dependency;

    fn problems(text: &str, dev: bool) -> usize {
        let package = Package {
            name: "terrace-x".into(),
            folder: "ir/x".into(),
            features: Vec::new(),
            dependencies: vec![Dependency { name: "terrace-ir".into(), dev, local: true, versioned: true }],
            published: false,
            described: true,
        };
        of(&package, &[Source { path: "ir/x/src/lib.rs".into(), text: text.into() }]).len()
    }

    #[test]
    fn a_dependency_is_named() {
        assert_eq!(problems("use terrace_ir::Ir;", false), 0);
        assert_eq!(problems("use terrace_ir_more::Ir;", false), 1);
    }

    #[test]
    fn tests_of_another_crate_may_need_more() {
        assert_eq!(problems("", true), 1);
        assert_eq!(problems("#[path = \"../../other/mod.rs\"]\nmod common;", true), 0);
    }
}
