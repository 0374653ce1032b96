//! Is a size never negative? Symbolic: bounds of loop variables are sizes themselves.
//!
//! Remainders are found again first (the difference of `a` and `b * (a floordiv b)` has a narrow range, its terms have not). Then
//! variables with a bound are replaced by that end of their range which makes the size least. In the end each parameter is
//! shifted to begin at zero: a polynomial without negative coefficients is not negative.

use super::facts::Facts;
use super::ratio::Ratio;
use super::{Atom, Nat, NatError, Product, Sum, text};

/// Most replacements in one proof
const MAX_STEPS: u32 = 64;

/// Which bound of a size
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Greatest,
}

impl End {
    fn other(self) -> End {
        match self {
            End::Least => End::Greatest,
            End::Greatest => End::Least,
        }
    }
}

impl Facts {
    /// Is it proved that the size is not negative?
    pub(super) fn is_not_negative(&self, nat: &Nat) -> bool {
        let mut fuel = MAX_STEPS;
        self.not_negative(nat, &mut fuel)
    }

    fn not_negative(&self, nat: &Nat, fuel: &mut u32) -> bool {
        if *fuel == 0 {
            return false;
        }
        *fuel -= 1;
        if let Some(number) = nat.as_ratio() {
            return number >= Ratio::ZERO;
        }
        if self.terms_not_negative(nat, fuel) {
            return true;
        }
        self.end_of(nat, End::Least, fuel).is_ok_and(|least| {
            self.terms_not_negative(&least, fuel) || self.shifted_not_negative(&least, fuel)
        }) || self.shifted_not_negative(nat, fuel)
    }

    /// No term is negative
    fn terms_not_negative(&self, nat: &Nat, fuel: &mut u32) -> bool {
        nat.terms().iter().all(|(product, coefficient)| {
            *coefficient >= Ratio::ZERO
                && product
                    .iter()
                    .all(|(atom, exponent)| exponent % 2 == 0 || self.atom_not_negative(atom, fuel))
        })
    }

    fn atom_not_negative(&self, atom: &Atom, fuel: &mut u32) -> bool {
        match atom {
            Atom::Symbol(name) => self.least_value(name) >= 0,
            Atom::Bound(name) => self.least_value(&format!("${name}")) >= 0,
            // Divisors are positive.
            Atom::FloorDiv(a, _) | Atom::Pow(a, _) | Atom::Inv(a) => self.not_negative(a, fuel),
            Atom::Min(args) => args.iter().all(|arg| self.not_negative(arg, fuel)),
        }
    }

    /// With `n + least` in place of each parameter `n`
    fn shifted_not_negative(&self, nat: &Nat, fuel: &mut u32) -> bool {
        let shift = |name: &str| {
            let least = self.least_value(name);
            let symbol = name.strip_prefix('$').map_or_else(|| Nat::symbol(name), Nat::bound);
            if least > 0 { symbol.plus(&Nat::from(least)).ok() } else { None }
        };
        if nat.names().iter().all(|name| shift(name).is_none()) {
            return false;
        }
        // Only plain products: inside of quotients the shift says nothing.
        let plain = nat.terms().iter().all(|(product, _)| {
            product
                .iter()
                .all(|(atom, exponent)| matches!(atom, Atom::Symbol(_) | Atom::Bound(_)) && *exponent > 0)
        });
        let shifted = if plain { nat.substitute(&shift).ok() } else { None };
        // The names begin at zero now.
        let _ = fuel;
        shifted
            .is_some_and(|shifted| shifted.terms().iter().all(|(_, coefficient)| *coefficient >= Ratio::ZERO))
    }

