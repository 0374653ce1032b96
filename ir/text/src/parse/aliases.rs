//! Aliases `#a = …` and `!t = …`, which may stand before or after their use.
//!
//! A use of an alias not seen yet looks through the file for lines that begin with one, once, and parses the definition
//! where it stands.

use super::alias_table::{Extent, Meaning};
use super::state::{MAX_DEPTH, Parse, Parser};
use crate::codes;
use crate::lex::is_letter;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Span};
use terrace_support::HashMap;

/// Copies that one alias may stand for: sharing makes a short text mean more than memory holds
const MAX_USES: u64 = 1 << 18;

impl<'a> Parser<'a> {
    /// Where lines of the file define aliases; the first one if there are several
    fn alias_lines(&mut self) -> Arc<HashMap<&'a str, u32>> {
        if let Some(lines) = &self.aliases.lines {
            return lines.clone();
        }
        let mut lines = HashMap::default();
        let mut start = 0;
        let src = self.lx.src;
        while start < src.len() {
            let end = src[start..].iter().position(|&byte| byte == b'\n').map_or(src.len(), |n| start + n);
            if let Some((name, _)) = alias_line(self.lx.text.get(start..end).unwrap_or("")) {
                lines.entry(name).or_insert(start as u32);
            }
            start = end + 1;
        }
        let lines = Arc::new(lines);
        self.aliases.lines = Some(lines.clone());
        lines
    }

    /// Share the line table with another parser of this file
    pub fn share_aliases(&mut self) -> Arc<HashMap<&'a str, u32>> {
        self.alias_lines()
    }

    pub fn take_aliases(&mut self, lines: Arc<HashMap<&'a str, u32>>) {
        self.aliases.lines = Some(lines);
    }

    /// At `#name =` or `!name =` of the top level?
    pub fn at_alias_definition(&self) -> bool {
        let end = self.lx.src[self.lx.pos..self.lx.end]
            .iter()
            .take(256)
            .position(|&byte| byte == b'\n')
            .map_or((self.lx.pos + 256).min(self.lx.end), |n| self.lx.pos + n);
        let mut end = end;
        while !self.lx.text.is_char_boundary(end) {
            end -= 1;
        }
        alias_line(self.lx.slice(self.lx.pos, end)).is_some()
    }

    /// `#name = attribute` or `!name = type`
    pub fn alias_definition(&mut self) -> Parse<()> {
        let at = self.lx.pos;
        let len = 1 + self.lx.run(1, crate::lex::is_word) - 1;
        let name = self.lx.slice(at, at + len);
        if name.contains('.') {
            return self.fail(&codes::ALIAS, format!("alias `{name}` may not contain a dot"));
        }
        match self.aliases.known.get(name) {
            Some((Meaning::Wrong, old)) if *old == at as u32 => {
                self.skip_line();
                return Ok(());
            }
            Some((_, old)) if *old != at as u32 => {
                let (old, new) = (self.span(*old as usize, *old as usize + len), self.span(at, at + len));
                let error = Diagnostic::error(&codes::ALIAS, format!("alias `{name}` is defined twice"));
                let reported = self.emit(error.at(new).note_at(old, "first defined here"));
                self.skip_line();
                let _ = reported;
                return Ok(());
            }
            _ => {}
        }
        self.define_alias(name, at)
    }

    fn skip_line(&mut self) {
        let rest = &self.lx.src[self.lx.pos..self.lx.end];
        let len = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        self.lx.bump(len);
    }

    /// Is a definition being parsed? Its parts are counted, so that none may come out of a cache
    #[inline]
    pub fn in_alias_definition(&self) -> bool {
        self.aliases.open.is_some()
    }

    /// Something nests to the current depth
    #[inline]
    pub fn note_depth(&mut self) {
        if let Some(open) = &mut self.aliases.open {
            open.depth = open.depth.max(self.depth);
        }
    }

    /// A use of an alias whose meaning is this much; refused if it makes what is around it too much
    fn count_use(&mut self, span: Span, name: &str) -> Parse<()> {
        let extent = self.aliases.extents.get(name).copied().unwrap_or_default();
        let depth = self.depth.saturating_add(extent.depth);
        if depth > MAX_DEPTH {
            let message = format!("with what `{name}` stands for, nested more than {MAX_DEPTH} deep");
            return self.fail_at(&codes::TOO_DEEP, span, message);
        }
        let Some(open) = &mut self.aliases.open else { return Ok(()) };
        open.depth = open.depth.max(depth);
        open.uses = open.uses.saturating_add(extent.uses + 1);
        if open.uses > MAX_USES {
            let message = format!("written out, this alias holds more than {MAX_USES} others");
            return self.fail_at(&codes::TOO_DEEP, span, message);
        }
        Ok(())
    }

    /// Parse the definition at the cursor and remember it
    fn define_alias(&mut self, name: &'a str, at: usize) -> Parse<()> {
        self.aliases.known.insert(name, (Meaning::Busy, at as u32));
        self.note_alias(at, at as u32);
        self.lx.bump(name.len());
        let outer = self.aliases.open.replace(Extent { depth: self.depth, uses: 0 });
        let parsed = self.expect(b'=').and_then(|()| {
            if name.starts_with('!') { self.ty().map(Meaning::Type) } else { self.attr().map(Meaning::Attr) }
        });
        if let Some(Extent { depth, uses }) = std::mem::replace(&mut self.aliases.open, outer) {
            self.aliases.extents.insert(name, Extent { depth: depth.saturating_sub(self.depth), uses });
        }
        let meaning = *parsed.as_ref().unwrap_or(&Meaning::Wrong);
        self.aliases.known.insert(name, (meaning, at as u32));
        parsed.map(|_| ())
    }

    /// What the alias at the cursor, `len` bytes with its sigil, stands for; takes it
    pub fn alias(&mut self, len: usize) -> Parse<Meaning> {
        let at = self.lx.pos;
        let span = self.span(at, at + len);
        let name = self.lx.slice(at, at + len);
        self.lx.bump(len);
        let back = (self.lx.pos, self.lx.last, self.lx.braces);
        if !self.aliases.known.contains_key(name) {
            let lines = self.alias_lines();
            let Some(&line) = lines.get(name) else {
                let mut error =
                    Diagnostic::error(&codes::ALIAS, format!("undefined alias `{name}`")).at(span);
                if self.may_search() {
                    // Ties are broken by spelling, so the order of the table has no effect.
                    #[allow(clippy::iter_over_hash_type)]
                    let near = terrace_diag::nearest(name, lines.keys().copied().take(10_000));
                    if let Some(near) = near {
                        error = error.help(format!("did you mean `{near}`?"));
                    }
                }
                return Err(self.emit(error));
            };
            self.lx.seek(line as usize);
            let defined = self.nested(|p| p.define_alias(name, line as usize));
            (self.lx.pos, self.lx.last, self.lx.braces) = back;
            defined?;
        }
        match self.aliases.known.get(name) {
            Some((Meaning::Busy, _)) => {
                self.fail_at(&codes::ALIAS, span, format!("alias `{name}` is defined in terms of itself"))
            }
            Some((Meaning::Wrong, _)) | None => {
                self.fail_at(&codes::ALIAS, span, format!("alias `{name}` has a wrong definition"))
            }
            Some(&(meaning, def)) => {
                self.note_alias(at, def);
                self.count_use(span, name).map(|()| meaning)
            }
        }
    }
}

/// Name (with sigil) and the rest, if the line defines an alias
fn alias_line(line: &str) -> Option<(&str, &str)> {
    let bytes = line.as_bytes();
    if !matches!(bytes.first(), Some(b'#' | b'!')) || !bytes.get(1).copied().is_some_and(is_letter) {
        return None;
    }
    let len = bytes[1..].iter().position(|&byte| !crate::lex::is_word(byte)).map_or(bytes.len(), |n| n + 1);
    let rest = line.get(len..)?.trim_start();
    let is_definition = rest.starts_with('=') && !rest.starts_with("==");
    is_definition.then(|| (&line[..len], rest))
}
