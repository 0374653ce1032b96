//! Counts the ops in MLIR text without knowing any of them.
//!
//! One op per line, as both printers write: a line counts unless it is empty, closes a region, opens a block, is
//! a comment, an alias or a resource. Terminators that the pretty form leaves out are not counted, so only
//! counts of texts in the same form compare. Reads in pieces, since the harness must stay small.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Ops in the file at `path`, and its length
pub fn ops_in_file(path: &Path) -> io::Result<(u64, u64)> {
    ops_in(BufReader::new(File::open(path)?))
}

fn ops_in(mut reader: impl BufRead) -> io::Result<(u64, u64)> {
    let (mut ops, mut bytes, mut undecided) = (0, 0, true);
    loop {
        let piece = reader.fill_buf()?;
        if piece.is_empty() {
            return Ok((ops, bytes));
        }
        for &byte in piece {
            if byte == b'\n' {
                undecided = true;
            } else if undecided && !matches!(byte, b' ' | b'\t' | b'\r') {
                undecided = false;
                ops += u64::from(!matches!(byte, b'}' | b'^' | b'/' | b'#' | b'!' | b'{'));
            }
        }
        let length = piece.len();
        bytes += length as u64;
        reader.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_an_output_are_counted() {
        let pretty = "#a = loc(unknown)\nmodule {\n  func.func @f() {\n    %c = arith.constant 1 : i32\n    cf.br ^bb1\n  ^bb1:  // pred: ^bb0\n    return\n  }\n}\n\n";
        assert_eq!(ops_in(pretty.as_bytes()).expect("memory reads"), (5, pretty.len() as u64));
        let generic = "\"builtin.module\"() ({\n^bb0:\n  \"a.b\"() : () -> ()\n}) : () -> ()\n";
        assert_eq!(ops_in(generic.as_bytes()).expect("memory reads").0, 2);
    }

    #[test]
    fn a_line_split_between_reads_counts_once() {
        let text = "module {\n    func.func @f()\n}\n";
        let reader = BufReader::with_capacity(3, text.as_bytes());
        assert_eq!(ops_in(reader).expect("memory reads").0, 2);
    }
}
