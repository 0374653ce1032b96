//! Statements about parameters: `@T <= 64`, `@m.A in {seq, fused}`, `any(@m.A, @m.B) in {block.x}`, and, or, not.
//!
//! Groups stand in brackets, `[… or …] and …`, since parentheses belong to sizes. A word stands for its number where a
//! parameter of words is in a size. As a property a statement is nested lists.

use crate::domain::Value;
use std::fmt;
use terrace_analysis::nat::Nat;
use terrace_diag::Reported;
use terrace_dialect_array::nat_text::{nat_attr, nat_of, parse_nat};
use terrace_ir::{Attr, AttrForm, Context, attr_rules};
use terrace_text::OpParser;

attr_rules! {
    /// A statement about parameters
    FormulaAttr "statement about parameters", AttrForm::Full, |cx, attr| Formula::from_attr(cx, attr).is_some();
    /// Statements, each with the size that holds in its case
    CasesAttr "list of statements with sizes", AttrForm::Full, |cx, attr| cases(cx, attr).is_some();
}

/// Deepest brackets
const MAX_NESTING: usize = 200;

/// A size by cases, from a property: that of the first statement that holds
pub fn cases(cx: &Context, attr: Attr) -> Option<Vec<(Formula, Nat)>> {
    let one = |case: &Attr| match case.as_array(cx)? {
        [formula, size] => Some((Formula::from_attr(cx, *formula)?, nat_of(cx, *size)?)),
        _ => None,
    };
    attr.as_array(cx)?.iter().map(one).collect()
}

/// A size by cases, as a property
pub fn cases_attr(cx: &Context, all: &[(Formula, Nat)]) -> Attr {
    let one = |(formula, size): &(Formula, Nat)| cx.array_attr(&[formula.to_attr(cx), nat_attr(cx, size)]);
    cx.array_attr(&all.iter().map(one).collect::<Vec<_>>())
}

terrace_support::words! {
    /// A comparison; longer signs first, so that a reader may try them in order
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[allow(missing_docs)]
    pub enum Compare {
        Eq = "==", Ne = "!=", Le = "<=", Lt = "<", Ge = ">=", Gt = ">",
        /// The first divides the second
        Divides = "divides",
    }
}

/// A statement
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// Decided
    Known(bool),
    /// Some of the parameters has one of the values
    Any(Vec<String>, Vec<Value>),
    /// A comparison of sizes
    Compare(Compare, Nat, Nat),
    /// All of them
    And(Vec<Formula>),
    /// One of them
    Or(Vec<Formula>),
    /// The contrary
    Not(Box<Formula>),
}

impl Formula {
    /// As a property
    pub fn to_attr(&self, cx: &Context) -> Attr {
        let word = |text: &str| cx.str_attr(text);
        let list = |sign: &str, all: &[Formula]| {
            let parts: Vec<Attr> =
                std::iter::once(word(sign)).chain(all.iter().map(|each| each.to_attr(cx))).collect();
            cx.array_attr(&parts)
        };
        match self {
            Formula::Known(known) => cx.array_attr(&[word(if *known { "true" } else { "false" })]),
            Formula::Any(names, values) => {
                let names: Vec<Attr> = names.iter().map(|name| word(name)).collect();
                let values: Vec<Attr> = values.iter().map(|value| value.to_attr(cx)).collect();
                cx.array_attr(&[word("in"), cx.array_attr(&names), cx.array_attr(&values)])
            }
            Formula::Compare(cmp, a, b) => {
                cx.array_attr(&[word(cmp.word()), nat_attr(cx, a), nat_attr(cx, b)])
            }
            Formula::And(all) => list("and", all),
            Formula::Or(all) => list("or", all),
            Formula::Not(inner) => cx.array_attr(&[word("not"), inner.to_attr(cx)]),
        }
    }

    /// From a property
    pub fn from_attr(cx: &Context, attr: Attr) -> Option<Formula> {
        Formula::decode(cx, attr, 0)
    }

    fn decode(cx: &Context, attr: Attr, depth: usize) -> Option<Formula> {
        let parts = attr.as_array(cx).filter(|_| depth <= MAX_NESTING)?;
        let (sign, rest) = parts.split_first()?;
        let all =
            || rest.iter().map(|each| Formula::decode(cx, *each, depth + 1)).collect::<Option<Vec<_>>>();
        Some(match (sign.as_str(cx)?, rest) {
            ("true", []) => Formula::Known(true),
            ("false", []) => Formula::Known(false),
            ("in", [names, values]) => {
                let names = names.as_array(cx)?.iter().map(|name| Some(name.as_str(cx)?.to_string()));
                let values = values.as_array(cx)?.iter().map(|value| Value::from_attr(cx, *value));
                let (names, values): (Vec<_>, Vec<_>) =
                    (names.collect::<Option<_>>()?, values.collect::<Option<_>>()?);
                (!names.is_empty() && !values.is_empty()).then_some(Formula::Any(names, values))?
            }
            ("and", [_, _, ..]) => Formula::And(all()?),
            ("or", [_, _, ..]) => Formula::Or(all()?),
            ("not", [inner]) => Formula::Not(Box::new(Formula::decode(cx, *inner, depth + 1)?)),
            (sign, [a, b]) => {
                let cmp = sign.parse::<Compare>().ok()?;
                Formula::Compare(cmp, nat_of(cx, *a)?, nat_of(cx, *b)?)
            }
            _ => return None,
        })
    }

