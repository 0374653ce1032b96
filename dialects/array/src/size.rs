//! Conditions on sizes: proved, refuted or neither, and the values of symbols.
//!
//! Symbols are integers from 0. A function may bind some (`array.bind = {n = 12 : index}`); conditions are then asked with
//! those values. What is neither proved nor refuted stays an obligation of whoever chooses the values, and the
//! interpreter checks it.

use crate::codes;
use std::collections::BTreeMap;
use terrace_analysis::nat::{Claim, Facts, Nat, NatError, Proof};
use terrace_diag::Reported;
use terrace_ir::{Attr, Ir, OpId, VerifyCx};

/// How two sizes must be related
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// The first is at most the second
    AtMost,
    /// The first divides the second
    Divides,
    /// They are equal
    Equal,
}

/// A condition of an op on sizes
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What must hold
    pub relation: Relation,
    /// First size
    pub a: Nat,
    /// Second size
    pub b: Nat,
    /// What the condition is about
    pub what: &'static str,
}

/// What is known of a condition
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Holds for all values of the symbols
    Proved,
    /// Holds for none; why
    Refuted(String),
    /// It depends on the values, or is open
    Undecided,
}

impl std::fmt::Display for Obligation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (a, b) = (&self.a, &self.b);
        match self.relation {
            Relation::AtMost => write!(f, "{a} <= {b}"),
            Relation::Divides => write!(f, "{a} divides {b}"),
            Relation::Equal => write!(f, "{a} = {b}"),
        }
    }
}

impl Obligation {
    /// Is it so, with these symbols bound?
    pub fn decide(&self, bound: &BTreeMap<String, i64>) -> Verdict {
        self.decided(bound).unwrap_or_else(|error| Verdict::Refuted(error.to_string()))
    }

    fn decided(&self, bound: &BTreeMap<String, i64>) -> Result<Verdict, NatError> {
        let value = |name: &str| bound.get(name).map(|value| Nat::from(*value));
        let (a, b) = (self.a.substitute(&value)?, self.b.substitute(&value)?);
        let facts = Facts::default();
        let holds = |claim: Claim<'_>| facts.prove(claim) == Proof::Yes;
        let below = |a: &Nat, b: &Nat| Ok(holds(Claim::AtMost(&a.plus(&Nat::from(1))?, b)));
        let (claim, wrong, rest) = match self.relation {
            Relation::AtMost => (Claim::AtMost(&a, &b), below(&b, &a)?, a.minus(&b)?),
            Relation::Equal => {
                (Claim::Equal(&a, &b), a != b && (below(&a, &b)? || below(&b, &a)?), a.minus(&b)?)
            }
            Relation::Divides => {
                let zero = a == Nat::from(0);
                let rest = if zero { b.clone() } else { b.modulo(&a)? };
                let wrong = rest.as_constant().is_some_and(|rest| rest != 0);
                (Claim::Divides(&a, &b), wrong, rest)
            }
        };
        if a == b && self.relation != Relation::Divides || holds(claim) {
            return Ok(Verdict::Proved);
        }
        if !wrong {
            return Ok(Verdict::Undecided);
        }
        let (what, a, b) = (self.what, &self.a, &self.b);
        let mut why = match self.relation {
            Relation::AtMost => format!("{what}: {a} must be at most {b}, the difference is {rest}"),
            Relation::Divides => format!("{what}: {a} must divide {b}, which leaves {rest}"),
            Relation::Equal => format!("{what}: {a} must be equal to {b}, the difference is {rest}"),
        };
        let names = [a.names(), b.names()].concat();
        let with: Vec<String> = bound
            .iter()
            .filter(|(name, _)| names.contains(*name))
            .map(|(name, value)| format!("@{name} = {value}"))
            .collect();
        if !with.is_empty() {
            why += &format!(" with {}", with.join(", "));
        }
        Ok(Verdict::Refuted(why))
    }

    /// Does it hold of these numbers?
    pub fn holds(&self, a: i64, b: i64) -> bool {
        match self.relation {
            Relation::AtMost => a <= b,
            Relation::Divides => b.checked_rem(a) == Some(0),
            Relation::Equal => a == b,
        }
    }
}

/// Report what is refuted
pub(crate) fn check(v: &VerifyCx<'_>, op: OpId, obligations: &[Obligation]) -> Result<(), Reported> {
    let bound = bound(v.ir);
    for obligation in obligations {
        if let Verdict::Refuted(why) = obligation.decide(&bound) {
            return v.fail(op, &codes::SIZE, format!("SIZE: {why}"));
        }
    }
    Ok(())
}

/// Other sizes in place of names, as `Nat::substitute` has them
pub type Sizes<'a> = &'a dyn Fn(&str) -> Option<Nat>;

/// Name of the attribute of functions
pub const BIND: &str = "array.bind";

/// Symbols that the function around binds
pub fn bound(ir: &Ir) -> BTreeMap<String, i64> {
    let cx = ir.cx();
    let entries = ir.discardable(ir.root(), BIND).and_then(|attr| attr.as_dict(cx)).unwrap_or(&[]);
    let value = |attr: &Attr| attr.as_i64(cx);
    entries.iter().filter_map(|(name, attr)| Some((cx.str(*name).to_string(), value(attr)?))).collect()
}

/// Check `array.bind`
pub(crate) fn verify_bind(v: &VerifyCx<'_>, op: OpId, attr: Attr) -> Result<(), Reported> {
    let cx = v.ir.cx();
    let fits = |(_, attr): &(_, Attr)| attr.as_i64(cx).is_some_and(|value| value >= 0);
    match attr.as_dict(cx) {
        Some(entries) if entries.iter().all(fits) => Ok(()),
        _ => v.fail(
            op,
            &codes::BIND,
            "BIND: attribute 'array.bind' must be a dictionary of integers from 0, as in {n = 12, m = 4}",
        ),
    }
}

