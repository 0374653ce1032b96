//! Dependencies point one way: ir → macros, schedule → dialects → lowering, frontends → search → passes → tools; lowering, runtime → targets → tools
//!
//! `lowering` and `search` never depend on `passes`; `lowering` may depend on `runtime` for the workers' protocol; `runtime/abi` knows nothing of IR;
//! system libraries are features of leaf crates; `ir` and `dialects` have no features. Tests may reach further: dev-dependencies are not held.

use super::{Problem, Tree};
use crate::workspace::Package;

/// What a crate of each top folder may depend on
const MAY: &[(&str, &[&str])] = &[
    ("ir", &["ir"]),
    ("macros", &["ir", "macros"]),
    ("schedule", &["ir", "schedule"]),
    ("dialects", &["ir", "macros", "schedule", "dialects"]),
    ("lowering", &["ir", "macros", "schedule", "dialects", "runtime", "lowering"]),
    ("frontends", &["ir", "macros", "schedule", "dialects", "frontends"]),
    ("search", &["ir", "macros", "schedule", "dialects", "lowering", "frontends", "search"]),
    ("passes", &["ir", "macros", "schedule", "dialects", "lowering", "frontends", "search", "passes"]),
    ("runtime", &["ir", "runtime"]),
    ("targets", &["ir", "macros", "schedule", "dialects", "lowering", "runtime", "targets"]),
    ("tools", ALL),
    ("benches", ALL),
    ("examples", ALL),
];

/// All folders but `benches`
const ALL: &[&str] = &[
    "ir",
    "macros",
    "schedule",
    "dialects",
    "passes",
    "lowering",
    "search",
    "frontends",
    "runtime",
    "targets",
    "tools",
];

/// Features that stand for a system library, and the packages that may have them
const VENDOR: &[&str] = &["llvm", "mlir", "isl"];
const LEAVES: &[&str] = &[
    "terrace-lowering-llvm",
    "terrace-lowering-mlir",
    "terrace-native",
    "terrace-upstream",
    "terrace-search",
];

/// Crates without any dependency in the workspace
const ALONE: &[&str] = &["terrace-runtime-abi", "xtask"];

/// The tools that stay free of vendor code, as all back ends do, and what holds it
const FREE: &[&str] = &["terrace", "terrace-opt", "terrace-run", "terrace-filetest"];
const HOLDS_VENDOR: &[&str] =
    &["terrace-lowering-llvm", "terrace-lowering-mlir", "terrace-native", "terrace-upstream"];

pub fn check(tree: &Tree) -> Vec<Problem> {
    tree.packages.iter().flat_map(|package| check_package(package, &tree.packages)).collect()
}

fn check_package(package: &Package, all: &[Package]) -> Vec<Problem> {
    let mut out = Vec::new();
    let mut wrong = |what: String| out.push(Problem::new(&package.folder, what));
    let top = top(package);
    let Some((_, may)) = MAY.iter().find(|(name, _)| *name == top) else {
        return vec![Problem::new(&package.folder, format!("no rule says what `{top}` may depend on"))];
    };
    for dependency in package.dependencies.iter().filter(|dependency| dependency.local && !dependency.dev) {
        let name = &dependency.name;
        let Some(to) = all.iter().find(|other| other.name == *name) else { continue };
        if ALONE.contains(&package.name.as_str()) {
            wrong(format!("depends on {name}, but stands alone"));
        } else if !may.contains(&self::top(to)) {
            wrong(format!("{top} must not depend on {} ({name})", self::top(to)));
        } else if (FREE.contains(&package.name.as_str()) || top == "targets")
            && HOLDS_VENDOR.contains(&name.as_str())
        {
            wrong(format!("must not link vendor code ({name}); start the worker that holds it instead"));
        }
    }
    let features = package.features.iter().filter(|feature| *feature != "default");
    for feature in features {
        if VENDOR.contains(&feature.as_str()) && !LEAVES.contains(&package.name.as_str()) {
            wrong(format!("feature {feature} belongs to a leaf crate"));
        } else if matches!(top, "ir" | "schedule" | "dialects") {
            wrong(format!("feature {feature}: crates of {top} have none"));
        }
    }
    out
}

fn top(package: &Package) -> &str {
    package.folder.split('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Dependency;

    fn package(name: &str, folder: &str, needs: &[&str], features: &[&str]) -> Package {
        let need =
            |name: &&str| Dependency { name: name.to_string(), dev: false, local: true, versioned: true };
        Package {
            name: name.into(),
            folder: folder.into(),
            features: features.iter().map(|f| f.to_string()).collect(),
            dependencies: needs.iter().map(need).collect(),
            published: false,
            described: true,
        }
    }

    fn problems(packages: &[Package]) -> usize {
        packages.iter().flat_map(|p| check_package(p, packages)).count()
    }

    #[test]
    fn the_way_down_is_allowed() {
        let ir = package("terrace-ir", "ir/core", &[], &[]);
        let dialect = package("terrace-dialect-x", "dialects/x", &["terrace-ir"], &[]);
        assert_eq!(problems(&[ir, dialect]), 0);
    }

    #[test]
    fn the_way_up_is_not() {
        let ir = package("terrace-ir", "ir/core", &["terrace-dialect-x"], &[]);
        let dialect = package("terrace-dialect-x", "dialects/x", &[], &[]);
        assert_eq!(problems(&[ir, dialect]), 1);
    }

    #[test]
    fn lowering_does_not_know_passes() {
        let pass = package("terrace-passes-y", "passes/y", &[], &[]);
        let edge = package("terrace-lowering-z", "lowering/z", &["terrace-passes-y"], &[]);
        assert_eq!(problems(&[pass.clone(), edge]), 1);
        let mut tested = package("terrace-lowering-z", "lowering/z", &["terrace-passes-y"], &[]);
        tested.dependencies[0].dev = true;
        assert_eq!(problems(&[pass, tested]), 0);
    }

    #[test]
    fn vendor_code_stays_in_leaves() {
        assert_eq!(problems(&[package("terrace-lowering-llvm", "lowering/llvm", &[], &["llvm"])]), 0);
        assert_eq!(problems(&[package("terrace-opt", "tools/opt", &[], &["llvm"])]), 1);
        assert_eq!(problems(&[package("terrace-ir", "ir/core", &[], &["fast"])]), 1);
        let native = package("terrace-native", "tools/native", &[], &[]);
        assert_eq!(problems(&[native, package("terrace-run", "tools/run", &["terrace-native"], &[])]), 1);
    }
}