    pub(crate) fn parse(p: &mut OpParser<'_, '_>) -> Result<Formula, Reported> {
        Formula::disjunction(p, 0)
    }

    fn disjunction(p: &mut OpParser<'_, '_>, depth: usize) -> Result<Formula, Reported> {
        if depth > MAX_NESTING {
            return Err(p.error("nested too deep"));
        }
        let first = Formula::part(p, depth)?;
        for (word, make) in [("and", Formula::And as fn(Vec<Formula>) -> Formula), ("or", Formula::Or)] {
            if !p.keyword_opt(word) {
                continue;
            }
            let mut all = vec![first, Formula::part(p, depth)?];
            while p.keyword_opt(word) {
                all.push(Formula::part(p, depth)?);
            }
            let other = if word == "and" { "or" } else { "and" };
            if p.keyword_opt(other) {
                return Err(p.error("`and` beside `or` needs brackets: `[… and …] or …`"));
            }
            return Ok(make(all));
        }
        Ok(first)
    }

    fn part(p: &mut OpParser<'_, '_>, depth: usize) -> Result<Formula, Reported> {
        if p.punct_opt("[") {
            let inner = Formula::disjunction(p, depth + 1)?;
            p.punct("]")?;
            return Ok(inner);
        }
        if p.keyword_opt("not") {
            if depth > MAX_NESTING {
                return Err(p.error("nested too deep"));
            }
            return Ok(Formula::Not(Box::new(Formula::part(p, depth + 1)?)));
        }
        for (word, known) in [("true", true), ("false", false)] {
            if p.keyword_opt(word) {
                return Ok(Formula::Known(known));
            }
        }
        if p.keyword_opt("any") {
            p.punct("(")?;
            let mut names = vec![name(p)?];
            while p.punct_opt(",") {
                names.push(name(p)?);
            }
            p.punct(")")?;
            p.keyword("in")?;
            p.punct("{")?;
            return Ok(Formula::Any(names, Value::list(p)?));
        }
        let a = parse_nat(p)?;
        if p.keyword_opt("in") {
            let names = a.names();
            let own = names.first().filter(|own| Nat::symbol(own) == a);
            let Some(own) = own.cloned() else { return Err(p.error("`in` stands behind a parameter")) };
            p.punct("{")?;
            return Ok(Formula::Any(vec![own], Value::list(p)?));
        }
        for cmp in Compare::ALL {
            let sign = cmp.word();
            let found = if *cmp == Compare::Divides { p.keyword_opt(sign) } else { p.punct_opt(sign) };
            if found {
                return Ok(Formula::Compare(*cmp, a, parse_nat(p)?));
            }
        }
        Err(p.error("expected `in {…}` or a comparison: == != <= < >= > divides"))
    }

    /// The parameters and sizes that it speaks of, each once
    pub fn names(&self) -> Vec<String> {
        let (mut out, mut pending) = (Vec::new(), vec![self]);
        while let Some(each) = pending.pop() {
            match each {
                Formula::Known(_) => {}
                Formula::Any(names, _) => out.extend(names.iter().cloned()),
                Formula::Compare(_, a, b) => out.extend([a.names(), b.names()].concat()),
                Formula::And(all) | Formula::Or(all) => pending.extend(all),
                Formula::Not(inner) => pending.push(inner),
            }
        }
        out.sort();
        out.dedup();
        out
    }

    /// The parts that name values
    pub fn memberships(&self) -> Vec<(&[String], &[Value])> {
        let (mut out, mut pending) = (Vec::new(), vec![self]);
        while let Some(each) = pending.pop() {
            match each {
                Formula::Any(names, values) => out.push((&names[..], &values[..])),
                Formula::And(all) | Formula::Or(all) => pending.extend(all),
                Formula::Not(inner) => pending.push(inner),
                Formula::Known(_) | Formula::Compare(..) => {}
            }
        }
        out
    }
}

fn name(p: &mut OpParser<'_, '_>) -> Result<String, Reported> {
    let name = p.symbol_name()?;
    Ok(p.cx().str(name).to_string())
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = |each: &Formula| matches!(each, Formula::And(_) | Formula::Or(_));
        let list = |f: &mut fmt::Formatter<'_>, all: &[Formula], sign: &str| {
            for (n, each) in all.iter().enumerate() {
                if n > 0 {
                    write!(f, " {sign} ")?;
                }
                if group(each) { write!(f, "[{each}]")? } else { write!(f, "{each}")? }
            }
            Ok(())
        };
        match self {
            Formula::Known(known) => write!(f, "{known}"),
            Formula::Any(names, values) => {
                let names: Vec<String> = names.iter().map(|name| format!("@{name}")).collect();
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                match &names[..] {
                    [one] => write!(f, "{one} in {{{}}}", values.join(", ")),
                    _ => write!(f, "any({}) in {{{}}}", names.join(", "), values.join(", ")),
                }
            }
            Formula::Compare(cmp, a, b) => write!(f, "{a} {} {b}", cmp.word()),
            Formula::And(all) => list(f, all, "and"),
            Formula::Or(all) => list(f, all, "or"),
            Formula::Not(inner) if group(inner) => write!(f, "not [{inner}]"),
            Formula::Not(inner) => write!(f, "not {inner}"),
        }
    }
}
