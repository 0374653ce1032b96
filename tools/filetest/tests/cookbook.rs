//! What the cookbook shows is in the crate that is tested.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut String) {
    for entry in fs::read_dir(folder).expect("the example is there").flatten() {
        match entry.path() {
            path if path.is_dir() => sources(&path, found),
            path => found.push_str(&fs::read_to_string(path).expect("sources are text")),
        }
    }
}

/// One blank for any white space
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn blocks_of_the_cookbook_are_sources_of_the_example() {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = String::new();
    sources(&root.join("examples/outsider/src"), &mut all);
    sources(&root.join("examples/outsider/tests"), &mut all);
    let all = plain(&all);
    let page = fs::read_to_string(root.join("docs/cookbook.md")).expect("the page is there");
    let blocks: Vec<&str> = page
        .split("```rust\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```"))
        .map(|(block, _)| block)
        .collect();
    assert!(blocks.len() >= 12, "{} blocks", blocks.len());
    let missing: Vec<&&str> = blocks.iter().filter(|block| !all.contains(&plain(block))).collect();
    assert!(missing.is_empty(), "not in examples/outsider: {missing:#?}");
    let recipes =
        fs::read_dir(root.join("examples/outsider/src/cookbook")).expect("the example is there").count();
    assert!(page.matches("\n## ").count() >= recipes - 1, "a recipe is not told in docs/cookbook.md");
}
