//! A library without unit tests says `test = false`, one without examples that run says `doctest = false`
//!
//! Cargo compiles a library once more for its unit tests, and reads it once more for its examples, also when there are
//! none. Over all crates that was a quarter of a build. A flag that stands where tests are would leave them out, so
//! this check holds both directions.

use super::{Problem, Tree};
use crate::source::Source;

/// Words after the three ticks that make a block of code an example that `cargo test` compiles
const COMPILED: &[&str] = &["", "rust", "should_panic", "no_run", "compile_fail", "edition2024"];

pub fn check(tree: &Tree) -> Vec<Problem> {
    let manifests = tree.files.iter().filter(|file| file.path.ends_with("/Cargo.toml"));
    // Examples are copied by users, who add tests; a workspace of its own is no part of this build.
    let ours = manifests.filter(|file| {
        !file.path.starts_with("examples/") && !file.text.lines().any(|line| line == "[workspace]")
    });
    ours.flat_map(|file| check_crate(tree, file)).collect()
}

fn check_crate(tree: &Tree, manifest: &Source) -> Vec<Problem> {
    let sources = format!("{}src/", manifest.path.trim_end_matches("Cargo.toml"));
    let sources: Vec<&Source> =
        tree.files.iter().filter(|file| file.is_rust() && file.path.starts_with(&sources)).collect();
    if !sources.iter().any(|file| file.path.ends_with("src/lib.rs")) {
        return Vec::new();
    }
    let said = |flag: &str| section(&manifest.text).any(|line| line == flag);
    let has_tests = sources.iter().any(|file| file.text.lines().any(|line| line.trim() == "#[test]"));
    let has_examples = sources.iter().any(|file| has_example(&file.text));
    let wrong = |flag: &str, has: bool, what: &str| match (said(flag), has) {
        (false, false) => Some(format!("no {what} in this library: say `{flag}` under `[lib]`")),
        (true, true) => Some(format!("`{flag}`, but this library has {what}, which do not run")),
        _ => None,
    };
    [
        wrong("test = false", has_tests, "unit tests"),
        wrong("doctest = false", has_examples, "examples in docs"),
    ]
    .into_iter()
    .flatten()
    .map(|what| Problem::new(&manifest.path, what))
    .collect()
}

/// The lines under `[lib]`
fn section(manifest: &str) -> impl Iterator<Item = &str> {
    let lines = manifest.lines().skip_while(|line| *line != "[lib]").skip(1);
    lines.take_while(|line| !line.starts_with('['))
}

/// Whether a doc comment has a block of code that `cargo test` compiles
fn has_example(text: &str) -> bool {
    let mut inside = false;
    for line in text.lines() {
        let Some(comment) = line.trim().strip_prefix("///").or_else(|| line.trim().strip_prefix("//!"))
        else {
            inside = false;
            continue;
        };
        let Some(word) = comment.trim().strip_prefix("```") else { continue };
        if !inside && COMPILED.contains(&word.trim()) {
            return true;
        }
        inside = !inside;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::exceptions::Exceptions;

    fn problems(manifest: &str, library: &str) -> Vec<String> {
        let file = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let files = vec![file("ir/a/Cargo.toml", manifest), file("ir/a/src/lib.rs", library)];
        let tree = Tree { files, packages: Vec::new(), exceptions: Exceptions::default() };
        check(&tree).into_iter().map(|problem| problem.what).collect()
    }

    #[test]
    fn what_is_not_there_is_not_compiled() {
        assert_eq!(problems("[package]\n", "").len(), 2);
        assert!(problems("[lib]\ntest = false\ndoctest = false\n", "").is_empty());
        assert_eq!(problems("[[bin]]\ntest = false\ndoctest = false\n", "").len(), 2);
    }

    #[test]
    fn what_is_there_is_run() {
        let tests = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n";
        assert!(problems("[lib]\ndoctest = false\n", tests).is_empty());
        assert!(problems("[lib]\ntest = false\ndoctest = false\n", tests)[0].contains("do not run"));
        let example = "/// ```\n/// f();\n/// ```\npub fn f() {}\n";
        assert!(problems("[lib]\ntest = false\n", example).is_empty());
        assert!(problems("[lib]\ntest = false\ndoctest = false\n", example)[0].contains("do not run"));
        let of_ir = "/// ```mlir\n/// return\n/// ```\npub fn f() {}\n";
        assert!(problems("[lib]\ntest = false\ndoctest = false\n", of_ir).is_empty());
    }
}
