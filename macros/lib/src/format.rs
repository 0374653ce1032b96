//! Assembly formats: the text of `#[asm("…")]` becomes pieces, every name checked against the fields.
//!
//! The words are upstream's. A place inside of a string literal has no span on stable compilers, so messages say column
//! and piece as well.

use crate::fields::{FieldRef, Fields};
use syn::{LitStr, Result};

/// A piece of a format, with fields resolved to indices
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Keyword or punctuation
    Lit(String),
    /// `` ` ` ``, ` `` `, `` `\n` ``
    Space(&'static str),
    /// `$operand`
    Operand(usize),
    /// `$attr`
    Attr(usize),
    /// `$region`
    Region(usize),
    /// `$successor`
    Successor(usize),
    /// `type($operand)`
    OperandType(usize),
    /// `type($result)`
    ResultType(usize),
    /// `operands`
    Operands,
    /// `type(operands)`
    OperandTypes,
    /// `type(results)`
    ResultTypes,
    /// `functional-type(operands, results)`
    FunctionalType,
    /// `attr-dict`
    AttrDict,
    /// `attr-dict-with-keyword`
    AttrDictWithKeyword,
    /// `(then)?` or `(then) : (otherwise)?`
    Optional {
        /// The field whose presence decides
        anchor: FieldRef,
        /// When present
        then: Vec<Piece>,
        /// When absent
        otherwise: Vec<Piece>,
    },
}

const ACCEPTED: &str = "a format has `literals`, $fields, type($field), type(operands), type(results), operands, \
    successors, functional-type(operands, results), attr-dict, attr-dict-with-keyword and groups ( … ^ … )? and ( … ^ … ) : ( … )?";
const PUNCTUATION: &[&str] = &[
    "->", ":", "::", ",", "=", "<", ">", "(", ")", "{", "}", "[", "]", "?", "+", "-", "*", "/", "|", "@",
    "...",
];

/// Parse a format
pub fn parse(literal: &LitStr, fields: &Fields) -> Result<Vec<Piece>> {
    let text = literal.value();
    let mut parser = Parser { literal, text: &text, at: 0, fields };
    let (pieces, _) = parser.pieces(None)?;
    if !contains(&pieces, &|piece| matches!(piece, Piece::AttrDict | Piece::AttrDictWithKeyword)) {
        return Err(parser.error(0, text.len(), "the format needs `attr-dict` or `attr-dict-with-keyword`"));
    }
    Ok(pieces)
}

/// Is there such a piece, in groups too?
pub fn contains(pieces: &[Piece], test: &dyn Fn(&Piece) -> bool) -> bool {
    pieces.iter().any(|piece| {
        test(piece)
            || match piece {
                Piece::Optional { then, otherwise, .. } => contains(then, test) || contains(otherwise, test),
                _ => false,
            }
    })
}

struct Parser<'a> {
    literal: &'a LitStr,
    text: &'a str,
    at: usize,
    fields: &'a Fields,
}

impl<'a> Parser<'a> {
    fn error(&self, start: usize, end: usize, message: impl AsRef<str>) -> syn::Error {
        let column = self.text[..start].chars().count() + 1;
        let piece = &self.text[start..end.max(start)];
        let place = if piece.is_empty() || start == 0 && end == self.text.len() {
            format!("at column {column} of the format")
        } else {
            format!("at column {column} of the format, `{piece}`")
        };
        // Offsets agree only where the literal has no escapes; the compiler gives the part's span on nightly only.
        let token = self.literal.token();
        let plain = token.to_string().len() == self.text.len() + 2;
        let span = if plain { token.subspan(start + 1..end + 1) } else { None };
        syn::Error::new(span.unwrap_or(self.literal.span()), format!("{place}: {}", message.as_ref()))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, what: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(what);
        if found {
            self.at += what.len();
        }
        found
    }

    fn expect(&mut self, what: &str) -> Result<()> {
        if self.eat(what) {
            return Ok(());
        }
        let end = self.at + self.rest().chars().next().map_or(0, char::len_utf8);
        Err(self.error(self.at, end, format!("expected `{what}`")))
    }

    fn word(&mut self, more: &[char]) -> &'a str {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || more.contains(&c)))
            .unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Pieces up to the end or, in a group that opened at `open`, up to `)`; with the anchor
    fn pieces(&mut self, open: Option<usize>) -> Result<(Vec<Piece>, Option<FieldRef>)> {
        let mut pieces = Vec::new();
        let mut anchor = None;
        loop {
            self.skip_space();
            let start = self.at;
            let Some(next) = self.rest().chars().next() else {
                return match open {
                    Some(open) => Err(self.error(open, open + 1, "this group is not closed")),
                    None => Ok((pieces, anchor)),
                };
            };
            match next {
                ')' if open.is_some() => return Ok((pieces, anchor)),
                '^' if open.is_some() => {
                    self.at += 1;
                    if anchor.is_some() {
                        return Err(self.error(start, self.at, "a group has one anchor only"));
                    }
                    anchor = Some(self.anchor(start, pieces.last())?);
                }
                '^' => {
                    return Err(self.error(start, start + 1, "`^` marks the anchor of a group `( … ^ … )?`"));
                }
                '(' if open.is_some() => {
                    return Err(self.error(start, start + 1, "groups do not nest"));
                }
                '(' => pieces.push(self.group(start)?),
                _ => self.element(start, next, &mut pieces)?,
            }
        }
    }

