//! Words after a buffer's region: how it is filled, stored and emptied. They change no value.
//!
//! As a token a word is `nt` or `stages=2`; in text a blank stands for the sign. A number may be a hole.

use crate::draft::Token;
use crate::text::field::Reader;

/// The words of a buffer
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// The copy-out uses non-temporal stores: no later code reads the result soon
    pub nt: bool,
    /// Number of stages: copies into the buffer run this number less one of iterations ahead
    pub stages: Option<i64>,
    /// Each row is rotated by this number of elements against the row before
    pub swizzle: Option<i64>,
    /// Groups of this number of elements are permuted within each row, by exclusive or with the row's number
    pub xor: Option<i64>,
    /// Elements are prefetched this number of iterations of the enclosing loop before their read
    pub prefetch: Option<i64>,
}

/// Words, and whether they take a number
pub(crate) const KNOWN: [(&str, bool); 5] =
    [("nt", false), ("stages", true), ("swizzle", true), ("xor", true), ("prefetch", true)];

impl Words {
    /// As tokens, in a fixed order
    pub fn tokens(self) -> Vec<String> {
        let number = |word: &str, value: Option<i64>| value.map(|value| format!("{word}={value}"));
        let nt = self.nt.then(|| "nt".to_owned());
        let numbered = [
            number("stages", self.stages),
            number("swizzle", self.swizzle),
            number("xor", self.xor),
            number("prefetch", self.prefetch),
        ];
        nt.into_iter().chain(numbered.into_iter().flatten()).collect()
    }

    /// Is nothing said?
    pub fn is_empty(self) -> bool {
        self == Words::default()
    }

    /// One more, from its token
    pub(crate) fn add(&mut self, token: &Token) -> Result<(), String> {
        let (name, value) = match token.text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (token.text.as_str(), None),
        };
        let Some((name, numbered)) = KNOWN.iter().find(|(known, _)| *known == name) else {
            let near = KNOWN.iter().find(|(known, _)| {
                known.starts_with(name)
                    || name.starts_with(known)
                    || name.get(..3).is_some_and(|n| known.starts_with(n))
            });
            return Err(match near {
                Some((near, _)) => format!("S-WORD: `{name}` is no word; `{near}` is"),
                None => format!(
                    "S-WORD: `{name}` is no word; words are nt, stages N, swizzle N, xor N, prefetch N"
                ),
            });
        };
        let number = match (value, numbered) {
            (None, false) => None,
            (Some(value), true) => {
                let mut reader = Reader { rest: value };
                let number = reader.number()?;
                if !reader.rest.is_empty() {
                    return Err(format!("S-SYNTAX: `{}` is too much in `{name} {value}`", reader.rest));
                }
                Some(number)
            }
            (Some(_), false) => return Err(format!("S-WORD: `{name}` takes no number")),
            (None, true) => return Err(format!("S-WORD: `{name}` takes a number, such as `{name} 2`")),
        };
        let twice = match *name {
            "nt" => std::mem::replace(&mut self.nt, true),
            "stages" => std::mem::replace(&mut self.stages, number).is_some(),
            "swizzle" => std::mem::replace(&mut self.swizzle, number).is_some(),
            "xor" => std::mem::replace(&mut self.xor, number).is_some(),
            _ => std::mem::replace(&mut self.prefetch, number).is_some(),
        };
        if twice { Err(format!("S-WORD: `{name}` twice")) } else { Ok(()) }
    }
}

/// A word's token as text
pub(crate) fn spaced(token: &str) -> String {
    token.replacen('=', " ", 1)
}
