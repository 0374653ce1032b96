//! Values of a parameter: a range with a step, a list of numbers, the divisors of a size, or words.

use std::fmt;
use terrace_analysis::nat::{Nat, NatError};
use terrace_diag::Reported;
use terrace_dialect_array::nat_text::{nat_attr, nat_of, parse_nat};
use terrace_ir::{Attr, AttrForm, Context, attr_rules};
use terrace_text::OpParser;

attr_rules! {
    /// Values of a parameter
    DomainAttr "domain (a range, a list of numbers or words, divisors)", AttrForm::Full,
        |cx, attr| Domain::from_attr(cx, attr).is_some();
}

/// A value: a number or a word
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A number
    Int(i64),
    /// A word, as a level
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(value) => write!(f, "{value}"),
            Value::Word(word) => f.write_str(word),
        }
    }
}

impl Value {
    /// As a property
    pub fn to_attr(&self, cx: &Context) -> Attr {
        match self {
            Value::Int(value) => cx.int_attr((*value).into(), cx.common().i64),
            Value::Word(word) => cx.str_attr(word),
        }
    }

    /// From a property
    pub fn from_attr(cx: &Context, attr: Attr) -> Option<Value> {
        match attr.as_str(cx) {
            Some(word) => Some(Value::Word(word.to_string())),
            None => attr.as_i64(cx).map(Value::Int),
        }
    }

    /// `{1, 2}` or `{seq, thread.x}`, after the brace
    pub(crate) fn list(p: &mut OpParser<'_, '_>) -> Result<Vec<Value>, Reported> {
        let mut values = Vec::new();
        loop {
            values.push(match p.any_keyword_opt() {
                Some(word) => Value::Word(word.to_string()),
                None => Value::Int(p.int64()?),
            });
            if !p.punct_opt(",") {
                p.punct("}")?;
                return Ok(values);
            }
        }
    }
}

/// Values of a parameter
#[derive(Clone, PartialEq, Debug)]
pub enum Domain {
    /// From the first to the last, in steps
    Range(Nat, Nat, Nat),
    /// These
    Values(Vec<Value>),
    /// Numbers from 1 that divide a size
    Divisors(Nat),
}

/// Most values of a domain
pub const MOST_VALUES: usize = 4096;

impl Domain {
    /// As a property: a list, or words and sizes
    pub fn to_attr(&self, cx: &Context) -> Attr {
        let word = |text: &str| cx.str_attr(text);
        let parts = match self {
            Domain::Range(first, last, step) => {
                vec![word("range"), nat_attr(cx, first), nat_attr(cx, last), nat_attr(cx, step)]
            }
            Domain::Divisors(size) => vec![word("divides"), nat_attr(cx, size)],
            Domain::Values(values) => {
                let values: Vec<Attr> = values.iter().map(|value| value.to_attr(cx)).collect();
                vec![word("in"), cx.array_attr(&values)]
            }
        };
        cx.array_attr(&parts)
    }