    fn anchor(&self, at: usize, piece: Option<&Piece>) -> Result<FieldRef> {
        let place = match piece {
            Some(Piece::Operand(n) | Piece::OperandType(n)) => FieldRef::Operand(*n),
            Some(Piece::ResultType(n)) => FieldRef::Result(*n),
            Some(Piece::Attr(n)) => FieldRef::Attr(*n),
            Some(Piece::Region(n)) => FieldRef::Region(*n),
            Some(Piece::Successor(n)) => FieldRef::Successor(*n),
            _ => return Err(self.error(at, at + 1, "the anchor `^` follows `$field` or `type($field)`")),
        };
        if self.fields.may_be_absent(place) {
            return Ok(place);
        }
        let message =
            "the anchor is always present: make the field optional, variadic, with a default or may_be_empty";
        Err(self.error(at, at + 1, message))
    }

    fn group(&mut self, open: usize) -> Result<Piece> {
        self.at += 1;
        let (then, anchor) = self.pieces(Some(open))?;
        self.expect(")")?;
        let mut otherwise = Vec::new();
        if self.eat(":") {
            self.skip_space();
            let second = self.at;
            self.expect("(")?;
            let (pieces, anchor) = self.pieces(Some(second))?;
            self.expect(")")?;
            if anchor.is_some() {
                return Err(self.error(second, self.at, "the second part of a group has no anchor"));
            }
            otherwise = pieces;
        }
        self.expect("?")?;
        let Some(anchor) = anchor else {
            let message = "this group has no anchor: put `^` after the field whose presence decides";
            return Err(self.error(open, self.at, message));
        };
        if !self.decides(&then) {
            let message =
                "a group begins with a literal or a field that may be absent: the parser decides by it";
            return Err(self.error(open, self.at, message));
        }
        Ok(Piece::Optional { anchor, then, otherwise })
    }

    /// Can the parser see by the first piece whether the group is there?
    fn decides(&self, pieces: &[Piece]) -> bool {
        match pieces.iter().find(|piece| !matches!(piece, Piece::Space(_))) {
            Some(Piece::Operand(n)) => self.fields.may_be_absent(FieldRef::Operand(*n)),
            Some(Piece::Attr(n)) => self.fields.may_be_absent(FieldRef::Attr(*n)),
            Some(Piece::Lit(_) | Piece::Region(_) | Piece::Successor(_)) => true,
            _ => false,
        }
    }

    fn element(&mut self, start: usize, next: char, pieces: &mut Vec<Piece>) -> Result<()> {
        match next {
            '`' => pieces.push(self.literal(start)?),
            '$' => {
                let place = self.field(start)?;
                pieces.push(match place {
                    FieldRef::Operand(n) => Piece::Operand(n),
                    FieldRef::Attr(n) => Piece::Attr(n),
                    FieldRef::Region(n) => Piece::Region(n),
                    FieldRef::Successor(n) => Piece::Successor(n),
                    FieldRef::Result(_) => {
                        return Err(self.error(
                            start,
                            self.at,
                            "the names of results stand before the op; write type(…)",
                        ));
                    }
                });
            }
            _ => {
                let word = self.word(&['-']);
                match word {
                    "operands" => pieces.push(Piece::Operands),
                    "successors" => self.successors(pieces),
                    "attr-dict" => pieces.push(Piece::AttrDict),
                    "attr-dict-with-keyword" => pieces.push(Piece::AttrDictWithKeyword),
                    "type" => pieces.push(self.type_of()?),
                    "functional-type" => {
                        for part in ["(", "operands", ",", "results", ")"] {
                            self.expect(part)?;
                        }
                        pieces.push(Piece::FunctionalType);
                    }
                    _ => {
                        let end = self.at.max(start + next.len_utf8());
                        return Err(self.error(start, end, ACCEPTED));
                    }
                }
            }
        }
        Ok(())
    }

    fn successors(&self, pieces: &mut Vec<Piece>) {
        for n in 0..self.fields.successors.len() {
            if n > 0 {
                pieces.push(Piece::Lit(",".into()));
            }
            pieces.push(Piece::Successor(n));
        }
    }

