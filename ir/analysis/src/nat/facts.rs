//! What is known of the values of parameters, and what follows: never used to decide whether two sizes are equal types.
//!
//! Three ways: intervals of the size with its remainders found again; bounds that are sizes themselves (`order`); and, where
//! all parameters together have at most [`MAX_POINTS`] values, trying them all. The last also gives a witness.

use super::ratio::Ratio;
use super::{Atom, Nat};
use crate::range::Range;
use std::collections::BTreeMap;

/// Most combinations of values that are tried
const MAX_POINTS: u64 = 4096;

/// Domains of parameters; those without one are any integers from zero
#[derive(Clone, Default, Debug)]
pub struct Facts {
    domains: BTreeMap<String, Range>,
    extents: BTreeMap<String, Nat>,
    multiples: BTreeMap<String, Nat>,
}

/// Something to prove
#[derive(Clone, Copy, Debug)]
pub enum Claim<'a> {
    /// `a <= b`
    AtMost(&'a Nat, &'a Nat),
    /// The first divides the second
    Divides(&'a Nat, &'a Nat),
    /// `a = b`
    Equal(&'a Nat, &'a Nat),
    /// `a != b`
    Differ(&'a Nat, &'a Nat),
}

/// What is known of a claim
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// It holds for all values
    Yes,
    /// It fails for these
    No(Vec<(String, i64)>),
    /// Neither
    Unknown,
}

impl Facts {
    /// Let the parameter (with `$`, the bound name) have these values
    pub fn set(&mut self, name: &str, values: Range) {
        self.domains.insert(name.to_string(), values);
    }

    /// Let the parameter (with `$`, the bound name) be at least 0 and below a size, as the variable of a loop is
    pub fn set_below(&mut self, name: &str, extent: &Nat) {
        if let Some(range) = extent.as_constant().and_then(Range::below) {
            self.set(name, range);
        }
        self.extents.insert(name.to_string(), extent.clone());
    }

    /// Let a size divide the parameter (with `$`, the bound name), as a tile divides the variable of a loop over tiles
    pub fn set_multiple(&mut self, name: &str, of: &Nat) {
        self.multiples.insert(name.to_string(), of.clone());
    }

    /// Size that the variable is below
    pub(super) fn extent_of(&self, name: &str) -> Option<&Nat> {
        self.extents.get(name)
    }

    /// Least value of a parameter
    pub(super) fn least_value(&self, name: &str) -> i64 {
        self.domains.get(name).map_or(0, |range| range.min())
    }

    fn domain(&self, name: &str) -> Option<Range> {
        self.domains.get(name).copied().or(Range::new(0, i64::MAX))
    }

    /// Does the claim hold for all values?
    pub fn prove(&self, claim: Claim<'_>) -> Proof {
        let (a, b) = match claim {
            Claim::AtMost(a, b) | Claim::Divides(a, b) | Claim::Equal(a, b) | Claim::Differ(a, b) => (a, b),
        };
        if self.follows(claim) {
            return Proof::Yes;
        }
        let mut names = [a.names(), b.names()].concat();
        names.sort();
        names.dedup();
        // What is known beside the domains would have to be tried too.
        let only_domain = |name: &String| {
            let extent = self.extents.get(name).is_none_or(|extent| extent.as_constant().is_some());
            extent && !self.multiples.contains_key(name)
        };
        let domains =
            names.iter().filter(|name| only_domain(name)).map(|name| self.domains.get(name).copied());
        let domains: Option<Vec<Range>> = domains.collect();
        let Some(domains) = domains.filter(|domains| domains.len() == names.len()) else {
            return Proof::Unknown;
        };
        let points = domains.iter().try_fold(1u64, |all, domain| all.checked_mul(domain.count()));
        if points.is_none_or(|points| points > MAX_POINTS) {
            return Proof::Unknown;
        }
        let mut point: Vec<i64> = domains.iter().map(|domain| domain.min()).collect();
        loop {
            let value = |name: &str| Some(Nat::from(point[names.iter().position(|other| other == name)?]));
            let at = |nat: &Nat| nat.substitute(&value).ok()?.as_constant();
            match (at(a), at(b)) {
                (Some(a), Some(b)) if !claim.holds(a, b) => {
                    return Proof::No(names.iter().cloned().zip(point.iter().copied()).collect());
                }
                (Some(_), Some(_)) => {}
                _ => return Proof::Unknown,
            }
            // The next point, the last name fastest.
            let Some(n) = (0..point.len()).rev().find(|n| point[*n] < domains[*n].max()) else {
                return Proof::Yes;
            };
            point[n] += domains[n].step();
            (n + 1..point.len()).for_each(|n| point[n] = domains[n].min());
        }
    }

