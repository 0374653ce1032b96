//! Questions about single expressions, answered by the form of [`crate::sum`] and ranges.

use crate::emit::expr_of;
use crate::range::{Range, Ranges};
use crate::sum::{Atom, Sum};
use terrace_support::affine::{AffineExpr, Linear};

/// A range that holds every value of the expression; `None` if a variable's is not known or a bound leaves `i64`
///
/// Exact for sums of multiples of distinct variables.
///
/// ```
/// use terrace_analysis::{Range, range_of};
/// use terrace_support::affine::AffineExpr;
/// let tile = AffineExpr::Dim(0) * 4.into() + AffineExpr::Dim(1);
/// let ranges = [Range::below(8).unwrap(), Range::below(4).unwrap()];
/// assert_eq!(range_of(&tile, &ranges), Range::below(32));
/// ```
pub fn range_of<'a>(expr: &AffineExpr, ranges: impl Into<Ranges<'a>>) -> Option<Range> {
    let ranges = ranges.into();
    match linear_of(expr, ranges) {
        Some(linear) => range_of_linear(&linear, ranges),
        None => Sum::of(expr, ranges)?.range(ranges),
    }
}

/// A sum of multiples of variables that may have several values. Most subscripts are such, and need not go through the form of
/// [`crate::sum`]; `None` for all others, and where a number leaves `i64`
fn linear_of(expr: &AffineExpr, ranges: Ranges<'_>) -> Option<Linear> {
    let mut linear = expr.as_linear()?;
    let Linear { dims, symbols, constant } = &mut linear;
    for (factors, known) in [(dims, ranges.dims), (symbols, ranges.symbols)] {
        for (factor, range) in factors.iter_mut().zip(known) {
            if let (1.., Some(value)) = (factor.unsigned_abs(), range.as_constant()) {
                *constant = constant.checked_add(value.checked_mul(*factor)?)?;
                *factor = 0;
            }
        }
    }
    Some(linear)
}

/// The same as [`Sum::range`]
fn range_of_linear(linear: &Linear, ranges: Ranges<'_>) -> Option<Range> {
    let mut all = Range::one(linear.constant);
    for (factors, known) in [(&linear.dims, ranges.dims), (&linear.symbols, ranges.symbols)] {
        for (n, factor) in factors.iter().enumerate().filter(|(_, factor)| **factor != 0) {
            all = all.plus(known.get(n)?.times(*factor)?)?;
        }
    }
    Some(all)
}

/// The expression made simpler by what is known of its variables; itself where that makes it no smaller
///
/// Equal at every point within the ranges where the expression has a value. Products, quotients and remainders that the
/// ranges decide go, nested quotients become one.
///
/// ```
/// use terrace_analysis::{Range, simplify_with_ranges};
/// use terrace_support::affine::AffineExpr;
/// let tile = AffineExpr::Dim(0) * 4.into() + AffineExpr::Dim(1);
/// let ranges = [Range::below(8).unwrap(), Range::below(4).unwrap()];
/// let outer = AffineExpr::floor_div(tile, 4.into());
/// assert_eq!(simplify_with_ranges(&outer, &ranges), AffineExpr::Dim(0));
/// ```
pub fn simplify_with_ranges<'a>(expr: &AffineExpr, ranges: impl Into<Ranges<'a>>) -> AffineExpr {
    let ranges = ranges.into();
    let linear = linear_of(expr, ranges).map(|linear| linear.to_expr());
    let simple = linear.or_else(|| Some(expr_of(&Sum::of(expr, ranges)?, ranges)));
    simple.filter(|simple| simple.size() <= expr.size()).unwrap_or_else(|| expr.clone())
}

/// Is it proved that both have the same value at every point within the ranges where they have one?
pub fn equal<'a>(a: &AffineExpr, b: &AffineExpr, ranges: impl Into<Ranges<'a>>) -> bool {
    difference(a, b, ranges.into())
        .is_some_and(|(_, range)| range.is_some_and(|range| range.as_constant() == Some(0)))
}

/// Is it proved that `a <= b`?
pub fn less_or_equal<'a>(a: &AffineExpr, b: &AffineExpr, ranges: impl Into<Ranges<'a>>) -> bool {
    difference(b, a, ranges.into()).is_some_and(|(_, range)| range.is_some_and(|range| range.min() >= 0))
}

