//! Quotients, remainders and minima made simpler by what is known of the values in them.
//!
//! | | rule | why |
//! |---|---|---|
//! | P1 | `(c q + r) floordiv c = q`, `mod c = r`, for `0 <= r < c` | division is unique |
//! | P2 | `(c q + r) floordiv (c d) = q floordiv d`, `mod (c d) = c (q mod d) + r` | nested division, and P1 |
//! | P3 | `x floordiv b = k` for `k b <= x < (k + 1) b` | monotone |
//! | P4 | `min(a, b) = a` for `a <= b` | |
//! | P5 | `(x floordiv m) m = x` if `m` divides `x` | the quotient is exact |
//! | P6 | terms of a sum that `c` divides, and a rest from 0 to `c - 1`: P1 | for `c` = every divisor of the divisor that is one term |
//!
//! In the normal form a remainder is `a - b (a floordiv b)`, so that each rule is one of quotients; P1 is the normal form's
//! division followed by P3. Each step removes a quotient or makes what it divides smaller; the number of rounds has a limit
//! all the same. The result is equal for all values that the facts allow, and only for those: types are never compared so.

use super::facts::{Claim, Facts, Proof};
use super::ratio::Ratio;
use super::{Atom, Nat, NatError, Product, Sum};
use terrace_support::HashMap;

/// Most rounds; real sizes need two or three
const MAX_ROUNDS: usize = 16;

/// Most divisors that are tried of one divisor
const MAX_DIVISORS: usize = 64;

impl Nat {
    /// The same value, made simpler by facts; itself if a limit is met
    ///
    /// ```
    /// use terrace_analysis::nat::{Facts, Nat};
    /// let mut facts = Facts::default();
    /// facts.set_below("$j", &Nat::symbol("m"));
    /// let flat: Nat = "($i * @m + $j) floordiv @m".parse().unwrap();
    /// assert_eq!(flat.simplify(&facts), Nat::bound("i"));
    /// ```
    #[must_use]
    pub fn simplify(&self, facts: &Facts) -> Nat {
        let mut nat = self.clone();
        for _ in 0..MAX_ROUNDS {
            match once(&nat, facts, &mut HashMap::default()) {
                Ok(next) if next != nat => nat = next,
                _ => break,
            }
        }
        nat
    }
}

/// One round, inner atoms first
fn once(nat: &Nat, facts: &Facts, known: &mut HashMap<Nat, Nat>) -> Result<Nat, NatError> {
    let opaque = |(atom, _): &(Atom, i32)| matches!(atom, Atom::Symbol(_) | Atom::Bound(_));
    if nat.terms().iter().all(|(product, _)| product.iter().all(opaque)) {
        return Ok(nat.clone());
    }
    if let Some(found) = known.get(nat) {
        return Ok(found.clone());
    }
    let mut sum = Nat::from(0);
    for (product, coefficient) in nat.terms() {
        let mut term = Nat::of_ratio(*coefficient);
        for (atom, exponent) in product {
            let atom = match atom {
                Atom::Symbol(_) | Atom::Bound(_) => Nat::atom(atom.clone())?,
                Atom::FloorDiv(a, b) => quotient(&once(a, facts, known)?, &once(b, facts, known)?, facts)?,
                Atom::Inv(a) => super::divide::inverse(&once(a, facts, known)?)?,
                Atom::Pow(a, b) => once(a, facts, known)?.pow(&once(b, facts, known)?)?,
                Atom::Min(args) => {
                    let args: Result<Vec<Nat>, NatError> =
                        args.iter().map(|arg| once(arg, facts, known)).collect();
                    least(args?, facts)?
                }
            };
            term = term.times(&atom.pow(&Nat::from(i64::from(*exponent)))?)?;
        }
        sum = sum.plus(&term)?;
    }
    known.insert(nat.clone(), sum.clone());
    Ok(sum)
}

/// P4: the least, without arguments that another one is never above
fn least(mut args: Vec<Nat>, facts: &Facts) -> Result<Nat, NatError> {
    let mut n = 0;
    while n < args.len() {
        let above = |other: &Nat| facts.prove(Claim::AtMost(other, &args[n])) == Proof::Yes;
        if args.iter().enumerate().any(|(m, other)| m != n && above(other)) {
            args.remove(n);
        } else {
            n += 1;
        }
    }
    Ok(Nat::min(&args)?.unwrap_or_else(|| Nat::from(0)))
}

/// `a floordiv b`
fn quotient(a: &Nat, b: &Nat, facts: &Facts) -> Result<Nat, NatError> {
    let found = a.floor_div(b)?;
    let (whole, a, b) = match open(&found) {
        Some(parts) => parts,
        None => return Ok(found),
    };
    match simpler(&a, &b, facts)? {
        Some(simpler) => whole.plus(&simpler),
        None => Ok(found),
    }
}