    /// From a property
    pub fn from_attr(cx: &Context, attr: Attr) -> Option<Domain> {
        let parts = attr.as_array(cx)?;
        let nat = |n: usize| nat_of(cx, *parts.get(n)?);
        Some(match (parts.first()?.as_str(cx)?, parts.len()) {
            ("range", 4) => Domain::Range(nat(1)?, nat(2)?, nat(3)?),
            ("divides", 2) => Domain::Divisors(nat(1)?),
            ("in", 2) => {
                let values = parts.get(1)?.as_array(cx)?.iter().map(|value| Value::from_attr(cx, *value));
                Domain::Values(values.collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    /// `in 1 to 64 step 4`, `in {1, 2}`, `divides @n`
    pub(crate) fn parse(p: &mut OpParser<'_, '_>) -> Result<Domain, Reported> {
        if p.keyword_opt("divides") {
            return Ok(Domain::Divisors(parse_nat(p)?));
        }
        p.keyword("in")?;
        if p.punct_opt("{") {
            return Ok(Domain::Values(Value::list(p)?));
        }
        let first = parse_nat(p)?;
        p.keyword("to")?;
        let last = parse_nat(p)?;
        let step = if p.keyword_opt("step") { parse_nat(p)? } else { Nat::from(1) };
        Ok(Domain::Range(first, last, step))
    }

    /// The names of sizes that it speaks of
    pub fn names(&self) -> Vec<String> {
        match self {
            Domain::Range(a, b, c) => [a, b, c].into_iter().flat_map(|nat| nat.names()).collect(),
            Domain::Divisors(size) => size.names(),
            Domain::Values(_) => Vec::new(),
        }
    }

    /// What is wrong with it, if its numbers are known
    pub(crate) fn problem(&self) -> Option<String> {
        let constant = Nat::as_constant;
        match self {
            Domain::Range(first, last, step) => {
                if constant(step).is_some_and(|step| step < 1) {
                    return Some(format!("a range has steps of at least 1, not {step}"));
                }
                let (first, last) = (constant(first)?, constant(last)?);
                (first > last).then(|| format!("a range runs from {first} down to {last}"))
            }
            Domain::Divisors(size) => {
                constant(size).filter(|size| *size < 1).map(|size| format!("nothing divides {size} only"))
            }
            Domain::Values(values) => {
                let words = values.iter().filter(|value| matches!(value, Value::Word(_))).count();
                let mut sorted = values.clone();
                sorted.sort();
                sorted.dedup();
                if values.is_empty() {
                    Some("there are no values".into())
                } else if words != 0 && words != values.len() {
                    Some("values are numbers or words, not both".into())
                } else if sorted.len() != values.len() {
                    let twice = values.iter().enumerate().find(|(n, value)| values[..*n].contains(value));
                    twice.map(|(_, value)| format!("the value `{value}` stands twice"))
                } else if values.len() > MOST_VALUES {
                    Some(format!("{} values, and at most {MOST_VALUES} can be looked at", values.len()))
                } else {
                    None
                }
            }
        }
    }

    /// May the parameter be that, as far as is known?
    pub(crate) fn may_be(&self, value: &Value) -> bool {
        match (self, value) {
            (Domain::Values(values), value) => values.contains(value),
            (_, Value::Word(_)) => false,
            (Domain::Range(first, last, step), Value::Int(value)) => {
                let (first, last, step) = (first.as_constant(), last.as_constant(), step.as_constant());
                first.is_none_or(|first| *value >= first)
                    && last.is_none_or(|last| *value <= last)
                    && first
                        .zip(step)
                        .is_none_or(|(first, step)| (value - first).checked_rem(step) == Some(0))
            }
            (Domain::Divisors(size), Value::Int(value)) => {
                *value > 0 && size.as_constant().is_none_or(|size| size % value == 0)
            }
        }
    }

    /// The numbers in ascending order, with the values of sizes; why not, if there are words or too many
    pub fn numbers(&self, size: &dyn Fn(&str) -> Option<i64>) -> Result<Vec<i64>, NoNumbers> {
        let number = |nat: &Nat| {
            let put = nat.substitute(&|name| size(name).map(Nat::from)).map_err(NoNumbers::Size)?;
            put.as_constant().ok_or_else(|| NoNumbers::Open(nat.clone()))
        };
        match self {
            Domain::Range(first, last, step) => {
                let (first, last, step) = (number(first)?, number(last)?, number(step)?.max(1));
                let count = last.checked_sub(first).map_or(i64::MAX, |span| span / step);
                if count >= MOST_VALUES as i64 {
                    return Err(NoNumbers::TooMany { first, last });
                }
                Ok((first..=last).step_by(step as usize).collect())
            }
            Domain::Divisors(size) => {
                let size = number(size)?;
                // In pairs: a divisor up to the root, and what it leaves.
                let low: Vec<i64> = (1..=size.isqrt_or_zero()).filter(|n| size % n == 0).collect();
                let mut all: Vec<i64> = low.iter().flat_map(|n| [*n, size / n]).collect();
                all.sort_unstable();
                all.dedup();
                Ok(all)
            }
            Domain::Values(values) => {
                let mut all = Vec::new();
                for value in values {
                    match value {
                        Value::Int(value) => all.push(*value),
                        Value::Word(word) => return Err(NoNumbers::Word(word.clone())),
                    }
                }
                all.sort_unstable();
                Ok(all)
            }
        }
    }
}

/// Why the values of a parameter cannot be listed as numbers
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoNumbers {
    /// A size that does not come out
    Size(NatError),
    /// A size without a value
    Open(Nat),
    /// A range of too many
    TooMany {
        /// Its first number
        first: i64,
        /// Its last number
        last: i64,
    },
    /// A value that is a word
    Word(String),
}

impl fmt::Display for NoNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(error) => error.fmt(f),
            Self::Open(nat) => write!(f, "{nat} has no value yet"),
            Self::TooMany { first, last } => {
                write!(f, "{first} to {last} are more than {MOST_VALUES} values")
            }
            Self::Word(word) => write!(f, "`{word}` is no number"),
        }
    }
}

impl std::error::Error for NoNumbers {}

trait Root {
    fn isqrt_or_zero(self) -> i64;
}

impl Root for i64 {
    fn isqrt_or_zero(self) -> i64 {
        self.checked_isqrt().unwrap_or(0)
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Range(first, last, step) => {
                write!(f, "in {first} to {last}")?;
                if step.as_constant() != Some(1) {
                    write!(f, " step {step}")?;
                }
                Ok(())
            }
            Domain::Divisors(size) => write!(f, "divides {size}"),
            Domain::Values(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "in {{{}}}", values.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_domains() {
        let size = |name: &str| (name == "n").then_some(12);
        let nat = |text: &str| text.parse::<Nat>().expect("a size");
        assert_eq!(Domain::Divisors(nat("@n")).numbers(&size), Ok(vec![1, 2, 3, 4, 6, 12]));
        assert_eq!(Domain::Range(nat("3"), nat("@n"), nat("4")).numbers(&size), Ok(vec![3, 7, 11]));
        assert_eq!(Domain::Divisors(nat("@k")).numbers(&size), Err(NoNumbers::Open(nat("@k"))));
        assert!(Domain::Range(nat("0"), nat("10000"), nat("1")).numbers(&size).is_err());
        assert_eq!(Domain::Divisors(nat("16")).numbers(&size), Ok(vec![1, 2, 4, 8, 16]));
    }
}
