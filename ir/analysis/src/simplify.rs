//! Questions about single expressions, answered by the form of [`crate::sum`] and ranges.

use crate::emit::expr_of;
use crate::range::{Range, Ranges};
use crate::sum::{Atom, Sum};
use terrace_support::affine::AffineExpr;

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
    Sum::of(expr, ranges)?.range(ranges)
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
    match Sum::of(expr, ranges) {
        Some(sum) => {
            let simple = expr_of(&sum, ranges);
            if simple.size() <= expr.size() { simple } else { expr.clone() }
        }
        None => expr.clone(),
    }
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
