//! The texts that spans point into.
//!
//! Append-only behind a shared reference: adding is one atomic increment and one slot written once, reading takes
//! no lock. Slots lie in segments that double in size and never move, so `&str` handed out stays valid as long as
//! the store. A handle of another store reads as an empty text named `<unknown>`, never as a panic.
//!
//! Line and column come from a table made on first use, one mark per 4096 bytes of text, so that both a million
//! lines and one line of 100 MB cost little memory and each look-up reads at most one block.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use crate::{SourceId, Span};

/// Segment `k` holds `FIRST << k` slots.
const FIRST: u32 = 8;
/// Enough segments for every 32-bit handle.
const SEGMENTS: usize = 30;
/// Bytes of text per mark of the line table.
const BLOCK: usize = 512;

type Segment = OnceLock<Box<[OnceLock<Entry>]>>;

/// Append-only store of named texts
#[derive(Default)]
pub struct Sources {
    segments: [Segment; SEGMENTS],
    next: AtomicU32,
}

struct Entry {
    name: Arc<str>,
    /// The whole file, shared with its chunks
    file: Arc<String>,
    /// The part of it that is this source
    range: Range<usize>,
    /// Line table of the whole file, shared with its chunks
    marks: Arc<OnceLock<Vec<Mark>>>,
}

/// Position of the first byte of a block, counted from zero
#[derive(Clone, Copy)]
struct Mark {
    line: u32,
    col: u32,
}

impl Mark {
    /// The position after `text`, which begins here
    fn after(self, text: &[u8]) -> Mark {
        let newlines = text.iter().filter(|&&b| b == b'\n').count() as u32;
        let chars = |bytes: &[u8]| bytes.iter().filter(|&&b| (b as i8) >= -0x40).count() as u32;
        match text.iter().rposition(|&b| b == b'\n') {
            Some(last) => Mark { line: self.line.saturating_add(newlines), col: chars(&text[last + 1..]) },
            None => Mark { line: self.line, col: self.col.saturating_add(chars(text)) },
        }
    }
}

impl Entry {
    fn text(&self) -> &str {
        &self.file[self.range.clone()]
    }

    fn marks(&self) -> &[Mark] {
        self.marks.get_or_init(|| {
            let mut at = Mark { line: 0, col: 0 };
            let blocks = self.file.as_bytes().chunks(BLOCK);
            let starts = blocks.map(|block| {
                let start = at;
                at = at.after(block);
                start
            });
            starts.collect()
        })
    }
}

/// Segment and slot in it of the `n`th source
fn place(n: u32) -> (usize, usize) {
    let shifted = u64::from(n) + u64::from(FIRST);
    let segment = shifted.ilog2() - FIRST.ilog2();
    (segment as usize, (shifted - (u64::from(FIRST) << segment)) as usize)
}

impl Sources {
    /// An empty store
    pub fn new() -> Self {
        Self::default()
    }

    /// Add a text under a name that messages will show
    pub fn add(&self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        // A string is moved in as it is: large inputs are not copied.
        let (name, file) = (Arc::from(name.into()), Arc::new(text.into()));
        let range = 0..file.len();
        self.push(Entry { name, file, range, marks: Arc::default() })
    }

    /// Add the bytes `range` of `parent` as a source of its own, sharing text and name
    ///
    /// Offsets in it count from zero, its line numbers continue the parent's. Bounds outside of the parent or within
    /// a character move down to the nearest valid one.
    pub fn add_chunk(&self, parent: SourceId, range: Range<usize>) -> SourceId {
        let Some(entry) = self.entry(parent) else {
            return self.add(Self::UNKNOWN, "");
        };
        let text = entry.text();
        let end = text.floor_char_boundary(range.end);
        let start = text.floor_char_boundary(range.start).min(end);
        let base = entry.range.start;
        self.push(Entry {
            name: entry.name.clone(),
            file: entry.file.clone(),
            range: base + start..base + end,
            marks: entry.marks.clone(),
        })
    }

    /// Name of a source
    pub fn name(&self, id: SourceId) -> &str {
        self.entry(id).map_or(Self::UNKNOWN, |entry| &entry.name)
    }

    /// Text of a source
    pub fn text(&self, id: SourceId) -> &str {
        self.entry(id).map_or("", Entry::text)
    }

    /// The text a span covers; bounds outside of the source or within a character move down to the nearest valid one
    pub fn slice(&self, span: Span) -> &str {
        let text = self.text(span.source);
        let end = text.floor_char_boundary(span.end as usize);
        &text[text.floor_char_boundary(span.start as usize).min(end)..end]
    }

