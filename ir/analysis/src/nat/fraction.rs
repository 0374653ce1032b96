//! A size as one quotient of two sizes without exact quotients: what must divide what for the size to be whole.

use super::{Atom, Nat, NatError, Product, Ratio};
use std::collections::BTreeMap;

impl Nat {
    /// Numerator and denominator, the latter 1 where nothing is divided
    ///
    /// Exact quotients inside of `floordiv`, `min` and powers stay as they are. The denominator of a sum may have either sign:
    /// that of its normal form.
    ///
    /// ```
    /// use terrace_analysis::nat::Nat;
    /// let nat: Nat = "@a / (4 * @b) + 1".parse().unwrap();
    /// let (over, under) = nat.fraction().unwrap();
    /// assert_eq!(over, "@a + 4 * @b".parse().unwrap());
    /// assert_eq!(under, "4 * @b".parse().unwrap());
    /// ```
    pub fn fraction(&self) -> Result<(Nat, Nat), NatError> {
        let mut under: BTreeMap<Atom, i32> = BTreeMap::new();
        let mut scale = 1_i64;
        for (product, coefficient) in self.terms() {
            scale = lcm(scale, coefficient.den()).ok_or(NatError::Overflow)?;
            for (atom, exponent) in product {
                let times = match atom {
                    Atom::Inv(_) => *exponent,
                    _ => -*exponent,
                };
                if times > 0 {
                    let most = under.entry(atom.clone()).or_insert(0);
                    *most = times.max(*most);
                }
            }
        }
        let power = |atom: &Atom, times: i32| -> Result<Nat, NatError> {
            let base = match atom {
                Atom::Inv(sum) => sum.clone(),
                other => Nat::atom(other.clone())?,
            };
            (0..times).try_fold(Nat::from(1), |all, _| all.times(&base))
        };
        let mut denominator = Nat::from(scale);
        for (atom, times) in &under {
            denominator = denominator.times(&power(atom, *times)?)?;
        }
        let mut numerator = Nat::from(0);
        for (product, coefficient) in self.terms() {
            let whole = coefficient.times(Ratio::whole(scale))?;
            let kept: Product = product
                .iter()
                .filter(|(atom, exponent)| !matches!(atom, Atom::Inv(_)) && *exponent > 0)
                .cloned()
                .collect();
            let mut term = Nat::of_term(kept, whole);
            for (atom, most) in &under {
                let own =
                    product.iter().find(|(other, _)| other == atom).map_or(0, |(_, exponent)| *exponent);
                let used = if matches!(atom, Atom::Inv(_)) { own } else { (-own).max(0) };
                term = term.times(&power(atom, most - used)?)?;
            }
            numerator = numerator.plus(&term)?;
        }
        Ok((numerator, denominator))
    }
}

fn lcm(a: i64, b: i64) -> Option<i64> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).checked_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerator_over_denominator_is_the_size() {
        let values = [("w", 11), ("h", 8), ("t", 5), ("k", 3), ("s", 2), ("n", 36), ("m", 3), ("v", 4)];
        let value =
            |name: &str| values.iter().find(|(other, _)| *other == name).map(|(_, value)| Nat::from(*value));
        for (text, wanted) in [
            ("@n", 36),
            ("@n / 4", 9),
            ("@n / @m + @t * @s / (2 * @t)", 13),
            ("(@w - @t) / @s + 1", 4),
            ("(@w - @t) / (@t - @k + 1) + 1", 3),
            ("((@w - @t) / (@t - @k + 1) + 1) * ((@h - @t) / (@t - @k + 1) + 1)", 6),
            ("(@n floordiv 3) / @v", 3),
        ] {
            let nat: Nat = text.parse().expect("a size");
            let (over, under) = nat.fraction().expect("small");
            assert!(
                !over.to_string().contains('/') && !under.to_string().contains('/'),
                "{over} over {under}"
            );
            let number = |nat: &Nat| nat.substitute(&value).ok().and_then(|nat| nat.as_constant());
            let (over, under) = (number(&over).expect("a number"), number(&under).expect("a number"));
            assert_eq!(over, wanted * under, "{text}");
        }
    }
}
