//! Sizes as text: `@n * @m`, `@n / 4`, `(@i + 3) floordiv @b mod 4`, `min(@a, @b)`, `@k ^ 2`, `$l`.
//!
//! `parse ∘ print` is the identity. `a mod b` is found again where a sum holds `a - b * (a floordiv b)`, larger `a` first.

use super::ratio::Ratio;
use super::{Atom, Nat, NatError, Product, Sum};
use std::fmt;
use std::str::FromStr;

/// Why a text is no size
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseNatError {
    /// Byte where it went wrong
    pub at: usize,
    /// What was expected, or why there is no such size
    pub message: String,
}

impl fmt::Display for ParseNatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseNatError {}

impl fmt::Display for Nat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (remainders, rest) = remainders(self);
        let mut first = true;
        let mut sign = |f: &mut fmt::Formatter<'_>, negative: bool| -> fmt::Result {
            let text = match (std::mem::replace(&mut first, false), negative) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            f.write_str(text)
        };
        let (constant, terms) = match rest.terms() {
            [terms @ .., (product, value)] if product.is_empty() => (Some(*value), terms),
            terms => (None, terms),
        };
        // `@n - @k` rather than `-@k + @n`.
        let start = terms.iter().position(|(_, coefficient)| coefficient.num() > 0).unwrap_or(0);
        let ordered =
            terms.get(start).into_iter().chain(&terms[..start]).chain(terms.get(start + 1..).unwrap_or(&[]));
        for (product, coefficient) in ordered {
            sign(f, coefficient.num() < 0)?;
            term(f, product, *coefficient)?;
        }
        for (a, b, factor) in &remainders {
            let negative = factor.terms().first().is_some_and(|(_, leading)| leading.num() < 0);
            sign(f, negative)?;
            let positive = if negative {
                factor.scaled(Ratio::whole(-1)).map_err(|_| fmt::Error)?
            } else {
                factor.clone()
            };
            match (positive.as_constant(), positive.terms()) {
                (Some(1), _) => write!(f, "{} mod {}", Operand(a), Operand(b))?,
                (_, [_]) => write!(f, "{positive} * ({} mod {})", Operand(a), Operand(b))?,
                _ => write!(f, "({positive}) * ({} mod {})", Operand(a), Operand(b))?,
            }
        }
        if let Some(value) = constant {
            sign(f, value.num() < 0)?;
            ratio(f, value)?;
        } else if terms.is_empty() && remainders.is_empty() {
            f.write_str("0")?;
        }
        Ok(())
    }
}

/// In parentheses unless it is one word
struct Operand<'a>(&'a Nat);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.0.terms() {
            [] => true,
            [(product, c)] if product.is_empty() => c.num() >= 0 && c.den() == 1,
            [(product, Ratio::ONE)] => {
                matches!(product.as_slice(), [(Atom::Symbol(_) | Atom::Bound(_) | Atom::Min(_), 1)])
            }
            _ => false,
        };
        if word { write!(f, "{}", self.0) } else { write!(f, "({})", self.0) }
    }
}

fn ratio(f: &mut fmt::Formatter<'_>, value: Ratio) -> fmt::Result {
    match value.den() {
        1 => write!(f, "{}", value.num().unsigned_abs()),
        den => write!(f, "{} / {den}", value.num().unsigned_abs()),
    }
}

/// Without its sign
fn term(f: &mut fmt::Formatter<'_>, product: &Product, coefficient: Ratio) -> fmt::Result {
    let number = coefficient.num().unsigned_abs();
    let below = |(atom, exponent): &&(Atom, i32)| (*exponent < 0) != matches!(atom, Atom::Inv(_));
    let above: Vec<&(Atom, i32)> = product.iter().filter(|factor| !below(factor)).collect();
    let alone = number == 1 && above.len() == 1;
    let mut between = "";
    if number != 1 || above.is_empty() {
        write!(f, "{number}")?;
        between = " * ";
    }
    for (atom, exponent) in above {
        f.write_str(between)?;
        between = " * ";
        factor(f, atom, exponent.unsigned_abs(), alone && product.len() == 1 && coefficient.den() == 1)?;
    }
    for (atom, exponent) in product.iter().filter(below) {
        // A power of a sum would be multiplied out when read.
        let (times, exponent) = if matches!(atom, Atom::Inv(_)) {
            (exponent.unsigned_abs(), 1)
        } else {
            (1, exponent.unsigned_abs())
        };
        for _ in 0..times {
            f.write_str(" / ")?;
            factor(f, atom, exponent, false)?;
        }
    }
    if coefficient.den() != 1 {
        write!(f, " / {}", coefficient.den())?;
    }
    Ok(())
}

