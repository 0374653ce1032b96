//! Modules of a crate that use each other in a circle
//!
//! Siblings are compared: modules of one parent, each with all files below it. A module uses another one where a file names a
//! path into it (`crate::b::f`, `super::b`), or a name that their parent takes from it (`use b::f` in the parent, `super::f`
//! below `a`). A child that uses its parent's own items, and a parent its children, make no circle: that is how Rust divides
//! one module.

use crate::source::{Blank, Source, blank};
use std::collections::{BTreeMap, BTreeSet};

/// A module's path below its crate: `["a", "b"]`; empty for the crate's root
type Path = Vec<String>;

/// Groups of two or more siblings that reach each other, as `crate: a, b`
pub fn of(files: &[&Source]) -> Vec<String> {
    let mut crates: BTreeMap<&str, Vec<(Path, String)>> = BTreeMap::new();
    for file in files {
        let Some((folder, inner)) = file.path.split_once("/src/") else { continue };
        let code = blank(&file.text, Blank::CommentsAndStrings);
        let code: Vec<&str> = code.lines().take(file.lines_before_tests()).collect();
        crates.entry(folder).or_default().push((module(inner), code.join("\n")));
    }
    crates.into_iter().flat_map(|(name, modules)| of_crate(name, &modules)).collect()
}

fn module(inner: &str) -> Path {
    let stem = inner.strip_suffix(".rs").unwrap_or(inner);
    let mut path: Path = stem.split('/').map(str::to_owned).collect();
    if matches!(path.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        path.pop();
    }
    path
}

fn of_crate(name: &str, modules: &[(Path, String)]) -> Vec<String> {
    let known: BTreeSet<&Path> = modules.iter().map(|(path, _)| path).collect();
    // What names of a module stand for: where it imports them from.
    let mut names: BTreeMap<(&Path, String), Path> = BTreeMap::new();
    let uses: Vec<(&Path, Vec<Path>)> =
        modules.iter().map(|(path, code)| (path, paths(path, code, &known))).collect();
    for (path, used) in &uses {
        for target in used {
            if let Some(last) = target.last() {
                names.entry((path, last.clone())).or_insert_with(|| target.clone());
            }
        }
    }
    let mut edges: BTreeMap<Path, BTreeSet<(String, String)>> = BTreeMap::new();
    for (from, used) in &uses {
        for target in used {
            let target = resolved(target, &known, &names);
            let common = from.iter().zip(&target).take_while(|(a, b)| a == b).count();
            if let (Some(a), Some(b)) = (from.get(common), target.get(common)) {
                let parent = from[..common].to_vec();
                edges.entry(parent).or_default().insert((a.clone(), b.clone()));
            }
        }
    }
    let mut found = Vec::new();
    for (parent, edges) in &edges {
        for group in circles(edges) {
            let below = if parent.is_empty() { String::new() } else { format!("{}::", parent.join("::")) };
            found.push(format!("{name}: {below}{{{}}}", group.join(", ")));
        }
    }
    found
}

/// The module that a path ends in, through names that modules import
fn resolved(target: &Path, known: &BTreeSet<&Path>, names: &BTreeMap<(&Path, String), Path>) -> Path {
    let mut target = target.clone();
    for _ in 0..4 {
        let depth = (0..=target.len()).rev().find(|n| known.contains(&target[..*n].to_vec())).unwrap_or(0);
        let module = target[..depth].to_vec();
        let Some(next) = target.get(depth) else { return module };
        match names.get(&(&module, next.clone())) {
            Some(further) if *further != target => target = further.clone(),
            _ => return module,
        }
    }
    target
}

/// All paths that a module's code names, from the crate's root
fn paths(module: &Path, code: &str, known: &BTreeSet<&Path>) -> Vec<Path> {
    let mut found = Vec::new();
    for statement in code.split("use ").skip(1) {
        let tree = statement.split(';').next().unwrap_or_default();
        flatten("", tree, &mut found);
    }
    for word in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(word) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let end = code[at..].find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
            found.push(code[at..end.map_or(code.len(), |end| at + end)].to_owned());
        }
    }
    found.iter().filter_map(|path| absolute(module, path, known)).collect()
}

