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
    // A function of its own, or one that a list of programs makes.
    let own = text.contains(&format!("fn {name}("));
    let listed =
        text.split("programs! {").nth(1).is_some_and(|list| list.split_whitespace().any(|word| word == name));
    (!own && !listed).then(|| format!("`{file}` has no test `{name}`"))
}

#[test]
fn the_schedules_table_is_complete_and_true() {
    let text =
        std::fs::read_to_string(root().join("docs/checklists/mdh-schedules.md")).expect("the table is there");
    let rows = rows(&text);
    let wanted: Vec<String> =
        (1..=41).map(|n| format!("B{n}")).chain((16..=20).map(|n| format!("F{n}"))).collect();
    let items: Vec<String> = rows.iter().map(|(item, _)| item.clone()).collect();
    assert_eq!(items, wanted);
    let mut wrong = Vec::new();
    let mut open = Vec::new();
    for (item, tests) in &rows {
        let references: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        if tests.starts_with("**open**") {
            open.push(item.as_str());
        } else if references.is_empty() {
            wrong.push(format!("{item} has no test"));
        }
        wrong.extend(references.iter().filter_map(|one| missing(one)).map(|why| format!("{item}: {why}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(open, ["B34"], "an item that is no longer open, or is again");
}