    fn follows(&self, claim: Claim<'_>) -> bool {
        let proved = || match claim {
            Claim::AtMost(a, b) => {
                let difference = b.minus(a).ok()?;
                let by_range = self.range(&difference).is_some_and(|range| range.min() >= 0);
                Some(by_range || self.is_not_negative(&difference))
            }
            Claim::Differ(a, b) => {
                let (one, difference) = (Nat::from(1), b.minus(a).ok()?);
                let back = Nat::from(0).minus(&difference).ok()?;
                let apart = self.range(&difference).is_some_and(|range| !range.contains(0));
                let above = |nat: &Nat| nat.minus(&one).is_ok_and(|nat| self.is_not_negative(&nat));
                Some(apart || above(&difference) || above(&back))
            }
            Claim::Equal(a, b) => Some(self.range(&b.minus(a).ok()?)?.as_constant()? == 0),
            Claim::Divides(a, b) => {
                // A variable that is a multiple, as one.
                let multiple = |name: &str| {
                    let of = self.multiples.get(name)?;
                    of.times(&name.strip_prefix('$').map_or_else(|| Nat::symbol(name), Nat::bound)).ok()
                };
                let b = &b.substitute(&multiple).ok()?;
                let quotient = b.exact_div(a).ok()?;
                let whole = |(product, c): &(super::Product, Ratio)| {
                    c.as_whole().is_some() && product.iter().all(|(_, exponent)| *exponent > 0)
                };
                let inverse = |(atom, _): &(Atom, i32)| matches!(atom, Atom::Inv(_));
                let plain = !quotient.terms().iter().any(|(product, _)| product.iter().any(inverse));
                let by_form = plain && quotient.terms().iter().all(whole);
                let by_step = || {
                    let by = u64::try_from(a.as_constant()?).ok()?;
                    Some(self.range(b)?.divisor().checked_rem(by)? == 0)
                };
                Some(by_form || by_step() == Some(true))
            }
        };
        proved() == Some(true)
    }

    /// A range that holds every value; `None` if a bound leaves `i64` or a quotient has to be exact
    pub fn range(&self, nat: &Nat) -> Option<Range> {
        let (remainders, rest) = super::text::remainders(nat);
        let mut all = Range::one(0);
        for (a, b, factor) in &remainders {
            let (a, b) = (self.range(a), self.range(b)?);
            let most = b.max().checked_sub(1)?.max(0);
            // Below the least divisor nothing is taken off.
            let below = a.filter(|a| a.min() >= 0 && a.max() < b.min());
            let range = below.or_else(|| Range::new(0, most))?;
            let range = match factor.as_constant() {
                Some(factor) => range.times(factor)?,
                None => range.product(self.range(factor)?)?,
            };
            all = all.plus(range)?;
        }
        for (product, coefficient) in rest.terms() {
            let mut range = Range::one(coefficient.as_whole()?);
            for (atom, exponent) in product {
                let factor = self.atom_range(atom)?;
                for _ in 0..u32::try_from(*exponent).ok()? {
                    range = match (range.as_constant(), factor.as_constant()) {
                        (Some(value), _) => factor.times(value)?,
                        (_, Some(value)) => range.times(value)?,
                        _ => range.product(factor)?,
                    };
                }
            }
            all = all.plus(range)?;
        }
        Some(all)
    }

    fn atom_range(&self, atom: &Atom) -> Option<Range> {
        match atom {
            Atom::Symbol(name) => self.domain(name),
            Atom::Bound(name) => self.domain(&format!("${name}")),
            Atom::FloorDiv(a, b) => {
                let (a, b) = (self.range(a)?, self.range(b)?);
                if let Some(by) = b.as_constant() {
                    return a.floor_div(by);
                }
                let (low, high) = (b.min().max(1), b.max().max(1));
                let corners = [a.min(), a.max()].map(|x| [x.div_euclid(low), x.div_euclid(high)]).concat();
                Range::new(*corners.iter().min()?, *corners.iter().max()?)
            }
            Atom::Min(args) => {
                let ranges: Option<Vec<Range>> = args.iter().map(|arg| self.range(arg)).collect();
                let ranges = ranges?;
                Range::new(ranges.iter().map(|r| r.min()).min()?, ranges.iter().map(|r| r.max()).min()?)
            }
            Atom::Inv(_) | Atom::Pow(..) => None,
        }
    }
}

impl Claim<'_> {
    fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Claim::AtMost(..) => a <= b,
            Claim::Equal(..) => a == b,
            Claim::Differ(..) => a != b,
            Claim::Divides(..) => b.checked_rem(a) == Some(0),
        }
    }
}