fn factor(f: &mut fmt::Formatter<'_>, atom: &Atom, exponent: u32, alone: bool) -> fmt::Result {
    let power = exponent != 1;
    match atom {
        Atom::Symbol(name) => write!(f, "@{name}")?,
        Atom::Bound(name) => write!(f, "${name}")?,
        Atom::Inv(nat) => write!(f, "({nat})")?,
        Atom::FloorDiv(a, b) if alone && !power => write!(f, "{} floordiv {}", Operand(a), Operand(b))?,
        Atom::FloorDiv(a, b) => write!(f, "({} floordiv {})", Operand(a), Operand(b))?,
        Atom::Pow(a, b) if power => write!(f, "({} ^ {})", Operand(a), Operand(b))?,
        Atom::Pow(a, b) => write!(f, "{} ^ {}", Operand(a), Operand(b))?,
        Atom::Min(args) => {
            f.write_str("min(")?;
            for (n, arg) in args.iter().enumerate() {
                write!(f, "{}{arg}", if n > 0 { ", " } else { "" })?;
            }
            f.write_str(")")?;
        }
    }
    if power { write!(f, "^{exponent}") } else { Ok(()) }
}

/// `factor * (a mod b)` that a sum hides, and what is left of it
pub(super) fn remainders(nat: &Nat) -> (Vec<(Nat, Nat, Nat)>, Nat) {
    let mut quotients: Vec<&Atom> = Vec::new();
    for (atom, exponent) in nat.terms().iter().flat_map(|(product, _)| product) {
        if matches!(atom, Atom::FloorDiv(..)) && *exponent == 1 && !quotients.contains(&atom) {
            quotients.push(atom);
        }
    }
    quotients.sort_by_key(|atom| match atom {
        Atom::FloorDiv(a, _) => std::cmp::Reverse(a.terms().len()),
        _ => std::cmp::Reverse(0),
    });
    let (mut found, mut rest) = (Vec::new(), nat.clone());
    for atom in quotients {
        let Atom::FloorDiv(a, b) = atom else { continue };
        if let Some((factor, left)) = remainder(&rest, atom, a, b) {
            found.push((a.clone(), b.clone(), factor));
            rest = left;
        }
    }
    (found, rest)
}

fn remainder(rest: &Nat, quotient: &Atom, a: &Nat, b: &Nat) -> Option<(Nat, Nat)> {
    // The coefficient of the quotient is `-factor * b`, and what does not divide.
    let mut coefficient = Sum::default();
    for (product, c) in rest.terms() {
        if product.iter().any(|(atom, exponent)| atom == quotient && *exponent == 1) {
            let others = product.iter().filter(|(atom, _)| atom != quotient).cloned().collect();
            coefficient.add(others, *c).ok()?;
        }
    }
    let all = coefficient.done().ok()?.exact_div(b).ok()?.scaled(Ratio::whole(-1)).ok()?;
    let plain = |(product, c): &(Product, Ratio)| {
        let whole = |(atom, exponent): &(Atom, i32)| *exponent > 0 && !matches!(atom, Atom::Inv(_));
        c.as_whole().is_some() && product.iter().all(whole)
    };
    let terms: Vec<(Product, Ratio)> = all.terms().iter().filter(|term| plain(term)).cloned().collect();
    let factor = Sum { terms }.done().ok().filter(|factor| !factor.is_zero())?;
    let all = Nat::atom(quotient.clone()).ok()?.times(b).ok()?;
    let hidden = a.minus(&all).ok()?.times(&factor).ok()?;
    let there = |(product, c): &(Product, Ratio)| {
        rest.terms().iter().any(|(other, found)| other == product && found == c)
    };
    hidden.terms().iter().all(there).then_some(())?;
    Some((factor, rest.minus(&hidden).ok()?))
}

