//! Quotients: exact ones as inverses, rounded ones by division with remainder.

use super::ratio::Ratio;
use super::{Atom, Nat, NatError, Product, Sum, compare, degree, multiply};

/// Steps of division before it counts as too large: each makes the leading term smaller
const MAX_STEPS: usize = 4096;

/// One over a size
pub(super) fn inverse(nat: &Nat) -> Result<Nat, NatError> {
    match nat.terms() {
        [] => Err(NatError::DivisionByZero),
        [(product, coefficient)] => {
            let product = product.iter().map(|(atom, exponent)| (atom.clone(), -exponent)).collect();
            Ok(Nat::of_term(product, Ratio::ONE.over(*coefficient)?))
        }
        [(_, leading), ..] => {
            // Primitive, with a positive leading coefficient, so that multiples share the atom.
            let (content, product) = content_of(nat)?;
            let content = if leading.num() < 0 { content.negated()? } else { content };
            let outside = inverse(&Nat::of_term(product, content))?;
            let primitive = nat.times(&outside)?;
            // An inverse of an inverse: `1 / inv(p)` is `p`; others stay as they are.
            Nat::atom(Atom::Inv(primitive))?.times(&outside)
        }
    }
}

/// Greatest number and product that divide every term
fn content_of(nat: &Nat) -> Result<(Ratio, Product), NatError> {
    let mut content = Ratio::ZERO;
    let mut common: Option<Product> = None;
    for (product, coefficient) in nat.terms() {
        content = content.common(*coefficient)?;
        common = Some(match common {
            None => product.clone(),
            Some(common) => least_exponents(&common, product),
        });
    }
    Ok((content, common.unwrap_or_default()))
}

/// Each factor with the lesser exponent; one that is absent counts as zero
fn least_exponents(a: &Product, b: &Product) -> Product {
    let of = |product: &Product, atom: &Atom| {
        product.iter().find(|(other, _)| other == atom).map_or(0, |(_, exponent)| *exponent)
    };
    let mut all: Product =
        a.iter().map(|(atom, exponent)| (atom.clone(), (*exponent).min(of(b, atom)))).collect();
    let rest = b.iter().filter(|(atom, _)| a.iter().all(|(other, _)| other != atom));
    all.extend(rest.map(|(atom, exponent)| (atom.clone(), (*exponent).min(0))));
    all.retain(|(_, exponent)| *exponent != 0);
    all.sort();
    all
}

/// `a / b` as products, if no exponent becomes negative
fn divided(a: &Product, b: &Product) -> Option<Product> {
    let mut rest = a.clone();
    for (atom, exponent) in b {
        let at = rest.iter().position(|(other, _)| other == atom)?;
        rest[at].1 -= exponent;
        if rest[at].1 < 0 {
            return None;
        }
    }
    rest.retain(|(_, exponent)| *exponent != 0);
    Some(rest)
}

/// `q` and `r` with `a = q * c + r`, no exponent negative; `step` divides coefficients
fn division(
    a: &Nat,
    c: &Nat,
    step: impl Fn(Ratio, Ratio) -> Result<Ratio, NatError>,
) -> Result<(Nat, Nat), NatError> {
    let Some((leading, by)) = c.terms().first() else { return Err(NatError::DivisionByZero) };
    let (mut quotient, mut rest) = (Sum::default(), Sum { terms: a.terms().to_vec() });
    let mut at = 0;
    for _ in 0..MAX_STEPS {
        let Some((product, coefficient)) = rest.terms.get(at) else {
            return Ok((quotient.done()?, rest.done()?));
        };
        let found = divided(product, leading).map(|product| (product, step(*coefficient, *by)));
        match found {
            Some((_, Ok(factor))) if factor.is_zero() => at += 1,
            None => at += 1,
            Some((product, factor)) => {
                let factor = factor?;
                for (other, coefficient) in c.terms() {
                    rest.add(multiply(&product, other)?, coefficient.times(factor)?.negated()?)?;
                }
                quotient.add(product, factor)?;
                // What changed comes at this place or after it.
                at = at.min(rest.terms.len());
            }
        }
    }
    Err(NatError::TooLarge)
}