/// Why a size is no number
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoValue {
    /// A symbol in it has no value
    Unbound {
        /// The size
        nat: Nat,
        /// The first such symbol
        symbol: String,
    },
    /// It is no whole number
    Inexact(Nat),
    /// Its arithmetic fails
    Wrong(Nat, NatError),
}

impl std::fmt::Display for NoValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoValue::Unbound { nat, symbol } if symbol.starts_with('$') => {
                write!(f, "{nat}: {symbol} has no value")
            }
            NoValue::Unbound { nat, symbol } => {
                write!(f, "{nat}: @{symbol} has no value; bind it with `array.bind = {{{symbol} = …}}`")
            }
            NoValue::Inexact(nat) => write!(f, "{nat} is no whole number"),
            NoValue::Wrong(nat, error) => write!(f, "{nat}: {error}"),
        }
    }
}

impl std::error::Error for NoValue {}

/// The value of a size
pub fn value_of(nat: &Nat, known: &BTreeMap<String, i64>) -> Result<i64, NoValue> {
    if let Some(value) = nat.as_constant() {
        return Ok(value);
    }
    let put = nat.substitute(&|name| known.get(name).map(|value| Nat::from(*value)));
    let put = put.map_err(|error| NoValue::Wrong(nat.clone(), error))?;
    put.as_constant().ok_or_else(|| match put.names().first() {
        Some(symbol) => NoValue::Unbound { nat: nat.clone(), symbol: symbol.clone() },
        None => NoValue::Inexact(nat.clone()),
    })
}

fn symbol(name: &str) -> Nat {
    name.strip_prefix('$').map_or_else(|| Nat::symbol(name), Nat::bound)
}

/// Learn the one unknown symbol of a size from its value; false if there is more than one
pub fn learn(nat: &Nat, value: i64, known: &mut BTreeMap<String, i64>) -> bool {
    let put = nat.substitute(&|name| known.get(name).map(|value| Nat::from(*value)));
    let Ok(put) = put else { return false };
    let [name] = &put.names()[..] else { return false };
    let at = |x: i64| put.substitute(&|_| Some(Nat::from(x))).ok().and_then(|nat| nat.as_constant());
    // A straight line through two values tells where to look; whether it is one shows there.
    let line = at(0).zip(at(1)).and_then(|(zero, one)| {
        value.checked_sub(zero).zip(one.checked_sub(zero)).and_then(|(by, step)| by.checked_div(step))
    });
    // `@n / 4` is whole at few values only: the quotient is inverted.
    let turned = || {
        let factor = put.exact_div(&symbol(name)).ok()?;
        Nat::from(value).exact_div(&factor).ok()?.as_constant()
    };
    let guess = line.or_else(turned);
    match guess {
        Some(guess) if guess >= 0 && at(guess) == Some(value) => {
            known.insert(name.clone(), guess);
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nat(text: &str) -> Nat {
        text.parse().expect("a size")
    }

    fn decide(relation: Relation, a: &str, b: &str, bound: &[(&str, i64)]) -> Verdict {
        let bound = bound.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        Obligation { relation, a: nat(a), b: nat(b), what: "test" }.decide(&bound)
    }

    #[test]
    fn what_holds_for_all_values_is_proved() {
        assert_eq!(decide(Relation::Divides, "4", "8 * @n + 4", &[]), Verdict::Proved);
        assert_eq!(decide(Relation::Divides, "@m", "@m * @n", &[]), Verdict::Proved);
        assert_eq!(decide(Relation::AtMost, "@n", "@n + @m", &[]), Verdict::Proved);
        assert_eq!(decide(Relation::Equal, "(@n / 4) * 4", "@n", &[]), Verdict::Proved);
    }

    #[test]
    fn what_depends_on_values_is_undecided_until_they_are_bound() {
        assert_eq!(decide(Relation::Divides, "@m", "@n", &[]), Verdict::Undecided);
        assert_eq!(decide(Relation::Divides, "@m", "@n", &[("m", 4), ("n", 12)]), Verdict::Proved);
        let refuted = decide(Relation::Divides, "@m", "@n", &[("m", 5), ("n", 12)]);
        let why = "test: @m must divide @n, which leaves 2 with @m = 5, @n = 12";
        assert_eq!(refuted, Verdict::Refuted(why.into()));
        assert_eq!(decide(Relation::AtMost, "@n", "@m", &[]), Verdict::Undecided);
        assert_eq!(decide(Relation::Divides, "4", "@n + 2", &[]), Verdict::Undecided);
    }

    #[test]
    fn a_part_of_nothing_is_refuted() {
        assert!(matches!(decide(Relation::Divides, "0", "4", &[]), Verdict::Refuted(_)));
        assert!(matches!(decide(Relation::AtMost, "@n + 1", "@n", &[]), Verdict::Refuted(_)));
    }

    #[test]
    fn a_symbol_is_learned_from_a_length() {
        let learned = |text: &str, len: i64| {
            let mut known = BTreeMap::new();
            learn(&nat(text), len, &mut known).then(|| known.get("n").copied())
        };
        assert_eq!(learned("@n", 5), Some(Some(5)));
        assert_eq!(learned("2 * @n + 3", 7), Some(Some(2)));
        assert_eq!(learned("2 * @n + 3", 8), None);
        assert_eq!(learned("@n * @m", 8), None);
        assert_eq!(learned("@n / 2", 4), Some(Some(8)));
    }
}
