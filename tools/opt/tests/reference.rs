//! The checked-in reference is what the tables say. With `TERRACE_BLESS` it is written anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use terrace_opt::{Tool, reference};

const TOOL: Tool = Tool::OPT;

fn blessing() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "false");
    set("TERRACE_BLESS") && !set("CI")
}

#[test]
fn is_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    let wanted: BTreeMap<String, String> =
        reference::pages(TOOL).into_iter().map(|page| (page.file, page.text)).collect();
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(&folder).into_iter().flatten() {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        if blessing() && !wanted.contains_key(&name) {
            fs::remove_file(&path).expect("the folder can be written");
            continue;
        }
        found.insert(name, fs::read_to_string(&path).expect("pages are text"));
    }
    if blessing() {
        fs::create_dir_all(&folder).expect("the folder can be made");
        for (name, text) in &wanted {
            fs::write(folder.join(name), text).expect("the folder can be written");
        }
        return;
    }
    let names = |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&wanted), "run `cargo xtask docs`");
    for (name, text) in &wanted {
        let old = &found[name];
        let line = old.lines().zip(text.lines()).position(|(old, new)| old != new);
        assert!(old == text, "docs/reference/{name} is stale (line {line:?}): run `cargo xtask docs`");
    }
}

#[test]
fn links_lead_somewhere() {
    let pages = reference::pages(TOOL);
    for page in &pages {
        for target in page.text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, place) = target.split_once('#').unwrap_or((target, ""));
            let to = if file.is_empty() { Some(page) } else { pages.iter().find(|page| page.file == file) };
            let Some(to) = to else { panic!("{}: no page `{file}`", page.file) };
            let there =
                to.text.lines().filter_map(|line| line.strip_prefix("## ").or(line.strip_prefix("### ")));
            let slug = |title: &str| {
                let kept = title.to_lowercase().replace(' ', "-");
                kept.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect::<String>()
            };
            let mut there = there;
            assert!(place.is_empty() || there.any(|title| slug(title) == place), "{}: {target}", page.file);
        }
    }
}
