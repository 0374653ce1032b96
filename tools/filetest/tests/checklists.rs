//! Tables of `docs/checklists`: every item is there, and every test that a row names exists.

use std::path::Path;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Rows as (item, names of tests)
fn rows(text: &str) -> Vec<(String, String)> {
    let cells = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| Item"));
    cells
        .map(|line| {
            let mut parts = line.trim_matches('|').split('|').map(str::trim);
            let item = parts.next().unwrap_or("").to_string();
            (item, parts.next_back().unwrap_or("").to_string())
        })
        .collect()
}

/// What is wrong with a reference to a test; nothing if it is there
fn missing(reference: &str) -> Option<String> {
    let (file, function) = match reference.split_once("::") {
        Some((file, function)) => (file, Some(function)),
        None => (reference, None),
    };
    let Ok(text) = std::fs::read_to_string(root().join(file)) else {
        return Some(format!("`{file}` is not there"));
    };
    let Some(name) = function else {
        let named = file.starts_with("test-files/") && !text.contains("// test:");
        return named.then(|| format!("`{file}` tests nothing"));
    };
    // A test of its own, or one that a list of programs makes.
    let own = text.split_once(&format!("fn {name}(")).is_some_and(|(before, _)| {
        before
            .lines()
            .rev()
            .skip_while(|line| line.trim().is_empty())
            .take_while(|line| line.trim().starts_with('#'))
            .any(|line| line.trim() == "#[test]")
    });
    let listed =
        text.split("programs! {").nth(1).is_some_and(|list| list.split_whitespace().any(|word| word == name));
    (!own && !listed).then(|| format!("`{file}` has no test `{name}`"))
}

/// Tables of a file hold these items in this order, each with tests that are there, or with what it lacks
fn check(file: &str, wanted: impl Iterator<Item = String>) {
    let text =
        std::fs::read_to_string(root().join("docs/checklists").join(file)).expect("the table is there");
    let rows = rows(&text);
    let items: Vec<&str> = rows.iter().map(|(item, _)| item.as_str()).collect();
    assert_eq!(items, wanted.collect::<Vec<_>>(), "{file}");
    let mut wrong = Vec::new();
    for (item, tests) in &rows {
        let references: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        let lacks = ["**open**", "**hardware**"].iter().find_map(|mark| tests.strip_prefix(mark));
        match lacks {
            Some(why) if why.strip_prefix(": ").is_none_or(str::is_empty) => {
                wrong.push(format!("{item} does not say what is missing"));
            }
            None if references.is_empty() => wrong.push(format!("{item} has no test")),
            _ => {}
        }
        wrong.extend(references.iter().filter_map(|one| missing(one)).map(|why| format!("{item}: {why}")));
    }
    assert!(wrong.is_empty(), "{file}:\n{}", wrong.join("\n"));
}

fn items(letter: char, numbers: std::ops::RangeInclusive<u32>) -> impl Iterator<Item = String> {
    numbers.map(move |n| format!("{letter}{n}"))
}

#[test]
fn the_mapping_table_is_complete_and_true() {
    check("parallel-mapping.md", items('A', 1..=40).chain(items('F', 1..=4)).chain(items('F', 22..=22)));
}

#[test]
fn the_schedules_table_is_complete_and_true() {
    check("mdh-schedules.md", items('B', 1..=41).chain(items('F', 16..=20)));
}

#[test]
fn the_convolution_table_is_complete_and_true() {
    check("direct-convolution.md", items('C', 1..=42).chain(items('F', 5..=10)));
}

#[test]
fn the_reductions_table_is_complete_and_true() {
    check("reductions.md", items('E', 1..=46));
}

#[test]
fn the_table_of_schedules_that_are_found_is_complete_and_true() {
    check("flextensor.md", items('D', 1..=33).chain(items('F', 11..=13)));
}

#[test]
fn the_table_of_what_first_users_hit_is_complete_and_true() {
    check("first-users.md", (1..=25).map(|n| n.to_string()));
}
