//! Tokens of the preprocessor, which macros replace.

use std::rc::Rc;

/// Operators of several characters, the longest first
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "##",
];

/// A token
#[derive(Clone, Debug)]
pub(crate) struct Token {
    /// Its characters
    pub text: Rc<str>,
    /// Where it begins in the text
    pub start: usize,
    /// Blanks or comments precede it
    pub spaced: bool,
}

impl Token {
    /// Is it a name or a keyword?
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
}

/// Tokens of a text; comments and continuation lines are blanks
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let (mut all, mut at, mut spaced) = (Vec::new(), 0, false);
    while at < text.len() {
        let rest = &text[at..];
        if let Some(blank) = blank(rest) {
            spaced = true;
            at += blank;
            continue;
        }
        let length = length(rest);
        all.push(Token { text: rest[..length].into(), start: at, spaced });
        spaced = false;
        at += length;
    }
    all
}

/// Bytes of a blank, a comment or a continuation at the start
fn blank(rest: &str) -> Option<usize> {
    let until = |end: &str| rest[2..].find(end).map_or(rest.len(), |n| 2 + n);
    if rest.starts_with("//") {
        return Some(until("\n"));
    }
    if rest.starts_with("/*") {
        return Some((until("*/") + 2).min(rest.len()));
    }
    let first = rest.chars().next()?;
    let continued = first == '\\' && rest[1..].starts_with(['\n', '\r']);
    (continued || first.is_whitespace()).then_some(first.len_utf8())
}

/// Bytes of the token at the start of a text that is not empty
fn length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let digit = |n: usize| bytes.get(n).is_some_and(u8::is_ascii_digit);
    let end = |part: fn(char) -> bool| rest.find(|c| !part(c)).unwrap_or(rest.len());
    match bytes[0] {
        b'_' | b'a'..=b'z' | b'A'..=b'Z' => end(|c| c.is_ascii_alphanumeric() || c == '_'),
        first if digit(0) || first == b'.' && digit(1) => number(bytes),
        quote @ (b'\'' | b'"') => literal(bytes, quote),
        _ => match OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
            Some(operator) => operator.len(),
            None => rest.chars().next().map_or(1, char::len_utf8),
        },
    }
}

fn number(bytes: &[u8]) -> usize {
    let hex = bytes.len() > 1 && bytes[1].eq_ignore_ascii_case(&b'x');
    let exponent = if hex { b'p' } else { b'e' };
    let part = |n: usize| match bytes[n] {
        b'+' | b'-' => bytes[n - 1].eq_ignore_ascii_case(&exponent),
        b'.' | b'_' => true,
        other => other.is_ascii_alphanumeric(),
    };
    (1..bytes.len()).find(|n| !part(*n)).unwrap_or(bytes.len())
}

fn literal(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        // What follows a backslash does not end the literal; it is one byte of ASCII where C allows it.
        at += if bytes[at] == b'\\' && bytes.get(at + 1).is_some_and(u8::is_ascii) { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// May a token follow a text without a blank, so that both stay the tokens they are?
pub(super) fn joins(before: &str, after: &Token) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '\'' | '"');
    let operator = |c: char| !word(c) && !matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';');
    let (Some(last), Some(first)) = (before.chars().last(), after.text.chars().next()) else { return true };
    !(after.spaced || word(last) && word(first) || operator(last) && operator(first))
}