    /// A size that is at most (at least) this one, without variables that have a bound
    fn end_of(&self, nat: &Nat, end: End, fuel: &mut u32) -> Result<Nat, NatError> {
        let (remainders, mut rest) = text::remainders(nat);
        for (a, b, factor) in &remainders {
            // Between 0 and b - 1.
            let low = if self.not_negative(factor, fuel) {
                true
            } else if self.not_negative(&factor.scaled(Ratio::whole(-1))?, fuel) {
                false
            } else {
                // It stays in the terms.
                let quotient = a.floor_div(b)?;
                rest = rest.plus(&a.minus(&quotient.times(b)?)?.times(factor)?)?;
                continue;
            };
            if low != (end == End::Least) {
                rest = rest.plus(&b.minus(&Nat::from(1))?.times(factor)?)?;
            }
        }
        let mut done: Vec<Atom> = Vec::new();
        while *fuel > 0 {
            *fuel -= 1;
            let next = rest
                .terms()
                .iter()
                .flat_map(|(product, _)| product)
                .find(|(atom, exponent)| *exponent == 1 && self.has_end(atom) && !done.contains(atom));
            let Some((atom, _)) = next else { break };
            let atom = atom.clone();
            if let Some(replaced) = self.without(&rest, &atom, end, fuel)? {
                rest = replaced;
            } else {
                done.push(atom);
            }
        }
        Ok(rest)
    }

    fn has_end(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Symbol(name) => self.extent_of(name).is_some(),
            Atom::Bound(name) => self.extent_of(&format!("${name}")).is_some(),
            Atom::FloorDiv(a, b) => {
                let mut inside = [a.names(), b.names()].concat().into_iter();
                inside.any(|name| self.extent_of(&name).is_some()) || a.as_ratio().is_some()
            }
            Atom::Min(_) => true,
            _ => false,
        }
    }

    /// The size with an end of the atom's range in its place, if the sign of what it is multiplied by is known
    fn without(&self, nat: &Nat, atom: &Atom, end: End, fuel: &mut u32) -> Result<Option<Nat>, NatError> {
        let (mut factor, mut rest) = (Sum::default(), Sum::default());
        for (product, coefficient) in nat.terms() {
            let (with, others): (Vec<_>, Product) =
                product.iter().cloned().partition(|(other, _)| other == atom);
            match with.as_slice() {
                [] => rest.add(product.clone(), *coefficient)?,
                [(_, 1)] => factor.add(others, *coefficient)?,
                _ => return Ok(None),
            }
        }
        let (factor, rest) = (factor.done()?, rest.done()?);
        let end = if self.not_negative(&factor, fuel) {
            end
        } else if self.not_negative(&factor.scaled(Ratio::whole(-1))?, fuel) {
            end.other()
        } else {
            return Ok(None);
        };
        let Some(value) = self.end_of_atom(atom, end, fuel)? else { return Ok(None) };
        factor.times(&value)?.plus(&rest).map(Some)
    }

    fn end_of_atom(&self, atom: &Atom, end: End, fuel: &mut u32) -> Result<Option<Nat>, NatError> {
        let variable = |name: &str| -> Result<Option<Nat>, NatError> {
            let Some(extent) = self.extent_of(name) else { return Ok(None) };
            match end {
                End::Least => Ok(Some(Nat::from(self.least_value(name)))),
                End::Greatest => extent.minus(&Nat::from(1)).map(Some),
            }
        };
        match atom {
            Atom::Symbol(name) => variable(name),
            Atom::Bound(name) => variable(&format!("${name}")),
            // Monotone in what is divided; the divisor stays.
            Atom::FloorDiv(a, b) if b.names().iter().all(|name| self.extent_of(name).is_none()) => {
                let bound = self.end_of(a, end, fuel)?;
                if bound == *a { Ok(None) } else { bound.floor_div(b).map(Some) }
            }
            // At most each of its arguments; the least of them is known by none.
            Atom::Min(args) if end == End::Greatest => {
                let numbers = args.iter().filter(|arg| arg.as_ratio().is_some());
                Ok(numbers.chain(args).next().cloned())
            }
            _ => Ok(None),
        }
    }
}