impl FromStr for Nat {
    type Err = ParseNatError;

    fn from_str(text: &str) -> Result<Nat, ParseNatError> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let nat = parser.sum()?;
        parser.space();
        if parser.at < text.len() { parser.fail("expected an operator or the end") } else { Ok(nat) }
    }
}

/// Deepest parentheses in a text
const MAX_NESTING: usize = 200;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn fail<T>(&self, message: &str) -> Result<T, ParseNatError> {
        Err(ParseNatError { at: self.at, message: message.to_string() })
    }

    fn check<T>(&self, result: Result<T, NatError>) -> Result<T, ParseNatError> {
        result.map_err(|error| ParseNatError { at: self.at, message: error.to_string() })
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn punct(&mut self, punct: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(punct);
        self.at += if found { punct.len() } else { 0 };
        found
    }

    fn expect(&mut self, punct: &str) -> Result<(), ParseNatError> {
        if self.punct(punct) { Ok(()) } else { self.fail(&format!("expected `{punct}`")) }
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let len = rest
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
            .count();
        self.at += len;
        &rest[..len]
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        self.space();
        let start = self.at;
        let found = self.word() == keyword;
        self.at = if found { self.at } else { start };
        found
    }

    fn sum(&mut self) -> Result<Nat, ParseNatError> {
        let mut sum = self.product()?;
        loop {
            if self.punct("+") {
                let next = self.product()?;
                sum = self.check(sum.plus(&next))?;
            } else if self.punct("-") {
                let next = self.product()?;
                sum = self.check(sum.minus(&next))?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<Nat, ParseNatError> {
        let mut negative = false;
        while self.punct("-") {
            negative = !negative;
        }
        let mut product = self.power()?;
        loop {
            if self.punct("*") {
                let next = self.power()?;
                product = self.check(product.times(&next))?;
            } else if self.punct("/") {
                let next = self.power()?;
                product = self.check(product.exact_div(&next))?;
            } else if self.keyword("floordiv") {
                let next = self.power()?;
                product = self.check(product.floor_div(&next))?;
            } else if self.keyword("ceildiv") {
                let next = self.power()?;
                product = self.check(product.ceil_div(&next))?;
            } else if self.keyword("mod") {
                let next = self.power()?;
                product = self.check(product.modulo(&next))?;
            } else if negative {
                return self.check(Nat::from(0).minus(&product));
            } else {
                return Ok(product);
            }
        }
    }

    fn power(&mut self) -> Result<Nat, ParseNatError> {
        let base = self.primary()?;
        if !self.punct("^") {
            return Ok(base);
        }
        let exponent = self.primary()?;
        self.check(base.pow(&exponent))
    }

    fn primary(&mut self) -> Result<Nat, ParseNatError> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return self.fail("nested too deep");
        }
        let nat = self.primary_inside();
        self.depth -= 1;
        nat
    }

    fn primary_inside(&mut self) -> Result<Nat, ParseNatError> {
        if self.punct("(") {
            let nat = self.sum()?;
            self.expect(")")?;
            return Ok(nat);
        }
        for (sigil, make) in [("@", Nat::symbol as fn(&str) -> Nat), ("$", Nat::bound)] {
            if self.punct(sigil) {
                let name = self.word();
                return if name.is_empty() { self.fail("expected a name") } else { Ok(make(name)) };
            }
        }
        self.space();
        let start = self.at;
        let word = self.word();
        let least = match word {
            "min" => true,
            "max" => false,
            number => {
                let value = number.parse::<i64>();
                return value.map(Nat::from).or_else(|_| {
                    self.at = start;
                    self.fail("expected a number that fits 64 bits, `@name`, `$name`, `min`, `max` or `(`")
                });
            }
        };
        self.expect("(")?;
        let mut args = vec![self.sum()?];
        while self.punct(",") {
            args.push(self.sum()?);
        }
        self.expect(")")?;
        let found = self.check(if least { Nat::min(&args) } else { Nat::max(&args) })?;
        found.map_or_else(|| self.fail("expected an argument"), Ok)
    }
}