/// `a::{b, c::d as e}` as `a::b`, `a::c::d`
fn flatten(head: &str, tree: &str, found: &mut Vec<String>) {
    let tree = tree.trim();
    match tree.split_once('{') {
        Some((start, inner)) if !start.contains(',') => {
            let head = format!("{head}{}", start.trim());
            let inner = inner.trim_end().strip_suffix('}').unwrap_or(inner);
            let (mut depth, mut from) = (0, 0);
            for (at, c) in inner.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        flatten(&head, &inner[from..at], found);
                        from = at + 1;
                    }
                    _ => {}
                }
            }
            flatten(&head, &inner[from..], found);
        }
        _ => {
            let path = tree.split(" as ").next().unwrap_or_default().trim();
            if !path.is_empty() {
                found.push(format!("{head}{path}"));
            }
        }
    }
}

fn absolute(module: &Path, path: &str, known: &BTreeSet<&Path>) -> Option<Path> {
    let mut parts: Vec<&str> = path.split("::").filter(|part| !part.is_empty()).collect();
    parts.retain(|part| *part != "*" && !(*part == "self" && path != "self" && !path.starts_with("self")));
    let mut base = module.clone();
    match *parts.first()? {
        "crate" => {
            base.clear();
            parts.remove(0);
        }
        "self" => {
            parts.remove(0);
        }
        "super" => {
            while parts.first() == Some(&"super") {
                base.pop();
                parts.remove(0);
            }
        }
        // A path without such a word is below this module if it has a child of the name.
        first => {
            let mut child = module.clone();
            child.push(first.to_owned());
            if !known.contains(&child) {
                return None;
            }
        }
    }
    base.extend(parts.into_iter().map(str::to_owned));
    Some(base)
}

/// Groups of nodes that reach each other
fn circles(edges: &BTreeSet<(String, String)>) -> Vec<Vec<String>> {
    let nodes: BTreeSet<&String> = edges.iter().flat_map(|(a, b)| [a, b]).collect();
    let reach = |from: &String| {
        let mut seen: BTreeSet<&String> = BTreeSet::new();
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            for (_, next) in edges.iter().filter(|(a, _)| a == node) {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        nodes.iter().map(|node| (*node, reach(node))).collect();
    let mut groups: Vec<Vec<String>> = Vec::new();
    for node in &nodes {
        let group: Vec<String> = nodes
            .iter()
            .filter(|other| reached[*node].contains(**other) && reached[**other].contains(*node))
            .map(|n| (*n).clone())
            .collect();
        if group.len() > 1 && !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<Source> = files
            .iter()
            .map(|(path, text)| Source { path: format!("ir/x/src/{path}"), text: (*text).into() })
            .collect();
        of(&files.iter().collect::<Vec<_>>())
    }

    #[test]
    fn two_modules_that_use_each_other_are_a_circle() {
        let (a, b) = (("a.rs", "use crate::b::f;"), ("b.rs", "fn f() { super::a::g() }"));
        assert_eq!(found(&[("lib.rs", "mod a;\nmod b;"), a, b]), ["ir/x: {a, b}"]);
        assert!(found(&[("lib.rs", "mod a;\nmod b;"), a, ("b.rs", "")]).is_empty());
    }

    #[test]
    fn a_name_that_the_root_exports_is_its_modules() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\npub use b::{F, G as H};\n"),
            ("a.rs", "use crate::F;"),
            ("b.rs", "use crate::a::Z;"),
        ];
        assert_eq!(found(&files), ["ir/x: {a, b}"]);
    }

    #[test]
    fn a_child_and_its_parent_are_none() {
        assert!(found(&[("a/mod.rs", "mod b;\nuse b::f;"), ("a/b.rs", "use super::g;")]).is_empty());
    }

    #[test]
    fn longer_circles_are_found() {
        let files =
            [("a.rs", "use crate::b::x;"), ("b.rs", "use crate::c::x;"), ("c.rs", "use crate::a::x;")];
        assert_eq!(found(&files), ["ir/x: {a, b, c}"]);
    }
}
