//! Splitting one file into cases, as `mlir-opt --split-input-file` does.
//!
//! The separator is a line that holds `// -----` and nothing else (blanks around it allowed); it belongs to no case.
//! Unlike MLIR's, text after it on the line makes it an ordinary comment: headers of IR dumps begin with the same
//! characters. A file without a separator is one case.

use std::ops::Range;

const MARKER: &str = "// -----";

/// Byte ranges of the cases of `text`, in order, never none
///
/// With [`Sources::add_chunk`](crate::Sources::add_chunk) messages about a case keep the file's line numbers.
pub fn split_input(text: &str) -> Vec<Range<usize>> {
    split_input_at(text, MARKER)
}

/// As [`split_input`], at lines that hold another marker
pub fn split_input_at(text: &str, marker: &str) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        if line.trim() == marker.trim() {
            chunks.push(start..at);
            start = next;
        }
        at = next;
    }
    chunks.push(start..text.len());
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        split_input(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn separator_belongs_to_no_case() {
        assert_eq!(split("a\n// -----\nb\n  // -----  \r\nc"), ["a\n", "b\n", "c"]);
    }

    #[test]
    fn separators_at_the_ends_give_empty_cases() {
        assert_eq!(split("// -----\na\n// -----"), ["", "a\n", ""]);
        assert_eq!(split(""), [""]);
    }

    #[test]
    fn longer_comments_are_no_separator() {
        assert_eq!(split("// -----// IR Dump\nx // -----\n// ------\n").len(), 1);
    }
}
