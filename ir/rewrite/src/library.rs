//! Rules and strategies by name, for passes that let a text choose.
//!
//! A named strategy is a text with parameters: each word of it that is a parameter's name stands for the value given. So
//! `tile(a, m) = at(a) splitJoin(m)` makes `at(A) splitJoin((4 * @t))` of `tile(A, 4 * @t)`.

use crate::codes;
use crate::rule::{Rule, check_args};
use crate::strategy::{ParseStrategyError, Strategy};
use std::fmt;
use terrace_diag::{Diagnostic, nearest};

/// A strategy with a name
pub struct Named {
    /// Its name
    pub name: &'static str,
    /// Names of its parameters
    pub parameters: &'static [&'static str],
    /// Its text, which may name others
    pub text: &'static str,
    /// What it is for
    pub docs: &'static str,
}

/// Rules and strategies in addition to those of ops
#[derive(Clone, Copy, Default)]
pub struct Library {
    /// Rules
    pub rules: &'static [&'static [&'static dyn Rule]],
    /// Strategies
    pub strategies: &'static [Named],
}

/// Deepest nesting of named strategies in each other
const DEPTH: usize = 32;

/// What a text may choose from
pub struct Choice<'a> {
    /// All rules; several may have one name, then the first that applies is meant
    pub all: Vec<&'static dyn Rule>,
    /// Strategies
    pub strategies: &'static [Named],
    /// If not empty, the only rules that may be named; `rules` stands for the first of them that applies
    pub only: &'a [String],
}

impl Choice<'_> {
    /// The rules of this name
    pub fn find(&self, name: &str) -> Result<Vec<&'static dyn Rule>, Diagnostic> {
        let found: Vec<_> = self.all.iter().copied().filter(|rule| rule.name() == name).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let error = Diagnostic::error(&codes::UNKNOWN_RULE, format!("unknown rule `{name}`"));
        let strategies = self.strategies.iter().map(|named| named.name);
        Err(match nearest(name, self.all.iter().map(|rule| rule.name()).chain(strategies)) {
            Some(close) => error.help(format!("did you mean `{close}`?")),
            None => error.help("`--list-rules` shows all rules"),
        })
    }

    /// A strategy over names as one over rules
    pub fn resolve(&self, text: &Strategy<String>) -> Result<Strategy, Diagnostic> {
        self.resolve_at(text, 0)
    }

    fn resolve_at(&self, text: &Strategy<String>, depth: usize) -> Result<Strategy, Diagnostic> {
        let wrong = |message: String| Diagnostic::error(&codes::UNKNOWN_RULE, message);
        text.resolve(&mut |name: &String, args: &[String]| {
            if name == "rules" && !self.only.is_empty() {
                let rules: Result<Vec<_>, _> = self.only.iter().map(|name| self.find(name)).collect();
                return Ok(first_of(rules?.concat(), &[]));
            }
            if let Some(named) = self.strategies.iter().find(|named| named.name == name) {
                if depth >= DEPTH {
                    return Err(wrong(format!("strategy `{name}` is nested too deep")));
                }
                let text = expand(named, args).map_err(|error| wrong(error.to_string()))?;
                return self.resolve_at(&text, depth + 1);
            }
            if depth == 0 && !self.only.is_empty() && !self.only.contains(name) {
                let message = format!("the strategy names rule `{name}`, which is not one of its `rules`");
                return Err(wrong(message));
            }
            let rules = self.find(name)?;
            let checked = rules.iter().try_for_each(|rule| check_args(*rule, args));
            checked.map_err(|error| wrong(error.to_string()))?;
            Ok(first_of(rules, args))
        })
    }
}

fn first_of(rules: Vec<&'static dyn Rule>, args: &[String]) -> Strategy {
    let one = |rule| match args.is_empty() {
        true => Strategy::Rule(rule),
        false => Strategy::With(rule, args.to_vec()),
    };
    match rules.as_slice() {
        [only] => one(*only),
        _ => Strategy::First(rules.into_iter().map(one).collect()),
    }
}

/// Why a named strategy is none with these values
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotExpanded {
    /// It takes another number of values
    Count {
        /// Its name
        strategy: &'static str,
        /// Names of its parameters
        parameters: &'static [&'static str],
        /// Number of values
        given: usize,
    },
    /// With the values its text is no strategy
    Text {
        /// Its name
        strategy: &'static str,
        /// Its text
        text: String,
        /// Why not
        error: ParseStrategyError,
    },
}

impl fmt::Display for NotExpanded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotExpanded::Count { strategy, parameters, given } => {
                write!(f, "strategy `{strategy}` takes ({}), not {given} values", parameters.join(", "))
            }
            NotExpanded::Text { strategy, text, error } => {
                write!(f, "strategy `{strategy}` = `{text}`: {error}")
            }
        }
    }
}

impl std::error::Error for NotExpanded {}

/// The strategy with values for its parameters
pub fn expand(named: &Named, args: &[String]) -> Result<Strategy<String>, NotExpanded> {
    let (name, parameters) = (named.name, named.parameters);
    if args.len() != parameters.len() {
        return Err(NotExpanded::Count { strategy: name, parameters, given: args.len() });
    }
    let value = |word: &str| parameters.iter().position(|name| *name == word).map(|n| args[n].as_str());
    let text = substitute(named.text, &value);
    text.parse().map_err(|error| NotExpanded::Text { strategy: name, text, error })
}

/// A text with values for its words; `@n` and `$l` are no words
fn substitute<'a>(text: &str, value: &dyn Fn(&str) -> Option<&'a str>) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | '$' | '#');
    let (mut out, mut rest) = (String::new(), text);
    while !rest.is_empty() {
        let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        match value(&rest[..word]) {
            Some(value) if value.chars().all(is_word) => out.push_str(value),
            Some(value) => out.push_str(&format!("({value})")),
            None => out.push_str(&rest[..word]),
        }
        let next = rest[word..].find(is_word).map_or(rest.len(), |n| word + n);
        out.push_str(&rest[word..next]);
        rest = &rest[next..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TILE: Named =
        Named { name: "tile", parameters: &["a", "m", "k"], text: "at(a) s(m); t(m * 2 + @m, k)?", docs: "" };

    #[test]
    fn parameters_stand_for_values() {
        let text = expand(&TILE, &["A".into(), "@n / 2".into(), "4".into()]).expect("three values");
        assert_eq!(text.to_string(), "at(A) s((@n / 2)); t((@n / 2) * 2 + @m, 4)?");
        assert!(expand(&TILE, &["4".into()]).is_err());
    }

    #[test]
    fn what_a_name_stands_for_may_name_others() {
        static LOOP: &[Named] = &[Named { name: "again", parameters: &[], text: "again", docs: "" }];
        let choice = Choice { all: Vec::new(), strategies: LOOP, only: &[] };
        let endless = choice.resolve(&Strategy::Rule("again".to_string())).err().expect("has no end");
        assert!(endless.message.contains("too deep"), "{}", endless.message);
    }
}
