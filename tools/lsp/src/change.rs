//! Changes of a text, one after the other.
//!
//! The text is a gap buffer: the gap is at the last change. The starts of its lines are two lists, divided at the gap. The time
//! of a change depends on its length and on its distance from the last change. It does not depend on the length of the text, so
//! a message may have many changes.

use crate::lines::{Encoding, Lines, units};
use lsp_types::{Position, Range};

/// A text that is being changed
pub struct Changing {
    /// The text before the gap, the gap, and the text behind it
    bytes: Vec<u8>,
    /// Where the gap begins: an offset of the text too
    gap: usize,
    /// Bytes of the gap
    free: usize,
    /// Bytes that are not ASCII
    wide: usize,
    /// Lines that begin up to the gap, never none
    before: Vec<u32>,
    /// Lines that begin behind the gap, the nearest last, as distances from the end of the text
    behind: Vec<u32>,
    encoding: Encoding,
    /// The last offset that was looked up: where its line begins, the offset, its column in UTF-16
    known: (usize, usize, u32),
}

/// How many of the bytes are not ASCII
fn wide(bytes: &[u8]) -> usize {
    // Most texts are, and that is known faster than each byte is counted.
    if bytes.is_ascii() { 0 } else { bytes.iter().filter(|byte| !byte.is_ascii()).count() }
}

impl Changing {
    /// A text before changes
    pub fn new(text: String, lines: Lines, encoding: Encoding) -> Changing {
        let bytes = text.into_bytes();
        let (gap, wide, before) = (bytes.len(), wide(&bytes), lines.into_starts());
        Changing { bytes, gap, free: 0, wide, before, behind: Vec::new(), encoding, known: (0, 0, 0) }
    }

    /// The text after changes
    pub fn finish(mut self) -> (String, Lines) {
        let len = self.len();
        self.move_gap(len);
        self.bytes.truncate(len);
        let text = String::from_utf8(self.bytes)
            // Changes are made between characters, so this is never needed.
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let lines = if text.len() == len { Lines::of(self.before, &text) } else { Lines::new(&text) };
        (text, lines)
    }

    fn len(&self) -> usize {
        self.bytes.len() - self.free
    }

