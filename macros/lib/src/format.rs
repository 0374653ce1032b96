//! Assembly formats: upstream's declarative syntax, parsed at compile time into `terrace_ir::asm::Asm` pieces.
//!
//! `` `literal` ``, `$name`, `type($name)`, `operands`, `type(operands)`, `type(results)`,
//! `functional-type(operands, results)`, `attr-dict`, `attr-dict-with-keyword`, `( … ^ … )?` with `: ( … )`.
//! Stable Rust has no spans inside of a literal: messages say the column and show the place.

use crate::fields::{Arity, Fields, Place};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{LitStr, Result};

/// A parsed piece
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Keyword or punctuation
    Lit(String),
    /// Space control
    Space(String),
    /// A field
    Field(Place),
    /// Type of an operand or result field
    TypeOf(Place),
    /// All operands
    Operands,
    /// Types of all operands
    OperandTypes,
    /// Types of all results
    ResultTypes,
    /// Function type of both
    FunctionalType,
    /// Attributes in braces
    AttrDict,
    /// The same after `attributes`
    AttrDictWithKeyword,
    /// Optional group
    Optional {
        /// Index of the anchor among `then`
        anchor: Place,
        /// When present
        then: Vec<Piece>,
        /// When absent
        otherwise: Vec<Piece>,
    },
}

struct Parser<'a> {
    literal: &'a LitStr,
    text: String,
    at: usize,
    fields: &'a Fields,
}