/// `whole + a floordiv b`, if the size is of this form
fn open(nat: &Nat) -> Option<(Nat, Nat, Nat)> {
    let mut rest = Sum { terms: nat.terms().to_vec() };
    let found = nat.terms().iter().find_map(|(product, coefficient)| match product.as_slice() {
        [(Atom::FloorDiv(a, b), 1)] if *coefficient == Ratio::ONE => Some((product, a, b)),
        _ => None,
    });
    let (product, a, b) = found?;
    rest.add(product.clone(), Ratio::whole(-1)).ok()?;
    Some((rest.done().ok()?, a.clone(), b.clone()))
}

/// What `a floordiv b` is, where neither term divides out
fn simpler(a: &Nat, b: &Nat, facts: &Facts) -> Result<Option<Nat>, NatError> {
    // P3, by numbers and by signs.
    if let Some(k) = constant_quotient(a, b, facts) {
        return Ok(Some(Nat::from(k)));
    }
    let one = Nat::from(1);
    let below =
        |x: &Nat, y: &Nat| -> Result<bool, NatError> { Ok(facts.is_not_negative(&y.minus(x)?.minus(&one)?)) };
    if facts.is_not_negative(a) && below(a, b)? {
        return Ok(Some(Nat::from(0)));
    }
    if below(a, &Nat::from(0))? && facts.is_not_negative(&a.plus(b)?) {
        return Ok(Some(Nat::from(-1)));
    }
    // P5
    if facts.prove(Claim::Divides(b, a)) == Proof::Yes {
        return a.exact_div(b).map(Some);
    }
    // P2 and P6: floor((c q + r) / (c d)) = floor((q + floor(r / c)) / d), of use where floor(r / c) is a number.
    for c in divisors(b)? {
        let (q, r) = split(a, &c)?;
        if q.is_zero() || r == *a {
            continue;
        }
        let rest = if r.is_zero() { Some(Nat::from(0)) } else { small_quotient(&r, &c, facts)? };
        if let Some(rest) = rest {
            return q.plus(&rest)?.floor_div(&b.exact_div(&c)?).map(Some);
        }
    }
    Ok(None)
}

/// `r floordiv c`, if it is one number
fn small_quotient(r: &Nat, c: &Nat, facts: &Facts) -> Result<Option<Nat>, NatError> {
    if let Some(k) = constant_quotient(r, c, facts) {
        return Ok(Some(Nat::from(k)));
    }
    let inside = facts.is_not_negative(r) && facts.is_not_negative(&c.minus(r)?.minus(&Nat::from(1))?);
    Ok(inside.then(|| Nat::from(0)))
}

fn constant_quotient(a: &Nat, b: &Nat, facts: &Facts) -> Option<i64> {
    let by = b.as_constant()?;
    let range = facts.range(a)?;
    let (low, high) = (range.min().checked_div_euclid(by)?, range.max().checked_div_euclid(by)?);
    (low == high).then_some(low)
}

/// `q` and `r` with `a = c q + r`, term by term: those that `c`, one term, divides
fn split(a: &Nat, c: &Nat) -> Result<(Nat, Nat), NatError> {
    let (mut q, mut r) = (Sum::default(), Sum::default());
    for (product, coefficient) in a.terms() {
        let term = Nat::of_term(product.clone(), *coefficient);
        let part = term.exact_div(c)?;
        let whole = |(product, coefficient): &(Product, Ratio)| {
            coefficient.as_whole().is_some() && product.iter().all(|(_, exponent)| *exponent > 0)
        };
        if part.terms().iter().all(whole) {
            q.add_all(&part, Ratio::ONE)?;
        } else {
            r.add(product.clone(), *coefficient)?;
        }
    }
    Ok((q.done()?, r.done()?))
}

/// Sizes of one term that divide `b`, but for 1; the largest first
fn divisors(b: &Nat) -> Result<Vec<Nat>, NatError> {
    let [(product, coefficient)] = b.terms() else { return Ok(Vec::new()) };
    let Some(number) = coefficient.as_whole().filter(|number| *number > 0) else { return Ok(Vec::new()) };
    let mut numbers: Vec<i64> = Vec::new();
    let mut n = 1;
    while n <= number / n && n < 1 << 20 {
        if number % n == 0 {
            numbers.extend([n, number / n]);
        }
        n += 1;
    }
    numbers.sort_unstable();
    numbers.dedup();
    let mut products: Vec<Product> = vec![Product::new()];
    for (atom, exponent) in product {
        let count = products.len();
        for power in 1..=*exponent {
            for n in 0..count {
                if products.len() * numbers.len() >= MAX_DIVISORS {
                    break;
                }
                let mut longer = products[n].clone();
                longer.push((atom.clone(), power));
                products.push(longer);
            }
        }
    }
    let mut all = Vec::new();
    for product in products.iter().rev() {
        for number in numbers.iter().rev() {
            let divisor = Nat::of_term(product.clone(), Ratio::whole(*number));
            if divisor != Nat::from(1) && divisor != *b && all.len() < MAX_DIVISORS {
                all.push(divisor);
            }
        }
    }
    Ok(all)
}