    fn literal(&mut self, start: usize) -> Result<Piece> {
        self.at += 1;
        let Some(len) = self.rest().find('`') else {
            return Err(self.error(
                start,
                start + 1,
                "this literal is not closed: a second backtick is missing",
            ));
        };
        let text = &self.rest()[..len];
        self.at += len + 1;
        let keyword = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '$'));
        match text {
            "" => Ok(Piece::Space("")),
            " " => Ok(Piece::Space(" ")),
            "\n" | "\\n" => Ok(Piece::Space("\n")),
            _ if keyword || PUNCTUATION.contains(&text) => Ok(Piece::Lit(text.to_string())),
            _ => {
                let message = format!("a literal is one keyword or one of {}", PUNCTUATION.join(" "));
                Err(self.error(start, self.at, message))
            }
        }
    }

    fn field(&mut self, start: usize) -> Result<FieldRef> {
        self.at += 1;
        let name = self.word(&[]);
        self.fields.find(name).ok_or_else(|| self.error(start, self.at, self.fields.unknown(name)))
    }

    fn type_of(&mut self) -> Result<Piece> {
        self.expect("(")?;
        self.skip_space();
        let start = self.at;
        let piece = if self.rest().starts_with('$') {
            match self.field(start)? {
                FieldRef::Operand(n) => Piece::OperandType(n),
                FieldRef::Result(n) => Piece::ResultType(n),
                _ => return Err(self.error(start, self.at, "only operands and results have types")),
            }
        } else {
            match self.word(&[]) {
                "operands" => Piece::OperandTypes,
                "results" => Piece::ResultTypes,
                _ => return Err(self.error(start, self.at, "expected `$field`, `operands` or `results`")),
            }
        };
        self.expect(")")?;
        Ok(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn parsed(text: &str) -> Result<Vec<Piece>> {
        let fields = Fields::parse(&parse_quote! {
            struct Op {
                a: IntLike,
                rest: Variadic<IntLike>,
                #[attr(name = "inText", optional)] flag: UnitAttr,
                #[result] out: IntLike,
                #[successor] yes: Successor,
                #[successor] no: Successor,
            }
        })?;
        parse(&LitStr::new(text, proc_macro2::Span::call_site()), &fields)
    }

    fn message(text: &str) -> String {
        parsed(text).map_or_else(|error| error.to_string(), |_| "accepted".into())
    }

    #[test]
    fn words() {
        let pieces = parsed("operands attr-dict-with-keyword `:` functional-type(operands, results)");
        let wanted =
            [Piece::Operands, Piece::AttrDictWithKeyword, Piece::Lit(":".into()), Piece::FunctionalType];
        assert_eq!(pieces.expect("a format"), wanted);
    }

    #[test]
    fn spaces() {
        let pieces = parsed("`` ` ` `\\n` `\n` attr-dict").expect("a format");
        let spaces = ["", " ", "\n", "\n"].map(Piece::Space);
        assert_eq!(pieces[..4], spaces);
    }

    #[test]
    fn names_in_text_lead_to_fields() {
        assert_eq!(
            parsed("(`x` $inText^)? attr-dict").expect("a format"),
            parsed("(`x` $flag^)? attr-dict").expect("same")
        );
    }

    #[test]
    fn successors_stand_for_all() {
        let pieces = parsed("successors attr-dict").expect("a format");
        assert_eq!(pieces[..3], [Piece::Successor(0), Piece::Lit(",".into()), Piece::Successor(1)]);
    }

    #[test]
    fn groups_have_an_otherwise() {
        let pieces = parsed("(`[` $rest^ `]`) : (`none`)? attr-dict").expect("a format");
        let wanted = Piece::Optional {
            anchor: FieldRef::Operand(1),
            then: vec![Piece::Lit("[".into()), Piece::Operand(1), Piece::Lit("]".into())],
            otherwise: vec![Piece::Lit("none".into())],
        };
        assert_eq!(pieces[0], wanted);
    }

    #[test]
    fn types_can_be_anchors() {
        assert!(parsed("(`:` type($rest)^)? attr-dict").is_ok());
    }

    #[test]
    fn errors_say_the_column() {
        assert_eq!(
            message("$a `b attr-dict"),
            "at column 4 of the format, ```: this literal is not closed: a second backtick is missing"
        );
        assert!(
            message("$a `b c` attr-dict").starts_with("at column 4 of the format, ``b c``: a literal is one")
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (text, part) in [
            ("$out attr-dict", "the names of results stand before the op"),
            ("type($flag) attr-dict", "only operands and results have types"),
            ("$a", "the format needs `attr-dict`"),
            ("$a^ attr-dict", "`^` marks the anchor"),
            ("(type($rest)^)? attr-dict", "a group begins with a literal or a field"),
            ("(`x` $flag^ $rest^)? attr-dict", "one anchor only"),
            ("(`x` $flag^ (`y`)?)? attr-dict", "groups do not nest"),
            ("(`x` $flag^) attr-dict", "expected `?`"),
            ("functional-type(results, operands) attr-dict", "expected `operands`"),
            ("ä attr-dict", "a format has"),
            ("? attr-dict", "a format has"),
        ] {
            let message = message(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