/// Parse a format against the op's fields
pub fn parse(literal: &LitStr, fields: &Fields) -> Result<Vec<Piece>> {
    let mut parser = Parser { literal, text: literal.value(), at: 0, fields };
    let (pieces, _) = parser.pieces(false)?;
    if parser.at < parser.text.len() {
        return Err(parser.error("unexpected `)`"));
    }
    Ok(pieces)
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn error(&self, message: &str) -> syn::Error {
        let from = self.text[..self.at].char_indices().rev().nth(11).map_or(0, |(at, _)| at);
        let around: String = self.text[from..].chars().take(28).collect();
        let column = self.text[..self.at].chars().count() + 1;
        syn::Error::new(
            self.literal.span(),
            format!("{message} (column {column} of the format, near `{around}`)"),
        )
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    fn word(&mut self) -> String {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let end = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
        let word = self.rest()[..end].to_string();
        self.at += end;
        word
    }

    /// Pieces up to `)` or the end, and the anchor among them
    fn pieces(&mut self, group: bool) -> Result<(Vec<Piece>, Option<Place>)> {
        let mut pieces = Vec::new();
        let mut anchor = None;
        loop {
            self.skip_space();
            if self.rest().is_empty() || self.rest().starts_with(')') {
                return Ok((pieces, anchor));
            }
            let start = self.at;
            let piece = self.piece()?;
            self.skip_space();
            if self.eat("^") {
                let place = match &piece {
                    Piece::Field(place) | Piece::TypeOf(place) => *place,
                    _ => {
                        self.at = start;
                        return Err(
                            self.error("`^` follows a field, which decides whether the group is printed")
                        );
                    }
                };
                if !group || anchor.replace(place).is_some() {
                    return Err(self.error("one `^` per optional group, and none outside"));
                }
            }
            pieces.push(piece);
        }
    }

    fn piece(&mut self) -> Result<Piece> {
        if self.eat("`") {
            let end = self.rest().find('`').ok_or_else(|| self.error("a literal ends with a backtick"))?;
            let text = self.rest()[..end].to_string();
            self.at += end + 1;
            return Ok(if text.trim().is_empty() { Piece::Space(text) } else { Piece::Lit(text) });
        }
        if self.eat("(") {
            return self.group();
        }
        if self.rest().starts_with('$') {
            return Ok(Piece::Field(self.variable()?));
        }
        let start = self.at;
        let word = self.word();
        match word.as_str() {
            "operands" => Ok(Piece::Operands),
            "attr-dict" => Ok(Piece::AttrDict),
            "attr-dict-with-keyword" => Ok(Piece::AttrDictWithKeyword),
            "functional-type" => {
                if self.eat("(operands, results)") {
                    return Ok(Piece::FunctionalType);
                }
                Err(self.error("write `functional-type(operands, results)`"))
            }
            "type" => {
                if !self.eat("(") {
                    return Err(self.error("write `type($field)`, `type(operands)` or `type(results)`"));
                }
                let piece = if self.rest().starts_with('$') {
                    match self.variable()? {
                        place @ (Place::Operand(_) | Place::Result(_)) => Piece::TypeOf(place),
                        _ => return Err(self.error("only operands and results have types")),
                    }
                } else {
                    match self.word().as_str() {
                        "operands" => Piece::OperandTypes,
                        "results" => Piece::ResultTypes,
                        _ => {
                            return Err(
                                self.error("write `type($field)`, `type(operands)` or `type(results)`")
                            );
                        }
                    }
                };
                if self.eat(")") { Ok(piece) } else { Err(self.error("expected `)`")) }
            }
            _ => {
                self.at = start;
                Err(self.error(
                    "expected a literal in backticks, `$field`, `type(…)`, `operands`, `functional-type(…)`, \
                     `attr-dict` or a group `( … )?`",
                ))
            }
        }
    }

    fn variable(&mut self) -> Result<Place> {
        let start = self.at;
        self.at += 1;
        let name = self.word();
        self.fields.find(&name).ok_or_else(|| {
            self.at = start;
            self.error(&format!("the op has no field `{name}`"))
        })
    }

    fn group(&mut self) -> Result<Piece> {
        let start = self.at - 1;
        let (then, anchor) = self.pieces(true)?;
        if !self.eat(")") {
            self.at = start;
            return Err(self.error("this group is not closed"));
        }
        let mut otherwise = Vec::new();
        self.skip_space();
        if self.eat(":") {
            self.skip_space();
            if !self.eat("(") {
                return Err(self.error("expected `(` after `:`"));
            }
            otherwise = self.pieces(false)?.0;
            if !self.eat(")") {
                return Err(self.error("expected `)`"));
            }
            self.skip_space();
        }
        if !self.eat("?") {
            return Err(self.error("a group is optional: `( … )?`"));
        }
        let Some(anchor) = anchor else {
            self.at = start;
            return Err(self.error("an optional group needs an anchor: `^` after one of its fields"));
        };
        Ok(Piece::Optional { anchor, then, otherwise })
    }
}

/// Is the type of this field said by the pieces?
pub fn says_type(pieces: &[Piece], place: Place, arity: Arity) -> bool {
    let _ = arity;
    pieces.iter().any(|piece| match piece {
        Piece::TypeOf(other) => *other == place,
        Piece::OperandTypes => matches!(place, Place::Operand(_)),
        Piece::ResultTypes => matches!(place, Place::Result(_)),
        Piece::FunctionalType => true,
        Piece::Optional { then, otherwise, .. } => {
            says_type(then, place, arity) || says_type(otherwise, place, arity)
        }
        _ => false,
    })
}

/// Tokens of a list of pieces
pub fn emit(pieces: &[Piece]) -> TokenStream {
    let pieces = pieces.iter().map(piece_tokens);
    quote!(&[#(#pieces),*])
}

fn piece_tokens(piece: &Piece) -> TokenStream {
    let asm = quote!(::terrace_ir::asm::Asm);
    match piece {
        Piece::Lit(text) => quote!(#asm::Lit(#text)),
        Piece::Space(text) => quote!(#asm::Space(#text)),
        Piece::Field(place) => field_tokens(*place, &asm),
        Piece::TypeOf(Place::Operand(n)) => {
            let n = *n as u8;
            quote!(#asm::OperandType(#n))
        }
        Piece::TypeOf(place) => {
            let n = index(*place);
            quote!(#asm::ResultType(#n))
        }
        Piece::Operands => quote!(#asm::Operands),
        Piece::OperandTypes => quote!(#asm::OperandTypes),
        Piece::ResultTypes => quote!(#asm::ResultTypes),
        Piece::FunctionalType => quote!(#asm::FunctionalType),
        Piece::AttrDict => quote!(#asm::AttrDict),
        Piece::AttrDictWithKeyword => quote!(#asm::AttrDictWithKeyword),
        Piece::Optional { anchor, then, otherwise } => {
            let anchor = field_tokens(*anchor, &quote!(::terrace_ir::asm::Anchor));
            let (then, otherwise) = (emit(then), emit(otherwise));
            quote!(#asm::Optional { anchor: #anchor, then: #then, otherwise: #otherwise })
        }
    }
}

fn index(place: Place) -> u8 {
    let (Place::Operand(n) | Place::Result(n) | Place::Attr(n) | Place::Region(n) | Place::Successor(n)) =
        place;
    n as u8
}

fn field_tokens(place: Place, of: &TokenStream) -> TokenStream {
    let n = index(place);
    match place {
        Place::Operand(_) => quote!(#of::Operand(#n)),
        Place::Result(_) => quote!(#of::Result(#n)),
        Place::Attr(_) => quote!(#of::Attr(#n)),
        Place::Region(_) => quote!(#of::Region(#n)),
        Place::Successor(_) => quote!(#of::Successor(#n)),
    }
}
