//! One test program a crate: the files of its `tests` folder are modules of `tests/main.rs`
//!
//! Each program under `tests` links the whole framework, tens of megabytes and seconds; a hundred of them fill a
//! small disk. A file that `main.rs` does not name would not be run at all, so this check also holds that none is
//! forgotten. A test that brings its own runner says so in the manifest (`harness = false`).

use super::{Problem, Tree};
use std::collections::BTreeMap;

pub fn check(tree: &Tree) -> Vec<Problem> {
    let text = |path: &str| tree.files.iter().find(|file| file.path == path).map(|file| file.text.as_str());
    let mut crates: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in &tree.files {
        if let [level, name, "tests", file_name] = file.path.split('/').collect::<Vec<_>>()[..]
            && file_name.ends_with(".rs")
            && level != "examples"
        {
            let folder = &file.path[..level.len() + 1 + name.len()];
            crates.entry(folder).or_default().push(file_name.trim_end_matches(".rs"));
        }
    }
    let mut problems = Vec::new();
    for (folder, names) in crates {
        let manifest = text(&format!("{folder}/Cargo.toml")).unwrap_or_default();
        let main = text(&format!("{folder}/tests/main.rs"));
        let of_main: Vec<&str> = names
            .into_iter()
            .filter(|name| *name != "main")
            .filter(|name| !manifest.contains(&format!("name = \"{name}\"\nharness = false")))
            .collect();
        match main {
            None if of_main.len() > 1 => problems.push(Problem::new(
                format!("{folder}/tests"),
                "several test programs: make them modules of one `tests/main.rs`",
            )),
            None => {}
            Some(main) => problems.extend(
                of_main
                    .into_iter()
                    .filter(|name| !main.lines().any(|line| line == format!("mod {name};")))
                    .map(|name| {
                        let place = format!("{folder}/tests/{name}.rs");
                        Problem::new(place, "not run: `tests/main.rs` has no `mod` of it")
                    }),
            ),
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::exceptions::Exceptions;
    use crate::source::Source;

    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        let files =
            files.iter().map(|(path, text)| Source { path: (*path).into(), text: (*text).into() }).collect();
        let tree = Tree { files, packages: Vec::new(), exceptions: Exceptions::default() };
        check(&tree).into_iter().map(|problem| problem.place).collect()
    }

    #[test]
    fn one_program_a_crate() {
        assert!(problems(&[("ir/a/tests/one.rs", "")]).is_empty());
        assert_eq!(problems(&[("ir/a/tests/one.rs", ""), ("ir/a/tests/two.rs", "")]), ["ir/a/tests"]);
        let main = ("ir/a/tests/main.rs", "mod one;\n");
        assert!(problems(&[main, ("ir/a/tests/one.rs", ""), ("ir/a/tests/common/mod.rs", "")]).is_empty());
    }

    #[test]
    fn a_file_that_is_not_run_is_named() {
        let main = ("ir/a/tests/main.rs", "mod one;\n");
        let files = [main, ("ir/a/tests/one.rs", ""), ("ir/a/tests/two.rs", "")];
        assert_eq!(problems(&files), ["ir/a/tests/two.rs"]);
        let own = ("ir/a/Cargo.toml", "[[test]]\nname = \"two\"\nharness = false\n");
        assert!(problems(&[files[0], files[1], files[2], own]).is_empty());
    }
}
