//! No modules of a crate that use each other in a circle; the list of exceptions only gets shorter
//!
//! An exception names the crate and the modules, `ir/x/::{a, b}`. One that is not needed any more is a problem too.

use super::{Problem, Tree};
use crate::measure::circles;
use crate::source::Source;

const NAME: &str = "circles";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let files: Vec<&Source> = tree.files.iter().filter(|file| file.is_rust() && !file.is_test()).collect();
    let found: Vec<String> =
        circles::of(&files).iter().map(|circle| circle.replacen(": ", "/::", 1)).collect();
    let new = found.iter().filter(|circle| !tree.exceptions.allow(NAME, circle));
    let mut out: Vec<Problem> = new
        .map(|circle| Problem::new(circle, "use each other in a circle: move what both need below them"))
        .collect();
    let stale = tree.exceptions.paths(NAME).filter(|path| !found.iter().any(|circle| circle == path));
    out.extend(
        stale.map(|path| Problem::new(path, "is no circle now: delete its line in lint-exceptions.txt")),
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::exceptions::Exceptions;
    use crate::lint::tree_of;

    fn problems(a: &str, exceptions: &str) -> usize {
        let mut tree = tree_of("ir/x/src/a.rs", a);
        let mut add =
            |path: &str, text: &str| tree.files.push(Source { path: path.into(), text: text.into() });
        add("ir/x/src/b.rs", "use crate::a::f;\n");
        add("tools/xtask/lint-exceptions.txt", exceptions);
        tree.exceptions = Exceptions::of(&tree.files).expect("well formed");
        check(&tree).len()
    }

    #[test]
    fn a_circle_is_a_problem_unless_it_is_listed() {
        assert_eq!(problems("use crate::b::g;\n", ""), 1);
        assert_eq!(problems("use crate::b::g;\n", "circles ir/x/::{a, b}: not divided yet\n"), 0);
        // Another one than the listed one: it is a problem, and the line is.
        assert_eq!(problems("use crate::b::g;\n", "circles ir/x/::{a, b, c}: not divided yet\n"), 2);
    }

    #[test]
    fn an_exception_holds_as_long_as_it_is_needed() {
        assert_eq!(problems("fn g() {}\n", ""), 0);
        assert_eq!(problems("fn g() {}\n", "circles ir/x/::{a, b}: not divided yet\n"), 1);
    }
}
