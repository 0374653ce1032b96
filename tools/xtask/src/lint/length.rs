//! No source file over 800 lines; tests, at the bottom or in a folder of their own, do not count

use super::{Problem, Tree};

const LIMIT: usize = 800;

pub fn check(tree: &Tree) -> Vec<Problem> {
    let sources = tree.files.iter().filter(|file| file.is_rust() && !file.is_test());
    let long = sources.filter(|file| file.lines_before_tests() > LIMIT);
    long.filter(|file| !tree.exceptions.allow("length", &file.path))
        .map(|file| {
            Problem::new(&file.path, format!("{} lines, more than {LIMIT}", file.lines_before_tests()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::tree_of;

    #[test]
    fn counts_source_and_not_tests() {
        let long = "\n".repeat(LIMIT + 1);
        assert_eq!(check(&tree_of("ir/a.rs", &long)).len(), 1);
        assert!(check(&tree_of("ir/tests/a.rs", &long)).is_empty());
        assert!(check(&tree_of("ir/a.rs", &format!("#[cfg(test)]\nmod tests {{\n{long}}}"))).is_empty());
    }
}
