//! No file names a path of a particular machine
//!
//! Installed places (`/usr/lib`, `/etc`) and device folders are everyone's.

use super::{Problem, Tree};

const PLACES: &[&str] =
    &[concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/")];

pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut out = Vec::new();
    for file in tree.files.iter().filter(|file| !tree.exceptions.allow("paths", &file.path)) {
        for (number, line) in file.text.lines().enumerate() {
            let named = PLACES.iter().find(|place| starts_path(line, place));
            out.extend(
                named.map(|place| Problem::at(file, number, format!("a path of some machine: `{place}…`"))),
            );
        }
    }
    out
}

/// The place begins a path, rather than going on with one
fn starts_path(line: &str, place: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '}' | ')');
    line.match_indices(place).any(|(at, _)| !line[..at].ends_with(goes_on))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::tree_of;

    #[test]
    fn a_place_of_a_machine_is_named() {
        assert_eq!(check(&tree_of("docs/a.md", &format!("see `{}x`", PLACES[0]))).len(), 1);
        assert!(check(&tree_of("docs/a.md", &format!("https://example.org{}x", PLACES[1]))).is_empty());
        assert!(check(&tree_of("docs/a.md", "/usr/lib/llvm-22")).is_empty());
    }
}
