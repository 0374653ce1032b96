//! Open ends name their issue, and code has no holes
//!
//! The words are put together here, so that this file passes its own check.

use super::{Problem, Tree};
use crate::source::{Blank, Source, blank};

/// The one word for an open end
pub const WORD: &str = concat!("TO", "DO");
const FORBIDDEN: &[&str] = &[concat!("FIX", "ME"), concat!("XX", "X:"), concat!("HA", "CK:")];
const HOLES: &[&str] = &[concat!("to", "do!"), concat!("unimple", "mented!")];

pub fn check(tree: &Tree) -> Vec<Problem> {
    tree.files.iter().filter(|file| file.is_rust()).flat_map(check_file).collect()
}

fn check_file(file: &Source) -> Vec<Problem> {
    let mut out = Vec::new();
    let code = blank(&file.text, Blank::CommentsAndStrings);
    let comments = blank(&file.text, Blank::Code);
    for (number, (code, comment)) in code.lines().zip(comments.lines()).enumerate() {
        let hole = HOLES.iter().find(|hole| code.contains(**hole));
        out.extend(hole.map(|hole| Problem::at(file, number, format!("`{hole}` leaves a hole"))));
        let word = FORBIDDEN.iter().find(|word| comment.contains(**word));
        out.extend(word.map(|word| Problem::at(file, number, format!("`{word}`: write {WORD}(#issue)"))));
        let bare = comment.match_indices(WORD).any(|(at, _)| !names_issue(&comment[at + WORD.len()..]));
        out.extend(bare.then(|| Problem::at(file, number, format!("write {WORD}(#issue): and a sentence"))));
    }
    out
}

/// `(#12): `
fn names_issue(rest: &str) -> bool {
    let number = rest.strip_prefix("(#").and_then(|rest| rest.split_once("):"));
    number.is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::tree_of;

    fn count(text: &str) -> usize {
        check(&tree_of("ir/a.rs", text)).len()
    }

    #[test]
    fn an_open_end_names_its_issue() {
        assert_eq!(count(&format!("// {WORD}(#12): more operators")), 0);
        assert_eq!(count(&format!("// {WORD}: more operators")), 1);
        assert_eq!(count(&format!("// {WORD}(me): more operators")), 1);
    }

    #[test]
    fn holes_are_found_in_code_alone() {
        assert_eq!(count(&format!("fn f() {{ {}() }}", HOLES[0])), 1);
        assert_eq!(count(&format!("let s = \"{}\"; // {}", HOLES[0], HOLES[1])), 0);
        assert_eq!(count(&format!("// {} later", FORBIDDEN[0])), 1);
    }
}
