//! No special case for one program: the framework's code does not know the word
//!
//! Every program takes the same path down, so nothing but docs and comments may name this one.

use super::{Problem, Tree};
use crate::source::{Blank, blank};

const WORD: &str = concat!("mat", "mul");
const FOLDERS: &[&str] = &["ir/", "dialects/", "passes/", "lowering/"];

pub fn check(tree: &Tree) -> Vec<Problem> {
    let inside = |path: &str| FOLDERS.iter().any(|folder| path.starts_with(folder));
    let mut out = Vec::new();
    for file in tree.files.iter().filter(|file| inside(&file.path) && !file.path.ends_with(".md")) {
        if file.path.to_lowercase().contains(WORD) {
            out.push(Problem::new(&file.path, "one program has no file of its own here"));
        }
        if tree.exceptions.allow("matrix-product", &file.path) {
            continue;
        }
        let code = if file.is_rust() { blank(&file.text, Blank::Comments) } else { file.text.clone() };
        let found = code.lines().enumerate().find(|(_, line)| line.to_lowercase().contains(WORD));
        out.extend(found.map(|(number, _)| Problem::at(file, number, format!("`{WORD}` outside of docs"))));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::tree_of;

    #[test]
    fn only_comments_name_it() {
        assert!(check(&tree_of("passes/a.rs", &format!("/// Tiles a {WORD}\nfn f() {{}}"))).is_empty());
        assert_eq!(check(&tree_of("passes/a.rs", &format!("fn f() {{ g(\"{WORD}\") }}"))).len(), 1);
        assert!(check(&tree_of("tools/run/src/main.rs", WORD)).is_empty());
    }
}
