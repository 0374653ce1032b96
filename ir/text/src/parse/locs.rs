//! Locations.

use super::alias_table::Meaning;
use super::state::{Parse, Parser};
use crate::codes;
use crate::lex::is_word;
use terrace_ir::{Attr, AttrKind, LocKind};

impl<'a> Parser<'a> {
    /// `(…)` after `loc`
    pub fn location_parens(&mut self) -> Parse<Attr> {
        self.expect(b'(')?;
        let loc = self.location()?;
        self.expect(b')')?;
        Ok(loc)
    }

    /// `loc(…)` if it comes next
    pub fn trailing_loc(&mut self) -> Parse<Option<Attr>> {
        if self.lx.peek() == b'l' && self.lx.eat_word("loc") {
            self.location_parens().map(Some)
        } else {
            Ok(None)
        }
    }

    fn location(&mut self) -> Parse<Attr> {
        self.nested(Self::location_at)
    }

    fn location_at(&mut self) -> Parse<Attr> {
        let span = self.here();
        let kind = match self.lx.peek() {
            b'#' => {
                let len = self.lx.run(1, is_word);
                if self.lx.slice(self.lx.pos, self.lx.pos + len).contains('.') {
                    return self.attr();
                }
                return match self.alias(len)? {
                    Meaning::Attr(attr) if matches!(attr.kind(self.cx), AttrKind::Loc(_)) => Ok(attr),
                    _ => self.fail_at(&codes::ALIAS, span, "this alias is no location"),
                };
            }
            b'"' => self.named_location()?,
            b'u' if self.lx.eat_word("unknown") => LocKind::Unknown,
            b'c' if self.lx.eat_word("callsite") => {
                self.expect(b'(')?;
                let callee = self.location()?;
                self.expect_word("at")?;
                let caller = self.location()?;
                self.expect(b')')?;
                LocKind::CallSite { callee, caller }
            }
            b'f' if self.lx.eat_word("fused") => {
                let metadata = if self.lx.eat(b'<') {
                    let metadata = self.attr()?;
                    self.expect(b'>')?;
                    Some(metadata)
                } else {
                    None
                };
                self.expect(b'[')?;
                let mut locs = Vec::new();
                if self.lx.peek() != b']' {
                    loop {
                        locs.push(self.location()?);
                        if !self.lx.eat(b',') {
                            break;
                        }
                    }
                }
                self.expect(b']')?;
                LocKind::Fused { metadata, locs: locs.into() }
            }
            _ => {
                let words = ["callsite", "fused", "unknown"];
                return self.expected_word("a location", &mut words.into_iter());
            }
        };
        Ok(self.cx.attr(AttrKind::Loc(kind)))
    }

    fn loc_number(&mut self) -> Parse<u32> {
        let span = self.here();
        let value = self.int()?;
        u32::try_from(value)
            .or_else(|_| self.fail_at(&codes::OVERFLOW, span, "lines and columns have 32 bits"))
    }

    fn named_location(&mut self) -> Parse<LocKind> {
        let text = self.string()?;
        let name = self.cx.intern(&text);
        if !self.lx.eat(b':') {
            let child = if self.lx.eat(b'(') {
                let child = self.location()?;
                self.expect(b')')?;
                Some(child)
            } else {
                None
            };
            return Ok(LocKind::Name { name, child });
        }
        let line = self.loc_number()?;
        self.expect(b':')?;
        let col = self.loc_number()?;
        let (mut end_line, mut end_col) = (0, 0);
        if self.lx.eat_word("to") {
            end_line = if self.lx.peek() == b':' { line } else { self.loc_number()? };
            self.expect(b':')?;
            end_col = self.loc_number()?;
        }
        Ok(LocKind::File { file: name, line, col, end_line, end_col })
    }
}