/// Each power of an inverse has a coefficient that what it is the inverse of does not divide
pub(super) fn reduce_inverses(nat: Nat) -> Result<Nat, NatError> {
    let mut bases: Vec<Nat> = Vec::new();
    for (atom, _) in nat.terms().iter().flat_map(|(product, _)| product) {
        if let Atom::Inv(base) = atom
            && !bases.contains(base)
        {
            bases.push(base.clone());
        }
    }
    bases.sort();
    let mut nat = nat;
    for base in bases {
        nat = reduce_inverse(&nat, &base)?;
    }
    Ok(nat)
}

fn reduce_inverse(nat: &Nat, base: &Nat) -> Result<Nat, NatError> {
    let inverse = Atom::Inv(base.clone());
    let power = |product: &Product| {
        product.iter().find(|(atom, _)| *atom == inverse).map_or(0, |(_, exponent)| *exponent)
    };
    let mut highest = nat.terms().iter().map(|(product, _)| power(product)).max().unwrap_or(0);
    let lowest = nat.terms().iter().map(|(product, _)| power(product)).min().unwrap_or(0);
    let mut levels: Vec<(i32, Nat)> = Vec::new();
    for level in lowest..=highest {
        let mut sum = Sum::default();
        for (product, coefficient) in nat.terms().iter().filter(|(product, _)| power(product) == level) {
            let rest = product.iter().filter(|(atom, _)| *atom != inverse).cloned().collect();
            sum.add(rest, *coefficient)?;
        }
        levels.push((level, sum.done()?));
    }
    // `inv^-k` is the base itself to the k-th power.
    let mut result = Sum::default();
    let mut carry = Nat::from(0);
    while highest > 0 {
        let here =
            levels.iter().find(|(level, _)| *level == highest).map_or(Nat::from(0), |(_, nat)| nat.clone());
        let here = add_plain(&here, &carry)?;
        // Exponents may be negative: a product that makes them all positive goes out first.
        let clear =
            here.terms().iter().fold(Product::new(), |clear, (product, _)| least_exponents(&clear, product));
        let outside: Product = clear.iter().map(|(atom, exponent)| (atom.clone(), -exponent)).collect();
        let (quotient, rest) = division(&times_product(&here, &outside)?, base, Ratio::over)?;
        for (product, coefficient) in times_product(&rest, &clear)?.terms() {
            let product = multiply(product, &vec![(inverse.clone(), highest)])?;
            result.add(product, *coefficient)?;
        }
        carry = times_product(&quotient, &clear)?;
        highest -= 1;
    }
    result.add_all(&carry, Ratio::ONE)?;
    for (level, nat) in levels.iter().filter(|(level, _)| *level <= 0) {
        let mut nat = nat.clone();
        for _ in 0..level.unsigned_abs() {
            nat = nat.times(base)?;
        }
        result.add_all(&nat, Ratio::ONE)?;
    }
    result.done()
}

fn add_plain(a: &Nat, b: &Nat) -> Result<Nat, NatError> {
    let mut sum = Sum { terms: a.terms().to_vec() };
    sum.add_all(b, Ratio::ONE)?;
    sum.done()
}

fn times_product(nat: &Nat, by: &Product) -> Result<Nat, NatError> {
    let mut sum = Sum::default();
    for (product, coefficient) in nat.terms() {
        sum.add(multiply(product, by)?, *coefficient)?;
    }
    sum.done()
}

