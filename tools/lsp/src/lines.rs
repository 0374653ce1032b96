//! Lines and columns as editors count them.
//!
//! Columns are UTF-16 code units, or bytes where client and server agreed on that. Offsets are bytes of the text. A position
//! outside of the text stands for the nearest one inside.

use lsp_types::{Position, Range};

/// What columns count
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Bytes
    Utf8,
    /// Code units of UTF-16, which every client knows
    Utf16,
}

/// Long lines have a mark every so many bytes.
const STEP: usize = 4096;

/// Where the lines of a text begin
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Lines {
    starts: Vec<u32>,
    /// Columns are bytes
    ascii: bool,
    /// In long lines: an offset, and its column in UTF-16
    marks: Vec<(u32, u32)>,
}

impl Lines {
    /// Find the lines
    pub fn new(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let mut from = 0;
        while let Some(n) = bytes[from..].iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            from += n + 1;
            if bytes[from - 1] == b'\n' || bytes.get(from) != Some(&b'\n') {
                starts.push(from as u32);
            }
        }
        Lines::of(starts, text)
    }

    /// The lines of a text that begin at these offsets
    pub fn of(starts: Vec<u32>, text: &str) -> Lines {
        let mut lines = Lines { starts, ascii: text.is_ascii(), marks: Vec::new() };
        if !lines.ascii {
            lines.mark(text);
        }
        lines
    }

    /// Where the lines begin
    pub fn into_starts(self) -> Vec<u32> {
        self.starts
    }

    fn mark(&mut self, text: &str) {
        for n in 0..self.starts.len() {
            let (start, end) = (self.starts[n] as usize, self.end(text, n));
            let (mut at, mut column) = (start, 0);
            while end - at > STEP {
                let next = text.floor_char_boundary(at + STEP);
                column += units(&text[at..next]);
                at = next;
                self.marks.push((at as u32, column));
            }
        }
    }

    /// Where a line ends, without what ends it
    fn end(&self, text: &str, line: usize) -> usize {
        let next = self.starts.get(line + 1).map_or(text.len(), |next| *next as usize);
        let line = &text[self.starts[line] as usize..next];
        next - (line.len() - line.trim_end_matches(['\n', '\r']).len())
    }

    /// The position of an offset
    pub fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let offset = text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start as usize <= offset).saturating_sub(1);
        let start = self.starts[line] as usize;
        let column = if self.ascii || encoding == Encoding::Utf8 {
            (offset - start) as u32
        } else {
            let mark = self.marks.partition_point(|(at, _)| *at as usize <= offset);
            let (from, column) = match mark.checked_sub(1).map(|mark| self.marks[mark]) {
                Some((at, column)) if at as usize >= start => (at as usize, column),
                _ => (start, 0),
            };
            column + units(&text[from..offset])
        };
        Position { line: line as u32, character: column }
    }

    /// The range of two offsets
    pub fn range(&self, text: &str, start: usize, end: usize, encoding: Encoding) -> Range {
        Range {
            start: self.position(text, start, encoding),
            end: self.position(text, end.max(start), encoding),
        }
    }

    /// The offset of a position
    pub fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else { return text.len() };
        let (start, end) = (start as usize, self.end(text, line));
        let wanted = position.character;
        if self.ascii || encoding == Encoding::Utf8 {
            return text.floor_char_boundary((start + wanted as usize).min(end));
        }
        let first = self.marks.partition_point(|(at, _)| (*at as usize) < start);
        let last = self.marks.partition_point(|(at, _)| *at as usize <= end);
        let mark = self.marks[first..last].partition_point(|(_, column)| *column <= wanted);
        let (mut at, mut column) = match mark.checked_sub(1) {
            Some(mark) => (self.marks[first + mark].0 as usize, self.marks[first + mark].1),
            None => (start, 0),
        };
        for c in text[at..end].chars() {
            column += c.len_utf16() as u32;
            if column > wanted {
                break;
            }
            at += c.len_utf8();
        }
        at
    }
}

/// Code units of UTF-16
pub fn units(text: &str) -> u32 {
    text.chars().map(|c| c.len_utf16() as u32).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(text: &str) {
        let lines = Lines::new(text);
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            for (offset, c) in text.char_indices() {
                let position = lines.position(text, offset, encoding);
                // The end of a line is where what ends it begins.
                let ends = c == '\n' && text[..offset].ends_with('\r');
                let back = lines.offset(text, position, encoding);
                assert_eq!(back, offset - usize::from(ends), "{offset} in {} bytes", text.len());
            }
        }
    }

    #[test]
    fn offsets_come_back() {
        round("");
        round("a\nb\r\nc\rd\n");
        round("é→💧x\r\n💧\n");
        // Marks of long lines fall on, before and behind wide characters.
        round(&format!("x\n{}\n{}", "é💧a→".repeat(3000), "💧".repeat(3000)));
    }

    #[test]
    fn columns_are_code_units() {
        let text = "é💧x";
        let lines = Lines::new(text);
        assert_eq!(lines.position(text, 6, Encoding::Utf16).character, 3);
        assert_eq!(lines.position(text, 6, Encoding::Utf8).character, 6);
        // Within a pair of units is before the character.
        assert_eq!(lines.offset(text, Position { line: 0, character: 2 }, Encoding::Utf16), 2);
    }

    #[test]
    fn positions_outside_are_the_nearest_inside() {
        let text = "ab\ncd\n";
        let lines = Lines::new(text);
        let offset = |line, character| lines.offset(text, Position { line, character }, Encoding::Utf16);
        assert_eq!([offset(0, 9), offset(1, u32::MAX), offset(2, 5), offset(9, 0)], [2, 5, 6, 6]);
    }
}
