//! The text of `#[asm("…")]`: errors get the place in the string literal where the compiler allows.

use crate::fields::{FieldRef, Fields};
use syn::{LitStr, Result};
pub use terrace_asm_format::{Piece, contains};

/// Parse a format
pub fn parse(literal: &LitStr, fields: &Fields) -> Result<Vec<Piece>> {
    let text = literal.value();
    terrace_asm_format::parse(&text, fields).map_err(|error| {
        // Offsets agree only where the literal has no escapes; the compiler gives the part's span on nightly only.
        let token = literal.token();
        let plain = token.to_string().len() == text.len() + 2;
        let span = if plain { token.subspan(error.start + 1..error.end + 1) } else { None };
        syn::Error::new(span.unwrap_or(literal.span()), error.message)
    })
}

impl terrace_asm_format::Fields for Fields {
    fn find(&self, name: &str) -> Option<FieldRef> {
        Fields::find(self, name)
    }

    fn unknown(&self, name: &str) -> String {
        Fields::unknown(self, name)
    }

    fn may_be_absent(&self, place: FieldRef) -> bool {
        Fields::may_be_absent(self, place)
    }

    fn count(&self, like: FieldRef) -> usize {
        match like {
            FieldRef::Operand(_) => self.operands.len(),
            FieldRef::Result(_) => self.results.len(),
            FieldRef::Attr(_) => self.attrs.len(),
            FieldRef::Region(_) => self.regions.len(),
            FieldRef::Successor(_) => self.successors.len(),
        }
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
