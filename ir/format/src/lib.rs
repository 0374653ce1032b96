//! Assembly formats: their text becomes pieces, every name checked against the fields.
//!
//! The words are upstream's. `#[asm("…")]` is read while a crate is compiled, formats of dialects that are loaded while a
//! tool runs. Messages say column and piece, because a place inside of a string literal has no span on stable compilers.

/// Where a name leads
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldRef {
    /// Operand field
    Operand(usize),
    /// Result field
    Result(usize),
    /// Attribute field
    Attr(usize),
    /// Region field
    Region(usize),
    /// Successor field
    Successor(usize),
}

/// The fields of an op, as formats name them
pub trait Fields {
    /// The field of this name
    fn find(&self, name: &str) -> Option<FieldRef>;
    /// What to say of a name that is no field
    fn unknown(&self, name: &str) -> String;
    /// May the field have nothing in it?
    fn may_be_absent(&self, place: FieldRef) -> bool;
    /// Number of fields of the kind of this one
    fn count(&self, like: FieldRef) -> usize;
}

/// What is wrong with a format
#[derive(Debug)]
pub struct Error {
    /// First byte
    pub start: usize,
    /// Behind the last byte
    pub end: usize,
    /// Column, piece and reason
    pub message: String,
}

type Result<T> = std::result::Result<T, Error>;

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
    /// `qualified(…)`: with the name of the dialect where the piece alone would leave it out
    Qualified(Box<Piece>),
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
    regions, successors, qualified(…), functional-type(operands, results), attr-dict, attr-dict-with-keyword and groups ( … ^ … )? and ( … ^ … ) : ( … )?";
const PUNCTUATION: &[&str] = &[
    "->", ":", "::", ",", "=", "<", ">", "(", ")", "{", "}", "[", "]", "?", "+", "-", "*", "/", "|", "@",
    "...",
];

/// Parse a format
pub fn parse(text: &str, fields: &dyn Fields) -> Result<Vec<Piece>> {
    let mut parser = Parser { text, at: 0, fields };
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
                Piece::Qualified(inner) => contains(std::slice::from_ref(inner), test),
                _ => false,
            }
    })
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    fields: &'a dyn Fields,
}

impl<'a> Parser<'a> {
    fn error(&self, start: usize, end: usize, message: impl AsRef<str>) -> Error {
        let column = self.text[..start].chars().count() + 1;
        let piece = &self.text[start..end.max(start)];
        let place = if piece.is_empty() || start == 0 && end == self.text.len() {
            format!("at column {column} of the format")
        } else {
            format!("at column {column} of the format, `{piece}`")
        };
        Error { start, end, message: format!("{place}: {}", message.as_ref()) }
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
            Some(Piece::Qualified(inner)) => return self.anchor(at, Some(inner)),
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
            Some(Piece::Qualified(inner)) => self.decides(std::slice::from_ref(inner)),
            Some(Piece::Lit(_) | Piece::Region(_) | Piece::Successor(_)) => true,
            _ => false,
        }
    }

    fn element(&mut self, start: usize, next: char, pieces: &mut Vec<Piece>) -> Result<()> {
        match next {
            '`' => pieces.push(self.literal(start)?),
            '$' => pieces.push(self.variable(start)?),
            _ => {
                let word = self.word(&['-']);
                match word {
                    "operands" => pieces.push(Piece::Operands),
                    "successors" => self.all(FieldRef::Successor(0), Piece::Successor, pieces),
                    "regions" => self.all(FieldRef::Region(0), Piece::Region, pieces),
                    "attr-dict" => pieces.push(Piece::AttrDict),
                    "attr-dict-with-keyword" => pieces.push(Piece::AttrDictWithKeyword),
                    "type" => pieces.push(self.type_of()?),
                    "qualified" => pieces.push(self.qualified()?),
                    "functional-type" => {
                        self.expect("(")?;
                        self.every("operands", FieldRef::Operand(0))?;
                        self.expect(",")?;
                        self.every("results", FieldRef::Result(0))?;
                        self.expect(")")?;
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

    /// `$field` outside of `type(…)`
    fn variable(&mut self, start: usize) -> Result<Piece> {
        Ok(match self.field(start)? {
            FieldRef::Operand(n) => Piece::Operand(n),
            FieldRef::Attr(n) => Piece::Attr(n),
            FieldRef::Region(n) => Piece::Region(n),
            FieldRef::Successor(n) => Piece::Successor(n),
            FieldRef::Result(_) => {
                let message = "the names of results stand before the op; write type(…)";
                return Err(self.error(start, self.at, message));
            }
        })
    }

    /// `qualified($field)` or `qualified(type($field))`
    fn qualified(&mut self) -> Result<Piece> {
        self.expect("(")?;
        self.skip_space();
        let start = self.at;
        let inner = match self.rest().starts_with('$') {
            true => self.variable(start)?,
            false => {
                self.expect("type")?;
                self.type_of()?
            }
        };
        self.expect(")")?;
        Ok(Piece::Qualified(Box::new(inner)))
    }

    /// All fields of a kind, with commas between
    fn all(&self, like: FieldRef, make: fn(usize) -> Piece, pieces: &mut Vec<Piece>) {
        for n in 0..self.fields.count(like) {
            if n > 0 {
                pieces.push(Piece::Lit(",".into()));
            }
            pieces.push(make(n));
        }
    }

    /// A word for all fields of a kind, or the name of the only one
    fn every(&mut self, word: &str, like: FieldRef) -> Result<()> {
        self.skip_space();
        let start = self.at;
        if !self.rest().starts_with('$') {
            return self.expect(word);
        }
        let place = self.field(start)?;
        match place == like && self.fields.count(like) == 1 {
            true => Ok(()),
            false => Err(self.error(start, self.at, format!("expected `{word}` or the only one of them"))),
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
