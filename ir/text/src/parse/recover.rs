//! After an error: skip to where the next op plausibly begins, at the nesting of the one that failed.

use super::state::Parser;
use crate::lex::{is_letter, is_word};

impl<'a> Parser<'a> {
    /// Skip from the cursor; `braces` were open where the wrong op began, at `start`
    pub fn synchronize(&mut self, start: usize, braces: u32) {
        let mut open = i64::from(self.lx.braces) - i64::from(braces);
        let src = self.lx.src;
        let mut at = self.lx.pos.min(self.lx.end);
        // An error at the first token of the next line leaves that line to be read.
        let mut fresh =
            at > start && src[start..at].iter().rev().find(|b| !matches!(b, b' ' | b'\t')) == Some(&b'\n');
        loop {
            if at >= self.lx.end {
                break;
            }
            if fresh && open <= 0 && at > start && self.begins_op(at) {
                break;
            }
            fresh = false;
            match src[at] {
                b'{' => open += 1,
                b'}' => {
                    open -= 1;
                    if open < 0 {
                        break;
                    }
                }
                b'"' => {
                    let mut n = at + 1;
                    while n < self.lx.end && !matches!(src[n], b'"' | b'\n') {
                        n += if src[n] == b'\\' { 2 } else { 1 };
                    }
                    if n < self.lx.end && src[n] == b'"' {
                        at = n;
                    }
                }
                b'/' if src.get(at + 1) == Some(&b'/') => {
                    while at < self.lx.end && src[at] != b'\n' {
                        at += 1;
                    }
                    continue;
                }
                b'\n' => {
                    at += 1;
                    while at < self.lx.end && matches!(src[at], b' ' | b'\t' | b'\r') {
                        at += 1;
                    }
                    fresh = true;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        self.lx.seek(at.min(self.lx.end));
        self.lx.braces = braces;
        self.lx.skip_blanks();
    }

    /// Does the text look like the start of an op, a block, or an alias?
    fn begins_op(&self, at: usize) -> bool {
        let src = &self.lx.src[..self.lx.end];
        let line_end = src[at..]
            .iter()
            .take(512)
            .position(|&byte| byte == b'\n')
            .map_or(src.len().min(at + 512), |n| at + n);
        let line = &src[at..line_end];
        match line.first() {
            Some(b'^') => true,
            Some(b'"') => line[1..]
                .iter()
                .position(|&byte| byte == b'"')
                .is_some_and(|n| line.get(n + 2) == Some(&b'(')),
            Some(b'%') => {
                let end = line
                    .iter()
                    .position(|&b| !(is_word(b) || matches!(b, b'%' | b'-' | b':' | b',' | b' ')))
                    .unwrap_or(line.len());
                line.get(end) == Some(&b'=')
            }
            Some(b'#' | b'!') => self.outer.is_empty(),
            Some(&first) if is_letter(first) => {
                let len = line.iter().position(|&byte| !is_word(byte)).unwrap_or(line.len());
                let Ok(word) = std::str::from_utf8(&line[..len]) else { return false };
                word.contains('.') || self.op_kind(word).is_some()
            }
            _ => false,
        }
    }
}