    /// Line and column, both from 1, of a byte offset; columns count characters
    ///
    /// An offset beyond the end stands for the end. Lines end with `\n`.
    pub fn line_col(&self, id: SourceId, offset: u32) -> (u32, u32) {
        let Some(entry) = self.entry(id) else {
            return (1, 1);
        };
        let text = entry.text();
        let at = entry.range.start + text.floor_char_boundary(offset as usize);
        let block = (at / BLOCK).min(entry.marks().len().saturating_sub(1));
        let mark = entry.marks().get(block).copied().unwrap_or(Mark { line: 0, col: 0 });
        let Mark { line, col } = mark.after(&entry.file.as_bytes()[block * BLOCK..at]);
        (line.saturating_add(1), col.saturating_add(1))
    }

    /// Number of sources
    pub fn len(&self) -> usize {
        self.next.load(Ordering::Acquire) as usize
    }

    /// Whether there is no source
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    const UNKNOWN: &'static str = "<unknown>";

    fn push(&self, entry: Entry) -> SourceId {
        let n = self.next.fetch_add(1, Ordering::AcqRel);
        let (segment, slot) = place(n);
        let slots = self.segments[segment].get_or_init(|| {
            std::iter::repeat_with(OnceLock::new).take((FIRST as usize) << segment).collect()
        });
        // The slot is empty: `n` is given out once.
        let _ = slots[slot].set(entry);
        SourceId(n)
    }

    fn entry(&self, id: SourceId) -> Option<&Entry> {
        let (segment, slot) = place(id.0);
        self.segments.get(segment)?.get()?.get(slot)?.get()
    }
}

impl std::fmt::Debug for Sources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = (0..self.len()).map(|n| self.name(SourceId(n as u32)));
        f.debug_list().entries(names).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_positions(text: &str) -> Vec<(u32, u32)> {
        let sources = Sources::new();
        let id = sources.add("a", text);
        text.char_indices().map(|(at, _)| sources.line_col(id, at as u32)).collect()
    }

    #[test]
    fn places_are_dense() {
        let mut expected = (0, 0);
        for n in 0..1000 {
            assert_eq!(place(n), expected);
            expected.1 += 1;
            if expected.1 == (FIRST as usize) << expected.0 {
                expected = (expected.0 + 1, 0);
            }
        }
        assert!(place(u32::MAX).0 < SEGMENTS);
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(all_positions("é→x\r\ny"), [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 1)]);
    }

    #[test]
    fn end_and_beyond_and_empty() {
        let sources = Sources::new();
        let (empty, text) = (sources.add("e", ""), sources.add("t", "ab\n"));
        assert_eq!(sources.line_col(empty, 0), (1, 1));
        assert_eq!(sources.line_col(empty, 9), (1, 1));
        assert_eq!(sources.line_col(text, 3), (2, 1));
        assert_eq!(sources.line_col(text, u32::MAX), (2, 1));
    }

    #[test]
    fn table_agrees_with_a_plain_count() {
        // Characters of 1 to 3 bytes straddle the block borders.
        let text: String =
            (0..9000).map(|i| if i % 97 == 0 { '\n' } else { ['a', 'é', '→'][i % 3] }).collect();
        let (mut line, mut col) = (1, 1);
        for (c, position) in text.chars().zip(all_positions(&text)) {
            assert_eq!(position, (line, col));
            (line, col) = if c == '\n' { (line + 1, 1) } else { (line, col + 1) };
        }
    }

    #[test]
    fn exact_block_of_text() {
        let sources = Sources::new();
        let id = sources.add("a", "\n".repeat(BLOCK));
        assert_eq!(sources.line_col(id, BLOCK as u32), (BLOCK as u32 + 1, 1));
    }

    #[test]
    fn chunks_continue_the_lines_of_the_parent() {
        let sources = Sources::new();
        let file = sources.add("f.mlir", "one\ntwo\nthree\nfour");
        let chunk = sources.add_chunk(file, 4..13);
        assert_eq!((sources.name(chunk), sources.text(chunk)), ("f.mlir", "two\nthree"));
        assert_eq!(sources.line_col(chunk, 4), (3, 1));
        let inner = sources.add_chunk(chunk, 4..99);
        assert_eq!((sources.text(inner), sources.line_col(inner, 2)), ("three", (3, 3)));
    }

    #[test]
    fn unknown_handles_read_as_empty() {
        let sources = Sources::new();
        assert_eq!((sources.name(SourceId(7)), sources.text(SourceId(u32::MAX))), ("<unknown>", ""));
    }

    #[test]
    fn slices_clamp() {
        let sources = Sources::new();
        let id = sources.add("a", "aé");
        assert_eq!(sources.slice(Span::new(id, 1, 2)), "");
        assert_eq!(sources.slice(Span::new(id, 1, 99)), "é");
    }

    #[test]
    fn adding_from_many_threads_loses_nothing() {
        let sources = Sources::new();
        std::thread::scope(|scope| {
            for t in 0..4 {
                let sources = &sources;
                scope.spawn(move || {
                    for i in 0..100 {
                        let id = sources.add(format!("{t}.{i}"), format!("{t} {i}"));
                        assert_eq!(sources.text(id), format!("{t} {i}"));
                    }
                });
            }
        });
        assert_eq!(sources.len(), 400);
    }
}