/// Is it proved that `a < b`?
pub fn less<'a>(a: &AffineExpr, b: &AffineExpr, ranges: impl Into<Ranges<'a>>) -> bool {
    difference(b, a, ranges.into()).is_some_and(|(_, range)| range.is_some_and(|range| range.min() > 0))
}

/// `a - b` and its range
fn difference(a: &AffineExpr, b: &AffineExpr, ranges: Ranges<'_>) -> Option<(Sum, Option<Range>)> {
    let sum = Sum::of(a, ranges)?.plus(&Sum::of(b, ranges)?, -1)?;
    let range = sum.range(ranges);
    Some((sum, range))
}

/// Is it proved that the number divides the expression?
pub fn divides<'a>(by: i64, expr: &AffineExpr, ranges: impl Into<Ranges<'a>>) -> bool {
    let ranges = ranges.into();
    let proved = || {
        let rest = Sum::of(expr, ranges)?.modulo(&Sum::constant(by.checked_abs()?), ranges)?;
        let range = rest.range(ranges);
        Some(rest.is_zero() || range.is_some_and(|range| range.as_constant() == Some(0)))
    };
    let by_range = || {
        let divisor = Sum::of(expr, ranges)?.range(ranges)?.divisor();
        divisor.checked_rem(by.unsigned_abs()).map(|rest| rest == 0)
    };
    by != 0 && (by_range() == Some(true) || proved() == Some(true))
}

/// How much the expression grows when the dimension grows by one; `None` if that is no number
///
/// ```
/// use terrace_analysis::coefficient_of;
/// use terrace_support::affine::AffineExpr;
/// let expr = AffineExpr::Dim(0) * 4.into() + AffineExpr::floor_div(AffineExpr::Dim(1), 2.into());
/// assert_eq!(coefficient_of(&expr, 0), Some(4));
/// assert_eq!(coefficient_of(&expr, 1), None);
/// assert_eq!(coefficient_of(&expr, 2), Some(0));
/// ```
pub fn coefficient_of(expr: &AffineExpr, dim: u32) -> Option<i64> {
    let sum = Sum::of(expr, Ranges::default())?;
    let mut found = 0;
    for (product, coefficient) in sum.terms() {
        if *product == [Atom::Dim(dim)] {
            found = coefficient;
            continue;
        }
        let term = product.iter().any(|atom| match atom {
            Atom::Dim(n) => *n == dim,
            Atom::Symbol(_) => false,
            Atom::Div(a, b) => {
                let mut is = |atom: &Atom| *atom == Atom::Dim(dim);
                a.any_variable(&mut is) || b.any_variable(&mut is)
            }
        });
        if term {
            return None;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_support::Random;

    #[test]
    fn sums_of_multiples_need_no_form() {
        let mut random = Random::new(3);
        let range = |random: &mut Random| {
            let (min, len): (i64, i64) = (random.below(7) - 3, random.below(5));
            Range::stepped(min, min + 2 * len, 1 + random.below(3)).unwrap_or(Range::one(min))
        };
        let mut shorter = 0;
        for _ in 0..2000 {
            let (dims, symbols) = ([range(&mut random), range(&mut random)], [range(&mut random)]);
            let ranges = Ranges { dims: &dims, symbols: &symbols };
            // Variables may occur several times, and cancel out.
            let mut expr = AffineExpr::Constant(random.below(9) - 4);
            for _ in 0..=random.below(5usize) {
                let leaves = [AffineExpr::Dim(0), AffineExpr::Dim(1), AffineExpr::Symbol(0)];
                let factor: i64 = random.below(9) - 4;
                let term = AffineExpr::mul(leaves[random.below(3usize)].clone(), factor.into());
                let times: i64 = 1 + random.below(2);
                expr = AffineExpr::mul(AffineExpr::add(term, expr), times.into());
            }
            let form = Sum::of(&expr, ranges).expect("few terms");
            assert_eq!(range_of(&expr, ranges), form.range(ranges), "{expr} in {ranges:?}");
            let linear = linear_of(&expr, ranges).expect("a sum of multiples").to_expr();
            assert_eq!(linear, expr_of(&form, ranges), "{expr} in {ranges:?}");
            shorter += u32::from(linear.size() < expr.size());
        }
        assert!(shorter > 100, "{shorter}");
    }
}
