//! The pages under `docs/how-to/` show what is in the tree, and how many files it takes
//!
//! A page has one diff, of something that is in the tree already, so that the tests of the tree are its tests. Held here: what
//! each hunk leaves stands in its file as it is shown, a new file is shown whole, and no more files are touched than the table
//! allows. Line numbers are not compared: edits elsewhere in a file do no harm.

use super::{Problem, Tree};
use crate::source::Source;

/// Pages, and the most files that their diffs may touch
const PAGES: &[(&str, usize)] =
    &[("add-a-back-end", 4), ("add-a-device", 1), ("add-a-pass", 4), ("add-a-rule", 3), ("add-an-op", 4)];

pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut out = Vec::new();
    for (name, most) in PAGES {
        let path = format!("docs/how-to/{name}.md");
        match tree.files.iter().find(|file| file.path == path) {
            Some(page) => out.extend(of(page, *most, &tree.files)),
            None => out.push(Problem::new(path, "the page is missing")),
        }
    }
    out
}

/// Pages and the files that they touch, for `cargo xtask score`
pub fn touched(files: &[Source]) -> Vec<(&'static str, usize, usize)> {
    let page = |name: &str| files.iter().find(|file| file.path == format!("docs/how-to/{name}.md"));
    PAGES.iter().filter_map(|(name, most)| Some((*name, changes(&page(name)?.text).len(), *most))).collect()
}

fn of(page: &Source, most: usize, files: &[Source]) -> Vec<Problem> {
    let changes = changes(&page.text);
    let mut out = Vec::new();
    if changes.is_empty() {
        out.push(Problem::new(&page.path, "shows no diff"));
    }
    if changes.len() > most {
        out.push(Problem::new(&page.path, format!("touches {} files, more than {most}", changes.len())));
    }
    for change in changes {
        let Some(file) = files.iter().find(|file| file.path == change.path) else {
            out.push(Problem::new(&page.path, format!("{} is not in the tree", change.path)));
            continue;
        };
        let lines: Vec<&str> = file.text.lines().collect();
        let stands = |hunk: &Vec<&str>| match change.new {
            true => *hunk == lines,
            false => lines.windows(hunk.len().max(1)).any(|window| window == hunk.as_slice()),
        };
        if let Some(n) = change.hunks.iter().position(|hunk| !stands(hunk)) {
            let what =
                format!("hunk {} of {} is not what the file has: show what it has now", n + 1, change.path);
            out.push(Problem::new(&page.path, what));
        }
    }
    out
}

/// What a diff does to a file
struct Change<'a> {
    path: &'a str,
    new: bool,
    /// The lines that each hunk leaves
    hunks: Vec<Vec<&'a str>>,
}

/// The changes of all blocks that are fenced as `diff`
fn changes(page: &str) -> Vec<Change<'_>> {
    let mut found: Vec<Change<'_>> = Vec::new();
    let (mut inside, mut new) = (false, false);
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```diff";
            continue;
        }
        if !inside || line.starts_with("diff ") || line.starts_with("index ") || line.starts_with("new file")
        {
            continue;
        }
        if let Some(path) = line.strip_prefix("--- ") {
            new = path == "/dev/null";
        } else if let Some(path) = line.strip_prefix("+++ b/") {
            found.push(Change { path, new, hunks: Vec::new() });
        } else if let Some(change) = found.last_mut() {
            if line.starts_with("@@") {
                change.hunks.push(Vec::new());
            } else if let Some(hunk) = change.hunks.last_mut() {
                // An editor may have taken the blank of an empty line of context.
                let kept =
                    line.strip_prefix('+').or(line.strip_prefix(' ')).or(line.is_empty().then_some(""));
                hunk.extend(kept);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Page\n```diff\n--- /dev/null\n+++ b/ir/new.rs\n@@ -0,0 +1,2 @@\n+a\n+b\n--- a/ir/old.rs\n+++ b/ir/old.rs\n@@ -3 +3 @@\n x\n-y\n+z\n```\n";

    fn problems(page: &str, new: &str, old: &str, most: usize) -> usize {
        let file = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let files = [file("ir/new.rs", new), file("ir/old.rs", old)];
        of(&file("docs/how-to/page.md", page), most, &files).len()
    }

    #[test]
    fn what_hunks_leave_is_in_the_tree() {
        assert_eq!(problems(PAGE, "a\nb\n", "w\nx\nz\n", 2), 0);
        assert_eq!(problems(PAGE, "a\nb\nc\n", "w\nx\nz\n", 2), 1);
        assert_eq!(problems(PAGE, "a\nb\n", "w\nx\ny\n", 2), 1);
    }

    #[test]
    fn files_are_counted() {
        assert_eq!(problems(PAGE, "a\nb\n", "x\nz\n", 1), 1);
        assert_eq!(problems("# Page\n", "", "", 1), 1);
    }
}
