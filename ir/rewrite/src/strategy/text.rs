//! Strategies as text.
//!
//! ```text
//! strategy := seq ('|' seq)*                   the first that applies
//! seq      := part (';' part)*                 one after the other
//! part     := 'at' '(' NAME ')' part            at the ops of this name
//!           | atom ('*' | '?')*                as often as it applies; once if it applies
//! atom     := NAME ['(' ARG (',' ARG)* ')'] | '(' strategy ')' | WHERE '(' strategy ')' | 'repeat' '(' strategy [',' NUMBER] ')'
//! WHERE    := 'topdown' | 'bottomup' | 'somewhere' | 'try'
//! ```
//!
//! An `ARG` is any text with balanced parentheses and no comma outside of them: what it means is the rule's.
//!
//! `parse ∘ print` is the identity.

use super::Strategy;
use std::fmt;
use std::str::FromStr;

/// Deepest nesting of a text
const DEPTH: usize = 100;

/// Why a text is no strategy
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseStrategyError {
    /// Byte where it went wrong
    pub at: usize,
    /// What was expected
    pub message: String,
}

impl fmt::Display for ParseStrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.message, self.at)
    }
}

impl std::error::Error for ParseStrategyError {}

impl fmt::Display for Strategy<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, f, 0)
    }
}

/// In parentheses where the place binds tighter: 0 alternatives, 1 sequences, 2 a single one, 3 what `*` stands behind
fn show(strategy: &Strategy<String>, f: &mut fmt::Formatter<'_>, place: usize) -> fmt::Result {
    let (level, parts, between) = match strategy {
        Strategy::First(parts) => (0, parts, " | "),
        Strategy::Seq(parts) => (1, parts, "; "),
        Strategy::At(..) if place == 3 => {
            f.write_str("(")?;
            single(strategy, f)?;
            return f.write_str(")");
        }
        _ => return single(strategy, f),
    };
    let open = level < place;
    f.write_str(if open { "(" } else { "" })?;
    for (n, part) in parts.iter().enumerate() {
        f.write_str(if n > 0 { between } else { "" })?;
        show(part, f, level + 1)?;
    }
    f.write_str(if open { ")" } else { "" })
}

fn single(strategy: &Strategy<String>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (name, part) = match strategy {
        Strategy::Rule(name) => return f.write_str(name),
        Strategy::With(name, args) => return write!(f, "{name}({})", args.join(", ")),
        Strategy::At(name, part) => {
            write!(f, "at({name}) ")?;
            return show(part, f, 2);
        }
        Strategy::Try(part) => {
            show(part, f, 3)?;
            return f.write_str("?");
        }
        Strategy::Repeat(part, None) => {
            show(part, f, 3)?;
            return f.write_str("*");
        }
        Strategy::Repeat(part, Some(times)) => {
            f.write_str("repeat(")?;
            show(part, f, 0)?;
            return write!(f, ", {times})");
        }
        Strategy::Somewhere(part) => ("somewhere", part),
        Strategy::TopDown(part) => ("topdown", part),
        Strategy::BottomUp(part) => ("bottomup", part),
        Strategy::Seq(_) | Strategy::First(_) => return show(strategy, f, 2),
    };
    write!(f, "{name}(")?;
    show(part, f, 0)?;
    f.write_str(")")
}

impl FromStr for Strategy<String> {
    type Err = ParseStrategyError;

    fn from_str(text: &str) -> Result<Self, ParseStrategyError> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let strategy = parser.first()?;
        match parser.peek() {
            None => Ok(strategy),
            Some(_) => parser.fail("expected `;`, `|`, `*`, `?` or the end"),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn fail<T>(&self, message: impl Into<String>) -> Result<T, ParseStrategyError> {
        Err(ParseStrategyError { at: self.at, message: message.into() })
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&mut self) -> Option<char> {
        self.at += self.rest().len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn eat(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(symbol);
        self.at += if found { symbol.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, symbol: char) -> Result<(), ParseStrategyError> {
        if self.eat(symbol) { Ok(()) } else { self.fail(format!("expected `{symbol}`")) }
    }

    fn word(&mut self) -> &'a str {
        self.peek();
        let rest = self.rest();
        let len =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c))).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn first(&mut self) -> Result<Strategy<String>, ParseStrategyError> {
        let mut parts = vec![self.seq()?];
        while self.eat('|') {
            parts.push(self.seq()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Strategy::First(parts) })
    }

    fn seq(&mut self) -> Result<Strategy<String>, ParseStrategyError> {
        let mut parts = vec![self.part()?];
        while self.eat(';') {
            parts.push(self.part()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Strategy::Seq(parts) })
    }

