//! `cargo xtask lint`: format, clippy, and the tidy checks, one file each
//!
//! A tidy check reads the tree and names what is wrong; `tools/xtask/lint-exceptions.txt` lists what is let
//! off, each with its reason. The checks of the map also run as a test of this crate, so that plain
//! `cargo test` holds them too.

mod circles;
mod directions;
mod empty_tests;
pub mod exceptions;
mod functions;
pub mod how_to;
mod layout;
mod length;
mod module_docs;
mod needless;
mod packages;
mod paths;
mod plain_words;
mod test_programs;
pub mod to_do;
mod unsafe_code;
mod vocabulary;

use crate::source::{self, Source};
use crate::workspace::{Package, Workspace};
use crate::{Fallible, process};
use exceptions::Exceptions;

/// What the checks look at
pub struct Tree {
    files: Vec<Source>,
    packages: Vec<Package>,
    exceptions: Exceptions,
}

/// One thing wrong
#[derive(Debug, PartialEq, Eq)]
pub struct Problem {
    place: String,
    what: String,
}

impl Problem {
    fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Problem { place: place.into(), what: what.into() }
    }

    fn at(file: &Source, line: usize, what: impl Into<String>) -> Self {
        Problem::new(format!("{}:{}", file.path, line + 1), what)
    }
}

type Check = fn(&Tree) -> Vec<Problem>;

/// Every tidy check, by name
const CHECKS: &[(&str, Check)] = &[
    ("circles", circles::check),
    ("directions", directions::check),
    ("empty-tests", empty_tests::check),
    ("functions", functions::check),
    ("how-to", how_to::check),
    ("layout", layout::check),
    ("length", length::check),
    ("module-docs", module_docs::check),
    ("needless", needless::check),
    ("packages", packages::check),
    ("paths", paths::check),
    ("plain-words", plain_words::check),
    ("test-programs", test_programs::check),
    ("to-do", to_do::check),
    ("unsafe-code", unsafe_code::check),
    ("vocabulary", vocabulary::check),
];

/// Workspaces other than ours: a build of theirs must not change their locks, nor take other versions than ours by chance
const OUTSIDE: &[&str] = &["fuzz"];

/// `cargo xtask lint`
pub fn command(ws: &Workspace) -> Fallible {
    let mut failed: Vec<String> = Vec::new();
    let mut skipped: Vec<&str> = Vec::new();
    let tools: [(&str, &[&str]); 2] = [
        ("fmt", &["fmt", "--all", "--check"]),
        ("clippy", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    ];
    for (name, args) in tools {
        let there = process::capture(process::cargo(&ws.root).args([name, "--version"]));
        if !there.is_ok_and(|output| output.status.success()) {
            skipped.push(name);
        } else if let Err(message) = process::run(process::cargo(&ws.root).args(args)) {
            say!("{message}");
            failed.push(name.to_owned());
        }
    }
    for outside in OUTSIDE {
        let manifest = ws.root.join(outside).join("Cargo.toml");
        let mut cargo = process::cargo(&ws.root);
        cargo.args(["metadata", "--locked", "--format-version", "1", "--manifest-path"]).arg(&manifest);
        if let Err(message) = process::text(&mut cargo) {
            say!(
                "{message}\n{outside}/Cargo.lock is behind: `cargo update --workspace` there brings it up to date"
            );
            failed.push(format!("lock of {outside}"));
        }
    }
    for (name, problems) in tidy(ws)? {
        for problem in &problems {
            say!("{}: {} ({name})", problem.place, problem.what);
        }
        failed.extend((!problems.is_empty()).then(|| format!("{name} ({})", problems.len())));
    }
    for name in &skipped {
        say!("skipped: cargo {name} (needs the component of that name: rustup component add)");
    }
    let checks = CHECKS.len() + tools.len() + OUTSIDE.len();
    say!(
        "lint: {} passed, {} failed, {} skipped",
        checks - failed.len() - skipped.len(),
        failed.len(),
        skipped.len()
    );
    if failed.is_empty() { Ok(()) } else { Err(format!("lint failed: {}", failed.join(", "))) }
}

/// Run the tidy checks
fn tidy(ws: &Workspace) -> Fallible<Vec<(&'static str, Vec<Problem>)>> {
    let files = source::files(&ws.root)?;
    let exceptions = Exceptions::of(&files)?;
    let tree = Tree { files, packages: ws.packages()?, exceptions };
    Ok(CHECKS.iter().map(|(name, check)| (*name, check(&tree))).collect())
}

/// A tree of one file, for the tests of the checks
#[cfg(test)]
fn tree_of(path: &str, text: &str) -> Tree {
    let files = vec![Source { path: path.into(), text: text.into() }];
    Tree { files, packages: Vec::new(), exceptions: Exceptions::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks of the map, of words, and that no test is forgotten; the others are for `cargo xtask lint`
    const HELD: &[&str] =
        &["directions", "how-to", "layout", "needless", "packages", "plain-words", "test-programs"];

    #[test]
    fn the_map_is_held() {
        let ws = Workspace::find().expect("tests run inside of the repository");
        // A source archive without git has no list of files to check.
        if source::files(&ws.root).is_err() {
            eprintln!("skipped: the_map_is_held (needs git)");
            return;
        }
        let results = tidy(&ws).unwrap_or_else(|why| panic!("{why}"));
        let held = results.iter().filter(|(name, _)| HELD.contains(name));
        let all: Vec<String> = held
            .flat_map(|(name, problems)| {
                problems.iter().map(move |p| format!("{}: {} ({name})", p.place, p.what))
            })
            .collect();
        assert!(all.is_empty(), "{}", all.join("\n"));
    }
}
