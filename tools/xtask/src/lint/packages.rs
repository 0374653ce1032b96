//! What is published can be: it says what it is, and finds what it needs in a registry
//!
//! `cargo package` drops paths. A dependency without a version is lost for tests, and an error for anything else. One with a version
//! has to be published before, so tests that look up, to a crate that needs this one, have none.

use super::{Problem, Tree};
use crate::workspace::Package;

pub fn check(tree: &Tree) -> Vec<Problem> {
    tree.packages.iter().flat_map(|package| check_package(package, &tree.packages)).collect()
}

fn check_package(package: &Package, all: &[Package]) -> Vec<Problem> {
    let mut out = Vec::new();
    let mut wrong = |what: String| out.push(Problem::new(&package.folder, what));
    if package.published && !package.described {
        wrong("is published: it needs a description and a license".into());
    }
    for dependency in package.dependencies.iter().filter(|dependency| dependency.local) {
        let name = &dependency.name;
        let Some(other) = all.iter().find(|other| other.name == *name) else { continue };
        match dependency.dev {
            false if package.published && !other.published => {
                wrong(format!("is published, and {name}, which it needs, is not"));
            }
            false if !dependency.versioned && package.folder.starts_with("examples/") => {}
            false if !dependency.versioned => {
                wrong(format!("{name} needs a version, in the workspace or next to its path"))
            }
            true if !package.published || !dependency.versioned => {}
            true if !other.published => {
                wrong(format!("tests need {name}, which is not published: write its path alone"))
            }
            true if needs(other, package, all) => {
                wrong(format!("tests need {name}, which needs this crate: write its path alone"));
            }
            _ => {}
        }
    }
    out
}

/// Does a package need another, directly or not?
fn needs(package: &Package, other: &Package, all: &[Package]) -> bool {
    let (mut seen, mut pending) = (vec![package.name.as_str()], vec![package]);
    while let Some(package) = pending.pop() {
        for dependency in package.dependencies.iter().filter(|dependency| !dependency.dev) {
            if dependency.name == other.name {
                return true;
            }
            let next = all.iter().find(|next| next.name == dependency.name);
            if let Some(next) = next.filter(|next| !seen.contains(&next.name.as_str())) {
                seen.push(&next.name);
                pending.push(next);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Dependency;

    fn package(name: &str, needs: &[Dependency]) -> Package {
        Package {
            name: name.into(),
            folder: format!("ir/{name}"),
            features: Vec::new(),
            dependencies: needs.to_vec(),
            published: true,
            described: true,
        }
    }

    fn on(name: &str) -> Dependency {
        Dependency { name: name.into(), dev: false, local: true, versioned: true }
    }

    fn problems(packages: &[Package]) -> Vec<String> {
        packages.iter().flat_map(|p| check_package(p, packages)).map(|problem| problem.what).collect()
    }

    #[test]
    fn what_is_published_needs_what_is_published() {
        let low = package("low", &[]);
        assert!(problems(&[low.clone(), package("high", &[on("low")])]).is_empty());
        let private = Package { published: false, ..low.clone() };
        assert!(
            problems(&[private, package("high", &[on("low")])])[0].contains("low, which it needs, is not")
        );
        let silent = Package { described: false, ..low };
        assert!(problems(&[silent])[0].contains("a description and a license"));
    }

    #[test]
    fn what_is_needed_has_a_version() {
        let bare = Dependency { versioned: false, ..on("low") };
        assert!(
            problems(&[package("low", &[]), package("high", &[bare])])[0].contains("low needs a version")
        );
    }

    #[test]
    fn tests_that_look_up_name_a_path_alone() {
        let test = |versioned| Dependency { dev: true, versioned, ..on("top") };
        let above = [package("mid", &[on("low")]), package("top", &[on("mid")])];
        let with = |versioned| [&above[..], &[package("low", &[test(versioned)])]].concat();
        assert!(problems(&with(true))[0].contains("top, which needs this crate"));
        assert!(problems(&with(false)).is_empty());
    }
}