    fn part(&mut self) -> Result<Strategy<String>, ParseStrategyError> {
        let mut part = self.atom()?;
        for _ in 0..DEPTH {
            if self.eat('*') {
                part = Strategy::Repeat(part.into(), None);
            } else if self.eat('?') {
                part = Strategy::Try(part.into());
            } else {
                return Ok(part);
            }
        }
        self.fail("too many `*` and `?`")
    }

    fn inside(&mut self) -> Result<Strategy<String>, ParseStrategyError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail("nested too deep");
        }
        let strategy = self.first()?;
        self.depth -= 1;
        Ok(strategy)
    }

    /// Values up to the closing parenthesis
    fn args(&mut self) -> Result<Vec<String>, ParseStrategyError> {
        let (mut args, mut depth, start) = (Vec::new(), 0usize, self.at);
        let mut from = 0;
        let rest = self.rest();
        for (n, c) in rest.char_indices() {
            let ends = depth == 0 && matches!(c, ',' | ')');
            if ends {
                let arg = rest[from..n].trim();
                if arg.is_empty() {
                    self.at = start + n;
                    return self.fail("expected a value");
                }
                args.push(arg.to_string());
                from = n + 1;
            }
            match c {
                ')' if depth == 0 => {
                    self.at = start + n + 1;
                    return Ok(args);
                }
                '(' | '<' => depth += 1,
                ')' | '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        self.at = self.text.len();
        self.fail("expected `)`")
    }

    fn atom(&mut self) -> Result<Strategy<String>, ParseStrategyError> {
        if self.eat('(') {
            let strategy = self.inside()?;
            self.expect(')')?;
            return Ok(strategy);
        }
        self.peek();
        let name = self.word();
        if name.is_empty() {
            return self
                .fail("expected a rule, `(`, `topdown(`, `bottomup(`, `somewhere(`, `try(` or `repeat(`");
        }
        if self.peek() != Some('(') {
            return Ok(Strategy::Rule(name.to_string()));
        }
        self.at += 1;
        if name == "at" {
            let called = self.word().to_string();
            if called.is_empty() {
                return self.fail("expected the name of an op");
            }
            self.expect(')')?;
            self.depth += 1;
            if self.depth > DEPTH {
                return self.fail("nested too deep");
            }
            let part = self.part()?;
            self.depth -= 1;
            return Ok(Strategy::At(called, part.into()));
        }
        if !["topdown", "bottomup", "somewhere", "try", "repeat"].contains(&name) {
            return Ok(Strategy::With(name.to_string(), self.args()?));
        }
        let part = Box::new(self.inside()?);
        let strategy = match name {
            "topdown" => Strategy::TopDown(part),
            "bottomup" => Strategy::BottomUp(part),
            "somewhere" => Strategy::Somewhere(part),
            "try" => Strategy::Try(part),
            "repeat" if self.eat(',') => {
                let number = self.word();
                match number.parse() {
                    Ok(times) => Strategy::Repeat(part, Some(times)),
                    Err(_) => return self.fail("expected a number of rounds"),
                }
            }
            "repeat" => Strategy::Repeat(part, None),
            _ => return self.fail("expected a strategy"),
        };
        self.expect(')')?;
        Ok(strategy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_there_and_back() {
        for (text, normal) in [
            ("a", "a"),
            ("topdown(a; b*)", "topdown(a; b*)"),
            (" a|b ;c? ", "a | b; c?"),
            ("(a | b); c", "(a | b); c"),
            ("(a; b) | c", "a; b | c"),
            ("(a; b)*", "(a; b)*"),
            ("repeat( try(a) , 3 )", "repeat(a?, 3)"),
            ("repeat(topdown(a))", "topdown(a)*"),
            ("bottomup(somewhere(x_1-y.z))", "bottomup(somewhere(x_1-y.z))"),
            ("((a))", "a"),
            ("at( A )splitJoin( 4 , (@n + 1) / 2 )*", "at(A) splitJoin(4, (@n + 1) / 2)*"),
            ("(at(A) at(B) a)*; b", "(at(A) at(B) a)*; b"),
            ("(a; (b; c))", "a; (b; c)"),
        ] {
            let strategy: Strategy<String> = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(strategy.to_string(), normal);
            assert_eq!(normal.parse(), Ok(strategy));
        }
    }

    #[test]
    fn what_is_wrong_is_told_where() {
        for (text, at) in [
            ("", 0),
            ("a;", 2),
            ("topdown(a", 9),
            ("a b", 2),
            ("foo(a", 5),
            ("foo(,)", 4),
            ("at() a", 3),
            ("repeat(a, x)", 11),
            ("a)", 1),
        ] {
            let error = text.parse::<Strategy<String>>().expect_err(text);
            assert_eq!(error.at, at, "{text}: {error}");
        }
        assert!("(".repeat(100_000).parse::<Strategy<String>>().is_err());
        assert!(format!("a{}", "*".repeat(100_000)).parse::<Strategy<String>>().is_err());
    }
}
