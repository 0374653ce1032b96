//! Quotients and remainders that vanish where dimensions are known to be below their sizes.

use super::{AffineExpr, AffineKind};
use crate::gcd;

impl AffineExpr {
    /// The same value wherever `0 <= di < sizes[i]`, without the quotients and remainders by constants that this decides
    ///
    /// The dividend is split into multiples of the divisor and a remainder, which must lie below the divisor: with `d1 < 64`,
    /// `(d0 * 64 + d1) floordiv 64` is `d0`, and `(d0 * 64 + d1) mod 64` is `d1`. The same for a factor of the divisor: with `d1 < 32`,
    /// `(d0 * 32 + d1) mod 64` is `(d0 mod 2) * 32 + d1`. A quotient and its remainder join again: `(d0 floordiv 16) * 16 + d0 mod 16` is `d0`.
    pub fn within(&self, sizes: &[i64]) -> AffineExpr {
        let Some((kind, lhs, rhs)) = self.as_binary() else { return self.clone() };
        let (lhs, rhs) = (lhs.within(sizes), rhs.within(sizes));
        if kind == AffineKind::Add
            && let Some(whole) = rejoined(&lhs, &rhs).or_else(|| rejoined(&rhs, &lhs))
        {
            return whole;
        }
        let divides = matches!(kind, AffineKind::FloorDiv | AffineKind::Mod);
        let divisor = rhs.as_constant().filter(|divisor| divides && *divisor > 0);
        if let Some((quotient, remainder)) = divisor.and_then(|divisor| divided(&lhs, divisor, sizes)) {
            return if kind == AffineKind::FloorDiv { quotient } else { remainder };
        }
        match divisor.and_then(|divisor| by_factor(&lhs, divisor, sizes)) {
            Some((quotient, of, _, _)) if kind == AffineKind::FloorDiv => {
                AffineExpr::floor_div(quotient, of.into())
            }
            Some((quotient, of, factor, remainder)) => {
                let whole = AffineExpr::mul(AffineExpr::modulo(quotient, of.into()), factor.into());
                AffineExpr::add(whole, remainder)
            }
            None => AffineExpr::binary(kind, lhs, rhs),
        }
    }
}

/// Quotient and remainder by the largest factor of the divisor for which that is known: the quotient, what it is still divided by, the factor, the
/// remainder
fn by_factor(expr: &AffineExpr, divisor: i64, sizes: &[i64]) -> Option<(AffineExpr, i64, i64, AffineExpr)> {
    let linear = expr.as_linear()?;
    let common = |factor: &i64| gcd(factor.unsigned_abs(), divisor.unsigned_abs()) as i64;
    let mut factors: Vec<i64> = linear.dims.iter().filter(|factor| **factor != 0).map(common).collect();
    factors.retain(|factor| *factor > 1 && *factor < divisor);
    factors.sort_unstable_by_key(|factor| std::cmp::Reverse(*factor));
    factors.into_iter().find_map(|factor| {
        let (quotient, remainder) = divided(expr, factor, sizes)?;
        Some((quotient, divisor / factor, factor, remainder))
    })
}

/// `(x floordiv c) * c + x mod c` as `x`
fn rejoined(multiple: &AffineExpr, remainder: &AffineExpr) -> Option<AffineExpr> {
    let (of, divisor) = remainder.operands_of(AffineKind::Mod)?;
    let (quotient, factor) = multiple.operands_of(AffineKind::Mul)?;
    let (same, by) = quotient.operands_of(AffineKind::FloorDiv)?;
    let positive = divisor.as_constant().is_some_and(|divisor| divisor > 0);
    (positive && of == same && divisor == by && divisor == factor).then(|| of.clone())
}

/// Quotient and remainder, if the terms that are no multiples of the divisor stay below it
fn divided(expr: &AffineExpr, divisor: i64, sizes: &[i64]) -> Option<(AffineExpr, AffineExpr)> {
    let linear = expr.as_linear().filter(|linear| linear.symbols.iter().all(|factor| *factor == 0))?;
    let (mut quotient, mut remainder) = (linear.clone(), linear);
    quotient.constant = quotient.constant.div_euclid(divisor);
    remainder.constant = remainder.constant.rem_euclid(divisor);
    let (mut least, mut most) = (remainder.constant, remainder.constant);
    for (n, factor) in quotient.dims.iter_mut().enumerate() {
        if *factor % divisor == 0 {
            *factor /= divisor;
            remainder.dims[n] = 0;
            continue;
        }
        let last = sizes.get(n)?.checked_sub(1).filter(|last| *last >= 0)?.checked_mul(*factor)?;
        (least, most) = (least.checked_add(last.min(0))?, most.checked_add(last.max(0))?);
        *factor = 0;
    }
    (least >= 0 && most < divisor).then(|| (quotient.to_expr(), remainder.to_expr()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(n: u32) -> AffineExpr {
        AffineExpr::Dim(n)
    }

    #[test]
    fn what_sizes_decide_is_gone() {
        let flat = AffineExpr::add(AffineExpr::mul(d(0), 64.into()), d(1));
        assert_eq!(AffineExpr::floor_div(flat.clone(), 64.into()).within(&[9, 64]), d(0));
        assert_eq!(AffineExpr::modulo(flat.clone(), 64.into()).within(&[9, 64]), d(1));
        assert_eq!(AffineExpr::floor_div(d(0), 64.into()).within(&[64]), 0.into());
        let quotient = AffineExpr::floor_div(d(0), 16.into());
        let joined =
            AffineExpr::add(AffineExpr::mul(quotient, 16.into()), AffineExpr::modulo(d(0), 16.into()));
        assert_eq!(joined.within(&[64]), d(0));
        // Halves that are exchanged.
        let halves = AffineExpr::add(AffineExpr::mul(d(0), 32.into()), d(1));
        let turned = AffineExpr::modulo(AffineExpr::add(halves.clone(), 32.into()), 64.into());
        assert_eq!(turned.within(&[2, 32]).to_string(), "((d0 + 1) mod 2) * 32 + d1");
        assert_eq!(AffineExpr::floor_div(halves, 64.into()).within(&[9, 32]).to_string(), "d0 floordiv 2");
        // One coordinate more, and nothing is decided.
        let open = AffineExpr::modulo(flat, 64.into());
        assert_eq!(open.within(&[9, 65]), open);
    }

    #[test]
    fn values_stay() {
        let mut random = crate::Random::new(5);
        for _ in 0..2000 {
            let sizes = [0; 2].map(|_| 1 + random.below(9) as i64);
            let mut term = |n: u32| AffineExpr::mul(d(n), (random.below(25) as i64 - 12).into());
            let sum = AffineExpr::add(term(0), term(1));
            let sum = AffineExpr::add(sum, (random.below(30) as i64 - 10).into());
            let divisor: AffineExpr = (1 + random.below(12) as i64).into();
            let inner = AffineExpr::modulo(sum.clone(), divisor.clone());
            for expr in [
                AffineExpr::floor_div(sum.clone(), divisor.clone()),
                AffineExpr::add(AffineExpr::floor_div(inner.clone(), 3.into()), d(0)),
                inner,
            ] {
                let found = expr.within(&sizes);
                for at in (0..sizes[0]).flat_map(|i| (0..sizes[1]).map(move |j| [i, j])) {
                    assert_eq!(expr.eval(&at, &[]), found.eval(&at, &[]), "{expr} as {found} in {sizes:?}");
                }
            }
        }
    }
}
