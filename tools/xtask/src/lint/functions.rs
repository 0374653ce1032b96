//! No function over 80 lines, flat tables excepted; the list of exceptions only gets shorter
//!
//! An exception names the function, `PATH::NAME`. One that is not needed any more is a problem too.

use super::{Problem, Tree};
use crate::measure::functions::{LIMIT, long};

const NAME: &str = "functions";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut out = Vec::new();
    let mut needed = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_rust() && !file.is_test()) {
        for function in long(file) {
            let place = format!("{}::{}", file.path, function.name);
            if !tree.exceptions.allow(NAME, &place) {
                let what = format!("`{}` has {} lines, more than {LIMIT}", function.name, function.lines);
                out.push(Problem::at(file, function.line, what));
            }
            needed.push(place);
        }
    }
    let stale = tree.exceptions.paths(NAME).filter(|path| !needed.iter().any(|place| place == path));
    out.extend(stale.map(|path| Problem::new(path, "is short now: delete its line in lint-exceptions.txt")));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::exceptions::Exceptions;
    use crate::lint::tree_of;
    use crate::source::Source;

    fn function(lines: usize) -> String {
        format!("fn f() {{\n{}}}\n", "    step();\n".repeat(lines))
    }

    #[test]
    fn long_functions_are_problems() {
        assert_eq!(check(&tree_of("ir/a.rs", &function(LIMIT))).len(), 1);
        assert!(check(&tree_of("ir/a.rs", &function(LIMIT - 2))).is_empty());
        assert!(check(&tree_of("ir/tests/a.rs", &function(LIMIT))).is_empty());
    }

    #[test]
    fn an_exception_holds_as_long_as_it_is_needed() {
        let list = |path: &str| Source {
            path: "tools/xtask/lint-exceptions.txt".into(),
            text: format!("functions {path}::f: not split yet\n"),
        };
        let with = |lines: usize| {
            let mut tree = tree_of("ir/a.rs", &function(lines));
            tree.files.push(list("ir/a.rs"));
            tree.exceptions = Exceptions::of(&tree.files).expect("well formed");
            check(&tree).len()
        };
        assert_eq!((with(LIMIT), with(1)), (0, 1));
    }
}