/// `a floordiv c`, for a positive `c`
pub(super) fn floor_div(a: &Nat, c: &Nat) -> Result<Nat, NatError> {
    let (mut a, mut c) = (a.clone(), c.clone());
    let mut whole = Nat::from(0);
    for _ in 0..MAX_STEPS {
        if let (Some(x), Some(y)) = (a.as_ratio(), c.as_ratio()) {
            if y <= Ratio::ZERO {
                return Err(NatError::DivisionByZero);
            }
            return whole.plus(&Nat::from(x.over(y)?.floor()));
        }
        if c.as_ratio().is_some_and(|c| c <= Ratio::ZERO) {
            return Err(NatError::DivisionByZero);
        }
        if !is_whole(&a) || !is_whole(&c) {
            (a, c) = without_denominators(&a, &c)?;
        }
        let (quotient, rest) = division(&a, &c, |x, y| {
            let (x, y) = (x.as_whole().ok_or(NatError::Inexact)?, y.as_whole().ok_or(NatError::Inexact)?);
            x.checked_div_euclid(y).map(Ratio::whole).ok_or(NatError::Overflow)
        })?;
        whole = whole.plus(&quotient)?;
        if rest.is_zero() {
            return Ok(whole);
        }
        if let (Some(_), Some(_)) = (rest.as_ratio(), c.as_ratio()) {
            // Below the divisor, both numbers.
            return Ok(whole);
        }
        if let Some((inner, by)) = nested(&rest)? {
            (a, c) = (inner, by.times(&c)?);
            continue;
        }
        let (smaller, divisor) = without_content(&rest, &c)?;
        if smaller == rest && divisor == c {
            return whole.plus(&Nat::atom(Atom::FloorDiv(rest, c))?);
        }
        (a, c) = (smaller, divisor);
    }
    Err(NatError::TooLarge)
}

/// No fractions and no negative exponents?
fn is_whole(nat: &Nat) -> bool {
    let plain = |product: &Product| product.iter().all(|(_, exponent)| *exponent > 0);
    nat.terms().iter().all(|(product, coefficient)| coefficient.den() == 1 && plain(product))
}

/// Multiply both so that coefficients are whole and exponents positive
fn without_denominators(a: &Nat, c: &Nat) -> Result<(Nat, Nat), NatError> {
    let mut number = Ratio::ONE;
    let mut product = Product::new();
    for (factors, coefficient) in a.terms().iter().chain(c.terms()) {
        number = number.common(Ratio::ONE.over(Ratio::whole(coefficient.den()))?)?;
        product = least_exponents(&product, factors);
    }
    let up: Product = product.iter().map(|(atom, exponent)| (atom.clone(), -exponent)).collect();
    let scale = Ratio::ONE.over(number)?;
    Ok((times_product(a, &up)?.scaled(scale)?, times_product(c, &up)?.scaled(scale)?))
}

/// `x + t * b` and `b`, where the size is `x floordiv b + t`; the largest such quotient
fn nested(rest: &Nat) -> Result<Option<(Nat, Nat)>, NatError> {
    let found = rest.terms().iter().find_map(|(product, coefficient)| match product.as_slice() {
        [(Atom::FloorDiv(x, b), 1)] if *coefficient == Ratio::ONE => Some((product, x, b)),
        _ => None,
    });
    let Some((product, x, b)) = found else { return Ok(None) };
    let mut others = Sum { terms: rest.terms().to_vec() };
    others.add(product.clone(), Ratio::whole(-1))?;
    let others = others.done()?;
    Ok(Some((x.plus(&others.times(b)?)?, b.clone())))
}

/// Both without what divides all of them: a number, and a product unless there is a constant
fn without_content(rest: &Nat, c: &Nat) -> Result<(Nat, Nat), NatError> {
    let constant = rest.constant();
    let mut number = Ratio::ZERO;
    let mut product: Option<Product> = None;
    for (factors, coefficient) in c.terms().iter().chain(rest.without_constant()) {
        number = number.common(*coefficient)?;
        product = Some(match product {
            None => factors.clone(),
            Some(common) => least_exponents(&common, factors),
        });
    }
    let product = product.filter(|_| constant.is_zero()).unwrap_or_default();
    let down: Product = product.iter().map(|(atom, exponent)| (atom.clone(), -exponent)).collect();
    let scale = Ratio::ONE.over(number)?;
    let mut smaller = Sum::default();
    for (factors, coefficient) in rest.without_constant() {
        smaller.add(multiply(factors, &down)?, coefficient.times(scale)?)?;
    }
    smaller.add(Product::new(), Ratio::whole(constant.times(scale)?.floor()))?;
    debug_assert!(smaller.terms.iter().all(|(product, _)| degree(product) >= 0));
    debug_assert!(smaller.terms.windows(2).all(|pair| compare(&pair[0].0, &pair[1].0).is_gt()));
    Ok((smaller.done()?, times_product(c, &down)?.scaled(scale)?))
}
