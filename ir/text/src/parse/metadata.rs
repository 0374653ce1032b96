//! Metadata of a file, `{-# … #-}`: resources, kept as they are.

use super::state::{Parse, Parser};
use crate::codes;
use crate::lex::is_word;
use terrace_ir::resources::{Entry, Group, Resources};

/// Sections that upstream knows
const SECTIONS: [&str; 2] = ["dialect_resources", "external_resources"];

impl Parser<'_> {
    /// At `{-#`
    pub fn metadata(&mut self) {
        let (start, braces) = (self.lx.pos, self.lx.braces);
        let rest = self.lx.slice(start, self.lx.end);
        let Some(end) = rest.find("#-}").map(|len| start + len) else {
            let span = self.span(start, start + 3);
            let _ = self.fail_at::<()>(&codes::EXPECTED, span, "metadata without an end `#-}`");
            self.lx.bump(rest.len());
            return;
        };
        self.lx.bump(3);
        let _ = self.sections();
        // After a mistake all up to the end is skipped.
        if !self.lx.looking_at("#-}") && !self.diags.has_errors() {
            let _ = self.expected::<()>("`#-}`");
        }
        let from = self.lx.pos.max(end);
        let rest = self.lx.slice(from, self.lx.end);
        match rest.find("#-}") {
            Some(len) => {
                self.lx.seek(from + len);
                self.lx.bump(3);
            }
            None => self.lx.bump(self.lx.end - self.lx.pos),
        }
        self.lx.braces = braces;
    }

    fn sections(&mut self) -> Parse<()> {
        let mut sections = self.ir.take_resources().map_or(Vec::new(), |old| old.sections);
        while !self.lx.looking_at("#-}") {
            let span = self.here();
            let name = self.key()?;
            if !SECTIONS.contains(&&*name) {
                let message = format!("unknown section `{name}`, known are {}", SECTIONS.join(" and "));
                return self.fail_at(&codes::RESOURCES, span, message);
            }
            let mut groups = Vec::new();
            self.braced(|p| {
                let name = p.key()?;
                let mut entries = Vec::new();
                p.braced(|p| {
                    let key = p.key()?;
                    p.expect(b':')?;
                    let value = p.value()?;
                    entries.push(Entry { key, value });
                    Ok(())
                })?;
                groups.push(Group { name, entries });
                Ok(())
            })?;
            sections.push((name, groups));
            if !self.lx.eat(b',') {
                break;
            }
        }
        self.ir.set_resources(Resources { source: self.source, sections });
        Ok(())
    }

    /// `: { each, … }`
    fn braced(&mut self, mut each: impl FnMut(&mut Self) -> Parse<()>) -> Parse<()> {
        self.expect(b':')?;
        self.expect(b'{')?;
        while self.lx.peek() != b'}' {
            each(self)?;
            if !self.lx.eat(b',') {
                break;
            }
        }
        self.expect(b'}')
    }

    /// A key: bare or in quotes
    pub fn key(&mut self) -> Parse<Box<str>> {
        if self.lx.peek() == b'"' {
            return Ok(self.string()?.into());
        }
        let len = self.lx.run(0, is_word);
        if len == 0 {
            return self.expected("a key");
        }
        let key = self.lx.slice(self.lx.pos, self.lx.pos + len).into();
        self.lx.bump(len);
        Ok(key)
    }

    fn value(&mut self) -> Parse<(u32, u32)> {
        let quoted = self.lx.peek() == b'"';
        let start = self.lx.pos;
        if quoted {
            self.string()?;
            return Ok((start as u32, self.lx.last as u32));
        }
        match self.lx.peek_word() {
            word @ ("true" | "false") => {
                self.lx.bump(word.len());
                Ok((start as u32, (start + word.len()) as u32))
            }
            _ => self.expected("a string, `true` or `false`"),
        }
    }
}