    /// A byte of the text
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(if at < self.gap { at } else { at + self.free }).copied()
    }

    /// Put a text in place of a range; one that ends before it begins is empty
    pub fn replace(&mut self, range: Range, new: &str) {
        let start = self.offset(range.start);
        let (line, _, column) = self.known;
        let end = self.offset(range.end).max(start);
        self.move_gap(start);
        // Whether a line begins somewhere depends on the bytes before and behind.
        let len = self.len();
        while self.behind.pop_if(|left| len - *left as usize <= end).is_some() {}
        while self.before.pop_if(|at| *at as usize >= start && *at > 0).is_some() {}
        let (from, to) = (self.gap + self.free, self.gap + self.free + (end - start));
        self.wide -= wide(&self.bytes[from..to]);
        self.free += end - start;
        self.insert(new.as_bytes());
        for at in start.max(1)..=self.gap {
            let ends = match self.byte(at - 1) {
                Some(b'\n') => true,
                Some(b'\r') => self.byte(at) != Some(b'\n'),
                _ => false,
            };
            if ends {
                self.before.push(at as u32);
            }
        }
        let last = new.rfind(['\n', '\r']);
        let column = if last.is_some() { 0 } else { column } + units(&new[last.map_or(0, |at| at + 1)..]);
        // The column is that in the line of the start, or in the last line that is new.
        let begins = self.before.last().map_or(0, |at| *at as usize);
        self.known = (if last.is_some() { begins } else { line }, self.gap, column);
    }

    /// Put bytes before the gap
    fn insert(&mut self, new: &[u8]) {
        if self.free < new.len() {
            // By a part of what is there, so that all growing together is linear.
            let more = new.len() + self.bytes.len() / 16;
            let (from, to) = (self.gap + self.free, self.bytes.len());
            self.bytes.resize(to + more, 0);
            self.bytes.copy_within(from..to, from + more);
            self.free += more;
        }
        self.bytes[self.gap..self.gap + new.len()].copy_from_slice(new);
        self.gap += new.len();
        self.free -= new.len();
        self.wide += wide(new);
    }

    fn move_gap(&mut self, to: usize) {
        let (gap, free, len) = (self.gap, self.free, self.len());
        if to < gap {
            self.bytes.copy_within(to..gap, to + free);
        } else {
            self.bytes.copy_within(gap + free..to + free, gap);
        }
        self.gap = to;
        while let Some(at) = self.before.pop_if(|at| *at as usize > to) {
            self.behind.push((len - at as usize) as u32);
        }
        while let Some(left) = self.behind.pop_if(|left| len - *left as usize <= to) {
            self.before.push((len - left as usize) as u32);
        }
    }

    /// Where a line begins
    fn start(&self, line: usize) -> Option<usize> {
        if let Some(start) = self.before.get(line) {
            return Some(*start as usize);
        }
        let nth = self.behind.len().checked_sub(line - self.before.len() + 1)?;
        Some(self.len() - self.behind[nth] as usize)
    }

    /// The offset of a position, as [`Lines::offset`] gives it
    fn offset(&mut self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(start) = self.start(line) else {
            let len = self.len();
            // The column is not known.
            self.known = (usize::MAX, len, 0);
            return len;
        };
        let mut end = self.len();
        if let Some(next) = self.start(line + 1) {
            end = next - 1;
            if end > start && self.byte(end) == Some(b'\n') && self.byte(end - 1) == Some(b'\r') {
                end -= 1;
            }
        }
        let wanted = position.character;
        if self.wide == 0 || self.encoding == Encoding::Utf8 {
            let mut at = start.saturating_add(wanted as usize).min(end);
            while at > start && self.byte(at).is_some_and(is_inner) {
                at -= 1;
            }
            self.known = (start, at, (at - start) as u32);
            return at;
        }
        // From the last place, if it is in this line.
        let near = self.known.0 == start && self.known.1 <= end;
        let (mut at, mut column) = if near { (self.known.1, self.known.2) } else { (start, 0) };
        while column > wanted && at > start {
            at -= 1;
            while at > start && self.byte(at).is_some_and(is_inner) {
                at -= 1;
            }
            column -= self.size(at).1;
        }
        while at < end {
            let (bytes, units) = self.size(at);
            if column + units > wanted {
                break;
            }
            (at, column) = (at + bytes, column + units);
        }
        self.known = (start, at, column);
        at
    }

    /// Of the character that begins here: bytes, and units of UTF-16
    fn size(&self, at: usize) -> (usize, u32) {
        match self.byte(at) {
            Some(0xf0..) => (4, 2),
            Some(0xe0..) => (3, 1),
            Some(0xc0..) => (2, 1),
            _ => (1, 1),
        }
    }
}

/// Is the byte within a character, not its first?
fn is_inner(byte: u8) -> bool {
    (0x80..0xc0).contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_support::Random;

    const PIECES: &[&str] = &["", "a", "bc", "\n", "\r", "\r\n", "é", "→", "💧", "x\ny", "\n\n", "💧\r"];

    fn text(random: &mut Random, most: usize) -> String {
        (0..random.below(most)).map(|_| PIECES[random.below(PIECES.len())]).collect()
    }

    #[test]
    fn changes_give_what_the_whole_text_read_anew_gives() {
        let mut random = Random::new(11);
        for round in 0..400 {
            let encoding = if round % 3 == 0 { Encoding::Utf8 } else { Encoding::Utf16 };
            // Some texts have lines that are longer than the marks are apart.
            let mut want = text(&mut random, 40) + &"é💧".repeat(if round % 50 == 0 { 3000 } else { 0 });
            let mut changing = Changing::new(want.clone(), Lines::new(&want), encoding);
            for step in 0..40 {
                let mut place = || Position {
                    line: random.below(30u32),
                    character: if random.below(9u32) == 0 { u32::MAX } else { random.below(12u32) },
                };
                let (start, end) = (place(), place());
                let (start, end) = (start.min(end), start.max(end));
                let new = text(&mut random, 4);
                changing.replace(Range { start, end }, &new);
                let lines = Lines::new(&want);
                let at = |position| lines.offset(&want, position, encoding);
                let (from, to) = (at(start), at(end).max(at(start)));
                want.replace_range(from..to, &new);
                if step % 7 == 6 {
                    let (text, lines) = changing.finish();
                    assert_eq!((&text, &lines), (&want, &Lines::new(&want)), "round {round}, step {step}");
                    changing = Changing::new(text, lines, encoding);
                }
            }
        }
    }
}
