//! Splitting one file into cases, as `mlir-opt --split-input-file` does.
//!
//! The separator is a line that is exactly `// -----` (blanks after it allowed); it belongs to no case. A file with
//! none is one case.

use std::ops::Range;

/// The separator
pub const MARKER: &str = "// -----";

/// Byte ranges of the cases of `text`, in order, never none
///
/// With [`Sources::add_chunk`](crate::Sources::add_chunk) messages about a case keep the file's line numbers.
pub fn split_input(text: &str) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        if line.trim_end() == MARKER {
            chunks.push(start..at);
            start = next;
        }
        at = next;
    }
    chunks.push(start..text.len());
    chunks
}
