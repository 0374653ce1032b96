//! Lines and columns of ops in a text: nearly always those behind the last one.

use terrace_diag::{SourceId, Sources};
use terrace_ir::{Attr, AttrKind, Context};

/// A source, and the last place in it that was looked up
pub struct Places<'a> {
    source: SourceId,
    sources: &'a Sources,
    /// Its name as an attribute
    pub file: Attr,
    text: &'a [u8],
    at: usize,
    line: u32,
    col: u32,
}

/// Further away than so many bytes a place is looked up
const NEAR: usize = 4096;

impl<'a> Places<'a> {
    pub fn of(cx: &'a Context, source: SourceId) -> Places<'a> {
        let sources = cx.sources();
        let file = cx.attr(AttrKind::Str { text: cx.intern(sources.name(source)), ty: None });
        let (line, col) = sources.line_col(source, 0);
        Places { source, sources, file, text: sources.text(source).as_bytes(), at: 0, line, col }
    }

    pub fn is_of(&self, source: SourceId) -> bool {
        self.source == source
    }

    /// Line and column of an offset, as [`Sources::line_col`] has them
    pub fn line_col(&mut self, offset: u32) -> (u32, u32) {
        let at = offset as usize;
        let near = self.text.get(self.at..at).filter(|between| between.len() <= NEAR);
        match near {
            Some(between) => {
                for byte in between {
                    match byte {
                        b'\n' => (self.line, self.col) = (self.line + 1, 1),
                        // Bytes within a character are no column.
                        0x80..0xc0 => {}
                        _ => self.col += 1,
                    }
                }
            }
            None => (self.line, self.col) = self.sources.line_col(self.source, offset),
        }
        self.at = at;
        (self.line, self.col)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_sources() {
        let cx = Context::new(&[]);
        let text = format!("a\n\u{e9}b\n\n{}\n\u{1f600} c", "x".repeat(5000));
        let source = cx.sources().add("f", text.clone());
        let mut places = Places::of(&cx, source);
        let starts: Vec<u32> = text.char_indices().map(|(at, _)| at as u32).collect();
        let far = [0, 7, 3, 5012, 5010, 5003, 2];
        for offset in
            starts.into_iter().chain(far.into_iter().filter(|at| text.is_char_boundary(*at as usize)))
        {
            assert_eq!(places.line_col(offset), cx.sources().line_col(source, offset), "{offset}");
        }
    }
}
